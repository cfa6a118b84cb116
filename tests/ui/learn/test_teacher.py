"""The teacher's page and the invitation to a lecture, against the scenes that they are of."""

from types import SimpleNamespace

import pytest

from dpviz.lessons.stories.inventory import gift
from dpviz.lessons.stories.lab import lab
from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.stories.listing import scene as scene_of
from dpviz.lessons.stories.plans import SESSIONS, plans, shown
from dpviz.lessons.stories.worksheet import worksheet
from dpviz.ui.learn import lead, teacher
from dpviz.ui.learn.take_away import teachers_files
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


def test_plans_and_sessions_stand_on_the_page(screen):
    teacher._plans()
    (tabs,) = (one.args[0] for one in screen.calls if one.name == "tabs")
    assert tabs == ["A talk, 11 min", "A class, 45 min", "A lab, 90 min", "A course"]
    *timed, course = (one.args[0] for one in screen.calls if one.name == "dataframe")
    for table, plan in zip(timed, plans(), strict=True):
        assert table.to_numpy().tolist() == [list(row) for row in shown(plan.steps)]
        assert plan.note in screen.said("caption")
    told = dict(course.to_numpy().tolist())
    for session, modules in SESSIONS:
        titles = [scene_of(one).title for one in modules]
        assert told.get(session, "") == "; ".join(titles)


@pytest.mark.law
def test_a_teacher_takes_the_lab_and_the_test_along(screen):
    teachers_files("K7QMAB")
    made = {one.text: one.others for one in screen.calls if one.name == "download_button"}
    assert made["Lab with blanks"]["data"]() == lab()
    assert made["Lab, solved"]["data"]() == lab(solved=True)
    assert made["Test for course systems (GIFT)"]["data"]() == gift()
    assert made["Sheets for a class"]["data"]() == worksheet("K7QMAB")
    assert made["Sheets without answers"]["data"]() == worksheet("K7QMAB", answers=False)
    assert len({one["file_name"] for one in made.values()}) == 5


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
