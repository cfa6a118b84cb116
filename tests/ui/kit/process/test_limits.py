from __future__ import annotations

import threading
import time

import pytest

from dpviz.ui.kit.process.limits import (
    BUSY,
    FILES_MB,
    FULL,
    LEAST_MB,
    MEGABYTE,
    Crew,
    FairTurns,
    Files,
    NoRoom,
    files_allowed,
)


class Something:
    """What can be referred to weakly."""


@pytest.mark.law
def test_files_take_room_while_they_live():
    files, held = Files(lambda: 100), Something()
    files.keep(held, 70)
    with pytest.raises(NoRoom, match="server is full"):
        files.keep(Something(), 31)
    files.keep(Something(), 30)  # and gone at once
    assert files.bytes == 70
    del held
    assert files.bytes == 0


def test_room_is_given_back_once():
    files = Files(lambda: 100)
    give_back = files.take(40)
    give_back()
    give_back()
    assert files.bytes == 0


def test_a_refusal_says_nothing_of_others():
    for words in (FULL, BUSY):
        assert not any(sign.isdigit() for sign in words)


def test_the_room_is_declared_in_the_environment(monkeypatch):
    monkeypatch.setenv(FILES_MB, "250")
    assert files_allowed() == 250 * MEGABYTE
    monkeypatch.setenv(FILES_MB, "much")
    with pytest.raises(NoRoom, match="must be a whole number of megabytes, got 'much'"):
        files_allowed()
    monkeypatch.delenv(FILES_MB)
    assert files_allowed() >= LEAST_MB * MEGABYTE


def until(holds, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_places_are_taken_in_the_order_of_coming():
    places, order = FairTurns(1), []
    assert places.wait(0)

    def come(name: int) -> None:
        assert places.wait(10)
        order.append(name)
        places.leave()

    threads = []
    for name in range(6):
        threads.append(threading.Thread(target=come, args=(name,)))
        threads[-1].start()
        until(lambda name=name: places.waiting == name + 1)
    places.leave()
    for thread in threads:
        thread.join(10)
    assert order == list(range(6))


def test_whoever_waits_too_long_leaves_the_queue():
    files = Files(lambda: 100, readers=1)
    with files.reading():
        with pytest.raises(NoRoom, match="reading other visitors' files"), files.reading(0.02):
            pass
        assert files.waiting == 0
    with files.reading(0):  # the place is free again
        pass


def never() -> bool:
    return False


def test_no_more_cores_are_lent_than_there_are():
    crew, most, lock = Crew(2), [0], threading.Lock()

    def work(owner: str) -> None:
        for _ in range(5):
            with crew.core(owner, never):
                with lock:
                    most[0] = max(most[0], crew.busy)
                time.sleep(0.002)

    threads = [threading.Thread(target=work, args=(name,)) for name in "aabbccdd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert most[0] == 2
    assert (crew.busy, crew.waiting) == (0, 0)


def test_whoever_has_fewest_cores_comes_next():
    crew, order = Crew(2), []
    with crew.core("old", never), crew.core("old", never):

        def ask(owner: str) -> None:
            with crew.core(owner, never):
                order.append(owner)
                time.sleep(0.02)

        threads = []
        for place, owner in enumerate(("old", "new")):
            threads.append(threading.Thread(target=ask, args=(owner,)))
            threads[-1].start()
            until(lambda place=place: crew.waiting == place + 1)
        assert order == []
        # "old" came first, but has two cores already
        first = crew._waiting[0][1]
        assert first == "old"
        assert crew._is_next(crew._waiting[1]) is False  # none is free yet
        crew._busy["old"] -= 1
        assert crew._is_next(crew._waiting[1])
        assert not crew._is_next(crew._waiting[0])
        crew._busy["old"] += 1
    for thread in threads:
        thread.join(10)
    assert sorted(order) == ["new", "old"]


def test_whoever_is_stopped_waits_no_longer():
    crew, stopped = Crew(1), threading.Event()
    with crew.core("one", never):
        lent = []

        def ask() -> None:
            with crew.core("two", stopped.is_set) as has:
                lent.append(has)

        thread = threading.Thread(target=ask)
        thread.start()
        until(lambda: crew.waiting == 1)
        stopped.set()
        thread.join(10)
        assert lent == [False]
        assert crew.waiting == 0
