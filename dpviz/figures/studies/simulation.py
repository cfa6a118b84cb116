"""Honaker's Fig. 4: squared errors of a noisy tree's nodes, raw and combined."""

import numpy as np
import pandas as pd

from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.panels import Curve, Grid, Panel, Scale, multiples

READINGS = {"raw": "pink", "from-below": "amber", "from-above": "green", "efficient": "blue"}
NAMES = {
    "raw": "own count alone",
    "from-below": "from below",
    "from-above": "from above",
    "efficient": "all combined",
}


def simulation_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Mean squared error of every node under the four readings, level by level.

    frame has columns node (1, 2, 3, … from the root), level, estimator, mse and standard_error, as
    honaker_simulation gives. One panel a level, nodes from left to right.
    """
    panels = []
    for level in range(_leaves(frame) + 1):
        part = frame[frame["level"] == level]
        first = int(part["node"].min())
        curves = [
            Curve(
                READINGS[name],
                NAMES[name],
                rows["node"].to_numpy(np.float64) - first + 1,
                rows["mse"].to_numpy(np.float64),
                2 * rows["standard_error"].to_numpy(np.float64),
            )
            for name, rows in ((one, part[part["estimator"] == one]) for one in READINGS)
        ]
        panels.append(Panel(_title(level, frame), curves))
    across = Scale("node, from the left", ticks=(1, 8, 16), span=(-0.2, 17.2))
    up = Scale("Mean squared error of a node", span=(0.0, 1.18 * float(frame["mse"].max())))
    return multiples(panels, Grid(across, up, columns=5, phone_columns=2), look)


def against_raw_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """The left panel: what remains of every node's squared error against the raw one.

    The root, whose count is known, lies at 0; nodes of a level lie together.
    """
    raw, best = (
        frame[frame["estimator"] == name].sort_values("node").reset_index()
        for name in ("raw", "efficient")
    )
    x, y = raw["mse"].to_numpy(np.float64), best["mse"].to_numpy(np.float64)
    span = float(x.min() - 0.05), float(x.max() + 0.05)
    dots = grammar.trace(
        "nodes", x, y, mode="markers", hoverinfo="all",
        marker={"color": look.ink.private, "size": look.mark(10)},
        hovertemplate="raw %{x:.3~g}, combined %{y:.3~g}<extra></extra>",
    )  # fmt: skip
    notes = [
        grammar.words(look, f"<b>{_title(level, frame)}</b>", 1,
                      float(y[raw["level"] == level].mean()), axes=("x domain", "y"),
                      colour=look.ink.private, shift=(look.text(8), 0))
        for level in range(_leaves(frame) + 1)
    ]  # fmt: skip
    notes.append(grammar.measured(look, "mean squared error with all combined", 36, 8))
    arranged = grammar.layout(
        look,
        left=50,
        right=look.text(74),
        top=34,
        bottom=56,
        annotations=notes,
        xaxis=grammar.axis(look, range=list(span), showline=True, ticks="outside", ticklen=5,
                           nticks=5,
                           title=grammar.below("mean squared error of the raw count", look)),
        yaxis=grammar.axis(look, range=[-0.25, 1.1 * float(y.max())], showgrid=True, nticks=6),
    )  # fmt: skip
    return grammar.picture([dots], arranged)


def ratio_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """The centre panel: what remains of the squared error of every node, beside its exact share."""
    found = _of(frame, "efficient")
    raw = _of(frame, "raw")
    x = found["node"].to_numpy(np.float64)
    exact = (found["variance"].to_numpy() / raw["variance"].to_numpy()).astype(np.float64)
    curves = [
        Curve("grey", "exactly", x, 100 * exact),
        Curve("blue", "simulated", x, 100 * found["ratio"].to_numpy(np.float64),
              200 * (found["standard_error"] / raw["mse"]).to_numpy(np.float64)),
    ]  # fmt: skip
    up = Scale("Squared error, of that of the raw count", suffix=" %", span=(0.0, 72.0))
    return multiples([Panel("", curves)], Grid(_nodes(frame), up), look)


def quartiles_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """The right panel: quartiles of the squared error of every node, a panel a reading."""
    named = {"high": ("pink", "upper quartile"), "middle": ("blue", "median"),
             "low": ("grey", "lower quartile")}  # fmt: skip
    panels = []
    for name in READINGS:
        part = _of(frame, name)
        part = part[part["high"] > 1e-12]  # a root that is known has no error to draw
        x = part["node"].to_numpy(np.float64)
        curves = [
            Curve(hue, label, x, part[column].to_numpy(np.float64))
            for column, (hue, label) in named.items()
        ]
        panels.append(Panel(NAMES[name], curves))
    up = Scale("Squared error of a node", log=True)
    return multiples(panels, Grid(_nodes(frame), up, columns=4, phone_columns=2), look)


def _of(frame: pd.DataFrame, estimator: str) -> pd.DataFrame:
    return frame[frame["estimator"] == estimator].sort_values("node").reset_index(drop=True)


def _nodes(frame: pd.DataFrame) -> Scale:
    last = int(frame["node"].max())
    ticks = (1, *(2**level for level in range(3, _leaves(frame) + 1)), last)
    return Scale("node, level by level", ticks=ticks, span=(0.0, last + 1.0))


def _leaves(frame: pd.DataFrame) -> int:
    """The level of the leaves."""
    return int(frame["level"].max())


def _title(level: int, frame: pd.DataFrame) -> str:
    return "the root" if level == 0 else "leaves" if level == _leaves(frame) else f"level {level}"
