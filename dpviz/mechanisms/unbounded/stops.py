"""Where a search stops: drawn for many runs, and its exact law.

With d = T − f, a guess is accepted at threshold noise s with probability a = e^{−ε₂ max(s + d, 0)}.
Guesses of a stretch share it, so the first acceptance among them is geometric: it comes where the
sum of hazards h = −ln(1 − a) passes one exponential number.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import TooMuchWork
from dpviz.mechanisms.unbounded.guesses import Stretches

ELEMENTS = 1 << 20  # hazards worked on at once
CERTAIN = 1e3  # a hazard for acceptance beyond doubt: e^−1000 is 0
FAR = 6 * math.log(2)  # ε₂ d from which hazards are summed by their series
TERMS = 8  # of the series: what is left out is below 2^-54 of the sum
END = 45.0  # ε₁ s at which the law's integral ends; e^−45 is left out
NODES = 20  # of Gauss and Legendre on a panel
PANEL = 2.0  # the widest panel, in units of 1/max(ε₁, ε₂)
MOST_WORK = 2_000_000_000  # hazards in one law, on the column that takes most


@confidential()
@dataclass(frozen=True, slots=True)
class Search:
    """One search: its confidential stretches, its target T, and its public ε₁ and ε₂."""

    stretches: Stretches
    target: float
    threshold: float
    query: float

    @property
    def missing(self) -> FloatArray:
        """T − f of every stretch, (m,), falling: d."""
        return np.asarray(self.target - self.stretches.below, dtype=np.float64)

    @property
    def guesses(self) -> int:
        """How many guesses there are."""
        return int(self.stretches.first[-1] + self.stretches.length[-1])

    def hazards(self, noise: FloatArray, part: slice = slice(None)) -> FloatArray:
        """Hazards of single guesses, (r, m), for noise (r,) on the threshold, in some stretches."""
        reach = self.query * np.maximum(noise[:, None] + self.missing[part], 0)
        with np.errstate(divide="ignore"):  # on either side of ln 2 the form that keeps digits
            found = np.where(
                reach > math.log(2), -np.log1p(-np.exp(-reach)), -np.log(-np.expm1(-reach))
            )
        return np.minimum(found, CERTAIN)


def draw_stops(search: Search, rng: np.random.Generator, runs: int) -> IntArray:
    """The guess that each run stops at, (runs,); the number of guesses where no guess is accepted.

    Two exponential numbers a run: noise on the threshold, and one for all guesses together, which
    have the law of fresh noise on each. Stretches far below the target are summed once for all
    runs, those near it for each: about (4 + ln runs)/ε of them.
    """
    noise = rng.standard_exponential(runs) / search.threshold  # spends ε₁
    left = rng.standard_exponential(runs)  # spends ε₂
    missing, length = search.missing, search.stretches.length
    far = int(np.searchsorted(-search.query * missing, -FAR, side="right"))
    stops, left = _far_stops(search, far, noise, left)
    # from the first f ≥ T + s on acceptance is certain
    last = int(np.searchsorted(-missing, noise.max(), side="left")) + 1
    part = slice(far, max(last, far))
    rows_left = np.flatnonzero(stops == search.guesses)
    at_once = max(1, ELEMENTS // max(1, length[part].size))
    for start in range(0, rows_left.size, at_once):
        rows = rows_left[start : start + at_once]
        stops[rows] = _near_stops(search, part, noise[rows], left[rows])
    return stops


def _far_stops(
    search: Search, far: int, noise: FloatArray, left: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Stops in the first stretches, and what is left of the exponential numbers behind them.

    h = Σ_p a^p / p with a = e^{−ε₂ s} e^{−ε₂ d}: prefix sums over stretches hold for every s.
    """
    stops = np.full(noise.size, search.guesses)
    if not far:
        return stops, left
    plain, length = np.exp(-search.query * search.missing[:far]), search.stretches.length[:far]
    power = np.arange(1, TERMS + 1)[:, None]
    sums = np.zeros((TERMS, far + 1))
    np.cumsum(length * plain**power / power, axis=1, out=sums[:, 1:])
    kept = np.exp(-search.query * noise) ** power

    def passed(stretches: IntArray) -> FloatArray:
        found: FloatArray = (sums[:, stretches] * kept).sum(axis=0)
        return found

    low, high = np.zeros(noise.size, dtype=np.int64), np.full(noise.size, far)
    while (low < high).any():  # the last number of stretches whose sum is not above the draw
        middle = (low + high + 1) // 2
        fits = passed(middle) <= left
        low, high = np.where(fits, middle, low), np.where(fits, high, middle - 1)
    beyond = left - passed(low)
    rows = np.flatnonzero(low < far)
    at = low[rows]
    hazard = -np.log1p(-plain[at] * kept[0, rows])
    stops[rows] = _inside(search, at, beyond[rows], hazard)
    return stops, beyond


def _near_stops(search: Search, part: slice, noise: FloatArray, left: FloatArray) -> IntArray:
    """Stops in a part of the stretches, the number of guesses for none, (r,)."""
    hazards = search.hazards(noise, part)
    if not hazards.shape[1]:
        return np.full(noise.size, search.guesses)
    ends = np.cumsum(hazards * search.stretches.length[part], axis=1)
    place = (ends <= left[:, None]).sum(axis=1)
    inside = np.minimum(place, ends.shape[1] - 1)
    rows = np.arange(noise.size)
    before = np.where(inside > 0, ends[rows, inside - 1], 0.0)
    at = _inside(search, part.start + inside, left - before, hazards[rows, inside])
    return np.where(place < ends.shape[1], at, search.guesses)


def _inside(search: Search, stretch: IntArray, left: FloatArray, hazard: FloatArray) -> IntArray:
    """The guess of a stretch where the sum of its hazards passes what is left."""
    length = search.stretches.length[stretch]
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.nan_to_num(left / hazard)
    inside = np.clip(steps, 0, length - 1).astype(np.int64)
    return np.asarray(search.stretches.first[stretch] + inside)


def stop_law(search: Search) -> FloatArray:
    """The probability of every stop, (guesses + 1,), the last that of none. Confidential.

    P(k) = ∫ ε₁ e^{−ε₁ s} Π_{i<k} (1 − a_i(s)) a_k(s) ds by Gauss and Legendre between the kinks,
    which lie where s + d = 0; up to rounding.
    Raises: TooMuchWork where guesses times nodes may be more than MOST_WORK; by what is declared.
    """
    total = search.guesses
    if most_nodes(total, search.threshold, search.query) * total > MOST_WORK:
        raise TooMuchWork(
            f"The law of {total:,} guesses may take more than {MOST_WORK:,} numbers. "
            "Take fewer guesses, a larger base or a larger budget."
        )
    noise, weight = _nodes(search)
    first, length = search.stretches.first, search.stretches.length
    inside = np.arange(total) - np.repeat(first, length)  # the place in its stretch
    law = np.zeros(total + 1)
    at_once = max(1, ELEMENTS // total)
    for start in range(0, noise.size, at_once):
        rows = slice(start, start + at_once)
        hazard = search.hazards(noise[rows])
        ends = np.cumsum(np.pad(hazard * length, ((0, 0), (1, 0))), axis=1)
        before = np.repeat(ends[:, :-1], length, axis=1)
        each = np.repeat(hazard, length, axis=1)
        accepted = np.exp(-before - inside * each) * -np.expm1(-each)
        law[:-1] += weight[rows] @ accepted
        law[-1] += weight[rows] @ np.exp(-ends[:, -1])
    return law


def most_nodes(guesses: int, threshold: float, query: float) -> int:
    """The nodes of a law on the column that takes most: public.

    Counts are whole, so that kinks are at least 1 apart; each stretch has one at most.
    """
    end = END / threshold
    kinks = min(guesses, math.ceil(end))
    return NODES * (kinks + 1 + math.ceil(end * max(threshold, query) / PANEL))


def _nodes(search: Search) -> tuple[FloatArray, FloatArray]:
    """Where the integrand is taken, and the weights, the density of s among them."""
    end = END / search.threshold
    kinks = -search.missing
    kinks = kinks[(kinks > 0) & (kinks < end)]
    edges = np.concatenate(([0.0], kinks, [end]))
    widest = PANEL / max(search.threshold, search.query)
    cuts = np.maximum(np.ceil(np.diff(edges) / widest), 1).astype(np.int64)
    step = np.repeat(np.diff(edges) / cuts, cuts)
    panel = np.arange(step.size) - np.repeat(np.cumsum(cuts) - cuts, cuts)
    low = np.repeat(edges[:-1], cuts) + panel * step
    at, weight = np.polynomial.legendre.leggauss(NODES)
    noise = (low[:, None] + step[:, None] * (at + 1) / 2).ravel()
    density = search.threshold * np.exp(-search.threshold * noise)
    return noise, (step[:, None] * weight / 2).ravel() * density
