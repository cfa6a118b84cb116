"""Rows of the studies turned into tables: what claims are tested on and sentences are made of."""

from __future__ import annotations

from typing import Any

import pandas as pd

Table = Any  # what the types of pandas allow to come out of a frame is too much to work with
MECHANISMS = ("ApproximateQuantiles", "JointExp", "IndependentExp", "AggTree")
PRIVATE_KD = ("kd-standard", "kd-hybrid", "kd-cell", "kd-noisymean")


def means(rows: pd.DataFrame, variant: str = "paper") -> Table:
    """Mean misses by (data, m), a column a mechanism, of the paper's own lines or of a variant."""
    return _gaps(rows, "mean", variant)


def errors(rows: pd.DataFrame) -> Table:
    """Standard errors by (data, m), a column a mechanism; 0 where one trial tells none."""
    return _gaps(rows.fillna({"standard_error": 0.0}), "standard_error")


def _gaps(rows: pd.DataFrame, value: str, variant: str = "paper") -> Table:
    own = rows[rows["variant"] == variant] if "variant" in rows else rows
    return own.pivot_table(index=["data", "m"], columns="mechanism", values=value).dropna()


def crossed(rows: pd.DataFrame, down: str, across: str, value: str) -> Table:
    """One number for each pair of two labels."""
    return rows.pivot_table(index=down, columns=across, values=value, sort=False)


def at_most(rows: pd.DataFrame) -> Table:
    """Mean seconds by mechanism, at the largest m."""
    return rows[rows["m"] == rows["m"].max()].set_index("mechanism")["mean"]


def shapes(rows: pd.DataFrame) -> list[str]:
    """The shapes of rectangles, small squares first."""
    return list(dict.fromkeys(rows["shape"]))


def lines(rows: pd.DataFrame, variant: str = "paper") -> pd.DataFrame:
    """The rows of one variant: the paper's own lines by default."""
    return rows[rows["variant"] == variant] if "variant" in rows else rows


def by_method(rows: pd.DataFrame, variant: str = "paper") -> Table:
    """Errors of rectangles by (shape, epsilon), a column a method."""
    return _errors(lines(rows, variant), "epsilon")


def by_height(rows: pd.DataFrame, variant: str = "paper") -> Table:
    """Errors of rectangles by (shape, height), a column a method."""
    return _errors(lines(rows, variant), "height")


def _errors(rows: pd.DataFrame, down: str) -> Table:
    return rows.pivot_table(index=["shape", down], columns="method", values="mean", sort=False)


def most_reliable(rows: pd.DataFrame) -> str:
    """The private kd-tree whose error, relative to the best of each case, is least at its worst."""
    found = by_method(rows)[[name for name in PRIVATE_KD if name in set(rows["method"])]]
    return str(found.div(found.min(axis=1), axis=0).max().idxmin())


def kept(rows: pd.DataFrame) -> Table:
    """Share of the raw squared error that each reading keeps, by level."""
    found = rows.pivot_table(index="level", columns="estimator", values="mse", aggfunc="mean")
    return found.div(found["raw"], axis=0)
