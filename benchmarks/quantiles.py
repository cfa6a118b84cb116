"""Speed of ApproximateQuantiles, IndependentExp and the making of a column."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from benchmarks import targets
from benchmarks.targets import Row
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, uniform_quantiles
from dpviz.mechanisms.exponential.composition import bounded_range_epsilon_for
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp

BOUNDS = Bounds(-100, 100)
MANY = uniform_quantiles(120)
RUNS = {
    f"{label}, 50 runs, m = 9, n = 10^6 integers spread": mechanism
    for label, mechanism in (("AQ", ApproximateQuantiles()), ("JointExp", JointExp()))
}
MEASURES = (
    targets.AQ_LARGE,
    targets.AQ_GROWTH,
    targets.AQ_FIRST,
    targets.AQ_RUNS,
    targets.COLUMN,
    targets.INDEPENDENT,
    *RUNS,
)


def prepared(rng: np.random.Generator, n: int) -> Column:
    """A continuous column whose cached properties are computed, as after a first release."""
    column = Column.from_values(rng.normal(scale=5, size=n), BOUNDS)
    assert not column.tied
    return column


def timings(repeats: int, *jobs: Callable[[], object]) -> list[tuple[float, float]]:
    """(median, least) seconds of each job."""
    # taken in turns, so that a busy moment of the machine hits all alike
    times = [[_seconds(job) for job in jobs] for _ in range(repeats)]
    return [(sorted(column)[repeats // 2], min(column)) for column in zip(*times, strict=True)]


def _seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def show(what: str, found: str, target: str) -> None:
    print(f"{what:<58} {found:<34} target {target}", flush=True)


def approximate_quantiles(rng: np.random.Generator) -> Iterator[Row]:
    mechanism = ApproximateQuantiles()
    small, million, large = (prepared(rng, n) for n in (10**4, 10**6, 10**7))

    def release(column: Column) -> None:
        mechanism.release(column, MANY, PureDP(1.0), rng)

    jobs = [lambda c=column: release(c) for column in (small, large)]
    (at_small, best_small), (at_large, best_large) = timings(101, *jobs)
    found = f"{1e3 * at_large:.2f} ms, {at_large / at_small:.2f} × 10^4 ({1e3 * at_small:.2f} ms)"
    show("AQ release, m = 120, n = 10^7", found, "≤ 10 ms, ≤ 1.8 ×")
    yield Row(targets.AQ_LARGE, 1e3 * best_large, "ms")
    yield Row(targets.AQ_GROWTH, best_large / best_small, "×")
    # columns of the same records that have nothing worked out yet
    new = [[replace(column) for _ in range(31)] for column in (small, large)]
    firsts = [lambda some=columns: release(some.pop()) for columns in new]
    (first_small, best_small), (first_large, best_large) = timings(31, *firsts)
    found = f"{1e3 * first_large:.2f} ms, {first_large / first_small:.2f} × 10^4"
    show("AQ, a column's first release", found, "≤ 3 ×")
    yield Row(targets.AQ_FIRST, best_large / best_small, "×")
    ((many, best),) = timings(
        5, lambda: mechanism.release_many(million, DECILES, PureDP(1.0), rng, 1000)
    )
    show("AQ release_many, 1,000 runs, m = 9, n = 10^6", f"{many:.3f} s", "≤ .3 s")
    yield Row(targets.AQ_RUNS, 1e3 * best, "ms")


def tied_and_spread(rng: np.random.Generator) -> Iterator[Row]:
    ages = rng.integers(17, 90, 10**6)
    mechanism = ApproximateQuantiles()
    for what, resolution in (("left tied", 0.0), ("spread (O(n))", 1.0)):
        column = Column.from_values(ages, Bounds(0, 120), resolution)
        mechanism.release(column, DECILES, PureDP(1.0), rng)
        one = lambda c=column: mechanism.release(c, DECILES, PureDP(1.0), rng)  # noqa: E731
        ((seconds, _),) = timings(5, one)
        show(f"AQ release, m = 9, n = 10^6 ages {what}", f"{1e3 * seconds:.2f} ms", "none set")
    for name, one in RUNS.items():
        many = lambda m=one: m.release_many(column, DECILES, PureDP(1.0), rng, 50)  # noqa: E731
        ((seconds, best),) = timings(5, many)
        show(name, f"{1e3 * seconds:.2f} ms", "none set")
        yield Row(name, 1e3 * best, "ms")


def making_a_column(rng: np.random.Generator) -> Iterator[Row]:
    values = rng.normal(scale=5, size=10**7)
    (ours, best), (sort, best_sort) = timings(
        5, lambda: Column.from_values(values, BOUNDS), lambda: np.sort(values)
    )
    show("Column.from_values, n = 10^7", f"{ours:.2f} s, {ours / sort:.2f} × np.sort", "≤ 2.5 ×")
    yield Row(targets.COLUMN, best / best_sort, "×")


def independent_exp(rng: np.random.Generator) -> Iterator[Row]:
    mechanism, column, budget = IndependentExp(), prepared(rng, 10**6), ApproxDP(1.0, 1e-6)

    def calibrated() -> None:
        bounded_range_epsilon_for.cache_clear()
        mechanism.release(column, MANY, budget, rng)

    (first, best), (later, _) = timings(
        51, calibrated, lambda: mechanism.release(column, MANY, budget, rng)
    )
    found = f"{1e3 * first:.2f} ms, again {1e3 * later:.2f} ms"
    show("AppIndExp, m = 120, calibration included, n = 10^6", found, "≤ 10 ms")
    yield Row(targets.INDEPENDENT, 1e3 * best, "ms")


def run() -> list[Row]:
    rng = np.random.default_rng(20260101)
    rows = [*approximate_quantiles(rng), *making_a_column(rng), *independent_exp(rng)]
    return [*rows, *tied_and_spread(rng)]


if __name__ == "__main__":
    run()
