"""Writes the answers that are computed beforehand: `make answers`, about half an hour on one core.

What the file holds already under today's version stays; a new version computes everything anew,
or with --same-numbers only checks a part and, if no number changed, writes the new version.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.core.data.column import Column
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import METRICS, summary
from dpviz.experiments.planning import beforehand, stored
from dpviz.experiments.planning.beforehand import Source
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED
from dpviz.experiments.planning.sweeps import Axis
from dpviz.experiments.planning.winners import winners
from dpviz.version import __version__

FILE = Path(stored.__file__).with_name(stored.NAME)
CHECKED = ("exam", "log-normal 1500")
KINDS = ("curves", "sweeps", *beforehand.MAPPED)
QUESTIONS = ("median", "quartiles", "deciles")


def kept() -> dict[str, Any]:
    """What is stored under today's version, or nothing."""
    empty: dict[str, Any] = {"version": __version__} | {kind: {} for kind in KINDS}
    if not FILE.exists():
        return empty
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return empty | found if found["version"] == __version__ else empty


def column_of(source: Source) -> Column:
    """The values that stored results are about."""
    return source.column(np.random.default_rng(STAND_IN_SEED))


def seeded() -> np.random.Generator:
    """Where studies begin, those that a visitor starts as well."""
    return np.random.default_rng(beforehand.SEED)


def write(content: dict[str, Any]) -> None:
    """One line a source and kind, so that a difference can be read."""
    lines = [f'"version": {json.dumps(content["version"])}']
    for kind in KINDS:
        rows = [
            f"{json.dumps(key)}: {json.dumps(one, separators=(',', ':'))}"
            for key, one in content[kind].items()
        ]
        lines.append(f'"{kind}": {{\n' + ",\n".join(rows) + "\n}")
    FILE.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def add_curves(content: dict[str, Any], source: Source, column: Column) -> Iterator[str]:
    """Fill in what is missing of a source's answers; yields what was done."""
    entry = content["curves"].setdefault(source.key, {"n": source.n})
    for question in source.questions:
        found = entry.setdefault(question, {})
        for name, mechanism in beforehand.planned().items():
            if name in found:
                continue
            runs = beforehand.curve_runs(source, column, question, mechanism)
            if not runs:
                continue
            rng = np.random.default_rng(beforehand.entropy(source, question))
            curve = beforehand.stored_curve(source, column, question, name, runs, rng)
            found[name] = stored.packed_curve(curve)
            yield f"{source.key}, {question}, {name}, {runs} releases"


def add_studies(content: dict[str, Any], source: Source, column: Column) -> Iterator[str]:
    """Fill in a source's sweeps and its maps; yields what was done."""
    sweeps = content["sweeps"].setdefault(source.key, {})
    for axis in Axis:
        if axis.value not in sweeps:
            rows = run_all(beforehand.stored_sweep(column, axis, seeded()))
            sweeps[axis.value] = stored.packed_sweep(summary(rows))
            yield f"{source.key}, sweep over {axis.value}"
    for part, budget in beforehand.MAPPED.items():
        if source.key in content[part]:
            continue
        summed = summary(run_all(beforehand.stored_map(column, budget, seeded())))
        by_metric = {metric: winners(summed, metric) for metric in METRICS}
        names = list(beforehand.planned(budget))
        content[part][source.key] = stored.packed_map(by_metric, names)
        yield f"{source.key}, {part}"


def changed(content: dict[str, Any]) -> list[str]:
    """The curves among those checked that come out otherwise today."""
    found = []
    for source in beforehand.sources():
        if source.key not in CHECKED:
            continue
        column = column_of(source)
        for question in QUESTIONS:
            for name in ("ApproximateQuantiles", "IndependentExp", "AggTree"):
                old = content["curves"][source.key][question][name]
                rng = np.random.default_rng(beforehand.entropy(source, question))
                new = beforehand.stored_curve(source, column, question, name, old[0], rng)
                if stored.packed_curve(new) != old:
                    found.append(f"{source.key}, {question}, {name}")
    return found


def main(arguments: list[str]) -> None:
    """Compute what is missing, or check a part and write today's version."""
    if "--same-numbers" in arguments:
        content = json.loads(FILE.read_text(encoding="utf-8"))
        if other := changed(content):
            raise SystemExit(f"Not the same numbers: {'; '.join(other)}. Run `make answers`.")
        write(content | {"version": __version__})
        return
    if hasattr(os, "nice"):
        os.nice(10)
    content = kept()
    for source in beforehand.sources():
        for add in (add_curves, add_studies) if source.whole else (add_curves,):
            for done in add(content, source, column_of(source)):
                print(done, flush=True)
                write(content)


if __name__ == "__main__":
    main(sys.argv[1:])
