"""What all who follow a lecture see at a step, made once for all of them."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache

from dpviz.figures.stage.screen import screen_of
from dpviz.lessons.scene import Sentences
from dpviz.lessons.stories.telling import LARGER, answers, heights, keys, spoken
from dpviz.ui.learn.steps import place_of
from dpviz.ui.lectures.table import Step
from dpviz.ui.stage import component
from dpviz.ui.stage.component import Sealed

KEPT = 32  # steps, of public samples alone; the largest picture has 160 kB
_one_at_a_time = threading.Lock()  # a class asks at once, and one of them computes


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
        return _drawn(step, seen)


@lru_cache(maxsize=KEPT)
def _drawn(step: Step, seen: Seen) -> tuple[Sentences, Sealed]:
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
