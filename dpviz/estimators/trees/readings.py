"""The four ways to read a noisy tree, by name."""

import numpy as np

from dpviz.core.choices import Choice
from dpviz.core.trees.shape import Levels
from dpviz.estimators.trees.level_estimates import (
    Total,
    efficient_levels,
    from_above_levels,
    from_below_levels,
)


class TreeEstimator(Choice):
    """RAW takes every noisy count as it is; the others combine them (Honaker 2019, §3)."""

    RAW = "raw"
    FROM_BELOW = "from-below"
    FROM_ABOVE = "from-above"
    EFFICIENT = "efficient"

    def apply(self, levels: Levels, total: Total | None = None) -> Levels:
        """Counts and variances of every node; total is N where it is public.

        FROM_BELOW has no use for a public N but at the root, which is then exact.
        Shapes, units, guarantee and errors: as efficient_levels.
        """
        if self is TreeEstimator.EFFICIENT:
            return efficient_levels(levels, total)
        if self is TreeEstimator.FROM_ABOVE:
            return from_above_levels(levels, total)
        return with_total(levels if self is TreeEstimator.RAW else from_below_levels(levels), total)


def with_total(levels: Levels, total: Total | None) -> Levels:
    """The tree with its root replaced by an exactly known N, if there is one."""
    if total is None:
        return levels
    root = np.full_like(levels.counts[0], total)
    return Levels(levels.fanout, (root, *levels.counts[1:]), (np.zeros(()), *levels.variances[1:]))
