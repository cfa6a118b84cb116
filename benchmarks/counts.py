"""A thousand million records as counts of their values: releases, and the memory they take.

The memory is that of a process of its own, from its start on.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from benchmarks.results import Speeds
from benchmarks.targets import COUNTS_AQ, COUNTS_JOINT, COUNTS_MEMORY, COUNTS_TIES, COUNTS_TREE, Row
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp

TITLE = "From counts alone"
RECORDS, VALUES, TIED = 10**9, 10**5, 10**7
ASKED = [k / 100 for k in range(1, 100)]
REPEATS = 5
MEASURES = (COUNTS_AQ, COUNTS_TREE, COUNTS_JOINT, COUNTS_MEMORY, COUNTS_TIES, TITLE)
MEMORY = "import benchmarks.counts as counts; counts.alone()"


def many(records: int = RECORDS, values: int = VALUES) -> Column:
    """Unequal counts of so many values, about so many records in all."""
    share = np.random.default_rng(9).random(values) + 0.1
    counts = np.maximum(1, share / share.sum() * records).astype(np.int64)
    return Column.from_counts(np.arange(values), counts, Bounds(0, values - 1), 1)


def best(call: Callable[[], object]) -> float:
    """The least of several seconds."""
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def releases(column: Column) -> list[Row]:
    """One release of each kind."""
    budget, rng = PureDP(1), np.random.default_rng(3)
    quantiles, tree = ApproximateQuantiles(), CountTree(2, 20)
    return [
        Row(COUNTS_AQ, 1e3 * best(lambda: quantiles.release(column, ASKED, budget, _bits())), "ms"),
        Row(COUNTS_TREE, 1e3 * best(lambda: tree.release(column, budget, _bits())), "ms"),
        Row(COUNTS_JOINT, 1e3 * best(lambda: JointExp().release(column, ASKED, budget, rng)), "ms"),
    ]


def _bits() -> SecureBits:
    return SecureBits.fresh()


def alone() -> None:
    """In a process of its own: the rows and the most memory, in MB, as one line of JSON."""
    found = releases(many())
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            [*([row.name, row.value, row.unit] for row in found), [COUNTS_MEMORY, most, "MB"]]
        )
    )


def rows() -> list[Row]:
    """The releases of 10^9 records with their memory, and one of 10^7 records on 100 values."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, check=True, text=True
    )
    found = [Row(*row) for row in json.loads(done.stdout)]
    tied = Column.from_values(np.random.default_rng(4).integers(0, 100, TIED), Bounds(0, 99), 1)
    release = best(lambda: ApproximateQuantiles().release(tied, ASKED, PureDP(1), _bits()))
    return [*found, Row(COUNTS_TIES, 1e3 * release, "ms")]


def run() -> list[Speeds]:
    """All rows, with what was measured."""
    found = rows()
    note = (
        f"{RECORDS:,} records on {VALUES:,} values, releases with secure bits but JointExp's, the "
        "best of several; the memory is that of a process that does nothing else."
    )
    return [Speeds(TITLE, found, note)]


if __name__ == "__main__":
    run()
