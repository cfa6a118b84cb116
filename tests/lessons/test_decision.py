"""The decision card: every row is computed, at each of the three settings."""

import math

import pytest

from dpviz.figures.stage.screen import DESK
from dpviz.lessons import towns
from dpviz.lessons.show import accuracy_kept, decision
from dpviz.lessons.show.decision import SCENE
from tests.lessons.boxes import plain

RISK = {0.1: "11", 0.5: "16", 1.0: "24"}
COST = {
    0.1: "one release; monthly: 1.2 a year, 27 in 100",
    0.5: "one release; monthly: 6 a year, 98 in 100",
    1.0: "once; monthly: 12 a year, hardly a cap",
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
        "Proposal: ε = 0.1, once a year, groups from 2,000 on.",
        "Proposal: ε = 0.5, once a year, groups from 500 on.",
        "Proposal: ε = 1, once a year, groups from 300 on.",
    ]
    for eps, risk in RISK.items():
        said = SCENE.say(SCENE.numbers(eps, 1)).sentence
        assert said.startswith(f"If at most {risk} in 100 (from 10) and 2 % off are acceptable.")


def test_a_guess_is_judged_by_a_year_at_a_tenth():
    odds = [10 / 90 * math.exp(eps) for eps in (0.1, 1.2)]
    once, monthly = (math.ceil(100 * one / (1 + one)) for one in odds)
    assert SCENE.verdict("a").endswith(
        f"10 in 100 becomes at most {once} once a year, {monthly} every month**."
    )


def test_the_errors_are_those_of_the_third_scene():
    for eps in SCENE.control.stops:
        told, kept = SCENE.numbers(eps, 1), accuracy_kept.numbers(eps)
        assert (told.median_off, told.count_off) == (kept.median, kept.count)
        assert dict(told.errors) == pytest.approx(
            {row: kept.shares[row] for row in ("median", "count")}
        )


def test_the_census_is_that_of_the_final_file():
    marks = SCENE.marks(SCENE.numbers(0.1, 1), "reveal", DESK)
    texts = " ".join(str(mark["text"]) for mark in marks if mark["kind"] == "label")
    assert decision.CENSUS == pytest.approx(17.14 + 2.47) == pytest.approx(19.61)
    assert "2020 US census, final file: 19.61" in texts
    assert "17.14 + 2.47, ρ-DP at δ = 10⁻¹⁰" in texts
    assert "trial" not in texts


def test_people_and_grains_are_counted():
    marks = {mark["id"]: mark for mark in SCENE.marks(SCENE.numbers(1.0, 1), "reveal", DESK)}
    assert (marks["risk"]["before"], marks["risk"]["added"]) == (10, 14)
    assert marks["group"]["n"] == 300
    levels = [mark["level"] for mark in marks.values() if mark["kind"] == "tank"]
    assert levels == [1, *[0] * 11]


def test_before_the_guess_the_card_has_names_alone():
    (card,) = SCENE.marks(SCENE.numbers(0.1, 1), "predict", DESK)
    assert {words for _, words in card["rows"]} == {""}
