"""One person, third view: how far a belief about anybody can move. Nothing here is data."""

from __future__ import annotations

from dpviz.answers.privacy import belief, belief_said
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.privacy.belief import belief_picture
from dpviz.ui.bench.dock import Dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.understand import settings
from dpviz.ui.understand.person_dock import TABS, person_dock
from dpviz.ui.visit.page import Visit


def show(now: Visit) -> None:
    """The page with this view."""
    prior, delta = settings.get("n_prior") / 100, float(settings.get("n_at"))
    found = belief.answer(now.budget, delta, prior)
    person_dock(now, None, None, TABS.titles["meaning"], sliders=_slider)
    sentence = belief_said.headline(found)
    second = belief_said.second(found, now.neighbours)(brief=now.look.phone)
    headline("One person", sentence, second)
    picture = belief_picture(odds_of(now.budget, delta), prior, now.look)
    hero(picture, "belief", f"{unmarked(sentence)} {unmarked(second)}")
    strip(now, belief_said.strip(found, now.budget), badge=False)


def _slider(dock: Dock) -> None:
    dock.second_of_visit("Suspicion before, in per cent", range(1, 100), settings.widget("n_prior"))
