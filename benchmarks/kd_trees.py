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
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.spatial.kd_cell import KdCell
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.protocol import SpatialMechanism


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
    pure = PureDP(0.5)
    jobs: list[tuple[str, SpatialMechanism, Budget, str]] = [
        (KD_HYBRID, KdTree.hybrid(8), pure, "≤ .9 s"),
        (KD_STANDARD, KdTree(8), pure, "≤ 1.6 s"),
        ("kd-standard in ρ, h = 8", KdTree(8), ZCDP(0.125), "none set"),
        ("kd-noisymean, h = 8", KdTree(8, NoisyMeanMedian()), pure, "none set"),
        ("kd-standard, cell medians", KdTree(8, CellMedian()), pure, "none set"),
        ("kd-standard, sampled 1 %", KdTree(8, SampledMedian()), pure, "none set"),
        ("kd-standard, smooth", KdTree(8, SmoothMedian()), ApproxDP(0.5, 1e-4), "none set"),
        ("kd-cell, cells of .01", KdCell.of_size(points.box, 0.01), pure, "none set"),
        ("kd-true (not private)", KdTrue(8), pure, "none set"),
        ("kd-pure (not private)", KdPure(8), pure, "none set"),
        ("kd-hybrid, h = 11", KdTree.hybrid(11), pure, "none set"),
        ("kd-standard, h = 11", KdTree(11), pure, "none set"),
    ]
    rows = []
    for what, tree, budget, target in jobs:
        seconds, _ = best_time(tree, points, budget)
        print(f"{what:<32} {seconds:6.2f} s   target {target}", flush=True)
        rows.append(Row(what, 1e3 * seconds, "ms"))
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
