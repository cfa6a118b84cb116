"""The game of scene 4: coins, published answers, and what nobody can beat."""

import math

import numpy as np
import pytest

from dpviz.core.errors import DpvizError
from dpviz.intake.samples import load_sample, sample_column, sample_names
from dpviz.lessons import game
from dpviz.lessons.game import MOST, Round, Tally, expected, rounds, said, tally


def best_guess(played):
    """Whether the likelier world is the one with Ana: from sixteen on."""
    return played.answer >= 16


def test_the_two_worlds_are_the_survey_with_and_without_ana():
    assert game.QUERY.truth(sample_column("survey")) == game.WITH
    assert sample_names("survey")[0] == "Ana"
    assert np.count_nonzero(load_sample("survey")[0][1:] <= 4) == game.WITHOUT


def test_a_class_plays_the_first_rounds_of_a_draw():
    assert rounds(0.1, 1) == rounds(0.1, 1, MOST)[:5]
    assert rounds(0.1, 1) != rounds(0.1, 2)
    assert [one.inside for one in rounds(0.1)] == [one.inside for one in rounds(5.0)]


@pytest.mark.parametrize(("epsilon", "right"), [(0.1, 48), (1.0, 71), (5.0, 99)])
def test_a_hundred_rounds_of_the_script(epsilon, right):
    """With draw 1, and no further from the law than four standard deviations."""
    played = rounds(epsilon, 1, MOST)
    law = expected(epsilon)
    assert abs(right - MOST * law) <= 4 * math.sqrt(MOST * law * (1 - law))
    assert tally(played, [best_guess(one) for one in played]) == Tally(right, MOST)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0, 10.0])
def test_the_expected_share_is_that_of_all_answers(epsilon):
    """The slow twin adds up the likelier world's chance of every answer, over a fair coin."""
    p, far = math.exp(-epsilon), math.ceil(40 / epsilon)
    law = {k: (1 - p) / (1 + p) * p ** abs(k) for k in range(-far - 2, far + 3)}
    best = sum(max(law[k], law[k + 1]) for k in range(-far, far)) / 2
    assert expected(epsilon) == pytest.approx(best)


def test_the_share_right_is_near_what_is_expected():
    """4,000 rounds: fails by chance less than once in 10^9 (Hoeffding); a coin is refused."""
    found = [one.inside == best_guess(one) for draw in range(40) for one in rounds(1.0, draw, MOST)]
    room = math.sqrt(math.log(2e9) / (2 * len(found)))
    assert abs(np.mean(found) - expected(1.0)) < room
    assert abs(0.5 - expected(1.0)) > 2 * room


def test_a_tally_counts_the_guesses_so_far():
    played = (Round(True, 20), Round(False, 20), Round(True, 3))
    assert tally(played, []) == Tally()
    assert tally(played, [True, True]) == Tally(1, 2)
    assert tally(played, [True, False, True]) == Tally(3, 3)


def test_what_is_said():
    assert said(Tally(3, 5), 0.1) == (
        "3 of 5 right. Nobody can expect more than 525 in 1,000 rounds."
    )
    assert said(Tally(), 5.0) == "Nobody can expect more than 994 in 1,000 rounds."


@pytest.mark.parametrize(
    "call",
    [
        lambda: rounds(0.0),
        lambda: rounds(math.nan),
        lambda: rounds(1.0, 1, 0),
        lambda: rounds(1.0, 1, MOST + 1),
        lambda: rounds(1.0, 1, 2.5),
        lambda: expected(-1.0),
        lambda: tally((Round(True, 1),), [True, False]),
    ],
)
def test_what_cannot_be_is_refused(call):
    with pytest.raises(DpvizError):
        call()
