"""The gallery of samples: what is said of each, against its column and what it declares."""

from types import SimpleNamespace

import pytest

from dpviz.core.budgets import Neighbours
from dpviz.figures.kit.look import Look
from dpviz.intake.samples import sample, sample_column, samples
from dpviz.ui.data import choosing
from tests.figures.inks import LIGHT
from tests.rows import by_rows

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
KEYS = [one.key for one in samples()]


@pytest.fixture
def held(monkeypatch):
    found = {"upload": False, "sample": sample("exam"), "strip": None}
    monkeypatch.setattr(choosing.session, "is_upload", lambda: found["upload"])
    monkeypatch.setattr(choosing.session, "chosen_sample", lambda: found["sample"])
    monkeypatch.setattr(choosing, "strip", lambda now, items, **_: found.update(strip=items))
    return found


def visit(*, truth=True, neighbours=ADD):
    return SimpleNamespace(truth=truth, neighbours=neighbours, look=Look(LIGHT), presenting=False)


def many(one):
    """How many people a sample has, counted, with their word."""
    n = len(sample_column(one.key).values)
    return f"{n:,} {one.words.people.one if n == 1 else one.words.people.many}"


def ends(one):
    """Its declared bounds with the unit behind them."""
    said = " × ".join(
        f"{bounds.low:,.10g} to {bounds.high:,.10g}".replace("-", "−") for bounds in one.bounds
    )
    return f"{said} {one.words.unit.many}".rstrip()


@by_rows("key", KEYS)
def test_a_card_says_who_is_behind_it_or_what_is_declared(key):
    one = sample(key)
    people = choosing._line(one, truth=True)
    if len(one.columns) == 1:
        assert people.startswith(f"{many(one)}: ")
        steps = f"steps of {one.resolution:g}" if one.resolution else "no steps"
        assert choosing._line(one, truth=False) == f"{ends(one)}, {steps}"
    else:
        assert people.startswith(f"{one.n:,} people: ")
        assert choosing._line(one, truth=False) == f"a box: {' and '.join(one.columns)}"


@by_rows("key", KEYS)
@by_rows("neighbours", [ADD, REPLACE])
@by_rows("truth", [True, False])
def test_the_strip_says_what_is_declared_of_the_set_in_use(held, key, neighbours, truth):
    one = held["sample"] = sample(key)
    choosing._numbers(visit(truth=truth, neighbours=neighbours))
    relation = {ADD: "one person joins or leaves", REPLACE: "one person's value changes"}
    people = f"{one.n:,} {one.words.people.many}"
    assert held["strip"] == [
        ("public: bounds", ends(one)),
        ("steps of", f"{one.resolution:g}") if one.resolution else ("steps", "none"),
        ("neighbours", relation[neighbours]),
        ("confidential:", people) if truth else ("records on screen", "0"),
    ]


def test_with_the_truth_off_the_sets_are_counted_and_nobody_is(held):
    first, _ = choosing._sentences(visit(truth=False))
    assert first == f"{len(KEYS)} data sets, and not one record on screen."
    held["upload"] = True
    assert choosing._sentences(visit())[0] == "Behind the barrier: your own file."
    choosing._numbers(visit())
    assert held["strip"][0] == ("in use", "your own file")


@by_rows("key", KEYS)
def test_what_is_behind_the_barrier_has_the_number_of_its_people(held, key):
    held["sample"] = one = sample(key)
    first, second = choosing._sentences(visit())
    assert first.startswith("Behind the barrier: ")
    assert f"{one.n:,}" in first or (one.n == 40 and "40" in first)
    assert second == one.teaches
