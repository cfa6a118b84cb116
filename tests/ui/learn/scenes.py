"""All scenes with numbers that cost nothing: each is the stop that it is about."""

from dataclasses import replace
from itertools import product
from typing import Any

from dpviz.lessons.scene import Scene, Sentences
from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.stories.telling import SKIPPED, Place, beat_of, stop_of


def light(scene: Scene[Any]) -> Scene[Any]:
    """The scene with all its texts; what is computed says what of."""
    second = scene.second
    if second is not None:
        second = replace(
            second,
            say=lambda found: Sentences(f"second {found}", "then"),
            alt=lambda found: f"seen second {found}",
        )
    return replace(
        scene,
        numbers=lambda stop, _: stop,
        ask=lambda found: Sentences(f"asks at {found}", "before"),
        say=lambda found: Sentences(f"says at {found}", "after"),
        finding=lambda found: f"found at {found}",
        alt=lambda found: f"seen {found}",
        second=second,
        remark=None,
    )


LIGHT = {story.key: [light(scene) for scene in story.scenes] for story in STORIES}


def places() -> list[Place]:
    """Every beat of every scene after every guess, with the control at its first and last stop."""
    found = []
    for story in STORIES:
        for scene in LIGHT[story.key]:
            guesses = (None, SKIPPED, *(one.key for one in scene.options))
            ends = scene.control.stops[0], scene.control.stops[-1]
            for guess, second, stop in product(guesses, (False, True), ends):
                beat = beat_of(scene, guess, second=second)
                found.append(Place(story, scene, guess, beat, stop_of(scene, beat, stop)))
    return found


def spoken_at(place: Place) -> str:
    """What the headline says there, worked out anew."""
    stop = place.stop
    return {
        "predict": f"asks at {place.scene.control.start}",
        "reveal": f"says at {stop}",
        "second": f"second {stop}",
    }[place.beat]


def guessed(place: Place) -> str:
    """The text of the answer that was chosen; empty where there is none."""
    return next((one.text for one in place.scene.options if one.key == place.guess), "")
