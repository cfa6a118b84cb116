"""T7: where a private median falls; figures as in the script."""

import numpy as np
import pytest

from dpviz.core.quantiles import PERCENTILES
from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.intake.samples import load_sample, sample_names
from dpviz.lessons import halving
from dpviz.lessons.teach.noise.median import SCENE, numbers, of_100
from tests.lessons.boxes import plain

STOPS = SCENE.control.stops
SENSITIVITY = 0.5  # of the score of a median, one record added or removed


def said(epsilon, beat="reveal"):
    words = (SCENE.second.say if beat == "second" else SCENE.say)(numbers(epsilon))
    return plain(words.headline), words.sentence


def test_chances_are_those_of_the_script():
    found = [numbers(epsilon) for epsilon in STOPS]
    near = [of_100(one.near) for one in found]
    assert near == ["20", "51", "91", "98", "99.8", "100", "100"]
    assert [of_100(one.beyond) for one in found] == ["30", "13", "0.1", "0", "0", "0", "0"]
    assert found[0].law.at([0.05, 0.95]).round().tolist() == [14_271, 185_729]
    assert (found[0].truth, found[0].low, found[0].high) == (49_100, 32_800, 148_000)


def chance(epsilon, low, high):
    """The slow twin: the exponential mechanism on the declared grid of the 40 salaries."""
    column = numbers(epsilon).column
    grid = np.arange(column.bounds.low, column.bounds.high + 0.5)
    below = (column.values[None, :] < grid[:, None]).sum(axis=1)
    weight = np.exp(-epsilon * np.abs(below - column.n / 2) / 2 / SENSITIVITY)
    return 100 * weight[(grid >= low) & (grid <= high)].sum() / weight.sum()


@pytest.mark.few(2)
@pytest.mark.parametrize("epsilon", [0.1, 0.2, 0.5, 1.0])
def test_every_chance_is_that_of_the_exponential_mechanism(epsilon):
    told, pay = numbers(epsilon), np.sort(load_sample("office")[0])
    true = pay[20]  # the 21st of 40: the upper median
    assert (told.truth, sample_names("office")[list(load_sample("office")[0]).index(true)]) == (
        true, "Bela",
    )  # fmt: skip
    top = told.column.bounds.high
    assert told.near == pytest.approx(chance(epsilon, true - 5_000, true + 5_000), abs=0.1)
    assert told.further == pytest.approx(chance(epsilon, true - 10_000, true + 10_000), abs=0.1)
    assert told.above == pytest.approx(chance(epsilon, pay[38], top), abs=0.1)
    assert told.beyond == pytest.approx(100 - chance(epsilon, pay[0], pay[39]), abs=0.1)


def test_the_sentence_at_the_start_and_at_both_ends():
    assert SCENE.control.start == SCENE.control.revealed == 0.2
    assert said(0.2) == (
        "ε = 0.2: half of the private medians lie within 5,000.",
        "Of 100, 51 lie within 5,000 of the true 49,100, 67 within 10,000; 13 below or above "
        "every salary.",
    )
    assert said(0.1) == (
        "ε = 0.1: 20 of 100 private medians lie within 5,000.",
        "Of 100, 20 lie within 5,000 of the true 49,100, 31 within 10,000; 49 lie above 39 of the "
        "40 salaries.",
    )
    assert said(10.0) == (
        "ε = 10: 100 of 100 private medians lie within 5,000.",
        "Of 100, 100 lie within 5,000 of the true 49,100, 100 within 10,000; none below or above "
        "every salary.",
    )


def test_the_question_names_the_median_by_its_place():
    told, pay = numbers(0.2), np.sort(load_sample("office")[0])
    place = np.flatnonzero(pay == told.truth)[0] + 1
    assert SCENE.ask(told).sentence == (
        f"40 salaries, public range 0 to 200,000. The exact upper median, {place}st of 40, is "
        f"Bela’s salary, 49,100."
    )


def test_a_guess_is_judged_where_it_was_asked():
    assert SCENE.verdict("d").endswith(
        "At ε = 0.2: **51 of 100 private medians lie within 5,000 of the true one, 13 below or "
        "above every salary**."
    )
    told = numbers(SCENE.control.revealed)
    assert told.near > 50 > told.beyond > 0
    assert SCENE.right.text == "Three to nine of ten within 5,000"
    assert SCENE.drawing.centre == told.truth


def test_the_tree_of_percentiles():
    assert said(1.0, "second") == (
        "99 percentiles take 7 rounds, not 99.",
        "Everyone sits in one half: a round costs ε/7. Of 15,000 people off by 7 on "
        "average, not 99.",
    )
    assert numbers(1.0).percentiles_off == pytest.approx((7.3, 99.0), abs=0.05)
    counts = [one["text"] for one in halving.tree(DESK) if one["id"].startswith("count")]
    assert counts == ["1", "2", "4", "8", "16", "32", "36"]
    drawn = [
        one["values"] for one in halving.tree(PHONE) if one["id"].startswith("answers")
        and one["kind"] == "dots"
    ]  # fmt: skip
    assert np.sort(np.concatenate(drawn)) == pytest.approx(PERCENTILES)


@pytest.mark.parametrize("epsilon", STOPS)
def test_a_dot_is_a_hundredth_of_the_law(epsilon):
    told = numbers(epsilon)
    near = np.abs(told.answers - told.truth) <= 5_000
    assert np.count_nonzero(near) == pytest.approx(told.near, abs=1)
    marks = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", DESK)}
    assert sum(marks["law"]["heights"]) == pytest.approx(100, abs=0.1)
    assert len(marks["answers"]["values"]) == 100


def test_before_the_guess_there_is_no_law():
    ids = {mark["id"] for mark in SCENE.marks(numbers(0.1), "predict", DESK)}
    assert not ids & {"law", "answers", "below", "above"}
