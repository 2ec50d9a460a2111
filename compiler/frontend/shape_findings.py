"""From Pydantic's errors to findings: the place in the file, the words of the file, what to do.

One fault is reported once: a misspelt key that explains a missing one, or that shows which form was meant, speaks for
both; and what the reader reported already (an empty value) is not said again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError

from ludoloom.compiler.diagnostics.model import Bag, Related
from ludoloom.compiler.diagnostics.nearest import did_you_mean, nearest
from ludoloom.compiler.diagnostics.wording import clip, count, either
from ludoloom.compiler.frontend.nodes import Items, Map, Node, Scalar, Span
from ludoloom.compiler.frontend.whole import Path, Whole, show_path
from ludoloom.schemas.acts import ACT_KEYS, Act
from ludoloom.schemas.base import Part, bare, forms
from ludoloom.schemas.keys import BESIDE, STARTS
from ludoloom.schemas.language import File
from ludoloom.schemas.statements import CORE_VERBS, Branches
from ludoloom.schemas.walk import Spot, article, example_of, is_tag, tell, walk

_NUMBER = re.compile(r"\s*-?[0-9]+\s*\Z")


@dataclass(slots=True)
class _Error:
    """One error: `path` as in the file (no tags), `marks` as Pydantic gives it."""

    kind: str
    marks: Path
    path: Path
    about: dict[str, Any]


def find(value: object, model: type[Part], whole: Whole, bag: Bag) -> bool:
    """Check a value with a model and report all errors; whether there are none."""
    try:
        model.__pydantic_validator__.validate_python(value)
    except ValidationError as failure:
        report(failure, model, whole, bag)
        return False
    return True


def report(failure: ValidationError, model: type[Part], whole: Whole, bag: Bag) -> None:
    """Report all errors of one validation, each fault once."""
    errors: list[_Error] = []
    for raw in failure.errors(include_url=False, include_input=False):
        marks = raw["loc"]
        path = tuple(step for step in marks if not is_tag(step))
        about = raw.get("ctx") or {}
        if raw["type"] == "strange_key" and "keys" in about:
            errors += [_Error("extra_forbidden", (*marks, key), (*path, key), about) for key in about["keys"]]
        else:
            kind = "extra_forbidden" if raw["type"] == "strange_key" else raw["type"]
            errors.append(_Error(kind, marks, path, about))
    _Reporter(errors, model, whole, whole.tree, bag).run()


@dataclass(slots=True)
class _Reporter:
    errors: list[_Error]
    model: type[Part]
    whole: Whole
    tree: Map
    bag: Bag

    def run(self) -> None:
        spoken, found = self._spoken(), self._found()
        for error in self.errors:
            above = next((error.path[:k] for k in range(len(error.path) + 1) if error.path[:k] in spoken), None)
            if above is not None and error.path != (*above, spoken[above]):
                continue
            if error.kind == "extra_forbidden":
                self._unknown(error)
            elif error.kind != "missing" or error.path not in found:
                self._one(error)
        for above, key in spoken.items():
            if (*above, key) not in {error.path for error in self.errors if error.kind == "extra_forbidden"}:
                self._misspelt_verb((*above, key))

    def _found(self) -> set[Path]:
        """What is missing only because its key is misspelt: that is said at the misspelt key."""
        missing: dict[Path, list[str]] = {}
        for error in self.errors:
            if error.kind == "missing":
                missing.setdefault(error.path[:-1], []).append(str(error.path[-1]))
        found: set[Path] = set()
        for error in self.errors:
            if error.kind == "extra_forbidden" and error.path[:-1] in missing:
                meant = nearest(str(error.path[-1]), walk(self.model, error.marks[:-1]).keys)
                if meant in missing[error.path[:-1]]:
                    found.add((*error.path[:-1], str(meant)))
        return found

    def _spoken(self) -> dict[Path, str]:
        """Mappings in which one misspelt key speaks for the whole: it is near a key of another form than the one
        that was checked, or it is near a core verb and was taken for a verb of the game."""
        spoken: dict[Path, str] = {}
        for error in self.errors:
            above = error.path[:-1]
            if error.kind == "extra_forbidden" and above not in spoken:
                spot, key = walk(self.model, error.marks[:-1]), str(error.path[-1])
                if nearest(key, (*spot.keys, *spot.other_keys)) in spot.other_keys and not _is_call(spot):
                    spoken[above] = key
            for statement, verb in self._called_by(error):
                if nearest(verb, CORE_VERBS) is not None and not self._declares(verb):
                    spoken[statement] = verb
        return spoken

    def _called_by(self, error: _Error) -> Iterator[tuple[Path, str]]:
        """The statement, and its verb of the game, inside whose parameters an error lies."""
        path: list[str | int] = []
        for number, step in enumerate(error.marks):
            if not is_tag(step):
                path.append(step)
            elif _is_call(walk(self.model, error.marks[: number + 1])) and len(error.path) > len(path):
                below = error.path[len(path)]
                if isinstance(below, str) and below not in BESIDE and not below.startswith("on "):
                    yield tuple(path), below

    def _declares(self, verb: str) -> bool:
        """Whether this file has a verb of this name."""
        return any(isinstance(acts := self.tree.get(name), Map) and verb in acts for name in ("verbs", "actions"))

    def _misspelt_verb(self, path: Path) -> None:
        key = self._key(path)
        verb = str(path[-1])
        message = f"`{clip(verb)}` is no verb that is written like this"
        span = key.span if key is not None else self.tree.span
        self._add("unknown-key", span, message, f"did you mean `{nearest(verb, CORE_VERBS)}`?", path)

    # --- places -------------------------------------------------------------------------------------------------------
    def _node(self, path: Path) -> Node | None:
        node: Node | None = self.tree
        for step in path:
            if isinstance(node, Map):
                node = node.get(str(step))
            elif isinstance(node, Items) and isinstance(step, int) and step < len(node.items):
                node = node.items[step]
            else:
                return None
        return node

    def _key(self, path: Path) -> Scalar | None:
        """The key under which the value at `path` stands, if its parent is a mapping."""
        parent = self._node(path[:-1]) if path else None
        return parent.key(str(path[-1])) if isinstance(parent, Map) else None

    def _called(self, path: Path, spot: Spot) -> str:
        """``the zone `deck` ``, or ``a choice`` where nothing has a name."""
        noun = spot.part.called if spot.part is not None else "mapping"
        if noun.startswith("`"):
            return noun
        key = str(path[-1]) if path and isinstance(path[-1], str) else self.whole.name
        if not path and not self.whole.name:
            return f"the {noun}"
        return f"the {noun} `{key}`" if key and key != noun else f"the {noun}" if key else article(noun)

    def _add(
        self, code: str, span: Span, message: str, hint: str, path: Path, related: tuple[Related, ...] = ()
    ) -> None:
        self.bag.add(code, span, message, hint, related, show_path((*self.whole.path, *path)))

    # --- unknown keys -------------------------------------------------------------------------------------------------
    def _unknown(self, error: _Error) -> None:
        *_, key = error.path
        key = str(key)
        above = error.path[:-1]
        spot = walk(self.model, error.marks[:-1])
        node = self._key(error.path)
        span = node.span if node is not None else self.tree.span
        if spot.part is File:
            hint = did_you_mean(key, spot.keys) or f"the sections are {', '.join(sorted(spot.keys))}"
            self._add("unknown-section", span, f"`{clip(key)}` is no section of a pack", hint, error.path)
            return
        part = spot.part
        noun = part.called if part is not None else "mapping"
        known = [*spot.keys, *spot.other_keys]
        if _is_call(spot):
            verb = str(error.about.get("verb", ""))
            if verb and nearest(verb, CORE_VERBS) and not self._declares(verb):
                self._misspelt_verb((*above, verb))
                return
            known += ["on …"]
        hint = did_you_mean(key, [*known, *(CORE_VERBS if _is_call(spot) else ())])
        if not hint and part is not None and issubclass(part, Act) and key in ACT_KEYS | {"on …"}:
            self._add("wrong-clause", span, f"`{key}` has no meaning in {article(noun)}", _where(key), error.path)
            return
        if not hint and key.startswith("on ") and any(name == "on …" for name in known):
            hint = "write `on` and the outcome, several with `or`: `on win or tie`"
        shown = [*spot.keys, *(["on …"] if part is not None and issubclass(part, Branches) else [])]
        hint = hint or (f"{article(noun)} knows {_few(shown)}" if shown else "delete it")
        message = f"`{clip(key)}` is no key of {self._called(above, spot)}"
        if _is_call(spot):
            message = f"`{clip(key)}` cannot stand beside `{error.about.get('verb', 'the verb')}`"
            if not hint.startswith("did"):
                hint = "a statement is one verb; beside a verb of the game stand `as`, `then`, `else`, `on …`"
        self._add("unknown-key", span, message, hint, error.path)

    # --- all other errors ---------------------------------------------------------------------------------------------
    def _one(self, error: _Error) -> None:
        spot = walk(self.model, error.marks)
        kind, path = error.kind, error.path
        if kind == "missing":
            self._missing(path, walk(self.model, error.marks[:-1]))
        elif kind == "union_tag_not_found":
            self._no_form(path, spot)
        elif kind == "one_of":
            self._one_of(path, spot, error.about)
        elif kind == "no_verb":
            self._add(
                "missing-key", self._span(path), "this statement has no verb",
                "a statement is one verb: `{gain: {what: points, amount: 1}}`", path,
            )  # fmt: skip
        elif kind == "no_face":
            self._no_face(path, error.about)
        elif kind == "call_type":
            for key in error.about["keys"]:
                self._call_type((*path, key), key, error.about["verb"])
        elif path and path[-1] == "[key]":
            self._bad_key(path[:-1], error, spot)
        elif kind == "barred":
            self._barred(path, str(error.about["word"]), spot, self._span(path))
        else:
            self._wrong(path, kind, error.about, spot)

    def _span(self, path: Path) -> Span:
        """The value itself if it is short, else the key it stands under."""
        node = self._node(path)
        key = self._key(path)
        if (
            isinstance(node, Scalar)
            or (isinstance(node, Items) and node.span.line == node.span.end_line)
            or key is None
        ):
            return node.span if node is not None else self.tree.span
        return key.span

    def _missing(self, path: Path, spot: Spot) -> None:
        above, key = path[:-1], str(path[-1])
        node = self._node(above)
        place = self._key(above)
        span = place.span if place is not None else node.span if node is not None else self.tree.span
        if not above and self.whole.place is not None:
            span = self.whole.place
        elif place is None and isinstance(node, Map) and node.entries:
            span = node.entries[0][0].span
        declared = self.whole.declared
        related = declared(spot.part, key) if declared is not None and spot.part is not None else ()
        if spot.open and isinstance(node, Map):
            for other, _ in node:
                if other.text not in spot.keys and nearest(other.text, (key,)):
                    message = f"`{clip(other.text)}` is no key of {self._called(above, spot)}"
                    self._add("unknown-key", other.span, message, f"did you mean `{key}`?", (*above, other.text))
                    return
        message = f"{self._called(above, spot)} needs `{key}`"
        hint = f"write `{key}:` and {_wanted(walk_key(spot, key))}"
        if spot.part is not None and key in spot.part.rather:
            hint = f"{hint}; or {spot.part.rather[key]}"
        self._add("missing-key", span, message, hint, above, related)

    def _no_form(self, path: Path, spot: Spot) -> None:
        node = self._node(path)
        signs = [sign for form in forms(bare(spot.annotation)) for sign in form.signs[:1]]
        if not isinstance(node, Map) or not signs:
            self._wrong(path, "type", {}, spot)
            return
        for key, _ in node:
            if meant := nearest(key.text, signs):
                part = forms(bare(spot.annotation))[-1].part
                message = f"`{clip(key.text)}` is no key of {article(part.called if part is not None else 'mapping')}"
                self._add("unknown-key", key.span, message, f"did you mean `{meant}`?", (*path, key.text))
                return
        place = self._key(path)
        span = place.span if place is not None else node.span
        message = f"one of {either([f'`{sign}`' for sign in signs])} is needed here"
        self._add("missing-key", span, message, "it says what this is", path)

    def _one_of(self, path: Path, spot: Spot, about: dict[str, Any]) -> None:
        found: list[str] = about["found"]
        place = self._key((*path, found[1])) if len(found) > 1 else self._key(path)
        span = place.span if place is not None else self._span(path)
        keys = either([f"`{key}`" for key in about["keys"]])
        called = self._called(path, spot)
        if found:
            message = f"{called} starts twice: `{found[0]}` and `{found[1]}`"
            self._add("wrong-clause", span, message, "write a trigger for each", path)
        else:
            self._add("missing-key", span, f"{called} needs {keys}", str(about["why"]), path)

    def _no_face(self, path: Path, about: dict[str, Any]) -> None:
        for key in about["keys"]:
            where = (*path, "fields", key)
            place = self._key(where)
            faces = [f"`{face}`" for face in about["faces"]]
            self._add(
                "missing-key", place.span if place else self.tree.span, f"the column `{key}` needs `is`",
                f"write `is:` and its type{'; the faces of this kind are ' + ', '.join(faces) if faces else ''}", where,
            )  # fmt: skip

    def _call_type(self, path: Path, key: str, verb: str) -> None:
        if key == verb:
            self._add(
                "wrong-type", self._span(path), f"`{key}` must have a value or parameters, but a list stands here",
                "several values of one parameter stand under its name: `{name: [a, b]}`", path,
            )  # fmt: skip
        else:
            self._add("wrong-type", self._span(path), f"`{key}` must have a list of statements", "write `[{…}]`", path)

    def _bad_key(self, path: Path, error: _Error, spot: Spot) -> None:
        key = self._key(path)
        span = key.span if key is not None else self.tree.span
        name = str(path[-1])
        if error.kind == "barred":
            self._barred(path, name, spot, span)
            return
        inner = bare(spot.annotation)
        if get_origin(inner) is Literal:
            hint = did_you_mean(name, [str(value) for value in get_args(inner)])
            self._add("unknown-key", span, f"`{clip(name)}` is no section that can stand here", hint, path)
            return
        self._pattern(path, name, spot, span)

    def _barred(self, path: Path, word: str, spot: Spot, span: Span) -> None:
        if word in CORE_VERBS:
            self._add("wrong-type", span, f"`{word}` cannot stand alone", f"it needs to know more: `{word}: …`", path)
        else:
            self._add(
                "reserved-word", span, f"`{word}` cannot be a name: it is a word of the expressions",
                f"choose another, such as `the_{word}`", path,
            )  # fmt: skip

    def _pattern(self, path: Path, name: str, spot: Spot, span: Span) -> None:
        called = tell(spot.annotation)
        better = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        if "snake_case" in called or called.startswith("the name") or called == "a name":
            good = bool(re.match(r"[a-z][a-z0-9_]*\Z", better))
            hint = f"write `{better}`" if good else "ids begin with a small letter, then small letters, digits and `_`"
            self._add("bad-id", span, f"`{clip(name)}` is no id", hint, path)
        else:
            example = example_of(spot.annotation)
            key = f"{path[-1]}: " if path and isinstance(path[-1], str) and self._key(path) is not None else ""
            hint = f"write `{key}{example}`" if example else "look at how others are written"
            self._add("bad-id", span, f"`{clip(name)}` is not {called}", hint, path)

    def _wrong(self, path: Path, kind: str, about: dict[str, Any], spot: Spot) -> None:
        node = self._node(path)
        if isinstance(node, Scalar) and node.value is None:
            return  # the reader said that it is empty
        span = self._span(path)
        what = f"`{path[-1]}`" if path and isinstance(path[-1], str) else "this"
        wanted = tell(spot.annotation)
        if get_origin(bare(spot.annotation)) is Literal:
            # A mapping is another form of the same place: who misses among the words may look for that.
            wanted = ", or ".join([wanted, *(tell(form.annotation) for form in spot.forms if form.part is not None)])
        hint = ""
        if kind in ("greater_than_equal", "less_than_equal"):
            bound = about.get("ge", about.get("le"))
            wanted = f"{'at least' if 'ge' in about else 'at most'} {bound}"
        elif kind in ("too_short", "too_long"):
            self._length(path, about, span, what)
            return
        if isinstance(node, Scalar):
            hint = self._scalar_hint(node, spot)
            if kind == "string_pattern_mismatch" and not hint and isinstance(node.value, str):
                self._pattern(path, node.text, spot, span)
                return
        self._add("wrong-type", span, f"{what} must be {wanted}, but {_stands(node)}", hint, path)

    def _scalar_hint(self, node: Scalar, spot: Spot) -> str:
        inner = bare(spot.annotation)
        if isinstance(node.value, str):
            if not node.plain and _NUMBER.match(node.text) and _takes_number(spot):
                return "write the number without quotes"
            if not node.plain and node.text in ("true", "false"):
                return f"write {node.text} without quotes"
            if get_origin(inner) is Literal:
                return did_you_mean(node.text, [value for value in get_args(inner) if isinstance(value, str)])
        elif isinstance(node.value, int) and tell(spot.annotation).startswith("a text"):
            return f'write "{node.text}" in quotes if it is a text'
        return ""

    def _length(self, path: Path, about: dict[str, Any], span: Span, what: str) -> None:
        few = "min_length" in about
        number = about.get("min_length", about.get("max_length"))
        wanted = f"{'at least' if few else 'at most'} {count(int(number or 0), 'entry', 'entries')}"
        message = f"{what} must have {wanted}, not {about.get('actual_length')}"
        self._add("wrong-type", span, message, "", path)


def walk_key(spot: Spot, key: str) -> Spot:
    """What stands under a key of a part."""
    return walk(spot.annotation, (key,)) if spot.part is not None else spot


def _wanted(spot: Spot) -> str:
    return tell(spot.annotation) if spot.annotation is not Any else "its value"


def _takes_number(spot: Spot) -> bool:
    return bool({"number", "expression", "range"} & set(tell(spot.annotation).split()))


def _few(names: Sequence[str], most: int = 14) -> str:
    """The names, or the first of many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + more


def _stands(node: Node | None) -> str:
    """What stands in the file."""
    if isinstance(node, Map):
        return "a mapping stands here"
    if isinstance(node, Items):
        return "a list stands here"
    if isinstance(node, Scalar):
        if isinstance(node.value, str):
            return f"the text {clip(node.text)!r} stands here" if not node.plain else f"`{clip(node.text)}` stands here"
        return f"{node.text} stands here"
    return "something else stands here"


def _where(key: str) -> str:
    if key in STARTS:
        return "it makes a trigger: write it under `triggers`"
    return {
        "turns": "only phases have turns",
        "until": "only phases have it",
        "with": "only verbs, actions and rolls have parameters",
        "gives": "only verbs and actions give a result",
        "who": "only what a window offers is done by somebody: actions and the acts of cards",
        "during": "only the acts of cards have it",
    }.get(key, "")


def _is_call(spot: Spot) -> bool:
    return spot.part is not None and spot.part.called == "statement"
