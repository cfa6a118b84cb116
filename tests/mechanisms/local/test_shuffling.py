"""Shuffled reports: the bound against exact laws, its closed form, and the ε of a report."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from dpviz.core.budgets import ApproxDP, PureDP
from dpviz.core.errors import DpvizError
from dpviz.mechanisms.local.shuffling import (
    closed_form,
    local_epsilon,
    shuffled_delta,
    shuffled_epsilon,
)


def exact_coins(local, people, epsilon):
    """δ of the number of ones among shuffled binary responses, for the worst of all neighbours."""
    p, worst = 1 / (1 + math.exp(-local)), 0.0
    for ones in range(people):
        others = np.convolve(
            binom.pmf(np.arange(ones + 1), ones, p),
            binom.pmf(np.arange(people - ones), people - 1 - ones, 1 - p),
        )
        first, second = np.convolve(others, [1 - p, p]), np.convolve(others, [p, 1 - p])
        for one, other in ((first, second), (second, first)):
            worst = max(worst, float(np.maximum(one - math.exp(epsilon) * other, 0).sum()))
    return worst


def exact_responses(local, people, choices, epsilon):
    """δ of the histogram of shuffled responses, for the worst of all neighbours; few people."""
    p = math.exp(local) / (math.exp(local) + choices - 1)
    rows = np.full((choices, choices), (1 - p) / (choices - 1))
    np.fill_diagonal(rows, p)

    def law(truths):
        found: dict[tuple[int, ...], float] = {}
        for out in product(range(choices), repeat=people):
            key = tuple(np.bincount(out, minlength=choices).tolist())
            chance = math.prod(rows[t, o] for t, o in zip(truths, out, strict=True))
            found[key] = found.get(key, 0.0) + chance
        return found

    worst = 0.0
    for others in product(range(choices), repeat=people - 1):
        one, other = law((0, *others)), law((1, *others))
        worst = max(worst, sum(max(c - math.exp(epsilon) * other[k], 0) for k, c in one.items()))
    return worst


SETTINGS = [(n, local, share) for n in (1, 2, 7, 60, 150) for local in (0.2, 1.0, 3.0)
            for share in (0.05, 0.4, 0.9)]  # fmt: skip


@pytest.mark.few(8, 22)
@pytest.mark.parametrize(("people", "local", "share"), SETTINGS)
def test_the_bound_is_never_below_the_exact_law(people, local, share):
    exact = exact_coins(local, people, share * local)
    known, general = (shuffled_delta(local, people, share * local, k) for k in (2, None))
    assert exact * (1 - 1e-6) <= known <= general * (1 + 1e-9)


@pytest.mark.few(2)
@pytest.mark.parametrize("choices", [3, 4])
@pytest.mark.parametrize("local", [0.5, 2.0])
def test_the_bound_of_responses_is_never_below_their_exact_law(choices, local):
    exact = exact_responses(local, 4, choices, 0.3 * local)
    assert exact * (1 - 1e-9) <= shuffled_delta(local, 4, 0.3 * local, choices)


def written_out(local, people, epsilon):
    """The divergence of clones, term by term: A and C − A, with the person's report on a side."""
    p, found = math.exp(local) / (math.exp(local) + 1), 0.0
    for clones in range(people):
        weight = binom.pmf(clones, people - 1, math.exp(-local))
        halves = binom.pmf(np.arange(clones + 1), clones, 0.5)
        one, other = np.convolve(halves, [1 - p, p]), np.convolve(halves, [p, 1 - p])
        found += weight * np.maximum(one - math.exp(epsilon) * other, 0).sum()
    return found


@pytest.mark.parametrize(
    ("people", "local", "share"), [(40, 1.0, 0.2), (120, 2.0, 0.5), (9, 3, 0.1)]
)
def test_with_few_people_every_number_of_clones_counts_by_itself(people, local, share):
    exact = written_out(local, people, share * local)
    assert shuffled_delta(local, people, share * local) == pytest.approx(exact, rel=1e-6)


@pytest.mark.law
def test_groups_of_clones_count_as_their_fewest():
    exact = written_out(1.0, 1500, 0.15)
    assert exact <= shuffled_delta(1.0, 1500, 0.15) <= 1.2 * exact


@pytest.mark.few(2)
@pytest.mark.parametrize("people", [10**3, 10**4, 10**6, 10**9])
def test_the_closed_form_lies_above(people):
    for local in (0.5, 1.0, 2.0):
        numeric = shuffled_epsilon(local, people, 1e-6)
        assert numeric <= closed_form(local, people, 1e-6) <= local


def test_the_closed_form_is_that_of_the_theorem():
    n, local, delta = 10**6, 1.0, 1e-6
    more = 8 * (math.e * math.log(4e6)) ** 0.5 / 1000 + 8 * math.e / n
    wanted = math.log(1 + (math.e - 1) / (math.e + 1) * more)
    assert closed_form(local, n, delta) == pytest.approx(wanted)
    assert closed_form(9.0, 1000, delta) == 9.0  # beyond the theorem's condition


@pytest.mark.few(7)
@pytest.mark.parametrize("choices", [None, 2, 10])
@pytest.mark.parametrize("people", [1, 50, 10_000, 10**9])
def test_the_epsilon_of_a_report_uses_the_budget_and_no_more(people, choices):
    budget = ApproxDP(0.7, 1e-6)
    local = local_epsilon(budget, people, choices)
    assert local >= budget.epsilon
    assert shuffled_delta(local, people, budget.epsilon, choices) <= budget.delta
    if people >= 50 and local < 29:
        larger = shuffled_delta(local * 1.01 + 1e-3, people, budget.epsilon, choices)
        assert larger > budget.delta


def test_wrong_requests_are_refused():
    for wrong in (
        (0.0, 9, 1e-6),
        (31, 9, 1e-6),
        (1, 0, 1e-6),
        (1, 9, 0.0),
        (1, 9, 1.0),
        (1, 9.5, 0.1),
    ):
        with pytest.raises(DpvizError):
            shuffled_epsilon(*wrong)
    for budget in (PureDP(1), ApproxDP(31, 1e-6), ApproxDP(1, 1e-20)):
        with pytest.raises(DpvizError):
            local_epsilon(budget, 9)
    with pytest.raises(DpvizError, match="choices"):
        shuffled_epsilon(1.0, 9, 1e-6, 1)
