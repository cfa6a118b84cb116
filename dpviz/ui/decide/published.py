"""After the button: the card of the release, and everything to take away, from one record."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dpviz.answers.decide import risk
from dpviz.answers.decide.budget import card
from dpviz.answers.decide.exact.frame import amount
from dpviz.answers.decide.needs import often_words
from dpviz.answers.decide.price_said import asked
from dpviz.answers.decide.quantile_buys_said import StandIn
from dpviz.core.releases import ProfileRelease, QuantileRelease
from dpviz.core.scalars.release import NumberRelease
from dpviz.figures.decide.risks import small_risks
from dpviz.reports.words import Release, Told, paragraph, values
from dpviz.ui.bench.release import card_table
from dpviz.ui.bench.report_files import paragraph_panel, profile_files, release_files
from dpviz.ui.decide import words
from dpviz.ui.decide.component.drawing import heading, section
from dpviz.ui.decide.deciding import Decision
from dpviz.ui.kit import session
from dpviz.ui.kit.offers import Offer
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

THE_CARD = "THE CARD"
PRESENTED = ("Promise", "Exactness", "Spent", "Rehearsed")  # rows that a back row can read


def numbers(found: Decision) -> card.CardNumbers:
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
    elif isinstance(published, ProfileRelease):
        each = published.releases.items()
        listed = tuple(f"{name}: {', '.join(values(one))}" for name, one in each)
    is_profile = isinstance(published, ProfileRelease)
    count = found.count if is_profile else len(listed) or found.count
    return card.answer(found.budget, session.neighbours(), found.tank, listed, came, count)


def spoken(found: Decision) -> card.Words:
    """The public words of the decision."""
    assert found.price is not None
    assert found.topic is not None
    need = found.price.need
    return card.Words(
        what=found.subject,
        person=session.protected().removeprefix("one "),
        asked=words.amount_of(asked(found.price), need.unit),
        often=often_words(need.sure),
        method=found.topic.words(found.price.chosen.key),
        public=tuple(_public(found)),
        is_given=found.price.is_given,
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


def card_section(found: Decision, now: Visit) -> str:
    """The card, and the risk once more, small."""
    rows = card.rows(numbers(found), spoken(found))
    if now.presenting:
        rows = [row for row in rows if row[0] in PRESENTED]
    shown = " · ".join(card.shortened(tuple(numbers(found).values)))
    assert found.budget is not None
    risks = risk.answer(found.budget, session.neighbours())
    said = risk.say(risks, risk.RiskNames(value=found.value_word))
    above = heading(now.look.ink.private, THE_CARD, "", "", large=now.presenting)
    table = card_table(rows, shown, now.look.ink.private)
    return section("card", small_risks(risks, said, now.look), above=above + table)


def offers(found: Decision) -> list[Offer]:
    """The files of a release; before it the decision card alone."""
    one = card_offer(found)
    release = found.released
    if found.final is None or release is None:
        return [one]
    if isinstance(release, ProfileRelease):
        return [*profile_files(release, _told_each(found, release), found.final.file), one]
    if not isinstance(release, Release):
        return [one]
    return [*release_files(release, _told(found), found.final.file), one]


def words_of_report(found: Decision) -> None:
    """What the values are called in the report, its paragraph, and the question to OpenDP."""
    if isinstance(found.released, ProfileRelease):
        with st.expander("The report's paragraphs, one a column"):
            told = _told_each(found, found.released)
            for name, one in found.released.releases.items():
                st.code(paragraph(one, told[name]), language=None, wrap_lines=True)
        return
    assert isinstance(found.released, Release)
    with st.expander("The report's paragraph, and the same question to OpenDP"):
        st.text_input(
            "What the values are, in public words",
            max_chars=80,
            help="It stands in the report. Write nothing that you learned from the file.",
            **state.widget(_subject_key(), _told(found).subject),
        )
        paragraph_panel(found.released, _told(found))


def _subject_key() -> str:
    """A column has words of its own."""
    return f"decide_subject_{session.scope()}"


def _told(found: Decision) -> Told:
    typed = str(state.store().get(_subject_key()) or "").strip()
    return Told(typed or found.value_word, exactness(found, found.released))


def _told_each(found: Decision, release: ProfileRelease) -> dict[str, Told]:
    """The words of each column."""
    return {name: Told(name, exactness(found, one)) for name, one in release.releases.items()}


def exactness(found: Decision, released: Any) -> str:
    """How exact a release is, or one column of it, as a sentence of its report."""
    assert found.price is not None
    words_of = spoken(found)
    came = ""
    if released is not None and found.topic is not None:
        came = found.topic.came(found.price, released)
    first = "The budget keeps" if words_of.is_given else "Asked for"
    said = f"{first}: off by at most {words_of.asked}, {words_of.often}"
    return f"{said}; came: {came}." if came else f"{said}."


def card_offer(found: Decision) -> Offer:
    """The decision card as one page to print and sign; it is written outside the session."""
    text = partial(card.decision_card, numbers(found), spoken(found))
    return Offer("Decision card", text, "decision-card.html", "text/html")


def offer_row(listed: Sequence[Offer]) -> None:
    """Downloads beside each other."""
    for one in listed:
        st.download_button(
            one.label, one.content, one.file, one.mime, key=f"decide_{one.label}", on_click="ignore"
        )
