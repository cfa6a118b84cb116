"""The noisy mean in place of a median: a noisy sum over a noisy count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, Budget
from dpviz.core.card import BOTH, Card
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.bits import Randomness, only_seeded
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.medians.protocol import Cost, Groups, check_step


@dataclass(frozen=True, slots=True)
class NoisyMeanMedian:
    """low + noisy Σ(x − low) / noisy count, clamped to the node; the middle for a count ≤ 0.

    Half of the step's budget each: one record changes the sum by at most the node's width and the
    count by 1. Replacing a record may do so in two nodes: Laplace scales double, Gaussian ones
    grow by √2. Nothing ties a mean to the median: skewed nodes split badly.
    Guarantee: PureDP (Laplace noise) and ZCDP (Gaussian noise) under either relation.
    Source: Inan et al. 2010; Cormode et al. 2012, §6.1.
    """

    name: ClassVar[str] = "noisy mean"
    card: ClassVar[Card] = Card(
        key="NoisyMeanMedian",
        title="Noisy mean in place of a median",
        words="noisy mean",
        lead="A noisy sum over a noisy count, in place of a median.",
        promises=("pure", "zcdp"),
        price="skewed values pull it away",
        use="a simple baseline on even data",
        label="noisy mean",
        family="Maps",
        summary="A noisy sum over a noisy count, half of the step's budget for each.",
        guarantee="pure ε, ρ-zCDP",
        neighbours=BOTH,
        cost="one pass over the points",
        good_for="a simple baseline on even data",
        watch_out="the mean of skewed records is far from their median",
        source="Inan et al. 2010; Cormode et al. 2012, §6",
    )
    needs_order: ClassVar[bool] = False
    takes_delta: ClassVar[bool] = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse (ε, δ)."""
        check_step(budget, neighbours)
        histogram_noise(self.name, budget)
        self.scale(budget, neighbours)

    def scale(self, budget: Budget, neighbours: Neighbours) -> float:
        """Noise scale of the count, and of the sum in units of the node's width."""
        return noise_scale(histogram_noise(self.name, budget), budget, 0.5, neighbours)

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """What the two noises cost together."""
        noise = histogram_noise(self.name, budget)
        one = noise_cost(noise, self.scale(budget, neighbours), neighbours)
        return Cost(2 * one.epsilon, 0.0, 2 * one.rho)

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """Medians (p,)."""
        rng = only_seeded(rng, self.card.title)
        low, width = groups.low, groups.high - groups.low
        shares = (groups.values - np.repeat(low, groups.sizes)) / np.repeat(
            np.where(width > 0, width, 1.0), groups.sizes
        )
        sums = np.bincount(groups.owner, shares, low.size)  # in units of the width, each in [0, 1]
        noise, scale = histogram_noise(self.name, budget), self.scale(budget, neighbours)
        noisy_sum = sums + noise.draw(scale, (low.size,), rng)  # spends half of the step's budget
        noisy_count = groups.sizes + noise.draw(scale, (low.size,), rng)  # spends the other half
        part = np.full(low.size, 0.5)
        np.divide(noisy_sum, noisy_count, out=part, where=noisy_count > 0)
        return np.asarray(np.minimum(low + width * np.clip(part, 0.0, 1.0), groups.high))


def histogram_noise(name: str, budget: Budget) -> Noise:
    """The noise on disjoint counts that suits a budget: Laplace in ε, Gaussian in ρ.

    Raises: UnsupportedBudget for (ε, δ).
    """
    if isinstance(budget, ApproxDP):
        raise UnsupportedBudget(
            f"The {name} median makes no use of δ. Choose the smooth-sensitivity median, or a "
            "budget in ε or ρ."
        )
    return Noise.continuous_for(budget)


def noise_cost(noise: Noise, scale: float, neighbours: Neighbours) -> Cost:
    """ε of Laplace noise, or ρ of Gaussian noise, of this scale on disjoint counts."""
    changed = neighbours.counts_changed
    if noise is Noise.GAUSSIAN:
        return Cost(rho=changed * noise.rho(scale))
    return Cost(epsilon=changed / scale)
