"""One private quantile by the exponential mechanism, and the exact law of its output."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.data.column import Column
from dpviz.core.point_grid import PointGrid
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.privacy.loss import Claim, Loss, Shape
from dpviz.experiments.privacy.neighbours import Change, Pair, spread_pair
from dpviz.experiments.privacy.quantile_law import QuantileLaw
from dpviz.mechanisms.exponential.ladder import Ladder, Problems
from dpviz.mechanisms.exponential.one_quantile import Density, density_of
from dpviz.mechanisms.exponential.ties import Ties, exponential_bounds, untied_values
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.metrics.quantiles import true_quantiles


@dataclass(frozen=True, slots=True)
class QuantileQuery:
    """One quantile: what ApproximateQuantiles, IndependentExp and JointExp all are for m = 1."""

    quantile: float
    neighbours: Neighbours

    @property
    def mechanism(self) -> ApproximateQuantiles:
        """The mechanism that answers."""
        return ApproximateQuantiles(self.neighbours)

    @property
    def mark(self) -> str:
        """The name that pictures have a colour for."""
        return self.mechanism.name

    def pair(self, column: Column, change: Change, rng: np.random.Generator) -> Pair:
        """Both columns as the mechanism sees them: ties spread, shared records alike."""
        return spread_pair(column, change, rng)

    def claim(self, budget: Budget, delta: float) -> Claim:  # noqa: ARG002  a pure ε in every notion
        """The ε of the single exponential mechanism: about √(8ρ) for a budget in ρ."""
        return Claim(self.mechanism.level_epsilon(budget, 1))

    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Independent outputs (runs,), each spending the whole budget."""
        return self.mechanism.release_many(column, [self.quantile], budget, rng, runs)[:, 0]

    def truth(self, column: Column) -> float:
        """The true quantile. Raises: InvalidData for an empty column."""
        return float(true_quantiles(column, [self.quantile])[0])

    def loss(self, pair: Pair, budget: Budget) -> Loss:
        """Both exact densities over the intervals between the records of either column."""
        one, other = (self.density(column, budget) for column in (pair.one, pair.other))
        edges, log_one = _cut(one, pair.added)
        _, log_other = _cut(other, pair.removed)
        wide = np.diff(edges) > 0  # intervals of no width carry no mass
        at = np.append(edges[:-1][wide], edges[-1])
        log_one, log_other = log_one[wide], log_other[wide]
        return Loss(Shape.STEPS, at, log_one, log_other, log_one - log_other)

    def moments(
        self, column: Column, budget: Budget, rng: np.random.Generator
    ) -> tuple[float, float]:
        """What averages of many outputs settle on, and one output's standard deviation.

        Exact for one way of spreading ties, for outputs as they are published: on a declared
        resolution as its steps.
        """
        density = self._spread_density(column, budget, rng)
        widths, mass = np.diff(density.edges), density.mass
        if not column.resolution:
            middles = density.edges[:-1] + widths / 2
            mean = float((mass * middles).sum() / mass.sum())
            variance = (mass * ((middles - mean) ** 2 + widths**2 / 12)).sum() / mass.sum()
            return mean, math.sqrt(variance)
        steps, share = _on_steps(column.grid, density.edges, mass)
        mean = float((share * steps).sum())
        return mean, math.sqrt(float((share * (steps - mean) ** 2).sum()))

    def law(self, column: Column, budget: Budget, rng: np.random.Generator) -> QuantileLaw:
        """How likely the output falls where before it goes to its step, exact as moments is.

        Confidential.
        """
        return QuantileLaw.of(self._spread_density(column, budget, rng))

    def attained(self, pair: Pair, budget: Budget, delta: float) -> float:  # noqa: ARG002  as claim
        """The smallest ε that holds for this pair of columns alone."""
        return self.loss(pair, budget).largest

    def _spread_density(self, column: Column, budget: Budget, rng: np.random.Generator) -> Density:
        """The density for one way of spreading ties."""
        bounds = exponential_bounds(column, Ties.SPREAD)
        treated = Column.from_values(untied_values(column, Ties.SPREAD, rng), bounds)
        return self.density(treated, budget)

    def density(self, column: Column, budget: Budget) -> Density:
        """The density of an output before it goes to its step. Confidential."""
        (etas,) = self.mechanism.etas(budget, plan(QuantileSet.of([self.quantile])))
        ends = np.array([0]), np.array([column.n])
        low, high = np.array([column.bounds.low]), np.array([column.bounds.high])
        target = np.array([self.quantile * column.n])
        return density_of(Ladder(column.values), Problems(*ends, low, high, target, etas))


def _on_steps(
    grid: PointGrid, edges: FloatArray, mass: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The steps that outputs are published on, and the share of each, for those with any.

    mass (d,) lies evenly between edges (d + 1,).
    """
    first, last = (int(cell) for cell in grid.cell([edges[0], edges[-1]]))
    steps = np.arange(first, last + 1)
    borders = grid.bounds.low + (np.arange(first, last + 2) - 0.5) * grid.resolution
    running = np.interp(borders, edges, np.concatenate(([0.0], np.cumsum(mass))))
    share = np.diff(running) / mass.sum()
    kept = share > 0
    return grid.printed(steps[kept]), share[kept]


def _cut(density: Density, at: float | None) -> tuple[FloatArray, FloatArray]:
    """The same density with the interval that holds a value cut in two there."""
    if at is None:
        return density.edges, density.log_density
    where = int(np.searchsorted(density.edges[1:-1], at))
    edges = np.insert(density.edges, where + 1, at)
    return edges, np.insert(density.log_density, where, density.log_density[where])
