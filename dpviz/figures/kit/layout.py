"""What all figures share: margins, legend, axes, and the notice that a picture holds true data."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dpviz.figures.kit.palette import Ink

NOTICE = "Teaching view: shows true data"


def styled(figure: go.Figure, ink: Ink, height: int, *, shows_truth: bool) -> go.Figure:
    """Give a figure the common layout; a picture with true data says so inside the picture."""
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 34, "b": 64 if shows_truth else 8},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "xanchor": "left"},
        hoverlabel={"namelength": -1},
        hovermode="closest",
        dragmode="pan",
        modebar={  # along the side, clear of the legend, and never over the curves as a block
            "orientation": "v",
            "bgcolor": "rgba(0,0,0,0)",
            "color": ink.faint,
            "activecolor": ink.truth,
        },
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    axis: dict[str, Any] = {
        "gridcolor": ink.faint,
        "zeroline": False,
        "automargin": True,
        "title_standoff": 14,
    }
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)
    if shows_truth:
        figure.add_annotation(
            text=NOTICE,
            xref="paper",
            yref="paper",
            x=1,
            y=0,
            xanchor="right",
            yanchor="top",
            yshift=-46,  # under the axis title, clear of the data at every width
            showarrow=False,
            font={"size": 11, "color": ink.truth},
            opacity=0.75,
        )
    return figure


def plain(text: str) -> str:
    """Text from a user's file made safe for labels and hovers, which read markup."""
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    )
