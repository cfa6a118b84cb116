"""SpaceTree: noisy counts on nested boxes of d dimensions, an octree or a kd-tree.

The counts of further boxes are read from its release.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.checks import a, checked_share, optional, settle, wanted, whole
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.errors import InvalidData
from dpviz.core.ragged import offsets
from dpviz.core.randomness.bits import Randomness, bits_of, kind_of, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.releases import SEEDED
from dpviz.core.spatial.space import Space, SpacePoints, checked_space_boxes, covered, halved
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.shape import TreeShape
from dpviz.core.usual_floats import usual_floats
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.estimators.trees.workload import query_variance
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Groups, PrivateMedian, a_median
from dpviz.mechanisms.requests import checked_budget
from dpviz.mechanisms.spatial.median_budget import Division, divide

BOXES = 64  # answered together


@dataclass(frozen=True, slots=True)
class SpaceTree:
    """A tree of fanout 2^d: every level cuts every axis once, the first axis first.

    On the first private_levels levels the cuts are private medians (a kd-tree, flattened), below
    them middles (0 is a quadtree, an octree in three dimensions). median_share of the budget goes
    to the d · private_levels median steps of a path, the rest to the counts by levels; None is the
    geometric split: a box meets at most c · 2^((d − 1)l) nodes of level l.
    Guarantee: as the medians and the noise: PureDP and ZCDP for Laplace noise, ZCDP for Gaussian
    noise, ApproxDP where one of them takes δ; under either relation.
    Raises: InvalidParameter for a tree of more than 2^22 leaves or a share outside (0, 1).
    Source: Cormode et al. 2012, §4.1 (more than two dimensions), §6 and §9.
    """

    dimensions: int = 3
    height: int = 4
    private_levels: int = 0
    median: PrivateMedian = field(default_factory=ExponentialMedian)
    median_share: float = 0.3
    levels: LevelBudget | None = None
    noise: Noise | None = None
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "SpaceTree"

    def __post_init__(self) -> None:
        settle(self, dimensions=whole(1, 6), height=whole(0, 22), median=a_median)
        settle(self, median_share=checked_share, levels=optional(a(LevelBudget)))
        settle(self, private_levels=whole(0, self.height))
        settle_choices(self, neighbours=Neighbours)
        settle(self, noise=Noise.or_none)
        TreeShape(self.fanout, self.height)

    @property
    def fanout(self) -> int:
        """Children of a node."""
        return int(2**self.dimensions)

    def law(self, budget: Budget) -> Noise:
        """The noise that is drawn for a budget."""
        return Noise.chosen(self.noise, budget)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self)

    def division(self, budget: Budget) -> Division:
        """What each median step and all counts together may spend."""
        return divide(
            budget,
            share=self.median_share,
            steps=self.dimensions * self.private_levels,
            medians_take_delta=self.median.takes_delta,
            noise=self.law(budget),
        )

    def counter(self, budget: Budget) -> CountTree:
        """The tree of counts by itself, given the counts' part of a budget (see division)."""
        levels = self.levels or space_levels(self.dimensions, budget)
        noise = self.law(budget)
        return CountTree(self.fanout, self.height, levels, noise, neighbours=self.neighbours)

    @usual_floats
    def release(
        self, points: SpacePoints, budget: Budget, rng: Randomness | None = None
    ) -> "SpaceRelease":
        """Spend the budget once: the private cuts level by level, then the counts."""
        rng = or_secure(rng)
        self._check(points, budget, rng)
        division = self.division(budget)
        counter = self.counter(division.counts)
        counter.check(division.counts)
        if division.step is not None:
            self.median.check(division.step, self.neighbours)
        boxes, exact = self._grown(points, division, counter.shape.height, rng)
        return SpaceRelease(
            mechanism=self.name,
            parameters={**self.parameters, "noise": counter.law(budget).value},
            space=points.space,
            leaves=boxes,
            tree=counter.noisy_tree(exact, division.counts, rng),
            neighbours=self.neighbours,
            spent=budget,
            randomness=kind_of(rng),
        )

    def _check(self, points: SpacePoints | GridCounts, budget: Budget, rng: Randomness) -> None:
        if isinstance(points, GridCounts):
            raise InvalidData(
                "A SpaceTree takes no counts on a grid, and the points are counted on "
                f"{points.side:,} × {points.side:,} cells. Choose a Quadtree of a height up to "
                f"{points.height}, or give SpacePoints."
            )
        wanted(SpacePoints, points, "points", InvalidData)
        if points.space.dimensions != self.dimensions:
            raise InvalidData(
                f"This tree has {self.dimensions} dimensions, the points have "
                f"{points.space.dimensions}. Choose SpaceTree({points.space.dimensions}, …)."
            )
        checked_budget(budget)
        bits_of(rng)

    def _grown(
        self, points: SpacePoints, division: Division, height: int, rng: Randomness
    ) -> tuple[FloatArray, tuple[FloatArray, ...]]:
        """The leaves' boxes, and the exact counts of all nodes, which are confidential."""
        node, boxes = np.zeros(points.n, dtype=np.int64), points.space.row[None, :]
        counts = [np.array([float(points.n)])]
        for level in range(height):
            for axis in range(self.dimensions):
                low, high = boxes[:, 2 * axis], boxes[:, 2 * axis + 1]
                at = low + (high - low) / 2
                if level < self.private_levels and division.step is not None:
                    groups = _along(points, node, boxes, axis)
                    at = self.median.draw(groups, division.step, self.neighbours, rng)
                node = 2 * node + (points.at[:, axis] >= at[node])
                boxes = halved(boxes, axis, at)
            counts.append(np.bincount(node, minlength=len(boxes)).astype(np.float64))
        return boxes, tuple(counts)


def space_levels(dimensions: int, budget: Budget) -> LevelBudget:
    """Shares that grow to the leaves by 2^((d − 1)/3) in ε and 2^((d − 1)/2) in ρ.

    Minimises Σ 2^((d − 1)l) σ_l², as Lemma 3 does for d = 2.
    Source: Cormode et al. 2012, §4.1's remark on d dimensions; the ratios: this project.
    """
    power = 3 if isinstance(budget, PureDP) else 2
    return LevelBudget.geometric(2 ** ((dimensions - 1) / power))


def _along(points: SpacePoints, node: IntArray, boxes: FloatArray, axis: int) -> Groups:
    """One coordinate of the points, node after node in ascending order."""
    values = points.at[:, axis]
    order = np.lexsort((values, node))
    starts = offsets(np.bincount(node, minlength=len(boxes)))
    low, high = boxes[:, 2 * axis], boxes[:, 2 * axis + 1]
    return Groups(values[order], starts, low, high, points.space.axes[axis])


@dataclass(frozen=True, slots=True, eq=False)
class SpaceRelease:
    """A noisy tree over boxes; leaves (2^(d·h), 2d) are their rows, children beside each other."""

    mechanism: str
    parameters: dict[str, Any]
    space: Space
    leaves: FloatArray
    tree: NoisyTree
    neighbours: Neighbours
    spent: Budget
    randomness: str = SEEDED


def box_counts(release: SpaceRelease, boxes: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Private counts of boxes (q, 2d) after least squares, and the exact variance of their noise.

    Both (q,). A leaf that the border of a box cuts counts by the fraction of its volume inside, an
    error that no variance knows about. Units: records, records².
    Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter for rows that are not boxes of this space.
    Source: Cormode et al. 2012, §4.1 and §5; variances: this project.
    """
    rows = checked_space_boxes(boxes, release.space.dimensions)
    noisy, total = release.tree.levels, release.tree.total
    best = efficient_levels(noisy, total).counts[-1]
    counts, variances = np.empty(len(rows)), np.empty(len(rows))
    for start in range(0, len(rows), BOXES):
        part = slice(start, start + BOXES)
        weights = covered(release.leaves, rows[part])
        counts[part] = weights @ best
        variances[part] = query_variance(noisy, weights, total)
    return counts, variances
