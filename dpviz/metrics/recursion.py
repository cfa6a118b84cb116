"""What lies behind each node of a recursion of ApproximateQuantiles: people, exact density."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.mechanisms.quantiles.descent import Run

POINTS = 81  # intervals of a density that are looked at; odd, so that the target is one
FAR = 7.0  # in units of 1/η: beyond, less than a thousandth of the peak


@confidential()
@dataclass(frozen=True, eq=False)
class Parts:
    """The parts that the nodes of one run were drawn from, in ascending order of their quantiles.

    Shapes: sizes (m,) people in each part; x (m, b) ascending and height (m, b), the outline of
    the exact output density in steps, relative to its peak. Confidential.
    """

    sizes: FloatArray
    x: FloatArray
    height: FloatArray


def parts_of(run: Run) -> Parts:
    """The parts of the first run, all nodes of a level at once."""
    sizes = np.empty(run.plan.m)
    x, height = (np.empty((run.plan.m, 2 * (POINTS + 4))) for _ in range(2))
    for level, nodes in enumerate(run.plan.levels):
        at = nodes.position - 1
        sizes[at] = run.sizes(level)[: at.size]
        x[at], height[at] = _outlines(run, level, at.size)
    return Parts(sizes, x, height)


def _outlines(run: Run, level: int, nodes: int) -> tuple[FloatArray, FloatArray]:
    problems = run.problems(level).take(slice(0, nodes))
    target, eta = problems.target[:, None], problems.eta[:, None]
    first, last = problems.first[:, None], problems.last[:, None]
    wanted = target + np.concatenate((np.linspace(-FAR, FAR, POINTS) / eta, _beside(eta)), axis=1)
    found = np.clip(run.ladder.first_from(wanted), first, last).astype(np.int64)
    interval = np.sort(np.concatenate((first, found, last), axis=1), axis=1)
    low = run.ladder.edge_below(problems, interval)
    high = run.ladder.edge_below(problems, interval + 1)
    distance = np.abs(run.ladder.rank(interval) - target)
    nearest = np.where(high > low, distance, np.inf).min(axis=1, keepdims=True)
    weight = np.exp(-eta * np.maximum(distance - np.where(nearest < np.inf, nearest, 0.0), 0.0))
    edges = np.stack((low, high), axis=-1).reshape(nodes, -1)
    # an interval that was found twice has no width the second time
    return np.maximum.accumulate(edges, axis=1), np.repeat(weight, 2, axis=1)


def _beside(eta: FloatArray) -> FloatArray:
    """One rank below the target and one above, for densities that fall within a rank."""
    return np.broadcast_to(np.array([-1.0, 1.0]), (eta.size, 2))
