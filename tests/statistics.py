"""The kit for randomised tests: bounds that hold for every sample size, never a tuned tolerance.

Every verdict errs on the right law with probability at most false_alarm / comparisons, where
comparisons is how many verdicts one test makes. can_tell and can_tell_probabilities say whether
a sample of that size must reject a given wrong twin; assert them beside the rejection.
"""

import math
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special, stats

FALSE_ALARM = 1e-9
MISS = 1e-9


class Distribution(Protocol):
    """A continuous law, such as a frozen one of scipy.stats."""

    def cdf(self, x: NDArray[np.float64]) -> NDArray[np.float64]: ...

    def ppf(self, q: NDArray[np.float64]) -> NDArray[np.float64]: ...


def fits(
    sample: ArrayLike,
    distribution: Distribution,
    false_alarm: float = FALSE_ALARM,
    comparisons: int = 1,
) -> bool:
    """Whether a sample may come from a continuous distribution (Kolmogorov-Smirnov distance).

    Source: Massart 1990 (Dvoretzky-Kiefer-Wolfowitz with the constant 2), valid for every n.
    """
    ordered = np.sort(np.asarray(sample, dtype=np.float64))
    n = ordered.size
    expected = np.asarray(distribution.cdf(ordered))
    above = np.max(np.arange(1, n + 1) / n - expected)
    below = np.max(expected - np.arange(n) / n)
    return bool(max(above, below) <= _cdf_radius(n, false_alarm / comparisons))


def can_tell(
    size: int,
    right: Distribution,
    wrong: Distribution,
    false_alarm: float = FALSE_ALARM,
    comparisons: int = 1,
) -> bool:
    """Whether fits(sample of wrong, right) is False except with probability MISS."""
    levels = np.linspace(0, 1, 4098)[1:-1]
    points = np.concatenate([right.ppf(levels), wrong.ppf(levels)])
    distance = np.max(np.abs(right.cdf(points) - wrong.cdf(points)))
    needed = _cdf_radius(size, false_alarm / comparisons) + _cdf_radius(size, MISS)
    return bool(distance > needed)


def _cdf_radius(n: int, false_alarm: float) -> float:
    return math.sqrt(math.log(2 / false_alarm) / (2 * n))


def fits_probabilities(
    counts: ArrayLike,
    probabilities: ArrayLike,
    false_alarm: float = FALSE_ALARM,
    comparisons: int = 1,
) -> bool:
    """Whether counts (k,) may be multinomial with these probabilities (k,).

    Cells expected fewer than five times are pooled; a count where the probability is zero fails.
    Source: Agrawal 2020, Theorem I.2, a bound on relative entropy valid for every n and k;
    chi-square tails are wrong by orders of magnitude at 1e-9.
    """
    observed = np.asarray(counts, dtype=np.float64)
    right = _normalised(probabilities)
    if observed[right == 0].any():
        return False
    n = float(observed.sum())
    observed, right = _pooled(observed, right, n * right < 5)
    divergence = float(np.sum(special.rel_entr(observed / n, right)))
    return n * divergence <= _entropy_threshold(right.size, false_alarm / comparisons)


def can_tell_probabilities(
    size: int,
    right: ArrayLike,
    wrong: ArrayLike,
    false_alarm: float = FALSE_ALARM,
    comparisons: int = 1,
) -> bool:
    """Whether fits_probabilities(counts of wrong, right) is False except with probability MISS."""
    p, q = _normalised(right), _normalised(wrong)
    p, q = _pooled(p, q, size * p < 5)
    threshold = _entropy_threshold(p.size, false_alarm / comparisons)

    # n·KL(observed, p) is at least the sum of ln(q/p) over the sample; Chernoff bounds how
    # likely that sum, under q, is to stay below the threshold
    def log_miss(tilt: float) -> float:
        return tilt * threshold + size * math.log(float(np.sum(q ** (1 - tilt) * p**tilt)))

    best = optimize.minimize_scalar(log_miss, bounds=(0.0, 1.0), method="bounded")
    return bool(best.fun <= math.log(MISS))


def _normalised(probabilities: ArrayLike) -> NDArray[np.float64]:
    p = np.asarray(probabilities, dtype=np.float64)
    if abs(p.sum() - 1) > 1e-9 or (p < 0).any():
        raise ValueError(f"Probabilities must be non-negative and sum to 1, got sum {p.sum()}.")
    return p / p.sum()


def _pooled(
    first: NDArray[np.float64], second: NDArray[np.float64], small: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if not small.any():
        return first, second
    return (
        np.append(first[~small], first[small].sum()),
        np.append(second[~small], second[small].sum()),
    )


def _entropy_threshold(cells: int, false_alarm: float) -> float:
    """The n·KL(observed, right) exceeded with probability at most false_alarm."""
    k = cells - 1
    if k == 0:
        return 1e-9  # nothing but rounding can differ

    def excess(x: float) -> float:  # x = n·KL / k; the bound is exp(−k (x − 1 − ln x)), x > 1
        return k * (x - 1 - math.log(x)) + math.log(false_alarm)

    return k * float(optimize.brentq(excess, 1.0, 10 - 2 * math.log(false_alarm)))


def mean_is(
    sample: ArrayLike, mean: float, false_alarm: float = FALSE_ALARM, comparisons: int = 1
) -> bool:
    """Whether a sample's expectation may be mean (Student's t; relies on the limit theorem).

    Raises: ValueError below 1,000 values, where the tail of the normal limit means nothing.
    """
    values = np.asarray(sample, dtype=np.float64)
    if values.size < 1000:
        raise ValueError(f"mean_is needs at least 1,000 values, got {values.size}.")
    spread = float(values.std(ddof=1)) / math.sqrt(values.size)
    offset = abs(float(values.mean()) - mean)
    if spread == 0:
        return offset == 0
    threshold = float(stats.t.isf(false_alarm / comparisons / 2, values.size - 1))
    return offset <= threshold * spread


def clopper_pearson(hits: int, trials: int, confidence: float = 1 - MISS) -> tuple[float, float]:
    """An interval that holds an event's probability with at least this confidence."""
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else float(stats.beta.ppf(tail, hits, trials - hits + 1))
    high = 1.0 if hits == trials else float(stats.beta.isf(tail, hits + 1, trials - hits))
    return low, high


def epsilon_lower_bound(
    hits_a: int, hits_b: int, trials: int, delta: float = 0.0, confidence: float = 1 - MISS
) -> float:
    """An ε that no mechanism behind these counts can beat, except with probability 1 − confidence.

    One event, chosen beforehand, was seen hits_a times in trials runs on a column and hits_b times
    on its neighbour. All of a mechanism's ε-claims below the answer are false.
    """
    each = 1 - (1 - confidence) / 2
    low_a, high_a = clopper_pearson(hits_a, trials, each)
    low_b, high_b = clopper_pearson(hits_b, trials, each)
    odds = max((low_a - delta) / high_b, (low_b - delta) / high_a)
    return max(0.0, math.log(odds)) if odds > 0 else 0.0


def gaussian_delta(epsilon, sensitivity):
    """The exact δ of unit Gaussian noise (Balle and Wang 2018, Theorem 8)."""
    half, ratio = sensitivity / 2, epsilon / sensitivity
    return stats.norm.cdf(half - ratio) - math.exp(
        epsilon + float(stats.norm.logcdf(-half - ratio))
    )
