"""The three stories and their scenes, in the order of the course."""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from dpviz.lessons import course
from dpviz.lessons.scene import Scene


@dataclass(frozen=True, slots=True)
class Story:
    """A guided path: for whom it is, its scenes, and the one whose question stands for it."""

    key: str
    title: str
    line: str
    audience: str
    cover: str

    @property
    def minutes(self) -> int:
        """How long it takes, in whole minutes."""
        return sum(scene.seconds for scene in self.scenes) // 60

    @property
    def scenes(self) -> tuple[Scene[Any], ...]:
        """The scenes in order."""
        return tuple(scene(row.rpartition(".")[2]) for row in course.SCENES[self.key])


STORIES = (
    Story(
        "teach",
        "Teach",
        "Why exact statistics leak, and what noise promises.",
        "a first lecture",
        "attacker",
    ),
    Story(
        "show",
        "Show",
        "What a budget buys, and what it costs.",
        "managers, no formulas",
        "group_size",
    ),
    Story(
        "try",
        "Try",
        "From a file to one release and its report.",
        "an analyst with a file",
        "one_release",
    ),
)
BY_KEY = {story.key: story for story in STORIES}


@cache
def scene(name: str) -> Scene[Any]:
    """The scene of this name, whichever story tells it. Raises: KeyError where there is none."""
    told = {row.rpartition(".")[2]: story for story, rows in course.SCENES.items() for row in rows}
    found: Scene[Any] = import_module(course.module(told[name], name)).SCENE
    return found
