"""Small parts of the interface: steps, memory, messages, downloads, seeds."""

import csv
import io
import json

import numpy as np
import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some

from dpviz.answers.number_text import counted, records
from dpviz.answers.said import plain
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.releases import QuantileRelease
from dpviz.reports.tables import quantiles_csv
from dpviz.ui.bench.budget import STEPS, stops
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import Draw
from dpviz.ui.links import readable
from dpviz.ui.quantiles.below import releases_json
from tests.rows import by_rows


@given(some.floats(1e-6, 1e6))
def test_a_slider_that_lacks_a_value_gains_it_as_a_stop(value):
    found = stops(value)
    assert value in found
    assert set(found) - {value} <= set(STEPS) <= set(found)
    assert found == sorted(found)


@pytest.fixture
def state(monkeypatch):
    held: dict = {}
    monkeypatch.setattr(st, "session_state", held)
    return held


def test_results_are_computed_once_for_each_key(state):
    calls = []
    for key in ("a", "b", "a", "a"):
        assert (
            memory.remembered(key, lambda key=key: calls.append(key) or key.upper())
            == "AB"[key == "b"]
        )
    assert calls == ["a", "b"]


def test_the_oldest_unused_result_is_forgotten_first(state):
    for key in range(memory.REMEMBERED):
        memory.remembered(key, lambda key=key: key)
    memory.remembered(0, lambda: pytest.fail("0 was still held"))
    memory.remembered("one more", lambda: None)
    assert len(state["_results"]) == memory.REMEMBERED
    memory.remembered(0, lambda: pytest.fail("0 had just been used"))
    assert memory.remembered(1, lambda: "again") == "again"
    session.forget_results()
    assert memory.remembered(0, lambda: "anew") == "anew"


def test_a_failure_is_not_remembered(state):
    with pytest.raises(ZeroDivisionError):
        memory.remembered("k", lambda: 1 / 0)
    assert memory.remembered("k", lambda: 2) == 2


@by_rows(
    ("texts", "least", "most", "is_whole", "takes"),
    [
        (["2.5"], 0, None, False, True), (["-2.5"], 0, None, False, False),
        (["-2.5"], None, None, False, True), (["abc"], None, None, False, False),
        (["nan"], None, None, False, False), (["1e999"], None, None, False, False),
        ([""], None, None, False, False), ([], None, None, False, False),
        (["1", "2"], None, None, False, False), (["7"], None, 5, False, False),
        (["1"], None, 0, False, False), (["9e15"], None, None, True, True),
        (["1e16"], None, None, True, False), (["1e16"], None, None, False, True),
    ],
)  # fmt: skip
def test_which_texts_are_numbers(texts, least, most, is_whole, takes):
    assert readable.number(texts, least, most, is_whole=is_whole) is takes


def test_which_texts_are_whole_or_options():
    whole = [["3"], ["6"], ["3.0"], ["-1"], [" 3"], ["٣"], [], ["1", "2"], ["+0"]]
    assert [readable.whole(texts, 0, 5) for texts in whole] == [True, *[False] * 7, True]
    some = [["a"], ["b", "a"], ["a", "a"], ["c"], [""], [], ["a", ""]]
    assert [readable.some_of(texts, ["a", "b"]) for texts in some] == [
        True, True, False, False, True, True, False,
    ]  # fmt: skip
    assert [readable.yes_or_no(texts) for texts in (["TRUE"], ["false"], ["1"], [])] == [
        True, True, False, False,
    ]  # fmt: skip


def test_markup_is_switched_off():
    assert plain("<b>*x*</b> $y$ :red[z] `c` #") == (r"\<b\>\*x\*\</b\> \$y\$ \:red\[z\] \`c\` \#")
    assert plain("age in years") == "age in years"


def test_one_thing_and_many():
    assert [counted(n, "record") for n in (0, 1, 2, 48842)] == [
        "0 records", "1 record", "2 records", "48,842 records",
    ]  # fmt: skip
    assert [records(n) for n in (0.0, 0.04, 3.0, 12.34, 100.6, 12345.6)] == [
        "0", "0.0", "3", "12.3", "101", "12,346",
    ]  # fmt: skip


def release(mechanism="JointExp"):
    return QuantileRelease(
        mechanism=mechanism,
        parameters={"ties": "spread"},
        quantiles=np.array([0.9, 0.1]),
        values=np.array([1 / 3, 0.1 + 0.2]),
        bounds=Bounds(0, 1),
        resolution=0.0,
        neighbours=Neighbours.ADD_REMOVE,
        spent=PureDP(1.0),
    )


def test_downloads_come_back_to_the_last_digit():
    assert QuantileRelease.from_json(releases_json([release()])) == release()
    several = json.loads(releases_json([release(), release("AggTree")]))
    assert [QuantileRelease.from_json(json.dumps(one)) for one in several] == [
        release(),
        release("AggTree"),
    ]
    rows = list(csv.DictReader(io.StringIO(quantiles_csv([release(), release("AggTree")]))))
    assert [row["mechanism"] for row in rows] == ["JointExp"] * 2 + ["AggTree"] * 2
    assert [float(row["value"]) for row in rows[:2]] == [1 / 3, 0.1 + 0.2]
    assert [float(row["quantile"]) for row in rows[:2]] == [0.9, 0.1]


def test_a_sample_draws_by_its_seed_alone_and_an_upload_by_its_purpose_too(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    assert Draw(5).entropy("one") == Draw(5).entropy("two") == [5]
    assert Draw(5).entropy("one", 2) == [5, 2]
    own = Draw(5, secret=bytes(31) + b"1")
    assert own.entropy("one") == own.entropy("one")
    assert own.entropy("one") != own.entropy("two")
    assert own.entropy("one", 1) != own.entropy("one")
    first, second = (own.generator(purpose).random(4) for purpose in ("one", "two"))
    assert (first != second).all()
    assert (own.generator("one").random(4) == first).all()
    assert isinstance(Draw(5).randomness("one"), np.random.Generator)
    assert type(own.randomness("one")) is SecureBits
