"""The Python that builds an equal mechanism, whatever its parameters."""

from __future__ import annotations

import pytest

from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import AggTree, Estimator
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.ui.quantiles.reproduce import constructor

KINDS = {kind.__name__: kind for kind in (AggTree, ApproximateQuantiles, IndependentExp, JointExp)}
MECHANISMS = [
    ApproximateQuantiles(),
    JointExp(Neighbours.REPLACE_ONE),
    IndependentExp(Neighbours.REPLACE_ONE, RhoRule.PAPER, Ties.KEEP, round_to_grid=True),
    ApproximateQuantiles(ties=Ties.JITTER),
    AggTree(3, 0, Root.RELEASED, Noise.GAUSSIAN, Estimator.RAW, round_to_grid=True),
    AggTree(neighbours=Neighbours.REPLACE_ONE, root=Root.PUBLIC),
]


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_text_builds_an_equal_mechanism(mechanism):
    text = constructor(mechanism)
    assert eval(text, KINDS) == mechanism
    assert "<" not in text  # no representation of an enumeration


def test_defaults_are_left_out():
    assert constructor(JointExp()) == "JointExp()"
    assert constructor(AggTree(height=4)) == "AggTree(height=4)"
