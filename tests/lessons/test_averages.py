"""The first scene of Teach: what two averages leave of a salary, and what is drawn where."""

import re

import numpy as np
import pytest

from dpviz.figures.stage.places import At
from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.intake.samples import load_sample
from dpviz.lessons.teach.attacks.averages import LINE, PAY, SCENE, numbers
from tests.lessons.boxes import PICTURES, Picture, boxes, drawn, plain, said

(OFFICE,) = load_sample("office")


def remaining(rounding):
    """The slow twin: every pay in hundreds that both rounded averages allow."""
    before, after = (round(one / rounding) * rounding for one in (OFFICE.mean(), OFFICE[1:].mean()))
    left, margin = 40 * before - 39 * after, rounding / 2 * 79
    return [one for one in range(-100_000, 300_001, 100) if abs(left - one) <= margin + 1e-6]


@pytest.mark.parametrize("rounding", SCENE.control.stops)
def test_so_many_pays_remain_as_fit_both_averages(rounding):
    fits, told = remaining(rounding), numbers(rounding)
    assert OFFICE[0] in fits
    assert told.found.possible == len(fits)
    assert told.exact == (len(fits) == 1)
    headline = plain(said(SCENE, rounding, "reveal").headline)
    if told.exact:
        assert headline == f"They tell her salary: {fits[0]:,}."
        return
    assert headline == f"Rounded to {rounding:,.0f}: {len(fits):,} pays remain."
    assert "±" not in said(SCENE, rounding, "reveal").sentence  # that is 19 times of 20 elsewhere
    low, high = (float(one.replace(",", "")) for one in _ends(rounding))
    assert fits[0] - 100 < low <= fits[0]
    assert fits[-1] <= high < fits[-1] + 100


def _ends(rounding):
    sentence = plain(said(SCENE, rounding, "reveal").sentence)
    return sentence.partition("from ")[2].partition(", for certain")[0].split(" to ")


def test_a_guess_is_judged_at_a_cent():
    assert SCENE.control.start == SCENE.control.revealed == 0.01
    assert SCENE.verdict("b") == (
        "You said “A rough range, she is one of 40”. Averages exact to a cent: **1 pay remains, "
        "61,300**."
    )
    assert SCENE.finding(numbers(1_000.0)) == f"{len(remaining(1_000.0))} pays remain"


def test_it_says_what_is_known_of_pay():
    assert "Pay is in whole hundreds." in said(SCENE, 0.01, "predict").sentence
    assert not (OFFICE % 100).any()


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("beat", ["predict", "reveal"])
def test_the_dots_of_pay_stay_above_the_line(beat, screen):
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(0.01), beat, screen)}
    assert marks["staff"]["x"] == np.clip(OFFICE, *PAY).tolist()
    assert marks["staff"]["axes"] == ["pay", "up"]
    up = marks["up"]
    assert up["from"] == At(LINE, -12).to_json()
    assert up["to"] == At(0.07).to_json()
    assert max(marks["staff"]["y"]) <= 1
    assert min(marks["staff"]["y"]) >= 0
    below = [one for one in marks.values() if one["kind"] == "grains" and one["id"] != "staff"]
    assert below == []


def test_no_pay_is_told_before_the_guess():
    for size in PICTURES:
        assert ">61,300<" in drawn(SCENE, 0.01, "reveal", size)
        assert ">61,300<" not in drawn(SCENE, 0.01, "predict", size)


@pytest.mark.parametrize("rounding", SCENE.control.stops)
def test_the_beam_crosses_no_words(rounding):
    for size in (*PICTURES[:2], Picture(1216, 390)):
        text = drawn(SCENE, rounding, "reveal", size)
        line, head, width = (
            re.search(pattern, text)
            for pattern in (
                r'"beam/0" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"',
                r'"beam/0 head" cx="([\d.]+)"[^>]* r="([\d.]+)"',
                r'stroke-width="([\d.]+)"',
            )
        )
        x, y, last, foot = map(float, line.groups())
        for box in boxes(text):
            for at in np.linspace(y, foot, 60):
                beam = x + (last - x) * (at - y) / (foot - y)
                half = max(float(width[1]) / 2, float(head[2]) * (at > foot - float(head[2])))
                crossed = box.top < at < box.bottom
                assert not (crossed and box.left - half < beam < box.right + half), box.text
