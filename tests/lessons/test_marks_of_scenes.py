"""What holds for the marks of every scene: a name is used once, and timings end soon enough."""

from collections import Counter

import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.lessons.show import decision, group_size
from dpviz.lessons.try_it import declared_bounds, one_release, questions, smallest_epsilon

SCENES = {
    module.__name__: module.SCENE
    for module in (group_size, decision, declared_bounds, questions, smallest_epsilon, one_release)
}
LONGEST = 3_500  # ms of a reveal


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", SCENES)
def test_every_mark_has_a_name_of_its_own(name, screen):
    scene = SCENES[name]
    for stop in scene.control.stops:
        for beat in ("predict", "reveal"):
            marks = scene.marks(scene.numbers(stop, 1), beat, screen)
            assert max(Counter(mark["id"] for mark in marks).values()) == 1


@pytest.mark.parametrize("name", SCENES)
def test_a_reveal_ends_soon(name):
    scene = SCENES[name]
    told = scene.numbers(scene.control.revealed, 1)
    ends = [mark["after"] + mark["lasts"] for mark in scene.marks(told, "reveal", DESK)
            if "after" in mark]  # fmt: skip
    assert 0 < max(ends) <= LONGEST


@pytest.mark.parametrize("name", SCENES)
def test_all_states_make_one_stage(name):
    scene = SCENES[name]
    data = scene.stage(scene.control.start, "predict").to_dict()
    assert data["layers"][0]["states"]
