"""The answers computed beforehand: one small file of the package, written by `make answers`.

A number is two characters, on a log scale: a small file holds many thousands of them. Nothing is 0,
an unknown number is the last code. All others are powers of 1.003 from 0.00001 on, so that they
come back within 0.3 %, and up to 100,000.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpviz.core.arrays import FloatArray
from dpviz.experiments.engine.tally import METRICS
from dpviz.experiments.planning.answers import LEAST_SHARE, PLACES, Curve, budgets_for
from dpviz.experiments.planning.beforehand import SIZES, key_of

NAME = "answers.json"
SWEPT, MAPPED = ["x", "n"], ["size", "n", "m"]  # what names a place of a sweep, and of a map
LINES = ("low", "middle", "high")
FEWEST = SIZES[0] // 10
Stored = Mapping[str, Any]
Sized = tuple[Curve | None, int]  # with its number of people
LEAST, STEP = 1e-5, math.log(1.003)
# printable, and written in JSON as they are
LETTERS = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"\\')
BASE = len(LETTERS)
UNKNOWN = BASE**2 - 1
_CODE = {letter: code for code, letter in enumerate(LETTERS)}


@cache
def stored() -> Stored:
    """Everything that is stored, read once: version, curves, sweeps and maps."""
    text = files("dpviz.experiments.planning").joinpath(NAME).read_text(encoding="utf-8")
    found: Stored = json.loads(text)
    return found


def curves(source: str, question: str) -> dict[str, Curve]:
    """The stored curves of a source by mechanism; empty if the question was not asked of it."""
    entry = stored()["curves"].get(source, {})
    budgets = budgets_for(entry.get("n", 0))
    return {
        name: Curve(budgets, runs=runs, **_lines(texts))
        for name, (runs, *texts) in entry.get(question, {}).items()
    }


@lru_cache(maxsize=64)  # a page asks at every run
def curves_between(shape: str, n: int, question: str) -> Mapping[str, Curve]:
    """Curves of a stand-in with any number of people, reckoned from those of the sizes beside it.

    At the same ε × people nearly the same share of the people is missed, however many there are: it
    is interpolated between the two stored sizes around n, and taken from the nearest beyond them.
    Nothing for fewer people than a tenth of the smallest: a rank is too large a share there.
    """
    if n < FEWEST:
        return {}
    low = max([size for size in SIZES if size <= n], default=SIZES[0])
    high = min([size for size in SIZES if size >= n], default=SIZES[-1])
    below, above = (curves(key_of(shape, size), question) for size in (low, high))
    share = math.log(n / low) / math.log(high / low) if low < high else 0.0
    return {
        name: _between((below.get(name), low), (above.get(name), high), n, share)
        for name in below | above
    }


def _between(one: Sized, other: Sized, n: int, share: float) -> Curve:
    """The curve between those of two sizes, one of which may be missing; share 1 is the other."""
    ends = [(curve, size) for curve, size in (one, other) if curve is not None]
    nearest, its_size = ends[-1] if share >= 0.5 else ends[0]
    reached = nearest.budgets * its_size  # ε × people
    lines = {name: _missed(ends, reached, name, share if len(ends) == 2 else 0.0) for name in LINES}
    runs = min(curve.runs for curve, _ in ends)
    return Curve(reached / n, runs=runs, **lines)


def _missed(
    ends: list[tuple[Curve, int]], reached: FloatArray, line: str, share: float
) -> FloatArray:
    """Shares that are missed at each ε × people, by the curves that were computed there."""
    sums, weights = np.zeros(reached.size), np.zeros(reached.size)
    for (curve, size), weight in zip(ends, (1 - share, share), strict=False):
        known = curve.budgets * size
        inside = (reached >= known[0] * (1 - 1e-9)) & (reached <= known[-1] * (1 + 1e-9))
        shares = np.log(np.maximum(getattr(curve, line), LEAST_SHARE))
        part = weight * inside
        sums += part * np.interp(np.log(reached), np.log(known), shares)
        weights += part
    # the nearest curve is known at all of its budgets, though its weight may be nothing
    assert (weights > 0).all()
    missed: FloatArray = np.exp(sums / weights)
    return missed


def swept(source: str, axis: str) -> pd.DataFrame | None:
    """A stored sweep as engine.tally.summary gives it, or None."""
    entry = stored()["sweeps"].get(source, {}).get(axis)
    if entry is None:
        return None
    at = {name: np.asarray(entry[name], dtype=np.float64) for name in SWEPT}
    count = at["x"].size
    parts = []
    for name, (runs, *texts) in entry["mechanisms"].items():
        for place, metric in enumerate(METRICS):
            mean, error = (unpacked(text, count) for text in texts[2 * place : 2 * place + 2])
            numbers = {"runs": runs, "mean": mean, "standard_error": error}
            parts.append(pd.DataFrame({**at, "mechanism": name, "metric": metric, **numbers}))
    return pd.concat(parts, ignore_index=True)


def mapped(source: str, metric: str, part: str = "maps") -> pd.DataFrame | None:
    """A stored map as planning.winners.winners gives it, or None; part as in beforehand.MAPPED."""
    entry = stored()[part].get(source)
    if entry is None:
        return None
    names, own = entry["mechanisms"], entry[metric]
    places = pd.DataFrame(itertools.product(*(entry[name] for name in MAPPED)), columns=MAPPED)
    who = {key: [names[int(at)] for at in own[key]] for key in ("winner", "second")}
    return places.astype(np.float64).assign(
        winner=who["winner"],
        mean=unpacked(own["mean"], len(places)),
        second=who["second"],
        ratio=unpacked(own["ratio"], len(places)),
        clear=[at == "1" for at in own["clear"]],
    )


def packed_curve(curve: Curve) -> list[int | str]:
    """A curve for the file: how many runs, and its three lines."""
    return [curve.runs, *(packed(getattr(curve, name), up=True) for name in LINES)]


def packed_sweep(summed: pd.DataFrame) -> dict[str, Any]:
    """A sweep for the file: its places once, and of each mechanism the numbers there.

    Runs are one number where they are the same at every place; then mean and standard error for
    each of METRICS.
    """
    at = summed[SWEPT].drop_duplicates().sort_values("x")
    found: dict[str, Any] = {name: _short(at[name]) for name in SWEPT}
    found["mechanisms"] = {}
    for name, rows in summed.groupby("mechanism", sort=False):
        own: list[Any] = []
        for metric in METRICS:
            lined = at.merge(rows[rows["metric"] == metric], on=SWEPT, how="left")
            own += [packed(lined["mean"]), packed(lined["standard_error"])]
        runs = lined["runs"].fillna(0).astype(int).tolist()
        found["mechanisms"][str(name)] = [runs[0] if len(set(runs)) == 1 else runs, *own]
    return found


def packed_map(by_metric: Mapping[str, pd.DataFrame], names: list[str]) -> dict[str, Any]:
    """A map for the file: of each place and metric the winner, the next one and how far it is.

    Raises: ValueError if a place of the grid is missing.
    """
    first = next(iter(by_metric.values()))
    found: dict[str, Any] = {"mechanisms": names}
    found |= {name: _short(first[name].drop_duplicates().sort_values()) for name in MAPPED}
    if len(first) != math.prod(len(found[name]) for name in MAPPED):
        raise ValueError("A map is stored whole: at least one of its places is missing.")
    for metric, unsorted in by_metric.items():
        places = unsorted.sort_values(MAPPED)
        found[metric] = {
            "winner": "".join(str(names.index(who)) for who in places["winner"]),
            "second": "".join(str(names.index(who)) for who in places["second"]),
            "mean": packed(places["mean"]),
            "ratio": packed(places["ratio"]),
            "clear": "".join("01"[int(sure)] for sure in places["clear"]),
        }
    return found


def _short(column: pd.Series[float]) -> list[float]:
    return [int(one) if one == int(one) else one for one in column]


def _lines(texts: list[str]) -> dict[str, FloatArray]:
    """Errors of a curve, again no smaller than they were."""
    return {name: unpacked(text, PLACES) for name, text in zip(LINES, texts, strict=True)}


def packed(numbers: ArrayLike, *, up: bool = False) -> str:
    """Numbers (k,) as a text of at most 2 k letters; zeros at the end are left out.

    up rounds up, for errors of which it is said that they are at most so large; the others are
    rounded to the nearest.
    """
    values = np.asarray(numbers, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = np.log(values / LEAST) / STEP
    steps = np.ceil(steps - 1e-6) if up else np.rint(steps)
    codes = np.where(values > 0, np.clip(np.nan_to_num(steps), 0, UNKNOWN - 2) + 1, 0)
    codes = np.where(np.isfinite(values), codes, UNKNOWN).astype(np.int64)
    text = "".join(LETTERS[code // BASE] + LETTERS[code % BASE] for code in codes.tolist())
    return text.rstrip(LETTERS[0]) if len(codes) else ""


def unpacked(text: str, count: int) -> FloatArray:
    """The numbers (count,) of a text."""
    whole = text.ljust(2 * count, LETTERS[0])
    letters = np.array([_CODE[letter] for letter in whole], dtype=np.int64).reshape(count, 2)
    codes = letters[:, 0] * BASE + letters[:, 1]
    values = np.where(codes > 0, LEAST * np.exp((codes - 1) * STEP), 0.0)
    return np.where(codes == UNKNOWN, np.nan, values)
