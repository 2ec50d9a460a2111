"""Who prints or shows the faces, as data: what each home printer, print service and virtual table wants.

A row says what files look like; `produce.py` writes them and `preflight.py` reads them again by the same row. Sizes are
millimetres of what is left after cutting. What a service wants changes now and then: rows name where it says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ludoloom.compiler.sheets.finish import FOGRA39, SWOP, X1A, Intent
from ludoloom.compiler.sheets.model import Size
from ludoloom.compiler.sheets.pages import SLACK, Backs
from ludoloom.compiler.sheets.paper import INCH

Form = Literal["sheets", "cards", "images", "table"]
"""Sheets of many cards; a PDF whose pages are cards; a picture of each face; objects of a virtual table."""


@dataclass(frozen=True, slots=True)
class Product:
    """A size that a service sells; `pixels` of its pictures, bleed included, where it says so."""

    name: str
    size: Size
    pixels: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What a printer, a service or a virtual table wants."""

    name: str
    title: str
    form: Form
    says: str
    """One line for the user: what comes out."""
    source: str = ""
    """Where the service tells its rules."""
    paper: str = ""
    """The only paper, where there is only one."""
    backs: Backs | None = None
    """The only way of backs, where there is only one."""
    turn: int = 0
    grid: tuple[int, int] | None = None
    gap: float = 0.0
    bleed: float = 3.0
    """How much bleed a face must bring."""
    furniture: bool = True
    """Whether marks, rulers and page numbers are allowed."""
    order: Literal["front-back", "back-front"] = "front-back"
    files: Literal["one", "deck", "size"] = "one"
    """Of `cards`: what goes into a file of its own."""
    expand: bool = True
    """Whether each copy is written; else the number is told in the manifest."""
    order_limit: int = 0
    """The most cards of one order, where there is a limit."""
    products: tuple[Product, ...] = ()
    """The sizes that are sold; none: any."""
    ppi: float = 300.0
    most_pixels: int = 0
    """The longest side of a picture."""
    ink_limit: float = 0.0
    """The most ink of a colour in per cent; 0: colours stay RGB."""
    rich_black: tuple[float, ...] = ()
    """The inks of large black areas, in per cent; letters and lines are black alone."""
    standard: str = ""
    intent: Intent | None = None
    outlines: bool = False
    """Whether text must be shapes; needs Ghostscript."""
    opaque: bool = False
    """Whether nothing may show through; needs Ghostscript if something does."""
    least_dpi: float = 150.0
    """Pictures below this are refused."""

    @property
    def inks(self) -> bool:
        return self.ink_limit > 0


_US_POKER: Final = Product("US poker", Size(2.5 * INCH, 3.5 * INCH), (825, 1125))
_EIGHTH: Final = INCH / 8

_ALL: Final = (
    Target(
        "home",
        "a printer at home",
        "sheets",
        "sheets with fronts and backs, marks, a ruler and page numbers",
        bleed=3.0,
    ),
    Target(
        "fold",
        "a printer at home, folded",
        "sheets",
        "sheets printed on one side: fold, glue, cut",
        backs="fold",
        bleed=3.0,
    ),
    Target(
        "drivethrucards",
        "DriveThruCards",
        "cards",
        "a PDF/X-1a for each deck: back of card 1, its front, back of card 2, …",
        source="help.drivethrupartners.com, article 12780748203543",
        bleed=_EIGHTH,
        furniture=False,
        order="back-front",
        files="deck",
        products=(_US_POKER,),
        ink_limit=240,
        rich_black=(60, 40, 40, 100),
        standard=X1A,
        intent=SWOP,
        opaque=True,
        least_dpi=200,
    ),
    Target(
        "mbprint",
        "MB Print",
        "cards",
        "a PDF for each size: front of card 1, its back, front of card 2, …; letters as shapes",
        source="mbprint.pl, instructions for cards",
        bleed=3.0,
        furniture=False,
        files="size",
        ink_limit=300,
        rich_black=(30, 30, 0, 100),
        intent=FOGRA39,
        outlines=True,
        opaque=True,
        least_dpi=200,
    ),
    Target(
        "gamecrafter",
        "The Game Crafter",
        "images",
        "a picture of each face with bleed; quantities are set on the site",
        source="thegamecrafter.com, templates of each product",
        bleed=_EIGHTH,
        furniture=False,
        expand=False,
        products=(_US_POKER,),
    ),
    Target(
        "makeplayingcards",
        "MakePlayingCards",
        "images",
        "a picture of each face with bleed; the manifest lists every slot",
        source="makeplayingcards.com",
        bleed=_EIGHTH,
        furniture=False,
        expand=False,
        order_limit=612,
    ),
    Target(
        "printplaygames",
        "Print & Play Games",
        "sheets",
        "sheets of 12 × 18 inches with 18 cards",
        source="printplaygames.com, guidelines",
        paper="12x18",
        backs="long",
        turn=90,
        grid=(3, 6),
        gap=INCH / 4,
        bleed=_EIGHTH,
        furniture=False,
        products=(_US_POKER,),
        least_dpi=200,
    ),
    Target(
        "tabletopsimulator",
        "Tabletop Simulator",
        "table",
        "sheets of at most 10 × 7 faces and a saved object that loads them",
        source="kb.tabletopsimulator.com, custom decks",
        bleed=0.0,
        furniture=False,
        expand=False,
        most_pixels=4096,
    ),
    Target(
        "tabletopia",
        "Tabletopia",
        "images",
        "a picture of each face, 10 pixels a millimetre, without bleed",
        source="help.tabletopia.com, the checklist for creators",
        bleed=0.0,
        furniture=False,
        expand=False,
        ppi=10 * INCH,
        most_pixels=4000,
    ),
)
TARGETS: Final = {target.name: target for target in _ALL}


def product_for(size: Size, target: Target) -> Product | None:
    """The product of a target for a size; None if it sells none."""
    if not target.products:
        return Product("", size)
    for lying in (False, True):
        for product in target.products:
            sold = product.size.turned() if lying else product.size
            if abs(sold.width - size.width) <= SLACK and abs(sold.height - size.height) <= SLACK:
                pixels = product.pixels
                if pixels is not None and lying:
                    pixels = (pixels[1], pixels[0])
                return Product(product.name, sold, pixels)
    return None
