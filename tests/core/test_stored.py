"""Texts of releases that version 0.1.0 wrote (tests/core/stored) are still read, and kept as is."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import QuantileRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.release import TreeRelease

STORED = Path(__file__).parent / "stored"
KINDS = {
    "quantiles": QuantileRelease,
    "tree": TreeRelease,
    "quadtree": SpatialRelease,
    "kd_tree": SpatialRelease,
    "hilbert_tree": SpatialRelease,
    "cells": Cells,
}


def text(name):
    return (STORED / f"{name}.json").read_text(encoding="utf-8").rstrip("\n")


def test_every_stored_text_is_read():
    assert {path.stem for path in STORED.glob("*.json")} == set(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_a_text_of_version_0_1_0_comes_back_to_the_last_character(name):
    """But for one field: what was drawn before it was said came from a seed."""
    release = KINDS[name].from_json(text(name))
    assert release.version == "0.1.0"
    assert release.to_dict() == {**json.loads(text(name)), "randomness": "seeded"}
    assert re.sub(r'"randomness": "seeded",\s+', "", release.to_json()) == text(name)
    again = KINDS[name].from_json(release.to_json())
    assert again.to_json() == release.to_json()


@pytest.mark.parametrize("name", KINDS)
def test_where_the_randomness_came_from_is_kept_and_nothing_else_is_taken(name):
    stored = json.loads(text(name)) | {"randomness": "secure"}
    assert KINDS[name].from_json(json.dumps(stored)).randomness == "secure"
    for wrong in ("lava lamps", 1, None, ["secure"]):
        with pytest.raises(InvalidRelease, match="randomness"):
            KINDS[name].from_json(json.dumps(stored | {"randomness": wrong}))


def test_quantiles_bring_their_recursion():
    release = KINDS["quantiles"].from_json(text("quantiles"))
    assert release.recursion is not None
    assert release.recursion.value.size == release.values.size == 3


def test_levels_left_out_of_a_tree_stay_unknown():
    release = KINDS["tree"].from_json(text("tree"))
    assert np.isnan(release.counts[0]).all()
    assert release.variances[0] == np.inf
    assert release.total == 300


@pytest.mark.parametrize("name", ["quadtree", "kd_tree", "hilbert_tree"])
def test_rectangles_are_those_of_the_text(name):
    release, stored = SpatialRelease.from_json(text(name)), json.loads(text(name))
    assert release.level_boxes(0).tolist() == [stored["box"]]
    leaves = release.level_boxes(2)
    assert leaves.shape == (16, 4)
    if stored["boxes"] is not None:
        assert leaves.tolist() == stored["boxes"][2]
    np.testing.assert_array_equal(release.node_boxes(2, np.array([5, 3])), leaves[[5, 3]])
