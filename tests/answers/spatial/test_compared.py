"""Methods compared, rectangle by rectangle; and what is said of it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.spatial.compared import ComparedNumbers, ComparedQuestion, answer
from dpviz.answers.spatial.compared_said import error_text, say, shapes
from dpviz.answers.spatial.names import Names
from dpviz.counts.grid_index import index_of
from tests.answers.spatial.questions import POINTS, asked, fraction, slow, slow_inside
from tests.answers.spatial.test_cells import middle

METHODS = ("uniform grid", "quadtree, baseline", "kd-tree", "kd-pure (not private)")
SHAPES = ((2.0, 1.5), (4.0, 3.0))


def rectangles(shape, rng):
    """Ones that hold somebody."""
    found = []
    while len(found) < 7:
        x, y = rng.uniform(-2, 8 - shape[0]), rng.uniform(10, 18 - shape[1])
        if slow_inside((x, x + shape[0], y, y + shape[1])):
            found.append((x, x + shape[0], y, y + shape[1]))
    return np.array(found)


def test_errors_are_medians_over_rectangles():
    rng = np.random.default_rng(6)
    queries = tuple(rectangles(shape, rng) for shape in SHAPES)
    questions = [asked(name, depth=2) for name in METHODS]
    readings = tuple((one.name, one.reading) for one in questions)
    found = answer(ComparedQuestion(readings, SHAPES, queries, index_of(POINTS)))
    assert (found.methods, found.shapes, found.queries) == (METHODS, SHAPES, 7)
    errors = []
    for question in questions:
        row = []
        for boxes in queries:
            off = []
            for box in boxes:
                exact = question.release.spent is None
                count = exact_of(question, box) if exact else slow(question).counted(box)[0]
                true = slow_inside(box)
                off.append(abs(count - true) / true)
            row.append(100 * middle(off))
        errors.append(row)
    np.testing.assert_allclose(found.errors, errors)
    assert_ranked(found)


def exact_of(question, box):
    """What exact leaves answer by their areas."""
    release = question.release
    leaves = zip(release.level_boxes(2), release.counts[2], strict=True)
    return sum(fraction(leaf, box) * count for leaf, count in leaves)


def assert_ranked(found):
    means = []
    for row in found.errors:
        logs = [math.log(max(error, 0.001)) for error in row]
        means.append(math.exp(sum(logs) / len(logs)))
    rows = range(len(means))
    assert list(found.order) == sorted(rows, key=lambda row: means[row])
    assert found.factors == pytest.approx([one / min(means) for one in means])
    for column, best in enumerate(found.best):
        assert found.errors[best, column] == min(row[column] for row in found.errors)


ERRORS = np.array([[4.0, 16.0], [8.0, 2.0], [1.0, 4.0]])
FOUND = ComparedNumbers.of(("uniform grid", "kd-tree", "quadtree, *x*"), SHAPES, ERRORS, 300)


def test_rows_are_sorted_by_the_geometric_mean():
    assert FOUND.order == (2, 1, 0)
    assert FOUND.best == (2, 1)
    assert FOUND.factors == pytest.approx((4.0, 2.0, 1.0))
    exact = ComparedNumbers.of(("a", "b"), SHAPES, np.array([[0.0, 4.0], [1.0, 4.0]]), 300)
    assert exact.factors == pytest.approx((1.0, 1000**0.5))
    assert_ranked(exact)


def test_every_sentence_says_its_own_number():
    said = say(FOUND, Names(units="km"))
    assert said.headline() == (
        "Quadtree, \\*x\\* comes closest; uniform grid is off by 4 times as much\\."
    )
    assert said.alt == "Quadtree, *x* comes closest; uniform grid is off by 4 times as much."
    assert said.strip == [
        ("best on 2 × 1.5 km", "quadtree, *x*"),
        ("best on 4 × 3 km", "kd-tree"),
    ]
    assert said.second() == (
        "Median relative error over 300 rectangles of each shape that hold somebody (Cormode et "
        "al. 2012, scaled to the map); one draw. Confidential."
    )
    assert "over 41 rectangles" in say(replace(FOUND, queries=41), Names()).second()
    assert shapes(FOUND, Names()) == ["2 × 1.5", "4 × 3"]


@pytest.mark.parametrize(
    ("factors", "wanted"),
    [
        ((1.0,), "A was compared with no other method."),
        ((1.0, 1.05), "A and b are level."),
        ((1.0, 1.2), "A comes closest; b is off by 1.2 times as much."),
        ((1.0, 1.02, 1.09), "All three methods are level."),
        ((1.0, 1.05, 3.0), "A and b are level; c is off by 3 times as much."),
        ((1.0, 1.1, 3.4), "A comes closest; c is off by 3.4 times as much."),
        ((1.0, 1.2, 123.0), "A comes closest; c is off by 120 times as much."),
    ],
)
def test_methods_are_level_within_a_tenth(factors, wanted):
    order = tuple(range(len(factors)))
    found = replace(FOUND, methods=tuple("abc"[: len(factors)]), order=order, factors=factors)
    assert say(replace(found, best=(0, 0)), Names()).alt == wanted


def test_an_error_below_the_scale_is_said_to_be_below_it():
    texts = [error_text(one) for one in (0.0, 0.0004, 0.001, 0.0123, 12.3, 234.0)]
    assert texts == [
        "below 0.001 %", "below 0.001 %", "0.001 %", "0.012 %", "12 %", "234 %",
    ]  # fmt: skip
