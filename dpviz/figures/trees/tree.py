"""The picture of a noisy tree: nodes as far as they can be read, deeper levels as heat strips."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink
from dpviz.figures.trees.scale import colour_axis
from dpviz.figures.trees.view import (
    SIZE,
    TreeView,
    level_labels,
    level_raster,
    mark_size,
    readable_depth,
)

COLUMNS = 1024  # of a heat strip: more than a screen shows
PITCH = 36  # pixels from level to level
BAR = 56  # pixels of the colour bar and its title


def tree_figure(view: TreeView, ink: Ink, *, depth: int | None = None, unit: str = "") -> go.Figure:
    """The tree, root on top; markers carry (level, index, low, high, count, shade, truth).

    depth is the last level drawn as nodes; by default as many as can be read. A node whose value is
    not known is drawn hollow. Selecting a marker gives its customdata. Numbers are printed where
    they fit on any screen.
    """
    shown = readable_depth(view.fanout, view.height) if depth is None else min(depth, view.height)
    figure = go.Figure()
    figure.add_trace(_branches(view, shown, ink))
    if shown < view.height:
        figure.add_trace(_strips(view, shown, ink))
    figure.add_trace(_nodes(view, shown, ink))
    confidential = view.truth is not None or view.shade_name.startswith("error")
    height = BAR + 64 + round(PITCH * (view.height + 1.75))
    styled(figure, ink, height, shows_truth=confidential)
    figure.update_layout(
        coloraxis=colour_axis(view, ink), showlegend=False, margin={"t": BAR, "b": 64, "r": 16}
    )
    figure.update_xaxes(title_text=plain(unit), range=[view.edges[0], view.edges[-1]])
    figure.update_yaxes(
        title_text="level",
        range=[view.height + 0.6, -1.15],
        tickvals=np.arange(view.height + 1),
        showgrid=False,
    )
    return figure


def _branches(view: TreeView, shown: int, ink: Ink) -> go.Scatter:
    x, y = [], []
    for level in range(1, shown + 1):
        children = view.middles(level)
        parents = np.repeat(view.middles(level - 1), view.fanout)
        lifted = np.full(children.size, np.nan)  # lifts the pen between two branches
        x.append(np.stack((parents, children, lifted), axis=1).ravel())
        y.append(np.tile([level - 1.0, float(level), np.nan], children.size))
    return go.Scatter(
        x=np.concatenate(x) if x else np.empty(0),
        y=np.concatenate(y) if y else np.empty(0),
        mode="lines",
        line={"color": ink.faint, "width": 1.5},
        hoverinfo="skip",
    )


def _nodes(view: TreeView, shown: int, ink: Ink) -> go.Scatter:
    sizes = [view.counts[level].size for level in range(shown + 1)]
    level = np.repeat(np.arange(shown + 1), sizes)
    counts = np.concatenate([view.counts[at] for at in range(shown + 1)])
    shade = np.concatenate([_full(view.shade[at], sizes[at]) for at in range(shown + 1)])
    truth = np.full(counts.size, np.nan)
    if view.truth is not None:
        truth = np.concatenate([view.truth[at] for at in range(shown + 1)])
    index = np.concatenate([np.arange(size) for size in sizes])
    low = np.concatenate([view.level_edges(at)[:-1] for at in range(shown + 1)])
    high = np.concatenate([view.level_edges(at)[1:] for at in range(shown + 1)])
    known = np.isfinite(counts)
    spoken = "<br>true count %{customdata[6]:,.0f} (confidential)" if view.truth is not None else ""
    return go.Scatter(
        x=np.concatenate([view.middles(at) for at in range(shown + 1)]),
        y=level,
        mode="markers+text",
        cliponaxis=False,
        text=[
            label
            for at in range(shown + 1)
            for label in (level_labels(view, at) or [""] * sizes[at])
        ],
        textposition="top center",
        textfont={"size": SIZE, "color": ink.truth},
        marker={
            "color": np.where(np.isfinite(shade), shade, np.nan),
            "coloraxis": "coloraxis",
            "size": np.repeat([mark_size(size) for size in sizes], sizes),
            "symbol": np.where(known, "circle", "circle-open"),
            "line": {"color": ink.truth, "width": 1},
        },
        customdata=np.stack((level, index, low, high, counts, shade, truth), axis=1),
        hovertemplate=(
            "level %{customdata[0]}, node %{customdata[1]}<br>%{customdata[2]:,.6g} to "
            f"%{{customdata[3]:,.6g}}<br>count %{{customdata[4]:,.1f}}<br>{plain(view.shade_name)} "
            f"%{{customdata[5]:,.4~r}}{spoken}<extra></extra>"
        ),
    )


def _strips(view: TreeView, shown: int, ink: Ink) -> go.Heatmap:
    """Levels below the drawn nodes, one row each, coloured by the same scale."""
    levels = range(shown + 1, view.height + 1)
    columns = min(view.counts[-1].size, COLUMNS)
    shade = [level_raster(_full(view.shade[at], view.counts[at].size), columns) for at in levels]
    counts = [level_raster(view.counts[at], columns) for at in levels]
    width = (view.edges[-1] - view.edges[0]) / columns
    values = np.stack(shade)
    return go.Heatmap(
        z=np.where(np.isfinite(values), values, np.nan).astype(np.float32),
        x0=view.edges[0] + width / 2,
        dx=width,
        y=np.arange(shown + 1, view.height + 1),
        ygap=6,
        coloraxis="coloraxis",
        customdata=np.stack(counts).astype(np.float32),
        hovertemplate=(
            "level %{y} at %{x:,.6g}<br>count %{customdata:,.1f}<br>"
            f"{plain(view.shade_name)} %{{z:,.4~r}}<extra></extra>"
        ),
        hoverlabel={"bordercolor": ink.truth},
    )


def _full(values: FloatArray, size: int) -> FloatArray:
    return np.broadcast_to(values, (size,))
