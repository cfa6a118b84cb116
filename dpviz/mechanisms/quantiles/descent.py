"""Walking down the recursion of ApproximateQuantiles, all runs and all nodes of a level at once."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.confidential import confidential
from dpviz.core.releases import Recursion
from dpviz.mechanisms.exponential.ladder import Climbable, Problems
from dpviz.mechanisms.exponential.one_quantile import Density, density_of, sample
from dpviz.mechanisms.exponential.ties import on_fine_grid
from dpviz.mechanisms.exponential.treated_ladders import Climbs
from dpviz.mechanisms.quantiles.recursion import Level, Plan


@confidential()
@dataclass(frozen=True, eq=False)
class Run:
    """What several runs of the recursion drew, and on which records: confidential.

    etas is empty where something else than exponential mechanisms draws.
    Shapes: values (runs, m+2) with the public ends at 0 and m+1; above (runs, m+2) and below
    (runs, m+2) are the first ladder interval above and the last one below each value.
    """

    ladder: Climbable
    plan: Plan
    etas: tuple[FloatArray, ...]
    values: FloatArray
    above: IntArray
    below: IntArray

    def problems(self, level: int) -> Problems:
        """The sub-problems of one level (root is 0), runs × nodes, flattened."""
        nodes = self.plan.levels[level]
        first, last = self.above[:, nodes.left], self.below[:, nodes.right]
        before = self.ladder.rank(first)
        return Problems(
            first.ravel(),
            last.ravel(),
            self.values[:, nodes.left].ravel(),
            self.values[:, nodes.right].ravel(),
            (before + nodes.normalised * (self.ladder.rank(last) - before)).ravel(),
            np.broadcast_to(self.etas[level] if self.etas else 0.0, first.shape).ravel(),
        )

    def sizes(self, level: int) -> FloatArray:
        """Records in each sub-problem of one level, (runs · nodes,)."""
        problems = self.problems(level)
        return self.ladder.rank(problems.last) - self.ladder.rank(problems.first)

    def density(self, level: int, node: int) -> Density:
        """The exact output density of one node of the first run."""
        return density_of(self.ladder, self.problems(level).take(slice(node, node + 1)))

    def public_part(self, resolution: float) -> Recursion:
        """Ranges, normalised quantiles and values of the first run: functions of its outputs."""
        low, high = self.values[0, [0, -1]]  # the public ends
        values = on_fine_grid(self.values[0], Bounds(low, high), resolution)
        return self.plan.public_part(values)


def descend(
    climbs: Climbs,
    bounds: Bounds,
    steps: Plan,
    etas: tuple[FloatArray, ...],
    rng: np.random.Generator,
) -> Run:
    """Draw every quantile of every run; each level spends its share once.

    Shapes: etas one (nodes,) a level.
    """
    run = started(climbs, bounds, steps, etas)
    for depth, nodes in enumerate(steps.levels):
        problems = run.problems(depth)
        drawn, interval = sample(climbs.ladder, problems, rng)  # spends the level's budget
        cut(run, nodes, problems, drawn, interval)
    return run


def started(climbs: Climbs, bounds: Bounds, steps: Plan, etas: tuple[FloatArray, ...] = ()) -> Run:
    """Runs that have drawn nothing yet: they know the public ends alone."""
    shape = (climbs.first.size, steps.m + 2)
    run = Run(
        climbs.ladder,
        steps,
        etas,
        values=np.empty(shape),
        above=np.empty(shape, dtype=np.int64),
        below=np.empty(shape, dtype=np.int64),
    )
    run.values[:, 0], run.values[:, -1] = bounds.low, bounds.high
    run.above[:, 0], run.below[:, -1] = climbs.first, climbs.last
    return run


def cut(run: Run, nodes: Level, problems: Problems, drawn: FloatArray, interval: IntArray) -> None:
    """Send x < v left and x > v right; a record that equals v goes to neither side."""
    shape = (run.values.shape[0], nodes.position.size)
    below, above = run.ladder.beside(problems, drawn, interval)
    run.values[:, nodes.position] = drawn.reshape(shape)
    run.below[:, nodes.position] = below.reshape(shape)
    run.above[:, nodes.position] = above.reshape(shape)
