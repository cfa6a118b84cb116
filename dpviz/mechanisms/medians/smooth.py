"""Private medians with noise scaled to their smooth sensitivity."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.randomness.bits import Randomness, only_seeded
from dpviz.mechanisms.medians.protocol import Cost, Groups, check_step
from dpviz.mechanisms.medians.smooth_sensitivity import middle_values, smooth_sensitivities

LARGEST_XI = 1.25


@dataclass(frozen=True, slots=True)
class SmoothMedian:
    """x_m + (2σ_s/ε) · Lap(1), clamped to the node; σ_s is e^ξ-smooth, ξ = ε/(4(1 + ln(2/δ))).

    Shift and dilation each cost e^{ε/2}, the dilation except with probability e^{−c},
    c = (ε/2 + ξ)/(e^ξ − 1). PSD's Definition 4 assumes ε < 1; e^{−c} ≤ δ holds for every ε as long
    as ξ/(e^ξ − 1) ≥ ½, so ξ is capped at 1.25 (more noise, same guarantee). σ_s is e^ξ-smooth for
    an added, a removed and a replaced record; a replacement may change two nodes of a step, so
    each gets (ε/2, δ/2) there.

    >>> smooth = dp.KdTree(3, dp.SmoothMedian())
    >>> smooth.release(points, dp.ApproxDP(1, 1e-6), rng).spent
    ApproxDP(epsilon=1.0, delta=1e-06)

    Guarantee: ApproxDP under either relation; no pure ε-DP and no zCDP.
    Source: Nissim, Raskhodnikova and Smith 2007; Cormode et al. 2012, Definition 4.
    """

    name: ClassVar[str] = "smooth sensitivity"
    card: ClassVar[Card] = Card(
        key="SmoothMedian",
        title="Median by smooth sensitivity",
        words="smooth sensitivity",
        lead="The exact median with noise as wide as one person could move it.",
        promises=("approx",),
        price="much noise at a small ε",
        use="large budgets",
        label="smooth sensitivity",
        family="Maps",
        summary="The exact median with noise scaled to a smooth bound on how far one record could "
        "move it.",
        guarantee="(ε, δ)",
        neighbours=BOTH,
        cost="linear in the records of a node",
        good_for="large budgets",
        watch_out="needs a large budget for each split; at small ε the noise leaves the node. ξ is "
        "capped at 1.25: beyond, the noise could be stretched by more than δ allows",
        source="Nissim, Raskhodnikova and Smith 2007; Cormode et al. 2012, §6",
    )
    needs_order: ClassVar[bool] = True
    takes_delta: ClassVar[bool] = True

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse pure ε and ρ."""
        self.noise(budget, neighbours)

    def noise(self, budget: Budget, neighbours: Neighbours) -> tuple[float, float]:
        """ξ, and the factor 2/ε from σ_s to the noise scale."""
        check_step(budget, neighbours)
        if not isinstance(budget, ApproxDP):
            raise UnsupportedBudget(
                "The smooth-sensitivity median gives (ε, δ)-DP only. Choose such a budget, or the "
                "exponential-mechanism median."
            )
        nodes = neighbours.counts_changed
        epsilon, delta = budget.epsilon / nodes, budget.delta / nodes
        return min(epsilon / (4 * (1 + math.log(2 / delta))), LARGEST_XI), 2 / epsilon

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """ε from the noise factor; δ from ξ, or the least one that ξ covers where it is capped."""
        xi, factor = self.noise(budget, neighbours)
        nodes = neighbours.counts_changed
        epsilon = 2 / factor
        if xi < LARGEST_XI:
            delta = 2 * math.exp(1 - epsilon / (4 * xi))
        else:
            delta = math.exp(-(epsilon / 2 + xi) / math.expm1(xi))
        return Cost(nodes * epsilon, nodes * delta)

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """Medians (p,).

        Raises: InvalidParameter for secure bits: the noise is scaled by a number from the data.
        """
        seeded = only_seeded(rng, self.card.title)
        xi, factor = self.noise(budget, neighbours)
        groups = groups.in_order()
        scale = factor * smooth_sensitivities(groups, xi)
        noisy = middle_values(groups) + scale * seeded.laplace(size=scale.size)  # spends the budget
        return np.clip(noisy, groups.low, groups.high)
