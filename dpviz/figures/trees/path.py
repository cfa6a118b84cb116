"""The path from the root of a tree to its chosen node."""

from __future__ import annotations

import plotly.graph_objects as go

from dpviz.figures.kit.palette import Ink
from dpviz.figures.trees.labels import SIZE, mark_size, path_label, path_position
from dpviz.figures.trees.view import TreeView, ancestors


def path_trace(view: TreeView, shown: int, ink: Ink) -> go.Scatter:
    """From the root to the chosen node; in a strip, where no node is drawn, to its upper edge."""
    assert view.chosen is not None
    steps = ancestors(view.fanout, *view.chosen)
    drawn = [step for step in steps if step[0] <= shown]
    below = steps[-1:] if view.chosen[0] > shown else []
    rings, tips = len(drawn), len(below)
    return go.Scatter(
        x=[float(view.middles(at)[node]) for at, node in drawn + below],
        y=[float(at) for at, _ in drawn] + [at - 0.48 for at, _ in below],
        mode="lines+markers+text",
        cliponaxis=False,
        text=[path_label(view, at, node) for at, node in drawn] + [""] * tips,
        textposition=[path_position(view, at, node) for at, node in drawn + below],
        textfont={"size": SIZE, "color": ink.truth, "weight": "bold"},
        line={"color": ink.truth, "width": 2.5},
        marker={
            "size": [mark_size(view.counts[at].size) + 5 for at, _ in drawn] + [11] * tips,
            "symbol": ["circle-open"] * rings + ["triangle-down"] * tips,
            "color": ink.truth,
            "line": {"width": [2] * rings + [0] * tips},
        },
        hoverinfo="skip",
    )
