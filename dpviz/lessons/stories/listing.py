"""The three stories and their scenes, in order: a scene is a module of its story's folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from dpviz.lessons.scene import Scene

FOLDERS = {"teach": "teach", "show": "show", "try": "try_it"}


@dataclass(frozen=True, slots=True)
class Story:
    """A guided path: for whom it is, and its scenes."""

    key: str
    title: str
    line: str
    audience: str

    @property
    def minutes(self) -> int:
        """How long it takes, in whole minutes."""
        return sum(scene.seconds for scene in self.scenes) // 60

    @property
    def scenes(self) -> tuple[Scene[Any], ...]:
        """The scenes in order."""
        return _scenes(self.key)


STORIES = (
    Story(
        "teach",
        "Teach",
        "Why exact statistics leak, and what noise promises.",
        "a first lecture",
    ),
    Story("show", "Show", "What a budget buys, and what it costs.", "managers, no formulas"),
    Story("try", "Try", "From a file to one release and its report.", "an analyst with a file"),
)
BY_KEY = {story.key: story for story in STORIES}


@cache
def _scenes(key: str) -> tuple[Scene[Any], ...]:
    folder = import_module(f"dpviz.lessons.{FOLDERS[key]}")
    modules = sorted(module.name for module in iter_modules(folder.__path__))
    found = [import_module(f"{folder.__name__}.{name}") for name in modules]
    scenes = [module.SCENE for module in found if hasattr(module, "SCENE")]
    return tuple(sorted(scenes, key=lambda scene: scene.number))


def module_of(scene: Scene[Any]) -> str:
    """The name of the module that holds a scene."""
    letter = "y" if scene.story == "try" else scene.story[0]
    return f"dpviz.lessons.{FOLDERS[scene.story]}.{letter}{scene.number}"
