"""The noisy mean in place of a median: a noisy sum over a noisy count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ApproxDP, Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.ragged import offsets
from dpviz.core.randomness.bits import Randomness, bits_of
from dpviz.core.randomness.discrete_laplace import LARGEST_SCALE
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.medians.protocol import Cost, Groups, check_step

UNIT_BITS = 24  # a node's width in units of the sum


@dataclass(frozen=True, slots=True)
class NoisyMeanMedian:
    """low + noisy Σ(x − low) / noisy count, clamped to the node; the middle for a count ≤ 0.

    Half of the step's budget each: one record changes the sum by at most the node's width and the
    count by 1. Replacing a record may do so in two nodes: Laplace scales double, Gaussian ones
    grow by √2. Nothing ties a mean to the median: skewed nodes split badly. The sum is one of whole
    numbers, shares of the width in units of 2^-24, so its noise is that of a count.

    >>> dp.KdTree(3, dp.NoisyMeanMedian()).release(points, dp.PureDP(1), rng).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP (discrete Laplace noise) and ZCDP (discrete Gaussian noise) under either
    relation, exact in the program.
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
        holds="exact",
    )
    needs_order: ClassVar[bool] = False
    takes_delta: ClassVar[bool] = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse (ε, δ)."""
        self.scale(budget, neighbours)

    def scale(self, budget: Budget, neighbours: Neighbours) -> float:
        """Noise scale of the count, and of the sum in units of the node's width."""
        check_step(budget, neighbours)
        return noise_scale(histogram_noise(self.name, budget), budget, 0.5, neighbours)

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """What the two noises cost together."""
        scale = self.scale(budget, neighbours)
        one = noise_cost(histogram_noise(self.name, budget), scale, neighbours)
        return Cost(2 * one.epsilon, 0.0, 2 * one.rho)

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """Medians (p,)."""
        bits, low, width = bits_of(rng), groups.low, groups.high - groups.low
        noise, scale = histogram_noise(self.name, budget), self.scale(budget, neighbours)
        unit = _units(scale)
        sums = _whole_sums(groups, unit)  # a record changes one of them by 0 … unit
        drawn = noise.draw(scale * unit, (low.size,), bits)  # spends half of the step's budget
        sums[0] += drawn.astype(np.int64)
        noisy_sum = _as_doubles(sums) / unit
        noisy_count = groups.sizes + noise.draw(scale, (low.size,), bits)  # spends the other half
        part = np.full(low.size, 0.5)
        np.divide(noisy_sum, noisy_count, out=part, where=noisy_count > 0)
        return np.asarray(np.minimum(low + width * np.clip(part, 0.0, 1.0), groups.high))


def _units(scale: float) -> int:
    """How many units a node's width has: 2^24, or fewer where the noise would go beyond 2^40."""
    room = math.floor(math.log2(LARGEST_SCALE / scale)) - 1
    return 1 << min(UNIT_BITS, max(room, 0))


def _whole_sums(groups: Groups, unit: int) -> IntArray:
    """Σ j of each node as digits (3, p); a point goes to j = ⌊unit · its share of the width⌋.

    Digit d counts 2^8d: up to 2^53 points stay below 2^62 in each, where the sum would not.
    """
    width = groups.high - groups.low
    shares = groups.values - np.repeat(groups.low, groups.held)
    shares /= np.repeat(np.where(width > 0, width, 1.0), groups.held)
    whole = np.clip(np.floor(shares * unit), 0, unit).astype(np.int64)
    weights = 1 if groups.weights is None else groups.weights
    digits = (whole & 255, (whole >> 8) & 255, whole >> 16)
    return np.stack([np.diff(offsets(digit * weights)[groups.starts]) for digit in digits])


def _as_doubles(digits: IntArray) -> FloatArray:
    """The double next to each number of digits (3, p) that may be negative or above 255.

    What is carried over first makes it a function of the number alone.
    """
    second = digits[1] + (digits[0] >> 8)
    third = digits[2] + (second >> 8)
    low = (digits[0] & 255) + ((second & 255) << 8)
    return np.asarray((third + low / 65536.0) * 65536.0)


def histogram_noise(name: str, budget: Budget) -> Noise:
    """The noise on disjoint counts that suits a budget: discrete Laplace, discrete Gaussian in ρ.

    Raises: UnsupportedBudget for (ε, δ).
    """
    if isinstance(budget, ApproxDP):
        raise UnsupportedBudget(
            f"The {name} median makes no use of δ. Choose the smooth-sensitivity median, or a "
            "budget in ε or ρ."
        )
    return Noise.for_budget(budget)


def noise_cost(noise: Noise, scale: float, neighbours: Neighbours) -> Cost:
    """The ε of discrete Laplace noise, or the ρ of discrete Gaussian noise, on disjoint counts."""
    changed = neighbours.counts_changed
    if noise.gaussian:
        return Cost(rho=changed * noise.rho(scale))
    return Cost(epsilon=changed / scale)
