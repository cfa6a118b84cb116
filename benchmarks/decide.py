"""Whether the answers of Decide keep their needs: on columns of their shape, on samples, on files.

An answer says which ε keeps a need in 19 of 20 releases, without a look at the file: it is computed
on made-up columns. Here it is tried on fresh ones, with other random numbers, and on real columns,
whose two public numbers are their own median and ninth decile, rounded to two digits. The files lie
in a folder beside the repository; where one is not there, its line says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd

from benchmarks.results import Table
from benchmarks.targets import Row
from dpviz.answers.decide import quantiles as quantiles_form
from dpviz.answers.decide.needs import KIND_OF_SAMPLE, first_need
from dpviz.answers.decide.price import Need, Price
from dpviz.answers.decide.quantile_buys import published_again, released
from dpviz.answers.decide.quantiles import (
    QuantilesQuestion,
    Sampled,
    by_spread,
    check,
    first,
    in_places,
    question,
)
from dpviz.answers.decide.sentences import QUANTILES
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES, QuantileSet
from dpviz.experiments.planning.answers import round_up
from dpviz.experiments.planning.beforehand import planned
from dpviz.experiments.planning.pooled_errors import Errors, measured, within
from dpviz.experiments.planning.shaped import BY_KIND, LAWS, Shape, usual
from dpviz.intake.samples import Sample, sample_column, samples
from dpviz.metrics.quantiles import true_quantiles

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SEED = 424_242  # none of those that answers are computed with
FRESH, EACH = 300, 4  # columns of a shape, and releases of each
OF_ONE = 1_200  # releases of a column that is there
RELEASED = 60  # whose widths are looked at
NINE, MEDIAN = QuantileSet.of(DECILES), QuantileSet.of([0.5])
PURE = PureDP(1.0)
SHAPES = "Decide: needs kept on fresh columns of the shape"
REAL = "Decide: needs kept on samples and real columns"
KNOWN = "Decide: single answers"
SPEEDS = {n: f"Decide: the check, nine deciles of pay, n = {n:,}"
          for n in (1_500, 5_000, 15_000, 150_000, 1_000_000)}  # fmt: skip
FIRST = "Decide: the first answer, nine deciles of pay"
WORK = "Decide: processor seconds of the check"
WIDTHS = "Decide: how often the widths after a release hold the truth"
MEASURES = (SHAPES, REAL, KNOWN, WORK, WIDTHS, FIRST, *SPEEDS.values())
SIZES = (1_500, 5_000, 20_000, 100_000)
NEEDS = {"money": Need(2, "value"), "mark": Need(1, "unit"), "spending": Need(1, "share"),
         "stars": Need(0, "unit"), "flat": Need(1, "share")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Real:
    """A column that is there: what is declared of it, and its values."""

    title: str
    kind: str
    column: Column


# file, column, kind of number, bounds, resolution
FILES = (
    ("adult_age.csv", "adult_age", "age", Bounds(0, 120), 1.0),
    ("adult_hours.csv", "adult_hours", "hours", Bounds(0, 168), 1.0),
    ("goodreads_ratings.csv", "goodreads_ratings", "mark", Bounds(0, 5), 0.01),
    ("goodreads_pages.csv", "goodreads_pages", "money", Bounds(0, 10_000), 1.0),
    ("ne_addresses.csv", "x", "other", Bounds(0, 1), 0.0),
)


def kept(errors: Errors, need: Need) -> float:
    """The share of releases that keep a need."""
    lines = {"value": errors.value, "unit": errors.unit,
             "share": 100 * errors.places / errors.people}  # fmt: skip
    return float(np.mean(lines[need.unit] <= need.amount * (1 + 1e-9)))


def fresh(
    columns: list[Column], quantiles: QuantileSet, found: Price, releases: int, seed: int = SEED
) -> Errors:
    """New releases at an answer."""
    mechanism = planned()[found.chosen.key]
    assert found.size is not None
    rng = np.random.default_rng(seed)
    return measured(columns, quantiles, mechanism, PureDP(found.size), rng, releases)


def said(need: Need) -> str:
    words = {"value": "% of the value", "unit": "units", "share": "% of the people"}
    return f"{need.amount:g} {words[need.unit]}"


def _size(size: float | None) -> str:
    return "–" if size is None else f"{size:g}"


def on_shapes() -> Table:
    """The two numbers are right: how often the need is kept, for each law and number of people."""
    rows = []
    for law, own in LAWS.items():
        shape, _ = usual(law, own.bounds, own.resolution)
        for people in SIZES:
            form, need = question(NINE, people, shape, PURE), NEEDS[law]
            about, checked = first(form, need), check(form, need).price
            share = "–"
            if checked.size is not None:
                count = FRESH if people <= SIZES[2] else 60
                columns = shape.columns(np.random.default_rng(SEED), people, count)
                errors = fresh(columns, NINE, checked, EACH * FRESH // count)
                share = f"{100 * kept(errors, need):.1f} %"
            rows.append([f"{law}, {people:,} people", said(need), checked.chosen.key,
                         _size(about.size), _size(checked.size), share])  # fmt: skip
            print(*rows[-1], sep=" | ", flush=True)
    header = ("shape", "need, nine deciles", "method", "about ε", "checked ε", "kept")
    note = f"{FRESH * EACH:,} fresh releases of fresh columns; 95 % is what an answer says."
    return Table(SHAPES, header, rows, note)


def real_columns() -> Iterator[Real | str]:
    """Samples, then files; a file that is not there is a reason in words."""
    for one in samples():
        if len(one.columns) == 1:
            yield Real(one.title, KIND_OF_SAMPLE.get(one.key, "other"), sample_column(one.key))
    for name, column, kind, bounds, step in FILES:
        if not (DATA / name).is_file():
            yield f"{name} is not there"
            continue
        values = pd.read_csv(DATA / name)[column].to_numpy(np.float64)
        yield Real(name.removesuffix(".csv"), kind, Column.from_values(values, bounds, step))


def shape_like(real: Real) -> Shape:
    """The shape that somebody would assume who knows median and ninth decile to two digits."""
    law, column = BY_KIND.get(real.kind, "flat"), real.column
    if LAWS[law].start is None:
        return Shape(law, column.bounds, column.resolution)
    middle, upper = column.of_rank(np.floor(np.array([0.5, 0.9]) * column.n).astype(np.int64))
    numbers = (float(f"{one:.2g}") for one in (middle, upper))
    return Shape(law, column.bounds, column.resolution, *numbers)


def on_real() -> Table:
    """The shape is assumed and the column is another: how far off the answer is there."""
    rows = []
    for real in real_columns():
        if isinstance(real, str):
            rows.append([real, *["–"] * 6])
            continue
        column = real.column
        need = first_need(QUANTILES, real.kind, column.bounds.low)
        form = question(NINE, column.n, shape_like(real), PURE)
        found = check(form, need).price
        if found.size is None:
            rows.append([f"{real.title}, {column.n:,}", said(need), *["–"] * 5])
            continue
        errors = fresh([column], NINE, found, OF_ONE)
        own = _own(real, form, need, found)
        ratio = "–" if own is None else f"{found.size / own:.2f} ×"
        came = _came(errors, need)
        rows.append(
            [
                f"{real.title}, {column.n:,}",
                said(need),
                found.chosen.key,
                _size(found.size),
                f"{100 * kept(errors, need):.1f} %",
                came,
                f"{_size(own)} ({ratio})",
            ]
        )
        print(*rows[-1], sep=" | ", flush=True)
    header = ("column, people", "need, nine deciles", "method", "ε of the shape", "kept", "came",
              "ε that the column takes")  # fmt: skip
    note = (
        "The shape has the column's median and ninth decile, to two digits, and else what its kind "
        f"of number assumes; {OF_ONE:,} releases of the column itself."
    )
    return Table(REAL, header, rows, note)


def _came(errors: Errors, need: Need) -> str:
    lines = {"value": errors.value, "unit": errors.unit,
             "share": 100 * errors.places / errors.people}  # fmt: skip
    return f"{within(lines[need.unit], need.sure):.3g}"


def _own(real: Real, form: QuantilesQuestion, need: Need, found: Price) -> float | None:
    """The least ε of two digits at which 19 of 20 releases of the column itself keep the need."""
    assert found.size is not None
    low, high = found.size / 16, min(found.size * 16, 20.0)
    mechanism = planned()[found.chosen.key]
    for _ in range(9):
        middle = float(np.sqrt(low * high))
        rng = np.random.default_rng(SEED + 1)
        errors = measured(
            [real.column], form.quantiles, mechanism, PureDP(middle), rng, OF_ONE // 3
        )
        low, high = (low, middle) if kept(errors, need) >= need.sure else (middle, high)
    return None if high >= min(found.size * 16, 20.0) * 0.99 else round_up(high)


def sampled(one: Sample, quantiles: QuantileSet = NINE) -> QuantilesQuestion:
    source = Sampled(one.key, one.bounds[0], one.resolution)
    return question(quantiles, one.n, source, PURE)


def asked_of() -> Iterator[tuple[str, QuantilesQuestion, Need]]:
    """Quartiles and deciles of every sample, deciles of made-up columns; in ε, and some in ρ."""
    for quantiles, words in ((NINE, "deciles"), (QuantileSet.of(QUARTILES), "quartiles")):
        for one in samples():
            if len(one.columns) == 1:
                need = first_need(
                    QUANTILES, KIND_OF_SAMPLE.get(one.key, "other"), one.bounds[0].low
                )
                yield f"{one.title}, {one.n:,}, {words}", sampled(one, quantiles), need
    for law, own in LAWS.items():
        shape, _ = usual(law, own.bounds, own.resolution)
        for people in SIZES[1:3]:
            yield f"{law}, {people:,}, deciles", question(NINE, people, shape, PURE), NEEDS[law]
    for people in SIZES[:2]:
        shape, _ = usual("money", LAWS["money"].bounds, LAWS["money"].resolution)
        form = question(NINE, people, shape, ZCDP(0.5))
        yield f"money, {people:,}, deciles, in ρ", form, NEEDS["money"]


def on_work() -> Table:
    """What a check takes of one processor, whatever else runs; and with tables for each release."""
    rows = []
    for what, form, need in asked_of():
        seconds, answers = [], []
        for alike in (quantiles_form.ALIKE, 1):
            with patch.object(quantiles_form, "ALIKE", alike):
                start = time.thread_time()
                answers.append(check(form, need).price)
                seconds.append(time.thread_time() - start)
        found = (f"{one.chosen.key} {_size(one.size)}" for one in answers)
        rows.append([what, said(need), *(f"{one:.1f}" for one in seconds), *found])
        print(*rows[-1], sep=" | ", flush=True)
    header = ("question", "need", "s", "s with tables for each release", "answer",
              "answer with tables for each release")  # fmt: skip
    return Table(WORK, header, rows, "Seconds of the thread of the check.")


def known() -> Table:
    """Answers that were computed before by other means, with other seeds."""
    rows = []

    def add(what: str, form: QuantilesQuestion, need: Need, expected: str) -> None:
        found = check(form, need)
        ways = ", ".join(f"{one.key} {_size(one.size)}" for one in found.price.ways)
        spreads = " and ".join(_size(one) for one in by_spread(found.question, found.price))
        places = in_places(found.question, found.price)
        rows.append([what, said(need), ways, f"{places}", spreads, expected])
        print(*rows[-1], sep=" | ", flush=True)

    pay = Shape("money", Bounds(0, 250_000), 100.0, 45_000, 85_400)
    for amount, expected in ((1, "tree, all at once .225; halving .31; one by one .78"),
                             (2, ".15"), (3, ".11")):  # fmt: skip
        add("Exam marks", sampled(_named("exam")), Need(amount, "unit"), expected)
    add("Yearly salaries", sampled(_named("salaries")), Need(2, "value"),
        "all at once .22, halving .30, tree .47")  # fmt: skip
    add("pay, 5,000 people", question(NINE, 5_000, pay, PURE), Need(2, "value"),
        "all at once .373 to .39, halving .54, tree .87; .28 and .57 by spread")  # fmt: skip
    for factor, expected in ((0.7, ".273"), (1.4, ".562")):
        wider = question(NINE, 5_000, pay.widened(factor), PURE)
        add(f"the same, {factor:g} times the spread", wider, Need(2, "value"), expected)
    for people, expected in ((4_000, ".48"), (10_000, ".17 to .19")):
        add(f"pay, {people:,} people", question(NINE, people, pay, PURE), Need(2, "value"),
            expected)  # fmt: skip
    for what, some, expected in (("median", [0.5], ".3"), ("quartiles", QUARTILES, ".7"),
                                 ("deciles", DECILES, "1.4"),
                                 ("percentiles", PERCENTILES, "21")):  # fmt: skip
        form = question(QuantileSet.of(some), 5_000, pay, PURE)
        got = check(form, Need(2, "value"), 0.5).price
        rows.append([f"pay, 5,000 people, {what}, ε = 0.5", f"{got.need.amount:.2g} % of the value",
                     got.chosen.key, "–", "–", expected])  # fmt: skip
        print(*rows[-1], sep=" | ", flush=True)
    header = ("question", "need", "checked ε by method", "places", "ε by spread", "known before")
    return Table(KNOWN, header, rows)


def _named(key: str) -> Sample:
    return next(one for one in samples() if one.key == key)


def on_widths() -> Table:
    """Releases of files that are of another law than the one that was assumed.

    A single decile has no curve through it: its width is the rehearsed one, and half more.
    """
    pay, need = Shape("money", Bounds(0, 250_000), 100.0, 45_000, 85_400), Need(2, "value")
    asked = {what: check(question(what, 5_000, pay, PURE), need) for what in (NINE, MEDIAN)}
    rows = []
    for what, values in OTHER_FILES.items():
        held: dict[str, list[np.ndarray]] = {}
        came = []
        for place in range(RELEASED):
            rng = np.random.default_rng([SEED, place])
            column = Column.from_values(values(rng), pay.bounds, pay.resolution)
            for deciles, done in asked.items():
                found, rehearsal = done.price, done.rehearsal
                assert rehearsal is not None
                assert found.size is not None
                mechanism = planned()[found.chosen.key]
                release = mechanism.release(column, deciles, PureDP(found.size), rng)
                after = released(done.question, found, rehearsal, release)
                again = published_again(done.question, found, release)
                widths = {"median": after.buys.give}
                if again is not None:
                    widths = {"rehearsed": rehearsal.give, "again": again.errors.widths(need.sure),
                              "widened": again.widths, "shown": after.buys.give}  # fmt: skip
                    came.append(after.came or 0.0)
                off = np.abs(after.buys.published - true_quantiles(column, deciles)) - 1e-9
                for name, one in widths.items():
                    held.setdefault(name, []).append(off <= one)
        shares = {name: np.mean(one, 0) for name, one in held.items()}
        alone = f"{100 * shares.pop('median')[0]:.0f} %"
        both = [f"{100 * one.mean():.0f} % ({100 * one.min():.0f} %)" for one in shares.values()]
        spread = f"{np.median(came):.2g} ({min(came):.2g} to {max(came):.2g})"
        rows.append([what, *both, alone, spread])
        print(*rows[-1], sep=" | ", flush=True)
    header = ("file of 5,000", "rehearsed", "published again", "widened",
              "shown: the wider of both, and more", "the median alone", "came, %")  # fmt: skip
    ways = " and ".join(f"ε = {done.price.size:g} by {done.price.chosen.key}"
                        for done in asked.values())  # fmt: skip
    note = (
        f"{RELEASED} releases of files, nine deciles and the median at {ways}, "
        "asked 2 % of pay; in brackets the worst decile. A width stands for 19 in 20."
    )
    return Table(WIDTHS, header, rows, note)


def _two_groups(rng: np.random.Generator) -> np.ndarray:
    part_time = rng.random(5_000) < 0.25
    return np.where(
        part_time, rng.normal(17_000, 4_000, 5_000), rng.lognormal(np.log(50_000), 0.35, 5_000)
    )


def _with_a_gap(rng: np.random.Generator) -> np.ndarray:
    low, high = rng.normal(25_000, 5_000, 5_000), rng.normal(75_000, 12_000, 5_000)
    return np.where(rng.random(5_000) < 0.5, low, high)


def _in_heaps(rng: np.random.Generator) -> np.ndarray:
    pay = rng.lognormal(np.log(45_000), 0.5, 5_000)
    return np.where(rng.random(5_000) < 0.5, 5_000 * np.rint(pay / 5_000), pay)


OTHER_FILES: dict[str, Callable[[np.random.Generator], np.ndarray]] = {
    "as assumed": lambda rng: rng.lognormal(np.log(45_000), 0.5, 5_000),
    "41,000, spread .6": lambda rng: rng.lognormal(np.log(41_000), 0.6, 5_000),
    "a quarter part-time": _two_groups,
    "gamma": lambda rng: rng.gamma(2.5, 20_000, 5_000),
    "even from 10,000 to 110,000": lambda rng: rng.uniform(10_000, 110_000, 5_000),
    "Pareto 1.8 from 20,000": lambda rng: 20_000 * (1 + rng.pareto(1.8, 5_000)),
    "a gap at the median": _with_a_gap,
    "half of it in heaps of 5,000": _in_heaps,
}


def speeds() -> list[Row]:
    """Seconds to the first and to the checked answer."""
    pay, need = Shape("money", Bounds(0, 250_000), 100.0, 45_000, 85_400), Need(2, "value")
    first(question(NINE, 5_000, pay, PURE), need)  # the file is read once
    start = time.perf_counter()
    first(question(NINE, 5_000, pay, PURE), need)
    rows = [Row(FIRST, 1e3 * (time.perf_counter() - start), "ms")]
    for people, name in SPEEDS.items():
        start = time.perf_counter()
        found = check(question(NINE, people, pay, PURE), need).price
        rows.append(Row(name, time.perf_counter() - start, "s"))
        print(f"{name}: {rows[-1].value:.1f} s, ε = {found.size}", flush=True)
    return rows


def run() -> list[Row | Table]:
    """All tables, and the speeds."""
    return [*speeds(), on_work(), known(), on_widths(), on_shapes(), on_real()]


if __name__ == "__main__":
    run()
