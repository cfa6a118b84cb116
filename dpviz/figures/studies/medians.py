"""Private medians compared by depth: rank error, and time, one line for each method."""

import numpy as np
import pandas as pd

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.panels import Curve, Grid, Panel, Scale, ended

PRINTED = {"EM printed": ("grey", "exponential, as printed")}  # lines that are in no catalogue
TIMES = {"time": "seconds", "unsorted time": "unsorted_seconds"}


def medians_figure(frame: pd.DataFrame, look: Look, part: str) -> Picture:
    """Fig. 4 of PSD: mean rank error by depth with two standard errors, or time; on a log axis.

    frame is of medians_by_depth; part is "error", "time" (of points sorted beforehand) or "unsorted
    time". Errors are a statement about the points, times are none.
    """
    error, taken = part == "error", TIMES.get(part, "seconds")
    curves = []
    for key, rows in frame.groupby("method", sort=False):
        values = 100 * rows["error"] if error else 1e3 * rows[taken]
        spread = 200 * rows["standard_error"] if error else 0 * rows[taken]
        hue, label = PRINTED.get(str(key), (str(key), ""))
        curves.append(
            Curve(
                hue,
                label or look.ink.label(hue),
                rows["depth"].to_numpy(np.float64),
                values.to_numpy(np.float64),
                spread.to_numpy(np.float64),
            )
        )
    up = (
        Scale("How far a median misses the middle", log=True, suffix=" %")
        if error
        else Scale("All medians of a level, in ms", log=True)
    )
    across = Scale("depth in the tree (0: all points)", ticks=tuple(range(10)), span=(-0.3, 9.3))
    return ended(Panel("", curves), Grid(across, up), look)
