"""The exact search: the smallest budget of each method with its interval, and a fresh check."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.experiments.planning.answers import round_up


@confidential("methods", "percent", "probability", "symbol")
@dataclass(frozen=True, slots=True, eq=False)
class SearchQuestion:
    """Rows of planning.smallest_epsilon, what was searched for, and how many seconds it took.

    percent is the target.
    """

    rows: pd.DataFrame
    methods: tuple[str, ...]
    percent: float
    probability: float
    symbol: str
    seconds: float = 0.0


@confidential("key")
@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """Shares of releases in per cent that reached the target at the budgets tried, (k,) each.

    low and high are Clopper and Pearson's intervals.
    """

    key: str
    budgets: FloatArray
    rates: FloatArray
    low: FloatArray
    high: FloatArray


@confidential("key")
@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The smallest budget of one method between low and high, ∞ where none was enough.

    said is the budget rounded up, to as many digits as stay inside the interval. rate is the share
    of so many fresh runs that reached the target at the upper end, at_least what that proves.
    """

    key: str
    size: float
    low: float
    high: float
    said: float
    rate: float
    at_least: float
    runs: int

    @property
    def is_found(self) -> bool:
        """Whether some budget was enough."""
        return math.isfinite(self.size)

    @property
    def is_enclosed(self) -> bool:
        """Whether the search has both ends of the interval."""
        return self.low > 0 and self.is_found and math.isfinite(self.high)


@confidential("percent", "probability", "symbol")
@dataclass(frozen=True, slots=True, eq=False)
class SearchNumbers:
    """Answers, the thriftiest first, those without one last; and what was tried of each method."""

    answers: tuple[SearchAnswer, ...]
    tried: tuple[Tried, ...]
    percent: float
    probability: float
    symbol: str
    seconds: float


def answer(asked: SearchQuestion) -> SearchNumbers:
    """As far as the rows go; methods without rows are left out."""
    rows = asked.rows
    there = [key for key in asked.methods if len(rows) and key in set(rows["mechanism"])]
    tried = tuple(_tried(key, _of(rows, key, "tried")) for key in there)
    answers = [_answer(key, row) for key in there for _, row in _of(rows, key, "answer").iterrows()]
    return SearchNumbers(
        answers=tuple(sorted(answers, key=lambda one: one.size)),
        tried=tried,
        percent=asked.percent,
        probability=asked.probability,
        symbol=asked.symbol,
        seconds=asked.seconds,
    )


def _of(rows: pd.DataFrame, key: str, kind: str) -> pd.DataFrame:
    return rows[(rows["mechanism"] == key) & (rows["kind"] == kind)].sort_values("size")


def _tried(key: str, rows: pd.DataFrame) -> Tried:
    columns = ("rate", "rate_low", "rate_high")
    shares = (100 * rows[name].to_numpy(np.float64) for name in columns)
    return Tried(key, rows["size"].to_numpy(np.float64), *shares)


def _answer(key: str, row: pd.Series[Any]) -> SearchAnswer:
    size, high = float(row["size"]), float(row["high"])
    return SearchAnswer(
        key=key,
        size=size,
        low=float(row["low"]),
        high=high,
        said=_said(size, high),
        rate=float(row["rate"]),
        at_least=float(row["rate_low"]),
        runs=int(row["runs"]),
    )


def _said(size: float, high: float) -> float:
    """A budget rounded up to two digits, or to three where two would leave the interval."""
    if not math.isfinite(size):
        return size
    two = round_up(size)
    return two if two <= high else round_up(size, 3)
