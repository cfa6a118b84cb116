"""What the sentence asks now, and everything that follows from it: price, words, pictures, release."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import streamlit as st

from dpviz.answers.decide import offers as offers_said
from dpviz.answers.decide import price_said, sentences, tank
from dpviz.answers.decide.offers import Line as Offer
from dpviz.answers.decide.price import LEAST, MOST, Need, Price, Way
from dpviz.answers.decide.sentences import BUDGET, CELLS, COUNT, NEED, OFFERS, QUANTILES
from dpviz.answers.said import Line
from dpviz.core.budgets import Budget
from dpviz.core.errors import DpvizError
from dpviz.ui.bench import tanks
from dpviz.ui.decide import checking, offers, quantiles, together, topics, words
from dpviz.ui.decide.final import Final
from dpviz.ui.decide.quantiles import QuantilesTopic
from dpviz.ui.decide.together import Together
from dpviz.ui.decide.topics import Shown, Topic
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.visit.page import Visit

NEEDS = {**topics.NEEDS, OFFERS: topics.NEEDS[QUANTILES]}
OFFER_BASIS = {
    False: "Computed on the sample: it is public.",
    True: "Reckoned on made-up values, never on your file.",
}
TOPICS: dict[str, Callable[[Values, Visit], Topic | QuantilesTopic | Together]] = {
    **topics.TOPICS,
    QUANTILES: together.topic,
}
ASKING = "_decide_asking"  # the release that a visitor has left to ask for something else
PLACE = "place"  # what a person has on a map
FEWER = {"percentiles": "deciles", "deciles": "quartiles", "quartiles": "median"}
NOTHING = Line("Nothing to show yet."), Line("The picture comes with the answer.")
NO_BUDGET = Line("No budget keeps that."), Line("What comes nearest stands below the sentence.")
MISSING = {"low": "bounds", "high": "bounds", "size": "people"}


@dataclass(eq=False)
class Decision:
    """The sentence as it stands; price is None while a word is missing or cannot be.

    for_any is the answer for FOR_ANY people, where their number alone is missing.
    """

    now: Visit
    values: Values
    missing: tuple[str, ...] = ()
    wrong: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    topic: Topic | QuantilesTopic | Together | None = None
    price: Price | None = None
    for_any: Price | None = None
    offered: Sequence[Offer] | None = None

    @property
    def symbol(self) -> str:
        """Of the budget."""
        return self.now.budget.symbol

    @property
    def value_word(self) -> str:
        """What a value is called: untrusted text."""
        is_map = sentences.form_of(self.values["what"]) == CELLS
        return PLACE if is_map else words.column_name()

    @property
    def budget(self) -> Budget | None:
        """What the release would spend."""
        if self.offered is not None:
            return self.now.budget
        size = None if self.price is None else self.price.size
        return None if size is None else self.now.budget.resized(size)

    @property
    def on_rail(self) -> Price | None:
        """What stands on the rail: the answer, or the budget that is looked at."""
        if self.offered is None:
            return self.price
        size = self.now.budget.size
        return Price((Way("", size),), Need(0.0, "", 0.0), size, None, is_given=True)

    @property
    def spread(self) -> tuple[float, float] | None:
        """The answers for two other shapes of a stand-in."""
        if self.topic is None or self.price is None or self.price.is_given:
            return None
        return self.topic.spread(self.price)

    @cached_property
    def tank(self) -> tank.TankNumbers:
        """Where the people of the data in use stand."""
        balance = tanks.balance(tanks.payer()).total
        spent = balance.rho if self.symbol == "ρ" else balance.epsilon
        takes = None  # what was released is shown again for nothing
        if self.budget is not None and (self.final is None or self.final.released is None):
            takes = self.budget.size
        return tank.answer(tanks.promise(), spent, takes, is_rehearsal=not session.is_upload())

    @cached_property
    def final(self) -> Final | None:
        """What the button would release."""
        if self.topic is None or self.price is None or self.price.size is None:
            return None
        return self.topic.final(self.price)

    @cached_property
    def released(self) -> Any | None:
        """What this sentence has released, while the page shows it."""
        if self.final is None or st.session_state.get(ASKING) == self.final.key:
            return None
        return self.final.released

    @property
    def is_open(self) -> bool:
        """Whether the answer is still to be checked."""
        return self.unchecked is not None

    @property
    def unchecked(self) -> Price | None:
        """The answer that is still to be checked, if there is one."""
        found = self.price or self.for_any
        if self.topic is None or found is None or not found.is_about:
            return None
        return None if self.topic.is_checked(found) else found

    @property
    def is_made_up(self) -> bool:
        """Whether the answer hangs on made-up people in place of a file's, or bounds are missing."""
        form = sentences.form_of(self.values["what"])
        asks = form == QUANTILES or "bounds" in self.missing
        return session.is_upload() and self.released is None and asks

    @property
    def count(self) -> int:
        """How many numbers are promised at once."""
        return 1 if self.topic is None else self.topic.count

    @property
    def subject(self) -> str:
        """What is published, in words: "nine deciles of salary"."""
        what = sentences.WHAT[self.values["what"]][0]
        return f"{what} of {self.columns}"

    @property
    def columns(self) -> str:
        """What is published of: a column, or several by name: untrusted text."""
        if not isinstance(self.topic, Together):
            return self.value_word
        *first, last = self.topic.columns
        return f"{', '.join(first)} and {last}"

    def words(self) -> dict[str, Any]:
        """What the sentence says besides its words."""
        found: dict[str, Any] = {"wrong": dict(self.wrong), "live": True}
        names = words.names_of_needs()
        if self.offered is not None:
            found["answer"] = found["spoken"] = offers_said.headline(self.offered)
            return found
        if self.released is not None:
            assert self.price is not None
            spent = price_said.spent(self.price, self.symbol, is_rehearsal=not session.is_upload())
            said = price_said.answer(self.price, self.symbol, (), "", names)
            kept = said.computed if self.price.is_given else {}
            return found | {"answer": spent, "live": False, "computed": kept}
        if self.for_any is None:
            asked = self.price, self.symbol, self.missing, self.problem, names
            said = price_said.answer(*asked, is_given=self.values.get("given") == BUDGET)
        else:
            said = price_said.per_people(self.for_any, quantiles.FOR_ANY, self.symbol, names)
        lead = said.lead
        if lead and self.price is not None and isinstance(self.topic, Together):
            lead = self.topic.lead(self.price) or lead
        return found | {
            "answer": said.text,
            "spoken": said.spoken,
            "lead": lead,
            "computed": said.computed,
            "note": said.is_note,
        }

    def method(self, *, brief: bool = False) -> str:
        """How, under which condition, and what comes next: in Markdown."""
        if self.offered is not None:
            return offers_said.method(OFFER_BASIS[session.is_upload()])
        if self.topic is not None and self.for_any is not None and self.for_any.size is not None:
            asked = self.for_any, quantiles.FOR_ANY, self.symbol, words.names_of_needs()
            basis = price_said.basis_for_any(*asked)
            return price_said.method(self.for_any, self.topic.words, basis, brief=True)
        if self.topic is None or self.price is None:
            return ""
        if self.price.size is None:
            return ""
        if self.released is not None:
            return price_said.drawn(
                self.topic.words(self.price.chosen.key), is_secret=session.is_upload()
            )
        basis = self.topic.basis(self.price, brief=brief)
        return price_said.method(self.price, self.topic.words, basis, brief=brief)

    def nearest(self, left: float | None = None) -> Mapping[str, Mapping[str, Any]]:
        """In place of a need that no budget keeps, or not the one that is left of a promise.

        What to ask for, and the entries that say it.
        """
        if self.topic is None or self.price is None:
            return {}
        size, most = self.price.size, MOST if left is None else min(left, MOST)
        if (size is None and self.price.is_about) or (size is not None and size <= most):
            return {}
        sizes = sorted({most, most if size else MOST}, reverse=True)
        found: dict[str, Mapping[str, Any]] = {}
        for one in sizes:
            if one >= LEAST and (asked := self._off(one)):
                found[asked] = {"given": BUDGET, words.budget_key(): one}
        return found if self.price.is_given else {**found, **self._fewer(most)}

    def _off(self, size: float) -> str:
        """What a budget keeps, as something to ask for; nothing where it keeps nothing."""
        assert self.topic is not None
        assert self.price is not None
        need = self.price.need
        found = self.topic.bought(size, need)
        if found.off is None or not math.isfinite(found.off):
            return ""
        about = "about " if found.is_about else ""
        asked = f"off by at most {about}{words.rounded_of(found.off, need.unit)}"
        return price_said.instead(asked, size, self.symbol)

    def _fewer(self, most: float) -> Mapping[str, Mapping[str, Any]]:
        """The most quantiles, less than these, that keep the need for a budget up to most."""
        what, need = self.values["what"], self.price.need if self.price else Need(0.0, "")
        while what := FEWER.get(what, ""):
            price = TOPICS[QUANTILES]({**self.values, "what": what}, self.now).price(need)
            if price.size is not None and price.size <= most:
                name, about = sentences.WHAT[what][0], price.is_about
                said = price_said.instead(name, price.size, self.symbol, is_about=about)
                return {said: {"what": what}}
        return {}

    def buys(self) -> Shown:
        """What the budget buys, as it could be or as it was published."""
        if self.topic is None or self.price is None or self.price.size is None:
            return Shown(*(NO_BUDGET if self.nearest() else NOTHING))
        return self.topic.shown(self.price, self.released)


def of(values: Values, now: Visit, *, releases: bool = True) -> Decision:
    """The decision of this run; without releases nothing but what is declared is looked at."""
    missing, wrong = _missing(values), {**_crossed(), **_outside(values)}
    found = Decision(now, values, missing, wrong, next(iter(wrong.values()), ""))
    if not releases:
        found.final = None
    if wrong or (missing and not _follows_from_people(values, missing)):
        return found
    try:
        session.check_one_row_a_person()  # what a record is off by is no promise about a person
        if sentences.form_of(values["what"]) == OFFERS:
            found.offered = offers.lines(values, now, now.budget.size)
            return found
        found.topic = TOPICS[sentences.form_of(values["what"])](values, now)
        need = Need(float(values["off"]), values["unit"], values["often"])
        if missing:
            found.for_any = found.topic.price(need)
        elif values["given"] == BUDGET:
            found.price = found.topic.bought(now.budget.size, need)
        else:
            found.price = found.topic.price(need)
        _ = found.final  # what it refuses, the sentence says
    except DpvizError as error:
        found.topic = found.price = found.for_any = None
        found.problem = str(error)
    return found


def check(found: Decision) -> None:
    """Take the word "about" from an answer that was read from stored curves, once that is known."""
    if found.topic is not None and found.unchecked is not None:
        found.topic.check(found.unchecked)
    else:
        checking.leave()


def _follows_from_people(values: Values, missing: tuple[str, ...]) -> bool:
    """Whether nothing but the number of people is missing, and the answer goes as 1 / people."""
    is_need = values["given"] == NEED and sentences.form_of(values["what"]) == QUANTILES
    return missing == ("people",) and is_need


def _missing(values: Values) -> tuple[str, ...]:
    """What a file lacks: a column of numbers, bounds, people."""
    if session.has_names_alone():
        return ("column",)
    form = sentences.form_of(values["what"])
    wanted = NEEDS[form]
    absent = [name for name in wanted if session.declared(name) is None]
    return tuple(dict.fromkeys(MISSING[name] for name in absent))


def _crossed() -> dict[str, str]:
    low, high = session.declared("low"), session.declared("high")
    if low is None or high is None or low < high:
        return {}
    where = "lies above" if low > high else "is"
    said = f"The lower end {where} the upper one"
    return {"low": said, "high": said}


def _outside(values: Values) -> dict[str, str]:
    """A number that people are counted over: outside the bounds the count is known."""
    low, high = session.declared("low"), session.declared("high")
    if sentences.form_of(values["what"]) != COUNT or low is None or high is None:
        return {}
    if low <= values["over"] < high or low >= high:
        return {}
    return {"over": f"The number to be over must be at least {low:,.6g}, and below {high:,.6g}"}
