"""Releases of trees and their way through JSON (dpviz/core/trees/release.py)."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.counting.count_tree import CountTree
from tests.rows import by_rows

COLUMN = Column.from_values(np.linspace(-3, 3, 101) ** 3, Bounds(-30, 30), resolution=0.25)
BUDGETS = [
    (Noise.LAPLACE, PureDP(0.1)),
    (Noise.GAUSSIAN, ZCDP(1 / 3)),
    (Noise.GAUSSIAN, ApproxDP(0.7, 1e-9)),
    (Noise.DISCRETE_LAPLACE, PureDP(2)),
]


def released(rng, noise=Noise.LAPLACE, budget=None, root=Root.RELEASED, levels=None):
    tree = CountTree(
        3,
        3,
        levels or LevelBudget.uniform(),
        noise=noise,
        root=root,
        neighbours=Neighbours.REPLACE_ONE,
        records=COLUMN.n if root is Root.PUBLIC else None,
    )
    return tree.release(COLUMN, budget or PureDP(0.1), rng)


@by_rows(("noise", "budget"), BUDGETS)
@by_rows("root", Root)
@by_rows("levels", [LevelBudget.uniform(), LevelBudget.own([1, 0, 2.5, 1])])
def test_json_gives_back_an_equal_release_to_the_last_digit(rng, noise, budget, root, levels):
    release = released(rng, noise, budget, root, levels)
    back = TreeRelease.from_json(release.to_json())
    assert back == release
    for mine, other in zip(back.levels.counts, release.levels.counts, strict=True):
        np.testing.assert_array_equal(mine, other)
    for mine, other in zip(back.levels.variances, release.levels.variances, strict=True):
        assert mine == other
    assert back.to_json() == release.to_json()
    assert back.spent == budget


def test_a_release_holds_nothing_that_comes_from_the_data_but_noisy_counts(rng):
    stored = json.loads(released(rng).to_json())
    assert set(stored) == {
        "kind", "dpviz", "randomness", "mechanism", "parameters", "neighbours", "spent", "bounds",
        "resolution",
        "root", "total", "fanout", "noise", "scales", "variances", "counts",
    }  # fmt: skip
    assert stored["total"] is None
    twin = Column.from_values(np.zeros(7), COLUMN.bounds, COLUMN.resolution)
    other = json.loads(
        CountTree(3, 3, noise=Noise.LAPLACE, neighbours=Neighbours.REPLACE_ONE)
        .release(twin, PureDP(0.1), rng)
        .to_json()
    )
    for key in set(stored) - {"counts"}:
        assert stored[key] == other[key]


def test_levels_left_out_hold_nothing(rng):
    release = released(rng, levels=LevelBudget.own([0, 1, 0, 1]))
    assert np.isnan(release.counts[0]).all()
    assert np.isnan(release.counts[2]).all()
    stored = json.loads(release.to_json())
    assert [counts is None for counts in stored["counts"]] == [True, False, True, False]


def test_a_count_given_for_a_level_left_out_is_not_kept(rng):
    release = released(rng)
    kept = _with(release, scales=(math.inf, *release.scales[1:]))
    assert np.isnan(kept.counts[0]).all()


def test_arrays_are_copies_and_read_only(rng):
    release = released(rng)
    mine = [np.array(level) for level in release.counts]
    copy = _with(release, counts=tuple(mine))
    mine[0][0] = 1e9
    assert copy == release
    with pytest.raises(ValueError, match="read-only"):
        copy.counts[0][0] = 1
    assert release.edges().size == 28
    np.testing.assert_array_equal(release.edges(1), [-30, -10, 10, 30])


def _with(release, **changes):
    return replace(release, tree=replace(release.tree, **changes))


def test_parts_that_do_not_fit_are_refused(rng):
    release = released(rng)
    bad = [
        {"counts": release.counts[:-1]},
        {"counts": (np.zeros(2), *release.counts[1:])},
        {"counts": (np.array([np.nan]), *release.counts[1:])},
        {"counts": tuple(level[None] for level in release.counts)},
        {"scales": (0.0, *release.scales[1:])},
        {"scales": (math.nan, *release.scales[1:])},
        {"total": 5.0},
        {"root": Root.PUBLIC},
        {"root": Root.SUM},
    ]
    for changes in bad:
        with pytest.raises(InvalidRelease):
            _with(release, **changes)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"kind": "quantiles"}', '{"kind": "tree"}', "not json", '{"kind": ["tree"]}'],
)
def test_other_texts_are_refused(text):
    with pytest.raises(InvalidRelease):
        TreeRelease.from_json(text)


def test_damaged_releases_are_refused(rng):
    stored = json.loads(released(rng).to_json())
    for key, value in itertools.chain(
        ((key, None) for key in ("fanout", "counts", "noise", "spent", "bounds", "root")),
        [("fanout", 2), ("counts", [[1.0]] * 30), ("noise", "cauchy"), ("scales", [1.0])],
    ):
        with pytest.raises(InvalidRelease):
            TreeRelease.from_json(json.dumps({**stored, key: value}))
