"""The picture of a scene with its controls, written once for everybody who sees it.

A scene is about public samples alone, so that nothing of a visitor enters but what they typed into
its control.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import lru_cache
from typing import Any

from dpviz.figures.stage.screen import screen_of
from dpviz.lessons.scene import Scene
from dpviz.lessons.staged import named
from dpviz.lessons.words import STRENGTH
from dpviz.ui.learn import where
from dpviz.ui.learn.steps import place_of, step_of
from dpviz.ui.learn.where import Place
from dpviz.ui.lectures.table import Step
from dpviz.ui.stage import component
from dpviz.ui.stage.component import Heights, Sealed
from dpviz.ui.stage.controls import Control, go, number, slider

HEIGHTS = Heights(
    wide="clamp(320px, calc(100dvh - 372px), 620px)",
    low="clamp(300px, calc(100dvh - 330px), 490px)",
    phone="420px",
)
LECTURE = Heights(
    wide="clamp(320px, calc(100dvh - 236px), 900px)",
    low="clamp(320px, calc(100dvh - 230px), 640px)",
    phone="420px",
)
LARGER = 1.4  # words in the picture, for the back row
KEPT = 64  # pictures; the largest has 250 kB
_one_at_a_time = threading.Lock()  # a class asks at once, and one of them computes


def picture_of(place: Place, room: str, *, phone: bool, presenting: bool) -> Sealed:
    """The picture of a scene with all stops that a person may move to, and its controls.

    The answers stand in the order of the room, the code of a lecture or "".
    """
    step, control = step_of(place), place.scene.control
    if control.kind == "slider":  # wherever it stands, all stops are there
        step = replace(step, stop=control.start)
    right = place.scene.spared is not None and place.guess == place.scene.right.key
    with _one_at_a_time:
        return _picture(step, room, right, phone, presenting)


@lru_cache(maxsize=KEPT)
def _picture(step: Step, room: str, right: bool, phone: bool, presenting: bool) -> Sealed:
    place = place_of(step, None)
    scene = place.scene
    return component.sealed(
        scene.stage(
            place.stop,
            place.beat,
            screen=screen_of(phone),
            right=right,
            k=LARGER if presenting and not phone else 1.0,
        ),
        controls(place, room),
        LECTURE if presenting else HEIGHTS,
        scene=f"{scene.story} {scene.number}",
        keys=keys(place, room),
    )


def keys(place: Place, room: str = "") -> dict[str, str]:
    """What the keys of the keyboard ask for."""
    meaning = {"ArrowRight": "next", "PageDown": "next", "ArrowLeft": "back", "PageUp": "back"}
    if place.beat == "predict":
        meaning[" "] = "reveal"
        meaning |= {str(i): one.key for i, one in enumerate(place.scene.shuffled(room), 1)}
    return meaning


def controls(place: Place, room: str = "") -> list[Control]:
    """Back, the answers or the one control, and the way on."""
    scene = place.scene
    back = go("back", "← Back", "quiet first", off=place.first and place.beat != "second")
    if place.beat == "predict":
        return [back, *answers(scene, room), go("reveal", "Skip", "quiet last")]
    if scene.second is not None and place.beat != "second":
        on = scene.second.label
    else:
        on = "All stories" if place.last else "Next"
    return [back, *_middle(scene), go("next", f"{on} →", "forward last")]


def answers(scene: Scene[Any], room: str = "") -> list[Control]:
    """The answers to its question, in the order of the room."""
    listed = enumerate(scene.shuffled(room), 1)
    return [go(one.key, one.text, "answer", hint=str(i)) for i, one in listed]


def _middle(scene: Scene[Any]) -> list[Control]:
    """The one control of a scene; a button that works once is pressed by the answer."""
    if scene.control.kind == "slider":
        return [_slider(scene)]
    if scene.control.kind == "typed":
        return [number("stop", scene.control.label, *where.TYPED)]
    return []


NAMED = (0.1, 1.0, 10.0)  # of ε, with their words below the track; a long one finds no room
ROOM, LONGEST = 60, 14  # characters below the track that do not touch, in all and at its ends


def _slider(scene: Scene[Any]) -> Control:
    control = scene.control
    stops = [(named(one), control.shown(one)) for one in control.stops]
    if control.key == "eps":
        return slider(
            "stop", ("ε", " = "), "Privacy, ε: smaller is more private", stops,
            marks=[_below_track(float(one)) for one in control.stops],
        )  # fmt: skip
    words = [text for _, text in stops]
    if sum(map(len, words)) + 3 * len(words) > ROOM:  # the value itself stands before the track
        kept = {0, len(words) - 1} if max(map(len, words)) <= LONGEST else set()
        words = [text if place in kept else "" for place, text in enumerate(words)]
    return slider("stop", (control.label,), control.label, stops, own=True, marks=words)


def _below_track(epsilon: float) -> str:
    if epsilon in NAMED:
        return f"{epsilon:g} {STRENGTH[epsilon]}"
    return f"{epsilon:g}" if epsilon in STRENGTH else ""
