"""Spatial releases and cells: what they refuse, and their way to JSON and back."""

import json
from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ApproxDP, Neighbours, PureDP
from dpviz.core.errors import InvalidParameter, InvalidRelease
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import box_row, checked_boxes, midpoint_boxes
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.geometry import HilbertCut, Midpoints, Rectangles, geometry_from_dict
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.tree_noise import Root
from tests.rows import by_rows

BOX = Box(Bounds(-2, 2), Bounds(10, 18))


def release(**changes):
    fields = {
        "mechanism": "Quadtree",
        "parameters": {"height": 1, "levels": {"rule": "uniform"}},
        "geometry": Midpoints(BOX),
        "neighbours": Neighbours.ADD_REMOVE,
        "spent": PureDP(1),
    }
    parts = {
        "fanout": 4,
        "counts": (np.array([7.5]), np.array([1.0, 2.0, 3.0, 0.1])),
        "noise": Noise.LAPLACE,
        "scales": (2.0, 3.0),
        "root": Root.RELEASED,
        "total": None,
    }
    tree = NoisyTree(**{key: changes.pop(key, value) for key, value in parts.items()})
    return SpatialRelease(**{**fields, "tree": tree, **changes})


def rectangles(*boxes):
    return Rectangles(BOX, boxes)


def cells(**changes):
    fields = {
        "mechanism": "UniformGrid",
        "parameters": {},
        "box": BOX,
        "boxes": [[-2, 0, 10, 18], [0, 2, 10, 18]],
        "counts": [1.5, -2],
        "variances": [8, 8],
        "neighbours": Neighbours.ADD_REMOVE,
        "spent": PureDP(1),
    }
    return Cells(**{**fields, **changes})


def test_children_lie_in_the_declared_order():
    low, middle, high = (-2, 0), (10, 14), (0, 2)
    expected = [[*low, *middle], [*low, 14, 18], [*high, *middle], [*high, 14, 18]]
    np.testing.assert_array_equal(midpoint_boxes(BOX, 1), expected)
    np.testing.assert_array_equal(midpoint_boxes(BOX, 0), [box_row(BOX)])


@pytest.mark.parametrize("level", range(1, 5))
def test_children_halve_their_parent(level):
    children = midpoint_boxes(BOX, level).reshape(-1, 4, 4)
    for parent, four in zip(midpoint_boxes(BOX, level - 1), children, strict=True):
        x, y = (parent[0] + parent[1]) / 2, (parent[2] + parent[3]) / 2
        np.testing.assert_allclose(four[0], [parent[0], x, parent[2], y])
        np.testing.assert_allclose(four[3], [x, parent[1], y, parent[3]])


@pytest.mark.parametrize(
    "made",
    [
        release(),
        release(geometry=rectangles(midpoint_boxes(BOX, 0), midpoint_boxes(BOX, 1))),
        release(root=Root.PUBLIC, total=9.0, scales=(np.inf, 3.0)),
        release(geometry=HilbertCut(BOX, [0, 1, 5, 5, 16], 2)),
        release(structure=StructureBudget(0.3, 1, (PureDP(0.15), ApproxDP(0.15, 1e-5)))),
        release(scales=(0, 0), spent=None, non_private=("structure", "counts")),
    ],
)
def test_json_loses_nothing(made):
    back = SpatialRelease.from_json(made.to_json())
    assert back == made
    assert back.to_dict() == made.to_dict()
    assert back != replace(made, mechanism="other")


def test_rectangles_of_a_hilbert_tree_follow_from_the_ends_of_its_leaves():
    made = release(geometry=HilbertCut(BOX, [0, 1, 5, 5, 16], 2))
    assert made.to_dict()["boxes"] is None
    back = SpatialRelease.from_json(made.to_json())
    for found, expected in zip(back.geometry.boxes, made.geometry.boxes, strict=True):
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="read-only"):
        made.geometry.boxes[1][0] = 0


@pytest.mark.parametrize(
    "made", [cells(), cells(groups=[0, 0], group_variances=[5.0]), cells(counts=[0.1 + 0.2, 1e300])]
)
def test_json_of_cells_loses_nothing(made):
    assert Cells.from_json(made.to_json()) == made


def test_a_level_that_is_not_released_holds_nothing():
    made = release(scales=(np.inf, 3.0), counts=(np.array([123.0]), np.ones(4)))
    assert np.isnan(made.counts[0]).all()
    assert "123" not in made.to_json()


def test_what_is_released_cannot_be_changed_afterwards():
    leaves = np.ones(4)
    made = release(counts=(np.ones(1), leaves))
    leaves[0] = 99
    assert made.counts[1][0] == 1
    with pytest.raises(ValueError, match="read-only"):
        made.counts[1][0] = 5


@by_rows(
    ("changes", "message"),
    [
        ({"scales": (2.0,)}, "one scale a level"),
        ({"scales": (0.0, 3.0)}, "positive"),
        ({"scales": (np.nan, 3.0)}, "positive"),
        ({"counts": (np.ones(1), np.ones(3))}, "shape"),
        ({"counts": (np.ones(1), np.array([1, 2, np.nan, 3]))}, "finite"),
        ({"counts": (np.ones((2, 1)), np.ones((2, 4)))}, "one tree"),
        ({"total": 5.0}, "root"),
        ({"root": Root.SUM}, "noisy count"),
        ({"non_private": ("boxes",)}, "non-private"),
        ({"spent": None}, "spent"),
        ({"non_private": ("counts",)}, "spent"),
        ({"geometry": rectangles(midpoint_boxes(BOX, 0))}, "each level"),
        ({"geometry": HilbertCut(BOX, [0, 16], 2)}, "each level"),
        ({"fanout": 2, "counts": (np.ones(1), np.ones(2))}, "fanout 4"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(InvalidRelease, match=message):
        release(**changes)


ROOT, LEAVES = midpoint_boxes(BOX, 0).tolist(), midpoint_boxes(BOX, 1)


@by_rows(
    ("parts", "message"),
    [
        ({"boxes": [ROOT, (LEAVES + 1).tolist()]}, "in its parent"),
        ({"boxes": [(midpoint_boxes(BOX, 0) / 2).tolist(), LEAVES.tolist()]}, "declared box"),
        ({"boxes": [ROOT, LEAVES[:, ::-1].tolist()]}, "low ≤ high"),
        ({"curve_edges": [0, 5, 1, 7, 16], "curve_order": 2}, "ascending"),
        ({"curve_edges": [0, 1, 5, 7, 15], "curve_order": 2}, "ascending"),
        ({"curve_edges": [0, 1, 5, 16], "curve_order": 2}, "ascending"),
        ({"curve_edges": [16], "curve_order": 2}, "ascending"),
        ({"curve_edges": [], "curve_order": 2}, "ascending"),
        ({"curve_edges": [0, 1, 5, 7, 16], "curve_order": 0}, "order from 1"),
        ({"curve_edges": [0, 1, 5, 7, 16]}, "together"),
        ({"curve_order": 2}, "together"),
        (
            {
                "curve_edges": [0, 1, 5, 7, 16],
                "curve_order": 2,
                "boxes": [ROOT, LEAVES.tolist()],
            },
            "follow",
        ),
    ],
)
def test_a_geometry_whose_parts_do_not_fit_is_refused(parts, message):
    stored = {"boxes": None, "curve_edges": None, "curve_order": None, **parts}
    with pytest.raises(InvalidParameter, match=message):
        geometry_from_dict(BOX, stored)
    with pytest.raises(InvalidRelease, match=message):
        SpatialRelease.from_json(json.dumps({**release().to_dict(), **stored}))


@pytest.mark.parametrize(
    "geometry", [Midpoints(BOX), rectangles(ROOT, LEAVES), HilbertCut(BOX, [0, 1, 5, 5, 16], 2)]
)
def test_some_nodes_lie_where_their_level_says(geometry):
    nodes = np.array([3, 0, 2])
    np.testing.assert_array_equal(geometry.level_boxes(0), ROOT)
    np.testing.assert_array_equal(geometry.node_boxes(1, nodes), geometry.level_boxes(1)[nodes])
    assert geometry.fits(1)
    assert geometry.fits(2) == isinstance(geometry, Midpoints)
    back = geometry_from_dict(BOX, json.loads(json.dumps(geometry.to_dict())))
    assert back.to_dict() == geometry.to_dict()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"boxes": [[-2, 0, 10, 18], [0, 1, 10, 18]]}, "cover"),
        ({"boxes": [[-2, 0, 10, 18], [0, 3, 10, 18]]}, "declared box"),
        ({"counts": [1.0]}, "one a cell"),
        ({"counts": [1.0, np.nan]}, "finite"),
        ({"variances": [0, 8]}, "positive"),
        ({"groups": [0, 0]}, "variances"),
        ({"groups": [0, 1], "group_variances": [5.0]}, "variance"),
        ({"spent": None}, "spent"),
    ],
)
def test_cells_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(InvalidRelease, match=message):
        cells(**changes)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"kind": "tree"}'])
def test_other_texts_are_refused(text):
    for kind in (SpatialRelease, Cells):
        with pytest.raises(InvalidRelease):
            kind.from_json(text)


@pytest.mark.parametrize("share", [-0.1, 1.1, 0.5])
def test_a_structure_share_goes_with_its_steps(share):
    with pytest.raises(InvalidRelease):
        StructureBudget(share, 1, ())


@pytest.mark.parametrize("boxes", [[1, 2, 3], [[0, 1, 0, np.inf]], [[1, 0, 0, 1]]])
def test_rectangles_that_are_none_are_refused(boxes):
    with pytest.raises(InvalidParameter):
        checked_boxes(boxes)
