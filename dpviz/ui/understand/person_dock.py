"""The dock of One person: ε, the view's own slider, its button, the truth, question and experts."""

from __future__ import annotations

from collections.abc import Callable

from dpviz.ui.bench import budget as budgets
from dpviz.ui.bench import ledger
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.understand import controls
from dpviz.ui.understand.people import Person
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit.page import Tabs, Visit

PAGE = "neighbours"
TABS = Tabs("n_asks", {"count": "A count", "quantile": "A quantile", "meaning": "What ε means"})


def person_dock(
    now: Visit,
    asked: Asked | None,
    who: Person | None,
    label: str,
    *,
    sliders: Callable[[Dock], None] | None = None,
    button: Callable[[Dock], None] | None = None,
    facts: Callable[[], None] | None = None,
) -> None:
    """The dock with one slider or two; a view without people draws its own question only."""
    two = now.view != "quantile"
    with dock(now, sliders=2 if two else 1) as place:
        place.budget()
        if sliders:
            sliders(place)
        if button:
            button(place)
        if now.view != "meaning":
            place.truth()
        if not two:
            ledger.in_dock(place)
        with place.explore(label[0].upper() + label[1:]):
            if now.view != "meaning":
                controls.number(now.view)
                if asked:
                    controls.person(asked.query, who.at if who else None)
                controls.data(now)
            if now.view == "count":
                controls.suspicion()
        with place.expert():
            budgets.expert(now)
            if now.view == "count":
                controls.noise(now.budget)
            if now.view != "quantile":
                controls.read_at(now.budget)
            if facts:
                facts()
