"""What the page of all stories says of each, against the folders of the stories."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from dpviz.figures.kit.look import Look
from dpviz.lessons import course
from dpviz.lessons.stories.listing import BY_KEY, STORIES
from dpviz.ui.learn import overview
from tests.conftest import ROOT
from tests.figures.inks import DARK, LIGHT
from tests.ui.learn.scenes import LIGHT as SCENES
from tests.ui.recorded import Recorded


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(overview, "headline", found.headline)
    monkeypatch.setattr(overview, "take_away", lambda: None)
    return found


def written(story: str) -> dict[int, tuple[str, int]]:
    """Number → title and seconds of the scenes of a story, as their files say."""
    found = {}
    for file in Path(ROOT, "dpviz", "lessons", course.FOLDERS[story]).rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if match := re.search(
            r'name="(.+?)",\s+title="(.+?)",\s+seconds=(\d+),', text.partition("SCENE = ")[2]
        ):
            assert match[1] == file.stem
            found[course.number(story, match[1])] = match[2], int(match[3])
    return dict(sorted(found.items()))


def test_every_story_says_how_long_it_takes_and_leads_to_all_its_scenes(screen, monkeypatch):
    monkeypatch.setattr(overview, "put_scene", screen.put_scene)
    overview.overview(SimpleNamespace(look=Look(LIGHT)))
    files = {story.key: written(story.key) for story in STORIES}
    (headline,) = (one.args for one in screen.calls if one.name == "headline")
    total = sum(map(len, files.values()))
    assert total == sum(map(len, course.SCENES.values()))
    assert headline[2] == f"{total} scenes. Each asks first, then shows; nothing is scored."
    assert screen.said("subheader") == [story.title for story in STORIES]
    for story in STORIES:
        scenes = files[story.key]
        minutes = sum(seconds for _, seconds in scenes.values()) // 60
        said = f"{story.line} For {story.audience}; {minutes} min."
        assert said in screen.said("markdown")
        for number, (title, _) in scenes.items():
            button = screen.one(f"to_{story.key}_{number}")
            assert button.text == f"{number}. {title}"
            assert button.others["args"] == (story.key, number)
        assert screen.one(f"start_{story.key}").others["args"] == (story.key, 1)
    covers = [one.args[:2] for one in screen.calls if one.name == "put_scene"]
    assert [story for story, _ in covers] == [story.key for story in STORIES]
    assert all(number in files[story] for story, number in covers)


def test_a_picture_of_a_scene_is_said_in_the_words_of_its_answer(screen, monkeypatch):
    drawn = []
    monkeypatch.setattr(overview, "svg", lambda picture, *size_look: drawn.append(size_look) or "x")
    overview._drawn.cache_clear()
    for story in STORIES:
        light = SimpleNamespace(scenes=[
            SimpleNamespace(
                control=scene.control, numbers=scene.numbers, alt=scene.alt,
                stage=lambda stop, beat, **_: (stop, beat),
            )
            for scene in SCENES[story.key]
        ])  # fmt: skip
        monkeypatch.setitem(BY_KEY, story.key, light)
        for number, scene in enumerate(SCENES[story.key], 1):
            screen.forget()
            overview.put_scene(story.key, number, Look(DARK), 560)
            (image,) = screen.calls
            assert image.others == {"width": 560, "alt": f"seen {scene.control.revealed}"}
    overview._drawn.cache_clear()
    assert all(look[-1].ink.dark for look in drawn)
