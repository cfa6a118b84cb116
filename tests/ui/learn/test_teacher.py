"""The teacher's page and the invitation to a lecture, against the scenes that they are of."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from dpviz.lessons.stories.listing import STORIES
from dpviz.ui.learn import lead, teacher
from tests.ui.learn.scenes import places
from tests.ui.recorded import Recorded

SECONDS = {story.key: [scene.seconds for scene in story.scenes] for story in STORIES}


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(teacher, "headline", found.headline)
    monkeypatch.setattr(teacher, "take_away", lambda: None)
    monkeypatch.setattr(lead.st, "warning", found.warning)
    monkeypatch.setattr(lead, "picture", lambda address, caption: found.picture(caption, address))
    return found


def test_the_time_that_a_story_takes_is_that_of_its_scenes(screen, monkeypatch):
    monkeypatch.setattr(teacher, "_code", lambda: None)
    teacher.teachers_page(None)
    total = 0
    for seconds in SECONDS["teach"]:
        total += seconds
    (headline,) = (one.args for one in screen.calls if one.name == "headline")
    minutes, seconds = divmod(total, 60)
    assert headline[1] == f"Teach takes {minutes} min {seconds:02d} s, one question a scene."
    listed = screen.said("expander")
    assert listed == [
        f"{scene.number}. {scene.title} · {scene.seconds} s"
        for story in STORIES for scene in story.scenes
    ]  # fmt: skip
    links = screen.said("html")
    for story in STORIES:
        for scene in story.scenes:
            address = f'href="learn?story={story.key}&scene={scene.number}&present=1"'
            assert any(address in one for one in links)
            assert f"**Goal.** {scene.goal}" in screen.said("markdown")


@pytest.mark.parametrize("row", teacher.RUNS, ids=lambda row: row[0])
def test_a_running_order_takes_as_long_as_it_says(row):
    """Without exercises: the minutes that its scenes take, to the minute."""
    name, time, what = row
    if name == "With exercises":
        return
    key = what.split()[0].lower()
    if span := re.search(r"(\d) to (\d)", what):
        scenes = range(int(span[1]), int(span[2]) + 1)
    else:
        scenes = map(int, re.findall(r"\d", what))
    took = sum(SECONDS[key][number - 1] for number in scenes)
    assert abs(took / 60 - int(time.split()[0])) <= 0.5


def test_a_lecture_is_invited_to_by_its_code_and_address(screen, monkeypatch):
    monkeypatch.setattr(lead, "address_of", lambda link: f"https://class.example/learn?{link}")
    lead.invitation("abcd")
    assert screen.said("markdown") == ["Code **abcd**"]
    (shown,) = (one.args for one in screen.calls if one.name == "picture")
    address = "https://class.example/learn?follow=abcd"
    assert shown == (f"Students follow at {address}", address)
    monkeypatch.setattr(lead, "address_of", lambda _: None)
    screen.forget()
    lead.invitation("abcd")
    assert [one.name for one in screen.calls] == ["markdown"]


@pytest.mark.parametrize("many", [0, 1, 25])
def test_who_leads_sees_how_many_follow(screen, monkeypatch, many):
    asked = next(one for one in places() if one.beat == "predict")
    after = next(one for one in places() if one.beat == "reveal")
    lecture = SimpleNamespace(code="abcd", followers=many, people=lambda name: 0)
    monkeypatch.setattr(lead, "LECTURES", SimpleNamespace(find=lambda _: lecture))
    monkeypatch.setattr(lead, "address_of", lambda _: None)
    screen.state["_lead"] = "abcd", "secret"
    lead.badge.__wrapped__(asked)
    assert screen.said("popover") == [f"abcd · {many} follow"]
    lecture.people = lambda name: 17 * (name == asked.scene.name)
    for place, said in ((asked, f"17 of {max(17, many)} voted"), (after, f"{many} follow")):
        screen.forget()
        lead.badge.__wrapped__(place)
        assert screen.said("popover") == [f"abcd · {said}"]
    assert lead.link() == "&lead=abcd.secret"
    assert lead.room() == "abcd"


def test_without_a_lecture_the_panel_offers_one(screen):
    screen.state["_lead_refused"] = "Too many *lectures*."
    lead.panel()
    assert screen.said("warning") == ["Too many \\*lectures\\*\\."]
    assert screen.said("button") == ["Lead a class"]
    assert (lead.link(), lead.room()) == ("", "")


def test_students_go_by_themselves_where_nobody_leads(screen, monkeypatch):
    monkeypatch.setattr(teacher, "address_of", lambda link: f"https://x.example/learn?{link}")
    teacher._code()
    address = "https://x.example/learn?story=teach&scene=1"
    (shown,) = (one.args for one in screen.calls if one.name == "picture")
    assert shown == (f"Students go by themselves at {address}", address)
    monkeypatch.setattr(teacher, "address_of", lambda _: None)
    screen.forget()
    teacher._code()
    assert screen.said("caption") == ["The address of this server is not known."]
