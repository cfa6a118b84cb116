"""What releases hold: one tree of noisy counts (dpviz/core/trees/noisy_tree.py)."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.errors import InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.tree_noise import Root
from tests.rows import by_rows


def a_tree(**changes):
    parts = {
        "fanout": 3,
        "counts": (np.array([7.5]), np.array([1.0, 2.0, 3.0])),
        "noise": Noise.LAPLACE,
        "scales": (2.0, 3.0),
    }
    return NoisyTree(**{**parts, **changes})


def test_the_law_of_the_noise_follows_from_the_scales():
    tree = a_tree(scales=(math.inf, 3.0))
    assert [float(v) for v in tree.variances] == [math.inf, 18.0]
    assert tree.tree_noise.variances == tree.variances == tree.levels.variances
    assert (tree.shape.fanout, tree.shape.height) == (3, 1)


@pytest.mark.parametrize("noise", Noise)
def test_scale_0_means_exact_counts(noise):
    exact = a_tree(scales=(0, 0), noise=noise)
    assert exact.exact
    assert [float(v) for v in exact.variances] == [0.0, 0.0]
    assert not a_tree().exact


@pytest.mark.parametrize(
    "tree",
    [
        a_tree(),
        a_tree(noise=Noise.DISCRETE_LAPLACE),
        a_tree(scales=(math.inf, 3.0), root=Root.PUBLIC, total=9.0),
        a_tree(scales=(0, 0)),
    ],
)
def test_plain_values_give_back_the_tree(tree):
    stored = json.loads(json.dumps(tree.to_dict(), allow_nan=False))
    assert NoisyTree.from_dict(stored).to_dict() == tree.to_dict()


def test_counts_are_copied_unless_nobody_can_write_to_them():
    mine, closed = np.array([7.5]), np.ones(3)
    closed.setflags(write=False)
    tree = a_tree(counts=(mine, closed))
    mine[0] = 99
    assert tree.counts[0][0] == 7.5
    assert tree.counts[1] is closed
    assert replace(tree, noise=Noise.GAUSSIAN).counts[0] is tree.counts[0]
    with pytest.raises(ValueError, match="read-only"):
        tree.counts[0][0] = 1


@by_rows(
    ("changes", "message"),
    [
        ({"scales": (2.0,)}, "one scale a level"),
        ({"scales": (-1.0, 3.0)}, "positive"),
        ({"scales": (math.nan, 3.0)}, "positive"),
        ({"counts": (np.ones(1), np.ones(2))}, "shape"),
        ({"counts": (), "scales": ()}, "not a tree"),
        ({"counts": (np.ones(1), np.array([1, np.nan, 3]))}, "finite"),
        ({"counts": (np.ones((2, 1)), np.ones((2, 3)))}, "one tree"),
        ({"total": 5.0}, "does not go with"),
        ({"root": Root.PUBLIC}, "does not go with"),
        ({"root": Root.SUM}, "noisy count"),
        ({"fanout": 1}, "fanout"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(InvalidRelease, match=message):
        a_tree(**changes)
