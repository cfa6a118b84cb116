"""Look inside: the ways from the sentence to the pages that show how its answer comes about.

They open with the sentence's data, method, quantiles and budget. Some lie under the sentence: there
it stands as one line, and the same ways below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import streamlit as st

from dpviz.answers.decide.sentences import (
    CELLS,
    COUNT,
    CURVE,
    HISTOGRAM,
    QUANTILES,
    RUNNING,
    SETS,
    form_of,
)
from dpviz.ui.decide import words
from dpviz.ui.decide.component.sentence import sentence
from dpviz.ui.decide.deciding import Decision
from dpviz.ui.kit import frame
from dpviz.ui.kit.pickers import OWN
from dpviz.ui.kit.pickers import SETS as OFFERED
from dpviz.ui.model.fields import Field
from dpviz.ui.quantiles.below import TAKE
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state

KEY, LINE, ANSWER = "decide_inside", "decide_line", "answer"
HOME = "decide"
UNDER = "what_if"  # the page whose views stand under the sentence
CSS = """
nav { display: flex; flex-wrap: wrap; gap: 0 20px; align-items: center; font: 400 15.5px/28px var(--st-font, "Source Sans", sans-serif); color: var(--st-text-color, #14181d); }
nav span { opacity: .78; }
nav b { font-weight: 600; border-bottom: 2px solid currentColor; }
nav button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; border-bottom: 2px solid transparent; }
nav button:hover { color: var(--st-primary-color, #0072b2); }
nav button:focus-visible { outline: 3px solid var(--st-blue-color, #0072b2); outline-offset: 2px; border-radius: 3px; }
@media (max-width: 640px) {
  nav { flex-wrap: nowrap; overflow-x: auto; white-space: nowrap; }
  nav :first-child { position: sticky; left: 0; z-index: 1; padding-right: 12px; background: var(--st-background-color, #fcfaf6); }
}
"""
JS = """
export default function ({ data, parentElement, setTriggerValue }) {
  const nav = parentElement.querySelector("nav");
  const said = JSON.stringify(data);
  if (nav._said === said) return;
  nav._said = said;
  const add = (kind, text) => nav.appendChild(Object.assign(document.createElement(kind), { textContent: text }));
  nav.replaceChildren();
  const way = (name) => {
    if (name === data.here) add("b", name).setAttribute("aria-current", "page");
    else add("button", name).onclick = () => setTriggerValue("way", name);
  };
  way(data.first);
  add("span", "Look inside:");
  data.names.forEach(way);
  const [first, shown] = [nav.firstChild, nav.querySelector("b")];
  nav.scrollLeft = shown ? shown.offsetLeft - first.offsetLeft - first.offsetWidth - 20 : 0; // on a phone
}
"""


@dataclass(frozen=True, slots=True)
class Way:
    """A name in the row, and where it leads: a page and one of its views."""

    name: str
    page: str
    view: str = ""
    more: tuple[tuple[str, str], ...] = ()


FRONTIER = Way("Frontier", HOME, "unfolded")
PERSON, AUDIT = Way("One person", "neighbours", "count"), Way("Audit", "audit", "proof")
WAYS: dict[str, tuple[Way, ...]] = {
    QUANTILES: (
        FRONTIER,
        Way("In places", UNDER, "frontier"),
        Way("Methods compared", UNDER, "sweep"),
        Way("Which wins where", UNDER, "wins"),
        Way("Exact search", UNDER, "search"),
        Way("Recursion", "quantiles", "recursion"),
        Way("One person", "neighbours", "quantile"),
        Way("Averaging", "trees", "node"),
        AUDIT,
        Way("Python", "quantiles", "picture", (("below", TAKE),)),
    ),
    COUNT: (FRONTIER, PERSON, Way("Many counts", "budget", "accounts"), AUDIT),
    HISTOGRAM: (FRONTIER, Way("Averaging", "trees", "node"), PERSON, AUDIT),
    CURVE: (
        FRONTIER,
        Way("The curve", "trees", "cdf"),
        Way("Fanouts", "trees", "fanouts"),
        Way("Errors by level", "trees", "levels"),
        Way("Averaging", "trees", "node"),
        PERSON,
        AUDIT,
    ),
    RUNNING: (FRONTIER, Way("Running counts", "trees", "running"), PERSON, AUDIT),
    CELLS: (
        FRONTIER,
        Way("The map", "map", "map"),
        Way("Other maps", "map", "compare"),
        Way("One node", "map", "node"),
        PERSON,
        AUDIT,
    ),
}


@cache
def _component() -> Any:
    html = "<nav aria-label='Look inside'></nav>"
    return st.components.v2.component("dpviz_inside", html=html, css=CSS, js=JS)


def line(found: Decision, rows: Mapping[str, Field]) -> None:
    """The sentence as it stands, in one line without controls."""
    said = words.said(rows, found.values, found.words() | {"wrong": {}})
    with st.container(key=LINE):
        sentence("decide_said", replace(said, live=False, small=True, under=""), lambda *_: None)


def tabs(found: Decision, here: str = "") -> None:
    """The row of ways; here is the view that is shown, the answer at first.

    A click opens a page in this visit.
    """
    ways = {way.name: way for way in WAYS.get(form_of(found.values["what"]), ())}
    first = "Release" if found.released is not None else "Answer"
    views = {way.view: way.name for way in ways.values() if way.page in (HOME, UNDER)}
    shown = views.get(here, here)
    data = {"first": first, "here": shown or first, "names": list(ways)}
    told = _component()(key=KEY, data=data, on_way_change=lambda: None).way
    page = UNDER if here and here != FRONTIER.view else HOME
    if told == first and here:
        _show(HOME, ANSWER, page)
    elif told in ways:
        _open(ways[told], found, page)


def _show(page: str, view: str, at: str) -> None:
    """A view of Decide, or one under its sentence."""
    visits.show_view(page, view)
    if page == at:
        st.rerun()
    else:
        frame.go(page)


def _open(way: Way, found: Decision, at: str) -> None:
    """Go to a page; under the sentence all its words stay as they are."""
    if found.budget is not None and way.page != HOME:
        state.put(words.budget_key(), found.budget.size)
    if way.page in (HOME, UNDER):
        _show(way.page, way.view, at)
        return
    state.follow(link(way, found))
    frame.go(way.page)


def link(way: Way, found: Decision) -> dict[str, str]:
    """What a page opens with: its view, and what of the sentence it knows."""
    opened = {"view": way.view, **dict(way.more)} if way.view else dict(way.more)
    if way.page != "quantiles" or form_of(found.values["what"]) != QUANTILES:
        return opened
    return opened | _quantiles(found)


def _quantiles(found: Decision) -> dict[str, str]:
    what = found.values["what"]
    if what in OFFERED:
        opened = {"set": what}
    else:
        listed = ", ".join(f"{one:.10g}" for one in SETS.get(what, ())) or found.values["own"]
        opened = {"set": OWN, "own": listed}
    if found.price is not None and found.price.size is not None:
        opened["method"] = frame.label_of(found.price.chosen.key)
    return opened
