"""How a scene is told: where somebody is in it, what it says there, its controls, and its moves.

The app and the static edition obey the same: both hand a wish (a key, a button) to `moves`, which
says what is remembered of the scene afterwards, or which scene comes next.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpviz.figures.stage.controls import (
    Control,
    Heights,
    draw,
    go,
    number,
    slider,
    sure,
    taps,
    words,
)
from dpviz.figures.stage.drawing import DOTS
from dpviz.lessons.scene import Beat, Scene, Sentences
from dpviz.lessons.staged import named
from dpviz.lessons.stories.listing import Story
from dpviz.lessons.words import STRENGTH

SKIPPED = "skip"  # the guess of somebody who skipped the question
SURE = "Sure? Choose once more, or the same again."  # to a reader whom no class talks to
TAPS = "Tap a row to fill it in."
TYPED = 0.01, 1e12  # the least and the most that may be typed where a scene takes any number
LEADS = "leads"  # of a move: to the scene of this number, or to all stories
HEIGHTS = Heights(  # on a wide screen, a low one, a phone
    "clamp(320px, calc(100dvh - 372px), 620px)",
    "clamp(300px, calc(100dvh - 330px), 490px)",
    "420px",
)
LECTURE = Heights(  # below lines that stand above the picture at times
    "clamp(320px, calc(100dvh - 236px - var(--lines, 0px)), 900px)",
    "clamp(320px, calc(100dvh - 230px - var(--lines, 0px)), 640px)",
    "420px",
)
LOWER = LECTURE.less(48)  # with a formula below the picture
LARGER = 1.4  # words in the picture, for the back row
LINE, ACROSS = 32, 95  # px of a line of the question, and its signs
PRESENTING = {"e": "exercise", "x": "explain", "Escape": "leave"}  # keys, and what they open
Move = Mapping[str, str | int | None]


@dataclass(frozen=True, slots=True)
class Place:
    """A scene, what was guessed there, and where its control stands."""

    story: Story
    scene: Scene[Any]
    guess: str | None
    beat: Beat
    stop: Any

    @property
    def first(self) -> bool:
        """Whether no scene comes before it."""
        return self.scene.number == 1

    @property
    def last(self) -> bool:
        """Whether no scene comes after it."""
        return self.scene.number == len(self.story.scenes)


def beat_of(scene: Scene[Any], guess: str | None, *, second: bool) -> Beat:
    """The beat of somebody who guessed this, and asked for the second beat or not."""
    if second and scene.second is not None:
        return "second"
    return "predict" if guess is None else "reveal"


def stop_of(scene: Scene[Any], beat: Beat, chosen: Any = None) -> Any:
    """Where the control stands: as chosen, else as the scene has it."""
    control = scene.control
    if beat == "predict":
        return control.start
    if chosen is not None and (chosen in control.stops or control.kind == "typed"):
        return chosen
    if beat == "second" and scene.second is not None and scene.second.start is not None:
        return scene.second.start
    return control.revealed


def lecture(story: Story, scene: Scene[Any]) -> Heights:
    """How high the picture is while presenting, over the formula of the story if there is one."""
    return LOWER if any(one.formula for one in story.scenes[: scene.number]) else LECTURE


def moves(place: Place) -> dict[str, Move]:
    """What is wished at a place → what is remembered of its scene then (None: nothing any more).

    A move that leads away says the number of the scene, 0 for all stories.
    """
    scene, number = place.scene, place.scene.number
    onward: Move = {LEADS: 0 if place.last else number + 1}
    found: dict[str, Move] = {"again": dict.fromkeys(("guess", "beat", scene.control.key))}
    if place.guess is None:
        found |= {option.key: {"guess": option.key} for option in scene.options}
        found["reveal"] = {"guess": SKIPPED}
    if place.beat == "second":
        return found | {"next": onward, "back": {"beat": None}}
    found["next"] = onward if scene.second is None else {"beat": "second"}
    return found if place.first else found | {"back": {LEADS: number - 1}}


def heights(place: Place, *, presenting: bool) -> Heights:
    """How high the picture of a place is."""
    found = lecture(place.story, place.scene) if presenting else HEIGHTS
    if presenting and place.beat == "predict" and place.scene.options:
        found = found.less(LINE * math.ceil(len(place.scene.question) / ACROSS))
    asks = place.beat == "predict" and place.scene.drawing is not None
    return found.drawn() if asks else found


def move(place: Place, wanted: str) -> Move:
    """What a wish changes; a guess that is drawn is one, too, while the scene asks."""
    drawing = place.scene.drawing
    if place.beat == "predict" and drawing is not None and drawing.read(wanted):
        return {"guess": wanted}
    return moves(place).get(wanted, {})


def presented(place: Place, room: str = "") -> list[Control]:
    """The controls while presenting: the question stays above its answers; a way out."""
    row = controls(place, room)
    if place.beat == "predict" and place.scene.options:
        row = [words(place.scene.question), *row]
    return [*row, go("leave", "Leave", "corner", hint="Esc")]


def spoken(place: Place, found: Any) -> Sentences:
    """What the scene says in its beat."""
    scene = place.scene
    if place.beat == "predict":
        return scene.ask(found)
    if place.beat == "second" and scene.second is not None:
        return scene.second.say(found)
    return scene.say(found)


def verdict(place: Place) -> str:
    """What the chosen answer means where it was asked, "" without one; no score is kept."""
    return place.scene.verdict(place.guess or "")


def moved(place: Place) -> str:
    """That a guess was about another state than the one that is shown, "" where it was not."""
    asked = place.beat == "predict" or place.stop == place.scene.control.revealed
    return "" if asked or not verdict(place) else f"Your guess was about this: {place.scene.about}."


def keys(place: Place, room: str = "") -> dict[str, str]:
    """What the keys of the keyboard ask for."""
    meaning = {"ArrowRight": "next", "PageDown": "next", "ArrowLeft": "back", "PageUp": "back"}
    if place.beat == "predict":
        meaning[" "] = "reveal"
        if place.scene.drawing is None:
            meaning |= {str(i): one.key for i, one in enumerate(place.scene.shuffled(room), 1)}
    return meaning


def controls(place: Place, room: str = "", *, alone: bool = False) -> list[Control]:
    """Back, the answers or the one control, and the way on; who reads alone is asked twice."""
    scene = place.scene
    back = go("back", "← Back", "quiet first", off=place.first and place.beat != "second")
    if place.beat == "predict":
        skip = ("Skip", "quiet last") if scene.options else ("Open →", "forward last")
        again = [sure(SURE)] if alone and scene.options and scene.drawing is None else []
        return [back, *answers(scene, room), *again, go("reveal", *skip)]
    if scene.second is not None and place.beat != "second":
        on = scene.second.label
    else:
        on = "All stories" if place.last else "Next"
    return [back, *_middle(place), go("next", f"{on} →", "forward last")]


def answers(scene: Scene[Any], room: str = "", *, shared: bool = False) -> list[Control]:
    """The answers to its question in the order of the room, or what draws one.

    A shared drawing is handed in when it is locked, and the truth is not seen before the reveal.
    """
    if scene.drawing is not None:
        dots = DOTS if scene.drawing.form == "d" else 0
        lock = "Lock my guess" if shared else "Lock"
        return [draw(lock, "See why →", scene.drawing.unit, dots=dots, shared=shared)]
    listed = enumerate(scene.shuffled(room), 1)
    return [go(one.key, one.text, "answer", hint=str(i)) for i, one in listed]


def _middle(place: Place) -> list[Control]:
    """The one control of a scene; a button that works once is pressed by the answer."""
    control = place.scene.control
    if control.beat not in {None, place.beat}:
        return []
    if control.kind == "slider":
        return [_slider(place.scene)]
    if control.kind == "taps":
        return [taps("stop", TAPS)]
    if control.kind == "typed":
        return [number("stop", control.label, *TYPED)]
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
