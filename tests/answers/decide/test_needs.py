"""Needs in words: every unit of every form, and the need that a sentence begins with."""

from __future__ import annotations

from itertools import product

import pytest

from dpviz.answers.decide.needs import (
    OFTEN,
    UNITS,
    NeedNames,
    first_need,
    often_words,
    unit_word,
    units_of,
)
from dpviz.answers.decide.price import Need
from dpviz.answers.decide.sentences import (
    CELLS,
    COUNT,
    CURVE,
    HISTOGRAM,
    OFFERS,
    QUANTILES,
    RUNNING,
    WHAT,
)
from dpviz.intake.samples import Noun

PAY = NeedNames("salary", Noun("dollar", "dollars"), Noun("worker", "workers"))
BARE = NeedNames("a%b", Noun("", ""), Noun("person", "people"))
COUNTS = {COUNT: 10, HISTOGRAM: 12, CURVE: 50, CELLS: 150, RUNNING: 20}
FORMS = {form for _, form in WHAT.values()}
KINDS = ("money", "mark", "age", "hours", "stars", "minutes", "share", "other", "", "nonsense")
LOWS = (None, -5.0, -1e-9, 0.0, 30.0)


def test_the_forms_are_those_of_the_sentences():
    assert {*COUNTS, QUANTILES, OFFERS} == FORMS


@pytest.mark.parametrize("form", COUNTS)
@pytest.mark.parametrize("low", LOWS)
def test_counts_are_off_by_people(form, low):
    assert units_of(form, low) == ["people", "share"]


@pytest.mark.parametrize("form", [QUANTILES, OFFERS])
def test_no_per_cent_of_a_value_that_may_be_negative_or_has_no_bound(form):
    for low in LOWS:
        of_value = ["value"] if low in (0.0, 30.0) else []
        assert units_of(form, low) == [*of_value, "unit", "share", "places"]


@pytest.mark.parametrize(
    ("kind", "amount", "unit"),
    [
        ("money", 2, "value"),
        ("mark", 1, "unit"),
        ("age", 1, "unit"),
        ("hours", 1, "unit"),
        ("minutes", 1, "unit"),
        ("stars", 0.5, "unit"),  # half a step: exactly right
        ("share", 1, "share"),
        ("other", 1, "share"),
        ("", 1, "share"),
    ],
)
def test_the_first_need_of_a_kind_of_number(kind, amount, unit):
    assert first_need(QUANTILES, kind, 0.0) == Need(amount, unit, 0.95)
    assert first_need(QUANTILES, kind, 0.0, unit) == Need(amount, unit)


def test_money_that_may_be_owed_begins_with_a_share_of_the_people():
    for low in (None, -100.0):
        assert first_need(QUANTILES, "money", low) == Need(1, "share")
        assert first_need(QUANTILES, "money", low, "share") == Need(1, "share")
    assert first_need(QUANTILES, "mark", None) == Need(1, "unit")


@pytest.mark.parametrize("form", COUNTS)
def test_the_first_need_of_a_form_of_counts(form):
    for kind, low in product(KINDS, LOWS):
        assert first_need(form, kind, low) == Need(COUNTS[form], "people")
    assert first_need(form, "money", 0.0, "people") == Need(COUNTS[form], "people")
    assert first_need(form, "money", 0.0, "share") == Need(1, "share")


def test_a_unit_that_was_chosen_brings_an_amount_of_its_own():
    amounts = {"value": 2, "unit": 1, "share": 1, "people": 10, "places": 10}
    for unit in UNITS:
        assert first_need(QUANTILES, "stars", 0.0, unit) == (
            Need(0.5, "unit") if unit == "unit" else Need(amounts[unit], unit)
        )


@pytest.mark.parametrize(
    ("people", "places"),
    [(6_000, 60), (5_000, 50), (15_499, 200), (1_000, 10), (230, 2), (99, 1), (15, 1), (1, 1)],
)
def test_places_begin_with_one_in_a_hundred_people(people, places):
    """Rounded to one digit, and never less than one place."""
    exact = people / 100
    power = 1
    while exact / power >= 10:
        power *= 10
    assert places == max(1, round(exact / power) * power)
    assert first_need(QUANTILES, "other", 0.0, "places", people) == Need(places, "places")
    assert first_need(QUANTILES, "other", 0.0, "places") == Need(10, "places")


def test_people_of_the_data_move_no_other_amount():
    for kind, unit in product(KINDS, ("", "value", "unit", "share", "people")):
        known = first_need(QUANTILES, kind, 0.0, unit)
        assert first_need(QUANTILES, kind, 0.0, unit, 123_456) == known


def test_every_first_need_can_be_asked():
    for form, kind, low in product(sorted(FORMS), KINDS, LOWS):
        found = first_need(form, kind, low)
        assert found.unit in units_of(form, low)
        assert found.amount > 0
        assert found.sure == 0.95
        for unit in units_of(form, low):
            assert first_need(form, kind, low, unit, 700).unit == unit


# words


@pytest.mark.parametrize(
    ("names", "many", "single"),
    [
        (
            PAY,
            ["% of salary", "dollars", "% of the workers", "workers", "places"],
            ["% of salary", "dollar", "% of the workers", "worker", "place"],
        ),
        (
            BARE,
            ["% of a%b", "in a%b", "% of the people", "people", "places"],
            ["% of a%b", "in a%b", "% of the people", "person", "place"],
        ),
    ],
)
def test_what_an_amount_is_of(names, many, single):
    assert [unit_word(unit, names) for unit in UNITS] == many
    for amount in (2, 0.5, 0, 1.5, 1_000):
        assert [unit_word(unit, names, amount) for unit in UNITS] == many
    assert [unit_word(unit, names, 1) for unit in UNITS] == single
    assert [unit_word(unit, names, 1.0) for unit in UNITS] == single


def test_an_amount_always_has_its_noun():
    """Never a bare "1 %"."""
    for unit, names, amount in product(UNITS, (PAY, BARE), (1, 2)):
        assert unit_word(unit, names, amount).strip("% ")


def test_how_often_a_need_is_kept():
    odds = {"half of the times": (1, 2), "4 times of 5": (4, 5), "9 times of 10": (9, 10)}
    odds |= {"19 times of 20": (19, 20), "99 times of 100": (99, 100)}
    assert {often_words(hits / of): (hits, of) for hits, of in odds.values()} == odds
    assert set(OFTEN.values()) == set(odds)
    assert often_words(0.975) == "97.5 % of the times"
    assert often_words(0.7) == "70 % of the times"
