"""The figures of the AQ paper: one function each, from a tidy frame to a picture."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import axes_at, grid, inside, numbered
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

# in words, in the order that a reader meets them; the short names stay in the captions
HALVING, ONE_BY_ONE = "ApproximateQuantiles", "IndependentExp"
NAMES = {
    HALVING: "recursive halving",
    "JointExp": "all at once",
    ONE_BY_ONE: "one by one",
    "AggTree": "noisy tree",
}
GAPS = 0.05, 0.28  # of the paper, between two histograms
COUNTS = (1, 5, 15, 35, 120)
FEW_COUNTS = (1, 5, 10, 20, 35)
LEVELS = (
    ("the median first", "then the two quartiles", "then four more", "then eight more"),
    ("the median", "quartiles", "four more", "eight more"),
)
QUARTERS = (("first quartile", "median", "third quartile"), ("first", "median", "third"))
PROPERTIES = "people, and different values (ring: as printed)"
MISSES = {
    "mean gap": "Mean miss of a quantile, in people",
    "largest gap": "Largest miss of the m quantiles, in people",
    "their program's count": "People between, as their program counts",
}
VARIANTS = {"text": "as the text has it", "improved": OWN_VARIANT}
ALWAYS = ("paper", "text")  # the others where they are wanted


def nodes_figure(frame: pd.DataFrame, look: Look, *, unit: str) -> Picture:
    """Fig. 1: the ranges of each level, and the quantile that each one drew.

    frame is of recursion_nodes. The outermost ranges go on to the bounds, out of sight.
    """
    values = frame["value"].to_numpy(np.float64)
    levels = int(frame["level"].max())
    margin = 0.16 * float(np.ptp(values)) or 1.0
    span = values.min() - margin, values.max() + margin
    low, high = (frame[name].clip(*span).to_numpy(np.float64) for name in ("low", "high"))
    blue, gap = look.ink.private, np.full(len(frame), np.nan)
    ranges = grammar.trace(
        "ranges",
        np.stack((low, high, gap), axis=1).ravel(),
        np.repeat(frame["level"].to_numpy(), 3),
        mode="lines",
        line=grammar.line(translucent(blue, 0.35), look.mark(6)),
    )
    cuts = [_cut(row, look, levels) for row in frame.itertuples()]
    drawn = grammar.trace(
        "quantiles",
        values,
        frame["level"].to_numpy(),
        mode="markers",
        marker={"color": blue, "size": look.mark(13), "line": {"color": look.ink.page, "width": 2}},
        customdata=frame[["quantile", "records"]].to_numpy(),
        hoverinfo="all",
        hovertemplate="quantile %{customdata[0]:.4~g}: %{x:.3~g}<br>drawn among "
        "%{customdata[1]:,} made-up people<extra></extra>",
    )
    names = look.said(*LEVELS)
    notes = [
        grammar.words(look, f"{level}: {names[level - 1]}", 0, level, axes=("paper", "y"),
                      stand="bottom", colour=look.ink.second, plate=True, shift=(2, look.text(8)))
        for level in range(1, levels + 1)
    ]  # fmt: skip
    arranged = grammar.layout(
        look,
        left=16,
        right=16,
        top=20,
        bottom=52,
        xaxis=grammar.axis(look, range=list(span), showline=True, ticks="outside", ticklen=5,
                           title=grammar.below(unit, look)),
        yaxis=grammar.axis(look, range=[levels + 0.35, 0.45], showticklabels=False),
        shapes=cuts,
        annotations=notes,
    )  # fmt: skip
    return grammar.picture([ranges, drawn], arranged)


def _cut(row: object, look: Look, levels: int) -> dict[str, object]:
    """A dotted guide from a drawn quantile down to the ranges that it ends."""
    value, level = float(row.value), float(row.level)  # type: ignore[attr-defined]
    return {
        "type": "line",
        "x0": value,
        "x1": value,
        "y0": level,
        "y1": min(level + 1, levels),
        "line": grammar.line(look.ink.private, look.mark(1.5), dash="dot"),
    }


def targets_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Fig. 2: where the later draws aim after the first one missed, as sticks from the truth."""
    true, found = (frame[name].to_numpy(np.float64) for name in ("true_rank", "target_rank"))
    level, gap = frame["level"].to_numpy(np.float64), np.full(len(frame), np.nan)
    n = float((frame["true_rank"] / frame["quantile"]).iloc[0])
    people = grammar.trace("people", np.arange(n) + 0.5, np.full(int(n), 0.25), mode="markers",
                           marker={"color": look.ink.grain, "size": look.mark(9)})  # fmt: skip
    sticks = grammar.trace(
        "missed",
        np.stack((true, found, gap), axis=1).ravel(),
        np.repeat(level, 3),
        mode="lines",
        line=grammar.line(look.ink.private, look.mark(4)),
    )
    ticks = [
        grammar.rule(look, x, axes=("x", "y"), y0=y - 0.16, y1=y + 0.16,
                     line=grammar.line(look.ink.truth, look.mark(3)))
        for x, y in zip(true, level, strict=True)
    ]  # fmt: skip
    dots = grammar.trace("targets", found, level, mode="markers", marker={
        "color": look.ink.private, "size": look.mark(16),
        "line": {"color": look.ink.page, "width": 2}})  # fmt: skip
    notes = [
        grammar.words(look, f"<b>{name}</b>", x, y, align="left", stand="bottom",
                      shift=(6, look.text(16)), colour=look.ink.truth)
        for name, x, y in zip(look.said(*QUARTERS), true, level, strict=True)
    ]  # fmt: skip
    notes += [
        grammar.words(look, _aim(shift, look), x, y, align="right", stand="top",
                      colour=look.ink.private, shift=(-2, -look.text(14)))
        for shift, x, y in zip(frame["shift"], found, level, strict=True)
    ]  # fmt: skip
    notes.append(grammar.words(look, "twelve people, in order", 0, 0.25, stand="bottom",
                               colour=look.ink.second, shift=(0, look.text(10))))  # fmt: skip
    arranged = grammar.layout(
        look,
        left=20,
        right=24,
        top=24,
        bottom=56,
        xaxis=grammar.axis(look, range=[-0.5, n + 0.5], dtick=look.said(1, 3),
                           showline=True, ticks="outside",
                           ticklen=5, title=grammar.below("how many people lie below", look)),
        yaxis=grammar.axis(look, range=[2.6, -0.15], showticklabels=False),
        shapes=ticks,
        annotations=notes,
    )  # fmt: skip
    return grammar.picture([people, sticks, dots], arranged)


def _aim(shift: float, look: Look) -> str:
    people = f"{abs(shift):g} {'person' if abs(shift) == 1 else 'people'}"
    full = f"aims {people} too {'low' if shift < 0 else 'high'}"
    return look.said(full, f"{shift:+g}".replace("-", "−"))


def histograms_figure(frame: pd.DataFrame, look: Look, titles: Mapping[str, str]) -> Picture:
    """Fig. 3: each set in 100 bins over its own range; frame is of histograms."""
    traces, notes = [], []
    axes: dict[str, Any] = {}
    groups = list(frame.groupby("data", sort=False))
    places = grid(len(groups), look.said(3, 2), GAPS)
    for at, ((key, part), place) in enumerate(zip(groups, places, strict=True)):
        edges = np.append(part["low"].to_numpy(), part["high"].to_numpy()[-1])
        counts = np.append(part["records"].to_numpy(), 0.0)
        traces.append(
            grammar.trace(str(key), edges, counts, mode="lines", fill="tozeroy",
                          line=grammar.line(look.ink.truth, 1, shape="hv"),
                          fillcolor=translucent(look.ink.truth, 0.55), hoverinfo="all",
                          hovertemplate="%{y:,} around %{x:.3~g}<extra></extra>",
                          xaxis=f"x{numbered(at)}", yaxis=f"y{numbered(at)}")
        )  # fmt: skip
        across = {"showline": True, "nticks": 5, "ticks": "outside", "ticklen": 5}
        across |= {"range": [edges[0], edges[-1]]}
        across |= {"title": grammar.below(str(part["unit"].iloc[0]), look, 4)}
        up = {"showticklabels": False, "rangemode": "tozero"}
        axes |= axes_at(look, at, place, across, up)
        notes.append(grammar.words(look, f"<b>{titles[str(key)]}</b>", 0, 1, stand="bottom",
                                   axes=inside(at), shift=(0, look.text(4))))  # fmt: skip
    arranged = grammar.layout(look, left=14, right=14, top=34, bottom=54, annotations=notes, **axes)
    return grammar.picture(traces, arranged)


def properties_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Table 1: people and different values of each set, printed numbers as rings around them.

    frame is of properties. Both on one logarithmic axis: a set without ties has them in one place.
    """
    places = -np.arange(len(frame), dtype=np.float64)
    shown = {"values": look.ink.private, "records": look.ink.truth}
    joins = np.stack((frame["values"], frame["records"], np.full(len(frame), np.nan)), axis=1)
    traces = [
        grammar.trace("shared", joins.ravel(), np.repeat(places, 3), mode="lines",
                      line=grammar.line(look.ink.hairline, look.mark(3)))
    ]  # fmt: skip
    for name, ink in shown.items():
        ring = {"size": look.mark(20), "symbol": "circle-open", "color": ink,
                "line": {"color": ink, "width": look.mark(1.5)}}  # fmt: skip
        traces.append(grammar.trace(f"{name}, printed", frame[f"printed_{name}"].to_numpy(),
                                    places, mode="markers", marker=ring))  # fmt: skip
        traces.append(
            grammar.trace(name, frame[name].to_numpy(), places, mode="markers", hoverinfo="all",
                          marker={"color": ink, "size": look.mark(11)},
                          hovertemplate=f"%{{x:,}} {name}<extra></extra>")
        )  # fmt: skip
    notes = []
    for at, row in zip(places, frame.to_dict("records"), strict=True):
        notes.append(grammar.words(look, f"<b>{row['title']}</b>", 0, at, axes=("paper", "y"),
                                   stand="bottom", shift=(0, look.text(9))))  # fmt: skip
        if row["values"] < row["records"]:
            few = f"{row['values']:,.0f} values"
            notes.append(grammar.words(look, few, np.log10(row["values"]), at, align="right",
                                       colour=look.ink.private,
                                       shift=(-look.text(13), 0)))  # fmt: skip
        notes.append(grammar.words(look, f"{row['records']:,.0f} people", np.log10(row["records"]),
                                   at, align="right", stand="top",
                                   shift=(0, -look.text(12))))  # fmt: skip
    low = 10 ** np.floor(np.log10(frame["values"].min()) - 0.2)
    high = 2.2 * frame["records"].max()
    arranged = grammar.layout(
        look,
        left=16,
        right=24,
        top=44,
        bottom=52,
        xaxis=grammar.axis(look, type="log", range=[np.log10(low), np.log10(high)], dtick=1,
                           tickformat=",", showline=True, ticks="outside", ticklen=5,
                           title=grammar.below(PROPERTIES, look)),
        yaxis=grammar.axis(look, range=[places[-1] - 0.6, 0.75], showticklabels=False),
        annotations=notes,
    )  # fmt: skip
    return grammar.picture(traces, arranged)


def gaps_figure(
    frame: pd.DataFrame,
    look: Look,
    titles: Mapping[str, str],
    *,
    improved: bool = False,
    most: int | None = None,
    around: pd.DataFrame | None = None,
    metric: str = "mean gap",
) -> Picture:
    """Fig. 4 to 7: the miss against the number of quantiles, a panel a set, two standard errors.

    frame has columns data, m, variant, mechanism, mean, standard_error of one notion and metric
    (of MISSES). Lines as the text has them are dashed; improved adds ours, dotted; most zooms. Sets
    without rows yet keep their panel; around holds rows whose range the axes keep while a run goes
    on.
    """
    seen = frame if most is None else frame[frame["m"] <= most]
    panels = []
    for key, title in titles.items():
        name, _, note = title.partition(" (stand-in)")
        panels.append(
            Panel(
                name,
                _gap_curves(seen[seen["data"] == key], improved=improved),
                "(stand-in)" if title.endswith("(stand-in)") else note,
            )
        )
    most = most or 120
    ticks: tuple[int, ...] = FEW_COUNTS if most <= 35 else COUNTS
    ticks = look.said(ticks, ticks[::2])
    words = [look.said("m = 1", "1"), *(f"{one}" for one in ticks[1:])]
    across = Scale(log=True, ticks=ticks, words=words, span=(0.82, most * 1.25))
    span = None if around is None else log_span(_positive(around), _positive(seen))
    return multiples(
        panels, Grid(across, Scale(MISSES[metric], log=True, span=span), phone_columns=2), look
    )


def _positive(frame: pd.DataFrame) -> FloatArray:
    means = frame["mean"].to_numpy(np.float64)
    return means[means > 0]


def _gap_curves(part: pd.DataFrame, *, improved: bool) -> list[Curve]:
    found = []
    for variant in (*ALWAYS, *(("improved",) if improved else ())):
        for key, label in reversed(NAMES.items()):  # the page's own method lies on top
            rows = part[(part["variant"] == variant) & (part["mechanism"] == key)].sort_values("m")
            if rows.empty and variant != "paper":
                continue
            mean = rows["mean"].to_numpy(np.float64)
            found.append(
                Curve(
                    key,
                    label,
                    rows["m"].to_numpy(np.float64),
                    np.where(mean > 0, mean, np.nan),  # a miss of nobody has no place on a log axis
                    2 * rows["standard_error"].to_numpy(np.float64),
                    hollow=variant != "paper",
                    variant=VARIANTS.get(variant, ""),
                )
            )
    return found


def time_figure(frame: pd.DataFrame, look: Look) -> Picture:
    """Fig. 8: milliseconds of one release against m, averaged over the sets, on a log scale."""
    curves = []
    for key, label in NAMES.items():
        rows = frame[frame["mechanism"] == key].sort_values("m")
        if len(rows):
            places = rows["m"].to_numpy(np.float64)
            taken, spread = (
                1e3 * rows[name].to_numpy(np.float64) for name in ("mean", "standard_error")
            )
            curves.append(Curve(key, label, places, taken, 2 * spread))
    across = Scale(
        "number m of quantiles",
        ticks=look.said((1, 20, 40, 60, 80, 100, 120), (1, 40, 80, 120)),
        span=(0, 122),
    )
    up = Scale("One release, in ms of a processor", log=True)
    return ended(Panel("", curves), Grid(across, up), look)
