from __future__ import annotations

import threading
import time
from contextlib import nullcontext

import pytest

from dpviz.ui.kit.process import turns


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(turns, "_turn", threading.Semaphore(1))


def at_once(jobs):
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)


def crowded(block) -> int:
    """How many of eight were in the block at the same time, at most."""
    inside, most, lock = [0], [0], threading.Lock()

    def job() -> None:
        with block():
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            time.sleep(0.02)
            with lock:
                inside[0] -= 1

    at_once([job] * 8)
    return most[0]


def test_one_runs_at_a_time():
    assert crowded(turns.turn) == 1


def test_without_turns_they_crowd():  # the wrong twin
    assert crowded(nullcontext) > 1


def test_nobody_waits_longer_than_a_second(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    went_on, hold = threading.Event(), threading.Event()

    def long() -> None:
        with turns.turn():
            hold.wait(10)

    def other() -> None:
        with turns.turn():
            went_on.set()

    holder = threading.Thread(target=long)
    holder.start()
    at_once([other])
    assert went_on.is_set()
    hold.set()
    holder.join(10)
    with turns.turn():  # and the turn that was never had is not given back twice
        assert not turns._turn.acquire(blocking=False)
    assert turns._turn.acquire(blocking=False)
    assert not turns._turn.acquire(blocking=False)


def test_a_long_computation_lets_others_by():
    meanwhile = threading.Event()

    def other() -> None:
        with turns.turn():
            meanwhile.set()

    with turns.turn(), turns.aside(turns.LONG * 2):
        at_once([other])
        assert meanwhile.is_set()


def test_a_short_one_keeps_its_turn():
    with turns.turn(), turns.aside(turns.LONG / 2):
        assert not turns._turn.acquire(blocking=False)


def test_a_turn_within_a_turn_is_the_same():
    with turns.turn(), turns.turn():
        assert not turns._turn.acquire(blocking=False)
    assert turns._turn.acquire(blocking=False)


def test_an_error_gives_the_turn_back():
    with pytest.raises(ZeroDivisionError), turns.turn():
        raise ZeroDivisionError
    assert turns._turn.acquire(blocking=False)


def test_a_script_that_rests_lets_another_one_run_and_goes_on_in_turn():
    order, resting = [], threading.Event()

    def first() -> None:
        with turns.turn():
            order.append("drawn")
            resting.set()
            turns.rest(0.3)
            order.append("the rest")
            order.append("in turn" if turns._has() else "without")

    def other() -> None:
        resting.wait(10)
        time.sleep(0.05)  # it has begun
        with turns.turn():
            order.append("another")

    at_once([first, other])
    assert order == ["drawn", "another", "the rest", "in turn"]


def test_nobody_rests_while_others_wait():
    waits, rested = threading.Event(), []

    def long() -> None:
        with turns.turn():
            waits.wait(10)
            begun = time.monotonic()
            turns.rest(5)
            rested.append(time.monotonic() - begun)

    def other() -> None:
        threading.Timer(0.1, waits.set).start()
        with turns.turn():
            pass

    at_once([long, other])
    assert rested[0] < 1


def test_who_has_no_turn_gets_none_by_resting():
    turns.rest(0)
    assert not turns._has()
    assert turns._turn.acquire(blocking=False)
