"""What may be taken away of a tree: the release, a reading, the private picture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.core.trees.release import TreeRelease
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.palette import LIGHT
from dpviz.figures.trees.tree import tree_figure
from dpviz.ui.kit import session
from dpviz.ui.kit.offers import Group, Offer, download_panel, figure_offer
from dpviz.ui.trees.panels import tree_view

NOTE = (
    "Noisy counts, declarations and the budget only; readings are post-processing. If you publish "
    "more than one release about the same people, their budgets add up. The camera in a chart's "
    "corner saves the picture as it stands, true counts included while they are shown."
)


def tree_download_panel(release: TreeRelease, reading: TreeEstimator, lines: str) -> None:
    """Buttons for everything that may leave, then the Python lines."""
    unit = session.unit()
    offers = (
        Offer("Release as JSON", release.to_json, "tree.json", "application/json"),
        Offer("Chosen reading as CSV", lambda: tree_csv(release, reading), "tree.csv", "text/csv"),
        figure_offer(
            lambda: private_figure(release, reading, unit),
            "private-tree.html",
            "An interactive page of the chosen reading without true counts; its camera saves a PNG.",
        ),
    )
    download_panel(NOTE, [Group(offers)], lines)


def private_figure(release: TreeRelease, reading: TreeEstimator, unit: str) -> go.Figure:
    """The tree by standard error, on a white page; made from the release alone."""
    levels = reading.apply(release.levels, release.total)
    figure = tree_figure(tree_view(release, levels), LIGHT, unit=unit)
    return figure.update_layout(paper_bgcolor=LIGHT.page)


def tree_csv(release: TreeRelease, reading: TreeEstimator) -> str:
    """One row a node: level, node, low, high, count, variance."""
    levels = reading.apply(release.levels, release.total)
    parts = []
    for level, (counts, variance) in enumerate(zip(levels.counts, levels.variances, strict=True)):
        edges = release.edges(level)
        columns = {"node": np.arange(counts.size), "low": edges[:-1], "high": edges[1:]}
        part = pd.DataFrame({"level": level, **columns, "count": counts})
        parts.append(part.assign(variance=np.broadcast_to(variance, counts.shape)))
    return str(pd.concat(parts).to_csv(index=False, lineterminator="\n"))
