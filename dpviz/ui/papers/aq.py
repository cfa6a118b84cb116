"""The figures of Kaplan et al. 2021 (AQ): pictures, studies, and the settings of the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.papers.aq_figures import EXAMPLE, histograms, moved_targets, recursion_nodes
from dpviz.experiments.papers.aq_study import (
    IMPROVED,
    LINES,
    PRESETS,
    TIMED,
    Line,
    error_study,
    time_study,
)
from dpviz.figures.studies.aq import (
    gap_panel,
    histogram_panel,
    nodes_figure,
    targets_figure,
    time_figure,
)
from dpviz.figures.studies.sweeps import legend_strip
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import STUDY_SEED, Draw, paid_by
from dpviz.ui.kit.job_panel import Study, nothing_paid
from dpviz.ui.kit.messages import plain
from dpviz.ui.papers.rows import Asked, Given, Presets, Sheet

SIZES = Presets(
    "w_study", PRESETS, "Complete is the paper's: 100 trials, here for every fifth m to 120."
)


def recursion(sheet: Sheet) -> None:
    """Figure 1."""
    rng = np.random.default_rng(STUDY_SEED)
    nodes = recursion_nodes(sheet.given.data["normal"], 15, 1.0, rng)
    sheet.show(
        nodes_figure(nodes, frame.ink(), unit="value", shows_truth=False),
        alt="Recursion tree: ranges as bars, private quantiles as marks, level by level",
    )


def early_error(sheet: Sheet) -> None:
    """Figure 2."""
    sheet.show(
        targets_figure(moved_targets(**EXAMPLE), frame.ink()),
        alt="Targets of the quartiles before and after the first draw missed by two records",
    )


def data_sets(sheet: Sheet) -> None:
    """Figure 3."""
    known = sheet.given.data
    parts = histograms(known).groupby("data", sort=False)
    for slot, (key, part) in zip(st.columns(3) * 2, parts, strict=False):
        label = known[key].label
        slot.markdown(f"**{plain(label)}**")
        chart(
            histogram_panel(part, frame.ink(), shows_truth=False),
            f"w_bars_{key}",
            f"histogram-{key}",
            f"Histogram of {label}",
            place=slot,
        )


def gaps(notion: str, most: int | None = None) -> Callable[[Sheet], None]:
    """Figures 4 to 7: mean gap against m, to most if it is given, one panel a set."""

    def draw(sheet: Sheet) -> None:
        asked, known = sheet.asked, sheet.given.data
        found = summary(sheet.rows)
        found = found[found["notion"] == notion]
        shown = found if asked.improved else found[found["variant"] == "paper"]
        if most is not None:
            shown = shown[shown["m"] <= most]
        positive = shown.loc[shown["mean"] > 0, "mean"]
        span = (positive.min() / 1.3, positive.max() * 1.3) if len(positive) else None
        lines = shown[["mechanism", "variant"]].drop_duplicates().to_numpy().tolist()
        st.plotly_chart(  # no buttons: it is a legend
            legend_strip([(name, variant == IMPROVED) for name, variant in lines], frame.ink()),
            key=f"w_{asked.figure.key}_legend",
            config={"displayModeBar": False},
            alt="The lines: " + ", ".join(f"{name} ({variant})" for name, variant in lines),
        )
        for slot, key in zip(st.columns(3) * 2, known, strict=False):
            label = known[key].label
            slot.markdown(f"**{plain(label)}**")
            panel = gap_panel(
                found[found["data"] == key],
                frame.ink(),
                improved=asked.improved,
                most=most,
                shows_truth=False,
                y_range=span,
            )
            chart(
                panel,
                f"w_{asked.figure.key}_{key}",
                f"{asked.figure.key}-{key}",
                f"{asked.figure.title}, {label}: mean gap against m, log scale",
                place=slot,
            )

    return draw


def gap_study(asked: Asked, given: Given) -> Study:
    """The trials behind figures 4 to 7, which share them."""
    return Study(
        "figures_4_to_7",
        (asked.preset, given.key),
        given.about,
        f"{asked.preset} study of Fig. 4 to 7, {asked.size.trials} trials",
        lambda: error_study(given.data, asked.size, np.random.default_rng(STUDY_SEED)),
        _paid_for("errors", asked, given, [line for line in LINES if line.same_as is None]),
    )


def _paid_for(
    name: str, asked: Asked, given: Given, lines: Sequence[Line]
) -> Callable[[Experiment], None]:
    """What books the trials on the sets that the visitor gave, each trial by its whole budget."""
    times = asked.size.trials * len(asked.size.counts)
    costs = [
        Cost(f"AQ study, {name}, {line.mechanism.name} on {key}", line.budget, times)
        for key in given.files
        for line in lines
    ]
    if not costs:
        return nothing_paid
    draw = Draw(STUDY_SEED, secret=session.study_secret())
    return paid_by(draw, ("AQ study", name, asked.preset, given.key), costs)


def times(sheet: Sheet) -> None:
    """Figure 8."""
    sheet.show(
        time_figure(summary(sheet.rows), frame.ink()),
        alt="Milliseconds of one release against the number of quantiles, log scale",
    )


def timing(asked: Asked, given: Given) -> Study:
    """The trials behind figure 8."""
    return Study(
        "figure_8",
        (asked.preset, given.key),
        given.about,
        f"{asked.preset} timing of Fig. 8, {asked.size.trials} trials a set",
        lambda: time_study(given.data, asked.size, np.random.default_rng(STUDY_SEED)),
        _paid_for("times", asked, given, TIMED),
        processes=1,
    )
