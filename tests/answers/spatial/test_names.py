"""How a map's numbers are written, and what its people and places are called."""

import pytest

from dpviz.answers.spatial.names import (
    Names,
    Voice,
    count,
    give_or_take,
    percent,
    percent_of_cells,
    share,
    times,
)
from tests.answers.spatial.questions import BOX
from tests.rows import by_rows

KM = Names("student", "students", "live", "km", "km")


@pytest.mark.parametrize(
    ("number", "text"), [(-0.4, "0"), (0.4, "0"), (-59.8, "−60"), (1234.5, "1,234"), (1.0, "1")]
)
def test_counts_are_whole_with_a_true_minus(number, text):
    assert count(number) == text


@pytest.mark.parametrize(
    ("part", "text"),
    [(60 / 4797, "1.3 %"), (2e-7, "less than 0.1 %"), (0, "0 %"), (1.5, "150 %"),
     (0.001, "0.1 %"), (0.996, "100 %"), (float("nan"), "")],
)  # fmt: skip
def test_shares_have_two_digits(part, text):
    assert share(part) == text


def test_per_cent_has_no_exponent_where_it_is_large():
    assert [percent(one) for one in (0.012, 99.4, 99.6, 1234.0)] == [
        "0.012 %", "99 %", "100 %", "1,234 %",
    ]  # fmt: skip


def test_times_have_two_digits_and_no_exponent():
    factors = (1.2, 3.0, 9.96, 99.4, 99.6, 123.0, 1_234.0)
    assert [times(one) for one in factors] == ["1.2", "3", "10", "99", "100", "120", "1,200"]


def test_small_errors_keep_a_digit_and_unknown_ones_are_no_letters():
    errors = (132.3, 10.2, 2.84, 0.31, 0.0, float("inf"), float("nan"))
    assert [give_or_take(one) for one in errors] == ["132", "10", "2.8", "0.31", "0", "∞", "–"]


@by_rows(
    ("part", "of", "text"),
    [(3600, 4096, "88 %"), (1, 4096, "less than 1 %"), (4095, 4096, "more than 99 %"),
     (0, 10, "0 %"), (10, 10, "100 %"), (1, 200, "less than 1 %"), (199, 200, "more than 99 %"),
     (2, 400, "less than 1 %"), (1, 199, "1 %"), (198, 199, "99 %")],
)  # fmt: skip
def test_shares_of_cells_never_round_to_none_or_all(part, of, text):
    assert percent_of_cells(part / of) == text


def test_words_of_people_and_places():
    assert [KM.after(one) for one in ("1", "−1", "2")] == ["1 student", "−1 student", "2 students"]
    assert (KM.square, Names().square) == ("per square km", "per square unit")
    assert (KM.extent(BOX), Names().extent(BOX)) == ("10 by 8 km", "10 by 8")
    assert Voice(KM, lambda text: f"<{text}>").counted(1234.0) == "<1,234> students"
