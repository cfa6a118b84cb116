"""Look inside: the ways from the sentence to the pages that show how its answer comes about.

They open with the sentence's data, method, quantiles and budget. Some lie under the sentence: there
it stands as one line, and the same ways below it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from dpviz.ui.decide.together import Together
from dpviz.ui.kit import frame
from dpviz.ui.kit.pickers import OWN
from dpviz.ui.kit.pickers import SETS as OFFERED
from dpviz.ui.model.fields import Field
from dpviz.ui.quantiles.below import TAKE
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state

LINE, ANSWER = "decide_line", "answer"
HOME = "decide"
UNDER = "what_if"  # the page whose views stand under the sentence


@dataclass(frozen=True, slots=True)
class Way:
    """A name in the row, and where it leads: a page and one of its views.

    parts are views of that page which stand in a row of their own while one of them is shown.
    """

    name: str
    page: str
    view: str = ""
    more: tuple[tuple[str, str], ...] = ()
    parts: tuple[tuple[str, str], ...] = ()


# how methods are compared: views, and what each is called
COMPARED = (
    ("sweep", "against one setting"),
    ("wins", "where each wins"),
    ("search", "by an exact search"),
    ("many", "many quantiles or one curve"),
)
FRONTIER = Way("Frontier", HOME, "unfolded")
PERSON, AUDIT = Way("One person", "neighbours", "count"), Way("Audit", "audit", "proof")
WAYS: dict[str, tuple[Way, ...]] = {
    QUANTILES: (
        FRONTIER,
        Way("Methods compared", UNDER, "sweep", parts=COMPARED),
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


def line(found: Decision, rows: Mapping[str, Field], here: str) -> None:
    """The sentence as it stands, in one line without controls, and the ways from a view of UNDER."""
    said = replace(words.said(rows, found.values, found.words() | {"wrong": {}}), under="")
    with st.container(key=LINE):
        shown = replace(said, live=False, small=True)
        told = sentence("decide_said", shown, lambda *_: None, ways=ways(found, here))
    follow(told, found, here)


def ways(found: Decision, here: str = "") -> dict[str, Any]:
    """The row of ways, as the sentence shows it; here is the view that is shown, the answer at first."""
    listed = WAYS.get(form_of(found.values["what"]), ())
    first = "Release" if found.released is not None else "Answer"
    marked: Way | None = None
    for way in listed:
        if way.page in (HOME, UNDER) and here in (way.view, *dict(way.parts)):
            marked = way
    return {
        "names": [first, *(way.name for way in listed)],
        "here": first if not here else marked.name if marked else "",
        "parts": [name for _, name in marked.parts] if marked else [],
        "part": dict(marked.parts).get(here, "") if marked else "",
    }


def follow(told: object, found: Decision, here: str = "") -> None:
    """Open what was clicked in the row or in the sentence, in this visit."""
    listed = WAYS.get(form_of(found.values["what"]), ())
    leads = {way.name: way for way in listed}
    leads |= {name: Way(name, way.page, view) for way in listed for view, name in way.parts}
    page = UNDER if here and here != FRONTIER.view else HOME
    if told in ("Answer", "Release") and here:
        _show(HOME, ANSWER, page)
    elif told == words.BETWEEN:
        state.follow({"view": "declare"})
        frame.go("data")
    elif isinstance(told, str) and told in leads:
        _open(leads[told], found, page)


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
        size = found.budget.size
        state.put(words.budget_key(), size if way.page == UNDER else _of_one(found, size))
    if way.page in (HOME, UNDER):
        _show(way.page, way.view, at)
        return
    state.follow(link(way, found))
    frame.go(way.page)


def _of_one(found: Decision, size: float) -> float:
    """The budget of one column: of several that add up, the part of each."""
    if isinstance(found.topic, Together) and found.price is not None:
        return found.topic.alone(found.price).size or size
    return size


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
