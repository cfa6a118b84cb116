"""Pictures of the methods for one column: releases of the exam marks, drawn many times."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.estimators.trees.cdf import cdf, monotone
from dpviz.estimators.trees.curve import cdf_quantiles
from dpviz.intake.samples import sample
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.exponential.ties import Ties, untied_values
from dpviz.mechanisms.local.quantiles import LocalQuantiles
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.mechanisms.quantiles.slices.mechanism import SliceQuantiles
from dpviz.mechanisms.sums.checked_ranks import CheckedRanks
from dpviz.mechanisms.sums.noisy_count import NoisyCount
from dpviz.mechanisms.sums.noisy_mean import NoisyMean
from dpviz.mechanisms.sums.noisy_sum import NoisySum
from dpviz.mechanisms.unbounded.propose import propose_bounds
from dpviz.mechanisms.unbounded.quantile import UnboundedQuantile
from dpviz.metrics.quantiles import true_quantiles
from dpviz.ui.kit.gallery import shapes
from dpviz.ui.kit.gallery.shapes import Shape, Still
from dpviz.ui.methods import canvas

RUNS = 300
BUDGET = PureDP(0.1)
ROW_BASES = (30.0, 57.0, 84.0, 111.0, 138.0)
ENDS = (25.0, 90.0)  # the stretch of marks that is drawn


def _runs(
    mechanism: QuantileMechanism, column: Column, m: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Values of many draws (runs, m), the first of which is the one that is shown; and the truth."""
    quantiles = QuantileSet.of(uniform_quantiles(m))
    drawn = mechanism.release_many(column, quantiles, BUDGET, rng, RUNS)
    return np.clip(drawn, *ENDS), true_quantiles(column, quantiles)


def _rows(values: FloatArray, rows: list[int], bases: list[float], high: float) -> list[Shape]:
    """A hill and a dot for each quantile, on the base line of its row."""
    found = [canvas.base_line(base) for base in bases]
    for at, row in enumerate(rows):
        found += canvas.hill(values[:, at], bases[row], high, ENDS)
    for at, row in enumerate(rows):
        found.append(canvas.dot(float(canvas.across(values[0, at], ENDS)), bases[row]))
    return found


def on_a_line(mechanism: QuantileMechanism, column: Column, rng: np.random.Generator) -> Still:
    """Five quantiles on one line, with the true ones."""
    values, truth = _runs(mechanism, column, 5, rng)
    return canvas.drawn(_on_line(values, truth))


def _on_line(values: FloatArray, truth: FloatArray) -> list[Shape]:
    found = _rows(values, [0] * truth.size, [116.0], 44)
    found += [canvas.true_tick(float(one), 116.0) for one in canvas.across(truth, ENDS)]
    return found + [canvas.dot(float(one), 116.0) for one in canvas.across(values[0], ENDS)]


def in_steps(mechanism: QuantileMechanism, column: Column, rng: np.random.Generator) -> Still:
    """Seven quantiles, each in the row of the step in which a release drew it, if it keeps them."""
    values, truth = _runs(mechanism, column, 7, rng)
    recursion = mechanism.release(column, uniform_quantiles(7), BUDGET, rng).recursion
    if recursion is None:
        return canvas.drawn(_on_line(values, truth))
    rows = [int(level) - 1 for level in recursion.level]
    return canvas.drawn(_rows(values, rows, [46.0, 92.0, 138.0], 26))


def in_rows(mechanism: QuantileMechanism, column: Column, rng: np.random.Generator) -> Still:
    """Five quantiles, a row each."""
    values, _ = _runs(mechanism, column, 5, rng)
    return canvas.drawn(_rows(values, [0, 1, 2, 3, 4], list(ROW_BASES), 20))


def joined(mechanism: QuantileMechanism, column: Column, rng: np.random.Generator) -> Still:
    """Five quantiles on one line, joined by one choice, with the true ones."""
    values, truth = _runs(mechanism, column, 5, rng)
    places = canvas.across(values[0], ENDS)
    found = _on_line(values, truth)
    found.append(shapes.stroke([places[0], places[-1]], [36, 36], "blue", 2))
    found += [shapes.stroke([one, one], [36, 46], "blue", 2) for one in places]
    return canvas.drawn(found)


def noisy_tree(mechanism: QuantileMechanism, column: Column, rng: np.random.Generator) -> Still:
    """The private counts of the first levels of a tree."""
    assert isinstance(mechanism, AggTree), "the counts of its own tree are drawn"
    tree = replace(mechanism, fanout=2, height=4).tree.release(column, PureDP(1), rng)
    found = []
    for level in range(1, 5):  # its root is not released
        floor = 4.0 + 34 * level
        found.append(canvas.bars(tree.counts[level], floor, 26, "blue", 1 - 0.15 * level))
    return canvas.drawn(found)


def off_running_counts(_: QuantileMechanism, column: Column, rng: np.random.Generator) -> Still:
    """Noisy running counts, and five quantiles where they pass sixths of the last one."""
    curve = monotone(cdf(PrefixSums(256).release(column, ZCDP(5e-4), rng)))
    values, base = np.clip(cdf_quantiles(curve, uniform_quantiles(5)), *ENDS), 138.0
    top = float(curve.total)
    inside = (curve.edges >= ENDS[0]) & (curve.edges <= ENDS[1])
    x = canvas.across(curve.edges[inside], ENDS)
    heights = shapes.scaled(curve.counts[inside], (0.0, top), (base, 12))
    places = canvas.across(values, ENDS).tolist()
    passed = shapes.scaled(top * uniform_quantiles(5), (0.0, top), (base, 12)).tolist()
    falls = [
        shapes.stroke([at, at], [up, base], "blue", 2)
        for at, up in zip(places, passed, strict=True)
    ]
    dots = [canvas.dot(at, base) for at in places]
    return canvas.drawn(
        [canvas.base_line(base), *falls, shapes.stroke(x, heights, "blue", 3), *dots]
    )


def checked(column: Column, rng: np.random.Generator) -> Still:
    """Five released values, each with what it may be off by in ranks; none is off as a tick."""
    quantiles = uniform_quantiles(5)
    release = ApproximateQuantiles().release(column, quantiles, PureDP(0.02), rng)
    check = CheckedRanks().release(column, release, PureDP(0.05), rng)
    ends = -700.0, 700.0
    found = [canvas.true_tick(float(canvas.across(0.0, ends)), base) for base in ROW_BASES]
    for base, error, (low, high) in zip(
        ROW_BASES, check.errors, np.clip(check.intervals(), *ends), strict=True
    ):
        at = canvas.across(np.array([low, high]), ends)
        found.append(shapes.stroke(at.tolist(), [base - 6] * 2, "blue", 3))
        found.append(canvas.dot(float(canvas.across(np.clip(error, *ends), ends)), base - 6))
    return canvas.drawn(found)


def made_up(column: Column, rng: np.random.Generator) -> Still:
    """People above the line, invented ones below it."""
    people = rng.choice(column.values, 420, replace=False)
    release = SanitizedColumn(420).release(column, PureDP(1), rng)
    invented = release.values
    above, below = (_heap(np.asarray(one, np.float64)) for one in (people, invented))
    return canvas.drawn(
        [
            shapes.grains(above[0], 68 - above[1], "truth", 2.2),
            shapes.stroke([canvas.LEFT, canvas.RIGHT], [74, 74], "truth", 2.5),
            shapes.grains(below[0], 144 - below[1], "blue", 2.2),
        ]
    )


def _heap(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Grains stacked in columns of one mark."""
    order = np.sort(np.round(values))
    starts = np.searchsorted(order, order, side="left")
    heights = 3.4 * (np.arange(order.size) - starts)
    return canvas.across(order, (0, 100)), heights.astype(np.float64)


def one_quantile(column: Column, rng: np.random.Generator) -> Still:
    """The law of one quantile, and its true value."""
    quantiles = QuantileSet.of([0.5])
    drawn = IndependentExp().release_many(column, quantiles, PureDP(0.05), rng, 10 * RUNS)
    truth = float(true_quantiles(column, quantiles)[0])
    ends = (truth - 8, truth + 8)
    values = np.clip(drawn[:, 0], *ends)
    base = 132.0
    return canvas.drawn(
        [
            *canvas.hill(values, base, 62, ends),
            canvas.base_line(base),
            canvas.true_tick(float(canvas.across(truth, ends)), base),
            canvas.dot(float(canvas.across(values[0], ends)), base, 12),
        ]
    )


def spread(column: Column, rng: np.random.Generator) -> Still:
    """Tied marks above, the same people spread inside their own step below."""
    stretch = (54.5, 64.5)
    values = column.values
    kept = canvas.thinned(values[(values > stretch[0]) & (values < stretch[1])], 240)
    few = Column.from_values(kept, column.bounds, column.resolution)
    untied = untied_values(few, Ties.SPREAD, rng)
    order = np.sort(kept)
    high = np.arange(order.size) - np.searchsorted(order, order, side="left")
    return canvas.drawn(
        [
            shapes.grains(canvas.across(order, stretch), 68 - 1.5 * high, "truth", 2.6),
            shapes.stroke([canvas.LEFT, canvas.RIGHT], [74, 74], "hairline", 1),
            shapes.grains(
                canvas.across(untied, stretch), 84 + 54 * rng.random(untied.size), "truth", 2.6
            ),
        ]
    )


def noisy_count(column: Column, rng: np.random.Generator) -> Still:
    """The law of a count of high marks around the truth, for a small ε."""
    mechanism = NoisyCount(above=80)
    drawn = mechanism.release_many(column, PureDP(0.02), rng, 10 * RUNS)
    return _number(drawn, float(np.count_nonzero(column.values > 80)))


def noisy_sum(column: Column, rng: np.random.Generator) -> Still:
    """The law of a clipped sum around the truth, for a small ε."""
    drawn = NoisySum().release_many(column, PureDP(0.05), rng, 10 * RUNS)
    return _number(drawn, float(column.values.sum()))


def noisy_mean(column: Column, rng: np.random.Generator) -> Still:
    """The law of a clipped mean of a public number of people around the truth."""
    mechanism = NoisyMean(records=sample("exam").about)  # public, as it has to be
    drawn = mechanism.release_many(column, PureDP(0.02), rng, 10 * RUNS)
    return _number(drawn, float(column.values.mean()))


def without_bounds(column: Column, rng: np.random.Generator) -> Still:
    """Guesses as ticks, further apart the larger they are; where the search for a median stops."""
    search = UnboundedQuantile(base=1.03, guesses=200)
    stops = search.draw_guesses(column.values, 0.5, BUDGET, rng, 10 * RUNS)
    guesses, base = search.values_at(np.arange(search.guesses or 0)), 112.0
    shown = canvas.across(guesses[(guesses > ENDS[0]) & (guesses < ENDS[1])], ENDS)
    drawn = np.clip(search.values_at(stops), *ENDS)
    truth = float(np.median(column.values))
    return canvas.drawn(
        [
            *canvas.hill(drawn, base, 44, ENDS),
            canvas.base_line(base),
            *(shapes.stroke([at, at], [base, base + 14], "grain", 1) for at in shown.tolist()),
            canvas.true_tick(float(canvas.across(truth, ENDS)), base),
            canvas.dot(float(canvas.across(drawn[0], ENDS)), base, 12),
        ]
    )


def proposed(column: Column, rng: np.random.Generator) -> Still:
    """The people, the guesses that grow away from 0, and the range between two private stops."""
    found = propose_bounds(column.values, PureDP(2), rng)
    bounds, base = found.bounds, 96.0
    assert bounds is not None, "this seed finds both ends"
    search = UnboundedQuantile(base=1.1, both_signs=True)
    guesses = search.values_at(np.arange(120))
    ends = (0.0, 140.0)
    shown = canvas.across(guesses[(guesses >= ends[0]) & (guesses < ends[1])], ends)
    people = untied_values(column, Ties.SPREAD, rng)[:: column.n // 300]
    sides = canvas.across(np.clip([bounds.low, bounds.high], *ends), ends)
    return canvas.drawn(
        [
            shapes.grains(canvas.across(people, ends), base - 10 - 60 * rng.random(people.size)),
            canvas.base_line(base),
            *(shapes.stroke([at, at], [base, base + 14], "grain", 1) for at in shown.tolist()),
            shapes.stroke(sides.tolist(), [base, base], "blue", 6),
            *(canvas.dot(float(at), base, 12) for at in sides),
        ]
    )


def windows(mechanism: QuantileMechanism, column: Column, rng: np.random.Generator) -> Still:
    """Three quantiles, and above each the window of places that it would have without noise."""
    assert isinstance(mechanism, SliceQuantiles), "its shares say how wide a window is"
    budget = ApproxDP(0.5, 1e-6)
    quantiles, base = QuantileSet.of(uniform_quantiles(3)), 112.0
    drawn = mechanism.release_many(column, quantiles, budget, rng, 10 * RUNS)
    half = mechanism.shares(budget, quantiles).half
    ranks = quantiles.ranks(column.n).astype(np.int64)
    low, high = column.of_rank(ranks - half) - 0.5, column.of_rank(ranks + half) + 0.5
    people = untied_values(column, Ties.SPREAD, rng)[:: column.n // 300]
    people = people[(people > ENDS[0]) & (people < ENDS[1])]
    found = [
        canvas.base_line(base),
        shapes.grains(
            canvas.across(people, ENDS), base + 8 + 22 * rng.random(people.size), "truth"
        ),
    ]
    for at, truth in enumerate(true_quantiles(column, quantiles)):
        ends = canvas.across(np.array([low[at], high[at]]), ENDS)
        found += canvas.hill(np.clip(drawn[:, at], *ENDS), base, 30, ENDS)
        found += [shapes.stroke([x, x], [34, base + 34], "hairline", 1) for x in ends]
        found.append(shapes.stroke(ends.tolist(), [34, 34], "truth", 2))
        found.append(canvas.true_tick(float(canvas.across(truth, ENDS)), base))
        found.append(canvas.dot(float(canvas.across(drawn[0, at], ENDS)), base))
    return canvas.drawn(found)


def asked_in_rounds(column: Column, rng: np.random.Generator) -> Still:
    """Medians from one bit a person, drawn many times."""
    search, budget = LocalQuantiles(rounds=8, height=10), PureDP(1)
    drawn = [search.release(column, 0.5, budget, rng).values[0] for _ in range(RUNS // 2)]
    truth = float(true_quantiles(column, QuantileSet.of([0.5]))[0])
    return _number(np.array(drawn), truth)


def _number(drawn: FloatArray, truth: float) -> Still:
    """One number: the hill of its draws, its truth, and the draw that is published."""
    reach = float(np.quantile(np.abs(drawn - truth), 0.97))
    ends = (truth - reach, truth + reach)
    base = 132.0
    return canvas.drawn(
        [
            *canvas.hill(np.clip(drawn, *ends), base, 62, ends),
            canvas.base_line(base),
            canvas.true_tick(float(canvas.across(truth, ends)), base),
            canvas.dot(float(canvas.across(np.clip(drawn[0], *ends), ends)), base, 12),
        ]
    )


Picture = Callable[[Column, np.random.Generator], Still]
Miniature = Callable[[QuantileMechanism, Column, np.random.Generator], Still]
# how a release of quantiles may be drawn, as cards call it
MINIATURES: Mapping[str, Miniature] = {
    "line": on_a_line,
    "steps": in_steps,
    "rows": in_rows,
    "joined": joined,
    "tree": noisy_tree,
    "running counts": off_running_counts,
    "windows": windows,
}
PICTURES: Mapping[str, Picture] = {
    "SanitizedColumn": made_up,
    "CheckedRanks": checked,
    "ExponentialMechanism": one_quantile,
    "spread": spread,
    "NoisyCount": noisy_count,
    "NoisySum": noisy_sum,
    "NoisyMean": noisy_mean,
    "UnboundedQuantile": without_bounds,
    "propose_bounds": proposed,
    "LocalQuantiles": asked_in_rounds,
}
