"""One node: what it is estimated as under each reading, and which noisy counts that listens to."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.trees.covariance import node_weights
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.figures.trees.names import value
from dpviz.figures.trees.weights import weights_picture
from dpviz.ui.bench.headline import headline, plain, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit.charts import number_table
from dpviz.ui.kit.node_choice import node_picker, node_words
from dpviz.ui.kit.number_text import amount, decimals
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

PREFIX = "t_"
WEIGHTS = "trees_weights"
CHOSEN = "_trees_node"
HEAVIEST = 4  # weights in words
COLUMNS = {
    "count": "People, as each reading estimates them.",
    "s.e.": "Standard error: the root of the variance, known before the draw.",
    "error": "Count − true count in this draw. Confidential.",
}


def take_click(chart: str) -> None:
    """Take over the cell that was clicked: it carries level and number; none clears the choice."""
    st.session_state[CHOSEN] = None
    for point in st.session_state[chart].selection.points[:1]:
        carried = point.get("customdata")  # a list, or a mapping from its positions
        if carried:
            first, second = (0, 1) if isinstance(carried, list) else ("0", "1")
            st.session_state[CHOSEN] = int(carried[first]), int(carried[second])
            st.session_state[f"_{PREFIX}clicked"] = st.session_state[CHOSEN]


def chosen(shape: TreeShape) -> tuple[int, int] | None:
    """The node that was clicked, if this tree has it."""
    found: tuple[int, int] | None = st.session_state.get(CHOSEN)
    if found is None or found[0] > shape.height or found[1] >= shape.nodes(found[0]):
        return None
    return found


def node_view(page: TreePage, now: Visit, _: TreeEstimator) -> tuple[str, str]:
    """Every measurement's weight in one estimate; the readings of the node beside them."""
    release = page.release
    heading = st.container()
    left, right = st.columns([64, 36], gap="medium")
    _start(release.shape)
    with right:
        node = node_picker(release.shape, PREFIX, "From 0 on the left. Or click a cell.")
    weights = page.once("weights", lambda: node_weights(release.levels, *node, release.total), node)
    low, high = (value(edge) for edge in release.edges(node[0])[node[1] : node[1] + 2])
    own = float(weights[node[0]][node[1]])
    with heading:
        finding, second = _sentences(weights, own, f"{low} to {high}")
        headline("Trees", finding, second)
    with left:
        hero(
            weights_picture(
                weights, page.ends, names(), now.look,
                path=release.shape.path(*node),
                title=f"<b>Weight of every noisy count</b> in the estimate for {low} to {high}",
            ),
            WEIGHTS,
            f"Weights of all noisy counts in the estimate of {node_words(*node)}",
            slides="node-weights",
            on_select=partial(take_click, WEIGHTS),
            selection_mode="points",
        )  # fmt: skip
    with right:
        _numbers(page, node, weights)
    strip(now, [("part", f"{low} to {high}"), ("own weight", amount(own, 2))], ledger=True)
    return WEIGHTS, finding


def _start(shape: TreeShape) -> None:
    """At first the node in the middle of the tree: the root says least."""
    level = shape.height // 2
    st.session_state.setdefault(f"{PREFIX}level", level)
    st.session_state.setdefault(f"{PREFIX}node", shape.nodes(level) // 2)


def _sentences(weights: tuple[np.ndarray, ...], own: float, part: str) -> tuple[str, str]:
    used = sum(int(np.count_nonzero(np.abs(level) > 1e-12)) for level in weights)
    finding = f"For {plain(part)} the part's own noisy count weighs only {private(f'{own:.2f}')}."
    if used <= 1:
        finding = f"For {plain(part)} nothing but the part's own noisy count is known."
    return finding, (
        f"The efficient estimate is a weighted sum of {used:,} noisy counts: bars up are added, "
        "bars down subtracted."
    )


def _numbers(page: TreePage, node: tuple[int, int], weights: tuple[np.ndarray, ...]) -> None:
    """The node under each reading; its path, its true count, and the heaviest weights in words."""
    level, index = node
    readings = {one: page.read(one) for one in TreeEstimator}
    counts = np.array([float(one.counts[level][index]) for one in readings.values()])
    errors = np.array(
        [float(np.sqrt(one.node_variances(level)[index])) for one in readings.values()]
    )
    columns, truth = {"count": counts, "s.e.": errors}, page.truth
    if truth is not None:
        columns["error"] = counts - float(truth[level][index])
    places = decimals(errors)
    said = {name: [amount(one, places) for one in column] for name, column in columns.items()}
    table = pd.DataFrame({"reading": [TITLES[one] for one in readings], **said})
    number_table(table, "The node under each estimator", {name: COLUMNS[name] for name in columns})
    path = " → ".join(node_words(*one) for one in page.release.shape.path(level, index))
    true = "" if truth is None else f" True count {truth[level][index]:,.0f}, confidential."
    st.caption(f"Path {path}.{true}")
    st.caption(f"Heaviest weights, by node: {_heaviest(weights)}")


def _heaviest(weights: tuple[np.ndarray, ...]) -> str:
    flat = np.concatenate(weights)
    starts = np.cumsum([0, *[part.size for part in weights]])
    top = np.argsort(-np.abs(flat))[:HEAVIEST]
    depth = np.searchsorted(starts, top, side="right") - 1
    return " · ".join(
        f"{node_words(d, t - starts[d])}: {amount(float(flat[t]), 3)}"
        for d, t in zip(depth, top, strict=True)
    )
