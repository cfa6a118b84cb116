from __future__ import annotations

import json

import numpy as np
import pytest

from dpviz.experiments.planning.stored import LETTERS, packed, unpacked


def test_numbers_come_back_within_their_step(rng):
    numbers = np.exp(rng.uniform(np.log(1e-5), np.log(1e5), 2_000))
    text = packed(numbers)
    again = unpacked(json.loads(json.dumps(text)), numbers.size)
    np.testing.assert_allclose(again, numbers, rtol=0.0016)
    assert len(text) <= 2 * numbers.size
    assert len(json.dumps(text)) == len(text) + 2  # no letter is escaped


def test_rounding_up_never_makes_an_error_smaller(rng):
    errors = np.exp(rng.uniform(np.log(1e-5), 0, 2_000))
    again = unpacked(packed(errors, up=True), errors.size)
    assert (again >= errors * (1 - 1e-8)).all()
    np.testing.assert_allclose(again, errors, rtol=0.0031)
    assert (unpacked(packed(errors), errors.size) < errors).any()
    twice = unpacked(packed(again, up=True), errors.size)
    np.testing.assert_allclose(twice, again, rtol=1e-12)


def test_nothing_and_the_unknown_are_themselves():
    numbers = [0.0, np.nan, 3.0, np.inf, 0.0, 0.0]
    text = packed(numbers)
    assert len(text) == 8
    again = unpacked(text, 6)
    np.testing.assert_array_equal(again[[0, 4, 5]], 0)
    assert np.isnan(again[[1, 3]]).all()
    assert again[2] == pytest.approx(3, rel=0.002)
    assert (packed([]), packed([0.0])) == ("", "")
    assert unpacked("", 0).size == 0
    assert (unpacked("", 3) == 0).all()


def test_a_number_that_ends_in_the_first_letter_survives():
    for code in range(0, 8_000, 92):
        number = 1e-5 * 1.003 ** (code - 1) if code else 0.0
        assert unpacked(packed([number]), 1)[0] == pytest.approx(number, rel=0.002)
    assert LETTERS[0] == "!"
