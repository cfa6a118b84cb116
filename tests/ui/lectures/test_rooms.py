"""Rooms of the test: bins alone are kept, a half is drawn once, and three hours end everything."""

import dataclasses
import threading
import time

import pytest

from dpviz.lessons.stories.inventory import ITEMS
from dpviz.ui.lectures import rooms
from dpviz.ui.lectures.rooms import Room, Rooms
from dpviz.ui.lectures.table import TooManyLectures

RIGHT = [item.right.key for item in ITEMS]
SURE = [False] * len(ITEMS)


def filled(people=6):
    found = Rooms()
    code, secret = found.open()
    room = found.find(code)
    for _ in range(people):
        assert room.hand_in("before", RIGHT, SURE)
    return found, code, secret, room


def test_a_half_is_drawn_once_and_takes_no_more_answers():
    _, _, _, room = filled()
    room.release("before")
    first = room.released["before"]
    room.release("before")
    assert room.released["before"] == first
    assert first[0].randomness == "secure"
    assert first[1] == 6
    assert not room.hand_in("before", RIGHT, SURE)
    assert room.people("before") == 6
    assert room.hand_in("after", RIGHT, SURE)
    assert (room.people("after"), list(room.released)) == (1, ["before"])


def test_below_five_phones_nothing_leaves_and_nothing_is_shown():
    _, _, _, room = filled(4)
    with pytest.raises(ValueError, match="5 phones"):
        room.release("before")
    assert room.released == {}
    assert room.gain().rows == ()
    assert room.hand_in("before", RIGHT, SURE)  # the half is open still
    room.release("before")
    assert room.gain().before == 15


def test_a_room_keeps_bins_and_nothing_of_a_phone():
    _, code, secret, room = filled()
    names = [field.name for field in dataclasses.fields(Room)]
    assert names == ["code", "digest", "_tallies", "_released", "_lock"]
    assert [field.name for field in dataclasses.fields(room._tallies["before"])] == [
        "bins", "scores"
    ]  # fmt: skip
    assert room._tallies["before"].bins.shape == (15, 5, 2)
    assert repr(room) == f"Room(code='{code}')"
    assert secret not in repr(room)


def test_the_secret_leads_and_deletes():
    found, code, secret, room = filled()
    for wrong in ("", secret + "x", code):
        assert found.led(code, wrong) is None
        found.close(code, wrong)
        assert found.find(code) is room
    assert found.led(code, secret) is room
    found.close(code, secret)
    assert found.find(code) is None


def test_after_three_hours_a_room_is_gone_by_itself(monkeypatch):
    assert rooms.SECONDS == 3 * 60 * 60
    monkeypatch.setattr(rooms, "SECONDS", 0.05)
    found, code, secret, _ = filled()
    until = time.monotonic() + 5
    while found.find(code) is not None and time.monotonic() < until:
        time.sleep(0.01)
    assert found.find(code) is found.led(code, secret) is None


def test_rooms_are_bounded_and_say_so(monkeypatch):
    monkeypatch.setattr(rooms, "MOST", 2)
    found = Rooms()
    held = [found.open() for _ in range(2)]
    assert held[0][0] != held[1][0]
    with pytest.raises(TooManyLectures, match=r"2 rooms are open .* after 3 hours"):
        found.open()
    found.close(*held[0])
    assert found.open()


def test_phones_that_hand_in_at_once_are_all_counted():
    _, _, _, room = filled(0)

    def hand_in():
        for _ in range(50):
            assert room.hand_in("after", RIGHT, SURE)

    threads = [threading.Thread(target=hand_in) for _ in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert room.people("after") == 300
