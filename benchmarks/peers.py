"""Our quantile mechanisms against those that a user could install instead: gap and time.

Every mechanism gets the same values, public bounds and ε in one run, in turns, from the raw array
to the quantiles (ours sort and check the column inside the clock; calibration is outside for all).
The peers are the optional extra `peers`; without it only ours are run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks._peer_mechanisms import (
    STEP,
    Answer,
    Task,
    diffprivlib_answers,
    opendp_answers,
    ours,
)
from benchmarks.results import Table, digits
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import uniform_quantiles
from dpviz.intake.samples import sample_column
from dpviz.metrics.quantiles import gaps

EPSILON = 1.0
TRIALS = {(1_000, 9): 30, (1_000, 99): 20, (100_000, 9): 5, (100_000, 99): 2}  # (n, m) → rounds
WIDE = Bounds(-100, 100)
POPULATIONS = ("uniform", "normal", "ages")
HOW, OVERVIEW = "Peers: how", "Peers: overview"
REFERENCE = "ApproximateQuantiles"
LEAST_GAP = 0.5  # of a record: a ratio to less says nothing
INSTALL = ".venv/bin/python -m pip install -c constraints.txt --no-build-isolation -e '.[peers]'"
HEADER = ("mechanism", "mean gap", "± se", "gap ÷ AQ", "ms", "time ÷ AQ")


def title_of(name: str, n: int, m: int) -> str:
    return f"Peers: {name}, n = {n:,}, m = {m}, ε = 1"


MEASURES = (HOW, OVERVIEW, *(title_of(name, *case) for name in POPULATIONS for case in TRIALS))


def populations() -> dict[str, tuple[np.ndarray | None, Bounds, float]]:
    """Name → (values to draw from, bounds, resolution)."""
    ages = sample_column("ages")
    known = ages.values  # noqa: PD011  a column is no pandas object
    drawn = (None, WIDE, 0.0)
    return dict(
        zip(POPULATIONS, (drawn, drawn, (known, ages.bounds, ages.resolution)), strict=True)
    )


def sample(name: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw n values: Uniform(−5, 5), Normal(0, 5) as in the AQ paper, or ages with replacement."""
    if name == "uniform":
        return rng.uniform(-5, 5, n)
    if name == "normal":
        return rng.normal(scale=5, size=n)
    known = populations()[name][0]
    assert known is not None
    return rng.choice(known, n)


def answers(task: Task, rng: np.random.Generator) -> tuple[dict[str, Answer], list[str]]:
    """All mechanisms that are installed, and what is missing."""
    found, missing = ours(task, rng), []
    for package, build in (
        ("OpenDP", lambda: opendp_answers(task)),
        ("diffprivlib", lambda: diffprivlib_answers(task, rng)),
    ):
        try:
            found |= build()
        except ImportError:  # its message may hold a path, and this goes onto a page
            missing.append(package)
    return found, missing


def measured(name: str, task: Task, trials: int, rng: np.random.Generator) -> pd.DataFrame:
    """One row a trial and mechanism: mean gap over the quantiles, seconds."""
    mechanisms, _ = answers(task, rng)
    warm = sample(name, 100, rng)
    for answer in mechanisms.values():  # imports and caches are nobody's time
        answer(warm)
    rows = []
    for _ in range(trials):
        values = sample(name, task.records, rng)
        column = Column.from_values(values, task.bounds, task.resolution)
        for mechanism, answer in mechanisms.items():
            start = time.perf_counter()
            private = answer(values)
            seconds = time.perf_counter() - start
            rows.append((mechanism, gaps(column, task.quantiles, private).mean(), seconds))
    return pd.DataFrame(rows, columns=["mechanism", "gap", "seconds"])


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """By mechanism: mean gap and its standard error, median seconds, both over AQ's."""
    groups = frame.groupby("mechanism", sort=False)
    found = pd.DataFrame(
        {
            "gap": groups["gap"].mean(),
            "se": groups["gap"].sem(),
            "seconds": groups["seconds"].median(),
        }
    )
    for column in ("gap", "seconds"):
        found[f"{column} ratio"] = found[column] / found.loc[REFERENCE, column]
    if found.loc[REFERENCE, "gap"] < LEAST_GAP:
        found["gap ratio"] = np.nan
    return found


def cells(found: pd.DataFrame) -> list[list[str]]:
    """The summary as the page shows it."""
    shown = found.assign(seconds=1e3 * found["seconds"])
    columns = ["gap", "se", "gap ratio", "seconds", "seconds ratio"]
    return [[str(row[0]), *map(digits, row[1:])] for row in shown[columns].itertuples()]


def tables() -> Iterator[Table]:
    """One table for each population, n and m, and all in one."""
    rng = np.random.default_rng(20260101)
    ratios: dict[tuple[int, int], list[pd.DataFrame]] = {case: [] for case in TRIALS}
    for name, (_, bounds, resolution) in populations().items():
        for (n, m), trials in TRIALS.items():
            task = Task(bounds, resolution, n, uniform_quantiles(m), PureDP(EPSILON))
            found = summary(measured(name, task, trials, rng))
            title = title_of(name, n, m)
            print(title)
            print(found.to_string(float_format="{:.4g}".format), flush=True)
            yield Table(title, HEADER, cells(found), f"{trials} trials.")
            if not resolution:
                ratios[n, m].append(found[["gap ratio", "seconds ratio"]])
    yield overview(ratios)


def overview(ratios: dict[tuple[int, int], list[pd.DataFrame]]) -> Table:
    """Ratios to AQ by n and m, the geometric mean over the continuous populations."""
    means = {case: np.exp(sum(map(np.log, some)) / len(some)) for case, some in ratios.items()}
    header = ["mechanism", *(f"n = {n:,}, m = {m}" for n, m in means)]
    names = next(iter(means.values())).index
    rows = [
        [name, *(" / ".join(digits(ratio) for ratio in mean.loc[name]) for mean in means.values())]
        for name in names
    ]
    note = "Gap ÷ AQ's / time ÷ AQ's; geometric mean over uniform and normal."
    return Table(OVERVIEW, header, rows, note)


def run() -> list[Table]:
    task = Task(WIDE, 0.0, 1000, uniform_quantiles(9), PureDP(EPSILON))
    _, missing = answers(task, np.random.default_rng(0))
    if missing:
        print(f"Peers not measured: {'; '.join(missing)}. To install them: {INSTALL}", flush=True)
    *each, overall = tables()
    # without peers nothing is compared, and the run is not a complete one
    return [about(missing), *([] if missing else [overall]), *each]


def about(missing: list[str]) -> Table:
    """How the comparison was made, in front of its tables."""
    how = [
        [
            "ours",
            "add/remove one record, pure ε, default parameters; ages with resolution 1, and "
            "every answer on ages is judged at the nearest year",
        ],
        [
            "OpenDP private_quantile",
            f"ε/m for each quantile; candidates every {STEP} (ages: every year)",
        ],
        [
            "OpenDP b-ary tree",
            "4,096 leaves as AggTree without a resolution (ages: one a year), its own fanout, "
            "Laplace, consistent, quantiles from counts",
        ],
        ["diffprivlib quantile", "ε/m for each quantile; ties as they are, as with OpenDP"],
    ]
    note = (
        "Mean gap in records over m uniform quantiles; time from the raw array to the quantiles, "
        "median over trials; every mechanism on the same values, in turns. Part of OpenDP's time "
        "pays for exact sampling from a cryptographic source, which this project does not claim."
    )
    if missing:
        note += f" Not measured here: {'; '.join(missing)}; `{INSTALL}`."
    return Table(HOW, ("mechanism", "setting"), how, note)
