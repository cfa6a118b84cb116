"""What a method says of itself: the card that pickers, tables and the Methods page read."""

from __future__ import annotations

from dataclasses import dataclass

BOTH = "add/remove one record, replace one record"
EITHER_TOTAL = f"{BOTH}; a public N means replace one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One method in words. Texts may use Markdown with LaTeX between dollar signs.

    key is the name in the code, title the name in headings, label the short name in pictures and
    pickers (the title by default), words the name for readers who know no method. hue is the name
    of the method's colour in pictures, with its own dash and symbol if it has them ("blue",
    "blue dot circle-open"); without one a method gets a free colour. Nothing here depends on data.
    """

    key: str
    title: str
    family: str
    summary: str
    guarantee: str
    neighbours: str
    cost: str
    good_for: str
    watch_out: str
    source: str
    label: str = ""
    words: str = ""
    role: str = "mechanism"
    hue: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.title)
        object.__setattr__(self, "words", self.words or self.label)

    @property
    def shown(self) -> Shown:
        """How the method is named and coloured in pictures."""
        return Shown(self.key, self.label, self.hue)


@dataclass(frozen=True, slots=True)
class Shown:
    """How a method is named and coloured in pictures: its key there, its label, its hue."""

    key: str
    label: str
    hue: str
