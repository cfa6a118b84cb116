"""The figures of Cormode et al. 2012 (PSD): one function each, from a tidy frame to a picture."""

from typing import Any

import numpy as np
import pandas as pd

from dpviz.answers.said import html_safe
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.labels import row_names
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.panels import (
    OWN_VARIANT,
    Curve,
    Grid,
    Panel,
    Scale,
    ended,
    log_span,
    multiples,
)

SPLITS = {"uniform": "pink", "geometric": "blue"}  # of Fig. 2
SPLIT_NAMES = {"uniform": "even split", "geometric": "geometric split"}
AXES = {"epsilon": "budget ε", "height": "height of the tree"}
SHAPES = ("blue", "amber", "green")  # lines of the other settings, in the order of the shapes
KNOBS = {
    "switch level": "levels of kd-hybrid that are cut at medians",
    "share": "share of the budget for kd-hybrid's medians",
    "order": "order of the Hilbert curve",
    "cell length": "length of kd-cell's cells, in degrees of the paper's box",
}
# further lines that are no variants of ours but read the points without noise
NOT_PRIVATE = {"Hilbert-R": "not private"}
ERROR = "Median relative error of a rectangle"


def worst_case_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Fig. 2: worst variance of a query by height; frame has columns height, split and error."""
    curves = [
        Curve(
            SPLITS[str(split)],
            SPLIT_NAMES[str(split)],
            rows["height"].to_numpy(np.float64),
            rows["error"].to_numpy(np.float64),
        )
        for split, rows in frame.groupby("split", sort=False)
    ]
    heights = sorted(frame["height"].unique())
    across = Scale("height of the quadtree", ticks=heights)
    up = Scale("Worst variance of a rectangle, in 16/ε²", log=True, long=True)
    return ended(Panel("", curves), Grid(across, up), look)


def accuracy_figure(
    frame: pd.DataFrame,
    look: Look,
    *,
    x: str,
    around: pd.DataFrame | None = None,
    further: bool = False,
) -> Picture:
    """Fig. 3, 5 and 6: median relative error with two standard errors, a panel for each shape.

    frame has columns method, shape, epsilon, height, mean, standard_error, and variant if some rows
    are further lines, which are drawn hollow if further; x names the column on the horizontal axis,
    epsilon or height. Errors are on a log scale that all panels share; around holds rows whose
    panels and ranges stay while a run goes on.
    """
    frame, around = (_drawn(rows, further=further) for rows in (frame, around))
    whole = frame if around is None else pd.concat((around, frame))
    shapes = list(dict.fromkeys(whole["shape"]))
    panels = [
        Panel(
            f"{html_safe(str(shape))} rectangles", _curves(frame[frame["shape"] == shape], look, x)
        )
        for shape in shapes
    ]
    places = sorted(whole[x].unique())
    words = [f"{one:g}" for one in places]
    ends = (places[0], places[-1]) if places else (0.1, 1.0)
    span = (ends[0] / 1.25, ends[1] * 1.2) if x == "epsilon" else (ends[0] - 0.4, ends[1] + 0.3)
    across = Scale(AXES[x], x == "epsilon", ticks=places, words=words, span=span)
    reach = None if around is None else log_span(100 * whole["mean"].to_numpy(np.float64))
    up = Scale(ERROR, log=True, suffix=" %", span=reach)
    return multiples(panels, Grid(across, up), look)


def _drawn(rows: Any, *, further: bool) -> Any:
    """The rows of the paper's lines, and the further ones if they are wanted."""
    if rows is None or further or "variant" not in rows:
        return rows
    return rows[rows["variant"] == "paper"]


def _curves(frame: pd.DataFrame, look: Look, x: str) -> list[Curve]:
    return [
        Curve(
            method,
            look.ink.label(method),
            rows[x].to_numpy(np.float64),
            100 * rows["mean"].to_numpy(np.float64),
            200 * rows["standard_error"].to_numpy(np.float64),
            hollow=variant != "paper",
            variant=NOT_PRIVATE.get(method, OWN_VARIANT),
        )
        for method, variant, rows in (
            (method, variant, part.sort_values(x)) for method, variant, part in _by_line(frame)
        )
    ]


def _by_line(frame: pd.DataFrame) -> list[tuple[str, str, pd.DataFrame]]:
    """The rows of each method and variant, the paper's lines first as they come."""
    told = frame if "variant" in frame else frame.assign(variant="paper")
    paper_first = told.sort_values("variant", key=lambda one: one != "paper", kind="stable")
    groups = paper_first.groupby(["variant", "method"], sort=False)
    return [(str(method), str(variant), rows) for (variant, method), rows in groups]


def _by_method(frame: pd.DataFrame) -> list[tuple[object, pd.DataFrame]]:
    return list(frame.groupby("method", sort=False))


def settings_figure(frame: pd.DataFrame, look: Look, *, knob: str) -> Picture:
    """§8.2's other settings: median relative error against one knob, a line for each shape.

    frame has columns knob, place, method, shape, mean and standard_error.
    """
    rows = frame[frame["knob"] == knob]
    curves = [
        Curve(
            hue,
            f"{html_safe(str(shape))}",
            part["place"].to_numpy(np.float64),
            100 * part["mean"].to_numpy(np.float64),
            200 * part["standard_error"].to_numpy(np.float64),
        )
        for hue, (shape, part) in zip(SHAPES, rows.groupby("shape", sort=False), strict=False)
    ]
    places = sorted(rows["place"].unique()) or [0.1, 1.0]
    log = knob == "cell length"
    margin = 0.03 * (places[-1] - places[0]) or 1.0
    span = (places[0] / 1.1, places[-1] * 1.1) if log else (places[0] - margin, places[-1] + margin)
    across = Scale(KNOBS[knob], log, ticks=places, words=[f"{one:g}" for one in places], span=span)
    return ended(Panel("", curves), Grid(across, Scale(ERROR, log=True, suffix=" %")), look)


def construction_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Fig. 7a: how long each decomposition takes, and least squares and pruning after it.

    frame has columns method, height, step, mean and standard_error, in seconds. Bars in the order
    of their length, the post-processing at their ends.
    """
    built = frame[frame["step"] == "release"].sort_values("mean", ascending=False)
    after = frame[frame["step"] == "post-processing"].set_index("method")["mean"]
    names = [str(one) for one in built["method"]]
    first = 1e3 * built["mean"].to_numpy(np.float64)
    second = 1e3 * np.array([float(after.get(name, np.nan)) for name in names])
    errors = 2e3 * built["standard_error"].fillna(0.0).to_numpy(np.float64)
    bar = {"type": "bar", "orientation": "h", "y": names, "hoverinfo": "skip", "width": 0.5}
    blue = look.ink.private
    traces = [
        bar | {"name": "release", "x": first, "marker": {"color": blue},
               "error_x": {"array": errors, "color": look.ink.truth, "thickness": 1, "width": 4}},
        bar | {"name": "post-processing", "x": np.nan_to_num(second),
               "marker": {"color": translucent(look.ink.truth, 0.55)}},
    ]  # fmt: skip
    notes = [
        grammar.words(
            look,
            f"<b>{_thousands(one)} ms</b>" + look.said(_after(two, look), ""),
            one + max(float(np.nan_to_num(two)), spread),
            name,
            shift=(14, 0),
        )
        for name, one, two, spread in zip(names, first, second, errors, strict=True)
    ]
    heights = dict(zip(built["method"], built["height"], strict=True))
    labels = [f"<b>{look.ink.label(name)}</b>, height {heights[name]}" for name in names]
    ticks, above = row_names(look, labels, names, x=0, lift=look.text(16))
    longest = float(np.nanmax(first + np.nan_to_num(second))) if len(first) else 1.0
    arranged = grammar.layout(
        look,
        left=look.said(190, 12),
        right=16,
        top=40,
        bottom=50,
        barmode="stack",
        annotations=[*notes, *above],
        xaxis=grammar.axis(look, range=[0, 1.42 * longest], nticks=5,
                           showgrid=True, ticksuffix=" ms"),
        yaxis=grammar.axis(look, **ticks, tickvals=names, categoryorder="array",
                           categoryarray=names, ticks="outside", ticklen=8, tickcolor=look.ink.page,
                           tickfont={"size": look.text(15), "color": look.ink.truth}),
    )  # fmt: skip
    return grammar.picture(traces, arranged)


def _after(taken: float, look: Look) -> str:
    text = f" and {_thousands(taken)} ms after it" if taken >= 0.05 else ""
    return grammar.coloured(text, look.ink.second)


def _thousands(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def matching_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Fig. 7b: pairs that need no secure comparison, against ε, as a share of all pairs.

    frame has method, epsilon, mean and standard_error; what is left over is drawn, on a log scale.
    """
    curves = [
        Curve(
            str(method),
            look.ink.label(str(method)),
            rows["epsilon"].to_numpy(np.float64),
            100 * (1 - rows["mean"].to_numpy(np.float64)),
            200 * rows["standard_error"].to_numpy(np.float64),
        )
        for method, rows in ((key, part.sort_values("epsilon")) for key, part in _by_method(frame))
    ]
    places = sorted(frame["epsilon"].unique()) if len(frame) else [0.05, 0.5]
    across = Scale("budget ε of the tree", log=True, ticks=places)
    up = Scale("Pairs that must still be compared in secret", log=True, suffix=" %")
    return ended(Panel("", curves), Grid(across, up), look)
