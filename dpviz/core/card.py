"""What a method says of itself: the card that pickers, tables and the Methods page read."""

from dataclasses import dataclass

from dpviz.core.errors import InvalidParameter

BOTH = "add/remove one record, replace one record"
# what stands in where a card leaves a text out, in this order
STANDS_IN = {
    "label": "title",
    "words": "label",
    "brief": "words",
    "lead": "summary",
    "price": "cost",
    "use": "good_for",
}
# what a method can promise, as it is called on a card
PROMISES = {
    "pure": "pure ε",
    "zcdp": "ρ-zCDP",
    "approx": "(ε, δ)",
    "range": "bounded range",
    "free": "no budget",
    "same": "that of its release",
    "none": "none",
}
EITHER_TOTAL = f"{BOTH}; a public N means replace one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One method in words. Texts may use Markdown with LaTeX between dollar signs.

    key is the name in the code, title the name in headings, label the short name in pictures and
    pickers (the title by default), words the name for readers who know no method, brief the same
    where room is scarce, way how something is published by it ("drawn one by one"). hue is the name
    of the method's colour in pictures, with its own dash and symbol if it has them ("blue", "blue
    dot circle-open"); without one a method gets a free colour. Nothing here depends on data.

    lead is the one plain sentence of a card, promises are keys of PROMISES, price and use say in a
    few words what the method costs and what to use it for; summary, cost and good_for stand in.

    used says in a report what decided the law of a release, with parameters of it in braces, {all}
    and {share} where it asked for several quantiles; miniature is how the Methods page draws one.
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
    brief: str = ""
    way: str = ""
    lead: str = ""
    promises: tuple[str, ...] = ()
    price: str = ""
    use: str = ""
    role: str = "mechanism"
    hue: str = ""
    holds: str = "up to rounding"
    used: tuple[str, ...] = ()
    miniature: str = "line"

    def __post_init__(self) -> None:
        for name, other in STANDS_IN.items():
            object.__setattr__(self, name, getattr(self, name) or getattr(self, other))
        object.__setattr__(self, "way", self.way or f"by {self.label}")
        if unknown := set(self.promises) - set(PROMISES):
            raise InvalidParameter(
                f"{self.key} promises {', '.join(sorted(unknown))}: no such word."
            )

    @property
    def shown(self) -> "Shown":
        """How the method is named and coloured in pictures."""
        return Shown(self.key, self.label, self.hue)


@dataclass(frozen=True, slots=True)
class Shown:
    """How a method is named and coloured in pictures: its key there, its label, its hue."""

    key: str
    label: str
    hue: str
