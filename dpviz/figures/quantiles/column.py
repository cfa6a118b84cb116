"""What declared bounds do to private quantiles. A confidential picture."""

from typing import Any

import numpy as np
import pandas as pd

from dpviz.answers.said import html_safe
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words

TICKS = (0.25, 0.5, 1.0, 3.0, 10.0, 30.0, 100.0)  # few enough for a phone


def error_by_width_picture(frame: pd.DataFrame, look: Look, *, unit: str) -> Picture:
    """Error against the width of the bounds, a line for each mechanism; unit is a plain text."""
    traces, labels = [], []
    for mechanism, rows in frame.groupby("mechanism", sort=False):
        name = str(mechanism)
        traces.append(_curve(name, rows, look))
        last = rows.iloc[-1]
        labels.append(
            words(
                look,
                look.ink.label(name),
                float(np.log10(last["factor"])),
                float(np.log10(max(last["error"], 1e-300))),
                colour=look.ink.written(name),
                shift=(10, 0),
            )
        )
    errors = _one_two_five(frame["error"].to_numpy())
    return picture(
        traces,
        layout(
            look,
            left=84,
            right=110,
            bottom=58,
            hovermode="closest",
            shapes=[rule(look, 1, line=line(look.ink.second, look.mark(1.5), dash="dot"))],
            annotations=[
                *labels,
                words(
                    look, "as declared", 0, 1, axes=("x", "paper"), align="center", stand="bottom"
                ),
                words(
                    look,
                    f"mean error ({html_safe(unit)})",
                    0,
                    1,
                    axes=("paper", "paper"),
                    align="left",
                    stand="bottom",
                    shift=(-70, 0),
                    colour=look.ink.second,
                ),
            ],
            xaxis=axis(
                look,
                type="log",
                tickvals=list(TICKS),
                ticktext=[f"{factor:g}×" for factor in TICKS],
                tickangle=0,
                showline=True,
                title={"text": "width of the bounds", "font": {"size": look.text()}},
            ),
            yaxis=axis(
                look,
                type="log",
                showgrid=True,
                tickvals=errors.tolist(),
                ticktext=[f"{tick:,.6g}" for tick in errors],
            ),
        ),
    )


def _curve(name: str, rows: pd.DataFrame, look: Look) -> dict[str, Any]:
    mark, colour = look.ink.mark(name), look.ink.of(name)
    return trace(
        name,
        rows["factor"].to_numpy(),
        rows["error"].to_numpy(),
        mode="lines+markers",
        line=line(colour, look.mark(2.5), dash=mark.dash),
        marker={"symbol": mark.symbol, "size": look.mark(8), "color": colour},
        error_y={"array": (2 * rows["standard_error"]).to_numpy(), "thickness": 1, "color": colour},
        customdata=rows[["low", "high", "clipped"]].to_numpy(),
        hoverinfo=None,
        hovertemplate=(
            "bounds %{customdata[0]:,.6g} to %{customdata[1]:,.6g}<br>error %{y:,.4~g}<br>"
            "clipped %{customdata[2]:.1%}<extra></extra>"
        ),
    )


def _one_two_five(values: FloatArray) -> FloatArray:
    """Ticks of a logarithmic axis, written out in full: Plotly would print a bare 5 for 0.5."""
    positive = values[values > 0]
    if positive.size == 0:
        return np.ones(1)
    low, high = np.floor(np.log10(positive.min())), np.ceil(np.log10(positive.max()))
    steps = (1, 2, 5) if high - low <= 2 else (1,)
    powers = 10.0 ** np.arange(low, high + 1)
    return np.multiply.outer(powers, np.array(steps, dtype=np.float64)).ravel()
