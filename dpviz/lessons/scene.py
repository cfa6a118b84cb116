"""What a scene of a story is: one question, one control, numbers, one sentence, one picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from dpviz.core.errors import InvalidParameter

State = Literal["predict", "reveal", "second"]
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
}

Numbers = TypeVar("Numbers")


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a scene's question; a wrong one names the misconception behind it."""

    key: str
    text: str
    misconception: str | None = None

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
    revealed where a link with a guess opens. shown says a stop in words.
    """

    key: Literal["eps", "at"]
    label: str
    stops: tuple[Any, ...]
    start: Any
    shown: Callable[[Any], str]
    revealed: Any = None

    def __post_init__(self) -> None:
        if self.revealed is None:
            object.__setattr__(self, "revealed", self.start)
        for one in (self.start, self.revealed):
            if one not in self.stops:
                raise InvalidParameter(f"'{self.label}' has no stop {one!r}.")


@dataclass(frozen=True, slots=True)
class Sentences:
    """What a scene says once its picture is seen: a headline, a sentence; both computed.

    Texts are Markdown: :blue[…] is private, :orange[…] a leak, **…** the truth.
    """

    headline: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Scene(Generic[Numbers]):
    """One scene, complete: what is asked, what is computed, what is said and shown.

    numbers(stop, draw) gives a frozen record by the package alone; say(numbers) its sentences.
    full is the page that shows the same at full size, with the keys of its link.
    """

    story: Literal["teach", "show", "try"]
    number: int
    title: str
    seconds: int
    goal: str
    question: str
    options: tuple[Option, ...]
    control: Control
    numbers: Callable[[Any, int], Numbers]
    say: Callable[[Numbers], Sentences]
    explanation: str
    full: tuple[str, dict[str, str]]
    teacher: str
    alt: Callable[[Numbers], str]
    exercise: str
    answer: str
    sources: Sequence[str] = field(default=())

    def __post_init__(self) -> None:
        if [one.right for one in self.options].count(True) != 1:
            raise InvalidParameter(f"Scene '{self.title}' needs exactly one right answer.")
        if len({one.key for one in self.options}) != len(self.options):
            raise InvalidParameter(f"Scene '{self.title}' has two answers of one name.")

    @property
    def right(self) -> Option:
        """The answer that the picture gives."""
        return next(one for one in self.options if one.right)


def options(*texts: tuple[str, str | None]) -> tuple[Option, ...]:
    """Answers a, b, c … with the misconception of each wrong one."""
    return tuple(Option(key, *one) for key, one in zip("abcdef", texts, strict=False))
