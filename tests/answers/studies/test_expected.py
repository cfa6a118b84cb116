"""Errors to expect before a draw: each half-width worked out anew, and what is said of them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.studies import expected_said as said
from dpviz.answers.studies.expected import Expected, by_level, by_method, by_quantile, stays_under
from dpviz.core.trees.shape import Levels

UNEVEN = [[4.0], [1.0, 9.0, 25.0], [2.0, 30.0, 7.0, 11.0, 5.0, 3.0, 8.0, 1.0, 16.0]]


def levels(variances):
    counts = tuple(np.arange(len(each), dtype=float) for each in variances)
    return Levels(3, counts, tuple(np.array(each) for each in variances))


def middle(values):
    ordered, at = sorted(values), len(values) // 2
    return ordered[at] if len(values) % 2 else (ordered[at - 1] + ordered[at]) / 2


def test_a_level_is_off_by_what_its_middle_count_is():
    found = by_level(levels(UNEVEN), "cells", "homes")
    assert found.names == ("all", "one of 3 cells", "one of 9 cells")
    np.testing.assert_allclose(found.halves, [1.96 * math.sqrt(middle(one)) for one in UNEVEN])
    assert (found.unit, found.worst) == ("homes", 1)


def test_a_level_that_was_not_measured_has_no_row():
    found = by_level(levels([UNEVEN[0], [math.inf] * 3, UNEVEN[2]]), "cells", "homes")
    assert found.names == ("all", "one of 9 cells")
    np.testing.assert_allclose(found.halves, [1.96 * 2, 1.96 * math.sqrt(7)])


@pytest.mark.parametrize("runs", [7, 40, 200])
def test_what_most_draws_stay_under(runs):
    missed = np.random.default_rng(runs).integers(0, 900, (runs, 3)).astype(float)
    found = stays_under(missed, 1_234)
    for column in range(3):
        values = sorted(missed[:, column])
        at = math.ceil(0.95 * (runs - 1) - 1e-9)
        assert found[column] == values[at] / 1_234


def test_rows_are_quantiles_or_methods():
    errors = np.array([0.012, 0.005, 0.031])
    found = by_quantile(np.array([0.1, 0.5, 0.999]), errors)
    assert found.names == ("10 %", "50 %", "99.9 %")
    np.testing.assert_allclose(found.halves, [1.2, 0.5, 3.1])
    assert (found.unit, found.worst) == ("% of the places", 2)
    both = by_method({"AQ": errors, "Tree": errors[:2]})
    assert both.names == ("AQ", "Tree")
    np.testing.assert_allclose(both.halves, [3.1, 1.2])
    assert (both.unit, both.worst) == ("% of the places", 0)


def test_some_rows_have_room():
    few = Expected(tuple("abc"), np.arange(3.0), "")
    assert few.some() is few
    many = Expected(tuple(map(str, range(101))), np.arange(101.0) / 7, "homes").some()
    assert many.names == tuple(str(10 * at) for at in range(11))
    np.testing.assert_allclose(many.halves, [10 * at / 7 for at in range(11)])
    assert many.unit == "homes"


FOUND = Expected(("all", "one of 4"), np.array([31.4, 1_234.5]), "homes")


def test_every_sentence_says_its_own_number():
    assert said.size(FOUND, 0) == "32 homes"
    assert said.text(FOUND, 1) == "± 1,300 homes"
    assert said.size(replace(FOUND, unit=""), 0) == "32"
    assert said.noise_alone(FOUND, "cells") == (
        "About 19 of 20 of its cells will be off by at most 1,300 homes, whoever is in the data: "
        "it is the noise alone."
    )
    turned = replace(FOUND, halves=FOUND.halves[::-1])
    assert said.made_up(turned, 4_321) == (
        "If there are about 4,321 people, spread evenly between the bounds: 19 times of 20 a "
        "number is off by at most 1,300 homes, at the worst of them."
    )
    assert said.made_up(FOUND, None).startswith("More than a million people, ")
    assert said.alt(FOUND, "So.") == "So. ± 32 homes; ± 1,300 homes."
