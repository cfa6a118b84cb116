"""Noisy counts of named places on all levels of a public list, for one budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import BOTH, Card
from dpviz.core.choices import settle_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData, InvalidParameter
from dpviz.core.randomness.bits import Randomness, bits_of, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.named_places import NamedPlaces, Rows
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.counting.noisy_counts import level_scales, noisy_levels
from dpviz.mechanisms.requests import check_column_request


@dataclass(frozen=True)
class PlaceCounts:
    """Counts of every place of a public list, each with noise for one record on each level.

    levels are the names of the list's levels, the widest first, and places a row of names for each
    place of the last one; the whole stands above them. shares are in proportion to the levels'
    parts of the budget, the whole's first; None is an even split, 0 leaves a level out. A record
    elsewhere is in no count, whoever else is in the data. One that joins or leaves changes a count
    by 1 on each level, a replaced one up to two. The noise is on whole numbers, exactly.

    >>> towns = dp.PlaceCounts(["town"], [["Elm"], ["Oak"]])
    >>> towns.release(towns.column({"town": ["Oak", "Oak", "?"]}), dp.PureDP(9), rng).counts
    (array([2.]), array([0., 2.]))

    Guarantee: discrete Laplace noise in ε, discrete Gaussian in ρ and (ε, δ).
    Raises: InvalidParameter for levels, places or shares that do not fit each other.
    Source: Cormode et al. 2012, §4, on a tree that is given.
    """

    levels: Sequence[str]
    places: Sequence[Sequence[str]]
    shares: Sequence[float] | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "PlaceCounts"
    card: ClassVar[Card] = Card(
        key="PlaceCounts",
        title="Counts of named places",
        label="named places",
        words="counts of named places",
        lead="Country, states, counties: a count of each, for one budget.",
        promises=("pure", "zcdp", "approx"),
        price="on each of L levels noise of about L/ε records",
        use="counts of public places on several levels",
        family="Trees",
        summary="Counts the records of every place of a public list, on each level with a share of "
        "the budget. Least squares bring the levels together.",
        guarantee="pure ε (discrete Laplace), ρ-zCDP and (ε, δ) (discrete Gaussian)",
        neighbours=BOTH,
        cost="One look at each record, and a draw for each place.",
        good_for="Tables of states, counties and towns that fit each other.",
        watch_out="Noise is as large for a small place as for a large one: whoever lives in a "
        "small place is told of least.",
        source="Cormode et al. 2012, §4, on a tree that is given",
        holds="exact",
    )

    def __post_init__(self) -> None:
        found = self.listed
        for name, value in (("levels", found.levels), ("places", found.places)):
            object.__setattr__(self, name, value)
        if self.shares is not None:
            shares = LevelBudget.own(self.shares).shares(len(found.levels))
            if not shares[-1] > 0:
                raise InvalidParameter("shares must give the last level a part of the budget.")
            object.__setattr__(self, "shares", shares)
        settle_choices(self, neighbours=Neighbours)

    @cached_property
    def listed(self) -> NamedPlaces:
        """The public list, made and checked once."""
        return NamedPlaces(self.levels, self.places)  # type: ignore[arg-type]

    @property
    def level_shares(self) -> tuple[float, ...]:
        """The parts of the budget, the whole's first, in all 1."""
        levels = len(self.levels)
        return LevelBudget.uniform().shares(levels) if self.shares is None else tuple(self.shares)

    def scales(self, budget: Budget) -> tuple[float, ...]:
        """Of the noise of each level, in records, ∞ where it is left out.

        Raises: InvalidBudget for a budget that no noise goes with.
        """
        return level_scales(Noise.for_budget(budget), budget, self.level_shares, self.neighbours)

    @property
    def bounds(self) -> Bounds:
        """Those of a column of places by their numbers, in steps of 1."""
        return Bounds(0, len(self.places))

    def column(self, rows: Rows) -> Column:
        """Where each row lies, as release takes it; rows are columns by the levels' names.

        Each row is found by itself, by its cells as texts without spaces around them; a row of no
        place of the list is as one without a value. For people with several rows take
        dp.person_column(persons, made.listed.located(rows), made.bounds, 1, …).
        Raises: InvalidData for a level without a column, or columns of several lengths.
        """
        return Column.from_values(self.listed.located(rows), self.bounds, 1.0)

    @usual_floats
    def release(
        self, column: Column, budget: Budget, rng: Randomness | None = None
    ) -> PlaceRelease:
        """Spend the budget once.

        Raises: InvalidData for anything but a Column of these places, InvalidBudget; as scales.
        """
        rng = or_secure(rng)
        check_column_request(column, budget, rng)
        if (column.bounds, column.resolution) != (self.bounds, 1.0):
            raise InvalidData(
                "The column holds no places of this list: make it with .column(rows)."
            )
        scales, listed = self.scales(budget), self.listed
        exact = [  # confidential
            np.diff(column.count_below([*starts, len(self.places)])).astype(np.float64)
            for starts in listed.starts
        ]
        noise = Noise.for_budget(budget)
        return PlaceRelease(
            mechanism=self.name,
            parameters={"shares": list(self.level_shares), "noise": noise.value},
            places=listed,
            counts=noisy_levels(exact, noise, scales, bits_of(rng)),  # spends the budget
            noise=noise,
            scales=scales,
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )
