"""An image survives the way to a file and back; nothing else is taken for one."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from pathlib import Path
from typing import Any, cast

import pytest
from tiny import tokens

from ludoloom.runtime.errors import ImageError
from ludoloom.runtime.game import Game, load
from ludoloom.runtime.image import Image, OptionRow
from ludoloom.runtime.serial import HEAD, MAGIC, VERSION, digest_of, from_bytes, read_image, to_bytes, write_image


def packed(body: bytes, version: int = VERSION) -> bytes:
    """A file with this body and a right head."""
    data = zlib.compress(body)
    return HEAD.pack(MAGIC, version, len(data), len(body), hashlib.sha256(data).digest()) + data


def test_there_and_back(tmp_path: Path) -> None:
    image = tokens()
    image.options.append(OptionRow("mega", "Mëga", ("false", "true"), 0, 34, ("", "mega")))
    data = to_bytes(image)
    assert from_bytes(data) == image
    assert to_bytes(from_bytes(data)) == data
    assert digest_of(from_bytes(data)) == digest_of(image)
    file = tmp_path / "deep" / "tokens.loom"
    write_image(image, file)
    write_image(image, file)
    assert read_image(file) == image
    assert load(file) == load(str(file)) == load(data) == image
    assert [path.name for path in file.parent.iterdir()] == ["tokens.loom"]
    assert Game.new(load(file)).status == "ask"


def test_what_is_no_image(tmp_path: Path) -> None:
    for data in (b"", b"pack: {id: demo}", MAGIC, b"\x00" * 100):
        with pytest.raises(ImageError, match="no compiled game"):
            from_bytes(data)
    with pytest.raises(ImageError, match=r"missing\.loom cannot be read: "):
        read_image(tmp_path / "missing.loom")
    with pytest.raises(ImageError, match=f"format 9, and this ludoloom reads format {VERSION}; build the game again"):
        from_bytes(packed(b"[]", version=9))


def test_every_flipped_bit_is_found() -> None:
    data = to_bytes(tokens())
    chance = random.Random(7)
    for _ in range(1500):
        damaged = bytearray(data)
        damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        with pytest.raises(ImageError):
            from_bytes(bytes(damaged))


def test_every_cut_is_found() -> None:
    data = to_bytes(tokens())
    for size in range(0, len(data), 7):
        with pytest.raises(ImageError):
            from_bytes(data[:size])
    with pytest.raises(ImageError):
        from_bytes(data + b"\n")


def test_a_bomb_is_not_unpacked() -> None:
    bomb = zlib.compress(b"0" * (64 << 20), 9)
    head = HEAD.pack(MAGIC, VERSION, len(bomb), 100, hashlib.sha256(bomb).digest())
    with pytest.raises(ImageError, match="length differs"):
        from_bytes(head + bomb)
    with pytest.raises(ImageError, match="cut off or has more"):
        from_bytes(HEAD.pack(MAGIC, VERSION, len(bomb), 1 << 31, b"\x00" * 32) + bomb)


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"{}",
        b"nonsense",
        b"[" * 100_000,
        b"9" * 10_000,
        b"\xff\xfe",
    ],
)
def test_foreign_bodies_are_refused(body: bytes) -> None:
    with pytest.raises(ImageError, match="damaged"):
        from_bytes(packed(body))


def test_types_are_strict() -> None:
    """Each value of a body is replaced by one of another type; none is taken."""
    body = json.loads(body_bytes())
    chance = random.Random(3)
    for _ in range(300):
        changed = json.loads(body_bytes())
        spot: list[Any] = changed
        while True:
            at = chance.randrange(len(spot))
            inner: Any = spot[at]
            if isinstance(inner, list) and inner and chance.random() < 0.9:
                spot = cast("list[Any]", inner)
                continue
            break
        spot[at] = {} if not isinstance(inner, dict) else []
        with pytest.raises(ImageError, match="damaged"):
            from_bytes(packed(json.dumps(changed).encode()))
    with_float = [*body]
    with_float[3] = [1.0, 2]
    with pytest.raises(ImageError, match="int expected, float found"):
        from_bytes(packed(json.dumps(with_float).encode()))
    with_bool = [*body]
    with_bool[3] = [True, 2]
    with pytest.raises(ImageError, match="int expected, bool found"):
        from_bytes(packed(json.dumps(with_bool).encode()))


def body_bytes() -> bytes:
    """The body of the token game's file."""
    return zlib.decompress(to_bytes(tokens())[HEAD.size :])


def test_body_lists_the_fields_in_their_order() -> None:
    body = json.loads(body_bytes())
    image = tokens()
    assert isinstance(image, Image)
    assert body[:4] == ["demo", "Demo", [["demo", "1.0.0"]], [1, 2]]
