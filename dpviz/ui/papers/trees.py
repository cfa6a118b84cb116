"""The figures of Honaker 2019 and of Manohar's poster."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
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
    Example,
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
from dpviz.ui.kit import choices, frame, memory, session
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.number_text import amount
from dpviz.ui.papers.rows import Sheet

EDGES = np.arange(len(LEAVES) + 1.0)


def noisy_tree(sheet: Sheet) -> None:
    """Honaker's figure 1."""
    example = _example()
    reading = TreeEstimator(_choice("Reading", [one.value for one in TreeEstimator], "w_reading"))
    read = reading.apply(example.noisy, None)
    deviation = tuple(
        np.broadcast_to(np.sqrt(variance), counts.shape)
        for variance, counts in zip(read.variances, read.counts, strict=True)
    )
    truth = example.truth if session.shows_truth() else None
    view = TreeView(
        2, read.counts, deviation, EDGES, shade_name="deviation", signed=False, truth=truth
    )
    said = f"Every node {TITLES[reading.value]}, coloured by its standard error"
    _show_tree(sheet, view, said + ("; the exact count in brackets." if truth else "."))


def eight_estimates(sheet: Sheet) -> None:
    """Honaker's figure 2."""
    counts = _example().noisy.counts
    weights = ways()[int(_choice("Estimate", [str(one) for one in range(1, 9)], "w_way")) - 1]
    said = (
        f"a + b + c + d ≈ {applied(weights, counts):.1f} (truly {sum(LEAVES[:4]):g}), "
        f"variance {variance_of(weights) / SIGMA**2:g} σ². Blue is added, orange subtracted."
    )
    _show_tree(sheet, _weighted(counts, weights), said)


def nodes_used(sheet: Sheet) -> None:
    """Honaker's figure 3."""
    noisy = _example().noisy
    part = _choice("Nodes", list(PARTS), "w_part")
    weights, whole = contributions(noisy, part), contributions(noisy)
    rest = f"; {applied(weights, noisy.counts):+.1f} of it from {part}."
    said = (
        f"t100* = {applied(whole, noisy.counts):.1f} (truly {sum(LEAVES[:2]):g}), variance "
        f"{variance_of(whole) / SIGMA**2:.3f} σ²"
    )
    _show_tree(sheet, _weighted(noisy.counts, weights), said + ("." if part == WHOLE else rest))


def simulation(sheet: Sheet) -> None:
    """Honaker's figure 4."""
    found = memory.remembered(("honaker",), lambda: honaker_simulation(np.random.default_rng(2019)))
    sheet.show(honaker_figure(found, frame.ink()))


def _example() -> Example:
    return example_tree(np.random.default_rng(STUDY_SEED))


def _weighted(counts: Weights, weights: Weights) -> TreeView:
    return TreeView(2, counts, weights, EDGES, shade_name="weight", signed=True)


def _show_tree(sheet: Sheet, view: TreeView, said: str) -> None:
    sheet.show(tree_figure(view, frame.ink(), unit="leaf"))
    st.markdown(said)


def _choice(label: str, options: list[str], key: str) -> str:
    return choices.segments(label, options, key, bind=None, wrap=True)


def poster(sheet: Sheet) -> None:
    """A plot of Manohar's poster, and the points outside α in ten trials."""
    key = sheet.asked.figure.key
    plot = POSTERS[key]
    values = memory.remembered(("sample", plot.sample), lambda: load_sample(plot.sample))[0]
    column = Column.from_values(values, plot.bounds)
    shows_truth = session.shows_truth()
    view, alpha = memory.remembered(("poster", key), lambda: _curves(plot, column))
    if shows_truth:
        view = replace(view, truth=true_running_counts(column, view.edges))
    sheet.show(cdf_tree_figure(view, frame.ink(), unit=plot.unit))
    st.markdown(f"ε = 0.01, β = 0.05: the largest α is {amount(alpha, 0)} records.")
    if not shows_truth:
        st.caption("The truth and the points outside α compare with the records: hidden.")
        return
    trials = memory.remembered(
        ("poster trials", key),
        lambda: cdf_trials(
            column,
            plot.tree,
            POSTER_BUDGET,
            np.random.default_rng([STUDY_SEED, 2]),
            step=plot.step,
            beta=POSTER_BETA,
        ),
    )
    said = f"{sheet.asked.figure.title}: points of the CDF outside α in each of ten trials"
    sheet.show(trials_figure(trials, frame.ink()), "trials", said)


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
