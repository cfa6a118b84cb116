"""The sentence as data: texts, and words that are native controls; sentence.js draws it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from dpviz.answers.number_text import in_digits
from dpviz.answers.said import unmarked

HTML = (
    "<{0} class='sentence'></{0}><p class='sentence_under'></p>"
    "<p class='sentence_near' hidden></p>"
    "<nav class='sentence_ways' aria-label='Look inside' hidden><div></div><div></div>"
    "<label>Look inside:<select></select></label></nav>"
)
STOPS = tuple(float(f"{head}e{power}") for power in range(-3, 8) for head in (1, 2, 5))


@dataclass(frozen=True, slots=True)
class Choice:
    """A word that is one of some options: pairs of a value and its text, or with a heading.

    says names it to who does not see it; joined keeps it on the line of the word before.
    """

    name: str
    says: str
    options: Sequence[Sequence[str]]
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Amount:
    """A word that is a number from least to most, with stops for arrow keys; it may be empty."""

    name: str
    says: str
    least: float
    most: float
    refuses: str
    joined: bool = False
    stops: Sequence[float] = STOPS
    empties: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """Where the computed words stand."""

    joined: bool = False
    answer: bool = True


@dataclass(frozen=True, slots=True)
class Lead:
    """Where the words stand that lead to the computed ones."""

    joined: bool = False
    lead: bool = True


Part = str | Choice | Amount | Answer | Lead


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the sentence says now.

    values are the texts of its words; computed those of numbers that follow from the others; wrong
    says of a word why it cannot be. spoken is the answer for who does not see it, lead stands
    before it. A sentence that is not live has no controls: it was published, or it stands above a
    tab. under is a line below it, in Markdown of bold words alone; a small sentence is written as
    that line is. door is a word of its texts that leads elsewhere, and then the way that was
    clicked. note: the answer says why there is none. near are other things to ask for; the one
    that is clicked is the way.
    """

    parts: Sequence[Part]
    values: Mapping[str, str]
    answer: str = ""
    computed: Mapping[str, str] = field(default_factory=dict)
    wrong: Mapping[str, str] = field(default_factory=dict)
    live: bool = True
    spoken: str = ""
    lead: str = ""
    under: str = ""
    small: bool = False
    door: str = ""
    note: bool = False
    near: Sequence[str] = ()

    def text(self) -> str:
        """As it reads."""
        found = ""
        for part in self.parts:
            if isinstance(part, str):
                found += part
                continue
            if isinstance(part, Answer | Lead):
                word = self.answer if isinstance(part, Answer) else self.lead
            else:
                word = self._word(part)
            found += f"\N{NO-BREAK SPACE}{word}" if part.joined else word
        return found

    def _word(self, part: Choice | Amount) -> str:
        value = self.computed.get(part.name, self.values.get(part.name, ""))
        if isinstance(part, Choice):
            return {one[0]: one[1] for one in part.options}.get(value, value)
        return in_digits(float(value)) if value else "–"


def payload(
    said: Sentence,
    values: Mapping[str, str],
    turn: int,
    *,
    present: bool = False,
    ways: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """All that is sent: the values are those of the last turn while a person sets words."""
    changed = {"values": dict(values), "under": bold_parts(said.under)}
    return asdict(said) | changed | {"turn": turn, "present": present, "ways": ways}


def bold_parts(text: str) -> list[list[Any]]:
    """Texts, and whether each is bold, of Markdown that knows bold words alone."""
    parts = [unmarked(part) for part in text.split("**")]
    return [[part, bool(at % 2)] for at, part in enumerate(parts) if part]


@cache
def script() -> str:
    """What draws a sentence and tells of its words, as a module that exports sentenceIn."""
    return files(__package__).joinpath("sentence.js").read_text(encoding="utf-8")


@cache
def style() -> str:
    """How a sentence looks, as CSS."""
    return files(__package__).joinpath("sentence.css").read_text(encoding="utf-8")
