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
        return tuple(_modules(self.key).values())


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
def _modules(key: str) -> dict[str, Scene[Any]]:
    """The modules of a story with their scenes, in the order of the scenes."""
    folder = import_module(f"dpviz.lessons.{FOLDERS[key]}")
    names = [f"{folder.__name__}.{module.name}" for module in iter_modules(folder.__path__)]
    scenes = {name: getattr(import_module(name), "SCENE", None) for name in names}
    found = {name: scene for name, scene in scenes.items() if scene is not None}
    return dict(sorted(found.items(), key=lambda one: one[1].number))


def module_of(scene: Scene[Any]) -> str:
    """The name of the module that holds a scene."""
    return next(name for name, one in _modules(scene.story).items() if one is scene)


def scene_named(*modules: str) -> Scene[Any] | None:
    """The scene of the first of these modules that there is, of any story; None without any."""
    ends = (
        (name.rpartition(".")[2], one) for key in FOLDERS for name, one in _modules(key).items()
    )
    found = dict(ends)
    return next((found[module] for module in modules if module in found), None)
