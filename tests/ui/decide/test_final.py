"""A release for good: bits of its own, booked once, and the same to whoever asks again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import streamlit as st

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.bits import SecureBits
from dpviz.mechanisms.sums.noisy_count import NoisyCount
from dpviz.ui.decide.final import Final
from dpviz.ui.kit import memory
from dpviz.ui.kit.draws import Draw, purpose_of

COLUMN = Column.from_values(np.arange(100.0), Bounds(0, 100))
SECRET = b"a key of a file's visitor........"


@pytest.fixture(autouse=True)
def _visit(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})


@pytest.fixture
def keys(monkeypatch):
    """Every fresh key that is taken."""
    found: list[Any] = []
    fresh = SecureBits.fresh

    def counted():
        found.append(None)
        return fresh()

    monkeypatch.setattr(SecureBits, "fresh", counted)
    return found


def final(*, secret=SECRET, epsilon=0.2, make=None) -> Final:
    count, budget = NoisyCount(), PureDP(epsilon)
    draw = Draw(3, secret) if secret else Draw(3, sample="exam")
    purpose = purpose_of(count, COLUMN, budget)
    make = make or (lambda rng: count.release(COLUMN, budget, rng))
    return Final(draw, purpose, budget, make, "released-count")


def booked(payer="upload"):
    return [one.budget.epsilon for one in memory.account(payer).entries]


def test_it_is_drawn_once_with_a_key_of_its_own_and_booked_once(keys):
    asked = final()
    assert asked.released is None
    assert (keys, booked()) == ([], [])
    asked.release()
    first = asked.released
    assert first is not None
    assert first.randomness == "secure"
    assert (len(keys), booked()) == (1, [0.2])
    again = final()
    again.release()
    assert again.released is first
    assert (len(keys), booked()) == (1, [0.2])


def test_another_budget_is_another_question(keys):
    final().release()
    other = final(epsilon=0.3)
    assert other.released is None
    other.release()
    assert other.released is not final().released
    assert (len(keys), booked()) == (2, [0.2, 0.3])


def test_another_file_is_another_question():
    final().release()
    assert final(secret=SECRET[::-1]).released is None


def test_the_release_of_a_sample_has_a_seed_and_spends_nothing(keys):
    final(secret=b"").release()
    found = final(secret=b"").released
    assert found is not None
    assert found.randomness == "seeded"
    assert (keys, booked("exam"), booked()) == ([], [], [])


def test_what_refuses_is_not_booked():
    def refuses(_):
        raise InvalidParameter("no")

    asked = final(make=refuses)
    with pytest.raises(InvalidParameter):
        asked.release()
    assert asked.released is None
    assert booked() == []
