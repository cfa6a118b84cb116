"""Stand-ins: made-up columns of a named shape and a public size, to plan a release without data.

An ε that was read off confidential records is itself about these records. So the budget is chosen
on a stand-in instead: a similar shape, and a public guess of how many people there are. Errors
counted in ranks depend little on the shape, and mostly on ε times the number of people.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.checks import checked_whole, found, wanted
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.measure import Mechanisms
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import LARGEST_GAP
from dpviz.experiments.planning.smallest_epsilon import smallest_size

STAND_IN_SEED = 8  # of the stand-ins that stored answers and lessons are about
MOST_PEOPLE = 5_000_000  # a column of 40 MB


@dataclass(frozen=True, slots=True)
class Shape:
    """A named law of values, with the bounds and the resolution that it comes with.

    says describes it to people; draw turns a generator and n into n values in its own unit.
    """

    key: str
    title: str
    says: str
    bounds: Bounds
    resolution: float
    draw: Callable[[np.random.Generator, int], FloatArray]


def _pay(rng: np.random.Generator, n: int) -> FloatArray:
    drawn: FloatArray = 100 * np.rint(rng.lognormal(np.log(45_000), 0.5, n) / 100)
    return drawn


def _marks(rng: np.random.Generator, n: int) -> FloatArray:
    """Rounded marks; most of those just below the pass mark of 50 are lifted to it."""
    marks: FloatArray = np.rint(rng.normal(60, 18, n)).clip(0, 100)
    lifted = (marks >= 47) & (marks < 50) & (rng.random(n) < 0.75)
    return np.where(lifted, 50.0, marks)


def _spending(rng: np.random.Generator, n: int) -> FloatArray:
    spent = np.rint(rng.lognormal(np.log(60), 1.0, n))
    return np.where(rng.random(n) < 0.3, 0.0, spent)


def _stars(rng: np.random.Generator, n: int) -> FloatArray:
    drawn: FloatArray = rng.choice(np.arange(1.0, 6.0), n, p=(0.06, 0.09, 0.2, 0.37, 0.28))
    return drawn


SHAPES: tuple[Shape, ...] = (
    Shape("log-normal", "Pay", "most in the middle, a long tail", Bounds(0, 500_000), 100.0, _pay),
    Shape(
        "normal",
        "Measurements",
        "a bell",
        Bounds(0, 100),
        0.0,
        lambda rng, n: rng.normal(50, 12, n),
    ),
    Shape(
        "exam", "Marks with a heap", "a heap at the pass mark of 50", Bounds(0, 100), 1.0, _marks
    ),
    Shape(
        "uniform",
        "Anything alike",
        "every value as likely as any other",
        Bounds(0, 100),
        0.0,
        lambda rng, n: rng.uniform(0, 100, n),
    ),
    Shape("zeros", "Spending", "nearly a third at 0, a long tail", Bounds(0, 5000), 1.0, _spending),
    Shape("stars", "Stars", "five values only", Bounds(1, 5), 1.0, _stars),
)


def shape_of(key: str) -> Shape:
    """A shape by its key. Raises: InvalidParameter that lists the keys there are."""
    wanted(str, key, "shape", InvalidParameter)
    for one in SHAPES:
        if one.key == key:
            return one
    listed = ", ".join(one.key for one in SHAPES)
    raise InvalidParameter(f"There is no stand-in {found(key)}. Choose one of {listed}.")


def stand_in(
    shape: str,
    n: int,
    rng: np.random.Generator,
    bounds: Bounds | None = None,
    resolution: float | None = None,
) -> Column:
    """A made-up column of n people.

    With bounds the shape is stretched from its own bounds to these, as a visitor declared them for
    a file; resolution is then the declared one, and values are rounded to it.
    Nothing of it is confidential: no record stands behind it.
    Raises: InvalidParameter for an unknown shape or an n that is not 1 to 5,000,000.
    """
    law, count = shape_of(shape), checked_whole(n, "n", 1, MOST_PEOPLE)
    values = law.draw(rng, count)
    if bounds is None:
        return Column.from_values(values, law.bounds, law.resolution)
    share = (values - law.bounds.low) / law.bounds.width
    stretched = bounds.low + share * bounds.width
    spacing = resolution or 0.0
    if spacing > 0:
        stretched = spacing * np.rint(stretched / spacing)
    return Column.from_values(stretched, bounds, spacing)


def smallest_on_stand_in(
    column: Column,
    mechanisms: Mechanisms,
    quantiles: QuantileSet,
    percent: float,
    rng: np.random.Generator,
    probability: float = 0.95,
    runs: int = 200,
) -> Experiment:
    """The search for the smallest ε at which no quantile misses by more than percent of the people.

    Raises: InvalidParameter as smallest_size does.
    """
    return smallest_size(
        column,
        mechanisms,
        quantiles,
        PureDP(1.0),
        percent / 100 * column.n,
        LARGEST_GAP,
        probability,
        runs,
        rng,
    )
