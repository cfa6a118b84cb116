"""A check beside the page: one at a time, left when the sentence changes, its errors said."""

from __future__ import annotations

import threading

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.ui.decide import checking
from dpviz.ui.decide.checking import Abandoned, Check

LONG = 10.0  # seconds: far more than a step takes


@pytest.fixture(autouse=True)
def without_a_pause(monkeypatch):
    monkeypatch.setattr(checking, "PAUSE_SECONDS", 0.001)


def ended(one: Check) -> Check:
    one._thread.join(LONG)
    assert one.done
    return one


def test_a_check_gives_what_its_work_gave():
    assert ended(Check("a", lambda step: step(0.5) or 7)).result() == 7


def test_what_the_work_raises_is_raised_where_somebody_looks():
    def work(_):
        raise InvalidParameter("no")

    with pytest.raises(InvalidParameter, match="no"):
        ended(Check("a", work)).result()


def test_nothing_is_checked_before_the_answer_is_drawn(monkeypatch):
    monkeypatch.setattr(checking, "PAUSE_SECONDS", 2 * LONG)
    begun = []
    one = Check("a", lambda _: begun.append("a"))
    assert not one.done
    one.leave()  # a word that is set meanwhile takes no time of the processor
    with pytest.raises(Abandoned):
        ended(one).result()
    assert begun == []


def test_a_check_that_was_left_ends_at_its_next_step():
    begun, goes_on = threading.Event(), threading.Event()

    def work(step):
        begun.set()
        assert goes_on.wait(LONG)
        step(0.5)
        return 7

    one = Check("a", work)
    assert begun.wait(LONG)
    one.leave()
    goes_on.set()
    with pytest.raises(Abandoned):
        ended(one).result()


def test_one_check_runs_at_a_time_and_one_that_was_left_never_begins():
    begun, goes_on, second = threading.Event(), threading.Event(), []

    def first(_):
        begun.set()
        return goes_on.wait(LONG)

    one = Check("a", first)
    assert begun.wait(LONG)
    two = Check("b", lambda _: second.append("b"))
    three = Check("c", lambda _: second.append("c"))
    two.leave()
    assert second == []
    goes_on.set()
    for each in (one, two, three):
        ended(each)
    assert second == ["c"]


def test_another_sentence_leaves_the_check_of_the_one_before(monkeypatch):
    held, looks = {}, []
    monkeypatch.setattr(checking.st, "session_state", held)
    monkeypatch.setattr(checking, "BESIDE", True)
    monkeypatch.setattr(checking, "_look", lambda name, _: looks.append(name))
    goes_on = threading.Event()

    def work(_):
        return goes_on.wait(LONG)

    checking.watch("a", work, lambda _: None)
    first = held["_decide_check"]
    checking.watch("a", work, lambda _: None)
    assert held["_decide_check"] is first
    checking.watch("b", work, lambda _: None)
    assert held["_decide_check"].name == "b"
    assert first._is_left.is_set()
    checking.leave()
    assert held == {}
    assert looks == ["a", "a", "b"]
    goes_on.set()
