"""kd-trees: time to build and release each of them, and the private medians by depth.

1.63 million made-up points in the box of Cormode et al. 2012, in towns and along roads.
"""

from __future__ import annotations

import time

import numpy as np

from benchmarks.targets import KD_HYBRID, KD_STANDARD, Row
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, PureDP
from dpviz.core.data.points import Points
from dpviz.core.spatial.release import Decomposition
from dpviz.experiments.papers.medians import medians_by_depth, uniform_column
from dpviz.experiments.papers.roads import SEED as ROADS
from dpviz.experiments.papers.roads import road_points
from dpviz.experiments.planning.spatial_queries import PAPER_BOX
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.protocol import SpatialMechanism

PURE = PureDP(0.5)
JOBS: dict[str, tuple[SpatialMechanism, Budget]] = {
    KD_HYBRID: (KdTree.hybrid(8), PURE),
    KD_STANDARD: (KdTree(8), PURE),
    "kd-standard in ρ, h = 8": (KdTree(8), ZCDP(0.125)),
    "kd-noisymean, h = 8": (KdTree(8, NoisyMeanMedian()), PURE),
    "kd-standard, cell medians": (KdTree(8, CellMedian()), PURE),
    "kd-standard, sampled 1 %": (KdTree(8, SampledMedian()), PURE),
    "kd-standard, smooth": (KdTree(8, SmoothMedian()), ApproxDP(0.5, 1e-4)),
    "kd-cell, cells of .01": (KdCell.of_size(PAPER_BOX, 0.01), PURE),
    "kd-true (not private)": (KdTrue(8), PURE),
    "kd-pure (not private)": (KdPure(8), PURE),
    "kd-hybrid, h = 11": (KdTree.hybrid(11), PURE),
    "kd-standard, h = 11": (KdTree(11), PURE),
}
MEASURES = tuple(JOBS)


def best_time(
    tree: SpatialMechanism, points: Points, budget: Budget
) -> tuple[float, Decomposition]:
    """Seconds of the fastest of three releases, and the last release."""
    taken = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        start = time.perf_counter()
        release = tree.release(points, budget, rng)
        taken.append(time.perf_counter() - start)
    return min(taken), release


def speeds() -> list[Row]:
    points = road_points(np.random.default_rng(ROADS))
    rows = []
    for what, (tree, budget) in JOBS.items():
        seconds, _ = best_time(tree, points, budget)
        rows.append(Row(what, 1e3 * seconds, "ms"))
        to_reach = rows[-1].target
        limit = f"≤ {to_reach.limit:g} ms" if to_reach else "none set"
        print(f"{what:<32} {seconds:6.2f} s   target {limit}", flush=True)
    return rows


def medians() -> None:
    rng = np.random.default_rng(20260102)
    frame = medians_by_depth(uniform_column(rng), rng, runs=5)
    order = frame["method"].unique()
    for what, scale in (("error", 100.0), ("seconds", 1e3)):
        unit = "rank error in %" if what == "error" else "milliseconds a level"
        print(f"{unit}, 2^20 uniform points, ε = .01 a level, by depth")
        table = frame.pivot_table(index="method", columns="depth", values=what).loc[order] * scale
        print(table.to_string(float_format="{:.2f}".format))


def run() -> list[Row]:
    rows = speeds()
    medians()
    return rows


if __name__ == "__main__":
    run()
