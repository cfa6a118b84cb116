"""T8: one frame on four maps; figures as in the script."""

import numpy as np
import pytest

from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons import one_cell
from dpviz.lessons.teach.trees.combined_levels import (
    COMBINED,
    DRAWN,
    SCENE,
    SHADES,
    SIDE,
    STOPS,
    numbers,
)
from tests.lessons.boxes import boxes, plain


def said(stop):
    words = SCENE.say(numbers(stop))
    return plain(words.headline), words.sentence


def test_answers_are_those_of_the_script():
    told = numbers(COMBINED)
    assert told.truth == 22_607
    found = [told.answers[stop] for stop in STOPS]
    assert [round(one.private) for one in found] == [23_192, 22_574, 22_434, 22_511]
    assert [round(one.reach) for one in found] == [1_109, 984, 526, 367]
    assert 0.45 < told.answers[COMBINED].reach / told.answers[DRAWN].reach < 0.55  # nearly half


def test_the_sentence_of_the_finding_and_of_both_ends():
    assert said(3) == (
        "The same tree, combined: nearly half the error, free.",
        "± 984 from the tree as drawn, ± 526 from the same tree combined: one release, so nobody "
        "pays.",
    )
    assert said(1) == (
        "Only small cells: ± 1,109 people.",
        "22,607 people in the frame; published 23,192 ± 1,109, 19 times of 20, with ε = 0.5.",
    )
    assert said(4) == (
        "The same ε, split better: ± 367 people.",
        "22,607 people in the frame; published 22,511 ± 367, 19 times of 20, with ε = 0.5.",
    )


def test_the_goal_says_what_was_computed():
    told = numbers(COMBINED)
    drawn, combined = (round(told.answers[stop].reach) for stop in (DRAWN, COMBINED))
    assert f"(± {drawn} to ± {combined})" in SCENE.goal
    assert f"± {combined} in place of ± {drawn}" in SCENE.verdict("a")
    assert SCENE.right.text == "Nobody"


@pytest.mark.parametrize("counts", [(20, 10, 6), (30, 10, 14)])
def test_one_cell_combined_is_least_squares(counts):
    """The slow twin: dense least squares of a parent and two children with equal noise."""
    design = np.array([[1, 1], [1, 0], [0, 1]])
    left, right = np.linalg.lstsq(design, np.array(counts, dtype=float), rcond=None)[0]
    found = one_cell.combined(*counts)
    assert found.combined == pytest.approx((left + right, left, right))
    words = one_cell.said(found) if counts == one_cell.DRAWN else SCENE.answer
    for one in found.combined:
        assert f"{one:.2f}".removesuffix(".00") in words


def test_the_picture_of_one_cell_shows_both():
    words = [box.text for box in boxes(svg(one_cell.picture(one_cell.combined(*one_cell.DRAWN)),
                                           *one_cell.SIZE, Look()))]  # fmt: skip
    assert "with equal noise" in one_cell.said(one_cell.combined(*one_cell.DRAWN))
    assert {"20", "10", "6", "18.67", "11.33", "7.33"} <= set(words)


def test_cells_lie_where_the_points_are():
    told = numbers(COMBINED)
    assert told.shades.shape == (SIDE, SIDE)
    assert (told.shades.min(), told.shades.max()) == (0, SHADES)
    box = told.points.box
    spans = [(box.y.low, box.y.high), (box.x.low, box.x.high)]
    exact, _, _ = np.histogram2d(told.points.y, told.points.x, SIDE, spans)
    assert np.corrcoef(np.sqrt(exact).ravel(), told.shades.ravel())[0, 1] > 0.5
    turned = np.corrcoef(np.sqrt(exact).ravel(), told.shades.T.ravel())[0, 1]
    assert turned < 0.2  # a picture that mixes up east and north is found


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_each_side_of_the_barrier_shows_only_its_own(screen):
    told = numbers(COMBINED)
    marks = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", screen)}
    axis, middle = ("y", 40.0) if screen.narrow else ("x", 50.0)
    seen = np.array(marks["points"][axis])
    assert ((seen >= middle) if screen.narrow else (seen <= middle)).all()
    assert marks["cells"][axis] == ([0, middle] if screen.narrow else [middle, 100])
    public = told.shades[: SIDE // 2] if screen.narrow else told.shades[:, SIDE // 2 :]
    assert marks["cells"]["shades"] == public.ravel().tolist()


def test_before_the_guess_two_bars_are_unseen():
    marks = {mark["id"]: mark for mark in SCENE.marks(numbers(DRAWN), "predict", DESK)}
    assert [marks[f"bar {stop}"]["opacity"] for stop in STOPS] == [0.32, 0.32, 0, 0]
    assert marks["bar 3"]["to"] == marks["bar 2"]["to"]
    assert "reach 3" not in marks
