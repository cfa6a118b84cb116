"""Decide without a server: every answer at the stops of its words, by the app's own functions.

Of the samples alone, as they are declared, in pure ε and add/remove. What the app would check it
says with "about", as the app does before it has checked.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Any

from dpviz import catalogue
from dpviz.answers.decide import price_said, quantiles
from dpviz.answers.decide.exact import cells, count, curve, histogram, running
from dpviz.answers.decide.exact.frame import in_unit
from dpviz.answers.decide.needs import (
    KIND_OF_SAMPLE,
    PEOPLE,
    PLACES,
    SHARE,
    UNIT,
    VALUE,
    NeedNames,
    first_need,
    unit_word,
    units_of,
)
from dpviz.answers.decide.price import Need, Price, bought, price
from dpviz.answers.decide.sentences import (
    CELLS,
    COUNT,
    CURVE,
    HISTOGRAM,
    NEED,
    OFFERS,
    QUANTILES,
    RUNNING,
    SETS,
    WHAT,
    form_of,
)
from dpviz.answers.number_text import lowered
from dpviz.answers.said import unmarked
from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import QuantileSet
from dpviz.figures.decide.sentence import STOPS
from dpviz.intake.samples import Sample, samples

ASKED = tuple(what for what, (_, form) in WHAT.items() if form != OFFERS and what != "own")
SURES = (0.95, 0.99)  # how often a need is kept
SIZES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
AMOUNTS = {
    VALUE: (0.5, 1, 2, 5, 10, 20),
    SHARE: (0.1, 0.2, 0.5, 1, 2, 5, 10),
    PEOPLE: (2, 5, 10, 20, 50, 100, 200, 500),
}
FINEST, COARSEST = 1 / 500, 1 / 5  # of the width between the bounds: needs in the column's unit
LEAST_OFF = 1e-3  # of what a budget keeps: less is nothing in any unit
FEW = 1 / 4  # of the people: no need is more
SIDE = 64
# what else a form asks: its options, and the one that it begins with
MORE: dict[str, tuple[str, tuple[int, ...], int]] = {
    HISTOGRAM: ("bins", (10, 25, 50), 25),
    CELLS: ("block", (8, 16, 32), 16),
    RUNNING: ("periods", (12, 100, 365), 100),
}
RAIL, PHONE = 1_110, 320  # px
PURE = PureDP(1.0)
RANGE = "Without a server this page knows {}; the app takes any number."
NOUN = "%unit"  # in place of what a number is of
LAWS = "decide_laws.json"
STORED = (CURVE, CELLS, RUNNING)
VERSION = "dpviz"  # in that file: of the package that wrote the laws


@dataclass(frozen=True, slots=True)
class Asked:
    """A sentence but for its need: more is the option of MORE, 0 where the form has none."""

    what: str
    sample: Sample
    more: int = 0

    @property
    def form(self) -> str:
        """What kind of answer it is."""
        return form_of(self.what)

    @property
    def names(self) -> NeedNames:
        """How the sentence speaks of its sample."""
        words = self.sample.words
        return NeedNames(lowered(self.sample.title), words.unit, words.people)

    @property
    def low(self) -> float:
        """The lower bound."""
        return self.sample.bounds[0].low

    @property
    def units(self) -> list[str]:
        """What a need may be of; places are people's shares again, which the app tells apart."""
        return [one for one in units_of(self.form, self.low) if one != PLACES]

    def first(self, unit: str = "") -> Need:
        """The need that the app begins with."""
        kind = KIND_OF_SAMPLE.get(self.sample.key, "other")
        return first_need(self.form, kind, self.low, unit, self.sample.about)

    def question(self) -> Any:
        """What is priced."""
        one, people = self.sample, self.sample.about
        if self.form == QUANTILES:
            source = quantiles.Sampled(one.key, one.bounds[0], one.resolution)
            return quantiles.question(QuantileSet.of(SETS[self.what]), people, source, PURE)
        if self.form == COUNT:
            return count.CountQuestion(PURE, above=self.over, people=people)
        if self.form == HISTOGRAM:
            return histogram.HistogramQuestion(
                budget=PURE, bounds=one.bounds[0], bins=self.more, people=people
            )
        if self.form == CURVE:
            return curve.CurveQuestion(PURE, one.bounds[0], one.resolution, people=people)
        if self.form == RUNNING:
            return running.RunningQuestion(PURE, one.bounds[0], self.more, people=people)
        return cells.CellsQuestion(PURE, one.box, SIDE, self.more, people=people)

    @property
    def over(self) -> float:
        """What is counted begins in the middle of the bounds."""
        ends = self.sample.bounds[0]
        return (ends.low + ends.high) / 2

    def amounts(self, unit: str) -> list[float]:
        """Stops of a need, with the one that the app begins with."""
        one = self.sample
        if unit == UNIT:
            width = one.bounds[0].width
            least = max(one.resolution / 2, FINEST * width)
            found = [stop for stop in STOPS if least <= stop <= COARSEST * width]
        else:
            most = FEW * one.about if unit == PEOPLE else 100.0
            found = [float(stop) for stop in AMOUNTS[unit] if stop <= most]
        first = self.first(unit).amount
        return sorted({*found, first} if unit != PEOPLE or first <= one.about else {*found})


@dataclass(frozen=True, slots=True)
class Kept:
    """An exact form whose errors are worked out once, in people: they hang on no sample."""

    form: Any
    people: int
    known: dict[tuple[str, float, float], float]

    @property
    def budget(self) -> PureDP:
        """As price.Form says."""
        return PURE

    @property
    def ways(self) -> tuple[str, ...]:
        """As price.Form says."""
        found: tuple[str, ...] = self.form.ways
        return found

    def off(self, way: str, size: float, need: Need) -> float:
        """As price.Form says."""
        key = way, size, need.sure
        if key not in self.known:
            self.known[key] = self.form.off(way, size, replace(need, unit=PEOPLE))
        return in_unit(self.known[key], need, self.people)


def stored() -> dict[str, dict[tuple[str, float, float], float]]:
    """Errors in people of the forms that would take a minute, by the law that they belong to.

    Written by scripts.decide_laws.
    """
    kept = json.loads(files(__package__).joinpath(LAWS).read_text(encoding="utf-8"))
    del kept[VERSION]
    return {
        law: {
            (way, float(size), float(sure)): off
            for way, sures in ways.items()
            for sure, offs in sures.items()
            for size, off in offs.items()
        }
        for law, ways in kept.items()
    }


@dataclass(frozen=True, slots=True)
class Answers:
    """Everything that sentences of one kind are answered by; laws are shared by all samples."""

    laws: dict[str, dict[tuple[str, float, float], float]] = field(default_factory=stored)

    def form(self, asked: Asked) -> Any:
        """The form of a sentence, which remembers what it has worked out."""
        found = asked.question()
        if asked.form == QUANTILES:
            return found
        law = f"{asked.form} {asked.more or getattr(found, 'parts', 0)}"
        return Kept(found, asked.sample.about, self.laws.setdefault(law, {}))


def answered(asked: Asked, form: Any, need: Need, size: float | None) -> Price | None:
    """What a need takes, or with a size what that buys; None for a need that cannot be asked."""
    if asked.form != QUANTILES:
        return price(form, need) if size is None else bought(form, size, need)
    if size is None and quantiles.refused(need, form.source, form.quantiles):
        return None
    return quantiles.first(form, need, size)


def told(asked: Asked, found: Price) -> dict[str, Any]:
    """What the sentence says with this answer."""
    ending = price_said.answer(found, PURE.symbol, (), "", asked.names)
    spoken = ending.spoken
    if found.is_given and found.off is not None:  # its noun is the sample's
        off = price_said.rounded_off(found.off, found.need.unit)
        spoken = spoken.removesuffix(unit_word(found.need.unit, asked.names, off)) + NOUN
    return {
        "answer": ending.text,
        "spoken": spoken,
        "lead": ending.lead,
        "computed": dict(ending.computed),
        "note": ending.is_note,
        "size": "" if found.size is None else f"{found.size:.10g}",
        "rail": state_of(found),
    }


def under(asked: Asked, form: Any, found: Price) -> str:
    """The line below the sentence, in Markdown of bold words alone."""
    if found.size is None:
        return ""
    said = price_said.method(found, method_words(asked, form), basis(asked, form, found))
    return "**".join(map(unmarked, said.split("**")))


def method_words(asked: Asked, form: Any) -> Any:
    """How the form's methods are called behind "by a"."""
    if asked.form == QUANTILES:
        return {kind.name: kind.card.words for kind in catalogue.QUANTILES}.__getitem__
    return form.form.words


def basis(asked: Asked, form: Any, found: Price) -> str:
    """What the answer is reckoned on."""
    if asked.form != QUANTILES:
        return price_said.NO_STAND_IN
    places = quantiles.in_places(form, found)
    return price_said.ranked(price_said.ON_SAMPLE, places, asked.sample.about)


def state_of(found: Price) -> str:
    """Which words stand on the rail beside its number."""
    return f"{'budget' if found.is_given else 'least'}{' about' if found.is_about else ''}"


def sentences() -> Iterator[Asked]:
    """Every sentence but for its need."""
    for what in ASKED:
        form = form_of(what)
        for one in samples():
            if (len(one.columns) > 1) is (form == CELLS):
                for more in MORE[form][1] if form in MORE else (0,):
                    yield Asked(what, one, more)


def prices(
    asked: Asked, form: Any, unit: str, sure: float, given: str
) -> Iterator[tuple[float, Price]]:
    """Every stop of a need or of a budget, and the answer; those that say nothing are left out."""
    is_need = given == NEED
    for stop in asked.amounts(unit) if is_need else SIZES:
        need = Need(stop if is_need else 0.0, unit, sure)
        found = answered(asked, form, need, None if is_need else stop)
        if found is None:
            continue
        says_nothing = found.is_about if found.size is None else not is_near(found)
        if not says_nothing:
            yield stop, found


def is_near(found: Price) -> bool:
    """Whether a need that a budget keeps is one that anybody could ask for."""
    return not found.is_given or LEAST_OFF <= (found.off or 0.0) < math.inf
