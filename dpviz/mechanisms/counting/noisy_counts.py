"""Noise on the counts of a complete tree: how large it must be, and the step that draws it."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.errors import InvalidBudget, UnsupportedBudget
from dpviz.core.randomness.bits import Randomness, bits_of
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.shape import Levels
from dpviz.mechanisms.counting.whole_scales import check_spent, exact_shares, whole_scale
from dpviz.mechanisms.requests import checked_budget


def noise_scale(
    noise: Noise, budget: Budget, share: float | Fraction, neighbours: Neighbours
) -> float:
    """Scale of the noise on every node of a level that spends `share` of the budget.

    One record changes one count of a level by 1 (add/remove) or two counts (replace-one). In ε
    Laplace noise has scale Δ1/(share · ε), Δ1 = 1 or 2; the discrete one has p = e^{−1/scale}.
    In ρ every changed count pays what its noise costs (Noise.rho), so two of them half each. For
    (ε, δ) Gaussian noise follows the analytic mechanism on the tree as a whole, Δ2 σ(ε, δ)/√share
    with Δ2 = 1 or √2; the discrete one goes through ρ, for that theorem is about continuous noise.
    Guarantee: levels whose shares sum to 1 spend the budget exactly; for noise on whole numbers no
    more than that in whole arithmetic, since its scale is rounded up.
    Raises: UnsupportedBudget for Laplace noise with (ε, δ) or Gaussian noise with pure ε.
    Source: Dwork et al. 2006; Harrison and Manurangsi 2026; Balle and Wang 2018; Canonne, Kamath
    and Steinke 2020.
    """
    checked_budget(budget)
    changed = neighbours.counts_changed
    match noise, budget:
        case Noise.DISCRETE_LAPLACE | Noise.DISCRETE_GAUSSIAN, _ if _pays(noise, budget):
            scale = whole_scale(noise, budget, Fraction(share), changed)
        case Noise.LAPLACE, PureDP(epsilon):
            scale = changed / (share * epsilon)
        case _, ZCDP(rho):
            scale = noise.scale_for_rho(share * rho / changed)
        case Noise.GAUSSIAN, ApproxDP(epsilon, delta):
            scale = math.sqrt(changed / share) * _analytic_gaussian(epsilon, delta)
        case Noise.LAPLACE | Noise.DISCRETE_LAPLACE, _:
            raise UnsupportedBudget(
                "Laplace noise makes no use of δ. Choose Gaussian noise, or a budget in ε or ρ."
            )
        case _:
            raise UnsupportedBudget(
                "Gaussian noise does not give pure ε-DP. Choose Laplace noise, or a budget in ρ or "
                "(ε, δ)."
            )
    if not 1e-150 < scale < 1e150:  # beyond, the variance is 0 or ∞ in floating point
        raise InvalidBudget(f"{budget} gives a noise scale of {scale:g}, outside 1e-150 … 1e150.")
    if noise.whole and not scale < LARGEST_SCALE:
        raise InvalidBudget(
            f"{budget} gives noise on whole numbers a scale of {scale:g}; it goes up to 2^40. "
            "Choose a larger budget, or continuous noise for teaching."
        )
    return scale


def level_scales(
    noise: Noise, budget: Budget, shares: tuple[float, ...], neighbours: Neighbours
) -> tuple[float, ...]:
    """Scale of the noise of each level, ∞ where its share is 0 and it is not released.

    For noise on whole numbers it is made sure in fractions that the levels together spend no more
    than the budget.
    Raises: as noise_scale.
    """
    checked_budget(budget)  # before it names a result in memory
    return _level_scales(noise, budget, shares, neighbours)


@lru_cache(maxsize=1024)  # public parameters only
def _level_scales(
    noise: Noise, budget: Budget, shares: tuple[float, ...], neighbours: Neighbours
) -> tuple[float, ...]:
    noise_scale(noise, budget, 1.0, neighbours)  # refuses even where nothing is spent
    parts = exact_shares(shares) if noise.whole else shares
    scales = tuple(
        noise_scale(noise, budget, part, neighbours) if part > 0 else math.inf for part in parts
    )
    if noise.whole:
        check_spent(noise, budget, scales, neighbours.counts_changed)
    return scales


def drawn_from(noise: Noise, rng: Randomness) -> Randomness:
    """What several draws of a release take: one object of bits for noise on whole numbers."""
    return bits_of(rng) if noise.whole else rng


def _pays(noise: Noise, budget: Budget) -> bool:
    """Whether noise on whole numbers gives the notion of a budget."""
    if noise is Noise.DISCRETE_LAPLACE:
        return not isinstance(budget, ApproxDP)
    return not isinstance(budget, PureDP)


@lru_cache(maxsize=256)  # of two public numbers; every level and height of a tree asks for the same
def _analytic_gaussian(epsilon: float, delta: float) -> float:
    from dp_accounting import get_sigma_gaussian  # noqa: PLC0415  # half a second to import

    root_finder_tolerance = 1e-12
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            sigma = float(get_sigma_gaussian(epsilon, delta, tol=root_finder_tolerance))
    except ArithmeticError:
        raise InvalidBudget(
            f"The Gaussian noise for ε = {epsilon:g}, δ = {delta:g} cannot be worked out in "
            "floating point. Choose ε between 1e-9 and 1e6, or a budget in ρ."
        ) from None
    return sigma * (1 + 1e-12) + 2 * root_finder_tolerance  # never on the unsafe side of the root


def add_noise(
    exact: Sequence[FloatArray],
    fanout: int,
    noise: Noise,
    scales: Sequence[float],
    rng: Randomness,
    *,
    runs: int,
) -> Levels:
    """Independent runs of noisy_levels, (runs, fanout**l) a level, with their variances."""
    counts = noisy_levels(exact, noise, scales, rng, (runs,))
    variances = tuple(np.asarray(noise.variance(scale)) for scale in scales)
    return Levels(fanout, counts, variances)


def noisy_levels(
    exact: Sequence[FloatArray],
    noise: Noise,
    scales: Sequence[float],
    rng: Randomness,
    runs: tuple[int, ...] = (),
) -> tuple[FloatArray, ...]:
    """Independent noise on every node: the step that spends the budget (once for each run).

    Shapes: exact[l] is (fanout**l,), the result (*runs, fanout**l), read-only. scales has one entry
    a level; an infinite one means that the level is not released, and nothing of it is in the
    result.
    """
    bits = drawn_from(noise, rng)
    counts = []
    for level, scale in zip(exact, scales, strict=True):
        if math.isinf(scale):
            noisy = np.full((*runs, level.size), np.nan)
        else:
            noisy = noise.draw(scale, (*runs, level.size), bits)
            noisy += level
        counts.append(frozen(noisy))
    return tuple(counts)
