"""One person, second view: the exact densities of a private quantile with and without them."""

from __future__ import annotations

import math

import streamlit as st

from dpviz.core.budgets import PureDP
from dpviz.experiments.privacy.loss import Loss
from dpviz.experiments.privacy.loss_view import loss_curves, outputs_span
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.figures.privacy.amounts import epsilon_text, more, times
from dpviz.figures.privacy.one_quantile import quantile_picture
from dpviz.ui.bench.dock import Dock
from dpviz.ui.bench.headline import headline, plain, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.understand import controls, people, questions, settings
from dpviz.ui.understand.people import Person, pair_of, spreads_ties
from dpviz.ui.understand.person_dock import person_dock
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit.page import Visit

SMALL = 0.4  # a log ratio up to here is told as per cent more


def show(now: Visit) -> None:
    """The page with this view."""
    head = st.container()
    asked = questions.asked(settings.QUANTILE, now.budget, hides=not now.truth)
    who = attempt(lambda: people.person(asked.query, asked.column)) if asked else None
    pair = attempt(lambda: pair_of(asked, who.change)) if asked and who else None
    name = questions.quantile_name(float(settings.get("n_quantile")))
    if asked is None or who is None or pair is None:
        person_dock(now, asked, who, name)
        with head:
            headline(
                "One person", "What one person changes", "The picture returns once this is mended."
            )
        return
    loss = asked.query.loss(pair, asked.budget)
    spreads = spreads_ties(asked.query, asked.column)
    _dock(now, asked, who, name, loss, spreads=spreads)
    sentence = _finding(asked, who, name, loss)
    second = _second(asked, spreads=spreads)
    with head:
        headline("One person", sentence, second)
    view = outputs_span(loss)
    if settings.get("n_range") == settings.WHOLE:
        view = float(loss.at[0]), float(loss.at[-1])
    marks = () if asked.is_made_up else _marks(asked, name, pair)
    view = _with_truth(view, marks)
    picture = quantile_picture(
        loss_curves(loss, view),
        view,
        asked.claim().epsilon,
        who.names,
        now.look,
        what=name,
        marks=marks,
    )
    hero(picture, "quantile", f"{unmarked(sentence)} {unmarked(second)}")
    _strip(now, asked, loss)


def _with_truth(
    view: tuple[float, float], marks: tuple[tuple[str, float], ...]
) -> tuple[float, float]:
    """The stretch that is shown, wide enough for the true number, with room for its name."""
    true = [at for name, at in marks if name.startswith("true ")]
    low, high = min([view[0], *true]), max([view[1], *true])
    room = 0.05 * (high - low)
    return (low - room if low < view[0] else low), (high + room if high > view[1] else high)


def _marks(asked: Asked, name: str, pair: Pair) -> tuple[tuple[str, float], ...]:
    """The true number, and where somebody leaves or comes. Confidential."""
    truth = asked.query.truth(asked.column) if asked.column.n else None
    places = ((f"true {name}", truth), ("leaves", pair.removed), ("comes", pair.added))
    return tuple((name, at) for name, at in places if at is not None)


def _dock(now: Visit, asked: Asked, who: Person, name: str, loss: Loss, *, spreads: bool) -> None:
    def button(dock: Dock) -> None:
        if spreads:
            dock.new_draw("New spread")

    def behind() -> None:
        st.segmented_control(
            "Show",
            (settings.OUTPUTS, settings.WHOLE),
            required=True,
            help="Outputs beyond the first range are rare; the limit holds for them all the same.",
            **settings.widget("n_range"),
        )
        claimed = asked.claim().epsilon
        rows = [
            ("largest |log ratio|:", f"{loss.largest:.4g}"),
            ("ε, the limit:", f"{claimed:.4g}"),
            ("share of ε used:", f"{loss.largest / claimed:.1%}"),
        ]
        if not isinstance(asked.budget, PureDP):
            rows.append(("ε is that of the exponential mechanism bought by", str(asked.budget)))
        controls.facts(rows)

    person_dock(now, asked, who, f"{name}, {who.who}", button=button, facts=behind)


def _finding(asked: Asked, who: Person, name: str, loss: Loss) -> str:
    epsilon = asked.claim().epsilon
    allowed = epsilon_text(epsilon)
    start = f"{plain(who.at_first)} can"
    if who.replaced:
        start = f"Another number for {plain(who.who)} can"
    if epsilon <= SMALL:
        by = private(more(loss.largest))
        return (
            f"{start} move the private {plain(name)}'s odds by {by}; "
            f"ε = {allowed} allows {plain(more(epsilon))}."
        )
    by = private(f"{times(loss.largest)} times")
    return (
        f"{start} make a private {plain(name)} {by} as likely; "
        f"ε = {allowed} allows {plain(times(epsilon))}."
    )


def _second(asked: Asked, *, spreads: bool) -> str:
    if asked.is_made_up:
        return "Exact densities on a made-up column. Nothing of the data is on screen."
    one = session.words().people.one
    first = f"One {one} more or less moves every step a little."
    if asked.query.neighbours is not asked.query.neighbours.ADD_REMOVE:  # type: ignore[union-attr]
        first = f"Another number for one {one} moves every step a little."
    if spreads:
        return f"{first} Both densities are exact, for one way of spreading tied values."
    if asked.column.tied:
        return f"{first} Both are exact; equal values are kept, with no room between them."
    return f"{first} Both densities are exact, before the value is rounded."


def _strip(now: Visit, asked: Asked, loss: Loss) -> None:
    assert isinstance(asked.query, QuantileQuery)
    items = [
        (
            "this person uses",
            f"{math.floor(100 * loss.largest / asked.claim().epsilon + 0.5)} % of ε",
        )
    ]
    if not asked.is_made_up:
        truth = asked.query.truth(asked.column)
        items.append(
            (f"true {questions.quantile_name(asked.query.quantile)}", questions.amount(truth))
        )
    items.append(("one answer spends", str(asked.budget)))
    strip(now, items, badge=not asked.is_made_up)
