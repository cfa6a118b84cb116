"""The figures of Honaker 2019 and of Manohar's poster in the Paper figures view."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from dpviz.core.data import Column
from dpviz.estimators.trees.band import cdf_band
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_figures import (
    LEAVES,
    PARTS,
    POSTER_BETA,
    POSTER_BUDGET,
    POSTERS,
    SIGMA,
    WHOLE,
    Poster,
    Weights,
    applied,
    contributions,
    example_tree,
    variance_of,
    ways,
)
from dpviz.experiments.papers.tree_study import cdf_trials, honaker_simulation
from dpviz.figures.trees.cdf import CdfView, cdf_tree_figure, trials_figure
from dpviz.figures.trees.levels import honaker_figure
from dpviz.figures.trees.marks import TITLES
from dpviz.figures.trees.tree import tree_figure
from dpviz.figures.trees.view import TreeView
from dpviz.intake.samples import load_sample
from dpviz.metrics.cdf import true_running_counts
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.papers.captions import CAPTIONS

HONAKER = {
    "honaker1": "Honaker Fig. 1: a noisy tree",
    "honaker2": "Honaker Fig. 2: eight estimates",
    "honaker3": "Honaker Fig. 3: what t100* uses",
    "honaker4": "Honaker Fig. 4: simulation",
}
MANOHAR = {
    "manohar1": "Manohar's first plot: income",
    "manohar2": "Manohar's second plot: age",
}


def trees_panel(figure: str) -> None:
    """One figure, and under it how it differs from the printed one."""
    if figure in POSTERS:
        _poster(figure, POSTERS[figure])
    elif figure == "honaker4":
        found = memory.remembered(
            ("honaker",), lambda: honaker_simulation(np.random.default_rng(2019))
        )
        _show(figure, honaker_figure(found, frame.ink()), HONAKER[figure])
    else:
        _example(figure)
    st.caption(CAPTIONS[figure])


def _show(key: str, picture: go.Figure, alt: str) -> None:
    st.plotly_chart(picture, key=f"w_{key}", config=chart_options(key, scroll=False), alt=alt)


def _example(figure: str) -> None:
    example = example_tree(np.random.default_rng(STUDY_SEED))
    counts: Weights = example.noisy.counts
    name, truth = "weight", None
    if figure == "honaker1":
        chosen = _choice("Reading", [one.value for one in TreeEstimator], "w_reading")
        shown = TreeEstimator(chosen).apply(example.noisy, None)
        counts, name = shown.counts, "deviation"
        shade: Weights = tuple(
            np.broadcast_to(np.sqrt(v), c.shape)
            for v, c in zip(shown.variances, counts, strict=True)
        )
        truth = example.truth if session.shows_truth() else None
        said = f"Every node {TITLES[chosen]}, coloured by its standard error"
        said += "; the exact count in brackets." if truth else "."
    elif figure == "honaker2":
        at = int(_choice("Estimate", [str(one) for one in range(1, 9)], "w_way"))
        shade = ways()[at - 1]
        said = (
            f"a + b + c + d ≈ {applied(shade, counts):.1f} (truly {sum(LEAVES[:4]):g}), "
            f"variance {variance_of(shade) / SIGMA**2:g} σ². Blue is added, orange subtracted."
        )
    else:
        part = _choice("Nodes", list(PARTS), "w_part")
        shade, whole = contributions(example.noisy, part), contributions(example.noisy)
        said = (
            f"t100* = {applied(whole, counts):.1f} (truly {sum(LEAVES[:2]):g}), variance "
            f"{variance_of(whole) / SIGMA**2:.3f} σ²"
        )
        said += "." if part == WHOLE else f"; {applied(shade, counts):+.1f} of it from {part}."
    view = TreeView(
        2, counts, shade, np.arange(9.0), shade_name=name, signed=name == "weight", truth=truth
    )
    _show(figure, tree_figure(view, frame.ink(), unit="leaf"), HONAKER[figure])
    st.markdown(said)


def _choice(label: str, options: list[str], key: str) -> str:
    chosen = st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        key=key,
        persist_state="session",
        wrap=True,
    )
    return str(chosen)


def _poster(figure: str, poster: Poster) -> None:
    values = memory.remembered(("sample", poster.sample), lambda: load_sample(poster.sample))[0]
    column = Column.from_values(values, poster.bounds)
    shows_truth = session.shows_truth()
    view, alpha = memory.remembered(("poster", figure), lambda: _curves(poster, column))
    if shows_truth:
        truth = true_running_counts(column, view.edges)
        view = CdfView(
            view.edges, view.raw, view.smoothed, view.pointwise, None, view.labels, truth
        )
    _show(figure, cdf_tree_figure(view, frame.ink(), unit=poster.unit), MANOHAR[figure])
    st.markdown(f"ε = 0.01, β = 0.05: the largest α is {alpha:,.0f} records.")
    if not shows_truth:
        st.caption("The truth and the points outside α compare with the records: hidden.")
        return
    trials = memory.remembered(
        ("poster trials", figure),
        lambda: cdf_trials(
            column,
            poster.tree,
            POSTER_BUDGET,
            np.random.default_rng([STUDY_SEED, 2]),
            step=poster.step,
            beta=POSTER_BETA,
        ),
    )
    alt = f"{MANOHAR[figure]}: points of the CDF outside α in each of ten trials"
    _show(f"{figure}_trials", trials_figure(trials, frame.ink()), alt)


def _curves(poster: Poster, column: Column) -> tuple[CdfView, float]:
    release = poster.tree.release(column, POSTER_BUDGET, np.random.default_rng(STUDY_SEED))
    raw = cdf(release, step=poster.step)
    smoothed = monotone(raw)
    band = cdf_band(
        release,
        np.random.default_rng([STUDY_SEED, 1]),
        step=poster.step,
        beta=POSTER_BETA,
    )
    view = CdfView(
        raw.edges,
        raw.counts,
        smoothed.counts,
        band.pointwise,
        labels=band.labels(smoothed=False),
    )
    return view, float(band.pointwise.max())
