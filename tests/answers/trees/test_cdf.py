"""The numbers of a tree's CDF: each worked out anew, slowly; and what is said of them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.answers.number_text import significant
from dpviz.answers.trees.cdf import QUARTERS, CdfChoice, answer, in_range
from dpviz.answers.trees.cdf_said import readings, say
from dpviz.answers.trees.names import Names
from dpviz.core.errors import InvalidParameter
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.least_squares import efficient
from dpviz.estimators.trees.quantile_intervals import quantile_interval
from dpviz.estimators.trees.readings import TreeEstimator
from tests.answers.trees.questions import EFFICIENT, RAW, VALUES, asked
from tests.answers.trees.test_levels import slow_fit

NAMES = Names("students", "mark", "marks")
SMOOTHED = 6  # the seed of a draw whose smoothed curve has another worst error than the one as read
FALLING = 7  # the seed of a draw whose last running counts fall


def slow_rising(counts):
    """The closest rising values in squares, by the min-max formula; both ends stay."""
    inner, last = counts[1:-1], max(counts[-1], 0.0)
    size, found = len(inner), []
    for k in range(size):
        ends = [max(np.mean(inner[i : j + 1]) for i in range(k + 1)) for j in range(k, size)]
        found.append(min(max(min(ends), 0.0), last))
    return [0.0, *found, last]


def slow_below_runs(noise, edge):
    """The error of a raw running count in every run: that of the largest nodes before it."""
    leaves, at, found = len(noise[-1]), 0, np.zeros(noise[0].shape[1])
    for level in noise:
        width = leaves // len(level)
        while at + width <= edge:
            found, at = found + level[at // width], at + width
    return found


def slow_truth(step=1):
    edges = [*range(0, 8, step), 8]
    return [len(VALUES) if e == 8 else sum(1 for v in VALUES if v < 10 + 10 * e) for e in edges]


@pytest.mark.parametrize(("step", "seed"), [(1, 3), (1, SMOOTHED), (3, 4)])
def test_curves_and_their_worst_error(step, seed):
    question = asked(seed=seed)
    found, leaves = answer(question, CdfChoice(EFFICIENT, step)), slow_fit(question)[0][-1]
    edges = [*range(0, 8, step), 8]
    counts = [float(sum(leaves[:edge])) for edge in edges]
    smooth, truth = slow_rising(counts), slow_truth(step)
    np.testing.assert_allclose(found.edges, [10 + 10 * edge for edge in edges])
    np.testing.assert_allclose(found.counts, counts, atol=1e-9)
    np.testing.assert_allclose(found.smooth, smooth, atol=1e-9)
    np.testing.assert_array_equal(found.truth, truth)
    assert found.off == pytest.approx(max(abs(s - t) for s, t in zip(smooth, truth, strict=True)))
    if seed == SMOOTHED:
        assert found.off != pytest.approx(max(abs(np.subtract(counts, truth))))


@pytest.mark.parametrize("beta", [0.05, 0.2])
def test_bands_are_quantiles_of_fresh_noise(beta):
    question = asked(RAW)
    found = answer(question, CdfChoice(RAW, beta=beta))
    rng, scales = np.random.default_rng(11), question.release.tree.scales
    noise = [rng.laplace(0, scale, (2**level, 20_000)) for level, scale in enumerate(scales)]
    off = np.abs([slow_below_runs(noise, edge) for edge in range(9)])
    each = np.quantile(off, 1 - beta, axis=1)
    np.testing.assert_allclose(found.each, each, rtol=0.08, atol=1e-9)
    assert found.together == pytest.approx(np.quantile(off.max(axis=0), 1 - beta), rel=0.08)
    assert found.widest == max(found.each)
    assert found.sure == 1 - beta
    assert found.widest < found.together


def test_intervals_are_those_of_the_package():
    question = asked()
    raw, noise = cdf(efficient(question.release)), question.release.tree_noise
    for q, one in zip(QUARTERS, answer(question, CdfChoice(EFFICIENT)).intervals, strict=True):
        assert one.q == q
        assert one.noise == quantile_interval(raw, noise, q, 0.05)
        assert one.sampling == quantile_interval(raw, noise, q, 0.05, sampling=True)


def test_a_range_is_read_from_the_counts_before_smoothing():
    question = asked(seed=SMOOTHED)
    found = in_range(question, CdfChoice(EFFICIENT), 20.0, 60.0)
    assert found.value == pytest.approx(float(sum(slow_fit(question)[0][-1][1:5])))


def test_the_poster_smooths_the_last_count_too():
    question = asked(seed=FALLING)
    held, smoothed = (
        answer(question, CdfChoice(EFFICIENT, as_poster=poster)) for poster in (False, True)
    )
    np.testing.assert_allclose(held.counts, smoothed.counts)
    assert held.smooth[-1] == held.counts[-1]
    np.testing.assert_allclose(smoothed.smooth[-3:], np.mean(held.counts[-3:]))


@pytest.mark.parametrize("seed", [SMOOTHED, FALLING])
def test_numbers_are_read_from_the_smoothed_curve(seed):
    question = asked(seed=seed)
    leaves = slow_fit(question)[0][-1]
    smooth = slow_rising([float(sum(leaves[:edge])) for edge in range(9)])
    found = {one.name: one.value for one in answer(question, CdfChoice(EFFICIENT)).readings}
    inside = [after - before for before, after in pairwise(smooth)]
    assert found["N"] == pytest.approx(smooth[-1])
    middles = [15.0 + 10 * part for part in range(8)]
    mean = sum(many * at for many, at in zip(inside, middles, strict=True)) / smooth[-1]
    assert found["mean"] == pytest.approx(mean)
    wanted = smooth[-1] / 4
    part = next(at for at in range(8) if smooth[at + 1] >= wanted)
    quarter = 10 + 10 * (part + (wanted - smooth[part]) / inside[part])
    assert found["0.25 quantile"] == pytest.approx(quarter)
    assert found["mode"] == 15.0 + 10 * inside.index(max(inside))


def test_without_the_truth_or_errors_nothing_of_them_is_left():
    hidden = answer(asked(truth=False), CdfChoice(EFFICIENT))
    assert (hidden.truth, hidden.off) == (None, None)
    assert "draw's" not in say(hidden, NAMES).second()
    assert "truth" not in repr(say(hidden, NAMES))
    unknown = answer(asked(), CdfChoice(TreeEstimator.FROM_BELOW))
    assert (unknown.knows_errors, unknown.readings, unknown.intervals) == (False, (), ())
    assert readings(unknown, None).rows == () == say(unknown, NAMES).tables


@pytest.mark.law
def test_too_many_edges_are_refused_and_tall_trees_have_no_intervals():
    with pytest.raises(InvalidParameter, match="at least 2"):
        answer(asked(height=15, weights=(1,) * 16), CdfChoice(EFFICIENT))
    tall = asked(height=13, weights=(1,) * 14)
    (note,) = say(answer(tall, CdfChoice(EFFICIENT, step=1 << 12)), NAMES).tables
    assert note.notes == (
        "Intervals for quantiles are worked out for trees of up to 4,096 leaves.",
    )


def test_every_sentence_says_its_own_number():
    """Each number on screen is told from all others by its size."""
    question, choice = asked(), CdfChoice(EFFICIENT)
    found = answer(question, choice)
    shown = replace(
        found, each=np.full(9, 111.0), widest=233.3, together=364.4, sure=0.9, off=165.2
    )
    said = say(shown, NAMES)
    assert (
        said.headline()
        == "One release gives the whole curve, to within :blue[± 364] students at every mark."
    )
    assert said.second() == (
        "With 90 % probability all counts lie within the outer band at once. This draw's smoothed "
        "curve is off by at most **165**."
    )
    assert said.strip == [("points", "9"), ("each within", "± 233"), ("all within", "± 364")]
    assert said.alt == "Running counts from the tree, raw and smoothed, with bands and the truth"
    between = in_range(question, choice, 20.0, 60.0)
    first = readings(shown, between)
    assert first.rows[-1][0] == between.name
    for row, one in zip(first.rows, (*shown.readings, between), strict=True):
        assert float(row[1].replace(",", "").replace("−", "-")) == pytest.approx(
            one.value, rel=1e-4
        )
        assert row[2] == significant(one.standard_error, 3)
    assert first.notes == ()
    assert readings(shown, None).notes == ("The range ends before it starts.",)
    (second,) = said.tables
    one = shown.intervals[2]
    assert second.rows[2] == (
        "0.5",
        f"{one.noise[0]:g} to {one.noise[1]:g}",
        f"{one.sampling[0]:,.6g} to {one.sampling[1]:,.6g}",
    )
    assert second.title.startswith(r"**Where quantiles lie, 90 % certain**")
