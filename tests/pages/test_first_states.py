"""Every view as it is first opened has its answer and its picture: no empty page, no button.

It is opened on a phone, where the words of an axis have the least room, and on a desk. What is
drawn there is what was drawn before: tests/drawn.py says what to do where it is meant to change.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest, app_test

from dpviz.answers.decide.sentences import WHAT
from dpviz.ui.decide import checking
from dpviz.ui.kit.frame import PAGES
from dpviz.ui.model.render import standing
from dpviz.ui.pages import trees
from tests.conftest import ROOT
from tests.drawn import changed
from tests.pages.driver import healthy, text
from tests.pages.pictures import crowded, drawn, pictures
from tests.views import TABS, UNDER_DECIDE, views

EVERY = [
    *((page, view) for page in TABS for view in views(page)),
    *(("what_if", view) for view in UNDER_DECIDE),
]
# they show something else than a picture, and what
WITHOUT = {
    ("map", "take"): "files to take away, each with what it holds",
}
DRAWN = {"decide": "the sentence's own drawings", "what_if": "the frontier of the sentence"}
OF_CARDS = ("start", "learn", "methods", "papers", "data")
ROOMS = ("wide", "phone")
DRAWN_BEFORE = Path(__file__).with_name("first_states.json")
TRACES = ("x", "y", "z", "values", "lat")  # where the marks of a picture are


def opened(page: str, **link: str) -> AppTest:
    """A fresh session that starts as a link says."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params.update(link)
    app.switch_page(f"pages/{page}.py")
    return healthy(app.run())


def marks(figure: dict[str, Any]) -> int:
    """How many marks the traces of a picture have, and shapes that stand for some."""
    found = len(figure["layout"].get("shapes", ())) + len(figure["layout"].get("images", ()))
    for one in figure["data"]:
        for name in TRACES:
            held = one.get(name, ())
            count = len(held.get("bdata", "")) if isinstance(held, dict) else np.size(held)
            found += int(count)
    return found


def lacks(app: AppTest, page: str, view: str) -> str:
    """What a first state lacks; empty where it has its answer and what shows it."""
    components = [one.proto for one in app.get("bidi_component")]
    said = {one.component_name: one.mixed.json or one.json for one in components}
    headline = app.title[0].value if app.title else said.get("dpviz_sentence_h1", "")
    if not headline:
        return "a headline"
    if app.error:
        return f"an answer: {app.error[0].value}"
    if (page, view) in WITHOUT:
        return "" if len(app.get("download_button")) > 1 else "files"
    drawn = page in DRAWN and "<path" in said.get("dpviz_drawing", "")
    if not (drawn or any(marks(one.figure) > 2 for one in pictures(app))):
        return "a picture"
    return ""


@pytest.fixture(autouse=True)
def unchecked(monkeypatch):
    """Answers of Decide are as they are at first: what a check measures is none."""
    monkeypatch.setattr(checking, "watch", lambda *_: None)


@pytest.mark.parametrize(("page", "view"), EVERY)
def test_a_view_that_was_just_opened_shows_its_answer(page, view, monkeypatch):
    for room in ROOMS:
        monkeypatch.setattr("dpviz.ui.visit.screen.room", lambda: room)  # noqa: B023  called at once
        app = opened(page, view=view)
        assert lacks(app, page, view) == ""
        assert changed(DRAWN_BEFORE, f"{page} {view} {room}", drawn(app)) == []
    assert [crowded(one.figure) for one in pictures(app)] == [[]] * len(pictures(app))


@pytest.mark.parametrize("page", OF_CARDS)
def test_pages_of_cards_and_stages_are_drawn_as_before(page):
    assert changed(DRAWN_BEFORE, page, drawn(opened(page))) == []


@pytest.mark.parametrize("what", WHAT)
def test_an_answer_of_every_first_word_is_drawn_as_before(what):
    assert changed(DRAWN_BEFORE, f"decide {what}", drawn(opened("decide", what=what))) == []


@pytest.mark.parametrize("page", [name for rows in PAGES.values() for name, _ in rows])
def test_a_page_that_wakes_its_server_is_drawn_as_any_other(page, monkeypatch):
    """Streamlit runs the first page of a fresh server without app.py, whose frame it lacks."""
    link = {"eps": "0.3", "truth": "false"}
    plain = opened(page, **link)
    monkeypatch.setattr(app_test, "PagesManager", PagesManager)
    monkeypatch.setattr("dpviz.ui.kit.frame.st.rerun", counted := Mock(side_effect=st.rerun))
    woken = opened(page, **link)
    assert counted.call_count == 1
    assert (drawn(woken), text(woken), woken.query_params) == (
        drawn(plain), text(plain), plain.query_params,
    )  # fmt: skip


def test_exceptions_are_views_that_there_are():
    assert len(EVERY) == len(set(EVERY)) >= 38
    assert set(WITHOUT) <= set(EVERY)
    assert all(WITHOUT.values())
    states = {f"{page} {view} {room}" for page, view in EVERY for room in ROOMS}
    assert set(json.loads(DRAWN_BEFORE.read_text())) == states | {
        *OF_CARDS,
        *(f"decide {what}" for what in WHAT),
    }


EMPTY = {"data": [], "layout": {"xaxis": {}, "annotations": [{"text": "Empty."}]}}


@pytest.mark.parametrize(
    "wrong",
    [
        {"instead": lambda *_: standing("Nothing to show yet.")},
        {"draw": lambda *_: None},
        {"draw": lambda *_: EMPTY},
        {"show": lambda _: None},
    ],
    ids=["standing", "no picture", "empty picture", "a button alone"],
)
def test_an_empty_page_is_found(monkeypatch, wrong):
    """Running counts once had a sentence and a field in its first state, and no picture."""
    page = trees.PAGE
    broken = tuple(replace(one, **wrong) if one.name == "running" else one for one in page.views)
    monkeypatch.setattr(trees, "PAGE", replace(page, views=broken))
    assert lacks(opened("trees", view="running"), "trees", "running") != ""
