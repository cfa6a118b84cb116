"""A single quantile by bisection of its range, with noise on every comparison."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.checks import settle, whole
from dpviz.core.conversions import approx_to_zcdp
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import Parameters
from dpviz.mechanisms.quantiles.around.protocol import Parts, Share
from dpviz.mechanisms.requests import checked_budget

MOST = 60  # comparisons; beyond, the halves of a range are finer than doubles


@dataclass(frozen=True, slots=True)
class NoisySearchQuantile:
    """Noisy binary search: is the number of records below the middle, plus noise, under q·n?

    All comparisons are made, each with an equal part of the share; the last half's middle is the
    answer, so that a part's range is resolved to 2^−(comparisons + 1) of its width.
    Guarantee: PureDP (Laplace noise), ZCDP (Gaussian noise), ApproxDP (the less noisy of Laplace
    noise at ε and Gaussian noise at the largest ρ that converts); under either relation.
    Source: Kaplan, Schnapp and Stemmer 2021, §1.1.1, for the recursion around any mechanism.
    """

    comparisons: int = 16

    name: ClassVar[str] = "noisy binary search"
    reads_all: ClassVar[bool] = False

    def __post_init__(self) -> None:
        settle(self, comparisons=whole(1, MOST))

    @property
    def parameters(self) -> Parameters:
        """All parameters as plain values, without the name."""
        return {"comparisons": self.comparisons}

    def check(self, budget: Budget) -> None:
        """Refuse anything but a budget."""
        checked_budget(budget)

    def noise(self, budget: Budget, levels: int) -> tuple[Noise, float]:
        """The law and the scale of a comparison's noise whose count changes by 1 at most.

        comparisons · levels of them compose: ε adds, and so does ρ.
        """
        counts = self.comparisons * levels
        match budget:
            case PureDP(epsilon):
                return Noise.LAPLACE, counts / epsilon
            case ZCDP(rho):
                return Noise.GAUSSIAN, Noise.GAUSSIAN.scale_for_rho(rho / counts)
            case ApproxDP(epsilon, _):
                rho = approx_to_zcdp(budget).rho
                gaussian = Noise.GAUSSIAN.scale_for_rho(rho / counts)
                if Noise.GAUSSIAN.variance(gaussian) < Noise.LAPLACE.variance(counts / epsilon):
                    return Noise.GAUSSIAN, gaussian
                return Noise.LAPLACE, counts / epsilon

    def draw(
        self, parts: Parts, share: Share, rng: np.random.Generator
    ) -> tuple[FloatArray, IntArray]:
        """All parts are halved at once; records below minus q·n is what is compared with noise."""
        law, unit = self.noise(share.whole, share.levels)
        scale = unit * sensitivities(parts.quantile, share, law)
        low, high = parts.problems.low.copy(), parts.problems.high.copy()
        for _ in range(self.comparisons):
            middle = low + (high - low) / 2
            excess = parts.ladder.rank(parts.holding(middle)) - parts.problems.target
            excess += scale * law.draw(1.0, excess.shape, rng)  # spends 1/comparisons of the share
            goes_up = excess < 0
            low, high = np.where(goes_up, middle, low), np.where(goes_up, high, middle)
        value = low + (high - low) / 2
        return value, parts.holding(value)


def sensitivities(quantile: FloatArray, share: Share, law: Noise) -> FloatArray:
    """By how much one neighbour changes a comparison of each part, as noise must cover it, (p,).

    Adding or removing a record changes records below − q·n by Δ = max(q, 1 − q) in one part.
    Replacing one changes it by 1 in one part, or by Δ in two: shifts of Laplace noise add, for
    Gaussian noise their squares do.
    """
    delta: FloatArray = np.maximum(quantile, 1 - quantile)
    if share.neighbours is Neighbours.ADD_REMOVE:
        return delta
    if share.depth == 0:
        return np.ones_like(delta)
    pair = 2 * delta if law is Noise.LAPLACE else np.sqrt(2) * delta
    return np.asarray(np.maximum(pair, 1.0))
