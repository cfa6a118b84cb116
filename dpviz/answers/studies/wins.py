"""Which method wins where: clear wins counted, and the place nearest to one's own."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpviz.core.confidential import confidential


@confidential("budget", "people", "quantiles", "symbol", "metric")
@dataclass(frozen=True, slots=True, eq=False)
class WinsQuestion:
    """Places as planning.winners gives them, one at least, and the visitor's own one."""

    places: pd.DataFrame
    budget: float
    people: float
    quantiles: int
    symbol: str
    metric: str


@confidential("budget", "people", "quantiles")
@dataclass(frozen=True, slots=True)
class WonPlace:
    """Who errs least at one place, by how much, and who comes next; second is empty alone.

    ratio is how many times the winner's error the second's is, ∞ beside an error of nothing;
    is_clear: by more than noise explains.
    """

    budget: float
    people: float
    quantiles: int
    winner: str
    error: float
    second: str
    ratio: float
    is_clear: bool


@confidential("budgets", "people", "quantiles", "panel", "symbol", "metric")
@dataclass(frozen=True, slots=True, eq=False)
class WinsNumbers:
    """All places, and of each method that wins clearly how often, the most frequent one first.

    here is the place nearest to one's own, in logarithms; panel its number of quantiles, and
    budgets, people and quantiles are the axes.
    """

    places: tuple[WonPlace, ...]
    wins: tuple[tuple[str, int], ...]
    unsure: int
    here: WonPlace
    panel: int
    budgets: tuple[float, ...]
    people: tuple[float, ...]
    quantiles: tuple[int, ...]
    symbol: str
    metric: str


def answer(asked: WinsQuestion) -> WinsNumbers:
    """As far as the places go."""
    places = tuple(_place(row) for row in asked.places.to_dict("records"))
    wins = Counter(one.winner for one in places if one.is_clear).most_common()
    quantiles = tuple(sorted({one.quantiles for one in places}))
    own = (asked.budget, asked.people, asked.quantiles)
    return WinsNumbers(
        places=places,
        wins=tuple(wins),
        unsure=sum(not one.is_clear for one in places),
        here=min(places, key=lambda one: _away((one.budget, one.people, one.quantiles), own)),
        panel=min(quantiles, key=lambda m: _away((m,), (asked.quantiles,))),
        budgets=tuple(sorted({one.budget for one in places})),
        people=tuple(sorted({one.people for one in places})),
        quantiles=quantiles,
        symbol=asked.symbol,
        metric=asked.metric,
    )


def _place(row: Mapping[Hashable, Any]) -> WonPlace:
    return WonPlace(
        budget=float(row["size"]),
        people=float(row["n"]),
        quantiles=int(row["m"]),
        winner=str(row["winner"]),
        error=float(row["mean"]),
        second=str(row["second"]),
        ratio=float(row["ratio"]),
        is_clear=bool(row["clear"]),
    )


def _away(one: Sequence[float], other: Sequence[float]) -> float:
    """How far apart two places are, in squared logarithms."""
    return sum(math.log(a / b) ** 2 for a, b in zip(one, other, strict=True))
