"""Edges of equal bins and leaves, each the double nearest to where it lies.

Edge j of m lies at low + (high − low)·j/m, with the ends as they are written: ten parts of 0 to 0.7
end at 0.07, and twenty of 0 to 100 at 55, where floating products give 55.00000000000001. A value
that is written as an edge is so that edge, and belongs to the part on its right.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.grid import as_written

WHOLE = 1 << 53  # doubles hold every whole number up to it
PIECED = 93  # bits of a part's width that are carried
LEAST = 2.0**-1060  # far above what products lose where doubles have fewer digits


@dataclass(frozen=True, slots=True)
class EqualParts:
    """The edges of bounds cut into equal parts: number j is (first + step·j)/under.

    is_short says that doubles hold each of these whole numbers, so that only the division rounds.
    Where it is false, the edge is about start + rest + j·Σ pieces, in which each product is exact.
    """

    first: int
    step: int
    under: int
    is_short: bool
    start: float
    rest: float
    pieces: tuple[float, ...]
    parts: int
    doubt: float

    @classmethod
    def of(cls, bounds: Bounds, parts: int) -> "EqualParts":
        """Of declared bounds; parts from 1 up."""
        return _equal_parts(bounds, int(parts))

    def at(self, numbers: IntArray) -> FloatArray:
        """The nearest double of some edges by number, in any shape."""
        numbers = np.asarray(numbers, dtype=np.int64)
        if self.is_short:
            edges = numbers.astype(np.float64)  # then in place: there may be millions
            edges *= self.step
            edges += self.first
            edges /= self.under
            return edges
        about, below, above = self._near(numbers)
        unsure = np.flatnonzero((below != above).ravel())
        about.reshape(-1)[unsure] = [self._exact(each) for each in numbers.ravel()[unsure].tolist()]
        return about

    def unlike(self) -> dict[int, float]:
        """The edges, by number, that the sum of products rounds otherwise: hardly ever any."""
        if self.is_short:
            return {}
        numbers = np.arange(self.parts + 1)
        about, edges = self._near(numbers)[0], self.at(numbers)
        return {int(each): float(edges[each]) for each in np.flatnonzero(about != edges)}

    def _exact(self, number: int) -> float:
        return (self.first + self.step * number) / self.under  # whole numbers: rounded once

    def _near(self, numbers: IntArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The rounded sum, and with doubt taken off and added; an edge between like ones is sure.

        high + low is the exact sum of start and the first product (Knuth's two-sum).
        """
        apart = numbers.astype(np.float64)
        product = apart * self.pieces[0]
        high = self.start + product
        moved = high - self.start
        low = (self.start - (high - moved)) + (product - moved)
        more: FloatArray | float = self.rest
        for piece in reversed(self.pieces[1:]):
            more = apart * piece + more
        low = low + more
        return np.array(high + low), high + (low - self.doubt), high + (low + self.doubt)


def equal_edges(bounds: Bounds, parts: int) -> FloatArray:
    """All edges of equal parts, (parts + 1,), ascending, the ends exactly those of bounds."""
    return EqualParts.of(bounds, parts).at(np.arange(parts + 1))


@lru_cache(maxsize=1024)  # public declarations only
def _equal_parts(bounds: Bounds, parts: int) -> EqualParts:
    low = as_written(bounds.low)
    each = (as_written(bounds.high) - low) / parts
    under = math.lcm(low.denominator, each.denominator)
    first, step = int(low * under), int(each * under)
    short = max(abs(first), abs(first + step * parts), step * parts) <= WHOLE and _is_double(under)
    bits = 53 - parts.bit_length()
    pieces = () if short else _pieces(each, bits)
    # 16 times what is left out of the width and lost in two sums of all but the first product
    share = math.ldexp(1.0, -min(46 + bits, 80))
    doubt = share * max(abs(bounds.low), abs(bounds.high)) + LEAST
    rest = float(low - Fraction(bounds.low))
    return EqualParts(first, step, under, short, bounds.low, rest, pieces, parts, doubt)


def _is_double(number: int) -> bool:
    return number.bit_length() <= 1000 and int(float(number)) == number


def _pieces(number: Fraction, bits: int) -> tuple[float, ...]:
    """Doubles of few bits each, the largest first, that add up to nearly a fraction."""
    found = []
    for _ in range(-(-PIECED // bits)):
        share, exponent = math.frexp(float(number))
        found.append(math.ldexp(math.floor(math.ldexp(share, bits)), exponent - bits))
        number -= Fraction(found[-1])
    return tuple(found)
