"""The smallest ε for a wanted accuracy, on a stand-in and on the real salaries; found beforehand.

python -m dpviz.lessons.needs writes the table again; a test searches some of it anew and compares.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED, smallest_on_stand_in, stand_in
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.intake.samples import sample_column, samples
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.metrics.quantiles import gaps
from dpviz.version import __version__

SALARIES, STAND_IN = "salaries", "log-normal 15000"
TARGETS = (0.2, 0.5, 1.0, 2.0, 5.0)  # per cent of the records
SURE, RUNS, SEED = 0.95, 5_000, 1
MECHANISM = ApproximateQuantiles(round_to_grid=True)
ONE_BY_ONE = "percentiles, one by one"
SIZES = tuple(float(f"{size:.3g}") for size in np.geomspace(0.01, 2.0, 47))  # of the drawn curves
ASKED = (
    *((source, "deciles", target) for source in (STAND_IN, SALARIES) for target in TARGETS),
    *((source, question, 1.0) for source in (STAND_IN, SALARIES)
      for question in ("median", "quartiles", "percentiles")),
    (SALARIES, ONE_BY_ONE, 1.0),
    *((source, "deciles", 1.0) for source in ("log-normal 1500", "log-normal 150000", "exam")),
)  # fmt: skip
TABLE = Path(__file__).with_name("needs.json")


@dataclass(frozen=True, slots=True)
class Need:
    """The smallest ε that meets a target in 19 of 20 releases, and an interval for it.

    A median's follows from its exact law: the interval is one point.
    """

    epsilon: float
    low: float
    high: float


def column(source: str) -> Column:
    """A sample by its key, or a stand-in by its shape and the number of its people."""
    if source in {one.key for one in samples()}:
        return sample_column(source)
    shape, people = source.split()
    return stand_in(shape, int(people), np.random.default_rng(STAND_IN_SEED))


def searched(source: str, question: str, target: float) -> Need:
    """The answer from scratch: a median's by its law, that of more numbers by 5,000 runs."""
    held = column(source)
    if question == "median":
        found = float(f"{by_law(held, target):.4g}")
        return Need(found, found, found)
    mechanism = IndependentExp(round_to_grid=True) if question == ONE_BY_ONE else MECHANISM
    asked = QuantileSet.of(QUESTIONS[question.partition(",")[0]])
    rng = np.random.default_rng(SEED)
    search = smallest_on_stand_in(held, {mechanism.name: mechanism}, asked, target, rng, SURE, RUNS)
    rows = run_all(search)
    (answer,) = rows[rows["kind"] == "answer"].to_dict("records")
    return Need(*(float(f"{answer[name]:.4g}") for name in ("size", "low", "high")))


def by_law(held: Column, target: float) -> float:
    """The ε at which 19 of 20 medians are within target per cent of the records, by bisection."""
    low, high = 1e-3, 10.0
    while high / low > 1 + 1e-5:
        middle = (low * high) ** 0.5
        low, high = (low, middle) if median_within(held, target, middle) >= SURE else (middle, high)
    return high


def median_within(held: Column, target: float, epsilon: float) -> float:
    """The chance that a private median on its grid is within target per cent of the records."""
    step = held.resolution
    low, high = held.bounds.low, held.bounds.high
    grid = low + step * np.arange(round((high - low) / step) + 1)
    near = grid[gaps(held, [0.5], grid[:, None])[:, 0] <= target / 100 * held.n]
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    law = query.law(held, PureDP(epsilon), np.random.default_rng(SEED))
    upto, below = law.up_to([near[-1] + step / 2, near[0] - step / 2])
    return float(upto - below)


def met(source: str, epsilon: float) -> list[int]:
    """How many of RUNS releases of the deciles meet each of TARGETS; the same draws at every ε."""
    held, deciles = column(source), QuantileSet.of(QUESTIONS["deciles"])
    # the generator that a search hands to what it tries, so that both cross the target alike
    (cell,) = np.random.default_rng(SEED).spawn(1)
    rng, _ = cell.spawn(2)
    drawn = MECHANISM.release_many(held, deciles, PureDP(epsilon), rng, RUNS)
    worst = 100 * gaps(held, deciles, drawn).max(axis=1) / held.n
    return [int(np.count_nonzero(worst <= target)) for target in TARGETS]


@cache
def _table() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found


def need(source: str, question: str, target: float) -> Need:
    """The stored answer. Raises: KeyError where none is stored."""
    return Need(*_table()["needs"][_key(source, question, target)])


def curve(target: float) -> FloatArray:
    """How many of 100 releases of the stand-in meet a target, at each of SIZES."""
    place = TARGETS.index(target)
    return np.array([100 * row[place] / RUNS for row in _table()["met"]])


def _key(source: str, question: str, target: float) -> str:
    return f"{source}/{question}/{target:g}"


def write() -> None:
    """Search everything and write the table."""
    found = {_key(*asked): searched(*asked) for asked in ASKED}
    lines = {key: [one.epsilon, one.low, one.high] for key, one in found.items()}
    rates = [met(STAND_IN, size) for size in SIZES]
    text = json.dumps({"dpviz": __version__, "needs": lines, "met": rates})
    text = text.replace("], ", "],\n")
    TABLE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
