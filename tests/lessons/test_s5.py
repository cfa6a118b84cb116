"""The decision card: every row is computed, at each of the three settings."""

from __future__ import annotations

import pytest

from dpviz.lessons import towns
from dpviz.lessons.show.s5 import SCENE
from tests.lessons.boxes import check_pictures, check_sentences, plain

RISK = {0.1: "11", 0.5: "15.5", 1.0: "23.2"}
COST = {
    0.1: "one release; monthly: 1.2 a year, 27 in 100",
    0.5: "one release; monthly: 6 a year, 97.9 in 100",
    1.0: "once; monthly: 12 a year, no protection left",
}


@pytest.mark.parametrize("eps", SCENE.control.stops)
def test_the_card_is_that_of_the_script(eps):
    told = SCENE.numbers(eps, 1)
    count = {0.1: 30, 0.5: 6, 1.0: 3}[eps]
    assert [words for _, words in told.rows] == [
        f"10 in 100 becomes at most {RISK[eps]}",
        f"median pay ± 100, or a count ± {count}",
        f"{towns.stored(eps).smallest:,} people",
        COST[eps],
        "facts about groups; leaks elsewhere; a second release for free",
        "",
    ]
    assert told.median == 39_800
    assert told.count == 3_059  # earn over 60,000


def test_the_recommendation_names_what_the_card_computed():
    said = [plain(SCENE.say(SCENE.numbers(eps, 1)).headline) for eps in SCENE.control.stops]
    assert said == [
        "We recommend ε = 0.1, once a year, for groups above 2,000.",
        "We recommend ε = 0.5, once a year, for groups above 500.",
        "We recommend ε = 1, once a year, for groups above 300.",
    ]


def test_people_and_grains_are_counted():
    marks = {mark["id"]: mark for mark in SCENE.marks(SCENE.numbers(1.0, 1), "reveal", False)}
    assert (marks["risk"]["before"], marks["risk"]["added"]) == (10, 13)
    assert marks["group"]["n"] == 300
    levels = [mark["level"] for mark in marks.values() if mark["kind"] == "tank"]
    assert levels == [1, *[0] * 11]


def test_before_the_guess_the_card_has_names_alone():
    (card,) = SCENE.marks(SCENE.numbers(0.1, 1), "predict", False)
    assert {words for _, words in card["rows"]} == {""}


def test_sentences_fit_their_lines():
    check_sentences(SCENE)


def test_words_stay_apart():
    check_pictures(SCENE)
