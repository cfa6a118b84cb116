"""Which maps are released with secure bits, and which are refused in words."""

import numpy as np
import pytest

from dpviz.core.budgets import ApproxDP, PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.privtree import PrivTree
from tests.mechanisms.spatial.planes import cloud

EXACT = [
    *(KdTree(2), KdTree.hybrid(3, 1), KdTree(2, NoisyMeanMedian()), KdTree(2, CellMedian(64))),
    *(KdTree(2, SampledMedian()), HilbertTree(2), HilbertTree(2, median=NoisyMeanMedian())),
]


@pytest.mark.parametrize("method", EXACT, ids=lambda one: f"{one.name} {one.median.name}")
def test_secure_bits_give_the_whole_map(method, rng):
    points = cloud(300, rng)
    release = method.release(points, PureDP(1.0), SecureBits(bytes(32)))
    assert release.randomness == "secure"
    assert release == method.release(points, PureDP(1.0), SecureBits(bytes(32)))
    assert release != method.release(points, PureDP(1.0), SecureBits(b"k" * 32))


@pytest.mark.few(2)
@pytest.mark.parametrize("order", [1, 4, 18, pytest.param(24, marks=pytest.mark.law)])
def test_cuts_of_the_curve_lie_at_cells_and_halve_the_points(order, rng):
    """Without noise, each cut has no more than half of its node's points on either side."""
    points = cloud(500, rng)
    tree = HilbertTree(min(order, 3), order=order)
    release = tree.release(points, PureDP(1e9), rng)
    edges = release.geometry.edges
    assert (np.diff(edges) >= 0).all()
    assert (edges == np.round(edges)).all()
    if order >= 18:
        counts = release.counts[-1]
        assert counts.max() <= 500 / counts.size + 2


def test_what_is_not_exact_is_refused(rng):
    points = cloud(100, rng)
    with pytest.raises(InvalidParameter, match="floating point"):
        PrivTree().release(points, PureDP(1.0), SecureBits.fresh())
    with pytest.raises(InvalidParameter, match="floating point"):
        KdTree(2, SmoothMedian()).release(points, ApproxDP(1.0, 1e-5), SecureBits.fresh())
