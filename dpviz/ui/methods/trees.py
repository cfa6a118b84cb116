"""Pictures of noisy trees and of what is read off them; releases of the exam marks."""

from collections.abc import Callable, Mapping

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.trees.release import TreeRelease
from dpviz.counts.levels import count_levels
from dpviz.estimators.splits.prefix_fanout import prefix_variance
from dpviz.estimators.splits.workloads import all_ranges
from dpviz.estimators.trees.band import cdf_band
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.least_squares import efficient
from dpviz.estimators.trees.quantile_intervals import quantile_interval
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.experiments.papers.tree_study import variances_by_level
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.dawa import Dawa
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.mechanisms.counting.place_counts import PlaceCounts
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.counting.signed_digits import SignedDigits
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.mechanisms.local.counts import LocalCounts
from dpviz.metrics.tree import true_running_counts
from dpviz.ui.kit.gallery import shapes
from dpviz.ui.kit.gallery.shapes import Shape, Still
from dpviz.ui.methods import canvas

TREE = CountTree(2, 4)
BUDGET = PureDP(0.1)


def _drawn(column: Column, rng: np.random.Generator, tree: CountTree = TREE) -> TreeRelease:
    return tree.release(column, BUDGET, rng)


def noisy_counts(column: Column, rng: np.random.Generator) -> Still:
    """The counts of a tree as bars, the true ones as ticks."""
    tree, exact = _drawn(column, rng, CountTree(2, 3)), count_levels(column, CountTree(2, 3).shape)
    found: list[Shape] = []
    for level, counts in enumerate(tree.counts):
        floor, top = 37.0 + 34 * level, max(float(counts.max()), float(np.max(exact[level])))
        width = (canvas.RIGHT - canvas.LEFT) / counts.size
        found.append(canvas.bars(counts, floor, 26 * float(counts.max()) / top, "blue", 0.55))
        for at, one in enumerate(np.asarray(exact[level], np.float64)):
            left = canvas.LEFT + width * at + 1
            high = floor - 26 * one / top
            found.append(shapes.stroke([left, left + width - 2], [high, high], "truth", 2))
    return canvas.drawn(found)


def in_bins(column: Column, rng: np.random.Generator) -> Still:
    """The counts of bins as bars, the true ones as ticks."""
    release = Histogram(bins=16).release(column, PureDP(0.02), rng)
    truth = np.diff(true_running_counts(column, release.edges))
    floor, top = 138.0, float(max(truth.max(), release.counts.max()))
    found: list[Shape] = [
        canvas.bars(release.counts, floor, 120 * float(release.counts.max()) / top, "blue", 0.55)
    ]
    width = (canvas.RIGHT - canvas.LEFT) / truth.size
    for at, one in enumerate(truth.tolist()):
        left, high = canvas.LEFT + width * at + 1, floor - 120 * one / top
        found.append(shapes.stroke([left, left + width - 2], [high, high], "truth", 2))
    return canvas.drawn(found)


def split_for_ranges(_: Column, __: np.random.Generator) -> Still:
    """Shares of the levels: even in grey, best for all ranges in blue."""
    tree = CountTree(2, 7)
    _best, split = workload_optimal(tree, BUDGET, all_ranges(tree.shape))
    even, best = np.full(8, 1 / 8), np.asarray(split.shares)
    width = (canvas.RIGHT - canvas.LEFT) / 8
    scale = 116 / max(best.max(), even.max())
    found = [canvas.base_line(134.0)]
    for at, (one, other) in enumerate(zip(even, best, strict=True)):
        left = canvas.LEFT + width * at
        found.append(shapes.bars([(left + 6, 134 - scale * one, 15, scale * one)], "grain", 0.6))
        found.append(shapes.bars([(left + 23, 134 - scale * other, 15, scale * other)], "blue"))
    return canvas.drawn(found)


def _by_level(names: tuple[TreeEstimator, ...]) -> Still:
    """The variance of a node of each level: raw in grey, under readings in blue."""
    table = variances_by_level(CountTree(2, 6).tree_noise(BUDGET))
    raw = table[table["estimator"] == "raw"]["variance"].to_numpy(np.float64)
    rows, found = np.linspace(18, 134, raw.size), []
    longest = canvas.RIGHT - canvas.LEFT - 10
    for at, row in enumerate(rows):
        found.append(shapes.stroke([canvas.LEFT, canvas.LEFT + longest], [row, row], "hairline", 9))
        for one, opacity in zip(names, (1.0, 0.45), strict=False):
            own = table[table["estimator"] == one.value]["variance"].to_numpy(np.float64)
            end = canvas.LEFT + longest * own[at] / raw.max()
            found.append(
                shapes.stroke([canvas.LEFT, end], [row, row], "blue", 9, opacity=opacity)
                if len(names) == 1
                else canvas.dot(float(end), float(row), 9 if opacity == 1 else 7)
            )
    return canvas.drawn(found)


def one_sided(_: Column, __: np.random.Generator) -> Still:
    """What each side alone leaves of the variance, two dots a level."""
    return _by_level((TreeEstimator.FROM_ABOVE, TreeEstimator.FROM_BELOW))


def combined(_: Column, __: np.random.Generator) -> Still:
    """What all levels together leave of the variance, a bar a level."""
    return _by_level((TreeEstimator.EFFICIENT,))


def smoothed(column: Column, rng: np.random.Generator) -> Still:
    """A raw CDF as dots, the smoothed one as a line, the truth behind them."""
    tree = CountTree(2, 6).release(column, PureDP(0.02), rng)
    raw = cdf(tree)
    curve = monotone(raw)
    truth = true_running_counts(column, raw.edges)
    x = canvas.across(raw.edges, (raw.edges[0], raw.edges[-1]))
    ends = float(min(raw.counts.min(), 0)), float(max(raw.counts.max(), truth.max()))
    up = [shapes.scaled(one, ends, (140, 8)) for one in (truth, raw.counts, curve.counts)]
    places = list(zip(x.tolist(), up[1].tolist(), strict=True))
    return canvas.drawn(
        [
            shapes.stroke(x, up[0], "truth", 2),
            shapes.dots(places, "blue", 5),
            shapes.stroke(x, up[2], "blue", 3),
        ]
    )


def bands(column: Column, rng: np.random.Generator) -> Still:
    """The band of all points at once, around the curve; no data is in its width."""
    tree = CountTree(2, 6).release(column, PureDP(0.05), rng)
    raw = cdf(tree)
    found = cdf_band(tree, rng)
    curve = monotone(raw).counts
    wide = np.full(curve.size, found.simultaneous)
    x = canvas.across(raw.edges, (raw.edges[0], raw.edges[-1]))
    ends = float((curve - wide).min()), float((curve + wide).max())
    low, high, middle = (
        shapes.scaled(one, ends, (146, 4)) for one in (curve - wide, curve + wide, curve)
    )
    around = np.concatenate((x, x[::-1]))
    band = shapes.area(around, np.concatenate((low, high[::-1])), float(low[0]), "blue", 0.18)
    return canvas.drawn([band, shapes.stroke(x, middle, "blue", 3)])


def by_fanout(_: Column, __: np.random.Generator) -> Still:
    """The typical error of a running count of 1,024 parts for each fanout, and the least one."""
    fanouts = np.arange(2, 33)
    errors = np.sqrt([prefix_variance(1024, int(one), "eps", "efficient") for one in fanouts])
    x = canvas.across(np.log2(fanouts), (1.0, 5.0))
    y = shapes.scaled(errors, (0.0, float(errors.max())), (140, 14))
    best = int(errors.argmin())
    down = shapes.stroke([x[best], x[best]], [y[best], 140], "blue", 1.5)
    place = [(float(x[best]), float(y[best]))]
    return canvas.drawn(
        [
            canvas.base_line(140.0),
            shapes.stroke(x, y, "grain", 2),
            down,
            shapes.dots(place, "blue", 9),
        ]
    )


def between_edges(column: Column, rng: np.random.Generator) -> Still:
    """Three intervals on a released CDF, each at its height, and the true quantiles on them."""
    release = CountTree(2, 6).release(column, PureDP(0.05), rng)
    curve = cdf(efficient(release))
    total = float(curve.counts[-1])
    ends = (float(curve.edges[0]), float(curve.edges[-1]))
    x = canvas.across(curve.edges, ends)
    up = shapes.scaled(curve.counts, (0.0, total), (140, 8))
    found = [shapes.stroke(x, up, "blue", 2)]
    for q in (0.25, 0.5, 0.75):
        low, high = quantile_interval(curve, release.tree_noise, q)
        at = float(shapes.scaled(np.array([q * total]), (0.0, total), (140, 8))[0])
        sides = canvas.across(np.array([low, high]), ends).tolist()
        found.append(shapes.stroke(sides, [at, at], "blue", 9))
        truth = float(np.quantile(column.values, q, method="inverted_cdf"))
        found.append(canvas.true_tick(float(canvas.across(truth, ends)), at))
    return canvas.drawn(found)


def at_every_edge(column: Column, rng: np.random.Generator) -> Still:
    """Running counts at 64 edges as dots, an error to each side, the truth behind them."""
    release = PrefixSums(64).release(column, ZCDP(5e-5), rng)
    truth = true_running_counts(column, release.edges)
    return _running(truth, cdf(release).counts, np.append(0.0, release.standard_errors))


def step_by_step(column: Column, rng: np.random.Generator) -> Still:
    """The same of a stream of 64 steps, by signed digits."""
    truth = true_running_counts(column, np.linspace(column.bounds.low, column.bounds.high, 65))
    stream = SignedDigits(64, PureDP(0.03), rng)
    found = [stream.add(records) for records in np.diff(truth)]
    counts = np.array([0.0, *(float(count[0]) for count, _ in found)])
    return _running(truth, counts, np.sqrt([0.0, *(variance for _, variance in found)]))


def by_reports(column: Column, rng: np.random.Generator) -> Still:
    """The same of 64 bins that people report themselves, errors as far as they add up."""
    release = LocalCounts(fanout=8, height=2).release(column, PureDP(1), rng)
    truth = true_running_counts(column, release.edges)
    counts = np.concatenate(([0.0], np.cumsum(release.counts)))
    errors = release.standard_errors[0] * np.sqrt(np.minimum(np.arange(65), np.arange(64, -1, -1)))
    return _running(truth, counts, errors)


def by_names(column: Column, rng: np.random.Generator) -> Still:
    """Counts of places on three levels as bars, the true ones as ticks."""
    towns = [(land, f"{at}") for land, many in (("a", 2), ("b", 5), ("c", 3)) for at in range(many)]
    places = PlaceCounts(("land", "town"), towns)
    at = np.floor(column.values / column.bounds.high * (len(towns) - 1))
    release = places.release(Column.from_values(at, places.bounds, 1.0), PureDP(0.02), rng)
    found: list[Shape] = []
    exact = np.bincount(at.astype(np.int64), minlength=len(towns))
    for level, (counts, starts) in enumerate(
        zip(release.counts, release.places.starts, strict=True)
    ):
        truth = np.add.reduceat(exact, starts)
        ends = np.array([*starts, len(towns)]) / len(towns)
        sides = canvas.across(ends, (0, 1)).tolist()
        floor, top = 44.0 + 47 * level, max(float(counts.max()), float(truth.max()))
        for left, right, one, real in zip(sides[:-1], sides[1:], counts, truth, strict=True):
            high, tick = (floor - 38 * max(float(each), 0.0) / top for each in (one, real))
            found.append(shapes.area([left + 1, right - 1], [high, high], floor, "blue", 0.55))
            found.append(shapes.stroke([left + 1, right - 1], [tick, tick], "truth", 2))
    return canvas.drawn(found)


def _running(truth: FloatArray, counts: FloatArray, errors: FloatArray) -> Still:
    x = canvas.across(np.linspace(0, 1, counts.size), (0, 1))
    low, high = counts - errors, counts + errors
    ends = float(min(low.min(), 0)), float(max(high.max(), truth.max()))
    up = [shapes.scaled(one, ends, (140, 8)) for one in (truth, low, high, counts)]
    around = np.concatenate((up[1], up[2][::-1]))
    band = shapes.area(np.concatenate((x, x[::-1])), around, float(up[1][0]), "blue", 0.18)
    places = list(zip(x.tolist(), up[3].tolist(), strict=True))
    return canvas.drawn([band, shapes.stroke(x, up[0], "truth", 2), shapes.dots(places, "blue", 5)])


def in_buckets(column: Column, rng: np.random.Generator) -> Still:
    """Bins as they are behind, and the even buckets that were chosen and counted before them."""
    release = Dawa(64).release(column, PureDP(0.02), rng)
    truth = np.diff(true_running_counts(column, release.edges))
    spread = np.clip(release.spread, 0.0, None)
    top = float(max(truth.max(), spread.max()))
    x = canvas.across(release.edges, (release.edges[0], release.edges[-1]))
    stairs = np.repeat(x, 2)[1:-1]
    real, private = (
        shapes.scaled(np.repeat(one, 2), (0.0, top), (140, 8)) for one in (truth, spread)
    )
    found = [shapes.stroke(stairs, real, "truth", 2), shapes.stroke(stairs, private, "blue", 3)]
    return canvas.drawn(found)


Picture = Callable[[Column, np.random.Generator], Still]
PICTURES: Mapping[str, Picture] = {
    "CountTree": noisy_counts,
    "Histogram": in_bins,
    "PrefixSums": at_every_edge,
    "SignedDigits": step_by_step,
    "Dawa": in_buckets,
    "PlaceCounts": by_names,
    "LocalCounts": by_reports,
    "workload_optimal": split_for_ranges,
    "best_fanout": by_fanout,
    "from_below": one_sided,
    "efficient": combined,
    "cdf": smoothed,
    "cdf_band": bands,
    "quantile_interval": between_edges,
}
