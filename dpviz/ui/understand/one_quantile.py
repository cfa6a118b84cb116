"""One person, second view: the exact densities of a private quantile with and without them."""

from __future__ import annotations

import streamlit as st

from dpviz.answers.privacy import one_quantile, one_quantile_said
from dpviz.answers.privacy.one_quantile import QuantileOdds
from dpviz.answers.privacy.one_quantile_said import QuantileOf
from dpviz.experiments.privacy.loss_view import loss_curves, outputs_span
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.figures.privacy.one_quantile import quantile_picture
from dpviz.ui.bench.dock import Dock
from dpviz.ui.bench.headline import headline
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
    found = one_quantile.answer(loss, asked.claim().epsilon, _true(asked))
    _dock(now, asked, who, name, found, spreads=spreads)
    sentence = one_quantile_said.headline(found, QuantileOf(name, who.who, who.replaced))
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
        found.epsilon,
        who.names,
        now.look,
        what=name,
        marks=marks,
    )
    hero(picture, "quantile", f"{unmarked(sentence)} {unmarked(second)}")
    _strip(now, asked, found)


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


def _dock(
    now: Visit, asked: Asked, who: Person, name: str, found: QuantileOdds, *, spreads: bool
) -> None:
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
        controls.facts(one_quantile_said.facts(found, asked.budget))

    person_dock(now, asked, who, f"{name}, {who.who}", button=button, facts=behind)


def _true(asked: Asked) -> float | None:
    """The quantile of the column; None for a made-up one. Confidential."""
    return None if asked.is_made_up else float(asked.query.truth(asked.column))


def _second(asked: Asked, *, spreads: bool) -> str:
    if asked.is_made_up:
        return "Exact densities on a made-up column. Nothing of the data is on screen."
    assert isinstance(asked.query, QuantileQuery)
    return one_quantile_said.second(
        asked.query.neighbours,
        session.words().people.one,
        spreads=spreads,
        tied=asked.column.tied,
    )


def _strip(now: Visit, asked: Asked, found: QuantileOdds) -> None:
    assert isinstance(asked.query, QuantileQuery)
    items = [("this person uses", one_quantile_said.used(found))]
    if found.true is not None:
        name = questions.quantile_name(asked.query.quantile)
        items.append((f"true {name}", questions.amount(found.true)))
    items.append(("one answer spends", str(asked.budget)))
    strip(now, items, badge=not asked.is_made_up)
