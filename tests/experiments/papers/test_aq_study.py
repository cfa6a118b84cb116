from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz.core.budgets import ZCDP
from dpviz.core.quantiles import uniform_quantiles
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, summary
from dpviz.experiments.papers.aq_study import (
    COMPLETE,
    GAPS,
    LINES,
    PAPER,
    PROGRAM,
    PURE,
    QUICK,
    THEIR_COUNT,
    Settings,
    error_study,
    program_noise,
    sampled,
    time_study,
)
from dpviz.experiments.papers.sets import study_sets
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.quantiles.agg_tree import AggTree, Estimator
from tests.experiments.papers.heaviest import heaviest


@pytest.fixture(scope="module")
def sets():
    return study_sets(np.random.default_rng(5))


def small(sets, counts, trials):
    two = {key: sets[key] for key in ("uniform", "hours")}
    return error_study(two, Settings(counts, trials), np.random.default_rng(6))


def test_every_line_of_every_place_has_its_trials(sets):
    found = summary(run_all(small(sets, (1, 9), 3)))
    assert len(found) == 2 * 2 * len(LINES) * len(GAPS)
    assert (found["runs"] == 3).all()
    assert found["mean"].between(0, 1000).all()


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
    found = summary(run_all(small(sets, (120,), 12)))
    found = found[(found["data"] == "uniform") & (found["metric"] == MEAN_GAP)]
    mean = found[found["variant"] == PAPER].pivot_table("mean", "mechanism", "notion")
    aq = mean.loc["ApproximateQuantiles"]
    assert mean.loc["JointExp", PURE] > 4 * aq[PURE]
    assert mean.loc["IndependentExp", PURE] > 1.8 * aq[PURE]
    assert aq["zCDP"] < 0.75 * aq[PURE]
    program = found[found["variant"] == PROGRAM].set_index("mechanism")["mean"]
    assert program["AggTree"] > 2 * aq[PURE]  # "wins by a larger margin"
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


def test_the_trees_are_those_of_the_text_and_of_the_program():
    paper = next(one for one in LINES if (one.notion, one.variant) == (PURE, PAPER)
                 and one.mechanism.name == "AggTree")  # fmt: skip
    assert paper.mechanism == AggTree(16, 4, noise="laplace", estimator=Estimator.DESCENT)
    assert paper.mechanism.level_scales(paper.budget)[1:] == (4.0,) * 4  # Lap(h/ε)
    (program,) = [one for one in LINES if one.variant == PROGRAM]
    sigma, price = program_noise()
    assert sigma == pytest.approx(21.236302724956662)
    assert program.budget == price
    assert program.mechanism.level_scales(price)[1:] == pytest.approx([sigma] * 4)


def test_the_program_pays_far_less_than_its_epsilon_and_delta():
    """The exact δ at ε = 1 of Gaussian noise with Δ/σ = √4/21.2 is far below 1e-6."""
    shift = np.sqrt(4) / program_noise()[0]
    spent = stats.norm.cdf(shift / 2 - 1 / shift) - np.e * stats.norm.cdf(-shift / 2 - 1 / shift)
    assert 0 < spent < 1e-20


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


@pytest.mark.parametrize("study", [error_study, time_study])
def test_the_heaviest_part_of_the_quick_preset_runs(sets, study):
    found = heaviest(study(sets, QUICK, np.random.default_rng(7)))
    assert set(found["m"]) == {QUICK.counts[-1]}
    assert np.isfinite(found["total"]).all()
