"""What may be taken away of a tree: the release, a reading, the private picture."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.palette import LIGHT
from dpviz.figures.trees.tree import tree_figure
from dpviz.ui.kit import session
from dpviz.ui.kit.offers import Group, Offer, download_panel, figure_offer
from dpviz.ui.trees.page import TreePage
from dpviz.ui.trees.panels import tree_view
from dpviz.ui.trees.reproduce import tree_lines

NOTE = (
    "Noisy counts, declarations and the budget only; readings are post-processing. If you publish "
    "more than one release about the same people, their budgets add up. The camera in a chart's "
    "corner saves the picture as it stands, true counts included while they are shown."
)


def tree_download_panel(page: TreePage, reading: TreeEstimator) -> None:
    """Buttons for everything that may leave, then the Python lines."""
    release, levels, unit = page.release, page.read(reading), session.unit()
    offers = (
        Offer("Release as JSON", release.to_json, "tree.json", "application/json"),
        Offer("Chosen reading as CSV", lambda: tree_csv(release, levels), "tree.csv", "text/csv"),
        figure_offer(
            lambda: private_figure(release, levels, unit),
            "private-tree.html",
            "An interactive page of the chosen reading without true counts; its camera saves a PNG.",
        ),
    )
    choice = page.choice
    lines = tree_lines(choice.tree, page.column, choice.budget, reading, page.draw)
    download_panel(NOTE, [Group(offers)], lines)


def private_figure(release: TreeRelease, levels: Levels, unit: str) -> go.Figure:
    """The tree by standard error, on a white page; made from the release alone."""
    figure = tree_figure(tree_view(release, levels), LIGHT, unit=unit)
    return figure.update_layout(paper_bgcolor=LIGHT.page)


def tree_csv(release: TreeRelease, levels: Levels) -> str:
    """One row a node: level, node, low, high, count, variance."""
    parts = []
    for level, counts in enumerate(levels.counts):
        edges = release.edges(level)
        part = {"level": level, "node": np.arange(counts.size), "low": edges[:-1]}
        part |= {"high": edges[1:], "count": counts, "variance": levels.node_variances(level)}
        parts.append(pd.DataFrame(part))
    return str(pd.concat(parts).to_csv(index=False, lineterminator="\n"))
