"""The second scene of Show: what a suspicion can become at most, at every setting."""

import math
import re

import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.show.suspicion import SCENE, short
from tests.lessons.boxes import PICTURES, drawn, plain, said

ENDS = {0.1: "11", 0.5: "15.5", 1.0: "23.2", 2.0: "45.1", 5.0: "94.3", 10.0: "99.96"}


def test_it_asks_what_the_script_asks():
    asked = said(SCENE, 1.0, "predict")
    assert asked.headline == "How far may our publication raise a suspicion?"
    assert asked.sentence == (
        "Someone thinks it 10 in 100 likely that a colleague is in our file. We publish with "
        "ε = 1 (moderate)."
    )
    assert SCENE.right.text == f"{ENDS[1.0]} in 100"


@pytest.mark.parametrize("setting", SCENE.control.stops)
def test_the_cap_is_that_of_the_script(setting):
    most = SCENE.numbers(setting, 1).most
    assert short(most) == ENDS[setting]
    odds = 0.1 / 0.9 * math.exp(setting)
    assert most == pytest.approx(odds / (1 + odds))


def test_the_sentences_at_the_start_and_at_both_ends():
    for setting, name in ((0.1, "Strong"), (0.5, "ε = 0.5"), (1.0, "Moderate"), (10.0, "Weak")):
        found = said(SCENE, setting, "reveal")
        assert plain(found.headline) == f"{name}: 10 in 100 becomes at most {ENDS[setting]}."
        assert found.sentence.endswith(
            " : 90. Strong: 11. Moderate: 23.2. Weak: 99.96, hardly a cap."
        )


@pytest.mark.parametrize("setting", SCENE.control.stops)
def test_the_odds_are_a_sum_that_holds(setting):
    told = SCENE.numbers(setting, 1)
    times, after = (
        float(one.replace(",", ""))
        for one in re.fullmatch(r"10 : 90 × ([\d.,]+) = ([\d.,]+) : 90", told.odds).groups()
    )
    assert (times, after) == pytest.approx((math.exp(setting), 10 * math.exp(setting)), rel=6e-3)
    assert f"Odds {told.odds}." in said(SCENE, setting, "reveal").sentence


def test_odds_taken_for_a_chance_are_answered():
    odds = 10 * math.exp(1)
    (wrong,) = [one for one in SCENE.options if one.reason]
    assert wrong.text == f"{odds:.1f} in 100"
    assert (
        wrong.reason
        == f"{odds:.1f} : 90 are odds; as a chance that is {odds:.1f} of {odds + 90:.1f}."
    )
    assert SCENE.verdict(wrong.key).endswith(wrong.reason)
    assert "at most 23.2 in 100" in SCENE.verdict(wrong.key)


def test_figures_are_added_one_by_one():
    for setting, added in ((0.1, 1), (1.0, 13), (10.0, 90)):
        for size in PICTURES:
            assert drawn(SCENE, setting, "reveal", size).count('fill="url(#hatch)"') == 2 * added
            assert "url(#hatch)" not in drawn(SCENE, setting, "predict", size)


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_question_does_not_say_what_a_suspicion_becomes(screen):
    told = SCENE.numbers(1.0, 1)
    asked, answered = (
        {mark["id"] for mark in SCENE.marks(told, beat, screen)} for beat in ("predict", "reveal")
    )
    assert {"after", "cap", "cap number"} == answered - asked
