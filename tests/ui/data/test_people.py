"""What becomes of a person's rows, and at which price: in the sentences of the card."""

from types import SimpleNamespace

import pytest

from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.intake.counted.counted_table import People
from dpviz.ui.data import people
from dpviz.ui.data.people import counted_rows
from tests.rows import by_rows
from tests.ui.recorded import Recorded


def said(rows, budget):
    own = SimpleNamespace(people=SimpleNamespace(column="visitor"))
    return people._said(SimpleNamespace(budget=budget), own, rows)


@by_rows(
    ("most", "budget", "each"),
    [(2, PureDP(0.5), "ε = 0.25"), (8, PureDP(1), "ε = 0.125"), (3, PureDP(0.1), "ε = 0.0333"),
     (2, ZCDP(0.5), "ρ = 0.125"), (10, ZCDP(1), "ρ = 0.01"), (1_000, PureDP(1), "ε = 0.001")],
)  # fmt: skip
def test_each_row_spends_its_part(most, budget, each):
    title, text = said(PersonRows.at_most(most), budget)
    assert title == "One person is all rows of one visitor"
    assert text == (
        f"At most {most:,} rows of each person count, drawn at random from theirs. Of a person's "
        f"{budget} each row spends {each}. People with few rows weigh more than among all rows."
    )


def test_one_row_costs_what_a_row_costs_and_parts_cost_a_part():
    _, one = said(PersonRows.at_most(1), PureDP(0.5))
    assert one.startswith("One row of each person counts, drawn at random from theirs: the price")
    _, parts = said(PersonRows.weighted(60), PureDP(0.6))
    assert "Of a person's ε = 0.6 each part spends ε = 0.01: the price of one person" in parts
    assert [counted_rows(many) for many in (1, 2, 1_000)] == [
        "at most 1 row", "at most 2 rows", "at most 1,000 rows",
    ]  # fmt: skip


@pytest.mark.parametrize("rows", [1, 1_234])
@pytest.mark.parametrize("shared", [True, False])
def test_what_the_choice_moves_is_counted(monkeypatch, rows, shared):
    whole, found = SimpleNamespace(n=9), SimpleNamespace(n=987, bounds=None, resolution=0.0)
    monkeypatch.setattr(people.session, "own_column", lambda *_: whole)
    monkeypatch.setattr(people, "farthest", lambda *both: 0.1234 if both == (whole, found) else 9)
    monkeypatch.setattr(people, "replace", lambda own, **_: own)
    kept = PersonRows.weighted() if shared else PersonRows.at_most(3)
    own = SimpleNamespace(column="pay", people=SimpleNamespace(rows=kept))
    text = people._moved(own, SimpleNamespace(rows=rows), found)
    word = "row" if rows == 1 else "rows"
    how = "all count, weighed" if shared else "987 count"
    assert text == (
        f"Of {rows:,} {word} {how}. Against the curve of all rows this one lies up to 12.3 "
        "percentage points off."
    )
    whole.n = 0
    assert people._moved(own, SimpleNamespace(rows=rows), found) == ""


def test_a_person_is_asked_for_by_the_columns_that_are_left(monkeypatch):
    screen = Recorded(monkeypatch)
    screen.state["upload_y"] = "b"
    columns = [SimpleNamespace(name=name) for name in "abcd"]
    own = SimpleNamespace(
        column="a",
        table=SimpleNamespace(columns=columns),
        people=People("c", PersonRows.at_most(7)),
    )
    assert people._names(own) == ["c", "d"]
    people._who(own, ["c", "d"])
    (box,) = screen.calls
    named = box.others["format_func"]
    assert [named(one) for one in box.args[1]] == [
        "Each row is one person", "All rows of one c", "All rows of one d",
    ]  # fmt: skip
    assert screen.state[people.WHO] == "c"
    people._how(own.people.rows)
    assert (screen.state[people.HOW], screen.state[people.MOST]) == (people.KEEP, 7)
