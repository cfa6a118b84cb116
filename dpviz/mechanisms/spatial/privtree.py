"""PrivTree: a quadtree that grows where the records are, to any depth, at a fixed price."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import ZCDP, Budget, Neighbours, PureDP
from dpviz.core.card import BOTH, Card
from dpviz.core.checks import checked_share, finite, settle, whole
from dpviz.core.choices import plain_values, settle_choices
from dpviz.core.conversions import pure_epsilon
from dpviz.core.data.grid_counts import Plane
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.randomness.bits import Randomness, only_seeded, or_secure
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.boxes import FANOUT, edges_at, places_of
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.structure_budget import StructureBudget
from dpviz.core.usual_floats import usual_floats
from dpviz.counts.on_grid import places_below
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.requests import check_fine_enough, check_points_request
from dpviz.mechanisms.spatial.median_budget import divide

MAX_DEPTH = 24
MOST_CELLS = 1 << 22  # of a release, as many as the leaves of the highest quadtree


@dataclass(frozen=True, slots=True)
class PrivTree:
    """A node of depth d and count c is cut into four if max(c − d δ, θ − δ) + Lap(λ) > θ.

    The bias δ = λ ln 4 that grows with depth makes the whole path cost what one step does:
    λ = (2·4 − 1)/(4 − 1)/ε' = 7/(3 ε'), θ = threshold (0 in the paper). ε' is structure_share of
    the budget (½); the counts of the leaves get the rest in fresh Laplace noise. depth is a public
    limit that no data set moves. Replace-one doubles both noises.
    Growth ends at the first depth whose cuts would make more than 2^22 cells: none is made there.
    The tree is then a function of the one without this limit, which shows in its own shape where
    that depth is. So it is post-processing of that tree, and its price is the same.

    >>> dp.PrivTree().release(points, dp.PureDP(1), rng).spent
    PureDP(epsilon=1.0)

    Guarantee: PureDP; ZCDP by ε'²/2 for the structure. Raises: InvalidParameter for a share outside
    (0, 1), a depth outside 0 … 24 or a threshold that is not finite.
    Source: Zhang, Xiao and Xie 2016, Algorithm 2, Theorem 3.1 and Corollary 1.
    """

    structure_share: float = 0.5
    threshold: float = 0.0
    depth: int = 20
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    name: ClassVar[str] = "PrivTree"
    card: ClassVar[Card] = Card(
        key="PrivTree",
        title="PrivTree",
        words="PrivTree",
        lead="Cuts wherever noisy counts stay high, however deep that goes.",
        promises=("pure", "zcdp"),
        price="half of the budget goes to the structure",
        use="very uneven maps",
        family="Maps",
        summary="A quadtree that grows where noisy counts stay above a threshold, however deep: "
        "the price of its structure does not depend on the depth.",
        guarantee="pure ε, ρ-zCDP",
        neighbours=BOTH,
        cost="one or two passes over the points",
        good_for="very uneven data, and maps without a height to choose",
        watch_out="half of the budget goes to the structure",
        source="Zhang, Xiao and Xie 2016",
    )

    def __post_init__(self) -> None:
        settle_choices(self, neighbours=Neighbours)
        settle(self, structure_share=checked_share, threshold=finite, depth=whole(0, MAX_DEPTH))

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters as plain values."""
        return plain_values(self)

    def scales(self, budget: Budget) -> tuple[float, float]:
        """λ of the structure's noise, and the scale of the leaf counts'."""
        division = divide(
            budget,
            share=self.structure_share,
            steps=1,
            medians_take_delta=False,
            noise=Noise.LAPLACE,
        )
        match division.step:
            case PureDP(epsilon):
                epsilon_structure = epsilon
            case ZCDP(rho):
                epsilon_structure = pure_epsilon(rho)
            case _:
                raise UnsupportedBudget("PrivTree makes no use of δ. Choose a budget in ε or ρ.")
        changed = self.neighbours.counts_changed
        scale = changed * (2 * FANOUT - 1) / (FANOUT - 1) / epsilon_structure
        return scale, noise_scale(Noise.LAPLACE, division.counts, 1.0, self.neighbours)

    def check(self, budget: Budget) -> None:
        """Raise what release would raise, without drawing."""
        self.scales(budget)

    @usual_floats
    def release(self, points: Plane, budget: Budget, rng: Randomness | None = None) -> Cells:
        """Spend the budget once: the structure from the root down, then counts of its leaves.

        Raises: InvalidParameter for secure bits: noisy counts are compared in floating point;
        InvalidData for a depth above the height of the grid that points are counted on.
        """
        rng = or_secure(rng)
        check_points_request(points, budget, rng)
        check_fine_enough(points, self.depth, "PrivTree of depth", "Choose a depth of")
        rng = only_seeded(rng, self.card.title)
        scale, leaf_scale = self.scales(budget)
        depths, codes, exact = self._grow(points, scale, rng)
        noisy = exact + rng.laplace(0.0, leaf_scale, exact.size)  # spends the counts' share
        step = divide(
            budget,
            share=self.structure_share,
            steps=1,
            medians_take_delta=False,
            noise=Noise.LAPLACE,
        ).step
        assert step is not None
        return Cells(
            mechanism=self.name,
            parameters=self.parameters,
            box=points.box,
            boxes=_boxes(points.box, depths, codes),
            counts=noisy,
            variances=np.full(exact.size, Noise.LAPLACE.variance(leaf_scale)),
            neighbours=self.neighbours,
            spent=budget,
            structure=StructureBudget(self.structure_share, int(depths.max()), (step,)),
        )

    def _grow(
        self, points: Plane, scale: float, rng: np.random.Generator
    ) -> tuple[IntArray, IntArray, FloatArray]:
        """Leaves by depth and number within the depth, and their exact counts: confidential."""
        below = places_below(points, self.depth)
        bias = scale * math.log(FANOUT)
        codes, cells = np.zeros(1, dtype=np.int64), 1
        leaves: list[tuple[IntArray, IntArray, FloatArray]] = []
        for depth in range(self.depth + 1):
            width = 4 ** (self.depth - depth)
            counts = (below((codes + 1) * width) - below(codes * width)).astype(np.float64)
            biased = np.maximum(counts - depth * bias, self.threshold - bias)
            noisy = biased + rng.laplace(0.0, scale, codes.size)  # spends the structure's share
            split = (noisy > self.threshold) & (depth < self.depth)
            cells += (FANOUT - 1) * int(np.count_nonzero(split))
            if cells > MOST_CELLS:  # noisy comparisons alone decide
                split[:] = False
            leaves.append((np.full(codes.size, depth)[~split], codes[~split], counts[~split]))
            codes = (FANOUT * codes[split][:, None] + np.arange(FANOUT)).ravel()
            if not codes.size:
                break
        depths, numbers, counts = (np.concatenate(parts) for parts in zip(*leaves, strict=True))
        return depths, numbers, counts


def _boxes(box: Box, depths: IntArray, codes: IntArray) -> FloatArray:
    """Rectangles (k, 4) of quadtree nodes given by depth and number within it."""
    column, row = places_of(codes, MAX_DEPTH)
    cells = np.exp2(depths.astype(np.float64))
    sides = [(box.x, column), (box.y, row)]
    cuts = [edges_at(bounds, at + up, cells) for bounds, at in sides for up in (0, 1)]
    return np.stack(cuts, axis=1)
