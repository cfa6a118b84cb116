"""What there is: a mechanism, a method, a median or an estimator is one word in a table here.

Pickers, pictures, costs, sweeps, studies, contract tests, the Methods page and README's table read
them when they run, so a row that is added here is found in all of these places.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, cast

from dpviz.core.card import Card, Shown
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.estimators.spatial import prune
from dpviz.estimators.splits import prefix_fanout
from dpviz.estimators.trees import band, cdf, least_squares, quantile_intervals
from dpviz.mechanisms.counting import workload_split
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.dawa import Dawa
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.mechanisms.counting.place_counts import PlaceCounts
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.counting.signed_digits import SignedDigits
from dpviz.mechanisms.exponential import one_quantile, ties
from dpviz.mechanisms.local.counts import LocalCounts
from dpviz.mechanisms.local.quantiles import LocalQuantiles
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.prefix_quantiles import PrefixQuantiles
from dpviz.mechanisms.quantiles.protocol import QuantileKind
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.mechanisms.quantiles.slices.mechanism import SliceQuantiles
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.method import MedianMethod, Pace, SpatialChoice, SpatialMethod
from dpviz.mechanisms.spatial.privtree import PrivTree
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from dpviz.mechanisms.sums.checked_ranks import CheckedRanks
from dpviz.mechanisms.sums.noisy_count import NoisyCount
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from dpviz.mechanisms.sums.noisy_sum import NoisySum
from dpviz.mechanisms.unbounded import propose
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile
from dpviz.metrics import record_matching

# compared with each other on one CDF
QUANTILES: tuple[QuantileKind, ...] = (
    ApproximateQuantiles,
    JointExp,
    IndependentExp,
    AggTree,
    PrefixQuantiles,
    SliceQuantiles,
)

# mechanisms with a page or a panel of their own
ALONE: tuple[Card, ...] = (
    SanitizedColumn.card,
    CountTree.card,
    Histogram.card,
    NoisyCount.card,
    NoisySum.card,
    NoisyMean.card,
    CheckedRanks.card,
    PrefixSums.card,
    SignedDigits.card,
    Dawa.card,
    PlaceCounts.card,
    LocalCounts.card,
    LocalQuantiles.card,
    UnboundedQuantile.card,
    propose.CARD,
)

MIDPOINTS = Pace(start=0.003, node=4e-8, point=6e-9)


def _taken(kind: type, choice: SpatialChoice) -> dict[str, Any]:
    """What a kind has fields for, by their names."""
    return {
        one.name: getattr(choice, one.name) for one in fields(kind) if hasattr(choice, one.name)
    }


def _of(kind: Callable[..., SpatialMechanism]) -> Callable[[SpatialChoice], SpatialMechanism]:
    return lambda choice: kind(**_taken(cast("type", kind), choice))


def _quadtree(own: LevelBudget, choice: SpatialChoice) -> SpatialMechanism:
    return _of(Quadtree)(replace(choice, levels=choice.levels or own))


def _for_workload(choice: SpatialChoice) -> SpatialMechanism:
    if (levels := choice.levels or choice.workload) is None:
        raise InvalidParameter(
            "A workload-optimal quadtree needs the split of its budget, and none was given. "
            "Optimise one first, or choose another quadtree."
        )
    return _quadtree(levels, choice)


def _kd_cell(choice: SpatialChoice) -> KdCell:
    """As its authors grow it, or with negative cells kept and this project's test of evenness."""
    tree = KdCell(
        choice.height,
        choice.cells or KdCell.square_cells(choice.box, 256),
        noise=choice.noise,
        neighbours=choice.neighbours,
    )
    return replace(tree, clamped=False, tolerance=0.0, smallest=0.0) if choice.tested else tree


SPATIAL: tuple[SpatialMethod, ...] = (
    SpatialMethod(
        name="quadtree, optimal",
        paper="quad-opt",
        card=Quadtree.card,
        knobs=("levels",),
        pace=MIDPOINTS,
        build=_of(Quadtree),
        hue="blue",
    ),
    SpatialMethod(
        name="quadtree, baseline",
        paper="quad-baseline",
        card=Quadtree.card,
        knobs=("levels",),
        pace=MIDPOINTS,
        build=partial(_quadtree, LevelBudget.uniform()),
        estimated=False,
        hue="pink",
    ),
    SpatialMethod(
        name="quadtree, geometric",
        paper="quad-geo",
        card=Quadtree.card,
        knobs=("levels",),
        pace=MIDPOINTS,
        build=_of(Quadtree),
        estimated=False,
        hue="violet",
    ),
    SpatialMethod(
        name="quadtree, estimated",
        paper="quad-post",
        card=Quadtree.card,
        knobs=("levels",),
        pace=MIDPOINTS,
        build=partial(_quadtree, LevelBudget.uniform()),
        hue="green",
    ),
    SpatialMethod(
        name="quadtree, workload",
        paper="quad-workload",
        card=Quadtree.card,
        knobs=("levels",),
        pace=MIDPOINTS,
        build=_for_workload,
        for_workload=True,
        hue="amber",
    ),
    SpatialMethod(
        name="kd-tree",
        paper="kd-standard",
        card=KdTree.card,
        knobs=("levels", "share"),
        pace=Pace(node=6e-7),
        build=_of(KdTree),
        follows_points=True,
        uses_median=True,
        hue="green",
    ),
    SpatialMethod(
        name="kd-hybrid",
        paper="kd-hybrid",
        card=KdTree.card,
        knobs=("levels", "share", "switch"),
        build=lambda choice: KdTree.hybrid(switch=choice.switch, **_taken(KdTree, choice)),
        follows_points=True,
        uses_median=True,
        hue="amber",
    ),
    SpatialMethod(
        name="kd-noisymean",
        paper="kd-noisymean",
        card=KdTree.card,
        knobs=("levels", "share"),
        build=lambda choice: _of(KdTree)(replace(choice, median=NoisyMeanMedian())),
        follows_points=True,
        hue="blue dashdot triangle-down",
    ),
    SpatialMethod(
        name="Hilbert R-tree",
        paper="Hilbert-R",
        card=HilbertTree.card,
        knobs=("levels", "share", "order"),
        pace=Pace(node=7.5e-7),
        build=_of(HilbertTree),
        follows_points=True,
        uses_median=True,
        hue="green",
    ),
    SpatialMethod(
        name="kd-cell",
        paper="kd-cell",
        card=KdCell.card,
        knobs=("cells",),
        pace=Pace(cell=3e-8),
        build=_kd_cell,
        follows_points=True,
        hue="violet",
    ),
    SpatialMethod(
        name="uniform grid", paper="uniform grid", card=UniformGrid.card, build=_of(UniformGrid)
    ),
    SpatialMethod(
        name="adaptive grid", paper="adaptive grid", card=AdaptiveGrid.card, build=_of(AdaptiveGrid)
    ),
    SpatialMethod(name="PrivTree", paper="PrivTree", card=PrivTree.card, build=_of(PrivTree)),
    SpatialMethod(
        name="kd-true (not private)",
        paper="kd-true",
        card=KdTrue.card,
        knobs=("levels",),
        build=_of(KdTrue),
        follows_points=True,
        hue="grey dash circle-open",
    ),
    SpatialMethod(
        name="kd-pure (not private)",
        paper="kd-pure",
        card=KdPure.card,
        build=_of(KdPure),
        follows_points=True,
        hue="grey dot x",
    ),
)

MEDIANS: tuple[MedianMethod, ...] = (
    MedianMethod(
        name="exponential",
        title="exponential mechanism",
        paper="EM",
        median=ExponentialMedian(),
        as_printed=ExponentialMedian(),
        card=ExponentialMedian.card,
        hue="blue",
    ),
    MedianMethod(
        name="smooth sensitivity",
        title="smooth sensitivity",
        paper="SS",
        median=SmoothMedian(),
        as_printed=SmoothMedian(),
        card=SmoothMedian.card,
        hue="amber",
    ),
    MedianMethod(
        name="noisy mean",
        title="noisy mean",
        paper="NM",
        median=NoisyMeanMedian(),
        as_printed=NoisyMeanMedian(),
        card=NoisyMeanMedian.card,
        hue="green dash square",
    ),
    MedianMethod(
        name="cell",
        title="noisy cells",
        paper="cell",
        median=CellMedian(),
        as_printed=CellMedian(2**16),  # cells of length 2^10 on a domain of 2^26
        card=CellMedian.card,
        hue="pink",
    ),
    MedianMethod(
        name="exponential, 1 % sample",
        title="exponential, 1 % sample",
        paper="EM sampled",
        median=SampledMedian(ExponentialMedian()),
        as_printed=SampledMedian(ExponentialMedian(), 0.01),
        card=SampledMedian.card,
        hue="blue dot circle-open",
    ),
    MedianMethod(
        name="smooth, 1 % sample",
        title="smooth, 1 % sample",
        paper="SS sampled",
        median=SampledMedian(SmoothMedian()),
        as_printed=SampledMedian(SmoothMedian(), 0.01),
        card=SampledMedian.card,
        hue="amber dot diamond-open",
    ),
)

# what mechanisms are made of, and what is done with their releases
BLOCKS: tuple[Card, ...] = (one_quantile.CARD, ties.SPREADING)
ESTIMATORS: tuple[Card, ...] = (
    least_squares.ONE_SIDED,
    least_squares.EFFICIENT,
    prune.CARD,
    cdf.CARD,
    band.CARD,
    quantile_intervals.CARD,
)
USES: tuple[Card, ...] = (workload_split.CARD, prefix_fanout.CARD, record_matching.CARD)


def cards() -> list[Card]:
    """Every card once, family by family."""
    found = [kind.card for kind in QUANTILES]
    found += [*ALONE, *BLOCKS, *USES, *ESTIMATORS]
    found += [row.card for row in SPATIAL] + [row.card for row in MEDIANS]
    known = list(dict.fromkeys(found))
    families = list(dict.fromkeys(card.family for card in known))
    return sorted(known, key=lambda card: families.index(card.family))


def shaped() -> set[str]:
    """Names of mechanisms for quantiles that are a tree whose shape may be set."""
    shape = {"fanout", "height"}
    return {kind.name for kind in QUANTILES if shape <= {knob.field for knob in kind.knobs}}


def shown() -> Iterator[Sequence[Shown]]:
    """How methods are named and coloured, for each table: a picture shows methods of one."""
    yield [kind.card.shown for kind in QUANTILES] + [card.shown for card in ALONE]
    yield [
        Shown(row.paper, row.paper if row.private else f"{row.paper} (not private)", row.hue)
        for row in SPATIAL
    ]
    yield [Shown(row.paper, row.title, row.hue) for row in MEDIANS]
