"""The sentences of Decide as a browser holds them, for tests without one: words can be set."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from dpviz.figures.decide.sentence import Amount, Choice, Sentence
from dpviz.ui.bench import ledger
from dpviz.ui.decide import answer, inside, stand_ins
from dpviz.ui.decide.component.sentence import sentence as mounted


@dataclass
class Drawn:
    """A sentence of the last run, what can be clicked in it, and what it calls then."""

    said: Sentence
    ways: list[str]
    on_words: Callable[..., None]
    on_near: Callable[..., None]

    @property
    def words(self) -> list[Choice | Amount]:
        """The words that can be set."""
        parts = self.said.parts if self.said.live else ()
        return [one for one in parts if isinstance(one, Choice | Amount)]


class Sentences:
    """The sentences of the last run, by their keys; what is set is told to the next run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn: dict[str, Drawn] = {}
        self.waits: Callable[[], None] = lambda: None
        self.way = "", ""
        begin = ledger.begin
        monkeypatch.setattr(ledger, "begin", lambda: (self._called(), begin()))
        for module in (answer, inside, stand_ins):
            monkeypatch.setattr(module, "sentence", self._drawn)

    def set(self, key: str, name: str, text: str) -> tuple[str, Any]:
        """Set a word of a sentence."""
        on_words = self.drawn[key].on_words
        self.waits = lambda: on_words({name: text}, name)
        return key, (name, text)

    def ask(self, key: str, near: str) -> tuple[str, Any]:
        """Click on another thing to ask for."""
        on_near = self.drawn[key].on_near
        self.waits = lambda: on_near(near)
        return key, near

    def click(self, key: str, way: str) -> tuple[str, Any]:
        """Click on a way."""
        self.way = key, way
        return key, way

    def _called(self) -> None:
        """At the start of a run, when callbacks are called."""
        waits, self.waits, self.drawn = self.waits, lambda: None, {}
        waits()

    def _drawn(self, key: str, said: Sentence, on_words: Any, **more: Any) -> Any:
        """In place of the component: as it, and with the way that was clicked."""
        row = more.get("ways") or {}
        ways = [*row.get("names", ()), *row.get("parts", ()), *filter(None, [said.door])]
        self.drawn[key] = Drawn(said, ways, on_words, more.get("on_near", lambda _: None))
        told = mounted(key, said, on_words, **more)
        clicked, self.way = self.way, ("", "")
        return clicked[1] if clicked[0] == key else told
