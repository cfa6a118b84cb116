"""Every scene draws what it drew before, on a desk and on a phone; tests/drawn.py says the rest."""

from itertools import product
from pathlib import Path

import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.stories.listing import STORIES
from tests.drawn import changed

FILE = Path(__file__).with_name("drawn.json")
SCENES = [one for story in STORIES for one in story.scenes]


@pytest.mark.law
@pytest.mark.parametrize("scene", SCENES, ids=lambda one: one.name)
def test_a_scene_is_drawn_as_before(scene):
    beats = ("predict", "reveal") if scene.second is None else ("predict", "reveal", "second")
    parts = {}
    for stop in {scene.control.start, scene.control.revealed}:
        told = scene.numbers(stop, 1)
        for beat, (room, screen) in product(beats, {"wide": DESK, "phone": PHONE}.items()):
            parts[f"{room} {beat} {scene.control.shown(stop)}"] = scene.marks(told, beat, screen)
    assert changed(FILE, scene.name, parts) == []
