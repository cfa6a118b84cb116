"""An empirical audit: how much privacy two columns' outputs prove to be lost."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betainccinv, betaincinv

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.core.errors import InvalidParameter

SIZES = 16  # points of the curve over runs, the first of 2^-6 of them
LEVELS = np.geomspace(1e-3, 0.5, 60)  # shares of the outputs where thresholds are tried


@confidential()
@dataclass(frozen=True, slots=True)
class Event:
    """Outputs up to a threshold, or above it; likelier on the first column unless flipped."""

    threshold: float
    below: bool
    flipped: bool

    def hits(self, outputs: FloatArray) -> IntArray:
        """1 where an output is in the event, elementwise."""
        inside: IntArray = ((outputs <= self.threshold) == self.below).astype(np.int64)
        return inside


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """Lower bounds on ε by the number of runs that were counted, each at the confidence asked.

    Shapes: runs and bounds (s,); runs are of each column, after those that chose the event.
    one and other are the shares of all counted outputs that fell into the event.
    """

    event: Event
    runs: IntArray
    bounds: FloatArray
    one: float
    other: float

    @property
    def bound(self) -> float:
        """What all runs prove."""
        return float(self.bounds[-1])

    @property
    def times(self) -> float:
        """How many times as often the event fell on its likelier column; ∞ if only there."""
        low, high = sorted((self.one, self.other))
        return high / low if low > 0 else math.inf if high > 0 else 1.0

    def first_above(self, claimed: float) -> int | None:
        """The first place of the curve above a claim. Picked by looking, so it proves nothing."""
        above = np.flatnonzero(self.bounds > claimed)
        return int(above[0]) if above.size else None


def audit(
    one: FloatArray,
    other: FloatArray,
    confidence: float = 0.95,
    delta: float = 0.0,
    event: Event | None = None,
) -> Audit:
    """Choose the event on the first half of the outputs, bound its probabilities on the second.

    An event that was fixed without the outputs is counted on all of them.

    Shapes: one, other (runs,), outputs on two neighbouring columns.
    Guarantee: a mechanism that is (ε, δ)-DP gets a bound above ε at a size chosen beforehand with
    probability at most 1 − confidence.
    Raises: InvalidParameter below 4 runs.
    Source: Jagielski, Ullman and Oprea 2020, Algorithm 2, with Clopper and Pearson 1934.
    """
    if min(one.size, other.size) < 4:
        raise InvalidParameter("An audit needs at least 4 runs of each column.")
    half = 0 if event else min(one.size, other.size) // 2
    event = event or _best_event(one[:half], other[:half], confidence, delta)
    left, right = (event.hits(outputs[half:]).cumsum() for outputs in (one, other))
    total = min(left.size, right.size)
    runs = np.unique(np.geomspace(max(1, total / 64), total, SIZES).round().astype(np.int64))
    top, bottom = (right, left) if event.flipped else (left, right)
    bounds = lower_bounds(top[runs - 1], bottom[runs - 1], runs, confidence, delta)
    shares = (float(hits[total - 1]) / total for hits in (left, right))
    return Audit(event, runs, bounds, *shares)


def lower_bounds(
    likely: IntArray, rare: IntArray, trials: IntArray, confidence: float, delta: float
) -> FloatArray:
    """ln((p − δ)/p'), p from below and p' from above, each with half of the doubt; at least 0."""
    doubt = (1 - confidence) / 2
    with np.errstate(invalid="ignore"):  # no hits, or nothing but hits: set below
        low = np.where(likely > 0, betaincinv(likely, trials - likely + 1, doubt), 0.0)
        high = np.where(rare < trials, betainccinv(rare + 1, trials - rare, doubt), 1.0)
    above = np.maximum(low - delta, 0.0)
    return np.log(np.maximum(above / high, 1.0))


def most_provable(runs: int, confidence: float) -> float:
    """The largest bound that so many counted runs can prove, even where there is no privacy."""
    all_of, none = np.array([runs]), np.array([0])
    return float(lower_bounds(all_of, none, all_of, confidence, 0.0)[0])


def _best_event(one: FloatArray, other: FloatArray, confidence: float, delta: float) -> Event:
    pooled = np.sort(np.concatenate((one, other)))
    ranks = np.concatenate((LEVELS, 1 - LEVELS)) * (pooled.size - 1)
    thresholds = np.unique(pooled[ranks.astype(np.int64)])
    up_to = [np.searchsorted(np.sort(part), thresholds, side="right") for part in (one, other)]
    trials = np.full(thresholds.size, one.size)
    best, chosen = -math.inf, Event(float(thresholds[0]), below=True, flipped=False)
    for below in (True, False):
        left, right = (hits if below else one.size - hits for hits in up_to)
        for flipped in (False, True):
            top, bottom = (right, left) if flipped else (left, right)
            bounds = lower_bounds(top, bottom, trials, confidence, delta)
            at = int(bounds.argmax())
            if bounds[at] > best:
                best, chosen = bounds[at], Event(float(thresholds[at]), below, flipped)
    return chosen
