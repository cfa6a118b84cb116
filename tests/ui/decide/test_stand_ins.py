"""What stands in for a file: its kind of number, two public numbers, and from where they are."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide import misses_said
from dpviz.answers.decide.quantile_buys_said import StandIn
from dpviz.core.bounds import Bounds
from dpviz.core.errors import InvalidParameter
from dpviz.experiments.planning.shaped import BY_KIND, LAWS, Shape
from dpviz.figures.decide.sentence import Amount, Choice
from dpviz.intake.read import read_table
from dpviz.ui.data.kinds import KINDS
from dpviz.ui.decide import stand_ins
from dpviz.ui.decide.stand_ins import SOURCES
from dpviz.ui.kit.session import Upload
from dpviz.ui.visit import data

FILE = b"pay,age\n1200,30\n3400,41\n990,29\n"
SCOPE = "own1_0"


@pytest.fixture
def file(visit):
    """A file of the visitor's whose bounds are declared, as money."""
    table = read_table(io.BytesIO(FILE), "a.csv")
    visit.held["_upload"] = Upload(table, 1, "pay", drop_unreadable=False)
    data.choose(data.UPLOAD, "column")
    visit.store |= {f"{SCOPE}_low": 0.0, f"{SCOPE}_high": 250_000.0, f"{SCOPE}_resolution": 100.0}
    visit.held[f"_kind_{SCOPE}"] = "money"
    return visit


def take(**changed):
    stand_ins._take(changed, "")


@pytest.mark.parametrize(
    ("changes", "numbers"),
    [
        ([], StandIn(45_000, 85_400, "national statistics")),
        ([{"half": "30000"}], StandIn(30_000, 85_400, "a guess")),
        ([{"half": "30000"}, {"tenth": "70000"}], StandIn(30_000, 70_000, "a guess")),
        ([{"half": "30000", "tenth": "70000"}, {"source": "last year's table"}],
         StandIn(30_000, 70_000, "last year's table")),
        ([{"source": "an earlier release"}], StandIn(45_000, 85_400, "an earlier release")),
        # another kind forgets what was typed
        ([{"half": "30000", "tenth": "70000", "source": "last year's table"}, {"kind": "mark"},
          {"kind": "money"}], StandIn(45_000, 85_400, "national statistics")),
    ],
)  # fmt: skip
def test_money_is_shaped_as_national_statistics_say_or_by_what_is_typed(file, changes, numbers):
    for one in changes:
        take(**one)
    found, told = stand_ins.shape()
    assert found == Shape("money", Bounds(0, 250_000), 100.0, numbers.middle, numbers.tenth)
    assert told == numbers
    assert file.held[f"_kind_{SCOPE}"] == "money"


def test_a_number_may_be_0(file):
    file.held[f"_kind_{SCOPE}"] = "mark"
    file.store |= {f"{SCOPE}_low": -10.0, f"{SCOPE}_high": 10.0, f"{SCOPE}_resolution": 1.0}
    take(half="0", tenth="6")
    assert stand_ins.shape()[1] == StandIn(0.0, 6.0, "a guess")


@pytest.mark.parametrize("kind", [kind.key for kind in KINDS])
def test_each_kind_has_its_law(file, kind):
    file.held[f"_kind_{SCOPE}"] = kind
    shape, numbers = stand_ins.shape()
    assert shape.law == BY_KIND[kind]
    assert (numbers is None) is (LAWS[shape.law].start is None)
    if numbers is not None:
        assert numbers.source in SOURCES
        assert numbers.source == LAWS[shape.law].source
        assert (numbers.middle, numbers.tenth) == (shape.half, shape.tenth)


@pytest.mark.parametrize(
    "changed",
    [{"half": "90000"}, {"half": "0"}, {"tenth": "45000"}, {"tenth": "250001"}, {"half": "-5"}],
)
def test_numbers_that_do_not_fit_are_refused_in_words(file, changed):
    take(**changed)
    with pytest.raises(InvalidParameter, match="does not fit"):
        stand_ins.shape()
    assert stand_ins.column(100) is None


def test_a_kind_proposes_bounds_only_where_none_are_declared(file):
    take(kind="mark")
    assert (file.store[f"{SCOPE}_low"], file.store[f"{SCOPE}_high"]) == (0.0, 250_000.0)
    assert file.store[f"{SCOPE}_resolution"] == 100.0
    for missing in ("low", "high"):
        file.store[f"{SCOPE}_{missing}"] = None
        take(kind="mark")
        assert [file.store[f"{SCOPE}_{end}"] for end in ("low", "high", "resolution")] == [
            0,
            100,
            1,
        ]
        file.store |= {f"{SCOPE}_low": 0.0, f"{SCOPE}_high": 250_000.0}


@pytest.mark.parametrize(
    "changed",
    [
        {"half": "x"}, {"half": ""}, {"half": "nan"}, {"tenth": "inf"}, {"tenth": "1e999"},
        {"half": "9" * 5_000}, {"source": "my cousin"}, {"source": ""}, {"kind": "gold"},
        {"kind": ""}, {"evil": "5"}, {"data": "exam"},
    ],
)  # fmt: skip
def test_nonsense_changes_nothing(file, changed):
    before, session = dict(file.store), set(file.held)
    take(**changed)
    assert file.store == before
    assert set(file.held) == session
    assert stand_ins.shape()[1] == StandIn(45_000, 85_400, "national statistics")


def test_every_column_has_numbers_of_its_own(file):
    take(half="30000")
    own = file.held["_upload"]
    file.held["_upload"] = replace(own, column="age")
    file.store |= {"own1_1_low": 0.0, "own1_1_high": 250_000.0}
    file.held["_kind_own1_1"] = "money"
    assert stand_ins.shape()[1].middle == 45_000
    file.held["_upload"] = own
    assert stand_ins.shape()[1].middle == 30_000


# the people who are drawn


def test_made_up_people_are_no_function_of_the_file(file):
    first = stand_ins.column(500)
    file.held["_upload"] = replace(
        file.held["_upload"], table=read_table(io.BytesIO(b"pay,age\n7,7\n"), "b.csv")
    )
    again = stand_ins.column(500)
    assert first.values.tolist() == again.values.tolist()
    assert first.n == 500
    assert not {1200.0, 3400.0, 990.0} >= set(first.values.tolist())


@pytest.mark.parametrize(
    ("people", "drawn"), [(None, 1_000), (0, 1_000), (1, 1), (37, 37), (10**9, 200_000)]
)
def test_as_many_are_drawn_as_are_said(file, people, drawn):
    made = stand_ins.column(people)
    assert made.n == drawn
    assert made.bounds == Bounds(0, 250_000)
    assert np.all(made.values % 100 == 0)
    if drawn >= 1_000:
        assert abs(np.mean(made.values < 45_000) - 0.5) < 0.06
        assert abs(np.mean(made.values > 85_400) - 0.1) < 0.04


# the line


@pytest.fixture
def line(file, monkeypatch):
    """The line as it is handed to the browser."""
    drawn = []
    monkeypatch.setattr(stand_ins, "sentence", lambda *given, **_: drawn.append(given))

    def show(found, *, is_reckoned=True, is_drawn=True):
        drawn.clear()
        stand_ins.line(found, "value", is_reckoned=is_reckoned, is_drawn=is_drawn)
        ((_, said, told),) = drawn
        assert told is stand_ins._take
        return said

    return show


def test_the_line_says_both_numbers(line):
    said = line(StandIn(31_000, 72_500.5, "last year's table"))
    assert said.text() == (
        "Reckoned on made-up money: half below 31,000, one in ten above 72,500.5 "
        f"(from last year's table). Hollow: not published. {misses_said.said('money', 'value')}"
    )
    bare = line(StandIn(31_000, 72_500.5, "last year's table"), is_drawn=False)
    assert bare.text() == said.text().replace(" Hollow: not published.", "")
    assert said.small
    assert [one.says for one in said.parts if not isinstance(one, str)] == [
        "What kind of number it is", "Half of the people lie below", "One in ten lies above",
        "From where the two numbers are",
    ]  # fmt: skip
    assert said.values == {
        "kind": "money", "half": "31000", "tenth": "72500.5", "source": "last year's table"
    }  # fmt: skip


def test_a_law_without_numbers_has_its_kind_alone(line, file):
    file.held[f"_kind_{SCOPE}"] = "share"
    told = misses_said.said("flat", "value")
    assert line(None).text() == f"Reckoned on made-up share. Hollow: not published. {told}"


def test_before_anything_is_reckoned_the_line_asks_for_the_kind(line, file):
    file.held[f"_kind_{SCOPE}"] = "share"
    asked = "The kind of number, share, proposes bounds that anybody could name."
    assert line(None, is_reckoned=False).text() == asked
    both = line(StandIn(31_000, 72_500, "a guess"), is_reckoned=False).text()
    assert both.endswith("one in ten above 72,500 (from a guess).")


def test_every_word_of_the_line_is_one_of_those_it_can_be(line, file):
    for kind in KINDS:
        file.held[f"_kind_{SCOPE}"] = kind.key
        said = line(stand_ins.shape()[1])
        for part in said.parts:
            if isinstance(part, Choice):
                assert said.values[part.name] in [one[0] for one in part.options]
            elif isinstance(part, Amount):
                assert part.least <= float(said.values[part.name]) <= part.most
