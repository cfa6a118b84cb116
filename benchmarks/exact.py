"""What exactness costs: releases with secure bits beside the limits that were set for them.

The rows are those of on_points and trees, as one table of their own in RESULTS.md.
"""

from __future__ import annotations

import numpy as np

from benchmarks import results
from benchmarks.on_points import exact_quantiles
from benchmarks.results import Table, speed_table
from benchmarks.targets import Row
from benchmarks.trees import whole_speed

TITLE = "Exact releases with secure bits"


def rows() -> list[Row]:
    """Quantiles of 10^6 records, trees of 2^20 leaves, maps of 10^6 points."""
    rng = np.random.default_rng(20260101)
    return [*exact_quantiles(rng), *whole_speed(rng)]


def run() -> list[Table]:
    """Measure, and put the table into RESULTS.md."""
    speeds = speed_table(rows())
    note = (
        "In one process, the best of several repetitions; continuous noise and a study's run (many "
        "draws at once, in doubles) come from a seeded generator. A study's run on a continuous "
        "column looks at a few of its records only; a release maps each of them to a point."
    )
    table = Table(TITLE, speeds.header, speeds.cells, note)
    results.replace_table(table)
    return [table]


if __name__ == "__main__":
    run()
