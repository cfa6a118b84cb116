"""Private medians by the exponential mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.conversions import bounded_range_epsilon, bounded_range_to_zcdp
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.grid import as_written
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.bits import Randomness, bits_of
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.safe_epsilons import epsilon_for_rho, part_of
from dpviz.mechanisms.medians.protocol import Cost, Groups, check_step
from dpviz.mechanisms.medians.whole import WholeGroups


@dataclass(frozen=True, slots=True)
class ExponentialMedian:
    """A place with a records below and b up to it has weight exp(−η max(0, a − n/2, n/2 − b)).

    Places are whole numbers: the declared axis is cut into 2^24 cells, every point draws its place
    in its cell, and a cell is what comes out. η = ε/(2Δ).

    One record more or less moves a − n/2 by exactly Δ = ½, so η = ε: twice that of PSD's
    Definition 5, whose target is the rank of a record. Replacing a record moves k by 1 in one
    node (Δ = 1), or touches two nodes, which lose η = ε/2 each: Δ = 1 covers both. In ρ, ε-bounded
    range costs about ε²/8; two nodes of ε/2 cost half of that.

    >>> dp.KdTree(3, dp.ExponentialMedian()).release(points, dp.PureDP(1)).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP and ZCDP under either relation, exact in the program.
    Source: Cormode et al. 2012, Definition 5; McSherry and Talwar 2007; Cesar and Rogers 2021.
    """

    name: ClassVar[str] = "exponential"
    card: ClassVar[Card] = Card(
        key="ExponentialMedian",
        title="Median by the exponential mechanism",
        words="exponential mechanism",
        lead="Draws the median with a chance that falls with every rank from the middle.",
        promises=("pure", "zcdp"),
        price="tied values leave it no room",
        use="the cuts of maps: the default",
        label="exponential",
        family="Maps",
        summary="Each node draws its median with a density that falls by $e^{-\\eta}$ for every "
        "rank away from the middle.",
        guarantee="pure ε, ρ-zCDP",
        neighbours=BOTH,
        cost="independent of $n$ once values are sorted",
        good_for="the splits of kd-trees and Hilbert R-trees: the default",
        watch_out="tied values leave no room between them",
        source="Cormode et al. 2012, §6; McSherry and Talwar 2007",
        holds="exact",
    )
    needs_order: ClassVar[bool] = True
    takes_delta: ClassVar[bool] = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse (ε, δ)."""
        self.eta(budget, neighbours)

    def eta(self, budget: Budget, neighbours: Neighbours) -> float:
        """η of a step, by how much the log density falls for each rank from the middle."""
        check_step(budget, neighbours)
        match budget:
            case PureDP(epsilon):
                return epsilon / (2 * _sensitivity(neighbours))
            case ZCDP(rho):
                return bounded_range_epsilon(rho) / (2 * _sensitivity(neighbours))
            case ApproxDP():
                raise UnsupportedBudget(
                    "The exponential mechanism makes no use of δ. Choose the smooth-sensitivity "
                    "median, or a budget in ε or ρ."
                )

    def cost(self, budget: Budget, neighbours: Neighbours) -> Cost:
        """2Δη in ε, r(2Δη) in ρ."""
        epsilon = self.eta(budget, neighbours) * 2 * _sensitivity(neighbours)
        if isinstance(budget, ZCDP):
            return Cost(rho=bounded_range_to_zcdp(epsilon).rho)
        return Cost(epsilon)

    def safe_eta(self, budget: Budget, neighbours: Neighbours) -> float:
        """As eta, never rounded up: what draw takes."""
        self.eta(budget, neighbours)  # refuses (ε, δ)
        if isinstance(budget, ZCDP):
            epsilon = epsilon_for_rho(as_written(budget.rho), 1, RhoRule.BOUNDED_RANGE)
        else:
            epsilon = part_of(budget.size, 1)
        return epsilon / (2 * _sensitivity(neighbours))  # twice the sensitivity is 1 or 2

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: Randomness
    ) -> FloatArray:
        """Medians (p,); an empty node draws uniformly in its range, a zero-width one its end."""
        bits, eta = bits_of(rng), self.safe_eta(budget, neighbours)
        whole = WholeGroups.of(groups, bits)
        problems = whole.medians(eta)
        points = draw_points(whole.records, problems, whole.domain, bits)  # spends the budget
        return whole.printed(points)


def _sensitivity(neighbours: Neighbours) -> float:
    return 0.5 if neighbours is Neighbours.ADD_REMOVE else 1.0
