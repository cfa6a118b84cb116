"""The staff survey of the lessons: the stored attack is the one that is worked out anew."""

import json
from itertools import pairwise

import numpy as np
import pytest

from dpviz.experiments.attacks.reconstruction import exact_counts, guess
from dpviz.lessons import survey
from dpviz.version import __version__


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize("counts", survey.STOPS)
def test_the_table_is_what_the_attack_finds(counts):
    found, told = survey.worked_out(counts), survey.stored()[counts]
    assert (found.proved == told.proved).all()
    assert (found.guessed == told.guessed).all()


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("counts", survey.STOPS)
def test_guesses_from_noisy_counts_are_those_of_the_table(counts):
    told = survey.stored_noisy()[counts]
    assert (told.guessed == survey.noisy_guess(counts, survey.EPSILON)).all()
    assert (told.right == survey.guessed_right(counts, survey.EPSILON)).all()


@pytest.mark.law
def test_the_curve_of_proved_marks_never_falls_and_agrees_with_the_states():
    proved, states = survey.stored_proved(), survey.stored()
    assert len(proved) == 41
    assert all(one <= other for one, other in pairwise(proved))
    assert all(proved[counts] == states[counts].known for counts in survey.STOPS)
    assert [survey.worked_out(counts).known for counts in (11, 13, 21)] == [2, 15, 36]
    assert proved[11:14:2] + proved[21:22] == (2, 15, 36)


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


@pytest.mark.law
def test_noise_leaves_a_reader_below_guessing_that_everyone_is_content():
    right = survey.guessed_right(22, 1.0)
    assert right.size == 60
    assert right.mean() == pytest.approx(21.1666667)
    content = np.count_nonzero(~survey.secrets())
    assert content == 24
    assert right.mean() < content
    assert np.count_nonzero(survey.noisy_guess(22, 1.0) == survey.secrets()) in right


@pytest.mark.law
def test_an_epsilon_of_fifty_is_hardly_any_noise():
    assert survey.guessed_right(40, 1000.0).min() == 40
    assert guess(survey.groups(40), exact_counts(survey.groups(40), survey.secrets())).sum() == 16
