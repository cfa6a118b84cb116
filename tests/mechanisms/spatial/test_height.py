"""The suggested height against its own rule, and against the addresses it was measured on."""

import numpy as np
import pandas as pd
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.counts.point_index import PointIndex
from dpviz.estimators.spatial.boxes import estimated_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_queries
from dpviz.mechanisms.spatial.height import suggest_height
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.metrics.spatial import relative_errors

UNIT = Box(Bounds(0, 1), Bounds(0, 2))


@pytest.mark.parametrize(
    ("records", "epsilon", "height"),
    [
        (123_593, 0.1, 6),
        (123_593, 0.5, 7),
        (123_593, 1.0, 7),
        (0, 1.0, 0),
        (1, 1.0, 0),
        (1e12, 1.0, 11),
        (10**6, 1e-6, 0),
    ],
)
def test_heights(records, epsilon, height):
    found = suggest_height(records, PureDP(epsilon), UNIT)
    assert found.height == height
    assert found.leaf == (2.0**-height, 2.0 ** (1 - height))
    assert str(height) in found.reason


def test_other_noise_and_notions_count_too():
    gaussian = Quadtree(noise=Noise.GAUSSIAN)
    heights = [suggest_height(10**6, ZCDP(rho), UNIT, gaussian).height for rho in (1e-4, 0.01, 1)]
    assert heights == sorted(heights)
    assert heights[0] < heights[-1]


@pytest.mark.parametrize("records", [-1, float("nan"), float("inf")])
def test_a_number_of_records_that_is_none(records):
    with pytest.raises(InvalidParameter):
        suggest_height(records, PureDP(1), UNIT)


def test_on_the_addresses_it_beats_the_papers_height(shared_data):
    """At ε = .5 height 10 errs nearly twice as much on small queries; 7 is near the best."""
    rng, frame = np.random.default_rng(7), pd.read_csv(shared_data / "ne_addresses.csv")
    box = Box(Bounds(0, 1), Bounds(0, 1))
    index = PointIndex.of(Points.from_xy(frame["x"], frame["y"], box))
    queries = random_queries(index, paper_shapes(box)[0], rng, 300)
    truth = index.count(queries)

    def error(height):
        release = Quadtree(height).release(index.points, PureDP(0.5), rng)
        return np.median(relative_errors(estimated_counts(estimate(release), queries), truth))

    suggested = suggest_height(index.points.n, PureDP(0.5), box).height
    assert error(suggested) < 0.6 * error(10)
    assert error(suggested) < 0.8 * error(4)
