"""The rows about papers' figures: complete, and a new one is a row and nothing else."""

from dataclasses import replace

import pytest

from dpviz.experiments.papers.stored.findings import word
from dpviz.experiments.papers.stored.judgements import judgements, stated
from dpviz.ui.papers import all_figures, figures
from dpviz.ui.papers.figures import BY_KEY, FIGURES, PRINTED
from dpviz.ui.papers.thumbnails import THUMBNAILS


def test_every_figure_has_a_key_a_judgement_a_thumbnail_and_words_of_its_own():
    keys = [row.key for row in FIGURES]
    assert keys == list(judgements())
    assert set(all_figures.PICTURES) == set(keys)
    assert set(THUMBNAILS) == {row.key for row in PRINTED}
    named = [(row.paper.title, row.label) for row in FIGURES]
    assert len(set(named)) == len(FIGURES)
    assert all(row.note and row.about and len(row.note) <= 20 for row in FIGURES)
    assert len(BY_KEY) == len(FIGURES)


def test_a_study_has_sizes_to_choose_and_other_figures_have_none():
    assert [row.key for row in FIGURES if (row.study is None) != (row.presets is None)] == []


def test_the_gallery_counts_what_the_table_holds():
    first, second = all_figures.sentences()
    marks = [row.mark for key, row in judgements().items() if key not in stated()]
    judged = sum(mark in all_figures.DRAWN for mark in marks)
    assert f"{len(PRINTED)} figures of four papers" in first
    assert len(FIGURES) - len(PRINTED) == len(stated())
    assert f"{word(len(stated())).capitalize()} statements" in second
    assert f"{marks.count('as printed')} of {judged}" in first
    assert f"{marks.count('in part')} in part" in first
    assert f"not: {marks.count('not')}" in second


def test_a_throw_away_figure_needs_one_row_and_one_judgement(monkeypatch):
    row = replace(BY_KEY["psd2"], key="throw-away", label="Fig. 99")
    with pytest.raises(KeyError, match="throw-away"):
        judgements()["throw-away"]
    monkeypatch.setitem(judgements(), "throw-away", judgements()["psd2"])
    monkeypatch.setattr(all_figures, "FIGURES", (*FIGURES, row))
    monkeypatch.setattr(all_figures, "rows_of", lambda key, held: held.rows["worst"])
    monkeypatch.setattr(
        all_figures, "PICTURES", dict.fromkeys((*BY_KEY, row.key), THUMBNAILS["psd2"])
    )
    assert "25 figures" in all_figures.sentences()[0]
    cards = [card.key for row in all_figures.rows.__wrapped__() for card in row.cards]
    assert cards[18] == "throw-away"


@pytest.mark.parametrize("size", ["quick", "zoom, m ≤ 35", "complete"])
def test_every_preset_says_how_often_it_runs(size):
    presets = figures.BY_KEY["aq4"].presets
    assert presets is not None
    assert presets.runs(presets.sizes[size]) > 1
