"""Error against one parameter: ε or ρ, m, n, or the shape of the tree, on one's own column."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from dpviz.core.budgets import Budget
from dpviz.core.choices import with_choices
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidParameter
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.experiments.engine.measure import (
    Measure,
    Mechanisms,
    check_unless_large,
    measures,
    slow_last,
)
from dpviz.experiments.engine.plan import Experiment
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism


class Axis(StrEnum):
    """What a sweep moves; everything else stays as chosen."""

    BUDGET = "budget"
    QUANTILES = "m"
    RECORDS = "n"
    HEIGHT = "height"
    FANOUT = "fanout"


DEFAULTS: dict[Axis, tuple[float, ...]] = {
    Axis.BUDGET: (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
    Axis.QUANTILES: (1, 2, 4, 9, 15, 25, 35, 60, 90, 120),
    Axis.RECORDS: (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000),
    Axis.HEIGHT: (1, 2, 3, 4, 5, 6, 8, 10, 12, 14),
    Axis.FANOUT: (2, 3, 4, 6, 8, 10, 16, 24, 32),
}
SHAPES = {Axis.HEIGHT, Axis.FANOUT}  # named as the fields of a mechanism that has a tree
MOST_LEAVES = 2**17  # of a swept tree: many runs of more would take minutes


def axis_values(axis: Axis, column: Column, tree: AggTree, budget: Budget) -> tuple[float, ...]:
    """Default values of an axis that this column and tree can show."""
    values = DEFAULTS[axis]
    if axis is Axis.RECORDS:
        inside = tuple(value for value in values if value < column.n)
        return (*inside, float(column.n))
    if axis is Axis.HEIGHT:
        fanout = tree.fitted(column.bounds, column.resolution, budget).fanout
        assert fanout is not None
        return tuple(v for v in values if fanout ** int(v) <= MOST_LEAVES)
    if axis is Axis.FANOUT and tree.height is not None:
        return tuple(v for v in values if int(v) ** tree.height <= MOST_LEAVES)
    return values


def sweep(
    column: Column,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    budget: Budget,
    axis: Axis,
    values: Sequence[float],
    runs: int,
    rng: np.random.Generator,
) -> Experiment:
    """Cells whose rows have columns x, mechanism, n, metric and sums; confidential.

    n is the size of the (sub)sample, by which a relative error divides.
    Raises: InvalidParameter without values or mechanisms; whatever a mechanism's check refuses.
    """
    if not values or not mechanisms:
        raise InvalidParameter("A sweep needs at least one mechanism and one value.")
    by_value: list[list[Measure]] = []
    for value in values:
        size = int(value) if axis is Axis.RECORDS else None
        asked = quantiles
        if axis is Axis.QUANTILES:
            asked = QuantileSet.of(uniform_quantiles(int(value)))
        spent = budget.resized(value) if axis is Axis.BUDGET else budget
        moved = {label: _moved(one, axis, value) for label, one in mechanisms.items()}
        for label, one in moved.items():
            _checked(label, one, spent, asked)
        records = column.n if size is None else min(size, column.n)
        labels = {"x": float(value), "n": float(records)}
        by_value.append(measures(column, labels, moved, asked, spent, size, runs))
    return Experiment.of(column, slow_last(interleaved(by_value), column), rng)


def _moved(mechanism: QuantileMechanism, axis: Axis, value: float) -> QuantileMechanism:
    """The mechanism with another tree, if the axis is a field of its own."""
    return with_choices(mechanism, {axis.value: int(value)}) if axis in SHAPES else mechanism


def _checked(
    label: str, mechanism: QuantileMechanism, budget: Budget, quantiles: QuantileSet
) -> None:
    try:
        check_unless_large(mechanism, budget, quantiles)
    except DpvizError as error:
        raise type(error)(f"{label}: {error}") from None


def interleaved(by_value: Sequence[Sequence[Measure]]) -> list[Measure]:
    """First cells of all values first, so that a stopped sweep has something everywhere."""
    longest = max((len(cells) for cells in by_value), default=0)
    return [cells[part] for part in range(longest) for cells in by_value if part < len(cells)]
