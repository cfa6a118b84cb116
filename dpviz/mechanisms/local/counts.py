"""LocalCounts: counts of bins from what people report themselves, so that nobody is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.card import Card
from dpviz.core.checks import checked_whole, optional, real_numbers, settle, whole
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.grid import as_written
from dpviz.core.randomness.bits import Bits, Randomness, bits_of, kind_of, or_secure
from dpviz.core.randomness.fair_coins import thinned
from dpviz.core.trees.local_release import LocalRelease
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.usual_floats import usual_floats
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.mechanisms.local.randomisers import Kind, Randomiser, check_local_budget, randomiser
from dpviz.mechanisms.local.shuffling import MOST_PEOPLE, local_epsilon, shuffled_epsilon
from dpviz.mechanisms.requests import check_column_request

MOST_LEAVES = 1 << 20
FEWEST = 2.0**-20  # reports of a level that nobody drew: its counts weigh next to nothing
SAFE = 1 - 2.0**-30  # ε of a report is moved down by, where it comes from doubles


@dataclass(frozen=True, slots=True)
class LocalCounts:
    """Counts of bins from one report a person, randomised before it is sent: nobody is trusted.

    Bins lie between the bounds and declared cuts, or are the leaves of a tree of equal bins. In a
    tree each person draws one of its levels, reports the node of that level which holds the value,
    and least squares bring the levels together, each by how many drew it. A report is a randomised
    response or a unary encoding: by default, on each level, whichever errs less.

    With (ε, δ) a trusted shuffler hands the reports on in random order, and each may tell more
    (local_epsilon). How many people report is public. The reports of a column are simulated from
    it: whoever computes them here has seen it. Their sums have exactly the law of single reports.

    >>> found = dp.LocalCounts(cuts=[50]).release(column, dp.PureDP(1), rng)
    >>> found.counts.round(), found.standard_errors.round(1)
    (array([1782., 4218.]), array([74.3, 74.3]))

    Guarantee: PureDP of every single report, whoever reads it; ApproxDP of all of them, shuffled,
    by a proved bound up to rounding. One value is replaced; who takes part is no secret.
    Raises: InvalidParameter for cuts beside a fanout, for cuts that do not ascend within the
    bounds, for more than 2^20 bins, and for an unknown randomiser; UnsupportedBudget for ρ;
    InvalidBudget for ε outside 1e-9 … 30.
    Source: Warner 1965; Wang et al. 2017; Cormode, Kulkarni and Srivastava 2019.
    """

    cuts: Sequence[float] | None = None
    fanout: int | None = None
    height: int = 1
    randomiser: Literal["response", "unary"] | None = None

    name: ClassVar[str] = "LocalCounts"
    shuffled_epsilon = staticmethod(shuffled_epsilon)
    local_epsilon = staticmethod(local_epsilon)
    card: ClassVar[Card] = Card(
        key="LocalCounts",
        title="Counts from local reports",
        label="local reports",
        words="counts nobody is trusted with",
        lead="Every person adds the noise alone, before anything is sent.",
        promises=("pure", "approx"),
        price="noise that grows with the root of the people",
        use="counts where nobody may be trusted with the data",
        family="Trees",
        summary="Each person reports one of $k$ bins by randomised response, or a bit for each. "
        "In a tree everybody draws one level and reports its node; least squares bring levels "
        "together. A count of $n$ people errs by $\\sqrt{n e^\\varepsilon}/(e^\\varepsilon - 1)$.",
        guarantee="pure ε of every report; (ε, δ) of all of them behind a trusted shuffler",
        neighbours="replace one record; who takes part is public",
        cost="one report a person; here, random bits for all of them",
        good_for="many people and no server that all of them trust",
        watch_out="a trusted server errs less by the root of the people: for a thousand, at ε = 1, "
        "21 times",
        source="Warner 1965; Wang et al. 2017; Feldman et al. 2021",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle(
            self,
            cuts=optional(_ascending),
            fanout=optional(whole(2, MOST_LEAVES)),
            height=whole(1, 20),
            randomiser=optional(_a_kind),
        )
        if (self.cuts is None) == (self.fanout is None):
            raise InvalidParameter(
                "Local counts need either cuts or a fanout. Write LocalCounts(cuts=[50]) or "
                "LocalCounts(fanout=4, height=5)."
            )
        if self.cuts is not None and self.height > 1:
            raise InvalidParameter("height is of a tree of equal bins: give its fanout, no cuts.")
        if self.fanout is not None and self.fanout**self.height > MOST_LEAVES:
            raise InvalidParameter(f"height {self.height} makes more than 2^20 bins.")

    def check(self, budget: Budget) -> None:
        """Refuse a budget under which nobody can report.

        Raises: as release.
        """
        check_local_budget(budget)

    def shape(self) -> TreeShape:
        """Bins as the children of one node, or the whole tree."""
        if self.cuts is not None:
            return TreeShape(len(self.cuts) + 1, 1)
        assert self.fanout is not None
        return TreeShape(self.fanout, self.height)

    def edges_within(self, bounds: Bounds) -> FloatArray:
        """The edges of the bins, (k + 1,): from the lower bound to the upper one.

        Raises: InvalidParameter for cuts that do not lie within the bounds.
        """
        if self.cuts is None:
            return self.shape().edges(bounds)
        if not bounds.low < self.cuts[0] <= self.cuts[-1] < bounds.high:
            raise InvalidParameter(
                f"cuts must lie within the column's bounds ({bounds.low:g}, {bounds.high:g})."
            )
        return np.array([bounds.low, *self.cuts, bounds.high])

    def randomisers(self, budget: Budget, people: int) -> tuple[tuple[Randomiser, ...], float]:
        """How a level below the root is reported, from the top, and the ε of each report.

        Raises: as check.
        """
        self.check(budget)
        people = checked_whole(people, "people", 1, MOST_PEOPLE)
        shape, kind = self.shape(), self.randomiser
        sizes = [shape.nodes(level) for level in range(1, shape.height + 1)]
        epsilon = of_a_report(budget, people, None)
        found = tuple(randomiser(epsilon, size, kind) for size in sizes)
        if isinstance(budget, ApproxDP) and shape.height == 1 and kind != "unary":
            own = of_a_report(budget, people, sizes[0])  # a response hides better among others
            response = randomiser(own, sizes[0], "response")
            if kind or response.variance <= found[0].variance:
                return (response,), float(own)
        return found, float(epsilon)

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> LocalRelease:
        """One report of every person, and the counts that follow from all of them.

        Raises: InvalidData for anything but a Column; as check and edges_within.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        self.check(budget)
        edges = self.edges_within(column.bounds)
        randomisers, local = self.randomisers(budget, max(1, column.n))
        below = column.count_below(edges)  # confidential
        below[0], below[-1] = 0, column.n
        levels = self._reported(np.diff(below), randomisers, bits_of(rng))  # spends the budget
        best = efficient_levels(levels, float(column.n))
        leaves = best.counts[-1].size
        fewer = column.n / leaves * (1 - 1 / leaves)
        errors = np.sqrt(np.full(leaves, best.variances[-1]) - fewer)
        return LocalRelease(
            mechanism=self.name,
            parameters={
                "fanout": self.fanout,
                "height": self.height,
                "randomisers": ", ".join(one.kind for one in randomisers),
            },
            edges=edges,
            counts=best.counts[-1],
            standard_errors=errors,
            people=column.n,
            local=local,
            neighbours=Neighbours.REPLACE_ONE,
            spent=budget,
            randomness=kind_of(rng),
        )

    def _reported(self, truths: IntArray, randomisers: Sequence[Randomiser], bits: Bits) -> Levels:
        """Unbiased counts of all nodes, level by level, from those who drew each level."""
        shape, people, left = self.shape(), int(truths.sum()), truths
        counts: list[FloatArray] = [np.array([float(people)])]
        variances: list[FloatArray] = [np.zeros(())]
        for level, chosen in enumerate(randomisers, start=1):
            own = thinned(left, Fraction(1, shape.height - level + 1), bits)
            left = left - own
            drawn = int(own.sum())
            nodes = own.reshape(shape.nodes(level), -1).sum(axis=1)
            scale = max(people, 1) / max(drawn, FEWEST)
            told = chosen.estimates(chosen.reports(nodes, bits), drawn)
            counts.append(told * scale)
            variances.append(np.asarray(level_variance(chosen, max(people, 1), scale)))
        return Levels(shape.fanout, tuple(counts), tuple(variances))


def level_variance(chosen: Randomiser, people: float, scale: float) -> float:
    """Of a node's count where one of `scale` people reports a level, for even truths, records².

    What people toss, and who of them drew the level: as if by levels independently. Since
    everybody draws exactly one, counts of a share f of the people have n f (1 − f) less.
    """
    return people * scale * (chosen.variance + 1 / chosen.choices)


def of_a_report(budget: Budget, people: int, choices: int | None) -> Fraction:
    """The ε of each of so many reports; behind a shuffler never below the budget's own."""
    if isinstance(budget, PureDP):
        return as_written(budget.size)
    assert isinstance(budget, ApproxDP)
    local = local_epsilon(budget, people, choices)
    return max(Fraction(local * SAFE), as_written(budget.size))


def _ascending(value: Any, name: str) -> tuple[float, ...]:
    """The rule that a value is a row of finite numbers that ascend, one of them or more."""
    numbers = real_numbers(value, name)
    if numbers.ndim != 1 or not 1 <= numbers.size < MOST_LEAVES:
        raise InvalidParameter(f"{name} must be from 1 to 2^20 − 1 numbers in a row.")
    if not (np.isfinite(numbers).all() and (np.diff(numbers) > 0).all()):
        raise InvalidParameter(f"{name} must be finite numbers that ascend, each above the last.")
    return tuple(numbers.tolist())


def _a_kind(value: Any, name: str) -> Kind:
    """The rule that a value names a randomiser."""
    if value == "response":
        return "response"
    if value == "unary":
        return "unary"
    raise InvalidParameter(f"{name} must be 'response', 'unary' or None, got {value!r}.")
