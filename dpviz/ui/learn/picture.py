"""The picture of a scene, with its controls or as a lecture shows it: once for all who see it.

A scene is about public samples alone, so that nothing of a visitor enters but what they typed into
its control.
"""

import threading
from dataclasses import dataclass, replace
from functools import lru_cache

from dpviz.figures.stage.screen import screen_of
from dpviz.lessons.scene import Sentences
from dpviz.lessons.stories.telling import (
    LARGER,
    PRESENTING,
    Place,
    answers,
    controls,
    heights,
    keys,
    presented,
    spoken,
)
from dpviz.ui.learn.steps import place_of, step_of
from dpviz.ui.lectures.table import Step
from dpviz.ui.stage import component
from dpviz.ui.stage.component import Sealed

KEPT = 64  # pictures; the largest has 250 kB
STEPS = 32  # of lectures; the largest has 160 kB
_one_at_a_time = threading.Lock()  # a class asks at once, and one of them computes


def picture_of(place: Place, room: str, *, phone: bool, presenting: bool) -> Sealed:
    """The picture of a scene with all stops that a person may move to, and its controls.

    The answers stand in the order of the room, the code of a lecture or "".
    """
    step, control = step_of(place), place.scene.control
    if control.kind in {"slider", "taps"}:  # wherever it stands, all stops are there
        step = replace(step, stop=control.start)
    right = place.scene.spared is not None and place.scene.answered(place.guess)
    with _one_at_a_time:
        return _picture(step, room, right, phone, presenting)


@lru_cache(maxsize=KEPT)
def _picture(step: Step, room: str, right: bool, phone: bool, presenting: bool) -> Sealed:
    place = place_of(step, None)
    scene = place.scene
    on_a_wall = presenting and not phone
    return component.sealed(
        scene.stage(
            place.stop,
            place.beat,
            screen=screen_of(phone),
            right=right,
            k=LARGER if on_a_wall else 1.0,
        ),
        presented(place, room)
        if on_a_wall
        else controls(place, room, alone=not (room or presenting)),
        heights(place, presenting=presenting),
        scene=f"{scene.story} {scene.number}",
        keys=keys(place, room)
        | ({"v": "class"} if room else {})
        | (PRESENTING if presenting else {}),
    )


@dataclass(frozen=True, slots=True)
class Seen:
    """What depends on the page that follows: its room, window, and whether its visitor was right."""

    room: str
    phone: bool
    presenting: bool
    right: bool


def drawn(step: Step, seen: Seen) -> tuple[Sentences, Sealed]:
    """The sentences of a step, and its picture as the browser gets it."""
    with _one_at_a_time:
        return _at_step(step, seen)


@lru_cache(maxsize=STEPS)
def _at_step(step: Step, seen: Seen) -> tuple[Sentences, Sealed]:
    place = place_of(step, None)
    scene = place.scene
    large = LARGER if seen.presenting and not seen.phone else 1.0
    stage = scene.stage(
        place.stop, place.beat, screen=screen_of(seen.phone), k=large, only=True, right=seen.right
    )
    asks = place.beat == "predict"
    asked = {key: what for key, what in keys(place, seen.room).items() if key.isdecimal()}
    picture = component.sealed(
        stage,
        answers(scene, seen.room, shared=True) if asks else [],
        heights(place, presenting=seen.presenting),
        scene=f"{scene.story} {scene.number}",
        keys=asked,
    )
    return spoken(place, scene.numbers(place.stop, 1)), picture
