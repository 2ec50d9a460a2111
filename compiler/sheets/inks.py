"""The colours of a finished PDF become printing inks, or greys.

    to_cmyk((0.2, 0.4, 0.9))                  (0.777…, 0.555…, 0.0, 0.1)
    to_cmyk((0, 0, 0))                        (0, 0, 0, 1): black is one ink, so text stays sharp; large areas get more
    recolour(pdf, cmyk_within(2.4))           every colour of every stream, gradient and picture
    most_ink(pdf)                             the most ink that any colour of the file puts down

Typst draws in RGB and greys, with profiles; services want plain inks with a limit of their sum. Conversion by one
function here means that what a table of targets promises holds for templates of users as well, needs no other program,
and can be measured: the same walk reads all colours of the file again. As much as possible of the grey part of a colour
is printed black (full grey component replacement), which uses the least ink and keeps greys neutral; what is still over
the limit loses the three colours evenly. Since sums are linear, a gradient or an interpolated pixel between two colours
within the limit is within it too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from ludoloom.compiler.sheets.pdf import (
    POINTS,
    UNIT,
    Matrix,
    all_resources,
    array,
    drawn,
    entries,
    holders,
    instruction,
    is_stream,
    name,
    operands,
    operators,
    pillow_image,
    times,
)
from ludoloom.compiler.sheets.raster import Colour, converted
from ludoloom.compiler.sheets.raster import most_ink as most_ink_of_pixels

Recolour = Callable[[Colour], Colour]


class CannotConvert(Exception):
    """A colour of the file is written in a way that is not known here; the message says which."""


def to_cmyk(colour: Colour, limit: float = 4.0) -> Colour:
    """Inks from 0 to 1 for red, green and blue; their sum is at most `limit`."""
    if len(colour) == 4:
        cyan, magenta, yellow, black = colour
    elif len(colour) == 1:
        return (0.0, 0.0, 0.0, 1 - colour[0])
    else:
        light = max(colour)
        if light <= 0:
            return (0.0, 0.0, 0.0, 1.0)
        black = 1 - light
        cyan, magenta, yellow = ((light - part) / light for part in colour)
    three = cyan + magenta + yellow
    if three + black > limit and three > 0:
        part = max(0.0, limit - black) / three
        cyan, magenta, yellow = cyan * part, magenta * part, yellow * part
    return (cyan, magenta, yellow, black)


def cmyk_within(limit: float) -> Recolour:
    """`to_cmyk` with a limit, 2.4 for 240 %. A hair less is aimed at, since numbers are rounded when written."""
    return lambda colour: to_cmyk(colour, limit - 0.005)


def to_grey(colour: Colour) -> Colour:
    """How light a colour is, as a photograph without colours shows it (Rec. 601, as Pillow does)."""
    if len(colour) == 4:
        cyan, magenta, yellow, black = colour
        colour = ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
    if len(colour) == 1:
        return colour
    red, green, blue = colour
    return (0.299 * red + 0.587 * green + 0.114 * blue,)


def recolour(pdf: Any, colour: Recolour, rich_black: Colour = ()) -> None:
    """Change all colours of a document. What `colour` gives for white tells which kind: four parts are inks, one is
    grey. `rich_black` are the inks of large black areas."""
    parts = len(colour((1.0, 1.0, 1.0)))
    for holder in list(holders(pdf)):
        rows = _recoloured(holder.content, holder.resources, colour)
        if rich_black and holder.page:
            rows = _enriched(rows, rich_black)
        holder.replace(drawn(list(rows)))
    seen: set[tuple[int, int]] = set()
    for resources in all_resources(pdf):
        for shading in _shadings(resources):
            if shading.objgen == (0, 0) or shading.objgen not in seen:
                seen.add(shading.objgen)
                _recolour_shading(shading, colour, parts)
        for image in entries(resources, "XObject"):
            if image.get("/Subtype", None) == "/Image" and image.objgen not in seen:
                seen.add(image.objgen)
                _recolour_image(image, colour, parts)
    for resources in all_resources(pdf):
        if "/ColorSpace" in resources:
            del resources["/ColorSpace"]


# --- operators -------------------------------------------------------------------------------------------------------

_FILL: Final = {"g": 1, "rg": 3, "k": 4}
_STROKE: Final = {"G": 1, "RG": 3, "K": 4}
_WRITTEN: Final = {1: ("g", "G"), 4: ("k", "K")}
_LOOKED_AT: Final = frozenset(("q", "Q", "cs", "CS", "sc", "scn", "SC", "SCN", *_FILL, *_STROKE, "BI", "INLINE IMAGE"))


def _recoloured(content: Any, resources: Any, colour: Recolour) -> Iterator[Any]:
    made: dict[tuple[Colour, bool], Any] = {}
    for row, operator, told in _colours(content, resources):
        if told is None:
            yield row
        elif told:
            stroke = operator[0].isupper()
            if (told, stroke) not in made:
                inks = [round(part, 5) for part in colour(told)]
                made[told, stroke] = instruction(inks, _WRITTEN[len(inks)][stroke])
            yield made[told, stroke]
        # What only selects a space of colours is left out: the operators that are written now bring their own.


def _colours(content: Any, resources: Any) -> Iterator[tuple[Any, str, Colour | None]]:
    """Each row with its operator, and the colour that it sets: none if it sets none, an empty one for one that selects
    another space."""
    spaces = {False: 1, True: 1}
    kept: list[dict[bool, int]] = []
    for row, operator in operators(content):
        told: Colour | None = None
        if operator not in _LOOKED_AT:
            pass
        elif operator == "q":
            kept.append(dict(spaces))
        elif operator == "Q":
            spaces = kept.pop() if kept else spaces
        elif operator in ("cs", "CS"):
            parts = _space(operands(row)[0], resources)
            spaces[operator == "CS"] = parts
            if parts:
                # A new space begins with black.
                told = (0.0, 0.0, 0.0, 1.0) if parts == 4 else (0.0,) * parts
        elif operator in ("sc", "scn", "SC", "SCN"):
            if spaces[operator[0] == "S"]:
                told = tuple(float(part) for part in operands(row))
        elif operator in _FILL or operator in _STROKE:
            told = tuple(float(part) for part in operands(row))
            spaces[operator.isupper()] = len(told)
        else:
            raise CannotConvert("a picture inside a stream of operators")
        yield row, operator, told


def _space(space: Any, resources: Any) -> int:
    """How many parts the colours of a space have; 0 for patterns."""
    if str(space).startswith("/"):
        plain = {"/DeviceGray": 1, "/DeviceRGB": 3, "/DeviceCMYK": 4, "/Pattern": 0}
        if str(space) in plain:
            return plain[str(space)]
        named: Any = resources.get("/ColorSpace", None) if resources is not None else None
        if named is None or str(space) not in named:
            raise CannotConvert(f"the space of colours {space}")
        return _space(named[str(space)], resources)
    family = str(space[0])
    if family == "/ICCBased":
        return int(space[1]["/N"])
    if family in ("/CalRGB", "/CalGray"):
        return 3 if family == "/CalRGB" else 1
    if family == "/Pattern":
        return 0
    raise CannotConvert(f"the space of colours {family}")


# --- black areas -----------------------------------------------------------------------------------------------------

LARGE: Final = 10.0
"""Millimetres in both directions from which on an area of one black ink looks grey beside others."""
_PATH: Final = frozenset(("m", "l", "c", "v", "y", "h", "re"))
_FILLS: Final = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
_BLACK: Final = (0.0, 0.0, 0.0, 1.0)


def _enriched(rows: Iterable[Any], rich: Colour) -> Iterator[Any]:
    """Large black areas get other inks below the black. Letters and lines do not: four inks never meet exactly, and
    the finer a shape is the more it shows. A path is held back until it is known what becomes of it, since its colour
    must be said before it begins."""
    more, plain = instruction(rich, "k"), instruction(_BLACK, "k")
    now, black = UNIT, True
    kept: list[tuple[Matrix, bool]] = []
    path: list[tuple[Any, str]] = []
    for row in rows:
        operator = str(row.operator)
        if operator in _PATH:
            path.append((row, operator))
            continue
        if path and black and operator in _FILLS and _large(path, now):
            yield from (more, *(part for part, _ in path), row, plain)
            path = []
            continue
        yield from (part for part, _ in path)
        path = []
        yield row
        if operator == "q":
            kept.append((now, black))
        elif operator == "Q":
            now, black = kept.pop() if kept else (now, black)
        elif operator == "cm":
            a, b, c, d, e, f = (float(part) for part in operands(row))
            now = times((a, b, c, d, e, f), now)
        elif operator in ("k", "g", "rg", "cs", "sc", "scn"):
            black = operator == "k" and tuple(float(part) for part in operands(row)) == _BLACK
    yield from (part for part, _ in path)


def _large(path: Sequence[tuple[Any, str]], now: Matrix) -> bool:
    xs: list[float] = []
    ys: list[float] = []
    for row, operator in path:
        values = [float(part) for part in operands(row)]
        if operator == "re":
            x, y, width, height = values
            values = [x, y, x + width, y, x, y + height, x + width, y + height]
        for x, y in zip(values[::2], values[1::2], strict=True):
            xs.append(now[0] * x + now[2] * y + now[4])
            ys.append(now[1] * x + now[3] * y + now[5])
    least = LARGE * POINTS
    return bool(xs) and max(xs) - min(xs) >= least and max(ys) - min(ys) >= least


# --- gradients -------------------------------------------------------------------------------------------------------


def _shadings(resources: Any) -> Iterator[Any]:
    yield from entries(resources, "Shading")
    for pattern in entries(resources, "Pattern"):
        if "/Shading" in pattern:
            yield pattern["/Shading"]


def _recolour_shading(shading: Any, colour: Recolour, parts: int) -> None:
    before = _space(shading["/ColorSpace"], None)
    if "/Function" not in shading or int(shading["/ShadingType"]) == 1:
        raise CannotConvert(f"a gradient of type {int(shading['/ShadingType'])}")
    functions = shading["/Function"]
    if not is_stream(functions) and str(type(functions).__name__) == "Array":
        raise CannotConvert("a gradient with a function for each part of its colours")
    _recolour_function(functions, colour, before, parts)
    shading["/ColorSpace"] = name("DeviceCMYK" if parts == 4 else "DeviceGray")
    if "/Background" in shading:
        shading["/Background"] = array([round(x, 5) for x in colour(tuple(float(x) for x in shading["/Background"]))])


def _recolour_function(function: Any, colour: Recolour, before: int, parts: int) -> None:
    kind = int(function["/FunctionType"])
    if kind == 2:
        for key, usual in (("/C0", 0.0), ("/C1", 1.0)):
            old = tuple(float(x) for x in function[key]) if key in function else (usual,)
            function[key] = array([round(x, 5) for x in colour(old)])
    elif kind == 3:
        for inner in function["/Functions"]:
            _recolour_function(inner, colour, before, parts)
    elif kind == 0 and int(function["/BitsPerSample"]) == 8:
        data = function.read_bytes()
        new = bytearray()
        for start in range(0, len(data) - before + 1, before):
            new += bytes(round(x * 255) for x in colour(tuple(x / 255 for x in data[start : start + before])))
        function.write(bytes(new))
    else:
        raise CannotConvert(f"a gradient with a function of type {kind}")
    if "/Range" in function:
        function["/Range"] = array([0, 1] * parts)
    if "/Decode" in function:
        function["/Decode"] = array([0, 1] * parts)


# --- pictures --------------------------------------------------------------------------------------------------------


def _recolour_image(image: Any, colour: Recolour, parts: int) -> None:
    if image.get("/ImageMask", False):
        return
    space = image.get("/ColorSpace", None)
    if space is not None and (str(space) == "/DeviceCMYK" or (parts == 4 and str(space) == "/DeviceGray")):
        return
    picture = pillow_image(image)
    image.write(converted(picture, colour, parts))
    image["/ColorSpace"] = name("DeviceCMYK" if parts == 4 else "DeviceGray")
    image["/BitsPerComponent"] = 8
    if "/Decode" in image:
        del image["/Decode"]


# --- measuring -------------------------------------------------------------------------------------------------------


def most_ink(pdf: Any) -> tuple[float, int]:
    """The largest sum of inks of any colour, in per cent, and how many colours are no inks (RGB, or with a profile)."""
    most, foreign = 0.0, 0
    for holder in holders(pdf):
        for row, operator, told in _colours(holder.content, holder.resources):
            selects = operator in ("cs", "CS") and str(operands(row)[0]) != "/Pattern"
            if selects or (told is not None and len(told) == 3):
                foreign += 1
            elif told is not None and len(told) == 4:
                most = max(most, sum(told))
    seen: set[tuple[int, int]] = set()
    for resources in all_resources(pdf):
        for shading in _shadings(resources):
            if str(shading["/ColorSpace"]) not in ("/DeviceCMYK", "/DeviceGray"):
                foreign += 1
            elif str(shading["/ColorSpace"]) == "/DeviceCMYK":
                most = max([most, *_ends(shading["/Function"])])
        for image in entries(resources, "XObject"):
            if image.get("/Subtype", None) != "/Image" or image.objgen in seen or image.get("/ImageMask", False):
                continue
            seen.add(image.objgen)
            if str(image["/ColorSpace"]) == "/DeviceCMYK":
                most = max(most, most_ink_of_pixels(pillow_image(image).tobytes()) / 100)
            elif str(image["/ColorSpace"]) != "/DeviceGray":
                foreign += 1
    return 100 * most, foreign


def _ends(function: Any) -> Iterator[float]:
    kind = int(function["/FunctionType"])
    if kind == 2:
        yield sum(float(x) for x in function["/C0"])
        yield sum(float(x) for x in function["/C1"])
    elif kind == 3:
        for inner in function["/Functions"]:
            yield from _ends(inner)
    elif kind == 0:
        data = function.read_bytes()
        yield max((sum(data[at : at + 4]) for at in range(0, len(data), 4)), default=0) / 255
