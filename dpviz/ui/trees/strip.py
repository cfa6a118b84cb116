"""The strip of numbers under the picture of a tree."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.marks import TITLES
from dpviz.metrics.tree import node_errors
from dpviz.ui.kit.charts import number_cards
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees.controls import NOISE_NAMES
from dpviz.ui.trees.nodes import standard_error


def tree_strip(
    release: TreeRelease,
    readings: Mapping[TreeEstimator, Levels],
    reading: TreeEstimator,
    truth: tuple[FloatArray, ...] | None,
    node: tuple[int, int],
) -> None:
    """Noise, standard error, budget, and with the truth how far the leaves are off."""
    noise = float(np.sqrt(release.variances[-1]))
    error = standard_error(readings[reading], node)
    cards = [
        ("Noise of a leaf", significant(noise, 3), f"σ, {NOISE_NAMES[release.noise]} noise"),
        (
            "Standard error",
            significant(error, 3),
            f"node {node[0]}.{node[1]}, {TITLES[reading]}; variance {significant(error**2, 3)}",
        ),
    ]
    if truth is not None:
        off = mean_leaf_error(readings[reading], truth)
        raw = mean_leaf_error(readings[TreeEstimator.RAW], truth)
        said = f"on average, {TITLES[reading]}; raw {significant(raw, 3)}; confidential"
        cards.append(("Leaves off by", significant(off, 3), said))
    cards.append(("Budget spent", str(release.spent), f"{release.neighbours.value} neighbours"))
    number_cards(cards)


def mean_leaf_error(levels: Levels, truth: tuple[FloatArray, ...]) -> float:
    """Mean |error| over the leaves in records, NaN where none is known. Confidential."""
    off = np.abs(node_errors(levels, truth)[-1])
    known = off[np.isfinite(off)]
    return float(known.mean()) if known.size else float("nan")
