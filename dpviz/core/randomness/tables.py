"""Exact draws from a symmetric law on whole numbers: one 16-bit word a draw, looked up.

|k| ≥ j where a uniform number V lies below T_j = P(|k| ≥ j). The first 15 bits of V name one of
2^15 cells; the sixteenth bit of the word is the sign. A cell that no T_j can lie in gives k at
once. In the others, 64 more bits of V are compared with all T_j in doubles, and what lies within
their error is decided between fractions.

The error of T_j = 2 S_j/(w_0 + 2 S_1), S_j = Σ_{i ≥ j} w_i. A weight is off by at most 2^-41 of
itself: an exponent below 2^6 by 2^-45, and each factor, from exp or expm1 of NumPy, by 2^-43 if
they are right to 2^9 ulp, where less than 1 was measured. A sum of n ≤ 2^13 positive terms adds
n 2^-53 ≤ 2^-40 of itself. So numerator and denominator together are off by 2^-39 + 2^-40 of T_j,
less than 2^-38. Weights left out, and those below e^-64, change T_j by less than 2^-60.
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.core.arrays import FloatArray, IntArray, frozen
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.coins import FIRST_DIGITS, MORE_BITS, USUAL, Care
from dpviz.core.randomness.symmetric_laws import Law

CELL_BITS, NEXT_BITS = 15, 64
CELLS = 1 << CELL_BITS
OPEN = np.iinfo(np.int16).min  # no number of a table
MARGIN = 2.0**-38  # of a threshold
LEFT_OUT = 2.0**-60  # of the whole
DOUBLE_BITS = 53

Narrow = NDArray[np.int16]
Whole = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """What each word draws, and bounds on the thresholds T_j, ascending (j descending).

    words: (2^16,), OPEN where a word does not decide. low, high: (K,) and (K + 1,); the first of
    `high` bounds all further thresholds.
    """

    words: Narrow
    low: FloatArray
    high: FloatArray


@lru_cache(maxsize=64)  # public scales only
def table_of(law: Law, margin: float) -> Table:
    """The table of a law, for thresholds that are off by at most `margin` of themselves."""
    weights = law.weights()
    sums = np.cumsum(weights[:0:-1])
    threshold = 2 * sums / (weights[0] + 2 * sums[-1])
    low = np.maximum(threshold * (1 - margin) - LEFT_OUT, 0)
    high = np.minimum(threshold * (1 + margin) + LEFT_OUT, 1)
    high = np.concatenate([[LEFT_OUT], high])
    surely = _per_cell(np.floor(low * CELLS))
    possibly = _per_cell(np.ceil(high * CELLS))
    half = np.where(surely == possibly, surely, np.int16(OPEN))
    words = np.concatenate([half, -half])  # −OPEN wraps to OPEN
    return Table(frozen(words), frozen(low), frozen(high))


def _per_cell(ends: FloatArray) -> Narrow:
    """How many ascending ends lie above each cell number, (2^15,)."""
    borders = np.concatenate([[0], ends.astype(np.int64), [CELLS]])
    above = np.arange(ends.size, -1, -1, dtype=np.int16)
    return np.repeat(above, np.diff(borders))


def looked_up(law: Law, count: int, bits: Bits, care: Care = USUAL) -> Whole:
    """Draws of the law, (count,): int16, or int64 where a draw does not fit."""
    table = table_of(law, max(MARGIN, care.margin))
    words = bits.words(count, np.uint16)
    drawn: Whole = table.words.take(words)
    undecided = np.flatnonzero(drawn == OPEN)
    if undecided.size:
        found = _searched(law, table, words[undecided], bits, care)
        if np.abs(found).max() > np.iinfo(np.int16).max:
            drawn = drawn.astype(np.int64)
        drawn[undecided] = found
    return drawn


def _searched(
    law: Law, table: Table, words: NDArray[np.uint16], bits: Bits, care: Care
) -> IntArray:
    """The draws of words that do not decide, with 64 more bits each."""
    more = bits.words(words.size, np.uint64)
    cell = (words & np.uint16(CELLS - 1)).astype(np.uint64)
    number = cell << np.uint64(DOUBLE_BITS - CELL_BITS)
    number |= more >> np.uint64(CELL_BITS + NEXT_BITS - DOUBLE_BITS)
    number >>= np.uint64(DOUBLE_BITS - care.bits)
    least = number.astype(np.float64) * 2.0**-care.bits
    possibly = table.high.size - table.high.searchsorted(least, "right")
    surely = table.low.size - table.low.searchsorted(least + 2.0**-care.bits, "left")
    for at in np.flatnonzero(surely != possibly):
        drawn = (int(cell[at]) << NEXT_BITS) | int(more[at])
        surely[at] = decided_size(law, drawn, CELL_BITS + NEXT_BITS, bits)
    return np.where(words >> CELL_BITS, -surely, surely)


def decided_size(law: Law, drawn: int, known: int, bits: Bits) -> int:
    """|k| for a number V whose first `known` bits are `drawn`, in whole numbers alone."""
    digits = FIRST_DIGITS
    while True:
        low, high = enclosed_sums(law, digits)
        least, most = low[0] + low[1], high[0] + high[1]  # w_0 + 2 S_1

        def not_surely(
            j: int, low: tuple[int, ...] = low, end: int = (drawn + 1) * most, known: int = known
        ) -> bool:
            return (2 * low[j]) << known < end

        def not_possibly(
            j: int, high: tuple[int, ...] = high, end: int = drawn * least, known: int = known
        ) -> bool:
            return (2 * high[j]) << known <= end

        every = range(1, len(low))
        surely = bisect_left(every, True, key=not_surely)
        if surely == bisect_left(every, True, key=not_possibly):
            return surely
        drawn = (drawn << MORE_BITS) | int(bits.words(1, np.uint64)[0])
        known, digits = known + MORE_BITS, digits + 20


@lru_cache(maxsize=8)
def enclosed_sums(law: Law, digits: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """S_0, S_1, …, S_{K+1} from below and above, in units of 2^(−4 digits); S_0 = w_0 + S_1."""
    last, unit = law.last(digits), 4 * digits
    rest = law.rest(last, digits)
    low, high = [0], [-((-rest.numerator << unit) // rest.denominator)]
    for k in range(last, -1, -1):
        bottom, top = law.weight(k, digits)
        low.append(low[-1] + (bottom.numerator << unit) // bottom.denominator)
        high.append(high[-1] - ((-top.numerator << unit) // top.denominator))
    return tuple(low[::-1]), tuple(high[::-1])
