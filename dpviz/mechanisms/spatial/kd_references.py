"""kd-true and kd-pure: NOT private. They show what privacy costs; never publish their output."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.card import Card
from dpviz.core.choices import plain_values
from dpviz.core.data.grid_counts import Plane
from dpviz.core.randomness.bits import Randomness, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import FANOUT
from dpviz.core.spatial.geometry import Rectangles
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.noisy_tree import NoisyTree
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root
from dpviz.core.usual_floats import usual_floats
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.requests import check_points_request, points_apart
from dpviz.mechanisms.spatial.grown_tree import grow
from dpviz.mechanisms.spatial.kd_tree import KdTree


def exact_medians(groups: Groups) -> FloatArray:
    """x_{⌊n/2⌋+1} of each ordered node, (p,): ⌊n/2⌋ records below unless tied. NOT private.

    An empty node gives the middle of its range.
    """
    sizes = groups.sizes
    if groups.values.size == 0:
        return groups.low + (groups.high - groups.low) / 2
    found = groups.values.take(groups.starts[:-1] + sizes // 2, mode="clip")
    return np.where(sizes > 0, found, groups.low + (groups.high - groups.low) / 2)


@dataclass(frozen=True, slots=True)
class KdTrue:
    """kd-true: splits at the exact medians, noisy counts with the whole budget. NOT private.

    Guarantee: none; the counts alone would be private if the splits were public.
    Raises: InvalidParameter as KdTree.
    Source: Cormode et al. 2012, §8.2.
    """

    height: int = 8
    levels: LevelBudget | None = None
    noise: Noise | None = None
    root: Root = Root.RELEASED
    neighbours: Neighbours = Neighbours.ADD_REMOVE
    records: int | None = None

    name: ClassVar[str] = "KdTrue"
    card: ClassVar[Card] = Card(
        key="KdTrue",
        title="kd-true",
        words="exact cuts (not private)",
        lead="A kd-tree with exact medians and noisy counts.",
        promises=("none",),
        price="everything: never release it",
        use="seeing what private medians cost",
        family="Maps",
        role="reference, not private",
        summary="A kd-tree with exact medians and noisy counts. It shows what private medians "
        "cost, and is hidden when the truth is.",
        guarantee="none",
        neighbours="none",
        cost="as a kd-tree",
        good_for="a yardstick",
        watch_out="never release it",
        source="Cormode et al. 2012, §8.2",
    )

    def __post_init__(self) -> None:
        tree = self.tree
        for settled in ("noise", "root", "neighbours"):
            object.__setattr__(self, settled, getattr(tree, settled))

    @property
    def tree(self) -> KdTree:
        """The tree whose counts are noised; its switch level 0 leaves them all of the budget."""
        return KdTree(
            self.height,
            private_levels=0,
            levels=self.levels,
            noise=self.noise,
            root=self.root,
            neighbours=self.neighbours,
            records=self.records,
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self)

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        self.tree.check(budget)

    @usual_floats
    def release(
        self, points: Plane, budget: Budget, rng: Randomness | None = None
    ) -> SpatialRelease:
        """Exact splits and noisy counts, marked non-private."""
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        points = points_apart(points, f"{self.card.title} cuts at exact medians")
        counter = self.tree.counter(budget)
        height = self.tree.shape.height
        grown = grow(points, height, exact_medians, upper_levels=height, ordered=True)
        return SpatialRelease(
            mechanism=self.name,
            parameters={**self.parameters, "levels": counter.levels.to_dict()},
            geometry=Rectangles(points.box, grown.boxes),
            tree=counter.noisy_tree(grown.counts, budget, rng),
            neighbours=self.neighbours,
            spent=budget,
            non_private=("structure",),
        )


@dataclass(frozen=True, slots=True)
class KdPure:
    """kd-pure: splits at the exact medians and exact counts. NOT private, whatever the budget.

    Guarantee: none. Source: Cormode et al. 2012, §8.2.
    """

    height: int = 8

    name: ClassVar[str] = "KdPure"
    card: ClassVar[Card] = Card(
        key="KdPure",
        title="kd-pure",
        words="exact kd-tree (not private)",
        lead="A kd-tree with exact medians and exact counts.",
        promises=("none",),
        price="everything: never release it",
        use="seeing the error of cells alone",
        family="Maps",
        role="reference, not private",
        summary="A kd-tree with exact medians and exact counts. It shows the error of the "
        "uniformity assumption alone, and is hidden when the truth is.",
        guarantee="none",
        neighbours="none",
        cost="as a kd-tree",
        good_for="a yardstick",
        watch_out="never release it",
        source="Cormode et al. 2012, §8.2",
    )
    neighbours: ClassVar[Neighbours] = Neighbours.ADD_REMOVE

    def __post_init__(self) -> None:
        TreeShape(FANOUT, self.height)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return {"height": self.height}

    def check(self, budget: Budget) -> None:
        """Nothing is spent, so nothing is refused."""

    @usual_floats
    def release(
        self, points: Plane, budget: Budget, rng: Randomness | None = None
    ) -> SpatialRelease:
        """The exact tree, marked non-private; budget and rng play no part."""
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        points = points_apart(points, f"{self.card.title} cuts at exact medians")
        grown = grow(points, self.height, exact_medians, upper_levels=self.height, ordered=True)
        return SpatialRelease(
            mechanism=self.name,
            parameters=self.parameters,
            geometry=Rectangles(points.box, grown.boxes),
            tree=NoisyTree(FANOUT, grown.counts, Noise.LAPLACE, (0.0,) * len(grown.counts)),
            neighbours=self.neighbours,
            spent=None,
            non_private=("structure", "counts"),
        )
