"""T14: two cards without options; blanks are filled in, in words and in the picture."""

import json
import re
from dataclasses import replace
from itertools import product

import pytest
import quickjs

import dpviz as dp
from dpviz.core.budgets import Neighbours
from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.engine import staging
from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.one_bound import STOPS as BOUNDS
from dpviz.lessons.one_bound import numbers as average
from dpviz.lessons.scene import Option
from dpviz.lessons.stories.handout import handout
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.lessons.stories.notebook import notebook
from dpviz.lessons.stories.telling import Place, beat_of, controls, keys, moves, verdict
from dpviz.lessons.teach.promise.promised import BOUND, NAMES, PEOPLE, SCENE, SMOKER, STOPS, numbers
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from tests.lessons.boxes import plain


@pytest.fixture(scope="module")
def engine():
    context = quickjs.Context()
    context.eval(staging())
    return lambda call: json.loads(context.eval(f"JSON.stringify($touch.{call})"))


def place(beat, guess=None, stop="blank"):
    return Place(BY_KEY["teach"], SCENE, guess, beat, stop)


def test_the_label_is_that_of_the_average_of_pay():
    told = average(BOUND)
    assert (BOUNDS[told.best], told.pay.size) == (BOUND, PEOPLE)
    assert NoisyMean(PEOPLE).neighbours is Neighbours.ADD_REMOVE
    rows = dict(numbers("blank").rows)
    assert rows["ε"] == "0.1: 10 in 100 becomes at most 11"
    assert rows["WHAT WAS PUBLIC"] == "the bound 1,000,000; 15,000 people"
    assert len({numbers(stop).filled for stop in STOPS}) == len(STOPS) == 2**6
    assert numbers("unit-delta").filled == (False, True, False, True, False, False)
    assert SCENE.control.shown("unit-delta") == "unit, δ"
    assert SCENE.control.shown("blank") == "blank"


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("chosen", [(), (3,), (0, 5), (1, 2, 4), (0, 1, 2, 3, 4), range(6)])
def test_a_row_is_a_blank_until_it_is_tapped(screen, chosen):
    filled = len(chosen)
    told = numbers("-".join(list(NAMES)[row] for row in chosen) or "blank")
    marks = {one["id"]: one for one in SCENE.marks(told, "second", screen)}
    said = [one["text"] for name, one in marks.items() if name.startswith("said")]
    assert said == [told.rows[row][1] for row in chosen]
    assert sum(name.startswith("open") for name in marks) == 6 - filled
    assert SCENE.second
    assert SCENE.second.alt(told).count("blank") == 6 - filled
    headline = plain(SCENE.second.say(told).headline)
    wanted = {0: "6 blanks", 6: "nobody can tell what is promised"}.get(
        filled, f"{6 - filled} of 6 still blank"
    )
    assert wanted in headline


def test_where_the_number_of_people_is_public_one_is_replaced():
    rows = dict(numbers("blank").rows)
    assert "15,000 people" in rows["WHAT WAS PUBLIC"]
    assert rows["UNIT AND NEIGHBOURS"] == "one person, replaced"  # nobody comes or goes
    bounds = dp.Bounds(0, 1_000_000)
    scales = [
        dp.NoisySum(neighbours=one).scale(bounds, dp.PureDP(0.1))
        for one in (Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE)
    ]
    assert scales[0] == scales[1]  # the same noise for pay from 0, so the label's ε stands


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_first_card_opens_with_the_answer(screen):
    for beat, open_to in (("predict", 3), ("reveal", 5)):
        marks = SCENE.marks(numbers("blank"), beat, screen)
        said = [one["text"] for one in marks if one["kind"] == "label" and not one["spaced"]]
        assert " ".join(said) == " ".join(text for text, _ in SMOKER[:open_to])
        blanks = {one["id"].split()[1] for one in marks if one["kind"] == "rule"}
        assert blanks == {str(row) for row in range(open_to, 5)}


def test_a_scene_without_options_asks_nobody():
    assert SCENE.right is None
    assert SCENE.shuffled() == ()
    assert not SCENE.answered(None)
    first = place("predict")
    assert [(one["value"], one["text"]) for one in controls(first)] == [
        ("back", "← Back"), ("reveal", "Open →"),
    ]  # fmt: skip
    assert keys(first)[" "] == "reveal"
    assert "1" not in keys(first)
    assert moves(first)["reveal"] == {"guess": "skip"}
    assert beat_of(SCENE, "skip", second=False) == "reveal"
    assert verdict(place("reveal", "skip")) == ""


def test_the_control_belongs_to_the_second_card():
    named = [
        [one["kind"] for one in controls(place(beat, "skip"))] for beat in ("reveal", "second")
    ]
    assert [kinds.count("taps") for kinds in named] == [0, 1]


def test_every_tap_leads_to_a_stop(engine):
    """By the script of the picture: each row opens and shuts by itself, in any order."""
    told = numbers("blank")
    taps = [one for one in SCENE.marks(told, "second", DESK) if one["kind"] == "tap"]
    assert [one["says"] for one in taps] == [
        [f"{name}: blank", f"{name}: {text}"] for name, text in told.rows
    ]
    for stop, (row, tap) in product(STOPS, enumerate(taps)):
        to = engine(f"tapped({json.dumps(taps)}, {json.dumps(tap)}, {json.dumps(stop)})")
        assert to in STOPS
        before, after = numbers(stop).filled, numbers(to).filled
        assert [i for i in range(6) if before[i] != after[i]] == [row]
        assert engine(f"isOpen({json.dumps(tap)}, {json.dumps(to)})") == after[row]


def test_a_scene_with_options_has_one_right_answer():
    for options in ((Option("a", "Yes"), Option("b", "No")), (Option("a", "No", "M1"),)):
        with pytest.raises(InvalidParameter):
            replace(SCENE, options=options)


@pytest.mark.law
def test_what_is_taken_away_has_no_empty_answers():
    text = handout("teach")
    section = text[text.index(f"{SCENE.number}. {SCENE.title}") :]
    assert "<ol type='a'></ol>" not in text
    assert f"<p>{SCENE.question}</p></section>" in section
    assert f"<li value='{SCENE.number}'>{SCENE.answer}</li>" in text
    assert re.search(rf"## {SCENE.number}\. {SCENE.title}[^#]*?{re.escape(SCENE.question)}\"",
                     notebook("teach"))  # fmt: skip
