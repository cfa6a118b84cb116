"""Teach: who counts as one, against the file itself, noise counted out, and odds by hand."""

import math

import numpy as np
import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.intake.samples import load_sample
from dpviz.lessons.teach.promise.who_counts import SCENE, numbers
from tests.lessons.boxes import plain

STOPS = SCENE.control.stops
CAPS = {"row": None, "12": 12, "6": 6, "3": 3}
LUNCHES = [12, *np.random.default_rng(112).integers(1, 13, 40).tolist()[1:]]


def far(sensitivity: int) -> int:
    """How far 19 of 20 noises are off at ε = 0.1, by adding chances up one after the other."""
    p = math.exp(-0.1 / sensitivity)
    reach, within = 0, (1 - p) / (1 + p)
    while within < 0.95:
        reach += 1
        within += 2 * (1 - p) / (1 + p) * p**reach
    return reach


def most(prior: float, epsilon: float) -> float:
    odds = prior / (1 - prior) * math.exp(epsilon)
    return 100 * odds / (1 + odds)


@pytest.mark.parametrize("stop", STOPS)
def test_every_number_again(stop):
    told, cap = numbers(stop), CAPS[stop]
    assert list(told.lunches) == LUNCHES
    assert told.rows == sum(LUNCHES) == 302
    kept = [one if cap is None or one < cap else cap for one in LUNCHES]
    assert list(told.kept) == kept
    assert told.cut == 302 - sum(kept)
    assert told.counted == kept[0]
    assert told.cap == cap
    assert told.sensitivity == (cap or 1)
    assert told.reach == far(cap or 1)
    assert told.loss == pytest.approx(0.1 if cap else 1.2)
    assert 100 * told.most == pytest.approx(most(0.1, told.loss))
    assert told.at_most == math.ceil(most(0.1, told.loss))


def test_the_script():
    assert [numbers(stop).reach for stop in STOPS] == [30, 359, 180, 90]
    assert [numbers(stop).cut for stop in STOPS] == [0, 0, 104, 192]
    assert [numbers(stop).at_most for stop in STOPS] == [27, 11, 11, 11]
    family = math.ceil(10 * most(0.1, 4 * 0.1)) / 10
    assert f"at most {family:.1f} in 100" in SCENE.teacher
    assert f"it is {100 * 359 / (302 * 1_000):.1f} %" in SCENE.teacher  # 40,000 people


def test_kinds_of_neighbours_by_brute_force():
    """Everybody added or replaced in every way: how much do bars and a sum of ages change?"""
    told, ages = numbers("row"), range(18, 71)
    bars = [sum(round(one) == mark for one in load_sample("survey")[0]) for mark in range(1, 11)]
    assert list(told.bars) == bars
    assert bars[told.before - 1] > 0
    assert told.before == load_sample("survey")[0][0]

    def changed(old: int | None, new: int) -> int:
        after = list(bars)
        after[new - 1] += 1
        if old is not None:
            after[old - 1] -= 1
        return sum(abs(one - other) for one, other in zip(after, bars, strict=True))

    added = max(changed(None, new) for new in range(1, 11))
    replaced = max(changed(old, new) for old in range(1, 11) for new in range(1, 11))
    summed = max(ages), max(abs(one - other) for one in ages for other in ages)
    assert [change[1:] for change in told.changes] == [(1, 1), (added, replaced), summed]
    assert told.changes[2][0] == "ages 18 to 70, summed"
    assert told.reaches == (far(added), far(replaced)) == (30, 60)


@pytest.mark.parametrize(
    ("stop", "headline", "sentence"),
    [
        ("row", "Protect a row, and Ana’s 12 rows add up: 27 in 100.",
         "Odds × e^1.2: 10 : 90 × 3.32 = 33.2 : 90. The count is ± 30 of 302 lunches."),
        ("12", "Protect a person: 11 in 100, and ± 359 lunches.",
         "A person moves the count by up to 12: noise 12/ε, 119 % of all 302."),
        ("6", "Protect a person: 11 in 100, and ± 180 lunches.",
         "A person moves the count by up to 6: noise 6/ε. 104 of 302 lunches are cut off."),
        ("3", "Protect a person: 11 in 100, and ± 90 lunches.",
         "A person moves the count by up to 3: noise 3/ε. 192 of 302 lunches are cut off."),
    ],
)  # fmt: skip
def test_the_sentences(stop, headline, sentence):
    said = SCENE.say(numbers(stop))
    assert (plain(said.headline), plain(said.sentence)) == (headline, sentence)
    assert math.exp(1.2) == pytest.approx(3.32, abs=0.005)
    assert round(100 * 359 / 302) == 119


def test_the_question_and_the_second_beat():
    assert "302 lunches of 40 people" in SCENE.ask(numbers("row")).sentence
    assert "at most 27 in 100, for Ana’s rows add up to ε = 1.2" in SCENE.verdict("b")
    said = SCENE.second.say(numbers("row"))
    assert plain(said.headline) == "Replaced, not added: ten bars need ± 60, not ± 30."
    assert said.sentence == (
        "One bar goes down, one up: 2 changes, not 1. A sum of ages needs 52 in place of 70: say "
        "which."
    )


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("stop", STOPS)
def test_the_picture_shows_every_lunch_and_what_is_cut(stop, screen):
    told = numbers(stop)
    shown = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", screen)}
    grains = {name: len(shown[name]["x"]) for name in ("own", "kept", "cut") if name in shown}
    assert grains["own"] == told.counted
    assert grains["own"] + grains["kept"] == 302 - told.cut
    assert grains.get("cut", 0) == told.cut
    bar = shown["count"]
    assert (bar["value"], bar["half"]) == (302 - told.cut, told.reach)
    assert (shown["people"]["before"], shown["people"]["added"]) == (10, told.at_most - 10)
    frame = [place["value"] for end in ("from", "to") for place in shown["unit"][end]]
    assert frame == ([0, 11, 1, 12] if stop == "row" else [0, 0, 1, told.cap])
    assert shown["reach"]["text"] == f"± {told.reach}"
    assert ("cut off" in shown) == bool(told.cut)
    asked = {mark["id"]: mark for mark in SCENE.marks(told, "predict", screen)}
    assert asked["people"]["added"] == 0
    assert "after" not in asked


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_one_bar_grows_or_two_change(screen):
    told = numbers("row")
    shown = {mark["id"]: mark for mark in SCENE.marks(told, "second", screen)}
    for name, many in (("added", 1), ("replaced", 2)):
        assert sum(key.startswith(f"{name} bar") for key in shown) == many
        assert len(shown[f"{name} others"]["x"]) + 1 == sum(told.bars) == 40
    assert shown["added own"]["x"] == [told.before - 0.5] == shown["replaced left"]["x"]
    assert shown["replaced own"]["x"] != shown["added own"]["x"]
    figures = [mark["text"] for key, mark in shown.items() if key.endswith((" added", " replaced"))]
    assert figures == [f"{one:g}" for _, *both in told.changes for one in both]
