"""The exponential mechanism in whole numbers: one quantile for many problems at once, exactly.

A point f with a records below and b up to it is drawn with probability ∝ e^(−η d(f)), where
d(f) = max(0, a − t, t − b) and t = q n. A block is drawn by its points times its bound, a point of
it uniformly, and kept with the ratio of its weight to the bound: rejection sampling, exact.
Doubles decide only where a bound on their error says that exact arithmetic decides the same.

Some record has a ≤ t ≤ b (without records d is 0 everywhere), so some point has weight 1 and
nothing underflows; tied records are points like others.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpviz.core.arrays import BoolArray, IntArray
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import USUAL, Care, Enclosure, below, exp_between, tossed
from dpviz.mechanisms.exponential.lazy_points import Records
from dpviz.mechanisms.exponential.point_blocks import Blocks, blocks_for, blocks_within_reach
from dpviz.mechanisms.exponential.point_problems import PointProblems, Rank

ELEMENTS = 1 << 17  # edges of blocks held at once, if all of them could be reached
MANY, AT_ONCE = 1 << 16, 1 << 14  # from so many problems on, few records each, so many together


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
