"""All columns of a table under one budget: a line a column, one table, one release."""

from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from dpviz.answers.number_text import counted
from dpviz.answers.quantiles import profile as profiles
from dpviz.answers.quantiles import profile_said
from dpviz.answers.said import Said, unmarked
from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.core.releases import ProfileRelease
from dpviz.figures.quantiles.profile import Portrait, profile_picture
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.profile import MOST_COLUMNS, Profile
from dpviz.metrics.quantiles import true_quantiles
from dpviz.ui import visitor
from dpviz.ui.bench.cards import quiet
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.offers import Offer, offer_buttons
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown as OnScreen
from dpviz.ui.model.render import View, standing
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.visit import data, declared, state
from dpviz.ui.visit.page import Visit

WEIGHTS = "_profile_weights"  # by the scope of a column
FIELDS = {
    "low": "the least that a value could be",
    "high": "the most that it could be",
    "steps": "1 for whole numbers, 0 for none",
    "weight": "of the budget; 0 leaves the column out",
}


@dataclass(frozen=True, slots=True, eq=False)
class Profiled:
    """The columns that are declared, with their weights, and what was released of them."""

    columns: dict[str, Column]
    weights: dict[str, float]
    release: ProfileRelease


def _instead(_: QuantilesPage, __: Visit, ___: Values) -> View[QuantilesPage, None] | None:
    if _chosen():
        return None
    said = "No column is in the profile.", "Type bounds and weights below."
    return standing(*said, above=lambda _: declare_table())


def _say(page: QuantilesPage, one: Profiled) -> Said:
    asked, found = page.question, profiles.answer(one.release, one.weights)
    said = profile_said.say(found, asked.budget.symbol, str(asked.spent))
    return replace(said, alt=unmarked(f"{said.headline()} {said.second()}"))


@dataclass(frozen=True, slots=True)
class Declared:
    """A column with numbers: where it stands, what is declared of it, its share by weight."""

    name: str
    scope: str
    at: int
    bounds: Bounds | None
    step: float
    weight: float

    def column(self) -> Column:
        """Its values or counts inside the bounds.

        Raises: DpvizError as reading or counting it does.
        """
        assert self.bounds is not None
        own = session.upload()
        if session.is_upload() and own is not None:
            return session.own_column(own, self.name, self.bounds, self.step)
        return session.sample_column(self.at, self.bounds, self.step)


def every_column() -> list[Declared]:
    """The columns with numbers of the data in use, and the one that is in use, in their order."""
    own = session.upload()
    if session.is_upload() and own is not None:
        names = [one.name for one in own.table.columns]
        numeric = {one.name for one in own.table.numeric_columns} | {own.column}
        return [
            _declared(name, f"own{own.number}_{at}", at, None, 0.0)
            for at, name in enumerate(names)
            if name in numeric
        ]
    one = session.chosen_sample()
    rows = zip(one.columns, data.sample_scopes(one), one.bounds, strict=True)
    return [
        _declared(name, scope, at, bounds, one.resolution)
        for at, (name, scope, bounds) in enumerate(rows)
    ]


def _declared(name: str, scope: str, at: int, own: Bounds | None, step: float) -> Declared:
    low, high = declared.of(scope, "low"), declared.of(scope, "high")
    if own is not None:
        low, high = own.low if low is None else low, own.high if high is None else high
    made = declared.of(scope, "resolution")
    bounds = None
    if low is not None and high is not None and low < high:
        bounds = Bounds(low, high)
    weight = float(visitor.get(WEIGHTS, {}).get(scope, 1.0))
    return Declared(name, scope, at, bounds, step if made is None else made, weight)


def _chosen() -> list[Declared]:
    found = [one for one in every_column() if one.bounds is not None and one.weight > 0]
    return found[:MOST_COLUMNS]


def _released(page: QuantilesPage, _: Values) -> Profiled:
    """The release of this draw, made and paid once: every column with declared bounds."""
    chosen = _chosen()
    columns = {one.name: one.column() for one in chosen}
    weights = {one.name: one.weight for one in chosen}
    own = session.upload() if session.is_upload() else None
    prepared = None if own is None else (own.drop_unreadable, own.people)
    asked = page.question
    mechanism = Profile(ApproximateQuantiles(neighbours=session.neighbours(), round_to_grid=True))
    quantiles = QuantileSet.of(asked.quantiles.distinct)  # in any order, the same release
    parts = tuple(
        (name, one.bounds, one.resolution, one.digest, memory.nonce_of(one))
        for name, one in columns.items()
    )
    purpose = (
        mechanism, parts, tuple(weights.items()), prepared, session.neighbours(),
        tuple(quantiles.asked.tolist()), asked.budget,
    )  # fmt: skip
    key = ("profile", purpose, asked.draw)

    paid = [Cost(f"profile of {counted(len(columns), 'column')}", asked.budget)]
    asked.draw.wait(purpose, paid=paid)

    def compute() -> ProfileRelease:
        return asked.draw.released(
            lambda rng: mechanism.release(columns, quantiles, asked.budget, rng, weights), purpose
        )

    def pay() -> None:
        asked.draw.book(purpose, paid=paid)

    return Profiled(columns, weights, memory.public(asked.column, key, compute, pay))


def _portraits(page: QuantilesPage, one: Profiled) -> list[Portrait]:
    found = []
    for name, release in one.release.releases.items():
        column = one.columns[name]
        seen = page.now.truth and column.n > 0
        found.append(
            Portrait(
                name, release.bounds, release.resolution, release.quantiles, release.values,
                true_quantiles(column, release.quantiles) if seen else None,
            )
        )  # fmt: skip
    return found


def _below(shown: OnScreen[QuantilesPage, Profiled]) -> None:
    """The numbers as one table, what is declared, and the release as a file."""
    one, said = shown.numbers, shown.said
    st.space("medium")
    with st.container(key="under_picture"):
        for table in said.tables:
            said_table(table)
        offer_buttons([Offer("Profile as JSON", one.release.to_json, "profile.json",
                             "application/json", "What may leave: releases, and nothing true")])  # fmt: skip
        declare_table()


def declare_table() -> None:
    """Bounds, steps and weights of all columns in one place; nothing in it comes from the data."""
    quiet("Declared, and public: type the bounds of a column, and it joins the profile.")
    every = every_column()
    ends = [
        (None, None) if one.bounds is None else (one.bounds.low, one.bounds.high) for one in every
    ]
    frame = pd.DataFrame(
        {
            "column": [one.name for one in every],
            "low": pd.array([low for low, _ in ends], dtype="Float64"),
            "high": pd.array([high for _, high in ends], dtype="Float64"),
            "steps": [one.step for one in every],
            "weight": [one.weight for one in every],
        }
    )
    numbers = {name: st.column_config.NumberColumn(help=text) for name, text in FIELDS.items()}
    made = st.data_editor(
        frame, hide_index=True, disabled=["column"], column_config=numbers, key="profile_declared"
    )
    st.button(
        "Take these declarations", icon=":material/check:", on_click=_take, args=(every, made)
    )


def _take(every: list[Declared], made: pd.DataFrame) -> None:
    """Keep what was typed; a pair of bounds out of order leaves its column out, and is not kept."""
    weights = visitor.first(WEIGHTS, dict)
    for one, (_, row) in zip(every, made.iterrows(), strict=True):
        low, high = row["low"], row["high"]
        if not (pd.isna(low) or pd.isna(high)) and low < high:
            state.put(declared.key(one.scope, "low"), float(low))
            state.put(declared.key(one.scope, "high"), float(high))
        step, weight = row["steps"], row["weight"]
        if not pd.isna(step) and step >= 0:
            state.put(declared.key(one.scope, "resolution"), float(step))
        weights[one.scope] = 0.0 if pd.isna(weight) else max(0.0, float(weight))
    visitor.forget("profile_declared")


VIEW: View[QuantilesPage, Profiled] = View(
    "profile", "All columns", _released, say=_say,
    draw=lambda page, one, _, look: profile_picture(_portraits(page, one), look),
    hero="profile", file="profile", instead=_instead, below=_below, saved=False,
)  # fmt: skip
