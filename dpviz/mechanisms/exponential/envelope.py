"""The envelope that exact rejection sampling of an exponential mechanism draws from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.exponential.ladder import Climbable, Problems

FALL = 0.5  # by how much η·distance grows over one block
LEAST_STEP = 0.25  # ranks; finer blocks gain nothing, and drown in the rounding of large ranks


@confidential()
@dataclass(frozen=True, eq=False)
class Envelope:
    """A piecewise-constant bound on the unnormalised densities of several problems.

    Shapes: interval (p, b+1) bounds the blocks by intervals, edge (p, b+1) by values;
    log_bound (p, b) is the log of the largest weight in a block, relative to the nearest
    interval of positive width, at distance nearest (p,); mass (p, b) is the running sum of
    width times largest weight.
    """

    interval: IntArray
    edge: FloatArray
    log_bound: FloatArray
    mass: FloatArray
    nearest: FloatArray

    @classmethod
    def around(cls, ladder: Climbable, problems: Problems, blocks: int) -> Envelope:
        """Blocks of FALL/η ranks on both sides of the target, and one for the rest on each."""
        nearest = _nearest_distance(ladder, problems)
        size = np.maximum(FALL / problems.eta, LEAST_STEP)[:, None]
        step = np.arange(1, blocks + 1) * size + nearest[:, None]
        target = problems.target[:, None]
        first, last = problems.first[:, None], problems.last[:, None]
        ranks = np.concatenate((target - step[:, ::-1], target, target + step), axis=1)
        inner = np.clip(ladder.first_from(ranks), first, last + 1).astype(np.int64)
        interval = np.concatenate((first, inner, last + 1), axis=1)
        edge = ladder.edge_below(problems, interval)
        # the interval of a block closest to the target: its last one on the left of it
        closest = np.concatenate((interval[:, 1 : blocks + 2] - 1, interval[:, blocks + 1 : -1]), 1)
        distance = np.abs(ladder.rank(np.clip(closest, first, last)) - target)
        log_bound = np.minimum(-problems.eta[:, None] * (distance - nearest[:, None]), 0.0)
        mass = np.cumsum(np.diff(edge, axis=1) * np.exp(log_bound), axis=1)
        return cls(interval, edge, log_bound, mass, nearest)

    @property
    def tail_share(self) -> FloatArray:
        """Share of the bound in the two outermost blocks, whose weights are bounded loosely."""
        total = self.mass[:, -1]
        tail = self.mass[:, 0] + (total - self.mass[:, -2])
        return np.divide(tail, total, out=np.zeros_like(total), where=total > 0)

    def take(self, rows: IntArray) -> Envelope:
        """The envelopes of some problems."""
        return Envelope(
            self.interval[rows],
            self.edge[rows],
            self.log_bound[rows],
            self.mass[rows],
            self.nearest[rows],
        )


def _nearest_distance(ladder: Climbable, problems: Problems) -> FloatArray:
    """Distance in ranks from the target to the nearest interval of positive width."""
    first, last = problems.first[:, None], problems.last[:, None]
    centre = ladder.first_from(problems.target)[:, None]
    # only the two end intervals of a range can be empty once ties are compressed
    near = np.clip(centre + np.arange(-2, 2), first, last).astype(np.int64)
    edge = ladder.edge_below(problems, np.concatenate((near, near + 1), axis=1))
    width = edge[:, near.shape[1] :] - edge[:, : near.shape[1]]
    distance = np.abs(ladder.rank(near) - problems.target[:, None])
    found = np.where(width > 0, distance, np.inf).min(axis=1)
    return np.where(np.isfinite(found), found, 0.0)
