"""Choices of mechanisms and estimators.

Wherever one of them is asked for its text will do: ties="spread" is ties=Ties.SPREAD.
"""

from dpviz.core.trees.level_budget import LevelRule
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import QuantileEstimator

__all__ = ["LevelRule", "QuantileEstimator", "Root", "Ties", "TreeEstimator"]
