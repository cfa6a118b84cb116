"""The staff survey of the lessons: the stored attack is the one that is worked out anew."""

from __future__ import annotations

import json

import numpy as np
import pytest

from dpviz.experiments.attacks.reconstruction import exact_counts, guess
from dpviz.lessons import survey
from dpviz.version import __version__


@pytest.mark.parametrize("counts", survey.STOPS)
def test_the_table_is_what_the_attack_finds(counts):
    found, told = survey.worked_out(counts), survey.stored()[counts]
    assert (found.proved == told.proved).all()
    assert (found.guessed == told.guessed).all()


def test_the_table_is_of_this_version():
    assert json.loads(survey.TABLE.read_text(encoding="utf-8"))["dpviz"] == __version__


def test_the_figures_of_the_lesson():
    states, truth = survey.stored(), survey.secrets()
    assert [states[k].known for k in survey.STOPS] == [0, 0, 0, 5, 21, 26, 31, 35, 40, 40, 40, 40]
    right = [np.count_nonzero(states[k].guessed == truth) for k in survey.STOPS]
    assert right[:9] == [22, 25, 32, 36, 35, 35, 35, 34, 40]
    sizes = survey.groups(40).sum(axis=1)
    assert sizes.min() == 13
    assert (survey.groups(22).sum(axis=1).min(), sizes[:22].max()) == (14, 28)
    assert (survey.groups(40)[:22] == survey.groups(22)).all()


def test_noise_leaves_a_reader_below_guessing_that_everyone_is_content():
    right = survey.guessed_right(22, 1.0)
    assert right.size == 60
    assert right.mean() == pytest.approx(21.2)
    content = np.count_nonzero(~survey.secrets())
    assert content == 24
    assert right.mean() < content
    assert np.count_nonzero(survey.first_guess(22, 1.0)) in right


def test_an_epsilon_of_fifty_is_hardly_any_noise():
    assert survey.guessed_right(40, 1000.0).min() == 40
    assert guess(survey.groups(40), exact_counts(survey.groups(40), survey.secrets())).sum() == 16
