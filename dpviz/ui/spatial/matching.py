"""Private record matching: two parties, and what the first one's cells save them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dpviz.core.data.points import Points
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.figures.kit.picture import Picture
from dpviz.figures.spatial.matching import Pairs, matching_picture
from dpviz.figures.spatial.sentences import upper
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.metrics.record_matching import match_records
from dpviz.ui.bench.headline import headline, private, true
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.choices import steps
from dpviz.ui.kit.draws import FREE, Draw, purpose_of, wait_for_all
from dpviz.ui.kit.messages import plain
from dpviz.ui.spatial.asked import Asked
from dpviz.ui.spatial.cells import Drawn
from dpviz.ui.spatial.methods import MapChoice
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.visit.page import Visit

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


def matching_panel(page: MapPage, _: Asked, now: Visit) -> None:
    """Private record matching between two halves of the points."""
    place = st.container()
    st.caption(
        "Two parties hold half of the points each (every second person). The first releases its "
        "cells, all count budget at the leaves; only pairs of one cell, grown by the distance, go to "
        "the secure comparison (Cormode et al. 2012, §8.3)."
    )
    share = steps(
        "Distance, as a share of the box",
        (0.0, 0.0005, 0.001, 0.005, 0.01),
        "m_distance",
        default=0.001,
        bind=None,
        persist_state=None,
        width=360,
    )
    table = _matched(page, share)
    with place:
        headline("Map", _finding(table), "Confidential: it depends on both sides' people.")
        hero(_picture(table, now), "matching", unmarked(_finding(table)), slides="matching")
    with st.expander("The numbers"):
        st.dataframe(table, hide_index=True, alt="Record matching", column_config=COLUMNS)
    strip(now, [("method", " and ".join(one.name for one in page.shown))], ledger=now.truth)


def _picture(table: pd.DataFrame, now: Visit) -> Picture:
    rows = zip(*(table[name] for name in table.columns), strict=True)
    return matching_picture(
        [Pairs(str(name), float(some), float(every), float(kept))
         for name, some, every, _, kept in rows], now.look,
    )  # fmt: skip


def _matched(page: MapPage, share: float) -> pd.DataFrame:
    points, box, rows = page.points, page.box, []
    assert isinstance(points, Points)  # the view asks for them
    first = Points.from_xy(points.x[::2], points.y[::2], box)
    second = Points.from_xy(points.x[1::2], points.y[1::2], box)
    wait_for_all(partial(_wait, one, first, page.choice, page.draw) for one in page.shown)
    # all are drawn first: what is booked hangs on no record
    drawn = [_first_partys(one, first, page.choice, page.draw) for one in page.shown]
    for one, release in zip(page.shown, drawn, strict=True):
        matching = match_records(release, first, second, (share * box.x.width, share * box.y.width))
        rows.append(
            {
                "method": one.name,
                "pairs compared": matching.compared,
                "all pairs": matching.all_pairs,
                "reduction ratio": matching.reduction_ratio,
                "records kept": matching.kept,
            }
        )
    return pd.DataFrame(rows)


def _finding(table: pd.DataFrame) -> str:
    """What the first method's cells spare."""
    first = table.iloc[0]
    spared, kept = (
        f"{first[name]:.1%}".replace("%", " %") for name in ("reduction ratio", "records kept")
    )
    name = plain(upper(str(first["method"])))
    return (
        f"{name} spares {private(spared)} of the comparisons and keeps {true(kept)} of the people."
    )
