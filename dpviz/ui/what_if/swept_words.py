"""What a sweep found, in one sentence."""

from __future__ import annotations

import pandas as pd

from dpviz.experiments.planning.sweeps import Axis
from dpviz.ui.kit.number_text import significant
from dpviz.ui.what_if import words

NAMES = {
    Axis.BUDGET: "budget",
    Axis.QUANTILES: "number of quantiles",
    Axis.RECORDS: "number of people",
    Axis.HEIGHT: "height of the tree",
    Axis.FANOUT: "fanout of the tree",
}
LEAST_FELT = 0.5  # people
PEOPLE, SHARE = "records", "% of people"  # the first as links have always said it


def finding(rows: pd.DataFrame, axis: Axis, unit: str, symbol: str) -> str:
    """The best method at both ends, or the best shape of a tree; empty without an error to tell."""
    known = rows[rows["mean"] > 0]
    if known.empty:
        return ""
    if axis in {Axis.HEIGHT, Axis.FANOUT}:
        trees = known[known["mechanism"] == "AggTree"]
        best = (trees if len(trees) else known).sort_values("mean").iloc[0]
        off = _off(best["mean"], unit)
        return f"A noisy tree comes closest with {axis.value} {best['x']:g}: off by {off}."
    # the best where errors are still a person or more: below that nobody is missed
    felt = known[known["mean"] >= (LEAST_FELT if unit != SHARE else 100 * LEAST_FELT / known["n"])]
    felt = felt if len(felt) else known
    last = felt[felt["x"] == _told_at(felt)].sort_values("mean")
    key = str(last.iloc[0]["mechanism"])
    line = felt[felt["mechanism"] == key].sort_values("x")
    first, end = line.iloc[0], line.iloc[-1]
    name = words.method(key).name
    name = f"{name[0].upper()}{name[1:]}"
    ends = _off(first["mean"], unit), _off(end["mean"], unit)
    at = _place(first["x"], axis, symbol), _place(end["x"], axis, symbol)
    return f"{name} is off by {ends[0]} {at[0]}, by {ends[1]} {at[1]}."


def _told_at(felt: pd.DataFrame) -> float:
    """The last place where most methods still miss somebody."""
    counts = felt.groupby("x")["mechanism"].nunique()
    return float(counts[counts >= 0.75 * counts.max()].index.max())


def _off(mean: float, unit: str) -> str:
    number = significant(float(mean), 2)
    return f"{number} %" if unit == SHARE else f"{number} people"


def _place(x: float, axis: Axis, symbol: str) -> str:
    if axis is Axis.BUDGET:
        return f"at {symbol} = {x:g}"
    noun = "person" if axis is Axis.RECORDS else "quantile"
    many = "people" if axis is Axis.RECORDS else "quantiles"
    return f"with {x:,.0f} {noun if x == 1 else many}"
