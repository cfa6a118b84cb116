"""Error against one parameter: a line for each method, and which of them comes closest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz import catalogue
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.experiments.planning.sweeps import SHAPES, Axis

LEAST_FELT = 0.5  # people: where fewer are missed nobody is
MOST_METHODS = 0.75  # share of the methods that still miss somebody where the best one is told


@confidential("axis", "metric", "is_share", "symbol", "chosen", "places")
@dataclass(frozen=True, slots=True, eq=False)
class SweepQuestion:
    """Rows as engine.tally.summary gives them, and which of their errors are looked at.

    is_share asks for errors in per cent of the (sub)sample's people; symbol is the letter of the
    budgets that were swept, chosen the size in use, if it is one of those; places are where more
    rows are still to come.
    """

    rows: pd.DataFrame
    axis: Axis
    metric: str
    is_share: bool = False
    symbol: str = "ε"
    chosen: float | None = None
    places: Sequence[float] = ()


@confidential("key")
@dataclass(frozen=True, slots=True, eq=False)
class SweepLine:
    """One method's mean errors above nothing, at ascending places; all (k,).

    spreads are standard errors, 0 where there is none; people is the size of the (sub)sample.
    """

    key: str
    places: FloatArray
    means: FloatArray
    spreads: FloatArray
    runs: FloatArray
    people: FloatArray

    @property
    def bars(self) -> FloatArray:
        """Two standard errors, (k,)."""
        return 2 * self.spreads


@confidential("key")
@dataclass(frozen=True, slots=True)
class Ends:
    """How far off one method is at its first and its last place."""

    key: str
    first: float
    first_error: float
    last: float
    last_error: float


@confidential()
@dataclass(frozen=True, slots=True)
class BestShape:
    """The height or the fanout with which a noisy tree is off by the least, and by how much."""

    value: float
    error: float


@confidential("axis", "metric", "is_share", "symbol", "chosen")
@dataclass(frozen=True, slots=True, eq=False)
class SweepNumbers:
    """Lines in the order in which methods are named, and all places (k,) of the axis.

    ends are those of the method that is best at the last place where most methods miss somebody;
    shape is told of a tree where that is what moves. has_releases: some method could be run.
    """

    lines: tuple[SweepLine, ...]
    places: FloatArray
    ends: Ends | None
    shape: BestShape | None
    has_releases: bool
    axis: Axis
    metric: str
    is_share: bool
    symbol: str
    chosen: float | None

    @property
    def letter(self) -> str:
        """What stands before the first place: the letter of budgets, nothing for other axes."""
        return self.symbol if self.axis is Axis.BUDGET else ""


def answer(asked: SweepQuestion) -> SweepNumbers:
    """As far as the rows go."""
    rows = _of_metric(asked)
    offered, there = [kind.name for kind in catalogue.QUANTILES], set(rows["mechanism"])
    every = dict.fromkeys((*offered, *rows["mechanism"]))
    erring = rows[rows["mean"] > 0]
    found = (_line(key, erring[erring["mechanism"] == key]) for key in every if key in there)
    lines = tuple(line for line in found if line.places.size)
    is_shape = asked.axis in SHAPES
    return SweepNumbers(
        lines=lines,
        places=np.unique([*asked.places, *rows["x"]]).astype(np.float64),
        ends=None if is_shape or not lines else _ends(lines, is_share=asked.is_share),
        shape=_shape(lines) if is_shape else None,
        has_releases=bool((rows["runs"] > 0).any()),
        axis=asked.axis,
        metric=asked.metric,
        is_share=asked.is_share,
        symbol=asked.symbol,
        chosen=asked.chosen,
    )


def _of_metric(asked: SweepQuestion) -> pd.DataFrame:
    """The rows of one metric; in per cent of the people where that is wanted."""
    if asked.rows.empty:
        return pd.DataFrame(columns=["x", "mechanism", "n", "runs", "mean", "standard_error"])
    rows = asked.rows[asked.rows["metric"] == asked.metric]
    if not asked.is_share:
        return rows
    scale = 100 / np.maximum(rows["n"], 1)
    return rows.assign(mean=rows["mean"] * scale, standard_error=rows["standard_error"] * scale)


def _line(key: str, rows: pd.DataFrame) -> SweepLine:
    ordered = rows.sort_values("x")
    x, mean, error, runs, people = (
        ordered[name].to_numpy(np.float64) for name in ("x", "mean", "standard_error", "runs", "n")
    )
    return SweepLine(key, x, mean, np.nan_to_num(error), runs, people)


def _ends(lines: Sequence[SweepLine], *, is_share: bool) -> Ends:
    """Told where errors are still a person or more: below that nobody is missed."""
    felt = [kept for line in lines if (kept := _felt(line, is_share=is_share)).places.size]
    felt = felt or list(lines)
    places, counts = np.unique(np.concatenate([line.places for line in felt]), return_counts=True)
    told_at = float(places[counts >= MOST_METHODS * counts.max()][-1])
    best = min((line for line in felt if told_at in line.places), key=lambda one: _at(one, told_at))
    (first, last), (first_error, last_error) = best.places[[0, -1]], best.means[[0, -1]]
    return Ends(best.key, float(first), float(first_error), float(last), float(last_error))


def _felt(line: SweepLine, *, is_share: bool) -> SweepLine:
    """The places at which somebody is missed."""
    least = 100 * LEAST_FELT / line.people if is_share else np.full(line.people.size, LEAST_FELT)
    kept = line.means >= least
    columns = (line.places, line.means, line.spreads, line.runs, line.people)
    return SweepLine(line.key, *(column[kept] for column in columns))


def _at(line: SweepLine, place: float) -> float:
    return float(line.means[line.places == place][0])


def _shape(lines: Sequence[SweepLine]) -> BestShape | None:
    """The best tree; None where no method has one."""
    tree = next((line for line in lines if line.key in catalogue.shaped()), None)
    if tree is None:
        return None
    at = int(tree.means.argmin())
    return BestShape(float(tree.places[at]), float(tree.means[at]))
