"""Writes the curves behind the first answers of Decide: about ten minutes on one core.

What the file holds already under today's version stays; a new version computes everything anew, or
with --same-numbers only checks a part and, if no number changed, writes the new version.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.answers.decide.needs import KIND_OF_SAMPLE, first_need
from dpviz.answers.decide.quantiles import QuantilesQuestion, Sampled, check, ways_of
from dpviz.answers.decide.sentences import QUANTILES
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.experiments.planning import decide_curves
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.beforehand import PURE, SEED, planned
from dpviz.experiments.planning.decide_curves import (
    COLUMNS,
    OF_SAMPLE,
    RELEASES,
    SIZES,
    SPREADS,
    family_shape,
    key_of,
    packed_lines,
    reached,
)
from dpviz.experiments.planning.pooled_errors import OffCurve, measured
from dpviz.intake.samples import Sample, sample_column, samples
from dpviz.version import __version__

FILE = Path(decide_curves.__file__).with_name(decide_curves.NAME)
PARTS = ("families", "samples")
CHECKED = ("stars 1 1500", "median")  # a family and a set that are measured again


def kept() -> dict[str, Any]:
    """What is stored under today's version, or nothing."""
    empty: dict[str, Any] = {"version": __version__, "families": {}, "samples": {}}
    if not FILE.exists():
        return empty
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found if found["version"] == __version__ else empty


def write(content: dict[str, Any]) -> None:
    """One line a family and sample, so that a difference can be read."""
    lines = [f'"version": {json.dumps(content["version"])}']
    for part in PARTS:
        rows = [
            f"{json.dumps(key)}: {json.dumps(one, separators=(',', ':'), ensure_ascii=False)}"
            for key, one in content[part].items()
        ]
        lines.append(f'"{part}": {{\n' + ",\n".join(rows) + "\n}")
    FILE.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def families() -> Iterator[tuple[str, float, int]]:
    """Law, spread and people of every family."""
    for law, spreads in SPREADS.items():
        for spread in spreads:
            for people in SIZES:
                yield law, spread, people


def curve_of(
    columns: list[Column], question: str, way: str, releases: int, seed: list[int]
) -> OffCurve:
    """The curve of a method on columns, at the stored sizes of the budget."""
    sizes = reached(columns[0].n) / columns[0].n
    rng, quantiles = np.random.default_rng(seed), QuantileSet.of(QUESTIONS[question])
    tables = [
        measured(columns, quantiles, planned()[way], PureDP(size), rng, releases).table()
        for size in sizes.tolist()
    ]
    return OffCurve(sizes, np.stack(tables, axis=-1), columns[0].resolution, columns[0].n)


def family(law: str, spread: float, people: int) -> list[Column]:
    """The columns of a family, the same ones whenever they are asked for."""
    rng = np.random.default_rng(seed_of(key_of(law, spread, people)))
    return family_shape(law, spread).columns(rng, people, COLUMNS)


def seed_of(text: str) -> list[int]:
    """A seed for each part, so that one can be computed again."""
    return [SEED, zlib.crc32(text.encode())]


def add_family(content: dict[str, Any], law: str, spread: float, people: int) -> Iterator[str]:
    """Fill in what is missing of a family; yields what was done."""
    key = key_of(law, spread, people)
    entry = content["families"].setdefault(key, {})
    columns = family(law, spread, people)
    scale = family_shape(law, spread).scale
    for question in QUESTIONS:
        if question in entry:
            continue
        ways = ways_of(QuantileSet.of(QUESTIONS[question]), PURE)
        found = {}
        for way in ways:
            curve = curve_of(columns, question, way, RELEASES, seed_of(f"{key}/{question}"))
            found[way] = packed_lines(curve, scale)
        entry[question] = found
        yield f"{key}, {question}"


def add_sample(content: dict[str, Any], sample: Sample) -> Iterator[str]:
    """Fill in what is missing of a sample; its deciles are checked for the need they begin with."""
    column = sample_column(sample.key)
    width = column.bounds.width
    entry = content["samples"].setdefault(
        sample.key, {"people": column.n, "step": column.resolution, "scale": width}
    )
    for question in QUESTIONS:
        if question in entry:
            continue
        quantiles = QuantileSet.of(QUESTIONS[question])
        curves = {
            way: curve_of([column], question, way, OF_SAMPLE, seed_of(f"{sample.key}/{question}"))
            for way in ways_of(quantiles, PURE)
        }
        if np.array_equal(quantiles.distinct, DECILES):
            source = Sampled(sample.key, column.bounds, column.resolution)
            asked = QuantilesQuestion(quantiles, column.n, source, PURE, curves)
            kind = KIND_OF_SAMPLE.get(sample.key, "other")
            need = first_need(QUANTILES, kind, column.bounds.low)
            curves = dict(check(asked, need).question.curves)
        entry[question] = {
            way: [
                [float(f"{size:.6g}") for size in curve.sizes.tolist()],
                sorted(curve.checked),
                *packed_lines(curve, width, keeps_steps=True),
            ]
            for way, curve in curves.items()
        }
        yield f"{sample.key}, {question}"


def changed(content: dict[str, Any]) -> list[str]:
    """The methods of the checked family that come out otherwise today."""
    key, question = CHECKED
    law, spread, people = key.split()
    columns = family(law, float(spread), int(people))
    scale = family_shape(law, float(spread)).scale
    found = []
    for way, old in content["families"][key][question].items():
        curve = curve_of(columns, question, way, RELEASES, seed_of(f"{key}/{question}"))
        if packed_lines(curve, scale) != old:
            found.append(f"{key}, {question}, {way}")
    return found


def main(arguments: list[str]) -> None:
    """Compute what is missing, or check a part and write today's version."""
    if "--same-numbers" in arguments:
        content = json.loads(FILE.read_text(encoding="utf-8"))
        if other := changed(content):
            again = "Run `python -m scripts.decide_curves`."
            raise SystemExit(f"Not the same numbers: {'; '.join(other)}. {again}")
        write(content | {"version": __version__})
        return
    if hasattr(os, "nice"):
        os.nice(10)
    content = kept()
    for one in families():
        for done in add_family(content, *one):
            print(done, flush=True)
        write(content)
    for sample in samples():
        if len(sample.columns) == 1:
            for done in add_sample(content, sample):
                print(done, flush=True)
            write(content)


if __name__ == "__main__":
    main(sys.argv[1:])
