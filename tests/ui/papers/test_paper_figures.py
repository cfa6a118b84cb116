"""The rows about papers' figures: complete, and a new one is a row and nothing else."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from dpviz.ui.papers import figures, panel
from dpviz.ui.papers.captions import CAPTIONS
from dpviz.ui.papers.figures import FIGURES, MANOHAR
from dpviz.ui.papers.rows import PaperFigure, Sheet
from tests.pages.driver import alts, opened, pick, text


def test_every_figure_has_a_key_a_title_and_a_caption_of_its_own():
    assert {row.key for row in FIGURES} == set(CAPTIONS)
    for values in ([row.key for row in FIGURES], [row.title for row in FIGURES]):
        assert len(set(values)) == len(FIGURES)
    assert all(row.caption for row in FIGURES)


def test_a_study_has_sizes_to_choose_and_other_figures_have_none():
    assert [row.key for row in FIGURES if (row.study is None) != (row.presets is None)] == []


@pytest.mark.parametrize("widget", sorted({row.paper.widget for row in FIGURES}))
def test_the_figure_shown_first_is_one_of_the_papers(widget):
    rows = [row for row in FIGURES if row.paper.widget == widget]
    (paper,) = {row.paper.title: row.paper for row in rows}.values()
    assert paper.first in {"", *(row.key for row in rows)}


def test_a_throw_away_figure_needs_one_row(monkeypatch):
    def picture(sheet: Sheet) -> None:
        sheet.show(go.Figure(go.Scatter(x=[0, 1], y=[0, 1])))

    row = PaperFigure("throw-away", MANOHAR, "A third plot", "Differs from no print.", picture)
    monkeypatch.setattr(panel, "FIGURES", (*FIGURES, row))
    app = pick(opened("what_if"), w_view="Paper figures", w_paper="Manohar", w_manohar="throw-away")
    assert alts(app) == ["A third plot"]
    assert "Differs from no print." in text(app)


def test_a_row_without_a_caption_is_an_error():
    with pytest.raises(KeyError, match="psd99"):
        figures._row("psd99", MANOHAR, "A title", lambda sheet: None)
