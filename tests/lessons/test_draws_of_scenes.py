"""Every scene has a picture and its sentences for every draw, not only for that of the lesson."""

from collections.abc import Sequence
from typing import Any

import pytest

from dpviz.figures.stage.screen import DESK, PHONE, Screen
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.teach.noise import tank

DRAWS = range(201)
RARELY = 80  # draws apart, in scenes that average over many releases of their own
SCENES = {one.name: one for story in STORIES for one in story.scenes}
SLOW = ("largest_value", "median", "combined_levels", "accuracy_kept", "decision")
pytestmark = pytest.mark.law


def tried(scene: Scene[Any], draw: int, screens: Sequence[Screen] = (DESK, PHONE)) -> None:
    """Draw all beats of a scene where it is revealed."""
    told = scene.numbers(scene.control.revealed, draw)
    for beat in ("predict", "reveal") if scene.second is None else ("predict", "reveal", "second"):
        for screen in screens:
            assert scene.marks(told, beat, screen)
    says = [scene.say(told)] if scene.second is None else [scene.say(told), scene.second.say(told)]
    assert all(said.headline and said.sentence for said in (scene.ask(told), *says))
    assert scene.alt(told)


@pytest.mark.parametrize("apart", [8, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", [name for name in SCENES if name not in SLOW])
def test_draws_have_their_picture(name: str, apart: int):
    """Every draw wide and on a phone; of those that are apart, each on one of both in turn."""
    for at, draw in enumerate(DRAWS[::apart]):
        tried(SCENES[name], draw, (DESK, PHONE) if apart == 1 else ((DESK, PHONE)[at % 2],))


@pytest.mark.parametrize("name", SLOW)
def test_draws_now_and_then_have_their_picture(name: str):
    for at, draw in enumerate(DRAWS[::RARELY]):
        tried(SCENES[name], draw, (DESK, PHONE) if at == 0 else ((DESK, PHONE)[at % 2],))


@pytest.mark.thorough
@pytest.mark.parametrize("name", SLOW)
def test_every_draw_of_a_long_scene_has_its_picture(name: str):
    for draw in DRAWS:
        tried(SCENES[name], draw)


def test_few_answers_have_their_picture_in_every_draw():
    """The run that is drawn begins as far off as answers are on average, so within the picture."""
    for draw in DRAWS:
        for stop in tank.SCENE.control.stops[:3]:
            told = tank.numbers(stop, draw)
            assert tank.SHOWN[0] <= told.mean(1) <= tank.SHOWN[1]
            if draw % 4 == 0:
                assert "paid answers" in {mark["id"] for mark in tank.marks(told, "reveal", DESK)}
