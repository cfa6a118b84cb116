"""A rectangle's count and errors, each worked out anew, slowly; and what is said of them."""

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial import rectangle_said as said
from dpviz.answers.spatial.names import Names, Voice
from dpviz.answers.spatial.question import MapQuestion
from dpviz.answers.spatial.rectangle import RectangleError, RectangleNumbers, answer
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from tests.answers.spatial.questions import (
    GRIDS,
    NOBODY,
    POINTS,
    RECTANGLES,
    TREES,
    asked,
    ends_of,
    slow,
    slow_inside,
    truth_of,
)
from tests.rows import by_rows

RECTANGLE = np.array([58.0, 82.0, 16.0, 38.0])
ANSWER = RectangleNumbers(
    RECTANGLE, 4737.016, 132.347, 150.0, RectangleError(4797.0, -59.776, -0.208)
)
VOICE = Voice(Names(are="live"), lambda text: f":blue[{text}]", lambda text: f"**{text}**")
PUBLIC = replace(ANSWER, off=None)


def check(question, points=POINTS, threshold=None):
    found, ends = answer(question, truth_of(question, points)), ends_of(question)
    twin = slow(question, threshold)
    count, variance = twin.counted(ends)
    true = slow_inside(ends, points)
    assert found.private == pytest.approx(count)
    assert found.error == pytest.approx(variance**0.5)
    assert found.before == pytest.approx(twin.canonical(ends)[1] ** 0.5)
    assert found.half == pytest.approx(1.96 * variance**0.5)
    assert found.margin == pytest.approx((count - found.half, count + found.half))
    assert found.off.truth == true
    exact = twin.exact(ends, points)
    assert found.off.noise == pytest.approx(count - exact, abs=1e-9)
    assert found.off.uniformity == pytest.approx(exact - true, abs=1e-9)
    assert found.off.missed == pytest.approx(abs(count - true))
    if true:
        assert found.off.part == pytest.approx(abs(count - true) / true)
    else:
        assert np.isnan(found.off.part)
    alone = answer(question)
    assert (alone.private, alone.error, alone.off) == (found.private, found.error, None)
    assert alone.before == found.before
    assert alone.rectangle is question.rectangle
    return found


@by_rows("rectangle", RECTANGLES)
@by_rows("method", [*TREES, *GRIDS])
def test_every_method_answers_every_rectangle(method, rectangle):
    check(asked(method, rectangle=rectangle))


@pytest.mark.law
@by_rows("method", ["quadtree, optimal", "kd-tree", "adaptive grid"])
@by_rows("budget", [PureDP(0.1), PureDP(4), ZCDP(0.3)])
@by_rows("relation", Neighbours)
def test_every_budget_and_relation(method, budget, relation):
    check(asked(method, budget=budget, relation=relation))


@pytest.mark.parametrize("method", ["quadtree, optimal", "kd-tree", "uniform grid"])
def test_nobody(method):
    found = check(asked(method, points=NOBODY), NOBODY)
    assert found.off.truth == 0


@pytest.mark.parametrize("method", ["quadtree, optimal", "kd-tree"])
def test_a_pruned_tree_answers_by_areas(method):
    question = asked(method, threshold=40.0)
    check(question, threshold=40.0)
    whole = answer(asked(method))
    assert answer(question).private != pytest.approx(whole.private)


@pytest.mark.parametrize("weights", [(1, 0, 2), (0, 1, 2), (3, 1, 1)])
@pytest.mark.parametrize("method", ["quadtree, optimal", "quadtree, baseline"])
def test_levels_that_were_left_out(method, weights):
    check(asked(method, weights=weights, rectangle="on the lines"))


def test_exact_counts_miss_by_uneven_cells_alone():
    found = answer(asked("kd-pure (not private)"), truth_of(asked("kd-pure (not private)")))
    assert (found.error, found.off.noise) == (0.0, 0.0)
    assert found.off.uniformity != 0


def test_a_question_has_no_place_for_the_truth():
    names = {field.name for field in dataclasses.fields(MapQuestion)}
    assert names == {"name", "release", "reading", "depth", "rectangle"}


def test_the_finding_names_both_numbers():
    assert said.finding(ANSWER, VOICE) == (
        "The private map counts :blue[4,737] people in the rectangle; the truth is **4,797**."
    )
    assert said.finding(replace(ANSWER, rectangle=None), Voice()) == (
        "The private map counts 4,737 people in all; the truth is 4,797."
    )
    assert said.finding(ANSWER, VOICE, private=False) == (
        "The map counts :blue[4,737] people in the rectangle; the truth is **4,797**."
    )


def test_the_reason_adds_up_and_knows_no_minus_zero():
    assert said.why(ANSWER, VOICE) == (
        "Off by 60, or 1.3 %: −60 from the noise, 0 because people do not fill the cut cells "
        "evenly."
    )
    apart = replace(ANSWER, off=RectangleError(5000.0, -700.0, 100.0))
    assert said.why(apart, Voice(Names(many="students"))) == (
        "Off by 600, or 12 %: −700 from the noise, 100 because students do not fill the cut cells "
        "evenly."
    )
    empty = RectangleNumbers(RECTANGLE, 3.2, 9.0, 9.0, RectangleError(0.0, 3.2, 0.0))
    assert said.why(empty, VOICE).startswith("Off by 3: 3 from the noise, 0 because")


def test_a_release_says_its_margin_and_what_that_leaves_out():
    told = said.released(PUBLIC, VOICE)
    assert told == "About :blue[4,737] people live in the rectangle, give or take 259."
    assert told == said.finding(PUBLIC, VOICE)
    assert said.left_out(Voice(Names(many="students"))) == (
        "This is everything an outsider gets. The margin covers the noise, which is public; how "
        "students spread inside a cut cell it cannot know."
    )
    assert said.between(PUBLIC) == "between 4,478 and 4,996"
    assert said.interval_title(PUBLIC, VOICE) == "People in the rectangle, about 19 times in 20"


def test_two_methods_are_told_apart_with_the_truth_and_without():
    other = replace(ANSWER, private=4800.0, error=77.0, off=RectangleError(4797.0, 9.0, -6.0))
    pair = [("kd-tree", ANSWER), ("uniform grid", other)]
    assert said.two_findings(pair, VOICE) == (
        "Kd-tree counts :blue[4,737] people in the rectangle, uniform grid :blue[4,800]; the truth "
        "is **4,797**."
    )
    assert said.two_reasons(pair) == (
        "Kd-tree is off by 60 (−60 from the noise, 0 from uneven cells); uniform grid is off by 3 "
        "(9 from the noise, −6 from uneven cells)."
    )
    hidden = [(name, replace(one, off=None)) for name, one in pair]
    assert said.two_findings(hidden, Voice()) == (
        "Kd-tree counts 4,737 people in the rectangle, uniform grid 4,800."
    )
    assert said.two_reasons(hidden) == (
        "Kd-tree has a standard error of 132; uniform grid has a standard error of 77."
    )


def test_one_person_is_not_people():
    one = RectangleNumbers(RECTANGLE, 1.2, 5.0, 5.0, RectangleError(2.0, -0.8, 0.0))
    assert "counts 1 person in" in said.finding(one, Voice())


def test_the_card_holds_the_answer_and_its_parts():
    found = replace(ANSWER, off=RectangleError(4900.0, -71.2, 8.3))
    rows = [("True", "4,900"), ("From the noise", "−71"), ("From cut cells", "8")]
    assert said.card(found) == [("Private", "4,737 ± 132"), *rows]
    assert said.card(found, private=False) == [("Not private", "4,737 ± 132"), *rows]
