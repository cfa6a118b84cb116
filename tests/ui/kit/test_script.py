"""The Python that builds an equal value, in the words of the public face."""

import dpviz as dp
from dpviz.core.budgets import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import AggTree, QuantileEstimator
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.ui.kit.script import mapping, written
from tests.rows import by_rows

VALUES = [
    ApproximateQuantiles(),
    JointExp(Neighbours.REPLACE_ONE),
    IndependentExp(Neighbours.REPLACE_ONE, RhoRule.PAPER, Ties.KEEP, round_to_grid=True),
    ApproximateQuantiles(ties=Ties.JITTER),
    AggTree(3, 0, Root.RELEASED, Noise.GAUSSIAN, QuantileEstimator.RAW, round_to_grid=True),
    AggTree(neighbours=Neighbours.REPLACE_ONE, root=Root.PUBLIC),
    dp.CountTree(3, 2, dp.LevelBudget.own((1, 0, 2.5)), noise="gaussian"),
    dp.CountTree(levels=dp.LevelBudget.geometric(1.5)),
    dp.CountTree(levels=dp.LevelBudget.leaves_only()),
    dp.Box(dp.Bounds(0, 1), dp.Bounds(-2.5, 1e9)),
    dp.PureDP(0.1),
    dp.ApproxDP(0.1, 1e-6),
    dp.ZCDP(1 / 3),
]


@by_rows("value", VALUES)
def test_the_text_builds_an_equal_value(value):
    text = written(value)
    assert eval(text, {"dp": dp}) == value
    assert "<" not in text  # no representation of an enumeration
    assert text.startswith("dp.")


def test_defaults_are_left_out():
    assert written(JointExp()) == "dp.JointExp()"
    assert written(AggTree(height=5)) == "dp.AggTree(height=5)"
    assert written(dp.Bounds(0, 1)) == "dp.Bounds(0.0, 1.0)"


def test_a_class_apart_is_named_by_itself_and_what_it_holds_by_the_face():
    tree = dp.KdTree(3, dp.SmoothMedian())
    assert written(tree, "") == "KdTree(height=3, median=dp.SmoothMedian())"


def test_a_mapping_keeps_its_names_and_a_remark():
    text = mapping({"it's": "1", "b": "2"}, "  # remark")
    assert text.splitlines()[0] == "{  # remark"
    assert eval(text) == {"it's": 1, "b": 2}
