"""The answers computed beforehand: one small file of the package, written by `make answers`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.arrays import FloatArray
from dpviz.experiments.engine.tally import METRICS
from dpviz.experiments.planning.answers import PLACES, UNIT, Curve, budgets_for

NAME = "answers.json"
SWEPT, MAPPED = ("x", "n"), ("size", "n", "m")  # what names a place of a sweep, and of a map
LINES = ("low", "middle", "high")
Stored = Mapping[str, Any]


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
        name: Curve(budgets, runs=one["runs"], **{line: _errors(one[line]) for line in LINES})
        for name, one in entry.get(question, {}).items()
    }


def swept(source: str, axis: str) -> pd.DataFrame | None:
    """A stored sweep as engine.tally.summary gives it, or None."""
    entry = stored()["sweeps"].get(source, {}).get(axis)
    if entry is None:
        return None
    at = {name: np.asarray(entry[name], dtype=np.float64) for name in SWEPT}
    parts = []
    for name, own in entry["mechanisms"].items():
        for metric in METRICS:
            mean, error = (np.array(one, dtype=np.float64) for one in own[metric])
            numbers = {"runs": own["runs"], "mean": mean, "standard_error": error}
            parts.append(pd.DataFrame({**at, "mechanism": name, "metric": metric, **numbers}))
    return pd.concat(parts, ignore_index=True)


def mapped(source: str, metric: str) -> pd.DataFrame | None:
    """A stored map as planning.winners.winners gives it, or None."""
    entry = stored()["maps"].get(source)
    if entry is None:
        return None
    names, own = entry["mechanisms"], entry[metric]
    frame = pd.DataFrame({name: np.asarray(entry[name], dtype=np.float64) for name in MAPPED})
    named = {who: [names[at] for at in own[who]] for who in ("winner", "second")}
    return frame.assign(
        winner=named["winner"],
        mean=np.array(own["mean"], dtype=np.float64),
        second=named["second"],
        ratio=np.array(own["ratio"], dtype=np.float64),
        clear=np.array(own["clear"], dtype=bool),
    )


def packed_curve(curve: Curve) -> dict[str, Any]:
    """A curve for the file: whole units, and no zeros at the end."""
    lines = {name: np.rint(getattr(curve, name) / UNIT).astype(int) for name in LINES}
    return {"runs": curve.runs} | {
        name: line[: int(line.nonzero()[0].max(initial=-1)) + 1].tolist()
        for name, line in lines.items()
    }


def packed_sweep(summed: pd.DataFrame) -> dict[str, Any]:
    """A sweep for the file: its places once, and of each mechanism and metric the numbers there."""
    at = summed[list(SWEPT)].drop_duplicates()
    packed: dict[str, Any] = {name: _whole(at[name]) for name in SWEPT}
    packed["mechanisms"] = {}
    for name, rows in summed.groupby("mechanism", sort=False):
        own: dict[str, Any] = {}
        for metric, lines in rows.groupby("metric", sort=False):
            lined = at.merge(lines, on=list(SWEPT), how="left")
            own["runs"] = lined["runs"].fillna(0).astype(int).tolist()
            own[str(metric)] = [_short(lined["mean"], 3), _short(lined["standard_error"], 2)]
        packed["mechanisms"][str(name)] = own
    return packed


def packed_map(by_metric: Mapping[str, pd.DataFrame], names: list[str]) -> dict[str, Any]:
    """A map for the file: of each place and metric the winner, the next one and how far it is."""
    first = next(iter(by_metric.values()))
    packed: dict[str, Any] = {"mechanisms": names}
    packed |= {name: _whole(first[name]) for name in MAPPED}
    for metric, places in by_metric.items():
        packed[metric] = {
            "winner": [names.index(who) for who in places["winner"]],
            "second": [names.index(who) for who in places["second"]],
            "mean": _short(places["mean"], 2),
            "ratio": _short(places["ratio"].where(np.isfinite(places["ratio"])), 3),
            "clear": places["clear"].astype(int).tolist(),
        }
    return packed


def _whole(column: pd.Series[float]) -> list[float]:
    return [int(one) if one == int(one) else one for one in column]


def _short(column: pd.Series[float], digits: int) -> list[float | None]:
    known = [None if np.isnan(one) else float(f"{one:.{digits}g}") for one in column]
    return [int(one) if one is not None and one == int(one) else one for one in known]


def _errors(units: list[int]) -> FloatArray:
    whole = np.zeros(PLACES)
    whole[: len(units)] = units
    return whole * UNIT
