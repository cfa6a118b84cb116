"""What a scene of a story is: one question, one control, numbers, one sentence, one picture."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.drawing import Drawing, drawn
from dpviz.figures.stage.frames import alternative
from dpviz.figures.stage.places import Mark
from dpviz.figures.stage.screen import DESK, Screen
from dpviz.figures.stage.stage import Stage
from dpviz.lessons import course
from dpviz.lessons.staged import Key, Marks, dragging, named, stage_of

Beat = Literal["predict", "reveal", "second"]
MISCONCEPTIONS = {
    "M1": "averages are anonymous",
    "M2": "rounding or leaving out small groups is enough",
    "M3": "an attack needs a hacker, or one answer per person",
    "M4": "more data need more noise",
    "M5": "nothing at all may be learnt",
    "M6": "ε is a probability or a per cent",
    "M7": "noise makes any number of questions safe",
    "M8": "differential privacy hides facts about people in general",
    "M9": "wide bounds, or bounds from the file, are the careful choice",
    "M10": "a private answer is close in value, always",
    "M11": "better answers must cost privacy",
    "M12": "private answers are made up, so useless",
    "M13": "fewer terms, or better nodes, always win",
    "M14": "the server protects",
    "M15": "one row is one person",
    "M16": "the proof covers the program",
    "M17": "δ is a small error",
}

Numbers = TypeVar("Numbers")


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a scene's question; a wrong one names the misconception behind it.

    reason is what is said to somebody who chose it, beside the number of the answer.
    """

    key: str
    text: str
    misconception: str | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        if self.misconception is not None and self.misconception not in MISCONCEPTIONS:
            raise InvalidParameter(f"There is no misconception '{self.misconception}'.")

    @property
    def right(self) -> bool:
        """Whether this is the answer that the picture gives."""
        return self.misconception is None


@dataclass(frozen=True, slots=True)
class Control:
    """The one thing that a scene lets a person move, over fixed stops.

    key is its name in links ("eps", or "at" for anything else); start is where it stands first,
    revealed what the question is about, and so where the answer opens. shown says a stop in words.
    kind is how it is moved: a slider, parts of the picture that are tapped, any number that is
    typed (stops are then examples), or a button that works once. beat is the one that it belongs
    to, where not to all after the question.
    """

    key: Literal["eps", "at"]
    label: str
    stops: tuple[Any, ...]
    start: Any
    shown: Callable[[Any], str]
    revealed: Any = None
    kind: Literal["slider", "taps", "typed", "button"] = "slider"
    beat: Beat | None = None

    def __post_init__(self) -> None:
        if self.revealed is None:
            object.__setattr__(self, "revealed", self.start)
        for one in (self.start, self.revealed):
            if one not in self.stops:
                raise InvalidParameter(f"'{self.label}' has no stop {one!r}.")

    @property
    def staged(self) -> tuple[Any, ...]:
        """The stops that a picture holds beforehand."""
        return self.stops if self.kind in {"slider", "taps"} else (self.revealed,)


@dataclass(frozen=True, slots=True)
class Dragged(Generic[Numbers]):
    """What a person may drag in the picture of an answer, beside the control: it leaves no browser.

    name is that of its mark, a grip; values are where it may stand, first where it stands before
    anybody drags it. numbers(stop, draw, value) gives the record there.
    """

    name: str
    values: tuple[int, ...]
    first: int
    numbers: Callable[[Any, int, int], Numbers]


@dataclass(frozen=True, slots=True)
class Sentences:
    """What a scene says once its picture is seen: a headline, a sentence; both computed.

    Texts are Markdown: :blue[…] is private, :orange[…] a leak, **…** the truth.
    """

    headline: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Second(Generic[Numbers]):
    """The second beat of a scene: what the way on is called, what is said and shown then.

    start is the stop at which it opens; None leaves the control where it is.
    """

    label: str
    say: Callable[[Numbers], Sentences]
    alt: Callable[[Numbers], str]
    start: Any = None


@dataclass(frozen=True, slots=True)
class Scene(Generic[Numbers]):
    """One scene, complete: what is asked, what is computed, what is said and shown.

    name is that of its module, which stands in the course. numbers(stop, draw) gives a frozen
    record by the package alone; ask(numbers) the question in one line and what is given,
    say(numbers) the sentences of the answer, and marks(numbers, beat, screen) what the stage draws,
    for a picture of 1184 × 490 px or, on a phone, of 358 × 420: it says once what there is, and the
    screen places it. A guess is judged by finding(numbers) at the control's revealed stop, which
    about names, wherever the control stands. A scene without options asks nobody: its first beat is
    a card with blanks, which is opened. full is the page that shows the same at full size,
    with the keys of its link. spared(numbers) is what the picture shows of them to somebody who
    answered rightly, where that differs. remark() is what the explanation says in computed numbers,
    drawing what is drawn in place of choosing an option, dragged what may be dragged in the answer,
    term a word of the glossary that it uses, formula what the scene adds to the one formula of its
    story.
    """

    story: Literal["teach", "show", "try"]
    name: str
    title: str
    seconds: int
    goal: str
    question: str
    ask: Callable[[Numbers], Sentences]
    options: tuple[Option, ...]
    about: str
    finding: Callable[[Numbers], str]
    control: Control
    numbers: Callable[[Any, int], Numbers]
    say: Callable[[Numbers], Sentences]
    marks: Callable[[Numbers, Beat, Screen], Sequence[Mark]]
    explanation: str
    full: tuple[str, dict[str, str]]
    teacher: str
    alt: Callable[[Numbers], str]
    exercise: str
    answer: str
    second: Second[Numbers] | None = None
    spared: Callable[[Numbers], Numbers] | None = None
    remark: Callable[[], str] | None = None
    term: str = ""
    formula: str = ""
    drawing: Drawing | None = None
    dragged: Dragged[Numbers] | None = None
    sources: Sequence[str] = field(default=())

    def __post_init__(self) -> None:
        if self.options and [one.right for one in self.options].count(True) != 1:
            raise InvalidParameter(f"Scene '{self.title}' needs exactly one right answer.")
        if len({one.key for one in self.options}) != len(self.options):
            raise InvalidParameter(f"Scene '{self.title}' has two answers of one name.")

    @property
    def number(self) -> int:
        """Its place in its story, from 1 on."""
        return course.number(self.story, self.name)

    @property
    def right(self) -> Option | None:
        """The answer that the picture gives; None where nobody is asked."""
        return next((one for one in self.options if one.right), None)

    def answered(self, guess: str | None) -> bool:
        """Whether a guess is the answer that the picture gives."""
        return self.right is not None and self.option(guess) is self.right

    @property
    def explained(self) -> str:
        """The explanation with its remark."""
        return self.explanation if self.remark is None else f"{self.explanation} {self.remark()}"

    def shuffled(self, room: str = "") -> tuple[Option, ...]:
        """The answers in the order of a room: the same for all in it, another in another scene."""
        seed = f"{room} {self.name}"
        return tuple(
            sorted(
                self.options, key=lambda one: hashlib.sha256(f"{seed} {one.key}".encode()).digest()
            )
        )

    def option(self, guess: str | None) -> Option | None:
        """The option that was chosen, or that a drawn guess comes to; None where it is neither."""
        key = drawn(self.drawing, guess or "") or guess
        return next((one for one in self.options if one.key == key), None)

    def bin(self, guess: str) -> int | None:
        """Where a room counts a guess; None for what is none."""
        values = None if self.drawing is None else self.drawing.read(guess)
        if self.drawing is not None:
            return None if values is None else self.drawing.bin_of(values)
        keys = [one.key for one in self.options]
        return keys.index(guess) if guess in keys else None

    def said(self, guess: str) -> str:
        """What was guessed, and how far a drawn guess is from the truth."""
        if self.drawing is not None and self.drawing.read(guess):
            return self.drawing.gap(guess)
        option = self.option(guess)
        return f"You said “{option.text if option else ''}”."

    def chosen(self, guess: str | None) -> str:
        """The answer in short: the text of an option, or the number that was drawn."""
        values = self.drawing.read(guess or "") if self.drawing is not None else None
        if values and len(values) == 1:
            return f"{values[0]:,.10g}"
        option = self.option(guess)
        return "" if option is None else option.text

    def judged(self, option: Option) -> str:
        """The number at the state that was asked about, computed there, and what is said to it."""
        found = self.finding(self.numbers(self.control.revealed, 1))
        return f"{self.about}: **{found}**. {option.reason}".rstrip()

    def verdict(self, guess: str) -> str:
        """What was guessed, and the number at the state that was asked about."""
        option = self.option(guess)
        return "" if option is None else f"{self.said(guess)} {self.judged(option)}"

    def stage(
        self, stop: Any, beat: Beat, *, draw: int = 1, screen: Screen = DESK, k: float = 1.0,
        only: bool = False, right: bool = False,
    ) -> Stage:  # fmt: skip
        """The picture at a stop and a beat, with all stops that a person may move to from there.

        k makes words larger for the back row. only leaves the other states out, for print. right
        says that the question was answered rightly.
        """
        beats: list[Beat] = ["reveal"] if self.second is None else ["reveal", "second"]
        keys: list[tuple[Any, Beat]] = [(self.control.start, "predict")]
        keys += [(one, name) for name in beats for one in self.control.staged]
        keys += [(stop, beat)] * ((stop, beat) not in keys)
        states: dict[Key, Callable[[], Marks]] = {
            (named(one), name): partial(self._drawn, one, name, draw, screen, right, not only)
            for one, name in keys
        }
        found = stage_of(states, (named(stop), beat), k=k, only=only)
        if self.dragged is None or only:
            return found
        moved = {
            (named(one), name, str(value)): partial(
                self.marks, self.dragged.numbers(one, draw, value), name, screen
            )
            for one, name in keys
            for value in self.dragged.values
        }
        return dragging(found, self.dragged.name, str(self.dragged.first), states, moved)

    def _drawn(
        self, stop: Any, beat: Beat, draw: int, screen: Screen, right: bool, told: bool
    ) -> Sequence[Mark]:
        found = self.numbers(stop, draw)
        if right and self.spared is not None:
            found = self.spared(found)
        said = self.second.alt if beat == "second" and self.second else self.alt
        words = self.question if beat == "predict" else said(found)
        if beat == "predict" and self.drawing is not None:
            return [*self.drawing.marks(screen, told=told), alternative(words)]
        marks = self.marks(found, beat, screen)
        if not told:  # on paper nothing is dragged
            marks = [one | {"still": True} if one["kind"] == "grip" else one for one in marks]
        return [*marks, alternative(words)]


def options(*texts: tuple[str, str | None] | tuple[str, str, str]) -> tuple[Option, ...]:
    """Answers a, b, c … with the misconception of each wrong one, and what is said to it."""
    return tuple(Option(key, *one) for key, one in zip("abcdef", texts, strict=False))
