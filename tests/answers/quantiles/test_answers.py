"""How rows are chosen and numbers written."""

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import (
    CROWDED,
    Answers,
    Writing,
    nice_range,
    percent_of,
    percents_of,
    ticks_of,
    view_of,
)
from dpviz.core.bounds import Bounds
from dpviz.core.quantiles import DECILES, PERCENTILES, uniform_quantiles
from tests.rows import by_rows


def answers(quantiles) -> Answers:
    q = np.asarray(quantiles, dtype=float)
    return Answers(q, 100 * q)


def test_up_to_nineteen_even_rows_all_have_labels():
    for m in (1, 3, 9, 19):
        assert answers(uniform_quantiles(m)).labelled.tolist() == list(range(m))


def test_many_rows_have_five_labels():
    many = answers(PERCENTILES)
    assert many.are_many
    np.testing.assert_allclose(many.quantiles[many.labelled], [0.1, 0.25, 0.5, 0.75, 0.9])


@pytest.mark.parametrize(
    "quantiles", [[0.01, 0.02, 0.03, 0.5, 0.97, 0.98, 0.99], [0.499, 0.5, 0.501]]
)
def test_labels_keep_their_distance_and_the_middle_one_stays(quantiles):
    one = answers(quantiles)
    shown = one.quantiles[one.labelled]
    assert (np.diff(shown) > CROWDED).all()
    assert 0.5 in shown


@pytest.mark.parametrize(
    ("resolution", "value", "error"),
    [
        (1, "58", "1.2"),
        (0.5, "58.0", "1.2"),
        (0.1, "58.0", "1.24"),
        (100, "58", "1"),
        (0.25, "57.97", "1.24"),
    ],
)
def test_values_follow_the_resolution(resolution, value, error):
    writing = Writing.of(Bounds(0, 1000), resolution)
    assert writing.value(57.97) == value
    assert writing.error(-1.24) == error


def test_without_a_resolution_the_view_decides():
    assert Writing.of(Bounds(-100, 100), 0, 20).value(-3.456) == "−3.46"
    assert Writing.of(Bounds(0, 1e6), 0).value(123_456.7) == "123,457"
    assert Writing.of(Bounds(0, 1e-9), 0).places == 6


def test_minus_and_zero():
    writing = Writing.of(Bounds(0, 10), 1)
    assert writing.value(-0.2) == "0"
    assert writing.value(-3) == "−3"
    assert writing.signed(2.5) == "+2.5"
    assert writing.signed(-5) == "−5"
    assert percent_of(0.5) == "50 %"
    assert percent_of(0.999) == "99.9 %"
    assert percents_of([0.1, 0.5]) == ("10 %", "50 %")
    assert percents_of([0.1, 0.500001]) == ("10 %", "50 %")
    assert percents_of([0.5, 0.500001]) == ("50 %", "50.0001 %")
    assert percents_of([0.1, 0.1000000000000001]) == ("0.1", "0.1000000000000001")


@by_rows(
    ("size", "expected"),
    [
        (0.3, 0.5),
        (1, 1),
        (1.01, 2),
        (4, 5),
        (6, 10),
        (11, 20),
        (21, 30),
        (31, 50),
        (51, 100),
        (101, 200),
        (0, 1),
        (np.inf, 1),
        (5e-324, 5e-324),
    ],
)
def test_ranges_jump_from_one_round_number_to_the_next(size, expected):
    assert nice_range(size) == pytest.approx(expected)


def test_the_view_is_the_bounds_or_a_round_stretch_that_holds_all_numbers():
    assert view_of(np.array([32.0, 80.0]), Bounds(0, 100)) == (0, 100)
    low, high = view_of(np.array([-4.1, 4.0]), Bounds(-100, 100))
    assert -100 < low < -4.1 < 4.0 < high < 100
    near = view_of(np.array([-4.05, 4.02]), Bounds(-100, 100))
    assert near == (low, high)  # another draw shows the same stretch
    assert view_of(np.array([0.0, 1.0]), Bounds(0, 100))[0] == 0
    assert view_of(np.array([7.0]), Bounds(0, 1e6))[1] > 7


@pytest.mark.parametrize("values", [[99.0, 105.0], [-5.0, 1.0]])
def test_a_stretch_that_would_leave_out_a_value_gives_way_to_all_of_the_bounds(values):
    assert view_of(np.array(values), Bounds(0, 100)) == (0, 100)


def test_ticks_are_round_and_inside():
    for low, high in ((0, 100), (-10, 10), (0.5, 5), (0, 168), (0, 500_000)):
        ticks = ticks_of(low, high)
        assert low <= ticks[0]
        assert ticks[-1] <= high
        assert 3 <= ticks.size <= 8


def test_deciles_stand_a_tenth_apart():
    assert answers(DECILES).spacing == pytest.approx(0.1)
    assert answers([0.5]).spacing <= 0.16
