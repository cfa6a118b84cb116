"""What can this budget publish? A table of things to ask for, each of which becomes the sentence."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import streamlit as st

from dpviz.answers.decide import offers
from dpviz.answers.decide.needs import first_need
from dpviz.answers.decide.offers import Line, Offered
from dpviz.answers.decide.price import Need
from dpviz.answers.decide.sentences import BUDGET, QUANTILES, WHAT, form_of
from dpviz.answers.number_text import upper
from dpviz.core.errors import DpvizError
from dpviz.ui.beside import component
from dpviz.ui.decide import quantiles, topics, words
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

COLUMN = ("count", "histogram", "curve", "median", "quartiles", "deciles", "percentiles")
KEY = "decide_offers"
HTML = (
    "<table><thead><tr><th>Publish</th><th></th><th>off by at most</th><th></th></tr></thead>"
    "<tbody></tbody></table>"
)


def lines(values: Values, now: Visit, size: float) -> list[Line]:
    """What the budget buys of everything that can be asked of these data."""
    found = [_offered(what, values, now, size) for what in COLUMN]
    people = session.declared("size")
    count = None if people is None else round(people)
    return offers.lines(found, words.names_of_needs(), count)


def _offered(what: str, values: Values, now: Visit, size: float) -> Offered:
    form, low = form_of(what), session.declared("low")
    kind, number = words.kind_of_number(), session.declared("size")
    unit = first_need(form, kind, low, size=number).unit
    asked: Mapping[str, Any] = {**values, "what": what, "unit": unit}
    make = quantiles.topic if form == QUANTILES else topics.TOPICS[form]
    name = upper(WHAT[what][0]) if what != "count" else "A count"
    try:
        topic = make(asked, now)
        price = topic.bought(size, Need(0.0, unit, values["often"]))
    except DpvizError as error:
        return Offered(what, name, "", None, why=str(error))
    method = topic.words(price.chosen.key)
    return Offered(what, name, _detail(what, asked), price, method, form != QUANTILES)


def _detail(what: str, values: Mapping[str, Any]) -> str:
    """What a line is about in detail."""
    if what == "count":
        return f"{session.words().people.many} over {values['over']:,.6g}"
    return f"{values['bins']} bars, every one of them" if what == "histogram" else ""


def table(found: list[Line]) -> None:
    """The table; a line that is taken becomes the sentence, with the budget as it is."""

    def taken() -> None:
        what = (st.session_state.get(KEY) or {}).get("taken")
        if what in WHAT:
            state.put("what", what)
            state.put("given", BUDGET)
            for name in words.SET_ANEW:
                state.store().pop(name, None)

    data = [asdict(one) for one in found]
    component(__file__, "offers", HTML)(key=KEY, data=data, on_taken_change=taken)
