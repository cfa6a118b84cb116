"""Running counts by a square root: what they err by beside trees, and the CDF that comes of them."""

from collections.abc import Hashable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.answers.said import plain
from dpviz.answers.trees import running, running_said
from dpviz.answers.trees.names import leaves_text
from dpviz.answers.trees.running import RunningNumbers
from dpviz.core.arrays import FloatArray
from dpviz.core.errors import DpvizError
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.counts.levels import count_below_edges
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.trees.edge_errors import edge_errors_picture
from dpviz.figures.trees.curve import Curve, tree_curve
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.reports.tables import table_csv
from dpviz.ui.bench.hero import drawn
from dpviz.ui.bench.release import ask_button
from dpviz.ui.kit import memory
from dpviz.ui.kit.draws import NotAsked
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View, standing
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HERO, CDF = "trees_prefixes", "trees_prefix_cdf"
LEAST, MOST = 2, 1 << 14  # edges at which a tree's errors are worked out
WRONG_SIZE = "Errors at every edge are shown for {:,} to {:,} leaves; this tree has {}."
OF = "What the tree promises is promised here: the same budget, spent on running counts in its place."


def instead(page: TreePage, _: Visit, __: Values) -> View[TreePage, Any] | None:
    """What stands in the view's place where the size of the tree does not fit."""
    leaves = page.choice.shape.leaves
    if LEAST <= leaves <= MOST:
        return None
    said = WRONG_SIZE.format(LEAST, MOST, leaves_text(leaves))
    return standing(said, strip=[("parts", f"{leaves:,}")])


def key(page: TreePage, _: Values) -> Hashable:
    """What the errors depend on: public choices, and the declared bounds."""
    choice = page.choice
    return choice.tree, choice.budget, choice.shape, page.ends


def numbers(page: TreePage, _: Values) -> RunningNumbers:
    """Errors at every edge by each way."""
    choice = page.choice
    return running.answer(choice.tree, choice.shape.leaves, choice.budget, page.ends)


def draw(page: TreePage, found: RunningNumbers, _: Values, look: Look) -> Picture:
    """A line a way along the axis."""
    return edge_errors_picture(found.every, found.bound, page.ends, names(), look)


def below(shown: Shown[TreePage, RunningNumbers]) -> None:
    """The CDF of one release of running counts."""
    page, now = shown.asked, shown.now
    if shown.numbers.moved is not None:
        chosen = partial(state.put, "notion", "zcdp")
        st.button("Choose a budget in ρ", key="prefix_rho", on_click=chosen)
        return
    st.caption(OF)
    try:
        release = _release(page)
    except NotAsked as waits:
        ask_button(waits)
        return
    except DpvizError as error:
        st.caption(plain(str(error)))
        return
    found = running.curve(release, _truth(page) if now.truth else None)
    drawn_curve = Curve(found.edges, found.counts, found.band, None, found.smooth, found.truth)
    nouns = names()
    said = f"{nouns.safe().people.capitalize()} below each {nouns.safe().axis}, one release"
    sure = "band: 95 % certain at each edge"
    drawn(
        tree_curve(drawn_curve.thinned(), nouns, now.look, said=said, sure=sure),
        CDF,
        "Running counts by a square root with their band",
        slides="running-counts-cdf",
        height=420,
    )
    if off := running_said.drawn_off(found):
        st.markdown(off)
    if not page.draw.is_teaching(release):
        left, right = st.columns(2)
        left.download_button(
            "Release as JSON", release.to_json(), "running-counts.json", "application/json",
            key="prefix_json", on_click="ignore",
        )  # fmt: skip
        right.download_button(
            "Release as CSV",
            table_csv(
                ("edge", "count", "standard error"),
                zip(*(one.tolist() for one in (found.edges, found.counts, found.errors)), strict=True),
            ),
            "running-counts.csv", "text/csv", key="prefix_csv", on_click="ignore",
        )  # fmt: skip


def _truth(page: TreePage) -> FloatArray:
    """Exact running counts at every edge, counted once. Confidential."""
    shape = PrefixSums(page.choice.shape.leaves).shape
    return memory.public(
        page.column,
        ("running counts", page.column.fingerprint, shape),
        lambda: count_below_edges(page.column, shape).astype(np.float64),
    )


def _release(page: TreePage) -> PrefixRelease:
    """Made and paid when it is asked for, once a draw."""
    mechanism = PrefixSums(page.choice.shape.leaves, page.choice.tree.neighbours)
    return page.drawn(mechanism, "prefix sums", "running counts")
