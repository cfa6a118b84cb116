"""The Paper figures view: which figure of which paper, and the figure."""

from __future__ import annotations

import streamlit as st

from dpviz.ui.kit import choices
from dpviz.ui.kit.job_panel import job_panel
from dpviz.ui.papers.figures import FIGURES
from dpviz.ui.papers.rows import Asked, Sheet


def figure_picker() -> Asked:
    """The figure of a paper, its preset, and whether our own variants are drawn too."""
    papers = {row.paper.title: row.paper for row in FIGURES}
    paper = papers[choices.segments("Paper", list(papers), "w_paper", wrap=True)]
    rows = {row.key: row for row in FIGURES if row.paper is paper}
    left, middle, right = st.columns(paper.widths, vertical_alignment="bottom")
    chosen = choices.menu(
        "Figure",
        {key: row.title for key, row in rows.items()},
        paper.widget,
        paper.source,
        place=left,
        index=list(rows).index(paper.first) if paper.first else 0,
    )
    figure, preset, improved = rows[chosen], "", False
    with right:
        for aside in (paper.aside, figure.aside):
            if aside is not None:
                aside()
    if figure.presets is not None:
        sizes, widget = list(figure.presets.sizes), figure.presets.widget
        preset = choices.segments(
            "Preset", sizes, widget, figure.presets.help, place=middle, wrap=True
        )
    if figure.has_variants:
        improved = choices.switch(
            "Our variants too",
            "w_improved",
            "Hollow marks: ρ split by bounded range, AggTree read by least squares, with "
            "Gaussian noise in zCDP.",
        )
    return Asked(figure, preset, improved)


def papers_panel(asked: Asked) -> None:
    """One figure, and under it how it differs from the printed one."""
    figure = asked.figure
    given = figure.needs()
    if given is not None:
        if figure.study is None:
            figure.picture(Sheet(asked, given))
        else:
            study = figure.study(asked, given)
            job_panel(study, lambda job: figure.picture(Sheet(asked, given, job.rows())))
        if given.note:
            st.caption(given.note)
    st.caption(figure.caption)
