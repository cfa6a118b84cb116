"""Work ahead of the visitors: the latest wish alone, only at rest, never in anybody's way."""

import threading
import time

import pytest

from dpviz.core.errors import InvalidParameter
from dpviz.ui.kit.process import turns
from dpviz.ui.kit.process.ahead import Ahead


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(turns, "_turn", threading.Semaphore(1))
    monkeypatch.setattr(turns, "_scripts", 0)
    monkeypatch.setattr(turns, "_rested", 0.0)


@pytest.fixture
def ahead():
    found = Ahead(pause=0.03)
    found.start()
    return found


def until(true, seconds=5.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end and not true():
        time.sleep(0.005)
    return true()


def test_tasks_are_done_in_their_order(ahead):
    done = []
    ahead.ask([lambda: done.append(1), lambda: done.append(2)])
    assert until(lambda: done == [1, 2])


def test_nothing_is_done_while_a_script_runs_or_has_just_run(ahead):
    done = []
    with turns.turn():
        ahead.ask([lambda: done.append(1)])
        time.sleep(0.2)
        assert done == []
    assert until(lambda: done == [1])


def test_the_latest_wish_replaces_what_waits(ahead):
    done = []
    with turns.turn():
        ahead.ask([lambda: done.append("old")])
        ahead.ask([lambda: done.append("new")])
    assert until(lambda: done == ["new"])
    assert ahead.waiting == 0


def test_a_refusal_ends_neither_the_thread_nor_the_turn(ahead):
    done = []

    def refuses():
        raise InvalidParameter("not this one.")

    ahead.ask([refuses, lambda: done.append(1)])
    assert until(lambda: done == [1])
    with turns.turn():
        assert turns.at_rest() == 0.0
    assert turns._turn.acquire(blocking=False)


def test_what_waits_too_long_is_forgotten():
    ahead, done = Ahead(pause=0.03, limit=0.05), []
    ahead.start()
    with turns.turn():
        ahead.ask([lambda: done.append(1)])
        assert until(lambda: ahead.waiting == 0)
    time.sleep(0.1)
    assert done == []


def test_a_script_that_runs_by_itself_does_nothing_ahead():
    ahead, done = Ahead(pause=0.0), []
    ahead.ask([lambda: done.append(1)])
    assert ahead.waiting == 0
    time.sleep(0.05)
    assert done == []
