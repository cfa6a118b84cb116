"""Minute plans: each begins at 0 and ends in time, and scenes take the minutes that they have."""

from itertools import pairwise

import pytest

from dpviz.lessons.stories.inventory import ITEMS
from dpviz.lessons.stories.listing import scene
from dpviz.lessons.stories.plans import ELEVEN, SESSIONS, Step, plans, scenes, shown, straight
from tests.lessons.stories.test_inventory import MODULES

TRY = {"declared_bounds", "questions", "smallest_epsilon", "one_release"}
SHOW = {"leavers", "suspicion", "accuracy_kept", "group_size", "decision"}
EVERY = MODULES | TRY | SHOW


@pytest.mark.parametrize("plan", plans(), ids=lambda plan: plan.name)
def test_a_plan_goes_on_by_the_minute_and_names_scenes_of_the_course(plan):
    minutes = [step.minute for step in plan.steps]
    assert minutes[0] == 0
    assert all(one < later for one, later in pairwise([*minutes, plan.minutes]))
    assert {name for step in plan.steps for name in step.modules} <= EVERY
    assert plan.note


def test_the_plans_last_as_long_as_they_are_called():
    assert [plan.minutes for plan in plans()] == [11, 45, 90]
    talk, lesson, lab = plans()
    seconds = [scene.seconds for scene in scenes(ELEVEN)]
    assert sum(seconds) / 60 < 12
    assert [step.minute for step in talk.steps] == [
        sum(seconds[:place]) // 60 for place in range(len(seconds))
    ]
    assert [step.minute for step in lesson.steps] == [
        0, 4, 11, 15, 18, 23, 26, 32, 35, 37, 39, 42, 44
    ]  # fmt: skip
    assert [step.minute for step in lab.steps] == [0, 5, 25, 30, 50, 55, 75, 85]
    tasks = " ".join(step.does for step in lab.steps)
    assert all(part in tasks for part in ("tasks 1 to 3", "tasks 4 to 6", "tasks 7 and 8"))


def test_a_class_reaches_all_of_the_test():
    reached = {name for step in plans()[1].steps for name in step.modules}
    missed = [number for number, item in enumerate(ITEMS, 1) if item.module not in reached]
    assert missed == []
    reached = set(ELEVEN)
    assert sum(item.module in reached for item in ITEMS) == 11


def test_a_step_says_its_scenes_and_what_is_done():
    steps = Step(0, ("tank", "coins"), "talk"), Step(9, (), "test")
    titles = "; ".join(scene(name).title for name in ("tank", "coins"))
    assert shown(steps) == [(0, f"{titles}; talk"), (9, "test")]
    assert [step.modules for step in straight(("tank", "coins"))] == [("tank",), ("coins",)]


def test_every_scene_goes_with_a_session():
    named = [name for _, modules in SESSIONS for name in modules]
    assert len(named) == len(set(named))
    assert EVERY - set(named) == {"declared_bounds", "smallest_epsilon"}
    assert len({session for session, _ in SESSIONS}) == len(SESSIONS)
