"""What is said of a map: headlines, reasons, margins, and how numbers are written."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures.kit.look import Look
from dpviz.figures.spatial import sentences
from dpviz.figures.spatial.answer import Answer, Off, People, count, give_or_take, share
from dpviz.figures.spatial.interval import interval_picture
from dpviz.figures.spatial.sentences import Voice, percent_of_cells

RECTANGLE = np.array([58.0, 82.0, 16.0, 38.0])
ANSWER = Answer(RECTANGLE, 4737.016, 132.347, Off(4797.0, -59.776, -0.208))
VOICE = Voice(People(are="live"), lambda text: f":blue[{text}]", lambda text: f"**{text}**")
PUBLIC = replace(ANSWER, off=None)


def test_the_finding_names_both_numbers():
    assert sentences.finding(ANSWER, VOICE) == (
        "The private map counts :blue[4,737] people in the rectangle; the truth is **4,797**."
    )
    assert sentences.finding(replace(ANSWER, rectangle=None), Voice()) == (
        "The private map counts 4,737 people in all; the truth is 4,797."
    )


def test_the_reason_adds_up_and_knows_no_minus_zero():
    assert sentences.why(ANSWER, VOICE) == (
        "Off by 60, or 1.3 %: −60 from the noise, 0 because people do not fill the cut cells "
        "evenly."
    )
    empty = Answer(RECTANGLE, 3.2, 9.0, Off(0.0, 3.2, 0.0))
    assert sentences.why(empty, VOICE).startswith("Off by 3: 3 from the noise, 0 because")


def test_a_release_says_its_margin_and_what_that_leaves_out():
    said = sentences.released(PUBLIC, VOICE)
    assert said == "About :blue[4,737] people live in the rectangle, give or take 259."
    assert said == sentences.finding(PUBLIC, VOICE)
    assert "inside a cut cell it cannot know" in sentences.left_out(VOICE)
    assert sentences.between(PUBLIC) == "between 4,478 and 4,996"


def test_two_methods_are_told_apart_with_the_truth_and_without():
    pair = [("kd-tree", ANSWER), ("uniform grid", replace(ANSWER, private=4800.0))]
    assert sentences.two_findings(pair, Voice()) == (
        "Kd-tree counts 4,737 people in the rectangle, uniform grid 4,800; the truth is 4,797."
    )
    assert sentences.two_reasons(pair).startswith("Kd-tree is off by 60 (−60 from the noise")
    hidden = [(name, replace(answer, off=None)) for name, answer in pair]
    assert "truth" not in sentences.two_findings(hidden, Voice())
    assert sentences.two_reasons(hidden) == (
        "Kd-tree has a standard error of 132; uniform grid has a standard error of 132."
    )


@pytest.mark.parametrize(
    ("number", "text"), [(-0.4, "0"), (0.4, "0"), (-59.8, "−60"), (1234.5, "1,234"), (1.0, "1")]
)
def test_counts_are_whole_with_a_true_minus(number, text):
    assert count(number) == text


def test_one_person_is_not_people():
    one = Answer(RECTANGLE, 1.2, 5.0, Off(2.0, -0.8, 0.0))
    assert "counts 1 person in" in sentences.finding(one, Voice())


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(60, 4797, "1.3 %"), (0.001, 5000, "less than 0.1 %"), (0, 5, "0 %"), (30, 20, "150 %"),
     (5, 0, "")],
)  # fmt: skip
def test_shares_have_two_digits(part, whole, text):
    assert share(part, whole) == text


def test_small_errors_keep_a_digit():
    assert [give_or_take(one) for one in (132.3, 10.2, 2.84, 0.31)] == ["132", "10", "2.8", "0.31"]


def test_shares_of_cells_never_round_to_none_or_all():
    assert percent_of_cells(3600, 4096) == "88 %"
    assert percent_of_cells(1, 4096) == "less than 1 %"
    assert percent_of_cells(4095, 4096) == "more than 99 %"
    assert percent_of_cells(0, 10) == "0 %"


@pytest.mark.parametrize("answer", [ANSWER, PUBLIC, Answer(None, 0.0, 0.0)])
@pytest.mark.parametrize("look", [Look(), Look(presenting=True), Look(screen="phone")])
def test_the_interval_shows_the_truth_only_if_it_is_there(answer, look):
    made = interval_picture(answer, look, "People")
    go.Figure(made)
    said = [note["text"] for note in made["layout"]["annotations"]]
    assert any("true" in text for text in said) == (answer.off is not None)
    low, high = made["layout"]["xaxis"]["range"]
    assert low < answer.margin[0] <= answer.margin[1] < high
    assert made["data"][-1]["x"] == [answer.private]
