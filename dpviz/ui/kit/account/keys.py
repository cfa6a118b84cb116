"""Keys of noise: one for each draw, stream and purpose of an upload, made from the upload's secret.

Two uses share bits only if everything that decides them is equal. So a purpose names all that
decides data and law, a digest of the prepared data included; the secret is new for every upload;
the bytes of different purposes differ; and each key starts one object only.
"""

import hashlib
import struct
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction

import numpy as np

VERSION = 2  # of the bytes below: other bytes are other noise
SECRET_BYTES = 32


def draw_key(secret: bytes, number: int, stream: tuple[int, ...], purpose: object) -> bytes:
    """32 bytes that only the owner of the secret can make: equal where all arguments are equal.

    Raises: TypeError for a purpose that holds an array, or anything else without bytes of its own.
    """
    text = canonical((VERSION, number, stream, purpose))
    return hashlib.blake2b(text, key=secret, digest_size=32).digest()


def canonical(value: object) -> bytes:
    """Bytes that tell any two values apart: a name of the type and a length before each field.

    Raises: TypeError for an array: its text is shortened, and equal bytes would be equal noise.
    """
    for kinds, name, inside in FORMS:
        if isinstance(value, kinds):
            return _field(name, inside(value))
    if is_dataclass(value) and not isinstance(value, type):
        parts = [canonical((one.name, getattr(value, one.name))) for one in fields(value)]
        return _field("object", canonical(_path(type(value))) + b"".join(parts))
    raise TypeError(f"A purpose cannot hold a value of type {type(value).__name__}.")


def _field(name: str, inside: bytes) -> bytes:
    return b"".join(len(part).to_bytes(8, "big") + part for part in (name.encode("ascii"), inside))


def _path(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _whole(value: int) -> bytes:
    number = int(value)
    return number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)


# in this order: a truth value is also a whole number, a member of an enumeration may be a text
FORMS: tuple[tuple[tuple[type, ...], str, Callable[..., bytes]], ...] = (
    ((type(None),), "none", lambda _: b""),
    ((Enum,), "member", lambda one: canonical((_path(type(one)), one.name))),
    ((bool, np.bool_), "truth", lambda one: b"\1" if one else b"\0"),
    ((int, np.integer), "whole", _whole),
    ((float, np.floating), "float", lambda one: struct.pack(">d", float(one))),
    ((Fraction,), "ratio", lambda one: canonical((one.numerator, one.denominator))),
    ((str,), "text", lambda one: one.encode("utf-8", "surrogatepass")),
    ((bytes,), "bytes", bytes),
    ((tuple,), "tuple", lambda one: b"".join(canonical(part) for part in one)),
    ((type,), "type", lambda one: _path(one).encode()),
)
