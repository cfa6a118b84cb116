"""Private record matching: two parties, and what the first one's cells save them."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dpviz.answers.spatial import matching
from dpviz.answers.spatial.matching import MatchingNumbers, MatchingQuestion, halves
from dpviz.core.data.points import Points
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import FREE, Draw, purpose_of, wait_for_all
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.spatial.cells import Drawn
from dpviz.ui.spatial.methods import MapChoice
from dpviz.ui.spatial.page import MapPage

DISTANCES = (0.0, 0.0005, 0.001, 0.005, 0.01)  # shares of the box
COLUMNS = {
    "pairs compared": st.column_config.NumberColumn(
        format="localized", help="Pairs that go to the secure comparison, dummies included."
    ),
    "all pairs": st.column_config.NumberColumn(
        format="localized", help="Every record of one party with every record of the other."
    ),
    "reduction ratio": st.column_config.NumberColumn(
        format="percent", help="1 − pairs compared / all pairs: the part that need not be compared."
    ),
    "records kept": st.column_config.NumberColumn(
        format="percent",
        help="The share of the first party's records that are compared at all: a noisy count below "
        "the true one leaves some out.",
    ),
}


def _first_partys(
    one: Drawn, first: Points, choice: MapChoice, draw: Draw
) -> SpatialRelease | Cells:
    leaves = _leaves_only(one.mechanism)
    purpose, paid = _half(one, first, choice)
    draw.book(purpose, paid=paid)
    return memory.remembered(
        (*purpose, draw),
        lambda: draw.released(lambda rng: leaves.release(first, choice.budget, rng), purpose),
    )


def _half(
    one: Drawn, first: Points, choice: MapChoice
) -> tuple[tuple[object, ...], Sequence[Cost]]:
    """What names the release of the first party's half, and what it spends."""
    costs = [Cost(f"{one.name}, first party's half", choice.budget)]
    purpose = purpose_of(_leaves_only(one.mechanism), first, choice.budget, "first party")
    return purpose, FREE if one.release.non_private else costs


def _wait(one: Drawn, first: Points, choice: MapChoice, draw: Draw) -> None:
    purpose, paid = _half(one, first, choice)
    draw.wait(purpose, paid=paid)


def _leaves_only(mechanism: SpatialMechanism) -> SpatialMechanism:
    """The same tree with all count budget at its leaves, as matching wants it."""
    if isinstance(mechanism, Quadtree | KdTree | HilbertTree):
        return replace(mechanism, levels=LevelBudget.leaves_only())
    return mechanism


def key(page: MapPage, values: Values) -> Hashable:
    """The first party's releases: all are drawn first, for what is booked hangs on no record."""
    first, _ = _halves(page)
    wait_for_all(partial(_wait, one, first, page.choice, page.draw) for one in page.shown)
    for one in page.shown:
        _first_partys(one, first, page.choice, page.draw)
    return page.key, values["m_distance"]


def numbers(page: MapPage, values: Values) -> tuple[MatchingNumbers, ...]:
    """What the cells of each method spare."""
    first, second = _halves(page)
    drawn = [(one, _first_partys(one, first, page.choice, page.draw)) for one in page.shown]
    return tuple(
        matching.answer(MatchingQuestion(one.name, release, first, second, values["m_distance"]))
        for one, release in drawn
    )


def between(shown: Shown[MapPage, tuple[MatchingNumbers, ...]]) -> None:
    """How matching works, the distance, and the numbers as a table."""
    st.caption(
        "Two parties hold half of the points each (every second person). The first releases its "
        "cells, all count budget at the leaves; only pairs of one cell, grown by the distance, go to "
        "the secure comparison (Cormode et al. 2012, §8.3)."
    )
    shown.group("m_distance")
    rows = [(one.name, one.compared, one.every, one.spared, one.kept) for one in shown.numbers]
    table = pd.DataFrame(rows, columns=["method", *COLUMNS])
    with st.expander("The numbers"):
        st.dataframe(table, hide_index=True, alt="Record matching", column_config=COLUMNS)


def _halves(page: MapPage) -> tuple[Points, Points]:
    assert isinstance(page.points, Points)  # the view asks for them
    return halves(page.points)
