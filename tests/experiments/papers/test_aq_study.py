from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import UnsupportedBudget
from dpviz.core.quantiles import QuantileSet, uniform_quantiles
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, summary
from dpviz.experiments.papers.aq_study import (
    COMPLETE,
    CONCENTRATED,
    GAPS,
    LINES,
    PAPER,
    PURE,
    QUICK,
    TEXT,
    THEIR_COUNT,
    TIMED,
    Settings,
    TextHalving,
    error_study,
    program_noise,
    sampled,
    time_study,
)
from dpviz.experiments.papers.sets import study_sets
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.quantiles.agg_tree import AggTree, QuantileEstimator
from dpviz.mechanisms.quantiles.recursion import plan
from tests.experiments.papers.heaviest import heaviest


@pytest.fixture(scope="module")
def sets():
    return study_sets(np.random.default_rng(5))


def small(sets, counts, trials):
    two = {key: sets[key] for key in ("uniform", "hours")}
    return error_study(two, Settings(counts, trials), np.random.default_rng(6))


@pytest.mark.law
def test_every_line_of_every_place_has_its_trials(sets):
    found = summary(run_all(small(sets, (1, 9), 3)))
    assert len(found) == 2 * 2 * len(LINES) * len(GAPS)
    assert (found["runs"] == 3).all()
    assert found["mean"].between(0, 1000).all()


@pytest.mark.law
def test_joint_exp_of_zcdp_is_that_of_pure_as_in_the_paper(sets):
    found = run_all(small(sets, (9,), 3))
    mine = found[(found["mechanism"] == "JointExp") & (found["variant"] == PAPER)]
    totals = mine.pivot_table("total", ["data", "metric"], "notion")
    assert (totals["pure"] == totals["zCDP"]).all()
    line = next(line for line in LINES if line.same_as is not None)
    assert line.mechanism.epsilon(line.budget) == pytest.approx(1.0)
    assert LINES[line.same_as].mechanism.name == "JointExp"


@pytest.mark.law
def test_the_orders_that_the_paper_reports(sets):
    """§4.3: AQ beats the others for many quantiles, JointExp falls far behind, zCDP is better."""
    found = summary(run_all(small(sets, (120,), 5)))
    found = found[(found["data"] == "uniform") & (found["metric"] == MEAN_GAP)]
    mean = found[found["variant"] == PAPER].pivot_table("mean", "mechanism", "notion")
    aq = mean.loc["ApproximateQuantiles"]
    assert mean.loc["JointExp", PURE] > 4 * aq[PURE]
    assert mean.loc["IndependentExp", PURE] > 1.8 * aq[PURE]
    assert aq["zCDP"] < 0.75 * aq[PURE]
    assert mean.loc["AggTree", PURE] > 2 * aq[PURE]  # "wins by a larger margin"
    text = found[found["variant"] == TEXT].pivot_table("mean", "mechanism", "notion")
    assert text.loc["ApproximateQuantiles", PURE] > 1.4 * aq[PURE]  # half the weight, floored
    # by running counts; by descent the same noise misses less than half of what the program does
    assert 0.5 < text.loc["AggTree", PURE] / mean.loc["AggTree", PURE] < 1
    improved = found[
        (found["variant"] == "improved")
        & (found["notion"] == "zCDP")
        & (found["mechanism"] == "ApproximateQuantiles")
    ]["mean"].item()
    assert 0.35 < improved / aq["zCDP"] < 0.75  # twice the ε, about half the error


def test_splits_and_budgets_are_those_of_section_4(sets):
    quantiles = uniform_quantiles(7)
    paper = {
        line.mechanism.name: line
        for line in LINES
        if line.notion == "zCDP" and line.variant == PAPER
    }
    assert all(line.budget == ZCDP(0.5) for line in paper.values())
    aq = paper["ApproximateQuantiles"].mechanism
    assert aq.rho_rule is RhoRule.PAPER
    assert aq.level_epsilon(ZCDP(0.5), 3) == pytest.approx(np.sqrt(1 / 3))  # √(1/(log m + 1))
    independent = paper["IndependentExp"].mechanism
    assert independent.each_epsilon(ZCDP(0.5), quantiles.size) == pytest.approx(1 / np.sqrt(7))
    scales = paper["AggTree"].mechanism.level_scales(ZCDP(0.5))
    assert scales[0] == np.inf
    each = 1 / np.array(scales[1:])  # ρ/h a level; Lap(1/ε'), ε' = √(1/h), as printed costs less
    np.testing.assert_allclose(each + np.expm1(-each), 0.5 / 4, rtol=1e-11)
    assert max(scales[1:]) < np.sqrt(4)


def tree_line(notion, variant):
    (found,) = (one for one in LINES if (one.notion, one.variant) == (notion, variant)
                and one.mechanism.name == "AggTree")  # fmt: skip
    return found


def test_the_trees_are_those_of_the_text_and_of_the_program():
    text, program = tree_line(PURE, TEXT), tree_line(PURE, PAPER)
    assert text.mechanism == AggTree(16, 4, noise="laplace", estimator=QuantileEstimator.RAW)
    assert program.mechanism == AggTree(
        16, 4, noise="gaussian", estimator=QuantileEstimator.DESCENT
    )
    assert text.mechanism.level_scales(text.budget)[1:] == (4.0,) * 4  # Lap(h/ε)
    sigma, price = program_noise()
    assert sigma == pytest.approx(21.236302724956662)
    assert program.budget == price
    assert program.mechanism.level_scales(price)[1:] == pytest.approx([sigma] * 4)
    assert program in TIMED
    assert text not in TIMED
    half = tree_line(CONCENTRATED, TEXT)
    scales = half.mechanism.level_scales(half.budget)[1:]
    assert scales == (2.0,) * 4  # Lap(√h), the magnitude that §4.3 prints
    assert sum((1 / scale) ** 2 / 2 for scale in scales) == 0.5  # ε'-DP is ε'²/2-zCDP
    assert max(tree_line(CONCENTRATED, PAPER).mechanism.level_scales(ZCDP(0.5))[1:]) < 2


def test_the_text_s_tree_is_read_as_section_4_1_has_it():
    """The leftmost leaf whose running count reaches qn, and its share p; qn is never whole here."""
    values = np.random.default_rng(8).normal(0, 5, 300)
    column, wanted = Column.from_values(values, Bounds(-100, 100)), [0.1005, 0.3702, 0.5005, 0.9302]
    cells, width = np.floor((values + 100) / (200 / 16**4)).astype(int), 200 / 16**4
    counts = np.bincount(cells, minlength=16**4)
    by_hand = []
    for q in wanted:
        before = 0
        for leaf, count in enumerate(counts.tolist()):
            if count and before + count >= q * 300:
                by_hand.append(-100 + width * (leaf + (q * 300 - before) / count))
                break
            before += count
    text = tree_line(PURE, TEXT).mechanism
    sure, rng = PureDP(1e9), np.random.default_rng(9)
    drawn = text.release_many(column, QuantileSet.of(wanted), sure, rng, 1)[0]
    np.testing.assert_allclose(drawn, by_hand, atol=width)
    # with noise the two readings part
    few = text.release_many(column, QuantileSet.of(wanted), PureDP(1), np.random.default_rng(9), 1)
    other = replace(text, estimator=QuantileEstimator.DESCENT)
    descended = other.release_many(
        column, QuantileSet.of(wanted), PureDP(1), np.random.default_rng(9), 1
    )
    assert not np.allclose(few, descended)


def appendix_a(values, low, high, q, epsilon):
    """The law of one draw as Appendix A has it: a chance for each gap between sorted values."""
    edges, target = [low, *values, high], math.floor(q * len(values))
    weights = [
        math.exp(-epsilon * abs(below - target) / 2) * (edges[below + 1] - edges[below])
        for below in range(len(values) + 1)
    ]
    return [one / sum(weights) for one in weights]


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("q", [0.5, 0.4])
def test_the_text_s_halving_draws_one_quantile_by_appendix_a(q):
    """χ² of 2,000 draws over eight gaps: false alarm 1e-6; twice the ε' and q'n are refused."""
    values, rng = [1.0, 1.5, 3.0, 3.2, 5.0, 6.0, 7.5], np.random.default_rng(4)
    column = Column.from_values(values, Bounds(0, 8))
    drawn = TextHalving().release_many(column, QuantileSet.of([q]), PureDP(1), rng, 2000)
    seen = np.histogram(drawn, [0.0, *values, 8.0])[0]

    def fits(law):
        return stats.chisquare(seen, 2000 * np.array(law)).pvalue > 1e-6

    assert fits(appendix_a(values, 0.0, 8.0, q, 1.0))
    assert not fits(appendix_a(values, 0.0, 8.0, q, 2.0))
    whole = [
        math.exp(-abs(below - 7 * q) / 2) * (b - a)
        for below, (a, b) in enumerate(itertools.pairwise([0.0, *values, 8.0]))
    ]
    assert not fits([one / sum(whole) for one in whole])


def test_the_text_s_halving_shares_its_budget_by_levels():
    """Algorithm 1: ε/(log m + 1), unrounded, with one level for each of ⌊log m⌋ + 1."""
    assert TextHalving().level_epsilon(PureDP(1), 120) == pytest.approx(1 / 7.906890595608519)
    assert TextHalving().level_epsilon(ZCDP(0.5), 120) == pytest.approx(7.906890595608519**-0.5)
    for m in range(1, 121):
        each = TextHalving().level_epsilon(PureDP(1), m)
        levels = len(plan(QuantileSet.of(uniform_quantiles(m))).levels)
        assert levels * each <= 1 + 1e-12  # whole where m is a power of two, else less
        assert (levels * each > 1 - 1e-12) == (m in {1, 2, 4, 8, 16, 32, 64})
    with pytest.raises(UnsupportedBudget):
        TextHalving().level_epsilon(ApproxDP(1, 1e-6), 1)
    texts = {line.notion for line in LINES if isinstance(line.mechanism, TextHalving)}
    assert texts == {PURE, CONCENTRATED}
    assert all(line.variant == TEXT for line in LINES if isinstance(line.mechanism, TextHalving))


def test_one_record_moves_the_floored_utility_by_one_and_the_whole_one_by_less():
    """Why the text needs sensitivity 1 and the program max(q, 1 − q): all columns of 0 and 1."""
    for q in (0.5, 0.3, 0.9):
        whole, floored = 0.0, 0
        for below, size in itertools.product(range(9), range(9)):
            if below <= size:
                for more in (0, 1):  # the added record lies below the place, or not
                    a, b = (below, size), (below + more, size + 1)
                    whole = max(whole, abs(abs(a[0] - q * a[1]) - abs(b[0] - q * b[1])))
                    moved = [abs(k - math.floor(q * n + 1e-9)) for k, n in (a, b)]
                    floored = max(floored, abs(moved[0] - moved[1]))
        assert whole == pytest.approx(max(q, 1 - q))
        assert floored == 1


def test_the_program_pays_far_less_than_its_epsilon_and_delta():
    """The exact δ at ε = 1 of Gaussian noise with Δ/σ = √4/21.2 is far below 1e-6."""
    shift = np.sqrt(4) / program_noise()[0]
    spent = stats.norm.cdf(shift / 2 - 1 / shift) - np.e * stats.norm.cdf(-shift / 2 - 1 / shift)
    assert 0 < spent < 1e-20


@pytest.mark.law
def test_the_three_counts_of_a_trial_are_of_the_same_releases(sets):
    """The mean is at most the largest; without ties their count is within one of the mean."""
    found = run_all(small(sets, (9,), 3))
    by = found.pivot_table("total", ["data", "notion", "variant", "mechanism"], "metric")
    assert set(by.columns) == set(GAPS)
    assert (by[MEAN_GAP] <= by[LARGEST_GAP]).all()
    assert (by.loc["uniform", MEAN_GAP] - by.loc["uniform", THEIR_COUNT]).abs().max() <= 3 * 1.0
    assert (by.loc["hours", THEIR_COUNT] < by.loc["hours", MEAN_GAP]).all()  # ties hide misses


def test_samples_are_without_replacement_and_untied(sets, rng):
    column = sampled(sets["hours"], 1000, rng)
    assert column.n == 1000
    assert not column.tied
    assert np.isin(np.round(column.values), sets["hours"].values).all()
    kept = sampled(sets["uniform"], 10**6, rng, jitter=0)
    assert kept.values.tolist() == sorted(sets["uniform"].values)


def test_presets_reach_where_the_paper_does(sets):
    assert COMPLETE.trials == 100
    assert COMPLETE.counts[0] == 1
    assert COMPLETE.counts[-1] == QUICK.counts[-1] == 120
    rng = np.random.default_rng(1)
    whole = error_study(sets, COMPLETE, rng)
    trials = sum(cell.trials for cell in whole.cells)
    assert trials == 100 * len(COMPLETE.counts) * 6
    assert max(cell.seconds for cell in whole.cells) < 5  # a stop is soon enough
    assert error_study(sets, QUICK, rng).seconds < 10


def test_timing_has_a_time_for_each_mechanism(sets):
    settings = replace(QUICK, counts=(1, 5), trials=1)
    found = summary(
        run_all(time_study({"uniform": sets["uniform"]}, settings, np.random.default_rng(2)))
    )
    assert len(found) == 2 * 4
    assert found["mean"].between(1e-6, 5).all()


@pytest.mark.law
@pytest.mark.parametrize("study", [error_study, time_study])
def test_the_heaviest_part_of_the_quick_preset_runs(sets, study):
    found = heaviest(study(sets, QUICK, np.random.default_rng(7)))
    assert set(found["m"]) == {QUICK.counts[-1]}
    assert np.isfinite(found["total"]).all()
