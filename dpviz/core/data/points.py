"""Confidential data: points in the plane, inside a declared box."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Box
from dpviz.core.checks import settle, wanted
from dpviz.core.confidential import confidential
from dpviz.core.data.checks import COUNTED, one_dimensional, unmasked
from dpviz.core.errors import InvalidData
from dpviz.core.usual_floats import usual_floats


@confidential("box")
@dataclass(frozen=True, eq=False)
class Points:
    """n points in a declared box, clipped into it. Everything in it is confidential.

    >>> dp.Points.from_xy([1, 2], [3, 4], box).box == box
    True

    Shapes: x (n,), y (n,), in the order given, read-only.
    clipped counts the points that were moved, dropped those with a missing coordinate.
    """

    x: FloatArray
    y: FloatArray
    box: Box
    clipped: int
    dropped: int

    def __post_init__(self) -> None:
        wanted(Box, self.box, "box", InvalidData)
        settle(self, **COUNTED)
        for name, side in (("x", self.box.x), ("y", self.box.y)):
            values = unmasked(getattr(self, name), name)
            if values.shape != (self.x.size,) or values.dtype != np.float64:
                raise InvalidData(
                    f"x and y must be floats in one dimension and of one length, {name} is not; "
                    "use from_xy."
                )
            if not ((side.low <= values) & (values <= side.high)).all():
                raise InvalidData(f"Points must lie in their box, {name} does not; use from_xy.")

    @classmethod
    @usual_floats
    def from_xy(cls, x: ArrayLike, y: ArrayLike, box: Box) -> Points:
        """Drop points with a missing coordinate, clip the others into the box.

        x and y are what Column.from_values takes.
        Raises: InvalidData if a coordinate is no number, if x and y differ in length or if box is
        not a Box.
        """
        wanted(Box, box, "box", InvalidData)
        xs, ys = one_dimensional(x), one_dimensional(y)
        if xs.shape != ys.shape:
            raise InvalidData("Both coordinates need one length: each point has an x and a y.")
        present = ~(np.isnan(xs) | np.isnan(ys))
        xs, ys = xs[present], ys[present]
        inside_x = np.clip(xs, box.x.low, box.x.high)
        inside_y = np.clip(ys, box.y.low, box.y.high)
        moved = int(np.count_nonzero((inside_x != xs) | (inside_y != ys)))
        dropped = int(present.size - np.count_nonzero(present))
        return cls(frozen(inside_x), frozen(inside_y), box, moved, dropped)

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.x.size)

    @cached_property
    def digest(self) -> bytes:
        """32 bytes that stand for the whole content and its box; never released."""
        digest = hashlib.blake2b(repr(self.box).encode(), digest_size=32)
        digest.update(np.ascontiguousarray(self.x).data)
        digest.update(np.ascontiguousarray(self.y).data)
        digest.update(f";{self.clipped},{self.dropped}".encode())
        return digest.digest()

    @property
    def fingerprint(self) -> str:
        """The digest as a short text: a safe cache key, never released."""
        return self.digest.hex()[:32]
