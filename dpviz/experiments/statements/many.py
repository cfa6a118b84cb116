"""From how many quantiles on one private curve errs less than asking for each of them.

Asking shares the budget among the quantiles, so that its error grows with their number m; a curve
is bought once, and m readings of it are free. Both are measured on made-up columns, in shares of
the people, and the m at which they cross is read off.
Source: the question and the trade-off are those of Lalanne, Garivier and Gribonval 2023.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.experiments.planning.stand_ins import stand_in
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.metrics.quantiles import gaps

FILE = "many.json"
SHAPES = ("normal", "uniform", "log-normal")
PEOPLE = (1_000, 10_000, 100_000)
EPSILONS = (0.1, 1.0, 10.0)
COUNTS = (1, 2, 4, 9, 19, 39, 79, 159, 319, 639)
HALVING, TOGETHER, TREE, DENSITY = "halving", "together", "tree", "density"
ASKING, CURVES = (HALVING, TOGETHER), (TREE, DENSITY)
BINS = 128  # of the density: equal ones, straight lines between
RUNS, FEW = 400, 100  # releases at a place; fewer where they are slow
MOST_TOGETHER = 79  # quantiles of one joint draw: it takes m² steps
SEED = 37


def measured(shape: str, people: int, epsilon: float, rng: np.random.Generator) -> dict[str, Any]:
    """Mean errors by method, a list over COUNTS in shares of the people; None where not run."""
    column, budget = stand_in(shape, people, rng), PureDP(epsilon)
    found: dict[str, list[float | None]] = {name: [] for name in (*ASKING, *CURVES)}
    for count in COUNTS:
        asked = QuantileSet.of(uniform_quantiles(count))
        for name, errors in found.items():
            values = _values(name, column, asked, budget, rng)
            missed = None if values is None else gaps(column, asked, values).mean() / people
            errors.append(None if missed is None else float(f"{missed:.3g}"))
    return found


def _values(
    name: str, column: Column, asked: QuantileSet, budget: PureDP, rng: np.random.Generator
) -> FloatArray | None:
    """Releases of one method, (runs, m)."""
    if name == DENSITY:
        return density(column, asked, budget, RUNS, rng)
    if name == TOGETHER:
        if asked.asked.size > MOST_TOGETHER:
            return None
        return JointExp().release_many(column, asked, budget, rng, FEW)
    mechanism = AggTree() if name == TREE else ApproximateQuantiles()
    return mechanism.release_many(column, asked, budget, rng, RUNS)


def density(
    column: Column, asked: QuantileSet, budget: PureDP, runs: int, rng: np.random.Generator
) -> FloatArray:
    """Quantiles read off a noisy histogram with straight lines between its edges, (runs, m)."""
    histogram = Histogram(bins=BINS)
    edges = np.asarray(histogram.edges_within(column.bounds))
    drawn = np.array([histogram.release(column, budget, rng).counts for _ in range(runs)])
    heights = np.cumsum(np.maximum(drawn, 0.0), axis=1)
    heights = np.concatenate([np.zeros((runs, 1)), heights], axis=1)
    heights /= np.maximum(heights[:, -1:], 1e-9)
    return np.array([np.interp(asked.asked, one, edges) for one in heights])


@dataclass(frozen=True, slots=True)
class Place:
    """One shape, number of people and ε: mean errors in shares of the people over COUNTS.

    crosses is the m from which the better curve errs less than the better way of asking, by
    straight lines between the measured m in logarithms; 1 where it always does, ∞ where never.
    """

    shape: str
    people: int
    epsilon: float
    errors: Mapping[str, FloatArray]
    crosses: float


def best(errors: Mapping[str, FloatArray], names: tuple[str, ...]) -> FloatArray:
    """The least error of some methods at each m; a method that was not run counts as ∞."""
    found: FloatArray = np.nanmin(
        [np.where(np.isnan(errors[name]), np.inf, errors[name]) for name in names], axis=0
    )
    return found


def crossing(asking: FloatArray, curve: FloatArray) -> float:
    """The m from which the curve errs less, up to the largest m; both (len(COUNTS),)."""
    ahead = np.log(np.maximum(asking, 1e-12)) - np.log(np.maximum(curve, 1e-12))
    wins = ahead > 0
    if wins.all():
        return 1.0
    if not wins[-1]:
        return math.inf
    last = int(np.flatnonzero(~wins)[-1])
    low, high = np.log(COUNTS[last]), np.log(COUNTS[last + 1])
    share = -ahead[last] / (ahead[last + 1] - ahead[last])
    return float(np.exp(low + share * (high - low)))


@cache
def places() -> tuple[Place, ...]:
    """All stored places."""
    text = files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    found = []
    for row in json.loads(text)["places"]:
        errors = {name: np.array(row[name], dtype=np.float64) for name in (*ASKING, *CURVES)}
        crosses = crossing(best(errors, ASKING), best(errors, CURVES))
        found.append(Place(row["shape"], row["people"], row["epsilon"], errors, crosses))
    return tuple(found)


CRASHED = (800_000, 65_000.0, 200_000, Bounds(0, 500_000))  # equal ones, their value, others


def tied_column(rng: np.random.Generator) -> Column:
    """The column on which a library's median was reported to crash: 8 of 10 values are equal.

    Source: issue 107 of IBM's differential-privacy-library (2026).
    """
    equal, value, others, bounds = CRASHED
    values = np.concatenate([np.full(equal, value), rng.integers(0, 500_000, others)])
    return Column.from_values(values.astype(np.float64), bounds, resolution=1)


def smoothed_joint(
    column: Column, asked: QuantileSet, budget: PureDP, width: float, rng: np.random.Generator
) -> FloatArray:
    """HSJointExp: every value moved by up to ± width first, then drawn from the gaps, (m,).

    Source: Lalanne, Gastaud, Grislain, Garivier and Gribonval 2022.
    """
    moved = column.values + rng.uniform(-width, width, column.n)
    loose = Column.from_values(moved, column.bounds)
    return JointExp(ties=Ties.KEEP).release(loose, asked, budget, rng).values
