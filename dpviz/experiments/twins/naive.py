"""A count and a quantile as one writes them with NumPy: private in real arithmetic alone.

Which doubles such a sampler can return at all is the test of Mironov 2012, made exact. A double
that one data set can give and its neighbour cannot tells the two apart with certainty, whatever ε
the real-number law has. That test draws nothing.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.privacy.single_queries import Query

ALONE, REPLACED = 0.3, 0.8  # of the bounds: where the record of a column of one lies
UNIT = 2.0**-53  # step of a uniform double of NumPy
# Where neighbouring candidates lie an eighth of a unit in the last place apart or less, the one
# that is nearest rounds to the output; else at most four on each side can, and the estimate of
# where they lie is wrong by less than two.
AROUND = 8


@dataclass(frozen=True, slots=True)
class NaiveCount:
    """count + rng.laplace(scale=…): ε-DP for real numbers, and for no ε at all in doubles.

    Source: Mironov 2012.
    """

    query: CountQuery

    def scale(self, budget: Budget) -> float:
        """The scale of Laplace noise; of (ε, δ) it keeps the ε alone."""
        pure = PureDP(budget.epsilon) if isinstance(budget, ApproxDP) else budget
        return CountQuery(self.query.threshold, Noise.LAPLACE, self.query.above).scale(pure)

    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Independent outputs (runs,)."""
        noise: FloatArray = rng.laplace(0.0, self.scale(budget), runs)
        return self.query.truth(column) + noise

    def attained(self, pair: Pair, budget: Budget, delta: float) -> float:  # noqa: ARG002  Laplace
        """The smallest ε of this pair for real numbers; what doubles lose is not in it."""
        moved = self.query.truth(pair.one) != self.query.truth(pair.other)
        return 1 / self.scale(budget) if moved else 0.0

    def reaches(self, column: Column, budget: Budget, outputs: FloatArray) -> BoolArray:
        """Whether each output can come from this column."""
        return laplace_reaches(outputs, self.query.truth(column), self.scale(budget))


@dataclass(frozen=True, slots=True)
class NaiveQuantile:
    """The exponential mechanism as it is usually written: an interval by its mass, a place inside.

    The place is low + (high − low) · rng.random(), so that the last bits of an output depend on
    the records at the interval's ends. ε-DP for real numbers, and for no ε in doubles.
    Source: Smith 2011, Algorithm 2, in doubles; Mironov 2012 for the attack.
    """

    query: QuantileQuery

    def release_many(
        self, column: Column, budget: Budget, rng: np.random.Generator, runs: int
    ) -> FloatArray:
        """Independent outputs (runs,)."""
        edges, mass = self._intervals(column, budget)
        running = np.cumsum(mass)
        wanted = rng.random(runs) * running[-1]
        at = np.minimum(np.searchsorted(running, wanted, side="right"), mass.size - 1)
        low, high = edges[at], edges[at + 1]
        inside: FloatArray = np.minimum(low + (high - low) * rng.random(runs), high)
        return inside

    def attained(self, pair: Pair, budget: Budget, delta: float) -> float:
        """The smallest ε of this pair for real numbers; what doubles lose is not in it."""
        return self.query.attained(pair, budget, delta)

    def reaches(self, column: Column, budget: Budget, outputs: FloatArray) -> BoolArray:
        """Whether each output can come from this column.

        An output on a record is tried from the intervals on either side of it. Every interval
        counts as one that can be drawn, so that "cannot" is on the safe side.
        """
        edges, _ = self._intervals(column, budget)
        above = np.clip(np.searchsorted(edges, outputs, side="right") - 1, 0, edges.size - 2)
        below = np.clip(np.searchsorted(edges, outputs, side="left") - 1, 0, edges.size - 2)
        return uniform_reaches(outputs, edges[above], edges[above + 1]) | uniform_reaches(
            outputs, edges[below], edges[below + 1]
        )

    def _intervals(self, column: Column, budget: Budget) -> tuple[FloatArray, FloatArray]:
        """Edges (d + 1,) of the intervals that have a width, and the mass of each (d,)."""
        density = self.query.density(column, budget)
        wide = np.diff(density.edges) > 0
        edges = np.append(density.edges[:-1][wide], density.edges[-1])
        return edges, np.exp(density.log_density[wide]) * np.diff(density.edges)[wide]


Naive = NaiveCount | NaiveQuantile


def naive(query: Query) -> Naive:
    """The naive twin of a query."""
    return NaiveCount(query) if isinstance(query, CountQuery) else NaiveQuantile(query)


def lone_pair(bounds: Bounds, relation: Neighbours) -> Pair:
    """One record, and none, or another in its place: there the last bits of a quantile tell most.

    Nothing is data.
    """
    one = bounds.low + ALONE * bounds.width
    added = None if relation is Neighbours.ADD_REMOVE else bounds.low + REPLACED * bounds.width
    other = [] if added is None else [added]
    return Pair(Column.from_values([one], bounds), Column.from_values(other, bounds), one, added)


def reaches(query: Query | Naive, column: Column, budget: Budget, outputs: FloatArray) -> BoolArray:
    """Whether each output can come from this column; of an exact query its data do not matter."""
    if isinstance(query, (NaiveCount, NaiveQuantile)):
        return query.reaches(column, budget, outputs)
    return (
        whole_reaches(outputs) if isinstance(query, CountQuery) else grid_reaches(outputs, column)
    )


def only_from(
    query: Query | Naive, columns: tuple[Column, Column], budget: Budget, outputs: FloatArray
) -> FloatArray:
    """1 where an output can come from the first column alone, −1 from the second alone, else 0."""
    first, second = (reaches(query, column, budget, outputs) for column in columns)
    return first.astype(np.float64) - second


def laplace_reaches(outputs: FloatArray, centre: float, scale: float) -> BoolArray:
    """Whether centre + rng.laplace(0, scale) can round to each output, elementwise.

    NumPy takes the logarithm of 2u below a uniform double u of ½ and of 2 − u − u from there on,
    and so does this, around the u that an output would need. A logarithm that is wrong by a unit
    in the last place is allowed for, so that "cannot" holds with every C library that is as good.
    Shapes: outputs and result (r,). Units: those of centre.
    Source: Mironov 2012, §4, for the sampler of NumPy's Generator.laplace.
    """
    noise = outputs - centre
    above = noise > 0
    share = np.exp(-np.abs(noise) / scale) / 2
    near = np.rint(np.where(above, 1 - share, share) / UNIT)
    reached = outputs == centre  # u = ½
    for step in range(-AROUND, AROUND + 1):
        uniform = (near + step) * UNIT
        inside = (uniform > 0) & (uniform < 1) & ((uniform >= 0.5) == above)
        drawn = np.where(inside, uniform, 0.5)
        log = np.log(np.where(above, 2.0 - drawn - drawn, drawn + drawn))
        for value in (log, np.nextafter(log, -np.inf), np.nextafter(log, 0.0)):
            moved = scale * value
            reached |= inside & (np.where(above, centre - moved, centre + moved) == outputs)
    return np.asarray(reached)


def uniform_reaches(outputs: FloatArray, low: FloatArray, high: FloatArray) -> BoolArray:
    """Whether low + (high − low) · u can round to each output, u a uniform double of NumPy.

    Exact: products and sums of doubles are the same on every machine. What rounds beyond high is
    put on high, so that high counts as reached.
    Shapes: outputs, low, high and result (r,). An interval of no width reaches its end alone.
    Source: after Mironov 2012, for a value drawn inside an interval.
    """
    width = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.where(width > 0, np.rint((outputs - low) / width / UNIT), 0.0)
    reached = outputs == high  # where a sum that rounds beyond it is put
    for step in range(-AROUND, AROUND + 1):
        candidate = near + step
        inside = (candidate >= 0) & (candidate < 1 / UNIT)
        reached |= inside & (low + width * (candidate * UNIT) == outputs)
    return np.asarray(reached)


def whole_reaches(outputs: FloatArray) -> BoolArray:
    """Whether a count with noise on all whole numbers can be each output, whatever the count is."""
    return np.asarray(outputs == np.rint(outputs))


def grid_reaches(outputs: FloatArray, column: Column) -> BoolArray:
    """Whether an exact quantile can be each output: it can be every cell of the public grid."""
    grid = column.grid
    cell = grid.cell(outputs)  # the double that stands for a cell may lie a rounding below it
    near = [np.clip(cell + step, 0, grid.cells - 1) for step in (-1, 0, 1)]
    return np.asarray(np.any([grid.printed(one) == outputs for one in near], axis=0))
