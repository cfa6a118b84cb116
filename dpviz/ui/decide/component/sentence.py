"""The sentence as one component of native controls: Python says the words, the browser sets them.

All words travel together, so that two quick changes both arrive. What the browser tells is text
that the rows of the page read, as they read a link: nothing of it is taken on trust.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dpviz.answers.markup import unmarked

HERE = Path(__file__).parent
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
    """A word that is a number from least to most, with stops for the arrow keys; it may be empty."""

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
    says of a word why it cannot be. spoken is the answer for who does not see it, lead stands before it. A sentence that is
    not live has no controls: it was published, or it stands above a tab. under is a line below it,
    in Markdown of bold words alone; a small sentence is written as that line is. door is a word of
    its texts that leads elsewhere, and then the way that was clicked. note: the answer says why there
    is none. near are other things to ask for; the one that is clicked is the way.
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
        return f"{float(value):,.10g}".replace("-", "−") if value else "–"


@cache
def _component(kind: str) -> Any:
    """The sentence as the heading of its page (h1), or as a line (p)."""
    return st.components.v2.component(
        f"dpviz_sentence_{kind}",
        html=HTML.format(kind),
        css=(HERE / "sentence.css").read_text(encoding="utf-8"),
        js=(HERE / "sentence.js").read_text(encoding="utf-8"),
        isolate_styles=False,  # the heading of the page is one of the document
    )


def sentence(
    key: str,
    said: Sentence,
    on_words: Callable[[Mapping[str, str], str], None],
    *,
    present: bool = False,
    ways: Mapping[str, Any] | None = None,
    on_near: Callable[[str], None] = lambda _: None,
) -> Any:
    """Draw it, and the row of ways below it; returns the name of the way that was clicked.

    on_words gets the texts of the words that changed, and the name of the last one; on_near what
    was clicked of the other things to ask for.
    """
    held: dict[str, Any] = st.session_state.setdefault(f"_held_{key}", {"turn": 0, "agreed": None})
    names = [part.name for part in said.parts if isinstance(part, Choice | Amount)]
    values = {name: said.values.get(name, "") for name in names}
    if held["agreed"] != values:  # somebody else than the sentence has changed a value
        held["agreed"], held["sent"], held["turn"] = values, values, held["turn"] + 1

    def told() -> None:
        found = heard((st.session_state.get(key) or {}).get("words"), held["turn"], names)
        if found is None:
            return
        words, touched = found
        changed = {name: text for name, text in words.items() if text != held["agreed"].get(name)}
        if touched in words:
            changed.setdefault(touched, words[touched])
        held["agreed"] = {**held["agreed"], **changed}
        on_words(changed, touched)

    def went() -> None:
        way = (st.session_state.get(key) or {}).get("way")
        if way is not None and way in said.near:
            on_near(way)

    data = payload(said, held["sent"], held["turn"], present=present, ways=ways)
    found = _component("p" if said.small else "h1")(
        key=key, data=data, on_words_change=told, on_way_change=went
    )
    return found.way


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


def heard(message: object, turn: int, names: Sequence[str]) -> tuple[dict[str, str], str] | None:
    """The words that the browser tells of a turn, and which was set last; None for anything else."""
    if not isinstance(message, dict) or message.get("turn") != turn:
        return None
    touched, values = message.get("touched"), message.get("values")
    if touched not in names or not isinstance(values, dict):
        return None
    return {name: str(values[name]) for name in names if name in values}, str(touched)
