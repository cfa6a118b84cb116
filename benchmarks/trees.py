"""Noisy trees: the variance table and the speeds of issue 3. Run by hand or `make bench`."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from benchmarks import targets
from benchmarks.targets import Row
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, Budget, PureDP
from dpviz.core.data.column import Column
from dpviz.core.data.points import Points
from dpviz.core.randomness.bits import Randomness, SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.splits.optimal_split import optimal_split
from dpviz.estimators.splits.workloads import all_ranges, prefixes, random_ranges, single_leaves
from dpviz.estimators.trees.band import cdf_band
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.covariance import node_weights
from dpviz.estimators.trees.least_squares import estimated
from dpviz.estimators.trees.level_estimates import (
    efficient_levels,
    from_above_levels,
    from_below_levels,
)
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.estimators.trees.workload import query_variance, range_energies
from dpviz.experiments.papers.tree_study import HONAKERS_VARIANCE, honaker_simulation, honaker_table
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.noisy_counts import add_noise
from dpviz.mechanisms.counting.workload_split import workload_optimal, workload_variance
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.quadtree import Quadtree

MEASURES = (targets.EFFICIENT, targets.MANY_TREES, targets.SPLIT, targets.BAND)


def best_of(work: Callable[[], object], repeats: int = 5) -> float:
    """Seconds, the best of a few."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def flat_noise(height: int, root: Root = Root.RELEASED) -> TreeNoise:
    """A binary tree of Laplace noise, the budget shared evenly."""
    return TreeNoise(2, Noise.LAPLACE, (height + 1.0,) * (height + 1), root)


def variance_table() -> Iterator[str]:
    """Var/σ² by level, and Honaker's claim for nodes near the root of a tall tree."""
    table = honaker_table()
    yield f"Var/σ², binary, constant noise; Honaker prints {HONAKERS_VARIANCE:.4f} near the root"
    for (height, root), part in table.groupby(["height", "root"], sort=False):
        for name, rows in part.groupby("estimator", sort=False):
            if name != "raw":
                values = "".join(f"{ratio:8.4f}" for ratio in rows["ratio"][:7])
                yield f"height {height:2d} N {root:9s}{name:11s}{values}"
    simulated = honaker_simulation(np.random.default_rng(0))
    means = simulated.groupby(["estimator", "level"], sort=False)["mse"].mean() / 9
    for name, rows in means.groupby(level=0, sort=False):
        yield f"simulated 10,000 trees    {name:11s}" + "".join(f"{value:8.4f}" for value in rows)


def split_table() -> Iterator[str]:
    """Variance on three workloads under four splits, relative to the workload-optimal one."""
    yield "variance over that of the workload-optimal split: uniform, geometric 2^⅓, leaves only"
    rivals = (LevelBudget.uniform(), LevelBudget.geometric(2 ** (1 / 3)), LevelBudget.leaves_only())
    workloads = {"all ranges": all_ranges, "prefixes": prefixes, "single leaves": single_leaves}
    for noise, budget in ((Noise.LAPLACE, PureDP(1)), (Noise.GAUSSIAN, ZCDP(0.5))):
        for height, (name, workload) in itertools.product((10, 20), workloads.items()):
            energies = workload(TreeShape(2, height))
            tree, split = workload_optimal(CountTree(2, height, noise=noise), budget, energies)
            best = workload_variance(tree, budget, energies)
            trees = (CountTree(2, height, levels, noise) for levels in rivals)
            others = (workload_variance(rival, budget, energies) for rival in trees)
            ratios = "".join(f"{other / best:10.2f}" for other in others)
            levels = [level for level, share in enumerate(split.shares) if share > 0]
            yield f"{noise:9s} height {height:2d} {name:14s}{ratios}   levels released {levels}"


def speed() -> Iterator[str | Row]:
    """The table of issue 3, and a few more."""
    rng = np.random.default_rng(0)
    noise = flat_noise(20)
    sizes = [2**level for level in range(21)]
    drawing = best_of(lambda: [rng.laplace(0, 21.0, size) for size in sizes])
    levels = noise.simulate(1, rng)
    single = Levels(2, tuple(counts[0] for counts in levels.counts), levels.variances)
    taken = best_of(lambda: efficient_levels(single))
    yield f"efficient, 2^20 leaves: {1e3 * taken:.0f} ms, {taken / drawing:.2f} × drawing (≤ 4)"
    yield Row(targets.EFFICIENT, taken / drawing, "×")
    uneven = tuple(rng.uniform(1, 2, size) for size in sizes)
    by_node = Levels(2, single.counts, uneven)
    taken = best_of(lambda: efficient_levels(by_node), 3)
    yield f"  with a variance of its own for every node: {taken / drawing:.2f} × drawing"
    many = flat_noise(4).simulate(10_000, rng)
    three = from_below_levels, from_above_levels, efficient_levels
    taken = best_of(lambda: [one(many) for one in three])
    yield f"10,000 trees of 16 leaves, three estimators: {1e3 * taken:.0f} ms (≤ 200)"
    yield Row(targets.MANY_TREES, 1e3 * taken, "ms")
    shape = TreeShape(2, 20)
    ranges = random_ranges(shape, 1000, rng)
    slowest = 0.0
    for quadratic in (False, True):
        taken = best_of(
            lambda quadratic=quadratic: optimal_split(
                range_energies(shape, *ranges), 2, Root.RELEASED, quadratic=quadratic
            )
        )
        law = "Laplace" if quadratic else "Gaussian"
        yield f"best split, height 20, 1,000 ranges, {law}: {1e3 * taken:.1f} ms (≤ 500)"
        slowest = max(slowest, taken)
    yield Row(targets.SPLIT, 1e3 * slowest, "ms")
    yield from cdf_speed(rng)
    query = rng.normal(size=2**20)
    taken = best_of(lambda: query_variance(single, query), 3)
    yield f"variance of a linear query, 2^20 leaves: {1e3 * taken:.0f} ms"
    taken = best_of(lambda: node_weights(single, 3, 2), 3)
    yield f"weights of all measurements in one node, 2^20 leaves: {1e3 * taken:.0f} ms"


def whole_speed(rng: np.random.Generator) -> Iterator[Row]:
    """Noise on whole numbers from secure bits against continuous noise, and maps with it."""
    bits, exact = SecureBits.fresh(), [np.zeros(2**level) for level in range(21)]
    for name, budget in ((targets.WHOLE_TREE, PureDP(1)), (targets.WHOLE_TREE_RHO, ZCDP(0.5))):

        def drawing(noise: Noise, given: Randomness, budget: Budget = budget) -> float:
            scales = CountTree(2, 20, noise=noise).level_scales(budget)
            return best_of(lambda: add_noise(exact, 2, noise, scales, given, runs=1))

        plain = drawing(Noise.continuous_for(budget), rng)
        yield Row(name, drawing(Noise.for_budget(budget), bits) / plain, "×")
    side = Bounds(-4, 4)
    points = Points.from_xy(*rng.normal(size=(2, 10**6)).clip(-4, 4), Box(side, side))
    taken = best_of(lambda: Quadtree(10).release(points, PureDP(1), bits))
    yield Row(targets.WHOLE_QUADTREE, 1e3 * taken, "ms")
    plain = best_of(lambda: KdTree(8, noise=Noise.LAPLACE).release(points, PureDP(1), rng), 3)
    taken = best_of(lambda: KdTree(8).release(points, PureDP(1), bits), 3)
    yield Row(targets.WHOLE_KD_TREE, taken / plain, "×")


def cdf_speed(rng: np.random.Generator) -> Iterator[str | Row]:
    """A CDF with both bands from 2,000 noise trees, 1,024 leaves; and releases."""
    values = np.clip(np.random.default_rng(1).normal(40, 14, 50_000), 0, 128)
    column, slowest = Column.from_values(values, Bounds(0, 128)), 0.0
    for law, reading in itertools.product(
        (Noise.LAPLACE, Noise.DISCRETE_LAPLACE), (TreeEstimator.RAW, TreeEstimator.EFFICIENT)
    ):
        tree = CountTree(2, 10, noise=law)

        def whole(tree: CountTree = tree, reading: TreeEstimator = reading) -> None:
            released = tree.release(column, PureDP(0.1), rng)
            read = estimated(released, reading)
            curve = cdf(read)
            monotone(curve)
            cdf_band(read, rng)

        taken = best_of(whole)
        slowest = max(slowest, taken)
        yield (
            f"CDF with simultaneous band, 1,024 leaves, {law}, {reading}: "
            f"{1e3 * taken:.0f} ms (≤ 500)"
        )
    yield Row(targets.BAND, 1e3 * slowest, "ms")
    for law in (Noise.LAPLACE, Noise.DISCRETE_LAPLACE):
        tree = CountTree(2, 20, noise=law)
        taken = best_of(lambda tree=tree: tree.release(column, PureDP(1), rng), 3)
        yield f"release of 2^20 leaves, {law}: {1e3 * taken:.0f} ms"


def shown(lines: Iterable[str | Row]) -> list[Row]:
    """Print the texts as they come, keep the rows."""
    rows = []
    for line in lines:
        if isinstance(line, Row):
            rows.append(line)
        else:
            print(line, flush=True)
    return rows


def speeds() -> list[Row]:
    """Only what is timed."""
    return shown(speed())


def run() -> list[Row]:
    """Print all rows."""
    return shown(itertools.chain(variance_table(), split_table(), speed()))


if __name__ == "__main__":
    run()
