"""The figures of Kaplan et al. 2021 (AQ) in the Paper figures view, with its settings as presets."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.papers.aq_figures import EXAMPLE, histograms, moved_targets, recursion_nodes
from dpviz.experiments.papers.aq_study import (
    CONCENTRATED,
    IMPROVED,
    PRESETS,
    PURE,
    error_study,
    time_study,
)
from dpviz.experiments.papers.sets import DataSet, Origin
from dpviz.figures.studies.aq import (
    gap_panel,
    histogram_panel,
    nodes_figure,
    targets_figure,
    time_figure,
)
from dpviz.figures.studies.sweeps import legend_strip
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.draws import STUDY_SEED
from dpviz.ui.kit.job_panel import job_panel
from dpviz.ui.kit.jobs import Job
from dpviz.ui.kit.messages import empty_state, plain, problem
from dpviz.ui.papers.captions import CAPTIONS
from dpviz.ui.papers.files import files_panel, sets

FIGURES = {
    "aq1": "AQ Fig. 1: the recursion",
    "aq2": "AQ Fig. 2: an early error",
    "aq3": "AQ Fig. 3: the data sets",
    "aq4": "AQ Fig. 4: error, ε = 1",
    "aq5": "AQ Fig. 5: error, ε = 1, m ≤ 35",
    "aq6": "AQ Fig. 6: error, ρ = ½",
    "aq7": "AQ Fig. 7: error, ρ = ½, m ≤ 35",
    "aq8": "AQ Fig. 8: time",
}
STUDY = ("aq4", "aq5", "aq6", "aq7")


def aq_picker() -> tuple[str, str, bool]:
    """The figure, its preset, and whether our own variants are drawn too."""
    left, middle, right = st.columns([4, 4, 4], vertical_alignment="bottom")
    figure = left.selectbox(
        "Figure",
        list(FIGURES),
        index=3,
        key="w_figure",
        format_func=lambda key: FIGURES[key],
        bind="query-params",
        persist_state="session",
        help="Kaplan, Schnapp and Stemmer 2021.",
    )
    with right:
        files_panel()
    preset, improved = "quick", False
    if figure in (*STUDY, "aq8"):
        preset = middle.segmented_control(
            "Preset",
            list(PRESETS),
            default="quick",
            required=True,
            key="w_study",
            bind="query-params",
            persist_state="session",
            wrap=True,
            help="Complete is the paper's: 100 trials, here for every fifth m to 120.",
        )
    if figure in STUDY:
        improved = st.toggle(
            "Our variants too",
            value=False,
            key="w_improved",
            bind="query-params",
            persist_state="session",
            help="Hollow marks: ρ split by bounded range, AggTree read by least squares, with "
            "Gaussian noise in zCDP.",
        )
    return str(figure), str(preset), bool(improved)


def aq_panel(figure: str, preset: str, *, improved: bool) -> None:
    """One figure, and under it how it differs from the printed one."""
    if st.session_state.get("_study") and not session.shows_truth():
        empty_state("These figures use files that you gave; with the truth off they are hidden.")
        return
    try:
        known = sets()
    except DpvizError as error:
        problem(error)
        return
    if figure in STUDY:
        _study_panel(figure, preset, known, improved=improved)
    elif figure == "aq8":
        _time_panel(preset, known)
    else:
        _explaining_panel(figure, known)
    stand_ins = [one.title for one in known.values() if one.origin is Origin.STAND_IN]
    if stand_ins and figure not in {"aq1", "aq2"}:
        st.caption(
            ":material/warning: Made-up columns stand in for "
            f"{', '.join(stand_ins)}: give the real files on the left for the paper's own."
        )
    st.caption(CAPTIONS[figure])


def _explaining_panel(figure: str, known: dict[str, DataSet]) -> None:
    rng = np.random.default_rng(STUDY_SEED)
    if figure == "aq1":
        nodes = recursion_nodes(known["normal"], 15, 1.0, rng)
        picture = nodes_figure(nodes, frame.ink(), unit="value", shows_truth=False)
        alt = "Recursion tree: ranges as bars, private quantiles as marks, level by level"
    elif figure == "aq2":
        picture = targets_figure(moved_targets(**EXAMPLE), frame.ink())
        alt = "Targets of the quartiles before and after the first draw missed by two records"
    else:
        _histograms(known)
        return
    st.plotly_chart(picture, key=f"w_{figure}", config=chart_options(figure, scroll=False), alt=alt)


def _histograms(known: dict[str, DataSet]) -> None:
    bars = histograms(known)
    for slot, (key, part) in zip(st.columns(3) * 2, bars.groupby("data", sort=False), strict=False):
        with slot:
            st.markdown(f"**{plain(known[str(key)].label)}**")
            st.plotly_chart(
                histogram_panel(part, frame.ink(), shows_truth=False),
                key=f"w_bars_{key}",
                config=chart_options(f"histogram-{key}", scroll=False),
                alt=f"Histogram of {known[str(key)].label}",
            )


def _study_panel(figure: str, preset: str, known: dict[str, DataSet], *, improved: bool) -> None:
    notion = PURE if figure in {"aq4", "aq5"} else CONCENTRATED
    most = 35 if figure in {"aq5", "aq7"} else None

    def draw(job: Job) -> None:
        found = summary(job.rows())
        found = found[found["notion"] == notion]
        shown = found if improved else found[found["variant"] == "paper"]
        if most is not None:
            shown = shown[shown["m"] <= most]
        positive = shown.loc[shown["mean"] > 0, "mean"]
        span = (positive.min() / 1.3, positive.max() * 1.3) if len(positive) else None
        lines = shown[["mechanism", "variant"]].drop_duplicates().to_numpy().tolist()
        st.plotly_chart(
            legend_strip([(name, variant == IMPROVED) for name, variant in lines], frame.ink()),
            key=f"w_{figure}_legend",
            config={"displayModeBar": False},
            alt="The lines: " + ", ".join(f"{name} ({variant})" for name, variant in lines),
        )
        for slot, key in zip(st.columns(3) * 2, known, strict=False):
            part = found[found["data"] == key]
            with slot:
                st.markdown(f"**{plain(known[key].label)}**")
                st.plotly_chart(
                    gap_panel(
                        part,
                        frame.ink(),
                        improved=improved,
                        most=most,
                        shows_truth=False,
                        y_range=span,
                    ),
                    key=f"w_{figure}_{key}",
                    config=chart_options(f"{figure}-{key}", scroll=False),
                    alt=f"{FIGURES[figure]}, {known[key].label}: mean gap against m, log scale",
                )

    title = f"{preset} study of Fig. 4 to 7, {PRESETS[preset].trials} trials"
    job_panel(
        "figures_4_to_7",
        (preset, _fingerprint(known)),
        "study",
        title,
        lambda: error_study(known, PRESETS[preset], np.random.default_rng(STUDY_SEED)),
        draw,
    )


def _time_panel(preset: str, known: dict[str, DataSet]) -> None:
    def draw(job: Job) -> None:
        st.plotly_chart(
            time_figure(summary(job.rows()), frame.ink()),
            key="w_aq8",
            config=chart_options("aq8", scroll=False),
            alt="Milliseconds of one release against the number of quantiles, log scale",
        )

    job_panel(
        "figure_8",
        (preset, _fingerprint(known)),
        "study",
        f"{preset} timing of Fig. 8, {PRESETS[preset].trials} trials a set",
        lambda: time_study(known, PRESETS[preset], np.random.default_rng(STUDY_SEED)),
        draw,
        processes=1,
    )


def _fingerprint(known: dict[str, DataSet]) -> tuple[object, ...]:
    return tuple((key, one.origin, hash(one.values.tobytes())) for key, one in known.items())
