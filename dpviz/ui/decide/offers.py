"""What can this budget publish? A table of things to ask for, each of which becomes the sentence."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

import streamlit as st

from dpviz.answers.decide import offers
from dpviz.answers.decide.needs import first_need
from dpviz.answers.decide.offers import Line, Offered
from dpviz.answers.decide.price import Need
from dpviz.answers.decide.sentences import BUDGET, QUANTILES, WHAT, form_of
from dpviz.answers.number_text import upper
from dpviz.core.errors import DpvizError
from dpviz.ui.decide import quantiles, topics, words
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

COLUMN = ("count", "histogram", "curve", "median", "quartiles", "deciles", "percentiles")
KEY = "decide_offers"
CSS = """
table { width: 100%; border-collapse: collapse; font: 400 var(--offer, 15px)/1.33 var(--st-font, "Source Sans", sans-serif); color: var(--st-text-color, #14181d); }
th { text-align: left; font-weight: 400; opacity: .78; padding: 4px 12px 6px 0; }
td { border-top: 1px solid var(--st-border-color, #e3dfd6); padding: 7px 12px 7px 0; vertical-align: top; }
td:first-child { font: 600 var(--offered, 19px)/1.26 var(--st-heading-font, "Source Serif", serif); white-space: nowrap; }
td:last-child { text-align: right; padding-right: 0; }
td:nth-child(3) { font: 600 var(--offered, 19px)/1.26 var(--st-heading-font, "Source Serif", serif); color: var(--st-blue-color, #0072b2); }
tr.coarse td:nth-child(3) { color: inherit; }
small { display: var(--how, block); font: 400 14px/18px var(--st-font, "Source Sans", sans-serif); opacity: .78; }
button { font: inherit; color: var(--st-primary-color, #0072b2); background: none; border: 0; padding: 0; cursor: pointer; white-space: nowrap; }
@media (max-width: 640px) {
  thead { display: none; }
  tr { display: grid; grid-template-columns: 1fr auto; column-gap: 12px; border-top: 1px solid var(--st-border-color, #e3dfd6); padding: 7px 0; }
  td, td:nth-child(n) { border: 0; padding: 0; }
  td:nth-child(3) { grid-area: 1 / 2; text-align: right; }
  td:last-child { text-align: right; }
}
button:focus-visible { outline: 3px solid var(--st-blue-color, #0072b2); outline-offset: 2px; border-radius: 3px; }
"""
JS = """
export default function ({ data, parentElement, setTriggerValue }) {
  const body = parentElement.querySelector("tbody");
  const said = JSON.stringify(data);
  if (body._said === said) return;
  body._said = said;
  body.replaceChildren();
  for (const line of data) {
    const row = body.insertRow();
    row.classList.toggle("coarse", line.is_coarse);
    const cell = (text, small) => {
      const made = row.insertCell();
      made.textContent = text;
      if (small) made.appendChild(Object.assign(document.createElement("small"), { textContent: small }));
      return made;
    };
    cell(line.name);
    cell(line.detail, line.how);
    cell(line.off, line.is_coarse ? "too coarse to be of use" : "");
    const button = document.createElement("button");
    button.textContent = line.is_coarse ? "needs far more" : "make it the sentence →";
    button.setAttribute("aria-label", `make it the sentence: ${line.name}`);
    button.onclick = () => setTriggerValue("taken", line.what);
    row.insertCell().append(button);
  }
}
"""
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


@cache
def _component() -> Any:
    return st.components.v2.component("dpviz_offers", html=HTML, css=CSS, js=JS)


def table(found: list[Line]) -> None:
    """The table; a line that is taken becomes the sentence, with the budget as it is."""

    def taken() -> None:
        what = (st.session_state.get(KEY) or {}).get("taken")
        if what in WHAT:
            state.put("what", what)
            state.put("given", BUDGET)
            for name in words.SET_ANEW:
                state.store().pop(name, None)

    _component()(key=KEY, data=[asdict(one) for one in found], on_taken_change=taken)
