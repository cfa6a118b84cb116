"""What real columns kept: every number in the sentence is worked out again from what is stored."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from dpviz.answers.decide.misses_said import said
from dpviz.answers.decide.needs import UNITS
from dpviz.experiments.planning import decide_misses
from dpviz.experiments.planning.decide_misses import Miss
from dpviz.experiments.planning.shaped import LAWS
from dpviz.version import __version__


def miss(column="pay", law="money", unit="value", kept=80.0) -> Miss:
    return Miss(column, law, 5_000, unit, 2.0, "AggTree", 0.2, kept, 3.1)


SHARES = [miss("a", "flat", "share", 94.4), miss("b", "mark", "share", 97.6)]


def test_a_need_in_per_cent_of_the_value_is_told_beside_those_of_people():
    rows = [miss("pay", kept=79.6), miss("goodreads_pages", kept=38.4), miss("c", kept=99.0)]
    assert said("money", "value", rows + SHARES) == (
        "Promised 95 of 100 times, kept 38 to 99 on three real columns (Goodreads pages 38, pay "
        "80); in % of the people 94 to 98."
    )


@pytest.mark.parametrize("unit", ["share", "places"])
def test_a_need_of_people_carries_over(unit):
    assert said("money", unit, [miss(), *SHARES]) == (
        "Promised 95 of 100 times, kept 94 to 98 on two real columns."
    )


def test_columns_of_the_same_law_come_first_and_others_where_there_is_none():
    rows = [miss("pay", kept=80.0), miss("marks", "mark", "value", 60.0)]
    assert "kept 80 on one real column (pay 80)." in said("money", "value", rows)
    assert "kept 60 to 80 on two real columns" in said("spending", "value", rows)


def test_a_column_that_kept_it_is_not_named_and_two_are_the_most():
    rows = [miss(name, kept=kept) for name, kept in (("a", 95.0), ("b", 70), ("c", 90), ("d", 80))]
    assert "(b 70, d 80)" in said("money", "value", rows)
    assert said("money", "value", [miss(kept=95.0)]).endswith("on one real column.")


def test_of_what_was_not_measured_nothing_is_said():
    assert said("money", "value", []) == ""
    assert said("money", "value", SHARES) == said("money", "share", SHARES)


def test_what_is_stored_is_of_this_version_and_holds_what_it_says():
    assert decide_misses.stored()["version"] == __version__
    assert decide_misses.stored()["releases"] == 1_200
    rows = decide_misses.misses()
    assert len(rows) == len({(one.column, one.unit) for one in rows})
    units = defaultdict(set)
    for one in rows:
        units[one.column].add(one.unit)
        assert one.law in LAWS
        assert 0 <= one.kept <= 100
        # as often as was promised, if and only if what came is no more than was asked
        assert (one.kept >= 94.95) == (one.came <= one.amount * 1.005), one
    assert all("share" in one for one in units.values())


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("unit", UNITS)
def test_every_sentence_says_the_ends_of_what_was_measured(law, unit):
    text = said(law, unit)
    rows = decide_misses.misses()
    shares = [round(one.kept) for one in rows if one.unit == "share"]
    ends = f"{min(shares)} to {max(shares)}"
    if unit not in {"value", "unit"}:
        assert f"kept {ends} on" in text
        return
    assert text.endswith(f"; in % of the people {ends}.")
    alike = [one for one in rows if one.unit == unit and one.law == law]
    alike = alike or [one for one in rows if one.unit == unit]
    kept = [round(one.kept) for one in alike]
    low, high = re.search(r", kept (\d+)(?: to (\d+))? on", text).groups()
    assert (int(low), int(high or low)) == (min(kept), max(kept))


def test_measured_salaries_and_pages_keep_far_less_than_was_promised():
    kept = {one.column: one.kept for one in decide_misses.misses() if one.unit == "value"}
    assert kept["Yearly salaries"] == pytest.approx(80, abs=3)
    assert kept["goodreads_pages"] < 60
