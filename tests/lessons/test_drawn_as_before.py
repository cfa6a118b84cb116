"""Every scene draws and says what it did before, on a desk and on a phone: tests/drawn.py."""

from itertools import product
from pathlib import Path

import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.stories.listing import STORIES
from tests.drawn import changed

FILE = Path(__file__).with_name("drawn.json")
SLOW = {"combined_levels", "median"}
SCENES = [
    pytest.param(one, id=one.name, marks=[pytest.mark.law] * (one.name in SLOW))
    for story in STORIES
    for one in story.scenes
]


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_draws_and_says_what_it_did_before(scene):
    beats = ("predict", "reveal") if scene.second is None else ("predict", "reveal", "second")
    parts = {}
    for stop in {scene.control.start, scene.control.revealed}:
        told = scene.numbers(stop, 1)
        for beat, (room, screen) in product(beats, {"wide": DESK, "phone": PHONE}.items()):
            parts[f"{room} {beat} {scene.control.shown(stop)}"] = scene.marks(told, beat, screen)
        said = [scene.ask(told), scene.say(told), scene.alt(told), scene.finding(told)]
        if scene.second is not None:
            said += [scene.second.label, scene.second.say(told), scene.second.alt(told)]
        parts[f"words {scene.control.shown(stop)}"] = list(map(str, said))
    parts["words"] = [
        scene.title, scene.goal, scene.question, *map(str, scene.options), scene.explanation,
        scene.teacher, scene.exercise, scene.answer, scene.formula,
        scene.remark() if scene.remark is not None else "",
        [scene.control.shown(stop) for stop in scene.control.stops],
    ]  # fmt: skip
    if scene.drawing is not None:
        parts["guess"] = scene.drawing.to_dict()
    assert changed(FILE, scene.name, parts) == []
