"""An image as bytes, and back.

The file::

    8 bytes   magic: 'LOOM', carriage return, line feed, 26, line feed (a transfer that changes line ends breaks it)
    2 bytes   version of the format, most significant byte first (so all numbers here)
    4 bytes   length of the body as it follows
    4 bytes   length of the body when unpacked
    32 bytes  SHA-256 of the body as it follows
    …         the body: JSON in UTF-8, packed by zlib

The JSON is the `Image` itself: each row is a list of its fields in their declared order, the file knows no field
names. What the rows hold is read off their declarations, so a new field changes the format and must raise
`VERSION`, as must another meaning of an instruction.

Reading trusts nothing: length, checksum, sizes, the type of every value. Whether the programs are safe to run is the
business of `verify.py`. The same image gives the same body on every machine.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import struct
import typing
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ludoloom.runtime.errors import ImageError
from ludoloom.runtime.image import Image

MAGIC = b"LOOM\r\n\x1a\n"
VERSION = 4
HEAD = struct.Struct(">8sHII32s")
MOST_PACKED = 64 << 20
MOST_UNPACKED = 256 << 20


class Mismatch(Exception):
    """A value is not what its row declares; the text says where."""


ATOMS = frozenset({int, str, bool, type(None)})


@cache
def names_of(kind: Any) -> tuple[str, ...]:
    """The fields of a row, in order; of what is no row, none."""
    return tuple(field.name for field in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


def plain(value: Any) -> Any:
    """A value of the image as lists, dictionaries, words and numbers."""
    kind = typing.cast("type[object]", type(value))
    if kind in ATOMS:
        return value
    if kind is list or kind is tuple:
        items = typing.cast("list[Any]", value)
        # Code and constants are long lists of numbers, which are plain already.
        return items if ATOMS.issuperset(map(type, items)) else [plain(item) for item in items]
    if kind is dict:
        return {str(key): plain(item) for key, item in sorted(typing.cast("dict[str, Any]", value).items())}
    names = names_of(kind)
    # Words and numbers are most of what a row holds: they are not handed on.
    parts = [getattr(value, name) for name in names]
    return [part if type(part) in ATOMS else plain(part) for part in parts] if names else value


@cache
def reader(kind: Any) -> Callable[[Any], Any]:
    """A function that turns plain data into a value of the declared type, or raises `Mismatch`."""
    if kind in (int, str, bool):

        def atom(value: Any) -> Any:
            if type(value) is not kind:
                raise Mismatch(f"{kind.__name__} expected, {type(value).__name__} found")
            return value

        return atom
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        readers = [(field.name, reader(hints[field.name])) for field in dataclasses.fields(kind)]
        make = typing.cast("Callable[..., Any]", kind)

        def row(value: Any) -> Any:
            items = sequence(value, len(readers))
            return make(*[read(item) for (_, read), item in zip(readers, items, strict=True)])

        return row
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is dict:
        key, item = reader(parts[0]), reader(parts[1])

        def mapping(value: Any) -> Any:
            if type(value) is not dict:
                raise Mismatch("mapping expected")
            return {key(name): item(member) for name, member in typing.cast("dict[Any, Any]", value).items()}

        return mapping
    if origin is tuple and parts[-1] is not Ellipsis:
        fixed = [reader(part) for part in parts]
        return lambda value: tuple(
            read(member) for read, member in zip(fixed, sequence(value, len(fixed)), strict=True)
        )
    member = reader(parts[0])
    build = typing.cast("type[list[Any]] | type[tuple[Any, ...]]", origin)

    def many(value: Any) -> Any:
        items = sequence(value, -1)
        if parts[0] is int and all(type(number) is int for number in items):
            return build(items)
        return build([member(number) for number in items])

    return many


def sequence(value: Any, size: int) -> list[Any]:
    """The list that must stand here; `size` -1: of any length."""
    if type(value) is not list:
        raise Mismatch("list expected")
    items = typing.cast("list[Any]", value)
    if size >= 0 and len(items) != size:
        raise Mismatch(f"{size} values expected, {len(items)} found")
    return items


def body_of(image: Image) -> bytes:
    """The unpacked body of an image."""
    return json.dumps(plain(image), ensure_ascii=False, separators=(",", ":")).encode("utf-8")


_DIGESTS: dict[int, tuple[Image, str]] = {}
_KEPT = 16


def digest_of(image: Image) -> str:
    """The fingerprint by which a save knows its image (of the last few images it is remembered: an image that is played
    does not change)."""
    known = _DIGESTS.get(id(image))
    if known is None or known[0] is not image:
        if len(_DIGESTS) >= _KEPT:
            _DIGESTS.clear()
        known = _DIGESTS[id(image)] = (image, hashlib.sha256(body_of(image)).hexdigest())
    return known[1]


def to_bytes(image: Image) -> bytes:
    """The image as a file holds it."""
    body = body_of(image)
    packed = zlib.compress(body, 9)
    if len(packed) > MOST_PACKED or len(body) > MOST_UNPACKED:
        raise ImageError(f"the image is too large: {len(body)} bytes of at most {MOST_UNPACKED}")
    return HEAD.pack(MAGIC, VERSION, len(packed), len(body), hashlib.sha256(packed).digest()) + packed


def from_bytes(data: bytes) -> Image:
    """The image of a file's bytes; `ImageError` says what is wrong with them."""
    if len(data) < HEAD.size or data[:8] != MAGIC:
        raise ImageError("this is no compiled game (ludoloom build makes them)")
    _, version, packed, size, digest = HEAD.unpack_from(data)
    if version != VERSION:
        raise ImageError(
            f"this compiled game has format {version}, and this ludoloom reads format {VERSION}; build the game again"
        )
    if packed != len(data) - HEAD.size or packed > MOST_PACKED or size > MOST_UNPACKED:
        raise ImageError("this compiled game is cut off or has more than it says; build it again")
    # Over the packed bytes: a packed stream has bits that no reader looks at, and a flipped one of these counts too.
    if hashlib.sha256(data[HEAD.size :]).digest() != digest:
        raise ImageError("this compiled game is damaged (its checksum differs); build it again")
    body = unpack(data[HEAD.size :], size)
    try:
        return reader(Image)(json.loads(body))
    except (ValueError, RecursionError, Mismatch) as error:
        raise ImageError(f"this compiled game is damaged: {error}; build it again") from None


def unpack(packed: bytes, size: int) -> bytes:
    """Unpack exactly `size` bytes, never more, whatever the data claims."""
    machine = zlib.decompressobj()
    try:
        body = machine.decompress(packed, size + 1)
    except zlib.error:
        raise ImageError("this compiled game is damaged and cannot be unpacked; build it again") from None
    if len(body) != size or not machine.eof or machine.unused_data:
        raise ImageError("this compiled game is damaged (its length differs); build it again")
    return body


def write_image(image: Image, path: Path) -> None:
    """Write the file whole or not at all: what stood there stays until the new one is complete."""
    write_whole(path, to_bytes(image))


def read_image(path: Path) -> Image:
    """Read an image's file; `ImageError` says why it cannot be."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_PACKED + HEAD.size + 1)
    except OSError as error:
        raise ImageError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        return from_bytes(data)
    except ImageError as error:
        raise ImageError(f"{path}: {error}") from None


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that nobody ever finds half of it."""
    import tempfile  # reading needs nothing of it, and it is slow to import

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # A temporary file is its maker's alone; a result is everybody's to read, as files made by `open` are.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
