"""Honaker's Fig. 4: squared errors of a noisy tree's nodes, raw and combined."""

from __future__ import annotations

import numpy as np
import pandas as pd

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
    for level in range(int(frame["level"].max()) + 1):
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
        title = "the root" if level == 0 else f"level {level}"
        panels.append(Panel(title if level < 4 else "leaves", curves))
    across = Scale("node, from the left", ticks=(1, 8, 16), span=(-0.2, 17.2))
    up = Scale("Mean squared error of a node", span=(0.0, 1.18 * float(frame["mse"].max())))
    return multiples(panels, Grid(across, up, columns=5, phone_columns=2), look)
