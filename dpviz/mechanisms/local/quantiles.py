"""LocalQuantiles: quantiles from one bit a person, each asked where the others' answers point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import ApproxDP, Budget, Neighbours
from dpviz.core.card import Card
from dpviz.core.checks import checked_whole, settle, whole
from dpviz.core.data.column import Column
from dpviz.core.edges import equal_edges
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Bits, Randomness, bits_of, kind_of, or_secure
from dpviz.core.randomness.fair_coins import thinned
from dpviz.core.trees.local_release import LocalQuantileRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.local.counts import of_a_report
from dpviz.mechanisms.local.randomisers import HALF, Response, check_local_budget
from dpviz.mechanisms.local.search import crossing
from dpviz.mechanisms.local.shuffling import MOST_PEOPLE
from dpviz.mechanisms.requests import check_column_request

MOST_ROUNDS, MOST_HEIGHT = 1 << 8, 20
FAR = 6  # standard deviations by which a round may be smaller than most, behind a shuffler


@dataclass(frozen=True, slots=True)
class LocalQuantiles:
    """Quantiles from one bit a person: "does your value lie below this cut?", randomised.

    Everybody draws one quantile and one round by coins. Rounds follow each other, and all people of
    a round are asked at the same cut: where the answers so far put the quantile with even chances
    on both sides. Cuts lie on a grid of 2^height cells between the bounds. How many people report
    is public, and each answers once.

    With (ε, δ) a trusted shuffler hands on each round's answers in random order, and each may tell
    more; a round with fewer people than that counts on is left out. The reports of a column are
    simulated from it: whoever computes them here has seen it. Their sums have exactly the law of
    single reports.

    >>> found = dp.LocalQuantiles().release(column, [0.5], dp.PureDP(1), rng)
    >>> found.values.round(1), int(found.asked.sum())
    (array([59.]), 6000)

    Guarantee: PureDP of every single report, whoever reads it and whatever was asked before;
    ApproxDP of all of them, shuffled, by a proved bound up to rounding. One value is replaced; who
    takes part is no secret. The error of a rank is measured, not bounded: at ε = 1
    and 10,000 people 1.1 to 2 times that of a count, by how the values lie.
    Raises: InvalidParameter for rounds that are no power of 2 up to 256 and for a height outside
    1 … 20; UnsupportedBudget for ρ; InvalidBudget for ε outside 1e-9 … 30.
    Source: after Aamand, Boninsegna, Gentle, Imola and Pagh 2025; Karp and Kleinberg 2007.
    """

    rounds: int = 64
    height: int = 16

    name: ClassVar[str] = "LocalQuantiles"
    card: ClassVar[Card] = Card(
        key="LocalQuantiles",
        title="Quantiles by local answers",
        label="local search",
        words="a quantile nobody is trusted with",
        lead="Every person answers one question, with a coin in between.",
        promises=("pure", "approx"),
        price="noise that grows with the root of the people",
        use="a median where nobody may be trusted with the data",
        family="Quantiles",
        summary="A binary search with noise. Each person says, by randomised response, whether "
        "their value lies below one cut; the answers of a round decide where the next people are "
        "asked. Least squares that ascend say how likely the quantile lies in each cell.",
        guarantee="pure ε of every report; (ε, δ) of each round's behind a trusted shuffler",
        neighbours="replace one record; who takes part is public",
        cost="one bit a person, in 64 rounds",
        good_for="one median of many people and no server that all of them trust",
        watch_out="people are split among quantiles: for many, counts from local reports and "
        "their CDF err less",
        source="after Aamand et al. 2025; Karp and Kleinberg 2007; the weights by this project",
        holds="exact",
    )

    def __post_init__(self) -> None:
        settle(self, rounds=_power, height=whole(1, MOST_HEIGHT))

    def check(self, budget: Budget) -> None:
        """Refuse a budget under which nobody can report.

        Raises: as release.
        """
        check_local_budget(budget)

    def smallest_round(self, budget: Budget, people: int, quantiles: int = 1) -> int:
        """How many people a round needs to be asked: one, or behind a shuffler nearly as usual.

        Raises: InvalidParameter for people or quantiles that are no whole numbers from 1 up.
        """
        people = checked_whole(people, "people", 1, MOST_PEOPLE)
        quantiles = checked_whole(quantiles, "quantiles", 1, MOST_PEOPLE)
        if not isinstance(budget, ApproxDP):
            return 1
        usual = people / (quantiles * self.rounds)
        return max(1, math.floor(usual - FAR * math.sqrt(usual)))

    def randomiser(self, budget: Budget, people: int, quantiles: int = 1) -> tuple[Response, float]:
        """How a yes or no is reported, and the ε of each report.

        Raises: as check and smallest_round.
        """
        self.check(budget)
        least = self.smallest_round(budget, people, quantiles)
        epsilon = of_a_report(budget, least, 2)
        return Response.under(epsilon, 2), float(epsilon)

    @usual_floats
    def release(
        self,
        column: Column,
        quantiles: Iterable[float] | float,
        budget: Budget,
        rng: Randomness | None = None,
    ) -> LocalQuantileRelease:
        """One answer of every person, and the quantiles that follow from all of them.

        Raises: InvalidData for anything but a Column; InvalidQuantiles; as check.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        asked = QuantileSet.of(quantiles)
        people, searches = max(1, column.n), asked.count
        response, local = self.randomiser(budget, people, searches)
        least = self.smallest_round(budget, people, searches)
        edges = equal_edges(column.bounds, 1 << self.height)
        below = column.count_below(edges)  # confidential
        below[0], below[-1] = 0, column.n
        left, bits = np.diff(below), bits_of(rng)
        places = np.flatnonzero(left)  # of cells with people; the others need no coins
        left = left[places]
        found = []
        for place, quantile in enumerate(asked.distinct.tolist()):
            own = thinned(left, Fraction(1, searches - place), bits)
            left = left - own
            rounds = _parted(own, self.rounds, bits)
            search = _Search(quantile, response, 1 << self.height)
            found.append(search.through(rounds, places, least, bits))  # spends the budget
        at, cuts, drawn, yes = (np.array(one) for one in zip(*found, strict=True))
        return LocalQuantileRelease(
            mechanism=self.name,
            parameters={"rounds": self.rounds, "height": self.height},
            quantiles=asked.asked,
            values=asked.in_order_asked(_placed(at, edges)),
            cuts=edges[cuts[asked.position]],
            asked=drawn[asked.position],
            yes=yes[asked.position],
            bounds=column.bounds,
            people=column.n,
            local=local,
            neighbours=Neighbours.REPLACE_ONE,
            spent=budget,
            randomness=kind_of(rng),
        )


@dataclass(frozen=True, slots=True)
class _Search:
    """One quantile, looked for by answers under a randomiser among so many cells."""

    quantile: float
    response: Response
    cells: int

    def through(
        self, rounds: Iterable[IntArray], places: IntArray, least: int, bits: Bits
    ) -> tuple[float, IntArray, IntArray, IntArray]:
        """Where the quantile lies, in cells; cuts, people asked and how many said yes, by round.

        rounds hold the people of each by cell, (k,), whose cells are places (k,), ascending. A
        round of fewer than least is not asked.
        """
        found = np.empty((3, 0), dtype=np.int64)
        for own in rounds:
            cut = min(max(round(self.place(found)), 1), self.cells - 1)
            people, yes = int(own.sum()), 0
            people *= people >= least
            if people:
                below = int(own[: np.searchsorted(places, cut)].sum())
                yes = int(self.response.reports(np.array([below, people - below]), bits)[0])
            found = np.append(found, [[cut], [people], [yes]], axis=1)
        return self.place(found), found[0], found[1], found[2]

    def place(self, found: IntArray) -> float:
        """The median of where the quantile lies, from all answers so far."""
        cuts, people, yes = found[:, found[1] > 0]
        if not cuts.size:
            return self.cells / 2
        told = float(1 - self.response.any)
        shares = self.response.estimates(yes, people) / people
        return crossing(cuts, shares, people * (4 * told * told), self.quantile, self.cells)


def _parted(counts: IntArray, parts: int, bits: Bits) -> Iterator[IntArray]:
    """People by cell, halved by coins until there are so many parts."""
    if parts == 1:
        yield counts
        return
    heads = thinned(counts, HALF, bits)
    yield from _parted(heads, parts // 2, bits)
    yield from _parted(counts - heads, parts // 2, bits)


def _placed(at: FloatArray, edges: FloatArray) -> FloatArray:
    """Values at places that count cells."""
    return np.interp(at, np.arange(edges.size), edges)


def _power(value: Any, name: str) -> int:
    """The rule that a value is a power of 2, from 1 to 256."""
    found = checked_whole(value, name, 1, MOST_ROUNDS)
    if found & (found - 1):
        raise InvalidParameter(f"{name} must be a power of 2 up to 256, got {found}.")
    return found
