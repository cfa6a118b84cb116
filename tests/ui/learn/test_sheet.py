"""The test on a phone, and what its teacher sees: words, links, and nothing told too early."""

import pytest
import streamlit as st

from dpviz.lessons.stories.inventory import ITEMS
from dpviz.ui.learn import room, sheet
from dpviz.ui.lectures.rooms import Rooms
from tests.ui.recorded import Recorded

RIGHT = tuple(item.right.key for item in ITEMS)
SURE = (False,) * 15


@pytest.fixture
def rooms(monkeypatch):
    found = Rooms()
    for one in (room, sheet):
        monkeypatch.setattr(one, "ROOMS", found)
    return found


@pytest.fixture
def screen(monkeypatch, rooms):
    found = Recorded(monkeypatch)
    for name in ("form", "form_submit_button", "warning"):
        monkeypatch.setattr(st, name, getattr(found, name))
    for one in (room, sheet):
        monkeypatch.setattr(one, "headline", found.headline)
    monkeypatch.setattr(room, "address_of", lambda way: f"https://class.example/learn?{way}")
    monkeypatch.setattr(room, "picture", lambda address, caption: found.picture(caption, address))
    monkeypatch.setattr(room, "_counts", room._counts.__wrapped__)
    found.kept = {}  # what the phone's browser remembers

    def remembered(name, right):
        if right is not None:
            found.kept[name] = right
        return found.kept.get(name)

    monkeypatch.setattr(sheet, "_remembered", remembered)
    found.store = {}
    monkeypatch.setattr(room.state, "store", lambda: found.store)
    monkeypatch.setattr(room.state, "put", found.store.__setitem__)
    return found


def fill(screen, name, chosen, sure):
    for number, (key, is_sure) in enumerate(zip(chosen, sure, strict=True), 1):
        screen.given |= {f"sheet {name} {number}": key, f"sheet {name} {number} sure": is_sure}
    screen.given["sheet_done"] = True


def headlines(screen):
    return [one.args[1:] for one in screen.calls if one.name == "headline"]


def test_every_question_is_asked_with_its_four_options_and_whether_one_is_sure(screen):
    screen.given["sheet_done"] = False
    sheet.test_view()
    for number, item in enumerate(ITEMS, 1):
        asked = screen.one(f"sheet alone {number}")
        assert asked.text == f"**{number}.** {item.question}"
        assert sorted(asked.args[1]) == list("abcd")
        assert asked.others["index"] is None
        for option in item.options:
            assert asked.others["format_func"](option.key) == option.text
        assert screen.one(f"sheet alone {number} sure").text == "I am sure"
    orders = [tuple(screen.one(f"sheet alone {n}").args[1]) for n in range(1, 16)]
    assert len(set(orders)) > 3
    screen.forget()
    sheet.test_view()
    assert orders == [tuple(screen.one(f"sheet alone {n}").args[1]) for n in range(1, 16)]


def test_alone_the_score_the_answers_and_their_scenes_are_told(screen):
    chosen = (*RIGHT[:9], None, *(next(k for k in "abcd" if k != key) for key in RIGHT[10:]))
    fill(screen, "alone", chosen, (True,) * 15)
    sheet.test_view()
    assert screen.store["test_sheets"] == {"alone": (chosen, (True,) * 15)}
    screen.forget()
    sheet.test_view()
    assert headlines(screen) == [
        ("**9** of 15 right: 10 is a pass.", "Who guesses gets 3.75 on average. Only you see this.")
    ]
    said = screen.said("markdown")
    for number, item in enumerate(ITEMS, 1):
        (line,) = (one for one in said if f"**{number}.** " in one)
        assert f"{item.question}  \n**{item.right.text}**." in line
        assert (":material/check:" in line) == (number <= 9)
        mine = {one.key: one.text for one in item.options}.get(chosen[number - 1])
        assert (f"You said: {mine}, and were sure." in line) == (number > 10)
        if item.scene is not None:
            button = screen.one(f"sheet_scene_{number}")
            assert button.text == item.scene.title
            assert button.others["args"] == (item.scene.story, item.scene.number)
    screen.one("sheet_again").others["on_click"]("alone")
    assert screen.store["test_sheets"] == {}


def test_in_a_room_answers_are_added_up_once_and_told_after_the_course(screen, rooms):
    code, _ = rooms.open()
    for half in ("before", "after"):
        screen.store |= {"test_room": code, "test_half": half}
        fill(screen, f"{code} {half}", RIGHT, (True,) * 15)
        for _ in range(3):  # the page runs again and again
            screen.forget()
            sheet.test_view()
        assert rooms.find(code).people(half) == 1
        assert rooms.find(code)._tallies[half].bins[:, :4, 1].sum() == 15
        assert headlines(screen)[0][0] == "**15** of 15 right: passed."
        told = " ".join(screen.said("markdown"))
        assert (ITEMS[0].right.text in told) == (half == "after")
        assert ("The answers come after the course." in told) == (half == "before")


def test_a_phone_that_comes_back_hands_in_no_second_sheet(screen, rooms):
    code, _ = rooms.open()
    screen.store |= {"test_room": code, "test_half": "after"}
    fill(screen, f"{code} after", RIGHT, SURE)
    for _ in range(2):
        sheet.test_view()
    assert screen.kept == {f"{code} after": 15}
    screen.store.pop("test_sheets")  # the page was loaded again
    screen.forget()
    sheet.test_view()
    assert headlines(screen)[0][0] == "**15** of 15 right: passed."
    assert not [one for one in screen.calls if one.name == "radio"]
    assert rooms.find(code).people("after") == 1


def test_a_closed_half_takes_no_more_and_says_so(screen, rooms):
    code, _ = rooms.open()
    for _ in range(5):
        rooms.find(code).hand_in("before", RIGHT, SURE)
    rooms.find(code).release("before")
    screen.store |= {"test_room": code}
    fill(screen, f"{code} before", RIGHT, SURE)
    sheet.test_view()
    screen.forget()  # the page runs anew
    sheet.test_view()
    assert screen.said("warning") == ["The room takes no more answers. Yours were not sent."]
    assert rooms.find(code).people("before") == 5


def test_a_room_that_is_gone_is_named_as_such(screen):
    screen.store |= {"test_room": "ABCDEF"}
    sheet.test_view()
    ((head, second),) = headlines(screen)
    assert head == "This room is closed."
    assert "3 hours" in second
    screen.one("sheet_alone").others["on_click"]()
    assert room.code() == ""


def test_the_teacher_sees_ways_in_counts_exact_numbers_and_what_may_leave(screen, rooms):
    room._open()
    held = room.hosted()
    screen.given |= {"room_look": False}
    sheet.test_view()
    assert headlines(screen)[0][0] == f"Room {held.code}: 15 questions, before and after."
    ways = [one.args for one in screen.calls if one.name == "picture"]
    for (caption, address), half in zip(ways, ("before", "after"), strict=True):
        assert address == f"https://class.example/learn?view=test&room={held.code}&half={half}"
        assert caption == f"Phones answer at {address}"
    for people, half in ((6, "before"), (4, "after")):
        for _ in range(people):
            held.hand_in(half, RIGHT, SURE)
    screen.forget()
    room._look(held)
    sheet.test_view()
    assert "Phones that handed in: **6 before, 4 after**." in screen.said("markdown")
    assert headlines(screen)[0][0] == "**15.0** of 15 right, before the course."
    (table,) = (one.args[0] for one in screen.calls if one.name == "dataframe")
    assert table["right before, %"].tolist() == [100.0] * 15
    assert table["right after, %"].isna().all()
    numbers = [text.split(".")[0] for text in table["question"]]
    assert sorted(map(int, numbers)) == list(range(1, 16))
    keys = [one.others.get("key") for one in screen.calls]
    assert "room_release_before" in keys
    assert "room_release_after" not in keys  # four phones
    release = screen.one("room_release_before").others
    release["on_click"](*release["args"])
    screen.forget()
    sheet.test_view()
    (told,) = (one for one in screen.said("markdown") if one.startswith("Passed"))
    assert "± 3** of 6" in told
    assert "room_release_before" not in [one.others.get("key") for one in screen.calls]
    screen.one("room_end").others["on_click"]()
    assert rooms.find(held.code) is None
    assert room.hosted() is None


def test_what_was_looked_at_goes_with_the_room(screen, rooms):
    room._open()
    held = room.hosted()
    room._look(held)
    rooms._delete(held.code)
    assert room.hosted() is None
    assert "test_gain" not in screen.store


def test_the_panel_opens_a_room_once(screen, monkeypatch):
    shown = []
    monkeypatch.setattr(room.visits, "show_view", lambda *where: shown.append(where))
    room.panel()
    assert screen.one("room_begin").text == "Test a class"
    screen.one("room_begin").others["on_click"]()
    first = room.hosted()
    room._enter()
    assert room.hosted() is first
    assert shown == [("learn", "test")] * 2
    screen.forget()
    room.panel()
    assert screen.one("room_begin").text == "Your room of the test"


@pytest.mark.parametrize(
    ("texts", "refused", "kept"),
    [
        ({"room": ["k7qmab"], "half": ["after"]}, [], ("K7QMAB", "after")),
        ({"room": ["K7QM"], "half": ["never"]}, ["half", "room"], ("", "before")),
        ({"room": ["K7QMAB", "K7QMAC"]}, ["room"], ("", "before")),
        ({"host": ["K7QMAB.x"]}, ["host"], ("", "before")),
        ({}, [], ("", "before")),
    ],
)
def test_a_link_says_the_room_and_the_half(screen, monkeypatch, texts, refused, kept):
    said = []
    monkeypatch.setattr(room.arriving, "decides", lambda: True)
    monkeypatch.setattr(room.arriving, "linked", lambda key: texts.get(key, []))
    monkeypatch.setattr(room.arriving, "refuse", said.append)
    monkeypatch.setattr(st, "query_params", {"host": "x"})
    room.settle()
    assert sorted(said) == refused
    assert (room.code(), room.half()) == kept
    wanted = {"room": kept[0] or None, "half": "after" if kept[1] == "after" else None}
    assert room.link("test") == wanted
    assert room.link("") == {"room": None, "half": None}
    assert ("host" in st.query_params) == ("host" not in texts)
