"""What the page of all stories says of each, against the folders of the stories."""

import html
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from dpviz.figures.kit.look import FONT, SERIF, Look
from dpviz.lessons import course
from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.stories.listing import scene as scene_named
from dpviz.ui.learn import page
from tests.conftest import ROOT
from tests.figures.inks import DARK, LIGHT
from tests.ui.recorded import Recorded


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(page, "headline", found.headline)
    monkeypatch.setattr(page, "take_away", lambda: None)
    monkeypatch.setattr(page, "still", found.still)
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
    monkeypatch.setattr(page, "put_scene", screen.put_scene)
    page.overview(SimpleNamespace(look=Look(LIGHT)))
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
    covers = [one for one in screen.calls if one.name == "put_scene"]
    assert [one.args[0].story for one in covers] == [story.key for story in STORIES]
    assert all(one.others["beat"] == "predict" for one in covers)  # no answer stands there


@pytest.mark.parametrize("story", STORIES, ids=[one.key for one in STORIES])
def test_a_picture_of_a_scene_is_part_of_the_page_and_said_in_its_own_words(screen, story):
    """Before the answer in those of the question, else in those of what is drawn, and in full."""
    scene = scene_named(story.cover)
    control = scene.control
    page._drawn.cache_clear()
    for ink, width in ((DARK, None), (LIGHT, 560)):
        for beat, words in (
            ("predict", scene.question),
            ("reveal", scene.alt(scene.numbers(control.revealed, 1))),
        ):
            screen.forget()
            page.put_scene(scene, Look(ink), width, beat=beat)
            ((key, text, most),) = (one.args for one in screen.calls if one.name == "still")
            assert (key, most) == (f"still_{scene.name}", width)
            assert text.startswith("<svg ")
            assert html.unescape(re.findall(r' aria-label="([^"]*)"', text)[0]) == words
            assert f'fill="{ink.page}"' in text  # its paper is that of the theme
            faces = {html.unescape(one) for one in re.findall(r'font-family="([^"]*)"', text)}
            assert faces <= {FONT, SERIF}
            assert faces  # with words
