"""The picture of a scene with its controls, written once for everybody who sees it.

A scene is about public samples alone, so that nothing of a visitor enters but what they typed into
its control.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import lru_cache

from dpviz.figures.stage.screen import screen_of
from dpviz.lessons.stories.telling import (
    LARGER,
    PRESENTING,
    Place,
    controls,
    heights,
    keys,
    presented,
)
from dpviz.ui.learn.steps import place_of, step_of
from dpviz.ui.lectures.table import Step
from dpviz.ui.stage import component
from dpviz.ui.stage.component import Sealed

KEPT = 64  # pictures; the largest has 250 kB
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
