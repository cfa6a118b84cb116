"""The CDF that comes out of a noisy tree: raw and smoothed, with bands, readings and trials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dpviz.core.bounds import Bounds
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.kit.picture import coloured
from dpviz.figures.trees.curve import Curve, tree_curve
from dpviz.figures.trees.runs import trials_picture
from dpviz.ui.bench.headline import headline, plain, private, true
from dpviz.ui.bench.hero import drawn, hero
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.charts import number_table
from dpviz.ui.kit.choices import number, several, switch, whole_number
from dpviz.ui.kit.number_text import significant
from dpviz.ui.trees.cdf_numbers import MOST_LEAVES, CdfChoice, CdfNumbers, trials
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

HERO = "trees_cdf"
CURVES = ("raw", "smoothed")


def cdf_view(page: TreePage, now: Visit, reading: TreeEstimator) -> tuple[str, str]:
    """The curves; below them how they are made, what is read from them, and further trials."""
    place = st.container()
    asked, shown = _asked(reading, page.release.shape.leaves)
    found = CdfNumbers.of(page, asked)
    with place:
        finding, second = _sentences(found, asked)
        headline("Trees", finding, second)
        hero(
            tree_curve(
                _curve(found, shown), names(), now.look,
                said=_key(found, shown, now), sure=f"bands: {100 * (1 - asked.beta):.3g} % certain",
            ),
            HERO,
            "Running counts from the tree, raw and smoothed, with bands"
            + (" and the truth" if found.truth is not None else ""),
            slides="tree-cdf",
        )  # fmt: skip
        strip(now, _items(found), ledger=True)
    if now.presenting:
        return HERO, finding
    readings, tried = st.columns([1, 1] if found.truth is not None else [3, 1], gap="medium")
    with readings:
        _readings(found, page.release.bounds, asked)
    with tried:
        _trials(page, asked, now)
    return HERO, finding


def _asked(reading: TreeEstimator, leaves: int) -> tuple[CdfChoice, list[str]]:
    """How the CDF is made, and which of its curves are shown."""
    memory.start_with("t_beta", 0.05)
    left, middle, right, last = st.columns(4)
    step = whole_number(
        "Step, in leaves",
        1,
        max(leaves, 1),
        "t_step",
        "Running counts at every step-th leaf edge, as the poster does for large domains.",
        default=1,
        place=left,
    )
    beta = number(
        "β",
        "t_beta",
        "The bands hold with probability 1 − β.",
        min_value=0.001,
        max_value=0.5,
        format="%.3f",
        place=middle,
    )
    shown = several(
        "Curve",
        CURVES,
        "t_curves",
        "Smoothed: the closest monotone curve in squares (isotonic regression). It is biased where "
        "the curve is flat: too low where a flat stretch begins, too high where it ends, by about "
        ".6 standard deviations of the noise. Standard errors belong to the raw curve.",
        place=right,
    )
    with last:
        as_poster = switch(
            "Smooth as the poster",
            "t_poster",
            "In Manohar's poster the last count, of all people, takes part in smoothing. Without it "
            "that count is held, and the others end at it. (Below 0 counts are cut in both.)",
        )
    return CdfChoice(reading, step, beta, as_poster), shown


def _sentences(found: CdfNumbers, asked: CdfChoice) -> tuple[str, str]:
    """How far the whole curve can be off, and how far it is."""
    nouns = names()
    people, axis = plain(nouns.people), plain(nouns.axis)
    wide = f"± {found.band.simultaneous:,.0f}"
    sure = f"{100 * (1 - asked.beta):.3g} %"
    finding = (
        f"One release gives the whole curve, to within {private(wide)} {people} at every {axis}."
    )
    labels = " The inner band is for each count, the outer one for all together."
    second = f"With {plain(sure)} probability all counts lie within the outer band at once."
    if found.truth is None:
        return finding, second + labels
    off = float(np.abs(found.smooth.counts - found.truth).max())
    return finding, f"{second} This draw's smoothed curve is off by at most {true(f'{off:,.0f}')}."


def _items(found: CdfNumbers) -> list[tuple[str, str]]:
    one, all_ = float(found.band.pointwise.max()), found.band.simultaneous
    return [
        ("points", f"{found.raw.edges.size:,}"),
        ("each within", f"± {one:,.0f}"),
        ("all within", f"± {all_:,.0f}"),
    ]


def _curve(found: CdfNumbers, shown: list[str]) -> Curve:
    """What is drawn; the bands stand around the raw curve, or around the smoothed one alone."""
    raw, smooth = "raw" in shown, "smoothed" in shown
    return Curve(
        found.raw.edges,
        found.raw.counts if raw or not smooth else found.smooth.counts,
        found.band.pointwise,
        found.band.simultaneous,
        found.smooth.counts if raw and smooth else None,
        found.truth,
    ).thinned()


def _key(found: CdfNumbers, shown: list[str], now: Visit) -> str:
    """What stands above the curves: what they count (a phone has no room), which line is which."""
    nouns, blue = names().safe(), now.look.ink.private
    wide = "" if now.look.phone else f"{nouns.people.capitalize()} below each {nouns.axis}: "
    lines = []
    if "smoothed" in shown:
        lines.append(coloured("smoothed", blue, bold=True))
    if "raw" in shown:
        lines.append(coloured("dotted as read" if lines else "as read", blue))
    if found.truth is not None:
        lines.append("<b>truth</b> in black" if not now.look.ink.dark else "<b>truth</b> in white")
    return wide + ", ".join(lines)


def _readings(found: CdfNumbers, bounds: Bounds, asked: CdfChoice) -> None:
    """Totals, medians and ranges with their standard errors."""
    st.markdown("**Read from the smoothed CDF**, ranges from the counts as they are")
    if found.errors is None:
        st.caption("Standard errors are known for the raw and the efficient reading.")
        return
    left, right = st.columns(2, wrap=False)
    kept: dict[str, Any] = {"format": "%.6g", "bind": None}
    low = number("Range from", "t_from", default=bounds.low, place=left, **kept)
    high = number("to", "t_to", default=bounds.low + bounds.width / 2, place=right, **kept)
    readings = list(found.summary)
    if low <= high:
        readings.append(found.in_range(low, high))
    else:
        st.caption("The range ends before it starts.")
    table = pd.DataFrame(
        {
            "reading": one.name,
            "value": significant(one.value, 5),
            "standard error": significant(one.standard_error, 3),
            "how": one.method,
        }
        for one in readings
    )
    right_columns = dict.fromkeys(("value", "standard error"))
    number_table(table, "Numbers read from the CDF with their standard errors", right_columns)
    _intervals(found, asked)


def _intervals(found: CdfNumbers, asked: CdfChoice) -> None:
    """Where quantiles lie, from the release alone: what an outsider has, with the truth or not."""
    if not found.intervals:
        st.caption(
            f"Intervals for quantiles are worked out for trees of up to {MOST_LEAVES:,} leaves."
        )
        return
    sure = f"{100 * (1 - asked.beta):.3g} %"
    st.markdown(f"**Where quantiles lie, {plain(sure)} certain**, from the release alone")
    table = pd.DataFrame(
        {
            "quantile": f"{one.q:g}",
            "of these people": f"{one.noise[0]:,.6g} to {one.noise[1]:,.6g}",
            "of all whom they stand for": f"{one.sampling[0]:,.6g} to {one.sampling[1]:,.6g}",
        }
        for one in found.intervals
    )
    number_table(table, "Intervals for quantiles from the release alone", {})
    st.caption(
        "Ends are edges of parts, so that the first interval holds the column's own quantile at "
        "least so often; the second adds that people were drawn at random, and is approximate."
    )


def _trials(page: TreePage, asked: CdfChoice, now: Visit) -> None:
    """How often the truth left the pointwise band, drawn when it is asked for; confidential."""
    st.markdown("**Points outside α in ten trials**, as the poster reports")
    if not session.shows_truth():
        st.caption("Each trial compares with the truth: hidden.")
        return
    tried = trials(page, asked)
    drawn(
        trials_picture(tried, now.look),
        "t_trials",
        "Points of the CDF outside the pointwise band in each of ten trials",
        slides="trials",
        height=300,
    )
    expected = float(tried["expected"].iloc[0])
    st.caption(
        f"Dashed: {expected:.1f} expected in each trial for the raw curve: β times the points."
    )
