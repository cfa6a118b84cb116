"""Private quantiles, noisy trees and spatial decompositions, to look at and to build on.

A mechanism spends a budget once and gives a release; estimators work on releases and spend nothing.

    import dpviz as dp

    column = dp.sample_column("exam")
    release = dp.ApproximateQuantiles().release(column, [0.25, 0.5, 0.75], dp.PureDP(1), rng)

A name is imported when it is first used, so `import dpviz` alone loads no other package. Only the
names listed here are public; modules may move. Every error that dpviz raises is a DpvizError.
"""

from typing import TYPE_CHECKING

from dpviz.version import __version__

# public name: the module below dpviz that defines it. Type checkers read the imports below
# instead; tests/facade/test_names.py keeps the two lists equal.
_HOMES = {
    # data, budgets and their relation
    "Bounds": "core.bounds",
    "Box": "core.bounds",
    "Column": "core.data.column",
    "Points": "core.data.points",
    "GridCounts": "core.data.grid_counts",
    "PureDP": "core.budgets",
    "ApproxDP": "core.budgets",
    "ZCDP": "core.budgets",
    "Neighbours": "core.budgets",
    "Account": "people.account",
    # people with several rows
    "PersonRows": "core.person_rows",
    "person_column": "people.data",
    "person_points": "people.data",
    "person_grid": "people.data",
    "release_for_people": "people.release",
    # quantiles and trees of a column
    "ApproximateQuantiles": "mechanisms.quantiles.approximate_quantiles",
    "JointExp": "mechanisms.quantiles.joint_exp.mechanism",
    "IndependentExp": "mechanisms.quantiles.independent_exp",
    "AggTree": "mechanisms.quantiles.agg_tree",
    "PrefixQuantiles": "mechanisms.quantiles.prefix_quantiles",
    "SanitizedColumn": "mechanisms.quantiles.sanitized",
    "SliceQuantiles": "mechanisms.quantiles.slices.mechanism",
    "Profile": "mechanisms.quantiles.profile",
    "CountTree": "mechanisms.counting.count_tree",
    "Histogram": "mechanisms.counting.histogram",
    "PrefixSums": "mechanisms.counting.prefix_sums",
    "SignedDigits": "mechanisms.counting.signed_digits",
    "Dawa": "mechanisms.counting.dawa",
    "PlaceCounts": "mechanisms.counting.place_counts",
    "LocalCounts": "mechanisms.local.counts",
    "LocalQuantiles": "mechanisms.local.quantiles",
    "NoisyCount": "mechanisms.sums.noisy_count",
    "NoisySum": "mechanisms.sums.noisy_sum",
    "CheckedRanks": "mechanisms.sums.checked_ranks",
    "NoisyMean": "mechanisms.sums.noisy_mean",
    # without declared bounds
    "UnboundedQuantile": "mechanisms.unbounded.quantile",
    "propose_bounds": "mechanisms.unbounded.propose",
    # decompositions of points
    "Quadtree": "mechanisms.spatial.quadtree",
    "KdTree": "mechanisms.spatial.kd_tree",
    "HilbertTree": "mechanisms.spatial.hilbert_tree",
    "KdCell": "mechanisms.spatial.kd_cell",
    "UniformGrid": "mechanisms.spatial.uniform_grid",
    "AdaptiveGrid": "mechanisms.spatial.adaptive_grid",
    "PrivTree": "mechanisms.spatial.privtree",
    # choices of a mechanism
    "ExponentialMedian": "mechanisms.medians.exponential",
    "SmoothMedian": "mechanisms.medians.smooth",
    "NoisyMeanMedian": "mechanisms.medians.noisy_mean",
    "CellMedian": "mechanisms.medians.cell",
    "SampledMedian": "mechanisms.medians.sampled",
    "LevelBudget": "core.trees.level_budget",
    "RhoRule": "mechanisms.exponential.rho_rule",
    "Noise": "core.randomness.noise",
    "SecureBits": "core.randomness.bits",
    "SeededBits": "core.randomness.bits",
    # what was released, read again
    "from_json": "core.stored.read",
    # estimators
    "efficient": "estimators.trees.least_squares",
    "from_below": "estimators.trees.least_squares",
    "from_above": "estimators.trees.least_squares",
    "Cdf": "estimators.trees.curve",
    "cdf": "estimators.trees.cdf",
    "monotone": "estimators.trees.cdf",
    "cdf_band": "estimators.trees.band",
    "quantile_interval": "estimators.answers",
    "estimate": "estimators.answers",
    "prune": "estimators.spatial.prune",
    "range_counts": "estimators.answers",
    # the picture of a release, and a scene of the stories in a notebook
    "plot": "figures.plot",
    "scene": "site.notebook",
    # files, tables in an engine, and sample sets
    "read_table": "intake.read",
    "Table": "intake.table",
    "count_column": "intake.engine.column",
    "count_points": "intake.engine.points",
    "samples": "intake.samples",
    "load_sample": "intake.samples",
    "sample_column": "intake.samples",
    "sample_points": "intake.samples",
    # errors
    "DpvizError": "core.errors",
}

# classes of releases, which mechanisms and from_json make, and of choices, which are given as texts
_FOLDED = ("releases", "choices")

# names that stood here once, and where they are now: used, they warn once
_MOVED = {
    "QuantileRelease": "releases.QuantileRelease",
    "ProfileRelease": "releases.ProfileRelease",
    "TreeRelease": "releases.TreeRelease",
    "HistogramRelease": "releases.HistogramRelease",
    "PrefixRelease": "releases.PrefixRelease",
    "BucketRelease": "releases.BucketRelease",
    "SpatialRelease": "releases.SpatialRelease",
    "StructureBudget": "releases.StructureBudget",
    "Cells": "releases.Cells",
    "NumberRelease": "releases.NumberRelease",
    "RankCheck": "releases.RankCheck",
    "UnboundedRelease": "releases.UnboundedRelease",
    "BoundsProposal": "releases.BoundsProposal",
    "LevelRule": "choices.LevelRule",
    "QuantileEstimator": "choices.QuantileEstimator",
    "Root": "choices.Root",
    "Ties": "choices.Ties",
    "TreeEstimator": "choices.TreeEstimator",
    "rank_noise": "SliceQuantiles.rank_noise",
    "slice_cost": "SliceQuantiles.cost",
    "slice_delta": "SliceQuantiles.delta",
    "slice_draws": "SliceQuantiles.draws",
    "unbounded_cost": "UnboundedQuantile.cost",
}

__all__ = ["__version__", *_FOLDED, *_HOMES]  # noqa: PLE0604  # the table's keys are texts

if TYPE_CHECKING:
    from dpviz import choices as choices
    from dpviz import releases as releases
    from dpviz.core.bounds import Bounds as Bounds
    from dpviz.core.bounds import Box as Box
    from dpviz.core.budgets import ZCDP as ZCDP
    from dpviz.core.budgets import ApproxDP as ApproxDP
    from dpviz.core.budgets import Neighbours as Neighbours
    from dpviz.core.budgets import PureDP as PureDP
    from dpviz.core.data.column import Column as Column
    from dpviz.core.data.grid_counts import GridCounts as GridCounts
    from dpviz.core.data.points import Points as Points
    from dpviz.core.errors import DpvizError as DpvizError
    from dpviz.core.person_rows import PersonRows as PersonRows
    from dpviz.core.randomness.bits import SecureBits as SecureBits
    from dpviz.core.randomness.bits import SeededBits as SeededBits
    from dpviz.core.randomness.noise import Noise as Noise
    from dpviz.core.stored.read import from_json as from_json
    from dpviz.core.trees.level_budget import LevelBudget as LevelBudget
    from dpviz.estimators.answers import estimate as estimate
    from dpviz.estimators.answers import quantile_interval as quantile_interval
    from dpviz.estimators.answers import range_counts as range_counts
    from dpviz.estimators.spatial.prune import prune as prune
    from dpviz.estimators.trees.band import cdf_band as cdf_band
    from dpviz.estimators.trees.cdf import cdf as cdf
    from dpviz.estimators.trees.cdf import monotone as monotone
    from dpviz.estimators.trees.curve import Cdf as Cdf
    from dpviz.estimators.trees.least_squares import efficient as efficient
    from dpviz.estimators.trees.least_squares import from_above as from_above
    from dpviz.estimators.trees.least_squares import from_below as from_below
    from dpviz.figures.plot import plot as plot
    from dpviz.intake.engine.column import count_column as count_column
    from dpviz.intake.engine.points import count_points as count_points
    from dpviz.intake.read import read_table as read_table
    from dpviz.intake.samples import load_sample as load_sample
    from dpviz.intake.samples import sample_column as sample_column
    from dpviz.intake.samples import sample_points as sample_points
    from dpviz.intake.samples import samples as samples
    from dpviz.intake.table import Table as Table
    from dpviz.mechanisms.counting.count_tree import CountTree as CountTree
    from dpviz.mechanisms.counting.dawa import Dawa as Dawa
    from dpviz.mechanisms.counting.histogram import Histogram as Histogram
    from dpviz.mechanisms.counting.place_counts import PlaceCounts as PlaceCounts
    from dpviz.mechanisms.counting.prefix_sums import PrefixSums as PrefixSums
    from dpviz.mechanisms.counting.signed_digits import SignedDigits as SignedDigits
    from dpviz.mechanisms.exponential.rho_rule import RhoRule as RhoRule
    from dpviz.mechanisms.local.counts import LocalCounts as LocalCounts
    from dpviz.mechanisms.local.quantiles import LocalQuantiles as LocalQuantiles
    from dpviz.mechanisms.medians.cell import CellMedian as CellMedian
    from dpviz.mechanisms.medians.exponential import ExponentialMedian as ExponentialMedian
    from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian as NoisyMeanMedian
    from dpviz.mechanisms.medians.sampled import SampledMedian as SampledMedian
    from dpviz.mechanisms.medians.smooth import SmoothMedian as SmoothMedian
    from dpviz.mechanisms.quantiles.agg_tree import AggTree as AggTree
    from dpviz.mechanisms.quantiles.approximate_quantiles import (
        ApproximateQuantiles as ApproximateQuantiles,
    )
    from dpviz.mechanisms.quantiles.independent_exp import IndependentExp as IndependentExp
    from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp as JointExp
    from dpviz.mechanisms.quantiles.prefix_quantiles import PrefixQuantiles as PrefixQuantiles
    from dpviz.mechanisms.quantiles.profile import Profile as Profile
    from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn as SanitizedColumn
    from dpviz.mechanisms.quantiles.slices.mechanism import SliceQuantiles as SliceQuantiles
    from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid as AdaptiveGrid
    from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree as HilbertTree
    from dpviz.mechanisms.spatial.kd_cell import KdCell as KdCell
    from dpviz.mechanisms.spatial.kd_tree import KdTree as KdTree
    from dpviz.mechanisms.spatial.privtree import PrivTree as PrivTree
    from dpviz.mechanisms.spatial.quadtree import Quadtree as Quadtree
    from dpviz.mechanisms.spatial.uniform_grid import UniformGrid as UniformGrid
    from dpviz.mechanisms.sums.checked_ranks import CheckedRanks as CheckedRanks
    from dpviz.mechanisms.sums.noisy_count import NoisyCount as NoisyCount
    from dpviz.mechanisms.sums.noisy_mean import NoisyMean as NoisyMean
    from dpviz.mechanisms.sums.noisy_sum import NoisySum as NoisySum
    from dpviz.mechanisms.unbounded.propose import propose_bounds as propose_bounds
    from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile as UnboundedQuantile
    from dpviz.people.account import Account as Account
    from dpviz.people.data import person_column as person_column
    from dpviz.people.data import person_grid as person_grid
    from dpviz.people.data import person_points as person_points
    from dpviz.people.release import release_for_people as release_for_people
    from dpviz.site.notebook import scene as scene
else:  # hidden from type checkers, so that they refuse an unknown name

    def __getattr__(name: str) -> object:
        """Import the module of a public name when the name is first used."""
        from importlib import import_module  # noqa: PLC0415  # keeps dir() to public names

        if name in _FOLDED:
            return import_module(f"dpviz.{name}")
        if name in _MOVED:
            value = _moved(name)
        elif name in _HOMES:
            value = getattr(import_module(f"dpviz.{_HOMES[name]}"), name)
        else:
            raise AttributeError(f"module 'dpviz' has no attribute '{name}'")
        globals()[name] = value
        return value


def _moved(name: str) -> object:
    """What a name that stood here once means, with a warning."""
    import operator  # noqa: PLC0415  # as above
    import sys  # noqa: PLC0415
    import warnings  # noqa: PLC0415

    said = f"dpviz.{name} is now dpviz.{_MOVED[name]}."
    warnings.warn(said, DeprecationWarning, stacklevel=3)
    return operator.attrgetter(_MOVED[name])(sys.modules[__name__])


def __dir__() -> list[str]:
    return sorted(__all__)
