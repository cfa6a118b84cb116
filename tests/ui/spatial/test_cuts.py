"""A map's detailed settings: each reaches the mechanisms that have it, and no other."""

import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds, Box
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.mechanisms.spatial.method import SpatialChoice
from dpviz.ui.spatial.cuts.settings import LEAVES_ONLY, LEVELS, WRITTEN, Cuts
from tests.rows import by_rows

BOX = Box(Bounds(0.0, 2.0), Bounds(0.0, 1.0))
ROWS = {row.paper: row for row in catalogue.SPATIAL}
OTHERS = Cuts(switch=1, share=0.5, order=9, columns=8, tested=True, levels="even")


def built(paper, cuts, height=4):
    row = ROWS[paper]
    return row.build(SpatialChoice(BOX, height, **cuts.chosen(row, BOX)))


@by_rows("paper", [name for name in ROWS if name != "quad-workload"])
def test_what_nobody_changed_is_the_method_as_it_was(paper):
    assert built(paper, Cuts()) == ROWS[paper].build(SpatialChoice(BOX, 4))


@by_rows(
    ("paper", "attribute", "value"),
    [
        ("kd-hybrid", "private_levels", 1),
        ("kd-hybrid", "median_share", 0.5),
        ("kd-standard", "median_share", 0.5),
        ("kd-noisymean", "median_share", 0.5),
        ("Hilbert-R", "median_share", 0.5),
        ("Hilbert-R", "order", 9),
        ("kd-cell", "cells", (8, 4)),
        ("kd-cell", "clamped", False),
        ("kd-cell", "tolerance", 0.0),
        ("quad-opt", "levels", LevelBudget.uniform()),
        ("quad-workload", "levels", LevelBudget.uniform()),
        ("kd-true", "levels", LevelBudget.uniform()),
    ],
)
def test_a_setting_reaches_its_method(paper, attribute, value):
    assert getattr(built(paper, OTHERS), attribute) == value


def test_a_grid_that_settles_itself_has_no_settings():
    for paper in ("uniform grid", "adaptive grid", "PrivTree", "kd-pure"):
        assert built(paper, OTHERS) == built(paper, Cuts())


def test_level_budgets_are_those_of_their_names():
    found = [Cuts(levels=name, shares="1 0 3").level_budget() for name in LEVELS]
    assert found == [
        None,
        LevelBudget.uniform(),
        LevelBudget.geometric(2 ** (1 / 3)),
        LevelBudget.leaves_only(),
        LevelBudget.own([1, 0, 3]),
    ]
    assert LEVELS[3:] == (LEAVES_ONLY, WRITTEN)


def test_what_is_refused():
    with pytest.raises(InvalidParameter, match="'x'"):
        Cuts(levels=WRITTEN, shares="1, x").level_budget()
    with pytest.raises(InvalidParameter, match="no level budget 'all'"):
        Cuts(levels="all").level_budget()
    with pytest.raises(InvalidParameter, match="levels"):
        built("quad-opt", Cuts(levels=WRITTEN, shares="1, 1"), height=4)
