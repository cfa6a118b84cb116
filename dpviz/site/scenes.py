"""What the page of a scene knows: its pictures, controls, moves, and all that it says, computed."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from dpviz.answers.said import unmarked
from dpviz.figures.stage.places import Mark
from dpviz.figures.stage.screen import screen_of
from dpviz.lessons import asking, game
from dpviz.lessons.scene import Beat, Scene
from dpviz.lessons.staged import named
from dpviz.lessons.stories import telling
from dpviz.lessons.stories.listing import STORIES, Story
from dpviz.lessons.stories.telling import SKIPPED, Place
from dpviz.lessons.words import epsilon
from dpviz.site.markup import marked

STRIP = 8  # tenths that a strip of points is wide: they take fewest bytes
TENTHS = 10  # of the unit of large crowds, in whole numbers of which they are told
GAME = "two_worlds"
DESK = "attacker"
GAMES = 20  # of five rounds each, at every stop, drawn beforehand


@cache
def course() -> tuple[tuple[Story, Scene[Any]], ...]:
    """All scenes as they are without a server, in order."""
    return tuple((story, offline(scene)) for story in STORIES for scene in story.scenes)


def scene_of(name: str) -> Scene[Any]:
    """A scene of the course."""
    return next(scene for _, scene in course() if scene.name == name)


def offline(scene: Scene[Any]) -> Scene[Any]:
    """The scene as it is without a server: a number that could be typed is one of its examples.

    Its numbers are worked out once for its picture on every screen and for its sentences.
    """
    control = scene.control
    if control.kind == "typed":
        control = replace(control, kind="slider")
    return replace(scene, control=control, numbers=cache(scene.numbers))


def stops_of(scene: Scene[Any]) -> tuple[Any, ...]:
    """Where the control of a scene may stand once it is revealed."""
    control = scene.control
    return control.staged


def beats_of(scene: Scene[Any]) -> tuple[Beat, ...]:
    """The beats after the question."""
    return ("reveal",) if scene.second is None else ("reveal", "second")


def places(story: Story, scene: Scene[Any]) -> Iterator[Place]:
    """The scene in all of its states: the question, then every beat at every stop."""
    yield Place(story, scene, None, "predict", scene.control.start)
    for beat in beats_of(scene):
        for stop in stops_of(scene):
            yield Place(story, scene, SKIPPED, beat, stop)


def page_of(story: Story, number: int) -> str:
    """The file of a scene; that of all stories where there is no such scene."""
    return f"{story.key}-{number}.html" if 1 <= number <= len(story.scenes) else "learn.html"


def told(story: Story, scene: Scene[Any]) -> dict[str, Any]:
    """All that the page needs, as its script reads it."""
    control, asked = scene.control, Place(story, scene, None, "predict", scene.control.start)
    every: dict[str, Place] = {"predict": asked}
    every |= {beat: replace(asked, guess=SKIPPED, beat=beat) for beat in beats_of(scene)}
    return {
        "scene": f"{scene.story} {scene.number}",
        "story": story.key,
        "kind": control.key,
        "stops": [named(one) for one in stops_of(scene)],
        "stands": {beat: named(telling.stop_of(scene, one.beat)) for beat, one in every.items()},
        "begins": {} if scene.dragged is None else {scene.dragged.name: str(scene.dragged.first)},
        "right": scene.right.key if scene.right else None,
        "options": {one.key: one.text for one in scene.options},
        "verdicts": {one.key: marked(scene.judged(one)) for one in scene.options},
        "drawing": None if scene.drawing is None else scene.drawing.to_dict(),
        "moved": _moved(asked),
        "stages": _stages(scene),
        "controls": {beat: telling.controls(place, alone=True) for beat, place in every.items()},
        "keys": {beat: telling.keys(place) for beat, place in every.items()},
        "moves": {beat: telling.moves(place) for beat, place in every.items()}
        | {"second, unasked": telling.moves(replace(asked, beat="second"))},
        "said": _said(story, scene),
        "last": len(story.scenes),
        "heights": {
            "here": telling.HEIGHTS.to_dict(),
            "lecture": telling.lecture(story, scene).to_dict(),
        },
        "larger": telling.LARGER,
        "game": _game(scene) if scene.name == GAME else None,
        "desk": asking.desk() if scene.name == DESK else None,
    }


def _stages(scene: Scene[Any]) -> dict[str, Any]:
    """The picture on a desk and a phone, and for whoever answered rightly where that differs."""
    found = {}
    for size in ("wide", "phone"):
        for right in (False, True) if scene.spared else (False,):
            screen = screen_of(size == "phone")
            stage = scene.stage(scene.control.start, "predict", screen=screen, right=right)
            given = stage.to_dict()
            del given["state"], given["k"]
            for view in given["views"]:
                view["marks"] = [_sorted(mark) for mark in view["marks"]]
            found[size + " right" * right] = given
    return found


def _sorted(mark: Mark) -> Mark:
    """A crowd of points as steps from point to point, up one narrow strip after the other."""
    if mark.get("form") != "points":
        return mark
    x, y = np.round(TENTHS * np.array([mark["x"], mark["y"]])).astype(int)
    if [(x / TENTHS).tolist(), (y / TENTHS).tolist()] != [mark["x"], mark["y"]]:
        return mark  # told more exactly
    order = np.lexsort((x, y, x // STRIP))
    steps = [{"+": np.diff(one[order], prepend=0).tolist()} for one in (x, y)]
    return mark | dict(zip("xy", steps, strict=True))


def _said(story: Story, scene: Scene[Any]) -> dict[str, dict[str, list[str]]]:
    """Headline and second line of every state."""
    found: dict[str, dict[str, list[str]]] = {}
    for place in places(story, scene):
        said = telling.spoken(place, scene.numbers(place.stop, 1))
        line = [marked(said.headline), marked(said.sentence)]
        found.setdefault(place.beat, {})[named(place.stop)] = line
    return found


def _moved(asked: Place) -> str:
    """What is said of a guess once the control stands elsewhere than where it was asked."""
    scene = asked.scene
    for stop in stops_of(scene) if scene.options else ():
        place = replace(asked, guess=scene.options[0].key, beat="reveal", stop=stop)
        if said := telling.moved(place):
            return marked(said)
    return ""


def _game(scene: Scene[Any]) -> dict[str, Any]:
    """Rounds at every ε, drawn by the package; the tally of none says what nobody beats."""
    return {
        named(stop): {
            "title": f"Five rounds against the class, {epsilon(stop)}.",
            "best": game.said(game.Tally(), stop),
            "draws": [
                [[int(one.inside), one.answer] for one in game.rounds(stop, draw)]
                for draw in range(1, GAMES + 1)
            ],
        }
        for stop in stops_of(scene)
    }


def description(scene: Scene[Any]) -> str:
    """What a scene is about, for a link to it."""
    return f"{scene.question} {unmarked(scene.goal)}"
