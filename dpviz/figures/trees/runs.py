"""Pictures of many runs: Honaker's Fig. 4, and a CDF's points outside their band."""

from typing import Any

import numpy as np
import pandas as pd

from dpviz.answers.trees.names import READING_NAMES
from dpviz.core.arrays import FloatArray
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.panels import Column, axes_at, columns, inside
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.trees.curve import heading, round_step
from dpviz.figures.trees.level_errors import READINGS, reading_colour

PANELS = (
    Column((0.0, 0.27), (0.79, 1.0)),
    Column((0.365, 0.635), (0.395, 0.605)),
    Column((0.73, 1.0), (0.0, 0.21)),
)
BARS = (("raw", "raw", "/"), ("smoothed", "efficient", ""))


def simulation_picture(frame: pd.DataFrame, look: Look) -> Picture:
    """Mean squared errors, their ratio by node, and every reading by node, in people².

    frame has columns node, level, estimator, mse and ratio, as honaker_simulation gives.
    """
    raw, best = (_errors(frame, name) for name in ("raw", "efficient"))
    ratio = frame.loc[frame["estimator"] == "efficient", "ratio"].to_numpy(np.float64)
    nodes = frame.loc[frame["estimator"] == "efficient", "node"].to_numpy()
    marks = [
        _dots(raw, best, "efficient", look) | {"xaxis": "x", "yaxis": "y"},
        _dots(nodes, ratio, "efficient", look) | {"xaxis": "x2", "yaxis": "y2"},
    ]
    third = {"xaxis": "x3", "yaxis": "y3"}
    marks += [_dots(nodes, _errors(frame, name), name, look) | third for name in READINGS]
    heads = ("Error, efficient against raw", "Efficient / raw, by node", _keys(look))
    arranged = layout(look, left=52, right=24, top=30, bottom=40)
    notes = []
    reach = float(frame["mse"].max())
    ends = ((float(raw.max()), float(best.max())), (nodes.size, 1.0), (nodes.size, reach))
    under = ("raw, people²", "node", "node")
    for at, ((right, top), place) in enumerate(zip(ends, columns(look, *PANELS), strict=True)):
        up = _scale(top) | {"showgrid": True}
        up["tickvals"] = up["tickvals"][1:]  # one 0 in the corner is enough
        arranged |= axes_at(look, at, place, _scale(right), up)
        axes = inside(at)
        end = at == len(heads) - 1  # the keys are long: they end with their panel
        notes.append(
            heading(look, heads[at], axes, at=float(end), align="right" if end else "left")
        )
        notes.append(
            words(
                look, under[at], 1, 0, axes=axes, colour=look.ink.second,
                align="right", stand="bottom", shift=(-2, 3),
            )
        )  # fmt: skip
    arranged["annotations"] = notes
    return picture(marks, arranged)


def _errors(frame: pd.DataFrame, name: str) -> FloatArray:
    return frame.loc[frame["estimator"] == name, "mse"].to_numpy(np.float64)


def _keys(look: Look) -> str:
    """The readings in their own colours."""
    dark = look.ink.dark
    return " · ".join(
        f'<span style="color:{READINGS[name].written(dark=dark)}">{title}</span>'
        for name, title in READING_NAMES.items()
    )


def _dots(x: FloatArray, y: FloatArray, name: str, look: Look) -> dict[str, Any]:
    marker = {
        "color": reading_colour(name, look.ink),
        "symbol": READINGS[name].symbol,
        "size": look.mark(8),
    }
    shown = {"mode": "markers", "marker": marker, "cliponaxis": False}  # a root that is known: 0
    return trace(READING_NAMES[name], x, y, **shown)


def _scale(top: float) -> dict[str, Any]:
    return {"range": [0, 1.06 * top], "tickvals": np.arange(0, 1.05 * top, round_step(top))}


def trials_picture(frame: pd.DataFrame, look: Look) -> Picture:
    """Bars for the raw and the smoothed curve, and a dashed line for what is expected.

    Confidential. frame has columns trial, raw, smoothed and expected, as cdf_trials gives.
    """
    expected = float(frame["expected"].iloc[0])
    marks = [
        {
            "type": "bar",
            "name": name,
            "x": frame["trial"].to_numpy(),
            "y": frame[name].to_numpy(),
            "marker": {"color": reading_colour(reading, look.ink), "pattern": {"shape": pattern}},
            "hovertemplate": f"trial %{{x}}, {name}: %{{y}} points<extra></extra>",
        }
        for name, reading, pattern in BARS
    ]
    top = 1.1 * max(float(frame[["raw", "smoothed"]].to_numpy().max()), expected, 1.0)
    stroke = line(look.ink.truth, 1.5, dash="dash")
    ends = {"xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": expected, "y1": expected}
    said = " · ".join(
        f'<span style="color:{READINGS[reading].written(dark=look.ink.dark)}">{name}</span>'
        for name, reading, _ in BARS
    )
    notes = [heading(look, f"Points outside the band: {said}, dashed: expected")]
    arranged = layout(look, left=40, right=16, top=30, bottom=32, annotations=notes)
    arranged |= {"barmode": "group", "shapes": [{"type": "line", "line": stroke} | ends]}
    arranged["xaxis"] = axis(look, tickvals=frame["trial"].to_numpy())
    ticks = np.arange(0, top, round_step(top))
    arranged["yaxis"] = axis(look, range=[0, top], tickvals=ticks, showgrid=True)
    return picture(marks, arranged)
