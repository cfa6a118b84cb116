"""The cells of a map, each number worked out anew, slowly; and what is said of them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial import cells_said as said
from dpviz.answers.spatial import rectangle
from dpviz.answers.spatial.cells import PointsNumbers, answer, is_sure, points_of
from dpviz.answers.spatial.names import Names
from dpviz.answers.spatial.rectangle import RectangleNumbers
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.points import Points
from dpviz.core.spatial.cells import Cells
from tests.answers.spatial.questions import (
    BOX,
    GRIDS,
    NOBODY,
    POINTS,
    TREES,
    asked,
    slow,
    slow_inside,
    truth_of,
)
from tests.rows import by_rows

ANSWER = RectangleNumbers(None, 4737.0, 132.4, 177.7)
OTHER = RectangleNumbers(None, 4800.0, 88.0, 99.0)


def middle(values):
    """The median of some numbers."""
    order = sorted(values)
    half = len(order) // 2
    return order[half] if len(order) % 2 else (order[half - 1] + order[half]) / 2


def check(question, points=POINTS, threshold=None):
    found, twin = answer(question, truth_of(question, points)), slow(question, threshold)
    is_grid = isinstance(question.release, Cells)
    level = 0 if is_grid else min(question.depth, twin.height)
    boxes = twin.boxes[level]
    read = [twin.node(level, cell) for cell in range(len(boxes))]
    assert found.cells == len(boxes)
    assert (found.level, found.height) == (level, 0 if is_grid else twin.height)
    assert found.error == pytest.approx(middle([variance for _, variance in read]) ** 0.5)
    assert found.typical == pytest.approx((sum(v for _, v in read) / len(read)) ** 0.5)
    assert found.sure == sum(1 for count, variance in read if count > 3 * variance**0.5)
    assert found.sure_share == found.sure / len(boxes)
    assert found.unsure_share == pytest.approx(1 - found.sure / len(boxes))
    leaves = [v for _, v in read] if is_grid else [twin.variances[-1]]
    assert found.leaf == pytest.approx(middle(leaves) ** 0.5)
    released = [question.release.counts] if is_grid else question.release.counts
    assert found.noisy_counts == sum(1 for row in released for one in row if math.isfinite(one))
    off = [
        abs(count - slow_inside(box, points)) for (count, _), box in zip(read, boxes, strict=True)
    ]
    assert found.off == pytest.approx(sum(off) / len(off), nan_ok=True)
    assert found.name == question.name
    assert answer(question).off is None
    return found


@pytest.mark.law
@by_rows("depth", [0, 1, 9])
@by_rows("method", [*TREES, *GRIDS])
def test_every_method_at_every_depth(method, depth):
    found = check(asked(method, depth=depth))
    assert found.exact == ()
    assert found.spent == PureDP(0.5)
    assert not found.is_pruned


@pytest.mark.parametrize("method", ["quadtree, optimal", "kd-tree", "adaptive grid"])
@pytest.mark.parametrize("relation", Neighbours)
def test_nobody_and_another_relation(method, relation):
    question = asked(method, points=NOBODY, relation=relation, budget=PureDP(2), rectangle="whole")
    found = check(question, NOBODY)
    assert (found.neighbours, found.spent) == (relation, PureDP(2))


@pytest.mark.parametrize("method", ["quadtree, optimal", "kd-tree"])
def test_a_pruned_tree(method):
    assert check(asked(method, depth=2, threshold=40.0), threshold=40.0).is_pruned


def test_cells_that_are_no_tree_are_not_pruned():
    assert not answer(asked("uniform grid", threshold=40.0)).is_pruned


def test_the_error_of_a_cell_is_that_of_its_own_rectangle():
    """An adaptive grid's cells share the error of a sum that they were fitted to."""
    question = asked("adaptive grid", seed=5)
    errors = []
    for box in question.release.boxes:
        alone = replace(question, rectangle=np.array(box))
        errors.append(rectangle.answer(alone).error)
    found = answer(question)
    assert found.error == pytest.approx(middle(errors))
    assert found.error < 0.95 * middle(question.release.variances) ** 0.5


def test_a_level_that_was_left_out_is_not_known():
    found = answer(asked("quadtree, baseline", weights=(1, 0, 2)), None)
    assert (found.error, found.sure, found.noisy_counts) == (np.inf, 0, 17)
    question = asked("quadtree, baseline", weights=(1, 0, 2))
    found = answer(question, truth_of(question))
    assert np.isnan(found.off)
    listed = said.all_numbers(ANSWER, found)
    assert "on average \\(confidential\\): **–**" in listed
    assert "standard error of a cell: **± ∞**" in listed
    assert "inf" not in f"{said.strip([ANSWER], [found])} {listed}"


def test_a_cell_far_below_nothing_is_not_sure():
    found = is_sure(np.array([-99.0, 99.0, 29.0, 31.0]), np.full(4, 100.0))
    assert found.tolist() == [False, True, False, True]


def test_references_say_what_is_exact():
    structure, both = (
        answer(asked(name)) for name in ("kd-true (not private)", "kd-pure (not private)")
    )
    assert structure.exact == ("structure",)
    assert (both.exact, both.spent, both.error, both.leaf) == (("structure", "counts"), None, 0, 0)
    assert said.warned([both, structure], "Off by 3.") == (
        r"**Not private: kd\-pure \(not private\)\: its structure and counts are exact; "
        r"kd\-true \(not private\)\: its structure is exact.** Off by 3."
    )
    assert said.chips([structure], None) == ["not private"]
    assert "spent: **nothing, add\\-remove neighbours**" in said.all_numbers(ANSWER, both)
    title = said.title(structure, "16 cells", is_one=False, sure=True)
    assert title() == title(brief=True) == "Not private, kd-true: 16 cells"


def test_points_are_counted_with_what_became_of_them():
    found = points_of(Points.from_xy([1.0, -9.0, np.nan, 3.0, np.nan], [11, 99, 12, 13, 1], BOX))
    assert found == PointsNumbers(3, 1, 2)
    shown = PointsNumbers(31_000, 1_700, 2_400)
    assert said.points_text(shown, Names()) == (
        "31,000 people, 1,700 moved to the edge of the box, 2,400 without a place left out"
    )
    assert said.points_text(PointsNumbers(1, 0, 0), Names("<b>")) == "1 <b>"
    assert said.true_title(shown, Names(many="<b>")) == "True: 31,000 &lt;b&gt;"


SHOWN = replace(
    answer(asked()),
    leaf=21.26,
    noisy_counts=87_381,
    cells=4_096,
    level=6,
    height=8,
    error=14.2,
    typical=15.55,
    sure=3_000,
    off=11.44,
)
GRID = replace(
    SHOWN, name="uniform grid", height=0, level=0, error=7.74, sure=1, cells=1000, is_pruned=True,
)  # fmt: skip


def test_every_item_of_the_strip_says_its_own_number():
    assert said.strip([ANSWER], [SHOWN]) == [
        ("standard error of the answer", "± 132"),
        ("of one cell", "± 14"),
        ("cells that say nothing sure", "27 %"),
    ]
    assert said.strip([ANSWER, OTHER], [SHOWN, GRID]) == [
        ("standard errors of the answers", "± 132 and ± 88"),
        ("of one cell", "± 14 and ± 7.7"),
        ("cells that say nothing sure", "27 % and more than 99 %"),
    ]


def test_all_numbers_are_listed():
    assert said.all_numbers(ANSWER, SHOWN).splitlines() == [
        "**quadtree, optimal**",
        "",
        "- the answer: **± 132**",
        "- before estimation: **± 178**",
        "- noise of a leaf, as released: **± 21\\.3**",
        "- noisy counts released: **87,381**",
        "- cells drawn: **4,096, level 6 of 8**",
        "- standard error of a cell: **± 15\\.6**",
        "- spent: **ε \\= 0\\.5, add\\-remove neighbours**",
        "- cells are off by, on average \\(confidential\\): **11\\.4**",
    ]
    hidden = said.all_numbers(OTHER, replace(GRID, off=None, cells=49))
    assert "cells drawn: **49**" in hidden
    assert "confidential" not in hidden


def test_chips_say_what_was_pruned_and_not_what_could_not_be():
    assert said.chips([SHOWN], 32.5) == []
    assert said.chips([SHOWN, GRID], 32.5) == ["pruned at 32.5"]
    assert said.chips([GRID], None) == []
    assert said.warned([SHOWN], "Off by 3.") == "Off by 3."


@pytest.mark.parametrize(
    ("found", "others", "full", "brief"),
    [
        (SHOWN, {}, "Private: 8 × 8 noisy cells", "Private: 8 × 8 cells"),
        (replace(SHOWN, off=None), {}, "8 × 8 cells; only what is sure is coloured", "8 × 8 cells"),
        (replace(SHOWN, off=None), {"sure": False}, "8 × 8 cells", "8 × 8 cells"),
        (SHOWN, {"is_one": False}, *["Quadtree, optimal: 8 × 8 cells"] * 2),
    ],
)  # fmt: skip
def test_titles_say_what_is_drawn(found, others, full, brief):
    title = said.title(found, "8 × 8 cells", **{"is_one": True, "sure": True, **others})
    assert (title(), title(brief=True)) == (full, brief)


def test_what_is_taken_away():
    assert said.to_take_away(SHOWN, Names(many="*x*")) == (
        "87,381 noisy counts to take away, a cell good to :blue[± 14] \\*x\\*, typically."
    )
