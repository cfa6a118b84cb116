"""Random queries, and PSD's noise figures, which are exact targets."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.counts.point_index import PointIndex
from dpviz.estimators.spatial.quadtree_ranges import Spans, consistent_variances
from dpviz.experiments.planning.spatial_queries import (
    PAPER_BOX,
    PAPER_SHAPES,
    paper_shapes,
    random_boxes,
    random_queries,
    workload_levels,
)
from dpviz.mechanisms.spatial.quadtree import Quadtree
from tests.mechanisms.spatial.planes import cloud, points


def test_the_papers_domain():
    assert PAPER_BOX.x.width == pytest.approx(21.82)
    assert PAPER_BOX.y.width == pytest.approx(17.67)
    np.testing.assert_allclose(paper_shapes(PAPER_BOX), PAPER_SHAPES)
    unit = paper_shapes(Box(Bounds(0, 1), Bounds(0, 1)))
    np.testing.assert_allclose(unit[2], (15 / 21.82, 0.2 / 17.67))


@pytest.mark.parametrize("shape", PAPER_SHAPES)
def test_rectangles_have_their_shape_and_lie_inside(shape, rng):
    boxes = random_boxes(PAPER_BOX, shape, 500, rng)
    np.testing.assert_allclose(boxes[:, 1] - boxes[:, 0], shape[0])
    np.testing.assert_allclose(boxes[:, 3] - boxes[:, 2], shape[1])
    assert boxes[:, 0].min() >= -124.82
    assert boxes[:, 1].max() <= -103.0
    assert np.unique(boxes[:, 0]).size == 500


def test_queries_hold_a_point_and_are_not_chosen_otherwise(rng):
    index = PointIndex.of(cloud(60, rng))
    asked = random_queries(index, (0.5, 0.1), rng, 300)
    assert asked.shape == (300, 4)
    assert (index.count(asked) > 0).all()


def test_what_cannot_be_drawn_is_refused(rng):
    for shape in ((9, 1), (1, 0), (-1, 1), (float("nan"), 1)):
        with pytest.raises(InvalidParameter, match="fit"):
            random_boxes(cloud(1, rng).box, shape, 1, rng)
    with pytest.raises(InvalidParameter, match="Hardly"):
        random_queries(PointIndex.of(points()), (1, 1), rng, 5)


def rms(levels, boxes, budget=None, noise=Noise.LAPLACE):
    budget = PureDP(1) if budget is None else budget
    variances = Quadtree(10, levels, noise).tree_noise(budget).variances
    spans = Spans.of(PAPER_BOX, 10, boxes)
    return np.sqrt(consistent_variances(spans, variances, public_total=False).mean())


@pytest.mark.parametrize(
    ("shape", "uniform", "geometric"),
    [((1, 1), 121, 60.7), ((10, 10), 385, 203), ((15, 0.2), 314, 152)],
)
def test_noise_at_height_10_is_the_known_one(shape, uniform, geometric, rng):
    """ε = 1; positions are random, so 2.5 % of play. Workload-optimal lies below both."""
    boxes = random_boxes(PAPER_BOX, shape, 4000, rng)
    assert rms(LevelBudget.uniform(), boxes) == pytest.approx(uniform, rel=0.025)
    assert rms(None, boxes) == pytest.approx(geometric, rel=0.025)
    best = rms(workload_levels(PAPER_BOX, 10, boxes, PureDP(1)), boxes)
    assert best < 0.85 * rms(None, boxes)
    assert best <= rms(LevelBudget.leaves_only(), boxes)


@pytest.mark.parametrize("noise", [Noise.GAUSSIAN, Noise.LAPLACE])
def test_in_rho_the_best_split_wins_too(noise, rng):
    boxes, budget = random_boxes(PAPER_BOX, (10, 10), 400, rng), ZCDP(0.5)
    best = rms(workload_levels(PAPER_BOX, 10, boxes, budget, noise=noise), boxes, budget, noise)
    rivals = (None, LevelBudget.uniform(), LevelBudget.leaves_only(), LevelBudget.geometric(1.2))
    assert all(best < rms(levels, boxes, budget, noise) for levels in rivals)


def test_a_public_number_needs_no_share(rng):
    boxes = random_boxes(PAPER_BOX, (1, 1), 50, rng)
    levels = workload_levels(PAPER_BOX, 4, boxes, PureDP(1), root=Root.PUBLIC)
    assert levels.weights[0] == 0
    assert len(levels.weights) == 5
