"""Honaker's schematic trees: weights that add up, estimates of the right sum, and a partition."""

import numpy as np
import pytest

from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.experiments.papers.tree_figures import (
    LEAVES,
    PARTS,
    SIGMA,
    applied,
    contributions,
    example_tree,
    variance_of,
    ways,
)


@pytest.fixture
def example():
    return example_tree(np.random.default_rng(3))


def test_every_way_reads_the_same_sum_off_the_exact_tree(example):
    found = ways()
    assert len({tuple(np.concatenate(one)) for one in found}) == 8
    for one in found:
        assert applied(one, example.truth) == sum(LEAVES[:4])
        assert variance_of(one) == SIGMA**2 * np.count_nonzero(np.concatenate(one))


def test_contributions_partition_the_efficient_estimate(example):
    whole = contributions(example.noisy)
    best = efficient_levels(example.noisy)
    assert applied(whole, example.noisy.counts) == pytest.approx(best.counts[2][0])
    assert variance_of(whole) == pytest.approx(float(best.variances[2]))
    parts = [np.concatenate(contributions(example.noisy, part)) for part in PARTS[1:]]
    assert np.allclose(sum(parts), np.concatenate(whole))
    assert (sum((part != 0).astype(int) for part in parts) == 1).all()
    with pytest.raises(ValueError, match="part must be"):
        contributions(example.noisy, "none")
