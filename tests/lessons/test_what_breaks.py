"""T12: what passes through three gaps; sentences and the picture say it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.randomness.noise import Noise
from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.teach.promise.what_breaks import (
    CHANCE,
    DELTAS,
    DIGITS,
    SCENE,
    STOPS,
    numbers,
    of_hundred,
    power,
)
from tests.lessons.boxes import plain

OTHER = replace(
    numbers("delta"), exposed=(0.9, 0.72, 0.31, 0.042, 3e-6), march=31, april=29,
    fresh=(4, -5, 6, 7, 8), telling=0.612, weak_telling=0.083, medians=0.222,
)  # fmt: skip


def said(stop):
    words = SCENE.say(replace(OTHER, stop=stop))
    return plain(words.headline), words.sentence


def test_numbers_are_those_of_the_script():
    told = numbers("floats")
    assert [of_hundred(one) for one in told.exposed] == [
        "100", "78", "14", "1.5", "1.5 in a million",
    ]  # fmt: skip
    assert told.exposed == pytest.approx(
        [1 - math.exp(15_000 * math.log(1 - one)) for one in DELTAS]
    )
    assert (told.march, told.april, told.apart) == (21, 20, 1)
    assert [round(100 * one) for one in (told.telling, told.weak_telling, told.medians)] == [
        47,
        7,
        31,
    ]
    assert [power(one) for one in DELTAS] == ["10⁻³", "10⁻⁴", "10⁻⁵", "10⁻⁶", "10⁻¹⁰"]


def test_published_counts_are_redrawn():
    draw = Noise.DISCRETE_LAPLACE.draw
    (noise,) = draw(10.0, (1,), np.random.default_rng(7)).tolist()
    told = numbers("seed")
    assert (told.march, told.april) == (16 + noise, 15 + noise)
    pairs = draw(10.0, (5, 2), np.random.default_rng(2)).tolist()
    assert told.fresh == tuple(16 + one - (15 + other) for one, other in pairs)
    assert len(set(told.fresh)) > 1


def test_every_sentence_says_its_own_numbers():
    assert said("delta") == (
        "15,000 people, δ = 10⁻⁵: 31 of 100 expose somebody.",
        "“Each record in full with chance δ” keeps (0, δ). At 10⁻³ it is 90 of 100, at 10⁻¹⁰ 3 in "
        "a million.",
    )
    assert said("seed") == (
        "One seed for two months: Ana's mark is out.",
        "Published 31 and 29: 2 apart, which is Ana. With fresh noise they would be 4, −5, 6, 7, 8 "
        "apart.",
    )
    assert said("floats") == (
        "The proof holds. The program leaks: 61 in 100.",
        "Of textbook answers for 16, 61 in 100 cannot come from 15, by their last digits. Of whole "
        "numbers none.",
    )
    assert SCENE.finding(OTHER).startswith("of its answers 61 in 100 exclude 15;")
    assert "it is 7 in 100; a textbook median" in SCENE.explained
    assert "in 31 of 100 releases" in SCENE.explained


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_one_gap_is_open_and_shows_what_passes(screen):
    seen = {
        stop: {one["id"]: one for one in SCENE.marks(replace(OTHER, stop=stop), "reveal", screen)}
        for stop in STOPS
    }
    for stop, marks in seen.items():
        assert len(marks["barrier"]["gaps"]) == 1
        assert marks[f"name {stop}"]["colour"] == "danger_text"
        (top, bottom), y = marks["barrier"]["gaps"][0], marks["beam"]["from"][1]
        assert top[1] < y[1] < bottom[1]
        assert [marks[f"leak {one}"]["text"] for one in ("delta", "seed", "floats")] == [
            "31 of 100 releases", "31 − 29 = 2: Ana", "61 of 100 answers",
        ]  # fmt: skip
    bars = [seen["delta"][f"bar {i}"] for i in range(5)]
    wide = [bar["to"][0][0][0] - bar["from"][0][0] for bar in bars]
    assert np.array(wide) / wide[0] == pytest.approx(np.array(OTHER.exposed) / 0.9, abs=1e-6)
    assert seen["delta"]["share 1"]["text"] == "72"
    assert seen["seed"]["march"]["text"] == "March: 16 + 15 = 31"
    assert seen["seed"]["april"]["text"] == "April: 15 + 14 = 29"
    assert seen["seed"]["apart"]["text"] == "31 − 29 = 2: Ana"
    assert seen["seed"]["fresh"]["text"] == "4, −5, 6, 7, 8"
    assert (seen["floats"]["answers"]["before"], seen["floats"]["answers"]["added"]) == (0, 61)
    assert seen["floats"]["telling"]["text"] == "61"


def test_before_the_guess_no_gap_is_open():
    marks = {one["id"]: one for one in SCENE.marks(OTHER, "predict", DESK)}
    assert marks["barrier"]["gaps"] == []
    assert "beam" not in marks
    assert not any(name.startswith("leak") for name in marks)


def test_the_way_on_from_the_digits_leads_to_the_chance():
    assert SCENE.control.revealed == DIGITS
    assert SCENE.second.start == CHANCE
    told = numbers(CHANCE)
    assert "expose somebody" in SCENE.second.say(told).headline
    assert SCENE.marks(told, "second", DESK) == SCENE.marks(told, "reveal", DESK)


@pytest.mark.law
def test_delta_allows_a_failure_and_is_not_its_chance():
    """Of a Gaussian release the loss exceeds ε more often than δ, and no record is published."""
    assert "δ allows a chance of total failure" in SCENE.explanation
    assert SCENE.exercise.startswith("Each of 1 million records is published in full with chance")
    sd, epsilon = 4.0, 1.0
    loss = np.random.default_rng(1).normal(1 / (2 * sd**2), 1 / sd, 1_000_000)
    beyond, delta = (loss > epsilon).mean(), np.maximum(1 - np.exp(epsilon - loss), 0).mean()
    assert beyond > 3 * delta > 0
    published = np.random.default_rng(2).binomial(1_000_000, 1e-6, 50)
    assert published.mean() == pytest.approx(1, abs=0.5)
