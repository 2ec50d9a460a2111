"""Templates: what stands on a card is data, whatever it says; templates cannot run away; mistakes have their line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludoloom.compiler.sheets import typeset
from ludoloom.compiler.sheets.render import Code, Content, TemplateFault, Templates, value

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
NASTY = [
    '#read("/etc/passwd")', '"] #panic("ran") [', "#{panic()}", "$ x $", "*bold* _it_ `raw` <label> @ref // no", "\\",
    '\\"', "{{ title }}", "{% raw %}", "#", "\"", "]", ")", "v.at(0)", "\\u{41}", "/* */", "\n\n= Heading", "\r", "\0",
]  # fmt: skip
PLACES = {
    "markup": "#{{ title }}",
    "bare": "{{ title }}",
    "code": "#text({{ title }})",
    "quotes": '#text("{{ title }}")',
    "comment": "// {{ title }}\n/* {{ title }} */",
    "raw": "`{{ title }}` $ {{ title }} $",
    "joined": '#text({{ "a" ~ title ~ "b" }})',
    "macro": "{% macro m(x) %}#{{ x }}{% endmacro %}{{ m(title) }}"
    "{% macro n(x) %}#{{ x }}{{ caller() }}{% endmacro %}{% call n(title) %}#{{ title }}{% endcall %}",
    "loop": "{% for word in title %}#{{ word }}{% endfor %}",
}


def data_and_code(text: str) -> tuple[str, str]:
    """The values that were handed over, and everything else."""
    found = re.fullmatch(r"\{ let v = \((.*?)\); \[(.*)\] \}", text, re.DOTALL)
    assert found is not None
    return found[1], found[2]


@pytest.mark.parametrize("place", [place for place in PLACES if place != "loop"])
@settings(max_examples=40, deadline=None)
@given(text=TEXT)
@example(text="")
def test_the_code_is_the_same_whatever_stands_on_the_card(place: str, text: str) -> None:
    templates = Templates({"t.typ.j2": PLACES[place]})
    code = re.sub(re.escape(value(text)) + ", ", "", templates.render("t.typ.j2", {"title": text}).text)
    plain = templates.render("t.typ.j2", {"title": "Rope"}).text
    assert code.rpartition("; [")[2] == plain.rpartition("; [")[2]


@pytest.mark.parametrize("text", NASTY)
def test_what_is_nasty_is_only_text(text: str) -> None:
    """Known attacks, in every place at once: the code holds none of their letters."""
    whole = "\n".join(PLACES.values())
    _, code = data_and_code(Templates({"t.typ.j2": whole}).render("t.typ.j2", {"title": text}).text)
    assert re.sub(r"v\.at\(\d+\)", "", code).replace("#", "").split() == [
        "text()", 'text("")', "//", "/*", "*/", "``", "$", "$", "text()"
    ]  # fmt: skip


@pytest.mark.skipif(not typeset.available(), reason="the extra `print` is not installed")
@settings(max_examples=12, deadline=None)
@given(texts=st.lists(TEXT, min_size=1, max_size=40))
@example(texts=NASTY)
def test_typst_gets_every_text_unchanged(texts: list[str]) -> None:
    templates = Templates({"t.typ.j2": "#[#metadata({{ title }})<report>]"})
    bodies = [templates.render("t.typ.j2", {"title": text}).text for text in texts]
    found = typeset.typeset("".join(f"#{body}\n" for body in bodies), {}, [])
    assert found.troubles == ()
    assert list(found.reports) == texts


@given(
    data=st.recursive(
        st.none() | st.booleans() | st.integers(-(2**31), 2**31) | TEXT,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
        max_leaves=12,
    )
)
def test_values_are_literals(data: object) -> None:
    """Outside of quotes there are no names: nothing in a value can call anything."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", value(data), flags=re.DOTALL)
    assert set(re.findall(r"[a-z]+", bare)) <= {"none", "true", "false"}


def test_content_keeps_icons_apart_from_words() -> None:
    words = Content(("Deal 2 ", ("burst",), ' to "them"'))
    assert value(words) == r'words("Deal 2 ", inline-icon("burst"), " to \"them\"")'
    assert str(words) == 'Deal 2 :burst: to "them"'


def test_numbers_stand_as_they_are() -> None:
    templates = Templates({"t.typ.j2": "#h({{ wide / 2 }}mm)#v({{ 0 - wide }}mm){{ yes }}{{ nothing }}{{ code }}"})
    found = templates.render("t.typ.j2", {"wide": 63, "yes": True, "nothing": None, "code": Code("this")})
    assert data_and_code(found.text) == ("", "#h(31.5mm)#v((-63)mm)truenonethis")


RUNS_AWAY = {
    "loops in loops": "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
    "a long loop": "{% for a in range(999999999) %}{% endfor %}",
    "a text that doubles": "{% set x = title %}" + "{% set x = x ~ x %}" * 60,
    "a text by multiplication": "{{ title * 999999999 }}",
    "a list by multiplication": "{{ [title] * 999999999 }}",
    "a list that doubles": "{% set x = [title] %}" + "{% set x = x + x %}" * 60,
    "a power": "{{ 9 ** 9 ** 9 }}",
    "a number that squares": "{% set x = 99999 %}" + "{% set x = x * x %}" * 60,
    "format": "{{ '{:999999999}'.format(title) }}",
    "percent": "{{ '%999999999d' % 3 }}",
    "ljust": "{{ title.ljust(999999999) }}",
    "center": "{{ title|center(999999999) }}",
    "replace": "{{ (title * 1000)|replace('R', title * 1000) }}",
    "join": "{{ range(99999)|join(title * 1000) }}",
    "a macro that calls itself twice": "{% macro f(n) %}{{ f(n) }}{{ f(n) }}{% endmacro %}{{ f(1) }}",
    "a template that includes itself": "{% include 't.typ.j2' %}",
    "the class of a text": "{{ title.__class__.__mro__ }}",
    "the globals of a function": "{{ range.__globals__ }}",
    "a method that writes": "{% set x = items.append(3) %}",
    "random": "{{ items|random }}",
    "another file": "{% include '/etc/passwd' %}",
    "a file above": "{% include '../t.typ.j2' %}",
    "a name that is not there": "{{ nothing_like_it }}",
    "a cell that is not there": "{{ cell.cost.value }}",
    "an open tag": "{% for a in",
    "much output": "{% for a in range(9999) %}" + "x" * 999 + "{% endfor %}",
}


@pytest.mark.parametrize("name", RUNS_AWAY)
def test_a_template_that_runs_away_is_told(name: str) -> None:
    templates = Templates({"t.typ.j2": f"\n{RUNS_AWAY[name]}"})
    with pytest.raises(TemplateFault) as found:
        templates.render("t.typ.j2", {"title": "Rope", "items": [1, 2], "cell": {}})
    assert (found.value.file, found.value.line) == ("t.typ.j2", 2)
    assert len(found.value.message) > 10


def test_each_line_knows_where_it_comes_from() -> None:
    files = {
        "a.typ.j2": "first {{ title }}\n{% for x in [1, 2] %}\n  in loop {{ x }}\n{% endfor %}\n"
        '{% include "b.typ.j2" %}\n{% if title %}\nlast\n{% endif %}\n',
        "b.typ.j2": "{# nothing #}\nincluded\n",
    }
    found = Templates(files).render("a.typ.j2", {"title": "Rope"})
    _, code = data_and_code(found.text)
    rows = list(zip(code.split("\n"), found.lines, strict=False))
    assert [(line.strip(), place) for line, place in rows if line.strip()] == [
        ("first v.at(0)", ("a.typ.j2", 1)),
        ("in loop 1", ("a.typ.j2", 3)),
        ("in loop 2", ("a.typ.j2", 3)),
        ("included", ("b.typ.j2", 2)),
        ("last", ("a.typ.j2", 7)),
    ]


def test_a_fault_in_an_included_template_is_told_there() -> None:
    files = {"a.typ.j2": '\n\n{% include "b.typ.j2" %}', "b.typ.j2": "\n{{ what }}"}
    with pytest.raises(TemplateFault) as found:
        Templates(files).render("a.typ.j2", {})
    assert (found.value.file, found.value.line) == ("b.typ.j2", 2)


def test_a_template_cannot_change_what_the_next_is_given(tmp_path: Path) -> None:
    shared = {"items": [1, 2]}
    templates = Templates({"t.typ.j2": "{% set items = [] %}{{ items }}", "u.typ.j2": "{{ items }}"})
    templates.render("t.typ.j2", shared)
    assert data_and_code(templates.render("u.typ.j2", shared).text) == ("(1, 2, ), ", "v.at(0)")
