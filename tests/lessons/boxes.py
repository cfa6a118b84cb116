"""Checks that every scene shares: lengths of its sentences, and boxes of its words from the SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any
from xml.etree import ElementTree as ET

from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.screen import screen_of
from dpviz.lessons.scene import Beat, Scene, Sentences

LONGEST_HEADLINE, LONGEST_SENTENCE = 58, 105  # characters of one line, without markup
SMALLEST = 14.5  # px of words, times k
SANS, SERIF = 0.54, 0.5  # mean width of a character in sizes
ASCENT, DESCENT = 0.72, 0.2  # of words above and below their baseline, in sizes
SLACK = 1.0  # px that boxes may touch
MARKUP = re.compile(r":\w+\[([^\]]*)\]|\*\*(.+?)\*\*")


@dataclass(frozen=True, slots=True)
class Picture:
    """A size that scenes are drawn in."""

    width: int
    height: int
    k: float = 1.0
    phone: bool = False


PLAIN = Picture(1270, 520)
PICTURES = (Picture(1184, 490, k=1.4), PLAIN, Picture(358, 420, phone=True))


@dataclass(frozen=True, slots=True)
class Box:
    """The estimated place of some words."""

    text: str
    size: float
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Whether two texts share more than a seam."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > SLACK
            and min(self.bottom, other.bottom) - max(self.top, other.top) > SLACK
        )


def boxes(picture: str) -> list[Box]:
    """The boxes of all words of an SVG."""
    root = ET.fromstring(picture)
    found = (_box(one) for one in root.iter("{http://www.w3.org/2000/svg}text"))
    return [box for box in found if box.text.strip()]


def _box(shape: ET.Element) -> Box:
    text = "".join(shape.itertext())
    size = float(shape.get("font-size", 0))
    serif = "sans" not in shape.get("font-family", "").lower()
    wide = len(text) * ((SERIF if serif else SANS) * size + float(shape.get("letter-spacing", 0)))
    x, y = float(shape.get("x", 0)), float(shape.get("y", 0))
    left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.get("text-anchor", "start")]
    return Box(text, size, left, y - ASCENT * size, left + wide, y + DESCENT * size)


def faults(picture: str, width: float, height: float, k: float = 1.0) -> list[str]:
    """What is wrong with the words of an SVG: outside, too small, or over other words."""
    every = boxes(picture)
    small = [f"'{one.text}' is {one.size:g} px" for one in every if one.size < SMALLEST * k - 0.01]
    outside = [
        f"'{one.text}' leaves the picture"
        for one in every
        if min(one.left, one.top) < -SLACK
        or one.right > width + SLACK
        or one.bottom > height + SLACK
    ]
    over = [
        f"'{one.text}' is over '{other.text}'"
        for one, other in combinations(every, 2)
        if one.overlaps(other)
    ]
    return small + outside + over


def plain(text: str) -> str:
    """Words without the markup of colours and weights."""
    return MARKUP.sub(lambda found: found[1] or found[2], text)


def states(scene: Scene[Any], stops: Sequence[Any] | None = None) -> Iterator[tuple[Any, Beat]]:
    """Every stop and beat of a scene: the question where it starts, the answers at every stop."""
    yield scene.control.start, "predict"
    for stop in scene.control.stops if stops is None else stops:
        yield stop, "reveal"
        if scene.second is not None:
            yield stop, "second"


def said(scene: Scene[Any], stop: Any, beat: Beat, draw: int = 1) -> Sentences:
    """The sentences of a state."""
    found = scene.numbers(stop, draw)
    if beat == "predict":
        return scene.ask(found)
    return scene.second.say(found) if beat == "second" and scene.second else scene.say(found)


def check_sentences(scene: Scene[Any], stops: Sequence[Any] | None = None, draw: int = 1) -> None:
    """Fail for a headline or a sentence that does not fit into its line, in any state."""
    for stop, beat in states(scene, stops):
        words = said(scene, stop, beat, draw)
        for text, longest in (
            (words.headline, LONGEST_HEADLINE),
            (words.sentence, LONGEST_SENTENCE),
        ):
            shown = plain(text)
            assert shown, f"{stop} {beat}: nothing is said"
            assert len(shown) <= longest, f"{stop} {beat}: {len(shown)} characters: {shown}"


def check_pictures(
    scene: Scene[Any], stops: Sequence[Any] | None = None, draw: int = 1, *, every: bool = True
) -> None:
    """Fail for words that are outside, too small or over other words, in any state and size.

    Not every: on a plain desk, where words are smaller than on a wall, every other state.
    """
    wrong = [
        f"{stop} {beat} at {size.width} px: {fault}"
        for at, (stop, beat) in enumerate(states(scene, stops))
        for size in PICTURES
        if every or size is not PLAIN or at % 2 == 0
        for fault in faults(drawn(scene, stop, beat, size, draw), size.width, size.height, size.k)
    ]
    assert not wrong, "\n".join(wrong)


def drawn(scene: Scene[Any], stop: Any, beat: Beat, size: Picture, draw: int = 1) -> str:
    """A state of a scene as SVG."""
    look = Look(screen="phone") if size.phone else Look(presenting=size.k > 1)
    stage = scene.stage(stop, beat, draw=draw, screen=screen_of(size.phone), k=size.k, only=True)
    return svg(stage, size.width, size.height, look)
