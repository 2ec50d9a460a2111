"""How the things of a kind are printed: size, template, back, colours, icons."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

from ludoloom.schemas.base import ABSENT, Either, Part
from ludoloom.schemas.sizes import SIZES, TEMPLATES
from ludoloom.schemas.words import Id, Member, Name, RangeText, Text, Word

MILLIMETRES: Final = r"[1-9][0-9]{0,2}(\.[0-9]{1,2})? x [1-9][0-9]{0,2}(\.[0-9]{1,2})?"
FILE: Final = r"[A-Za-z0-9_-][A-Za-z0-9_./{}-]*"

SheetSize = Annotated[
    str,
    Word(
        "SheetSize",
        "a size such as `poker` or `63.5 x 88.9`",
        f"^({'|'.join(SIZES)}|{MILLIMETRES})$",
        f"Width and height after cutting: `60 x 90` in millimetres, or one of {', '.join(SIZES)}.",
        example="poker",
    ),
]
Template = Annotated[
    str,
    Word(
        "Template",
        "a template that ships, or a file of the pack that ends in .typ.j2",
        rf"^({'|'.join(TEMPLATES)}|[A-Za-z0-9_-][A-Za-z0-9_./-]*\.typ\.j2)$",
        f"A file of the pack that ends in .typ.j2, or one of {', '.join(TEMPLATES)}.",
        example="card",
    ),
]
Colour = Annotated[
    str,
    Word("Colour", 'a colour such as `"#8a3b2e"`', r"^#[0-9a-fA-F]{6}$", 'Red, green and blue: `"#8a3b2e"`.'),
]
Picture = Annotated[
    str,
    Word(
        "Picture",
        "a file of the pack such as `art/{id}.png`",
        rf"^{FILE}\.(png|jpg|jpeg|svg|webp)$",
        "A picture of the pack; `{id}` stands for the id of the item.",
    ),
]
ByMember = dict[Member, Id]


class Sheet(Part):
    """How the things of a kind are printed. What is left out is found by the kind's family and columns."""

    called: ClassVar[str] = "sheet"

    print: bool = ABSENT
    """`false`: they are not printed."""
    size: SheetSize = ABSENT
    """Width and height after cutting."""
    shape: Literal["rectangle", "hexagon"] = ABSENT
    """What is cut out; left out: a rectangle."""
    template: Template = ABSENT
    """How the front is drawn; left out: the template of the family."""
    back: Annotated[Literal[False] | Template, Either()] = ABSENT
    """How the back is drawn; `false`: there is none."""
    front: Name = ABSENT
    """Of a kind with faces: which one is printed in front; left out: the face `front`, or the last one."""
    deck: Id = ABSENT
    """The name of the deck, for files and for the number on the card; left out: the zone where they start."""
    colour: Colour = ABSENT
    """The colour of the back, and of a front for which `colours` has none."""
    colours: dict[Name, dict[Member, Colour]] = ABSENT
    """Colours by what a column holds, the first column first: `{element: {fire: "#b3361e"}}`."""
    icons: dict[Name, Annotated[Id | ByMember, Either()]] = ABSENT
    """The icon of a column (`{cost: coin}`), or of what it holds (`{element: {fire: flame}}`)."""
    labels: dict[Name, Text] = ABSENT
    """What a column is called in print; left out: its name."""
    corner: Name = ABSENT
    """The column that stands large beside the title."""
    mark: Id = ABSENT
    """The icon that stands for the kind: on its back, and where there is no picture."""
    show: list[Name] = ABSENT
    """The columns that are printed, in this order; left out: all that everybody may see."""
    line: Text = ABSENT
    """The line under the title, with `{column}`; left out: the kind and its words."""
    art: Picture = ABSENT
    """The picture: `art/{id}.png`. Without one, the space is designed."""
    text_size: RangeText = ABSENT
    """The smallest and the usual size of the text in points: `6 to 9`. Longer texts shrink, down to the first."""
