"""Formulas for the smallest budget: printed figures, inversion, and dpviz's own mechanism."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.planning import closed_forms as forms
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
PRINTED = {  # η: mean rank error of independent records, of even ones
    0.01: (100.1, 100.0), 0.05: (20.1, 20.0), 0.1: (10.1, 9.98), 0.3: (3.41, 3.28),
    0.5: (2.05, 1.92), 1.0: (0.990, 0.851), 2.0: (0.414, 0.276), 3.0: (0.205, 0.100),
}  # fmt: skip


def even_law(eta):
    """Rank errors and their chances on records evenly apart: a sum over all gaps."""
    ranks = np.arange(-4000, 4001)
    chances = np.exp(-eta * np.abs(ranks))
    return ranks, chances / chances.sum()


def mean_error(law, eta):
    ranks, chances = law(eta)
    return float(np.abs(ranks) @ chances)


@pytest.mark.parametrize("eta", PRINTED)
def test_mean_errors_are_those_of_section_14(eta):
    independent, even = PRINTED[eta]
    assert mean_error(forms.independent_law, eta) == pytest.approx(independent, rel=2.5e-3)
    assert mean_error(even_law, eta) == pytest.approx(even, rel=5e-3)
    assert forms.independent_law(eta)[1].sum() == pytest.approx(1)


@pytest.mark.parametrize("eta", [0.03, 0.4, 2.0])
def test_the_even_forms_are_sums_over_all_gaps(eta):
    ranks, chances = even_law(eta)
    assert mean_error(even_law, eta) == pytest.approx(1 / math.sinh(eta))
    for most in (0, 1, 5, 5.7):
        expected = chances[np.abs(ranks) > most].sum()
        assert forms.even_tail(eta, most) == pytest.approx(expected, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("independent", [False, True])
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("q", [0.5, 0.9])
def test_the_tail_at_the_budget_found_is_the_one_wanted(q, relation, independent):
    delta = 1.0 if relation is REPLACE else max(q, 1 - q)
    tail = forms.independent_tail if independent else forms.even_tail
    for ranks, beta in ((0, 0.05), (3, 0.2), (60, 0.05)):
        epsilon = forms.epsilon_for_tail(ranks, beta, q, relation, independent=independent)
        assert tail(epsilon / (2 * delta), ranks) == pytest.approx(beta, rel=1e-4)


@pytest.mark.law
@pytest.mark.parametrize("independent", [False, True])
def test_the_mechanism_errs_as_the_formula_says(rng, independent):
    """Twin: the formula of the other column, and the sensitivity of the other relation."""
    n, epsilon = 400, 0.8
    columns = 40 if independent else 1
    errors = []
    for _ in range(columns):
        values = np.sort(rng.random(n)) if independent else (np.arange(n) + 0.5) / n
        column = Column.from_values(values, Bounds(0, 1))
        drawn = IndependentExp().release_many(
            column, [0.5], PureDP(epsilon), rng, 60_000 // columns
        )
        errors.append(np.abs(np.searchsorted(values, drawn[:, 0]) - n / 2).mean())
    found, spread = np.mean(errors), np.std(errors) / math.sqrt(max(columns - 1, 1)) + 0.006
    laws = forms.independent_law, even_law
    right, other = (mean_error(law, epsilon) for law in (laws if independent else laws[::-1]))
    assert abs(found - right) < 4 * spread
    assert abs(found - mean_error(even_law, epsilon / 2)) > 10 * spread
    if not independent:
        assert abs(found - other) > 4 * spread


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: forms.epsilon_for_tail(-1, 0.5, 0.5, ADD),
        lambda: forms.epsilon_for_tail(1, 1.0, 0.5, ADD),
        lambda: forms.epsilon_for_tail(math.nan, 0.5, 0.5, ADD),
        lambda: forms.epsilon_for_tail(1, 0.5, 1.0, ADD),
    ],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(InvalidParameter):
        wrong()
