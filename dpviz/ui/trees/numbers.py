"""The numbers beside and under the picture of a tree: of one node, and of the whole release."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.covariance import node_weights
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.figures.trees.view import ancestors
from dpviz.ui.kit.charts import number_cards, number_table
from dpviz.ui.kit.number_text import amount, decimals, significant
from dpviz.ui.trees.controls import NOISE_NAMES

HEAVIEST = 4  # weights shown
COLUMNS = {
    "count": "Records, as each reading estimates them.",
    "s.e.": "Standard error: the root of the variance, known before the draw.",
    "error": "Count − true count in this draw. Confidential.",
}


def standard_error(levels: Levels, node: tuple[int, int]) -> float:
    """The standard error of one node in records."""
    level, index = node
    return float(np.sqrt(levels.node_variances(level)[index]))


def node_numbers(
    release: TreeRelease,
    readings: Mapping[TreeEstimator, Levels],
    truth: tuple[FloatArray, ...] | None,
    node: tuple[int, int],
) -> None:
    """The node's interval, path, counts and errors; truth is confidential."""
    level, index = node
    path = " → ".join(f"{depth}.{at}" for depth, at in ancestors(release.fanout, level, index))
    low, high = release.edges(level)[index : index + 2]
    st.markdown(f"**Node {level}.{index}**: {low:,.6g} to {high:,.6g}  \n:small[path {path}]")
    exact = None if truth is None else float(truth[level][index])
    number_table(_table(readings, exact, node), "The node under each estimator", COLUMNS)
    if exact is not None:
        st.caption(f"True count {exact:,.0f}; it and the errors are confidential.")
    st.caption(
        f"Heaviest weights, by node: {_weights(release, node)}",
        help="The efficient estimate is a weighted sum of all noisy counts; these are the "
        "measurements with the largest weights.",
    )


def _table(
    readings: Mapping[TreeEstimator, Levels], exact: float | None, node: tuple[int, int]
) -> pd.DataFrame:
    level, index = node
    counts = np.array([float(levels.counts[level][index]) for levels in readings.values()])
    errors = np.array([standard_error(levels, node) for levels in readings.values()])
    columns = {"count": counts, "s.e.": errors}
    if exact is not None:
        columns["error"] = counts - exact
    places = decimals(errors)
    said = {name: [amount(one, places) for one in column] for name, column in columns.items()}
    return pd.DataFrame({"reading": [TITLES[one] for one in readings], **said})


def _weights(release: TreeRelease, node: tuple[int, int]) -> str:
    """Which measurements the efficient estimate listens to."""
    weights = node_weights(release.levels, *node, release.total)
    flat = np.concatenate(weights)
    starts = np.cumsum([0, *[part.size for part in weights]])
    top = np.argsort(-np.abs(flat))[:HEAVIEST]
    depth = np.searchsorted(starts, top, side="right") - 1
    return " · ".join(
        f"{d}.{t - starts[d]}: {amount(float(flat[t]), 3)}" for d, t in zip(depth, top, strict=True)
    )


def tree_strip(
    release: TreeRelease,
    readings: Mapping[TreeEstimator, Levels],
    reading: TreeEstimator,
    truth: tuple[FloatArray, ...] | None,
    node: tuple[int, int],
) -> None:
    """Noise, standard error, budget, and with the truth how far the leaves are off."""
    title, levels = TITLES[reading], readings[reading]
    noise = float(np.sqrt(release.variances[-1]))
    error = standard_error(levels, node)
    variance = significant(error**2, 3)
    where = f"node {node[0]}.{node[1]}, {title}; variance {variance}"
    cards = [
        ("Noise of a leaf", significant(noise, 3), f"σ, {NOISE_NAMES[release.noise]} noise"),
        ("Standard error", significant(error, 3), where),
    ]
    if truth is not None:
        off, raw = (
            significant(mean_leaf_error(one, truth), 3)
            for one in (levels, readings[TreeEstimator.RAW])
        )
        cards.append(("Leaves off by", off, f"on average, {title}; raw {raw}; confidential"))
    cards.append(("Budget spent", str(release.spent), f"{release.neighbours.value} neighbours"))
    number_cards(cards)


def mean_leaf_error(levels: Levels, truth: tuple[FloatArray, ...]) -> float:
    """Mean |error| over the leaves in records, NaN where none is known. Confidential."""
    off = np.abs(levels.counts[-1] - truth[-1])
    known = off[np.isfinite(off)]
    return float(known.mean()) if known.size else float("nan")
