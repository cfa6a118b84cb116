"""The families of methods, a row each: which cards, where to start, and how many there are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dpviz import catalogue
from dpviz.core.card import Card
from dpviz.experiments.papers.stored.findings import word

SEEN = "Every picture is drawn from real releases; blue is published, black the truth"
MARKS = f"{SEEN}, pale hills are other draws."


@dataclass(frozen=True, slots=True)
class Family:
    """One family: its cards, the one to start with, its headline and its second line.

    counted says which cards are ways of the kind that the headline counts; others stand besides.
    headline has the number and the recommendation in braces, second how many stand besides, and how
    many of these are not private.
    """

    title: str
    cards: Callable[[], Sequence[Card]]
    start: str
    headline: str
    second: str
    counted: Callable[[Card], bool] = lambda _: True

    def sentence(self, start: str | None = None) -> str:
        """The headline: how many there are, and which to start with; start is another than usual."""
        cards = self.cards()
        number = sum(self.counted(card) for card in cards)
        best = next(card.words for card in cards if card.key == (start or self.start))
        return self.headline.format(number=word(number).capitalize(), start=f"**{best}**")

    def below(self) -> str:
        """The second line, which says what the headline does not count."""
        besides = [card for card in self.cards() if not self.counted(card)]
        open_ones = sum("none" in card.promises for card in besides)
        return self.second.format(besides=word(len(besides)), open=word(open_ones))


def _of(*keys: str) -> Callable[[], Sequence[Card]]:
    """Cards of the catalogue by their family, those of keys first."""
    return lambda: sorted(
        (card for card in catalogue.cards() if card.family in keys or card.key in keys),
        key=lambda card: keys.index(card.family if card.family in keys else card.key),
    )


def _medians() -> list[Card]:
    return list(dict.fromkeys(row.card for row in catalogue.MEDIANS))


def _maps() -> list[Card]:
    others = {card.key for card in _medians()}
    found = [card for card in catalogue.cards() if card.family == "Maps" and card.key not in others]
    last = ("match_records", "KdTrue", "KdPure")
    return sorted(found, key=lambda card: last.index(card.key) + 1 if card.key in last else 0)


FAMILIES = (
    Family(
        "Quantiles",
        _of("Quantiles", "Building blocks"),
        catalogue.QUANTILES[0].name,
        "{number} ways to publish quantiles. Start with {start}.",
        f"{MARKS} The last {{besides}} cards check a release, look for bounds, or are a step of a way.",
        lambda card: card.family == "Quantiles",
    ),
    Family(
        "Trees",
        _of("Trees"),
        "CountTree",
        "One tree of counts answers every range and every quantile. Start with the {start}.",
        f"{SEEN}. How its levels are combined stands under Estimators.",
    ),
    Family(
        "Maps",
        _maps,
        "Quadtree",
        "{number} ways to publish a map. Start with the {start}.",
        f"{SEEN}. Of the last {{besides}} cards {{open}} are references and not private; matching is a "
        "use of a map.",
        lambda card: card.role == "mechanism",
    ),
    Family(
        "Medians",
        _medians,
        "ExponentialMedian",
        "{number} private medians, for the cuts of a map. Start with the {start}.",
        f"{MARKS} Each hill is 400 draws for 4,000 people at ε = 0.1.",
    ),
    Family(
        "Sums",
        _of("Sums"),
        "NoisySum",
        "{number} ways to publish amounts. Start with the {start}, and with public bounds.",
        f"{MARKS} A median needs no tight bound.",
    ),
    Family(
        "Estimators",
        _of("Estimators"),
        "efficient",
        "{number} ways to read more out of a release, at no cost. Start with {start}.",
        f"{SEEN}; grey is what a count says alone.",
    ),
)
BY_TITLE = {family.title: family for family in FAMILIES}
