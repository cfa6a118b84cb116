"""Bins: what a tree costs in one bin and saves in many, and how often an interval holds its bin.

Errors are exact; intervals are those of 200 releases of a sample. Run by hand or `make bench`.
"""

from __future__ import annotations

import numpy as np

from benchmarks.results import Table
from dpviz.answers.quantiles.bins import EQUAL, TREE, BinChoice, answer, errors_of
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Budget, Neighbours, PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.noise import Noise
from dpviz.intake.samples import sample_column
from dpviz.mechanisms.counting.by_group import release_by_group
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.people.data import person_groups

SIZES = (4, 16, 64, 256)
BUDGETS: tuple[Budget, ...] = (PureDP(0.1), ZCDP(0.01))
SAMPLES = ("exam", "ages", "salaries")
RUNS = 200
ERRORS = "Bins of a tree: error over plain noise, in a bin and in half of all bins"
HELD = "Bins: shares of true counts within their intervals of 19 in 20"
OF_PEOPLE = "Bins by group of people with several rows, ε = 1 a person: k rows that count"
MEASURES = (ERRORS, HELD, OF_PEOPLE)
PERSONS, GROUPS, MOST = 5_000, 3, 8
KEPT = (1, 2, 4, MOST)
NOTE = (
    f"{PERSONS:,} people with 1 to {MOST} rows in {GROUPS} groups of 10 bins. A person's loss is "
    "Σ |change| over the scale, the largest of all people: bounded over all groups together, and "
    f"apart in each. Errors are root mean squares over all bins of {RUNS} releases."
)


def run() -> list[Table]:
    """Print and return both tables."""
    errors = []
    for budget in BUDGETS:
        found = [errors_of(_choice(TREE, size, budget)) for size in SIZES]
        times = (f"{one.times:.2f}, {one.times_of_half:.2f}" for one in found)
        errors.append([f"{budget}", *times])
        print(*errors[-1], flush=True)
    held = [_held(name) for name in SAMPLES]
    people = [_of_people(most) for most in KEPT]
    header = ("budget", *(f"{size} bins" for size in SIZES))
    return [
        Table(ERRORS, header, errors, "Exact, add/remove; below 1 the tree errs less."),
        Table(HELD, ("column", EQUAL, TREE), held, f"{RUNS} releases of 64 bins at ε = 0.1."),
        Table(
            OF_PEOPLE,
            (
                "k",
                "within, 19 in 20",
                "rows that count",
                "off from those",
                "off from all rows",
                "loss, together",
                "loss, apart",
            ),
            people,
            NOTE,
        ),
    ]


def _choice(kind: str, bins: int, budget: Budget) -> BinChoice:
    return BinChoice(kind, bins, (), budget, Neighbours.ADD_REMOVE)


def _held(name: str) -> list[str]:
    column, shares = sample_column(name), []
    for kind in (EQUAL, TREE):
        asked, rng = _choice(kind, 64, PureDP(0.1)), np.random.default_rng(1)
        inside = []
        for _ in range(RUNS):
            made = release_by_group(asked.mechanism, {"": column}, asked.budget, rng)
            found = answer(asked, made.releases, {"": column})
            errors = found.groups[0].errors
            assert errors is not None
            inside.append(float((np.abs(errors) <= found.law.half).mean()))
        shares.append(f"{np.mean(inside):.3f}")
    print(name, *shares, flush=True)
    return [name, *shares]


def _of_people(most: int) -> list[str]:
    """What bounding a person's rows costs in bias and in noise, and what a person loses."""
    rng, rows, bounds = np.random.default_rng(6), PersonRows.at_most(most), Bounds(0, 10)
    persons = np.repeat(np.arange(PERSONS), rng.integers(1, MOST + 1, PERSONS))
    values = np.floor(rng.uniform(0, 10, persons.size))
    at = rng.integers(0, GROUPS, persons.size)
    masks = [at == group for group in range(GROUPS)]
    columns = person_groups(persons, values, masks, bounds, 1.0, rows, rng)
    mechanism, budget = Histogram(bins=10), rows.row_budget(PureDP(1))
    made = [
        release_by_group(mechanism, dict(zip("abc", columns, strict=True)), budget, rng)
        for _ in range(RUNS)
    ]
    counts = np.array([[one.releases[name].counts for name in "abc"] for one in made])
    edges = mechanism.edges_within(bounds)
    kept = np.array([np.histogram(one.values, edges)[0] for one in columns])
    every = np.array([np.histogram(values[mask], edges)[0] for mask in masks])
    scale = mechanism.scale(budget)
    own = np.bincount(persons)
    inside = np.array([np.bincount(persons[mask], minlength=PERSONS) for mask in masks])
    together = np.minimum(own, most).max() / scale
    apart = np.minimum(inside, most).sum(axis=0).max() / scale
    assert kept.sum() == np.minimum(own, most).sum()
    found = [
        f"{most}", f"± {Noise.DISCRETE_LAPLACE.reach(scale, 0.95):g}",
        f"{kept.sum():,} of {every.sum():,}", f"{_root(counts - kept):.1f}",
        f"{_root(counts - every):.1f}", f"{together:.2f}", f"{apart:.2f}",
    ]  # fmt: skip
    print(*found, flush=True)
    return found


def _root(off: FloatArray) -> float:
    return float(np.sqrt(np.mean(off**2)))


if __name__ == "__main__":
    run()
