"""The exponential mechanism in whole numbers: one quantile for many problems at once, exactly.

A point f with a records below and b up to it is drawn with probability ∝ e^(−η d(f)), where
d(f) = max(0, a − t, t − b) and t = q n. A block is drawn by its points times its bound, a point of
it uniformly, and kept with the ratio of its weight to the bound: rejection sampling, exact.
Doubles decide only where a bound on their error says that exact arithmetic decides the same.

Some record has a ≤ t ≤ b (without records d is 0 everywhere), so some point has weight 1 and
nothing underflows; tied records are points like others.

The distance d of a point from its target grows to both sides, so that the points with d ≥ δ are
two half lines that end at records. A block holds the points between the cuts at d ≥ i ln 2/η and
d ≥ (i + 1) ln 2/η: none of them weighs more than 2^-i. The last blocks take all the rest, so that
nothing is truncated.
"""

import bisect
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import (
    MORE_BITS,
    USUAL,
    Care,
    Enclosure,
    below,
    exp_between,
    tossed,
)
from dpviz.mechanisms.exponential.lazy_points import Records, near_rank
from dpviz.mechanisms.exponential.point_problems import UNIT_BITS, UNITS, PointProblems, Rank

ELEMENTS = 1 << 17  # edges of blocks held at once, if all of them could be reached
MANY, AT_ONCE = 1 << 16, 1 << 14  # from so many problems on, few records each, so many together
EXTRA_BLOCKS = 6  # the last blocks then hold at most 2^-6 of the proposals
BEYOND = 2.0**84  # units: above every distance
UPWARDS = 1 + 2.0**-40  # more than the rounding of a cut


def draw_points(
    records: Records, problems: PointProblems, domain: int, bits: Bits, care: Care = USUAL
) -> IntArray:
    """One point for each problem, (p,), drawn from 0 .. domain − 1; of an empty range its end.

    records (n,) ascend with the problems' offsets; n ≤ 2^53 and domain ≤ 2^60.
    Guarantee: with ideal bits the law is exactly the stated one; 2Δη-DP and 2Δη-bounded range,
    Δ = max(q, 1 − q) for added and removed records, 1 for replaced ones.
    Source: McSherry and Talwar 2007; Smith 2011, Algorithm 2; on whole numbers, this project.
    """
    drawn = np.minimum(np.minimum(problems.low, problems.high), domain - 1)
    blocks = blocks_for(domain)
    wide = np.flatnonzero(problems.low < problems.high)
    at_once = AT_ONCE if wide.size >= MANY else max(1, ELEMENTS // (2 * blocks + 2))
    for start in range(0, wide.size, at_once):
        rows = wide[start : start + at_once]
        drawn[rows] = _drawn(records, problems.take(rows), blocks, bits, care)
    return drawn


def _drawn(
    records: Records, problems: PointProblems, blocks: int, bits: Bits, care: Care
) -> IntArray:
    around = Blocks.around(records, problems, blocks_within_reach(problems, blocks))
    drawn = np.empty(problems.low.size, dtype=np.int64)
    rows = np.arange(drawn.size)
    while rows.size:  # a proposal is kept with a chance of about a half or more
        block = around.choose(rows, bits, care)
        point = around.edge[rows, block] + below(around.widths[rows, block], bits)
        asked = problems.take(rows)
        distance = asked.distance(*asked.ranks(records, point))
        kept = _kept(asked, distance, around.exponents[block], bits, care)
        drawn[rows[kept]] = point[kept]
        rows = rows[~kept]
    return drawn


def _kept(
    problems: PointProblems, distance: Rank, exponent: IntArray, bits: Bits, care: Care
) -> BoolArray:
    """A coin of chance 2^i e^(−η d) for each proposal; at weight 1 in the centre none is needed.

    In a double the exponent is off by less than 2^-44 wherever the chance is not below 2^-100, and
    exp by 2^-41 of itself if it is off by 2^12 units in the last place.
    """
    away = distance.rounded
    kept: BoolArray = (away == 0) & (exponent == 0)
    at = np.flatnonzero(~kept)
    eta, bound = problems.eta[at], exponent[at]
    chance = np.exp(np.minimum(bound * math.log(2) - eta * away[at], 0.0))

    def exact(index: int, digits: int) -> Enclosure:
        log_weight = Fraction(float(eta[index])) * distance.exactly(int(at[index]))
        low, high = exp_between(log_weight, digits)
        return low * (1 << int(bound[index])), high * (1 << int(bound[index]))

    kept[at] = tossed(chance, exact, bits, care)
    return kept


def blocks_for(domain: int) -> int:
    """Blocks on each side of the centre for a public number of points."""
    return (domain - 1).bit_length() + EXTRA_BLOCKS


def blocks_within_reach(problems: PointProblems, blocks: int) -> int:
    """Blocks on each side of the centre that can hold points, for the widest of the problems.

    Those of further cuts are empty: the distance is at most the larger of t and n − t. One cut
    beyond it is kept, so that the records that are looked at, and with them the draws, are those of
    all the blocks.
    """
    target = problems.target.rounded
    furthest = np.maximum(target, problems.last - problems.first - target)
    with np.errstate(over="ignore"):
        falls = float((furthest * problems.eta).max()) / math.log(2)
    return min(blocks, math.ceil(min(falls, blocks)) + 1)


def cuts(eta: FloatArray, blocks: int) -> Rank:
    """The least distances of blocks 1 .. blocks, (p, blocks): η d ≥ i ln 2.

    Rounded up to units, so that no weight is above its bound, and none but in the last blocks below
    half of it (but for the rounding): a proposal is kept soon, whatever the data and however large
    η is. Beyond 2^54 records there is no point anyway.
    """
    with np.errstate(over="ignore"):
        exact = np.arange(1, blocks + 1) * (math.log(2) * UNITS) / eta[:, None]
    units = np.minimum(np.ceil(exact * UPWARDS), BEYOND)
    whole = np.floor(units / UNITS)
    return Rank(whole.astype(np.int64), (units - whole * UNITS).astype(np.int64))


@confidential("blocks")
@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of several problems, from the lowest points to the highest: confidential.

    Shape: edge (p, 2·blocks + 2); block b of a problem is [edge[b], edge[b + 1]) and its points
    weigh at most 2^-|b − blocks|.
    """

    edge: IntArray
    blocks: int

    @classmethod
    def around(cls, records: Records, problems: PointProblems, blocks: int) -> "Blocks":
        """The blocks around the targets; each ends by a record or where the range ends."""
        distance, target = cuts(problems.eta, blocks), problems.target.column
        low, high = problems.low[:, None], problems.high[:, None]
        below = _left_ranks(target, distance)
        above = _right_ranks(target, distance)
        first, offset = problems.first[:, None], problems.offset[:, None]
        size = problems.last[:, None] - first
        if records.size:  # what lies beyond a problem's own records is not looked at
            last = np.maximum(size - 1, 0)
            ranks = first + np.clip(np.concatenate((below, above - 1), axis=1), 0, last)
            start, stop = near_rank(records, ranks)
            # a block may begin farther outside than its record: the bound before it holds as well
            left = np.clip(start[:, : below.shape[1]] - offset, low, high)
            right = np.clip(stop[:, below.shape[1] :] - offset, low, high)
        else:
            left = right = np.zeros_like(below)
        left = np.where(below >= 0, left, low)
        right = np.where(above <= size, right, high)
        return cls(np.concatenate((low, left[:, ::-1], right, high), axis=1), blocks)

    @cached_property
    def widths(self) -> IntArray:
        """Points in each block, (p, 2·blocks + 1)."""
        return np.diff(self.edge, axis=1)

    @cached_property
    def exponents(self) -> IntArray:
        """The i of the bound 2^-i of each block, (2·blocks + 1,)."""
        return np.abs(np.arange(-self.blocks, self.blocks + 1))

    @cached_property
    def borders(self) -> FloatArray:
        """Running shares of the blocks in all proposals, (p, 2·blocks + 1).

        Sums of at most 133 positive terms that are rounded once each: off by less than 2^-45.
        """
        mass = np.cumsum(self.widths * 2.0**-self.exponents, axis=1)
        return np.asarray(mass / mass[:, -1:])

    def running(self, row: int) -> list[int]:
        """The running masses of one problem as whole numbers, times 2^blocks."""
        widths = self.widths[row].tolist()
        masses = (w << (self.blocks - int(i)) for w, i in zip(widths, self.exponents, strict=True))
        return list(itertools.accumulate(masses))

    def choose(self, rows: IntArray, bits: Bits, care: Care = USUAL) -> IntArray:
        """A block for each of some problems, with a chance that is exactly its share."""
        words = bits.words(rows.size, np.uint64) >> np.uint64(64 - care.bits)
        block, certain = self.by_doubles(rows, words.astype(np.float64), care)
        for at in np.flatnonzero(~certain):
            block[at] = self.by_integers(int(rows[at]), int(words[at]), bits, care.bits)
        return block

    def by_doubles(
        self, rows: IntArray, words: FloatArray, care: Care
    ) -> tuple[IntArray, BoolArray]:
        """The block that a uniform number with these first bits lies in, and whether it is sure."""
        borders = self.borders if rows.size == self.borders.shape[0] else self.borders[rows]
        least = words * 2.0**-care.bits
        block = (borders <= least[:, None]).sum(axis=1)
        block = np.minimum(block, borders.shape[1] - 1)
        at = np.arange(rows.size)
        over = borders[at, block] - least
        under = np.where(block > 0, least - borders[at, block - 1], np.inf)
        certain = (over >= 2.0**-care.bits + care.margin) & (under >= care.margin)
        return block, certain

    def by_integers(self, row: int, drawn: int, bits: Bits, known: int) -> int:
        """The block by whole numbers, from further bits where `known` ones leave it open."""
        running = self.running(row)
        while True:
            least = bisect.bisect_right(running, (drawn * running[-1]) >> known)
            # the number lies below (drawn + 1)/2^known
            most = bisect.bisect_left(running, -((-(drawn + 1) * running[-1]) >> known))
            if least == most:
                return least
            drawn = (drawn << MORE_BITS) | int(bits.words(1, np.uint64)[0])
            known += MORE_BITS


def _left_ranks(target: Rank, distance: Rank) -> IntArray:
    """The most records that may lie up to a point on the left with t − b ≥ d; negative if none."""
    return target.whole - distance.whole + ((target.part - distance.part) >> UNIT_BITS)


def _right_ranks(target: Rank, distance: Rank) -> IntArray:
    """The fewest records that may lie below a point on the right with a − t ≥ d."""
    return target.whole + distance.whole - ((-target.part - distance.part) >> UNIT_BITS)
