"""A search on a lattice: exact in the program, from random bits.

Counts are whole and the target is qn with q = a/D, so that everything lies on multiples of 1/D.
With noise on them, P(k) ∝ e^{−εk/D} for k = 0, 1, …, every shift of the proof is a whole number of
steps, by a for the threshold's q, by D for one record, and the price is that of exponential noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidBudget, InvalidParameter
from dpviz.core.randomness.bits import Bits
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE, discrete_laplace
from dpviz.mechanisms.counting.whole_scales import rounded_up
from dpviz.mechanisms.unbounded.guesses import Stretches

MOST_GUESSES = 1 << 22  # each takes noise of its own
MOST_PARTS = 10**6  # D


@confidential("parts", "epsilon")
@dataclass(frozen=True, slots=True)
class LatticeSearch:
    """One search: its confidential stretches and target T in parts of 1/D; public D and ε₁ = ε₂."""

    stretches: Stretches
    target: int
    parts: int
    epsilon: Fraction

    @property
    def scale(self) -> float:
        """D/ε as a double that is not below it: noise may be larger, never smaller."""
        return rounded_up(self.parts / self.epsilon)

    @property
    def missing(self) -> IntArray:
        """T − f at every guess, in parts, (guesses,), falling. Confidential."""
        below = np.repeat(self.stretches.below, self.stretches.length)
        return np.asarray(self.target - self.parts * below, dtype=np.int64)


def lattice_search(
    stretches: Stretches, q: Fraction, shift: float, epsilon: float
) -> LatticeSearch:
    """The search for T = qn − shift, shift rounded up to a part.

    Everything stays in whole numbers of 64 bits: D ≤ 10^6 parts of fewer than 9·10^12 records,
    which no array holds, and noise below 2^50.
    Raises: InvalidParameter for more than 4 million guesses or q with a denominator above a
    million; InvalidBudget for a tiny ε.
    """
    guesses = int(stretches.length.sum())
    if guesses > MOST_GUESSES:
        raise InvalidParameter(
            f"{guesses:,} guesses are too many for an exact search: each takes noise of its own. "
            f"Take a larger base, or at most {MOST_GUESSES:,} guesses."
        )
    if q.denominator > MOST_PARTS:
        raise InvalidParameter(
            f"q = {float(q):g} has the denominator {q.denominator:,}; an exact search takes up to "
            f"{MOST_PARTS:,}. Write q with fewer digits."
        )
    if q.denominator > LARGEST_SCALE * epsilon:
        raise InvalidBudget(
            f"For ε = {epsilon:g} of a search and q = {float(q):g} the noise is too large for "
            "exact draws. Choose a larger budget, or write q with fewer digits."
        )
    down = -(-Fraction(shift) * q.denominator // 1)
    target = q.numerator * stretches.records - int(down)
    return LatticeSearch(stretches, target, q.denominator, Fraction(epsilon))


def exact_stop(search: LatticeSearch, bits: Bits) -> int:
    """The number of the first guess with f + ν ≥ T + τ; that of all guesses where there is none.

    Noise is drawn for every guess, so that how much is drawn says nothing of where it stops.
    """
    missing = search.missing
    threshold = int(geometric(search.scale, 1, bits)[0])
    accepted = geometric(search.scale, missing.size, bits) >= missing + threshold
    return int(np.argmax(accepted)) if accepted.any() else missing.size


def geometric(scale: float, count: int, bits: Bits) -> IntArray:
    """Whole numbers k ≥ 0 with probability ∝ e^{−k/scale}, exactly, (count,).

    Discrete Laplace noise, given that it is not negative: half of it is drawn again, and again.
    """
    found = np.empty(count, dtype=np.int64)
    left = np.arange(count)
    while left.size:
        drawn = discrete_laplace(scale, (left.size,), bits)
        kept = drawn >= 0
        found[left[kept]] = drawn[kept]
        left = left[~kept]
    return found
