"""After the button: the card of the release, and everything to take away, from one record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dpviz.answers.decide import card, risk
from dpviz.answers.decide.exact.count import amount
from dpviz.answers.decide.needs import often_words, unit_word
from dpviz.answers.decide.price_said import amount_text
from dpviz.answers.decide.quantile_buys_said import StandIn
from dpviz.answers.decide.tank import TankNumbers
from dpviz.core.releases import QuantileRelease
from dpviz.core.scalars.release import NumberRelease
from dpviz.figures.decide.risks import small_risks
from dpviz.reports.notebook import notebook
from dpviz.reports.page import report
from dpviz.reports.tables import release_csv
from dpviz.reports.words import Release, Told, values
from dpviz.ui.bench.release import card_table
from dpviz.ui.decide import words
from dpviz.ui.decide.deciding import Decision
from dpviz.ui.decide.drawing import drawing, heading
from dpviz.ui.kit import session
from dpviz.ui.kit.offers import Offer
from dpviz.ui.visit.page import Visit

THE_CARD = "THE CARD"


def numbers(found: Decision, tank: TankNumbers) -> card.CardNumbers:
    """What the rows of the card say, before the release or of it."""
    assert found.budget is not None
    assert found.price is not None
    assert found.topic is not None
    published, came = found.released, ""
    if published is not None:
        came = found.topic.came(found.price, published)
    listed: tuple[str, ...] = ()
    if isinstance(published, QuantileRelease):
        listed = tuple(values(published))
    elif isinstance(published, NumberRelease):
        listed = (amount(published.value),)
    count = len(listed) or found.count
    return card.answer(found.budget, session.neighbours(), tank, listed, came, count)


def spoken(found: Decision) -> card.Words:
    """The public words of the decision."""
    assert found.price is not None
    assert found.topic is not None
    need = found.price.need
    shown = amount_text(need.amount)
    unit = unit_word(need.unit, words.names_of_needs(), need.amount)
    return card.Words(
        what=found.subject,
        person=session.protected().removeprefix("one "),
        asked=f"{shown} {unit}",
        often=often_words(need.sure),
        method=found.topic.words(found.price.chosen.key),
        public=tuple(_public(found)),
    )


def _public(found: Decision) -> Sequence[str]:
    """What was declared, and what shaped the stand-in."""
    size, low, high = (session.declared(one) for one in ("size", "low", "high"))
    people = session.words().people.many
    listed = [] if size is None else [f"about {size:,.0f} {people}"]
    if low is not None and high is not None:
        listed.append(f"bounds {low:,.10g} and {high:,.10g}")
    stand_in: StandIn | None = getattr(found.topic, "stand_in", None)
    if stand_in is not None:
        listed.append(
            f"made-up values: half below {stand_in.middle:,.10g}, one in ten above "
            f"{stand_in.tenth:,.10g} ({stand_in.source})"
        )
    return listed


def draw(found: Decision, tank: TankNumbers, now: Visit) -> None:
    """The card, and the risk once more, small."""
    rows = card.rows(numbers(found, tank), spoken(found))
    shown = " · ".join(card.shortened(tuple(numbers(found, tank).values)))
    assert found.budget is not None
    risks = risk.answer(found.budget, session.neighbours())
    said = risk.say(risks, risk.RiskNames(value=found.value_word))
    above = heading(now.look.ink.private, THE_CARD, "", "")
    table = card_table(rows, shown, now.look.ink.private)
    drawing("decide_card", small_risks(risks, said, now.look), above=above + table)


def offers(found: Decision, tank: TankNumbers) -> list[Offer]:
    """The files of a release; before it the decision card alone."""
    one = card_offer(found, tank)
    release = found.released
    if not isinstance(release, Release):
        return [one]
    assert found.final is not None
    told, file = Told(found.subject_told, exactness(found)), found.final.file
    return [
        Offer("JSON", release.to_json, f"{file}.json", "application/json"),
        Offer("CSV", partial(release_csv, release), f"{file}.csv", "text/csv"),
        Offer("Report", partial(report, release, told), f"{file}.html", "text/html"),
        Offer(
            "Notebook",
            partial(notebook, release, told, f"{file}.json"),
            f"{file}.ipynb",
            "application/x-ipynb+json",
        ),
        one,
    ]


def exactness(found: Decision) -> str:
    """How exact the release is, as a sentence of its report."""
    assert found.price is not None
    words_of = spoken(found)
    came = ""
    if found.released is not None and found.topic is not None:
        came = found.topic.came(found.price, found.released)
    said = f"Asked for: off by at most {words_of.asked}, {words_of.often}"
    return f"{said}; came: {came}." if came else f"{said}."


def card_offer(found: Decision, tank: TankNumbers) -> Offer:
    """The decision card as one page to print and sign; it is written outside the session."""
    text = partial(card.decision_card, numbers(found, tank), spoken(found))
    return Offer("Decision card", text, "decision-card.html", "text/html")


def offer_row(listed: Sequence[Offer]) -> None:
    """Downloads beside each other."""
    for one in listed:
        st.download_button(
            one.label,
            one.content,
            one.file,
            one.mime,
            key=f"decide_{one.label}",
            on_click="ignore",
        )
