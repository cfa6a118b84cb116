"""Rows of the studies turned into tables: what claims are tested on and sentences are made of."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.experiments.papers.medians import PRINTED

Table = Any  # what the types of pandas allow to come out of a frame is too much to work with
MECHANISMS = ("ApproximateQuantiles", "JointExp", "IndependentExp", "AggTree")
AQ = MECHANISMS[0]
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


def at_m(rows: pd.DataFrame, m: int) -> Table:
    """Means and standard errors at one m, a row a set, columns (value, variant, mechanism)."""
    own = rows[rows["m"] == m].fillna({"standard_error": 0.0})
    return own.pivot_table(
        index="data", columns=["variant", "mechanism"], values=["mean", "standard_error"]
    )


def ahead(means: Table, errors: Table, other: str) -> list[float]:
    """At which m another method misses less than halving on average over the sets.

    By more than two standard errors of the difference: less than that is chance.
    """
    apart = (means[AQ] - means[other]).groupby("m").mean()
    noise = (errors[AQ] ** 2 + errors[other] ** 2).groupby("m").agg(_of_mean)
    return list(apart.index[apart > 2 * noise])


def _of_mean(variances: Table) -> float:
    """The standard error of a mean of independent numbers with these variances."""
    return float(np.sqrt(variances.sum())) / len(variances)


def lead_change(
    means: Table, errors: Table, other: str, first: int, last: int
) -> tuple[float, float]:
    """How much the log of halving's lead grows from one m to another, and its standard error.

    Of the geometric mean of the sets in which both methods miss somebody at both m.
    """
    moved: list[Table] = []
    for m in (first, last):
        mean, error = means.xs(m, level="m"), errors.xs(m, level="m")
        known = mean[(mean[AQ] > 0) & (mean[other] > 0)]
        share = error.loc[known.index] / known
        log = np.log(known[other] / known[AQ])
        moved.append(pd.DataFrame({"log": log, "noise": share[other] ** 2 + share[AQ] ** 2}))
    before, after = moved
    both = before.index.intersection(after.index)
    if not len(both):
        return 0.0, np.inf
    change = float((after["log"][both] - before["log"][both]).mean())
    return change, _of_mean(after["noise"][both] + before["noise"][both])


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


def _errors(rows: pd.DataFrame, down: str, value: str = "mean") -> Table:
    return rows.pivot_table(index=["shape", down], columns="method", values=value, sort=False)


def clearly_more(rows: pd.DataFrame, one: str, other: str) -> Table:
    """Where one method errs more than another by two standard errors, by (shape, epsilon)."""
    own = lines(rows).fillna({"standard_error": 0.0})
    mean, error = _errors(own, "epsilon"), _errors(own, "epsilon", "standard_error")
    return mean[one] - mean[other] > 2 * np.hypot(error[one], error[other])


def clearly_worst(rows: pd.DataFrame, one: str) -> Table:
    """Where a method errs more than every other by two standard errors, by (shape, height)."""
    own = lines(rows).fillna({"standard_error": 0.0})
    mean, error = (_errors(own, "height", value).dropna() for value in ("mean", "standard_error"))
    others = [name for name in mean if name != one]
    apart = mean[[one]].to_numpy() - mean[others].to_numpy()
    noise = np.hypot(error[[one]].to_numpy(), error[others].to_numpy())
    return pd.Series((apart > 2 * noise).all(axis=1), index=mean.index)


def saves_more(rows: pd.DataFrame, one: str, other: str) -> Table:
    """At which ε a tree saves more of the comparisons than another, by two standard errors."""
    known = rows.fillna({"standard_error": 0.0})
    saved, error = (
        crossed(known, "epsilon", "method", value) for value in ("mean", "standard_error")
    )
    return saved[one] - saved[other] > 2 * np.hypot(error[one], error[other])


def printed_median(rows: pd.DataFrame) -> Table:
    """By how many standard errors EM as printed misses less than the best other one, by depth.

    Our own EM is none of the others. Least over them: below −2 one of them clearly beats it.
    """
    error = crossed(rows, "depth", "method", "error")
    spread = crossed(rows.fillna({"standard_error": 0.0}), "depth", "method", "standard_error")
    others = [name for name in error if name not in {"EM", PRINTED}]
    noise = np.hypot(spread[others].to_numpy(), spread[[PRINTED]].to_numpy())
    apart = error[others].to_numpy() - error[[PRINTED]].to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(noise > 0, apart / noise, np.sign(apart) * np.inf)
    return pd.Series(found.min(axis=1), index=error.index)


@dataclass(frozen=True, slots=True)
class First:
    """The first of the private kd-trees by some number, of which each holds every tree's.

    is_clear: it differs from that of every other tree by two standard errors.
    """

    name: str
    each: Mapping[str, float]
    is_clear: bool


def mean_error(rows: pd.DataFrame, *, most: bool = False) -> First:
    """The private kd-tree of the least, or the largest, mean error of all cases (shape, ε)."""
    mean, error = _of_kd_trees(rows)
    weights = np.broadcast_to(np.eye(mean.shape[1])[:, None, :], (mean.shape[1], *mean.shape))
    return _first(rows, mean, error, weights / len(mean), largest=most)


def mean_ratio(rows: pd.DataFrame) -> First:
    """The private kd-tree of the least ratio to the best of a case: geometric mean of cases."""
    mean, error = _of_kd_trees(rows)
    weights = _against_best(np.log(mean)) / len(mean)
    return _of_logs(_first(rows, np.log(mean), error / mean, weights))


def worst_ratio(rows: pd.DataFrame) -> First:
    """The private kd-tree whose largest ratio to the best of a case is the least."""
    mean, error = _of_kd_trees(rows)
    weights = _against_best(np.log(mean))
    worst = (weights * np.log(mean)).sum(axis=2).argmax(axis=1)
    alone = np.arange(len(mean)) == worst[:, None]
    return _of_logs(_first(rows, np.log(mean), error / mean, weights * alone[..., None]))


def _of_kd_trees(rows: pd.DataFrame) -> tuple[FloatArray, FloatArray]:
    """Mean errors and their standard errors, (cases, trees) in the order of _kd_names."""
    own, names = lines(rows).fillna({"standard_error": 0.0}), _kd_names(rows)
    mean, error = (
        _errors(own, "epsilon", value)[names].to_numpy() for value in ("mean", "standard_error")
    )
    return mean, error


def _kd_names(rows: pd.DataFrame) -> list[str]:
    return [name for name in PRIVATE_KD if name in set(lines(rows)["method"])]


def _against_best(log: FloatArray) -> FloatArray:
    """Weights of log errors whose sums are each tree's log ratios: (trees, cases, trees)."""
    each: FloatArray = np.eye(log.shape[1])
    best: FloatArray = each[log.argmin(axis=1)]
    return each[:, None, :] - best


def _first(
    rows: pd.DataFrame,
    found: FloatArray,
    error: FloatArray,
    weights: FloatArray,
    *,
    largest: bool = False,
) -> First:
    """Of weighed sums, one a tree; what two of them have in common drops out of their noise."""
    values = (weights * found).sum(axis=(1, 2))
    at = int(values.argmax() if largest else values.argmin())
    noise = np.sqrt((((weights - weights[at]) * error) ** 2).sum(axis=(1, 2)))
    apart = np.delete(np.abs(values - values[at]) > 2 * noise, at)
    names = _kd_names(rows)
    return First(names[at], dict(zip(names, values.tolist(), strict=True)), bool(apart.all()))


def _of_logs(found: First) -> First:
    plain = {name: float(np.exp(value)) for name, value in found.each.items()}
    return replace(found, each=plain)


def kept(rows: pd.DataFrame, value: str = "mse") -> Table:
    """Share of the raw squared error, or of its median, that each reading keeps, by level."""
    found = rows.pivot_table(index="level", columns="estimator", values=value, aggfunc="mean")
    return found.div(found["raw"], axis=0)
