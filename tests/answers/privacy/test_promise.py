"""What a budget promises: no less than the exact odds, and said for the relation it is about."""

import math
import re

import numpy as np
import pytest
from scipy import stats

from dpviz.answers.privacy.promise import promised
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE


def said_times(budget):
    found = re.search(r"no release is more than ([\d,.]+) times", promised(budget, ADD, "person"))
    return float(found[1].replace(",", ""))


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 0.5, 1.0, 2.0, 5.0, 9.0])
def test_odds_of_a_pure_budget_are_rounded_up(epsilon):
    exact = math.exp(epsilon)
    assert exact <= said_times(PureDP(epsilon)) < exact * 1.01


@pytest.mark.parametrize("rho", [0.001, 0.05, 0.5])
def test_gaussian_noise_keeps_the_promise_of_its_rho(rho):
    """The chance of an output that is likelier by more than the odds that are said, exactly."""
    sigma, odds = 1 / math.sqrt(2 * rho), said_times(ZCDP(rho))
    # the loss of an output is normal with mean ρ and variance 2ρ
    beyond = stats.norm.sf((math.log(odds) - rho) * sigma)
    assert beyond <= 1e-6
    assert stats.norm.sf((math.log(odds / 2) - rho) * sigma) > 1e-6 or rho < 0.02


def test_a_mechanism_that_is_as_bad_as_epsilon_and_delta_allow_keeps_the_promise():
    """Outputs just beyond ε: together they may come with more than δ, and with at most 2δ."""
    epsilon, delta = 0.5, 0.01
    log_ratio = epsilon + math.log(2)  # the most that 2δ of the outputs may reach
    chance = delta / (1 - math.exp(epsilon - log_ratio))
    assert chance == pytest.approx(2 * delta)
    naive = delta / (1 - math.exp(-1e-3))  # of outputs just beyond e^ε: the simple wording is false
    assert naive > 2 * delta
    said = promised(ApproxDP(epsilon, delta), ADD, "person")
    assert said_times(ApproxDP(epsilon, delta)) >= 2 * math.exp(epsilon)
    assert said.endswith("but for a chance of 0.02")


def test_the_promise_is_about_its_relation():
    assert promised(PureDP(0.1), ADD, "student") == (
        "ε = 0.1: with or without any one student, no release is more than 1.11 times as likely"
    )
    assert promised(PureDP(0.1), REPLACE, "student", "map") == (
        "ε = 0.1: whatever any one student's value is, no map is more than 1.11 times as likely"
    )
    assert promised(ZCDP(0.5), ADD, "person").endswith("likely, but for a chance of 10⁻⁶")


def test_huge_budgets_promise_next_to_nothing_in_words():
    assert "more than 1.01 × 10³⁰⁰⁰ times" in promised(
        PureDP(3000 * math.log(10) + 0.005), ADD, "person"
    )
    for budget in (PureDP(1e300), ZCDP(1e6), ApproxDP(1e3, 1e-9)):
        assert "times as likely" in promised(budget, ADD, "person")
    assert np.isfinite(said_times(PureDP(6.9)))
