"""When buckets from the data (DAWA) pay: beside plain noise and a tree, on samples with a column.

Root mean square error of a bin over plain noise, and of a running count over the tree's, 2^8 bins,
add/remove, 60 releases at each ε. Run by hand or `make bench`.
"""

from __future__ import annotations

import numpy as np

from benchmarks.results import Table
from dpviz.experiments.planning.bucket_study import RUNS, bucket_study
from dpviz.intake.samples import sample_column
from dpviz.mechanisms.counting.count_tree import CountTree

SAMPLES = ("exam", "ages", "hours", "salaries", "uniform", "normal")
EPSILONS = (0.001, 0.01, 0.1, 1.0, 10.0)
HEIGHT = 8
BINS = "Buckets from the data: error of a bin over plain noise"
RUNNING = "Buckets from the data: error of a running count over a binary tree's"
MEASURES = (BINS, RUNNING)


def run() -> list[Table]:
    """Print and return both tables."""
    bins, running = [], []
    for name in SAMPLES:
        study = bucket_study(
            sample_column(name), CountTree(2, HEIGHT), np.random.default_rng(1), RUNS, EPSILONS
        )
        for rows, errors, usual in (
            (bins, study.bins, study.bins.plain),
            (running, study.running, study.running.tree),
        ):
            rows.append([name, *(f"{one:.2f} ×" for one in errors.joined / usual)])
        print(*bins[-1], "|", *running[-1], flush=True)
    header = ("column", *(f"ε = {one:g}" for one in EPSILONS))
    of = f"2^{HEIGHT} bins, {RUNS} releases at each ε, add/remove; below 1 buckets err less."
    return [
        Table(BINS, header, bins, of),
        Table(RUNNING, header, running, of),
    ]


if __name__ == "__main__":
    run()
