"""The rows of a tree before and after its levels are combined, by their data."""

import time
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.answers.trees.levels import CdfError
from dpviz.answers.trees.names import Names
from dpviz.answers.trees.rows import MOST_CELLS, MOST_ROWS, rows_of
from dpviz.core.trees.shape import Levels
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from dpviz.figures.trees.bars import DIP, TALL, shade
from dpviz.figures.trees.icicle import Side, icicle
from tests.figures.parts import said, traces
from tests.rows import by_rows

NAMES = Names("students", "mark", "marks")
LOOKS = [
    Look(LIGHT),
    Look(DARK, presenting=True, screen="low"),
    Look(LIGHT, screen="phone"),
    Look(LIGHT, screen="narrow"),
]


def levels(fanout=2, height=3, error=10.0, leaves=None):
    """Counts that add up, with one standard error on every level."""
    size = fanout**height
    leaves = np.arange(size) + 100.0 if leaves is None else np.asarray(leaves, dtype=float)
    counts = tuple(leaves.reshape(fanout**level, -1).sum(axis=1) for level in range(height + 1))
    return Levels(fanout, counts, (np.asarray(error**2),) * (height + 1))


def off(values=(0, 3, -8, 5), ends=(0, 100)):
    counts = np.asarray(values, dtype=float)
    return CdfError.of(ends, counts, np.zeros(counts.size))


def side(reading, truth=None, error=None, title="as measured"):
    return Side(title, rows_of(reading, truth), error)


@pytest.mark.law
@by_rows("look", LOOKS)
@by_rows(("fanout", "height"), [(2, 0), (2, 6), (3, 4), (64, 1), (2, 12)])
def test_plotly_takes_every_property(look, fanout, height):
    tree = levels(fanout, height)
    sides = [side(tree, tree.counts, off()), side(tree, tree.counts, off())]
    go.Figure(icicle(sides, (0, 100), NAMES, look, path=[(0, 0)]))
    go.Figure(icicle(sides[1:], (0, 100), NAMES, look, noisiest=10.0))


def test_equal_crowds_are_equally_high_on_every_level():
    tree = levels(leaves=np.full(8, 50.0))
    picture = icicle([side(tree)], (0, 100), NAMES, LOOKS[0])
    heights = {
        round(float(np.max(traces(picture, f"level {level}")[0]["y"])) - (3 - level), 9)
        for level in range(4)
    }
    assert len(heights) == 1
    assert 0 < heights.pop() < TALL


def test_bars_follow_counts_end_at_their_row_and_hang_below_it():
    leaves = [10, 1000, -500, 0, 20, 0, 0, 0]
    tree = levels(leaves=leaves, error=1.0)
    picture = icicle([side(tree)], (0, 80), NAMES, LOOKS[0])
    x, y = (np.reshape(traces(picture, "level 3")[0][key], (8, 4)) for key in "xy")
    tops = y[:, 1]
    assert tops[1] == TALL
    assert tops[2] == -DIP
    assert tops[3] == 0
    assert tops[4] == pytest.approx(2 * tops[0])
    assert np.all((x[:, 0] > np.arange(8) * 10) & (x[:, 2] < np.arange(1, 9) * 10))


def test_the_truth_is_one_black_step_a_row_and_is_drawn_only_if_given():
    tree, exact = levels(), levels(leaves=np.full(8, 90.0))
    hidden = icicle([side(tree)], (0, 100), NAMES, LOOKS[0])
    shown = icicle([side(tree, exact.counts)], (0, 100), NAMES, LOOKS[0])
    assert not traces(hidden, "truth")
    assert np.isnan(traces(hidden, "cells")[0]["customdata"][:, 6]).all()
    assert "true" not in str(traces(hidden, "cells")[0]["hovertemplate"])
    (step,) = traces(shown, "truth")
    assert np.isnan(step["y"]).sum() == 4
    assert step["line"]["color"] == LIGHT.truth
    for private in ("level 0", "level 3"):  # neither heights nor colours follow the truth
        one, other = traces(hidden, private)[0], traces(shown, private)[0]
        np.testing.assert_array_equal(one["y"], other["y"])
        assert one["fillcolor"] == other["fillcolor"]


def test_fainter_is_noisier():
    blue, paper = LIGHT.private, LIGHT.page
    look = LOOKS[0]
    assert shade(5, 10, look) == shade(1, 10, look) == blue
    lightness = [int(shade(error, 10, look)[1:3], 16) for error in (5, 6, 8, 10)]
    assert lightness == sorted(set(lightness))
    assert shade(20, 10, look) == shade(10, 10, look) != paper


def test_row_ends_say_the_error_before_and_after():
    before, after = levels(error=99), levels(error=58.8)
    left_out = replace(side(before), rows=(replace(side(before).rows[0], error=np.inf),
                                           *side(before).rows[1:]))  # fmt: skip
    words = said(icicle([left_out, side(after)], (0, 100), NAMES, LOOKS[0]))
    assert sum("± 99 → " in one and ">± 59<" in one.replace("<b>", "").replace("</b>", "")
               for one in words) == 3  # fmt: skip
    assert any(one.startswith("– → ") for one in words)


def test_a_level_that_was_left_out_has_cells_and_no_bars():
    tree = levels()
    unknown = Levels(
        2, (np.array([np.nan]), *tree.counts[1:]), (np.asarray(np.inf), *tree.variances[1:])
    )
    picture = icicle([side(unknown), side(tree)], (0, 100), NAMES, LOOKS[0])
    assert len(traces(picture, "level 0")) == 1
    assert len(traces(picture, "level 1")) == 2


def test_cells_carry_their_nodes():
    picture = icicle([side(levels(2, 2), levels(2, 2).counts)], (0, 100), NAMES, LOOKS[0])
    carried = traces(picture, "cells")[0]["customdata"]
    assert carried.shape == (7, 7)
    np.testing.assert_array_equal(carried[4], [2, 1, 25, 50, 101, 10, 101])


def test_a_path_is_framed_on_both_sides():
    sides = [side(levels()), side(levels())]
    frames = traces(icicle(sides, (0, 80), NAMES, LOOKS[0], path=[(0, 0), (1, 1), (2, 2)]), "path")
    assert len(frames) == 2
    x = frames[0]["x"].reshape(3, 6)
    np.testing.assert_array_equal(x[:, :2], [[0, 80], [40, 80], [40, 60]])


def test_the_cdf_shares_the_axis_and_names_its_worst_error():
    sides = [side(levels(), error=off((0, 3, -8, 5))), side(levels(), error=off((0, 2, 4, 0)))]
    picture = icicle(sides, (0, 100), NAMES, LOOKS[0])
    words = said(picture)
    assert "worst: −8 students" in words
    assert "worst: +4 students" in words
    assert "truth" in words
    low, high = picture["layout"]["yaxis2"]["range"]
    assert low < -8
    assert high > 4
    assert [one["xaxis"] for one in traces(picture, "error of the CDF")] == ["x", "x2"]
    assert picture["layout"]["yaxis"]["domain"][0] > picture["layout"]["yaxis2"]["domain"][1]


def test_names_of_a_file_are_no_markup():
    names = Names("<b>people", "<i>wage", "$")
    picture = icicle([side(levels(), error=off())], (0, 100), names, LOOKS[0])
    words = str([picture["layout"], traces(picture, "cells")[0]["hovertemplate"]])
    assert "<i>wage" not in words
    assert "<b>people" not in words
    assert "&lt;i&gt;wage 0" in words


def test_a_tall_tree_is_drawn_as_fast_as_a_small_one():
    tree = levels(2, 16)
    one = side(tree, tree.counts)
    picture = icicle([one, one], (0, 1), NAMES, LOOKS[0])
    assert traces(picture, "cells")[0]["x"].size <= MOST_ROWS * MOST_CELLS
    best = {}
    for height in (8, 16):
        tree = levels(2, height)
        sides = [side(tree, tree.counts, off()), side(tree, tree.counts, off())]
        for _ in range(30):
            start = time.process_time()
            icicle(sides, (0, 100), NAMES, LOOKS[0])
            taken = time.process_time() - start
            best[height] = min(best.get(height, np.inf), taken)
    assert best[16] < 2 * best[8]  # of 256 times the nodes


def test_words_are_large_enough_in_a_room():
    sides = [side(levels(), error=off()), side(levels(), error=off())]
    room = icicle(sides, (0, 100), NAMES, LOOKS[1])["layout"]
    assert all(note["font"]["size"] >= 20 for note in room["annotations"])
    assert min(room[key]["tickfont"]["size"] for key in ("xaxis", "yaxis", "yaxis2")) >= 18
    desk = icicle(sides, (0, 100), NAMES, LOOKS[0])["layout"]
    assert all(note["font"]["size"] >= 13.5 for note in desk["annotations"])
