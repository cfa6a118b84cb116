"""Private medians by the exponential mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.conversions import bounded_range_epsilon, bounded_range_to_zcdp
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.neighbours import Neighbours
from dpviz.mechanisms.exponential.ladder import Ladder, Problems
from dpviz.mechanisms.exponential.one_quantile import sample
from dpviz.mechanisms.medians.protocol import Cost, Groups, check_step

FEW = 256  # problems that are not worth sorting by size


@dataclass(frozen=True, slots=True)
class ExponentialMedian:
    """A value with k records below has density ∝ exp(−η |k − n/2|), η = ε/(2Δ).

    One record more or less moves k − n/2 by exactly Δ = ½, so η = ε: twice that of PSD's
    Definition 5, whose target is the rank of a record. Replacing a record moves k by 1 in one
    node (Δ = 1), or touches two nodes, which lose η = ε/2 each: Δ = 1 covers both. In ρ, ε-bounded
    range costs about ε²/8; two nodes of ε/2 cost half of that.
    Guarantee: PureDP and ZCDP under either relation; exact sampling.
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
    )
    needs_order: ClassVar[bool] = True
    takes_delta: ClassVar[bool] = False

    @property
    def parameters(self) -> dict[str, Any]:
        """Name and all parameters as plain values."""
        return {"name": self.name}

    def check(self, budget: Budget, neighbours: Neighbours) -> None:
        """Refuse (ε, δ)."""
        check_step(budget, neighbours)
        self.eta(budget, neighbours)

    def eta(self, budget: Budget, neighbours: Neighbours) -> float:
        """η of a step, by how much the log density falls for each rank from the middle."""
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
        epsilon = 2 * _sensitivity(neighbours) * self.eta(budget, neighbours)
        if isinstance(budget, ZCDP):
            return Cost(rho=bounded_range_to_zcdp(epsilon).rho)
        return Cost(epsilon)

    def draw(
        self, groups: Groups, budget: Budget, neighbours: Neighbours, rng: np.random.Generator
    ) -> FloatArray:
        """Medians (p,); an empty node draws uniformly in its range, a zero-width one its end."""
        eta = self.eta(budget, neighbours)
        ladder, problems = median_problems(groups, eta)
        values = np.empty(groups.low.size)
        for rows in _by_size(problems):
            values[rows] = sample(ladder, problems.take(rows), rng)[0]  # spends the step's budget
        return values


def median_problems(groups: Groups, eta: float) -> tuple[Ladder, Problems]:
    """The medians of all nodes as problems on one ladder. Confidential."""
    ladder, edges = _untied_ladder(groups.in_order())
    first, last = edges[:-1], edges[1:]
    target = (ladder.rank(first) + ladder.rank(last)) / 2
    return ladder, Problems(
        first, last, groups.low, groups.high, target, np.full(first.size, float(eta))
    )


def _by_size(problems: Problems) -> list[IntArray]:
    """Rows of similar size together: the largest of a call sets how much work each one takes.

    Which draws a node gets depends on its size, what it draws does not.
    """
    if problems.first.size < FEW:
        return [np.arange(problems.first.size)]
    sizes = (problems.last - problems.first).astype(np.float64)
    classes = np.ceil(np.log2(sizes + 1) / 3).astype(np.int64)  # 0, 1–7, 8–63, …
    order = np.argsort(classes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(classes[order])) + 1)


def _sensitivity(neighbours: Neighbours) -> float:
    return 0.5 if neighbours is Neighbours.ADD_REMOVE else 1.0


def _untied_ladder(groups: Groups) -> tuple[Ladder, IntArray]:
    """A ladder over all nodes, ties within a node compressed, and where each node begins on it."""
    values, starts = groups.values, groups.starts
    distinct = np.ones(values.size, dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=distinct[1:])
    distinct[starts[:-1][groups.sizes > 0]] = True
    if distinct.all():
        return Ladder(values), starts
    kept = np.flatnonzero(distinct)
    return Ladder(values[kept], np.append(kept, values.size)), np.searchsorted(kept, starts)
