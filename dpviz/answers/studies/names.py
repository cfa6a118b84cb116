"""How studies speak: methods and questions in words, shares in words."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dpviz import catalogue
from dpviz.answers.said import plain, private
from dpviz.core.quantiles import QuantileSet
from dpviz.intake.samples import ANYBODY, Noun

Tree = tuple[int | None, int | None]  # fanout and height of AggTree, None where it chooses

USUAL = 0.95  # of the releases must reach a target, unless somebody says otherwise
TREE: Tree = (None, None)
OFTEN = {0.5: "half of the", 0.8: "4 of 5", 0.9: "9 of 10", 0.95: "19 of 20", 0.99: "99 of 100"}


@dataclass(frozen=True, slots=True)
class Method:
    """A mechanism in words: its name, and how something is published by it."""

    name: str
    way: str


ASKED = {
    "median": "the median",
    "quartiles": "three quartiles",
    "deciles": "nine deciles",
    "percentiles": "99 percentiles",
}


@dataclass(frozen=True, slots=True)
class StudyNames:
    """What is published, what it is computed on, and what its people and values are called.

    why says why a stand-in is computed on, and is empty for a sample itself.
    """

    what: str
    title: str
    people: Noun = field(default=ANYBODY.people)
    unit: Noun = field(default=ANYBODY.unit)
    why: str = ""
    is_stand_in: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence around one published number, or without one; its parts are plain text."""

    before: str
    number: str = ""
    after: str = ""

    @property
    def marked(self) -> str:
        """As Markdown, the number in blue."""
        number = private(self.number) if self.number else ""
        return f"{plain(self.before)}{number}{plain(self.after)}"

    @property
    def bare(self) -> str:
        """As a picture's alternative text."""
        return f"{self.before}{self.number}{self.after}"


def method(key: str) -> Method:
    """A mechanism in words, or a key of none as it is."""
    cards = {kind.name: kind.card for kind in catalogue.QUANTILES}
    return Method(cards[key].brief, cards[key].way) if key in cards else Method(key, f"by {key}")


def names(keys: Sequence[str]) -> dict[str, str]:
    """What mechanisms are called in pictures, in this order."""
    return {key: method(key).name for key in keys}


def asked(question: str, quantiles: QuantileSet) -> str:
    """What is published, in words."""
    if question in ASKED:
        return ASKED[question]
    if quantiles.distinct.tolist() == [0.5]:
        return ASKED["median"]
    return f"{quantiles.count} quantiles" if quantiles.count > 1 else "one quantile"


def target_text(percent: float) -> str:
    """The accuracy that is wanted: a share of the places in the ranking, never a bare share."""
    return f"{percent:.3g} % of the places"


def often_text(probability: float) -> str:
    """A share of releases as people say it."""
    return OFTEN.get(probability, f"{100 * probability:g} % of the")


def chips(metric: str, usual: str, probability: float = USUAL, tree: Tree = TREE) -> list[str]:
    """Settings that are not as at first; usual is the view's own error."""
    found = [] if metric == usual else [metric]
    if probability != USUAL:
        found.append(often_text(probability))
    if tree != TREE:
        found.append("tree " + " ^ ".join("auto" if one is None else f"{one}" for one in tree))
    return found
