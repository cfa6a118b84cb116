"""Places of the stories as a lecture tells them, and the other way round."""

import re

from dpviz.lessons.scene import Beat
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.lessons.stories.telling import Place
from dpviz.ui.lectures.table import Step

BEATS: dict[str, Beat] = {"predict": "predict", "reveal": "reveal", "second": "second"}
MARKUP = re.compile(r":\w+\[([^\]]*)\]|\*\*|\\(?=[^\w\s])")


def place_of(step: Step, guess: str | None) -> Place:
    """Where a presenter is, with a guess of somebody who follows."""
    story = BY_KEY[step.story]
    return Place(story, story.scenes[step.scene - 1], guess, BEATS[step.beat], step.stop)


def step_of(place: Place) -> Step:
    """What a lecture tells of a place: nothing of the presenter's own guess."""
    return Step(place.story.key, place.scene.number, place.beat, place.stop)


def heard(text: str) -> str:
    """A sentence of a scene as it is read aloud, without its markup."""
    return MARKUP.sub(r"\1", text)
