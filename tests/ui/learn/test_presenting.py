"""Presenting: the question above its answers, keys that open, a way out, what phones reach."""

import math
from types import SimpleNamespace

import pytest

from dpviz.figures.stage.controls import Heights
from dpviz.lessons.stories.telling import (
    ACROSS,
    LINE,
    PRESENTING,
    controls,
    heights,
    keys,
    lecture,
    presented,
)
from dpviz.ui.learn import address, lead, scene_view
from tests.ui.learn.scenes import places
from tests.ui.recorded import Recorded


def test_the_question_stays_above_its_answers_and_a_corner_leads_out():
    for place in places():
        row, rest = presented(place), controls(place)
        asks = place.beat == "predict" and bool(place.scene.options)
        if asks:
            assert row[0] == {"kind": "words", "name": "words", "text": place.scene.question}
        assert row[asks:-1] == rest
        assert (row[-1]["value"], row[-1]["hint"]) == ("leave", "Esc")
        assert {"words", "corner"}.isdisjoint(one.get("look", one["kind"]) for one in rest)


def test_the_picture_is_lower_by_the_lines_of_the_question():
    for place in places():
        found, usual = heights(place, presenting=True), lecture(place.story, place.scene)
        asks = place.beat == "predict" and bool(place.scene.options)
        px = LINE * math.ceil(len(place.scene.question) / ACROSS) if asks else 0
        less = f"100dvh - {px}px" if asks else "100dvh"
        assert found.wide == usual.wide.replace("100dvh", less)
        assert found.low == usual.low.replace("100dvh", less)
        low = asks and place.scene.drawing is not None
        assert (found.phone == "340px") == low
    assert Heights("100dvh", "calc(100dvh - 2px)", "9px").less(5) == Heights(
        "100dvh - 5px", "calc(100dvh - 5px - 2px)", "9px"
    )


def test_no_key_of_a_scene_has_two_meanings():
    for place in places():
        assert not set(keys(place, "K7QMAB")) & {*PRESENTING, "v"}
        assert not set(keys(place, "K7QMAB").values()) & {*PRESENTING.values(), "class"}


@pytest.mark.parametrize(
    ("wanted", "opened"), [("explain", "scene_opened"), ("exercise", "scene_opened")]
)
def test_a_key_opens_the_explanation_or_the_exercise_once(monkeypatch, wanted, opened):
    store = {}
    state = SimpleNamespace(put=store.__setitem__, store=lambda: store)
    monkeypatch.setattr(scene_view, "state", state)
    screen = Recorded(monkeypatch)
    titles: list[str] = []

    def dialog(title, **_):
        titles.append(title)
        return lambda draw: draw

    monkeypatch.setattr(scene_view.st, "dialog", dialog)
    place = next(one for one in places() if one.beat == "reveal")
    scene_view._turned(place, "go", wanted)
    assert store == {opened: wanted}
    scene_view._opened(place)
    scene_view._opened(place)
    said = {"explain": place.scene.explained, "exercise": place.scene.exercise}[wanted]
    assert titles == [{"explain": place.scene.title, "exercise": "Exercise"}[wanted]]
    assert screen.said("markdown")[0] == said


def test_the_corner_ends_presenting(monkeypatch):
    store = {"present": True}
    state = SimpleNamespace(put=store.__setitem__, store=lambda: store)
    monkeypatch.setattr(scene_view, "state", state)
    scene_view._turned(places()[0], "go", "leave")
    assert store == {"present": False}


SEEN = [
    ("http://localhost:8501/learn", "127.0.0.1", "10.0.0.7", "localhost:8501"),
    ("http://127.0.0.1:8501/learn", "", "10.0.0.7", "127.0.0.1:8501"),
    ("http://127.0.0.1:8501/learn", "0.0.0.0", "10.0.0.7", "10.0.0.7:8501"),
    ("http://localhost/learn", "::", "10.0.0.7", "10.0.0.7"),
    ("http://localhost:8501/learn", "0.0.0.0", "127.0.1.1", "localhost:8501"),
    ("http://localhost:8501/learn", "10.0.0.9", "10.0.0.7", "10.0.0.9:8501"),
    ("https://dp.example.org/learn", "0.0.0.0", "10.0.0.7", "dp.example.org"),
    ("http://192.168.1.4:8501/learn", "0.0.0.0", "10.0.0.7", "192.168.1.4:8501"),
]


@pytest.mark.parametrize(("url", "listens", "own", "reached"), SEEN)
def test_phones_get_the_address_of_the_machine_in_its_network(
    monkeypatch, url, listens, own, reached
):
    class Probe:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def connect(self, _):
            return None

        def getsockname(self):
            return own, 9

    options = {"server.address": listens, "server.baseUrlPath": ""}
    told = SimpleNamespace(context=SimpleNamespace(url=url), get_option=options.get)
    monkeypatch.setattr(address, "st", told)
    monkeypatch.setattr(address.socket, "socket", lambda *_: Probe())
    found = address.address_of("follow=K7QMAB")
    assert found == f"{url.partition('//')[0]}//{reached}/learn?follow=K7QMAB"
    alone = reached.startswith(("localhost", "127."))
    assert address.reaches_this_machine_alone(found) == alone


def test_no_code_to_photograph_leads_to_the_phone_itself(monkeypatch):
    screen = Recorded(monkeypatch)
    lead.picture("http://127.0.0.1:8501/learn?follow=K7QMAB", "Students follow")
    assert screen.said("markdown") == [lead.UNREACHED]
    assert "--host 0.0.0.0" in lead.UNREACHED
    assert not screen.said("image")
