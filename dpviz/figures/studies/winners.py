"""The map of which mechanism wins where: budget × records, a panel for each m."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink, translucent
from dpviz.figures.studies.sweeps import short

CLEAR, OPEN = 0.85, 0.3  # opacity of a clear win and of one that noise could explain


def winners_figure(
    places: pd.DataFrame,
    m: float,
    ink: Ink,
    *,
    symbol: str,
    sizes: list[float] | None = None,
    records: list[float] | None = None,
    chosen: tuple[float, float] | None = None,
) -> go.Figure:
    """One panel: a cell for each budget and number of records, coloured by the winner.

    places has the columns of experiments.winners; sizes and records are the whole axes, so that a
    map in the making keeps its shape; chosen (size, n) is circled. Every cell also names its
    winner, and a win that is not clear is pale with a question mark.
    """
    here = places[places["m"] == m]
    columns = sorted(sizes or here["size"].unique())
    rows = sorted(records or here["n"].unique())
    figure = go.Figure()
    for winner in dict.fromkeys(here["winner"]):
        mine = here[here["winner"] == winner]
        _cells(figure, str(winner), mine, columns, rows, ink)
    if chosen is not None and columns and rows:
        x, y = _nearest(columns, chosen[0]), _nearest(rows, chosen[1])
        box = {"x0": x - 0.5, "x1": x + 0.5, "y0": y - 0.5, "y1": y + 0.5}
        figure.add_shape(type="rect", **box, line={"color": ink.truth, "width": 3})
    styled(figure, ink, 130 + 46 * len(rows), shows_truth=True)
    figure.update_layout(showlegend=False, margin={"t": 8})
    ends = {"showgrid": False, "zeroline": False, "fixedrange": True}
    figure.update_xaxes(
        title_text=symbol,
        tickvals=list(range(len(columns))),
        ticktext=[short(size) for size in columns],
        range=[-0.5, len(columns) - 0.5],
        **ends,
    )
    figure.update_yaxes(
        title_text="records n",
        tickvals=list(range(len(rows))),
        ticktext=[short(n) for n in rows],
        range=[-0.5, len(rows) - 0.5],
        **ends,
    )
    return figure


def _cells(
    figure: go.Figure,
    winner: str,
    mine: pd.DataFrame,
    columns: list[float],
    rows: list[float],
    ink: Ink,
) -> None:
    shape = (len(rows), len(columns))
    shade, text = np.full(shape, np.nan), np.full(shape, "", dtype=object)
    details = np.empty((*shape, 3), dtype=object)
    details[:] = ""
    for place in mine.to_dict("records"):
        at = rows.index(place["n"]), columns.index(place["size"])
        shade[at] = 1.0 if place["clear"] else 0.0
        ratio = f"{place['ratio']:.2f}×" if np.isfinite(place["ratio"]) else ""
        text[at] = plain(ink.label(winner)) + ("" if place["clear"] else " ?") + f"<br>{ratio}"
        details[at] = (f"{place['mean']:,.3g}", plain(ink.label(str(place["second"]))), ratio)
    colour = ink.of(winner)
    figure.add_trace(
        go.Heatmap(
            z=shade,
            text=text,
            customdata=details,
            texttemplate="%{text}",
            textfont={"size": 10, "color": ink.truth},
            colorscale=[[0, translucent(colour, OPEN)], [1, translucent(colour, CLEAR * 0.7)]],
            zmin=0,
            zmax=1,
            xgap=2,
            ygap=2,
            showscale=False,
            hoverongaps=False,
            name=plain(ink.label(winner)),
            hovertemplate=(
                f"{plain(ink.label(winner))}: %{{customdata[0]}} records"
                "<br>next: %{customdata[1]}, %{customdata[2]}<extra></extra>"
            ),
        )
    )


def _nearest(values: list[float], wanted: float) -> int:
    return int(np.argmin(np.abs(np.log(np.asarray(values)) - np.log(wanted))))
