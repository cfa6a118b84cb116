"""Writes how often real columns keep what made-up people promise: run it as a module.

A few minutes on one core. Files lie in a folder beside the repository; what was measured of one
that is not there stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

from benchmarks.decide import NINE, OF_ONE, PURE, Real, fresh, kept, real_columns, shape_like
from dpviz.answers.decide.needs import first_need
from dpviz.answers.decide.price import Need
from dpviz.answers.decide.quantiles import check, largest, question
from dpviz.answers.decide.sentences import QUANTILES
from dpviz.experiments.planning import decide_misses
from dpviz.experiments.planning.decide_misses import Miss
from dpviz.version import __version__

FILE = Path(decide_misses.__file__).with_name(decide_misses.NAME)
OF_PEOPLE = Need(1, "share")


def measured(real: Real) -> Iterator[Miss]:
    """The need that its kind of number begins with, and one in per cent of the people."""
    column, shape = real.column, shape_like(real)
    first = first_need(QUANTILES, real.kind, column.bounds.low)
    for need in dict.fromkeys((first, OF_PEOPLE)):
        form = question(NINE, column.n, shape, PURE, only_exact=True)
        found = check(form, need).price
        if found.size is None:
            continue
        errors = fresh([column], NINE, found, OF_ONE)
        share = round(100 * kept(errors, need), 1)
        came = float(f"{largest(errors, need, column.n):.3g}")
        yield Miss(real.title, shape.law, column.n, need.unit, need.amount, found.chosen.key,
                   found.size, share, came)  # fmt: skip


def run() -> None:
    """Measure all columns that are there, and write them below those that are not."""
    old = decide_misses.misses() if FILE.exists() else ()
    rows: list[Miss] = []
    for real in real_columns():
        if isinstance(real, str):
            name = real.partition(".csv")[0]
            rows += [one for one in old if one.column == name]
            continue
        for one in measured(real):
            rows.append(one)
            print(*astuple(one), sep=" | ", flush=True)
    listed = ",\n".join(json.dumps(astuple(one)) for one in rows)
    text = f'{{"version": "{__version__}", "releases": {OF_ONE}, "rows": [\n{listed}\n]}}\n'
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    run()
