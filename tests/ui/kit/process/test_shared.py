from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.ui.kit import memory
from dpviz.ui.kit.process.shared import AT_ONCE, Shared, arrays


@dataclass(frozen=True)
class Held:
    values: np.ndarray
    others: tuple[dict[str, np.ndarray], ...] = ()


def test_a_result_is_computed_once_for_all():
    shared, calls = Shared(), []
    for _ in range(3):
        assert shared.get("a", lambda: calls.append(1) or "found") == "found"
    assert calls == [1]


def test_many_who_ask_at_once_wait_for_one():
    shared, calls, gate = Shared(), [], threading.Event()

    def slow() -> str:
        calls.append(1)
        gate.wait(10)
        return "found"

    found: list[str] = []
    asking = [
        threading.Thread(target=lambda: found.append(shared.get("a", slow))) for _ in range(8)
    ]
    for thread in asking:
        thread.start()
    gate.set()
    for thread in asking:
        thread.join(10)
    assert found == ["found"] * 8
    assert calls == [1]


def test_few_results_are_computed_at_a_time():
    shared, lock, now, most = Shared(), threading.Lock(), [0], [0]

    def slow(key: int) -> int:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.02)
        # one that needs another one does not wait for a place of its own
        found = shared.get(("part", key), lambda: key)
        with lock:
            now[0] -= 1
        return found

    asking = [
        threading.Thread(target=lambda key=key: shared.get(key, lambda: slow(key)))
        for key in range(10)
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(10)
    assert most[0] == AT_ONCE
    assert len(shared) == 20
    for _ in range(AT_ONCE):  # every place was given back, once
        assert shared._places.acquire(blocking=False)
    assert not shared._places.acquire(blocking=False)


def test_a_failure_is_nobodys_result():
    shared = Shared()
    with pytest.raises(ZeroDivisionError):
        shared.get("a", lambda: 1 / 0)
    assert shared.get("a", lambda: 2) == 2


def test_entries_are_bounded_and_the_oldest_go_first():
    shared = Shared(entries=3)
    for key in "abc":
        shared.get(key, lambda key=key: key)
    shared.get("a", lambda: pytest.fail("it was there"))
    shared.get("d", lambda: "d")
    assert list(shared.items()) == ["c", "a", "d"]


def test_bytes_are_bounded_and_counted_right():
    shared = Shared(size=100_000)
    for key in range(20):
        shared.get(key, lambda: np.zeros(1_000))
        assert shared.bytes <= 100_000
    assert 8_000 * len(shared) <= shared.bytes <= 9_000 * len(shared)
    assert len(shared) > 10
    shared.clear()
    assert (shared.bytes, len(shared)) == (0, 0)


def test_what_would_push_out_all_others_is_not_kept():
    shared = Shared(size=100_000)
    shared.get("small", lambda: np.zeros(10))
    shared.get("large", lambda: np.zeros(10_000))
    assert list(shared.items()) == ["small"]


def test_nobody_can_write_into_what_is_everybodys():
    whole = np.zeros(10)
    held = Shared().get("a", lambda: Held(whole[2:], ({"b": np.ones(3)},)))
    for array in (held.values, held.others[0]["b"], whole):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_arrays_are_found_wherever_they_are_held():
    values = [np.zeros(1) for _ in range(3)]
    found = list(arrays(Held(values[0], ({"a": values[1]}, {"b": values[2]}))))
    assert {id(one) for one in found} == {id(one) for one in values}


def test_only_data_known_as_a_sample_are_shared(monkeypatch):
    shared, state = Shared(), {}
    monkeypatch.setattr(memory, "PUBLIC", shared)
    monkeypatch.setattr(memory.st, "session_state", state)
    mine = Column.from_values([1.0, 2.0], Bounds(0, 3))
    same = Column.from_values([1.0, 2.0], Bounds(0, 3))
    sample = shared.of_sample("sample", lambda: same)
    memory.public(mine, "of mine", lambda: "confidential")
    memory.public(sample, "of a sample", lambda: "public")
    assert list(shared.items()) == ["sample", "of a sample"]  # an equal column is no sample
    assert list(state["_results"]) == ["of mine"]
