"""Speed of what studies and views draw often: running counts, averages and bands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import targets
from benchmarks.quantiles import show, timings
from benchmarks.targets import Row
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.experiments.planning.beforehand import planned
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.mechanisms.counting.prefix_sums import PrefixSums

BINS, ROWS = 1 << 20, 10**6
KINDS = ("continuous", "integers spread")
MEASURES = (targets.PREFIXES, targets.AVERAGING, *map(targets.bands, KINDS))


def running_counts(rng: np.random.Generator) -> Iterator[Row]:
    """One release of all prefixes of 10^5 records, over a plain FFT of as many numbers."""
    column = Column.from_values(rng.random(10**5), Bounds(0, 1))
    mechanism, noise = PrefixSums(BINS), rng.normal(size=BINS)
    (ours, best), (fft, best_fft) = timings(
        9, lambda: mechanism.release(column, ZCDP(0.5), rng), lambda: np.fft.fft(noise)
    )
    show("2^20 running counts", f"{1e3 * ours:.0f} ms, {ours / fft:.2f} × an FFT", "≤ 4.5 ×")
    yield Row(targets.PREFIXES, best / best_fft, "×")


def averaging(rng: np.random.Generator) -> Iterator[Row]:
    """Draws of one quantile, where every value must be spread over its cell anew."""
    column = Column.from_values(rng.normal(50, 10, ROWS), Bounds(0, 100), 1.0)
    query = QuantileQuery(0.5, Neighbours.ADD_REMOVE)
    ((seconds, best),) = timings(3, lambda: query.release_many(column, PureDP(0.1), rng, 1000))
    show(targets.AVERAGING, f"{seconds:.2f} s", "≤ 1 s")
    yield Row(targets.AVERAGING, best, "s")


def bands(rng: np.random.Generator) -> Iterator[Row]:
    """Runs of all methods in pure ε, as behind the bands of Quantiles."""
    asked = QuantileSet.of(DECILES)
    columns = ((rng.normal(50, 10, ROWS), 0.0), (rng.integers(0, 100, ROWS), 1.0))
    for what, (values, resolution) in zip(KINDS, columns, strict=True):
        column = Column.from_values(values, Bounds(0, 100), resolution)

        def all_methods(column: Column = column) -> None:
            for one in planned().values():
                one.release_many(column, asked, PureDP(1.0), rng, 200)

        all_methods()
        ((seconds, best),) = timings(3, all_methods)
        show(targets.bands(what), f"{seconds:.3f} s", "≤ .2 s")
        yield Row(targets.bands(what), best, "s")


def run() -> list[Row]:
    rng = np.random.default_rng(20260103)
    return [*running_counts(rng), *averaging(rng), *bands(rng)]


if __name__ == "__main__":
    run()
