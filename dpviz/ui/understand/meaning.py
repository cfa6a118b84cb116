"""One person, third view: how far a belief about anybody can move. Nothing here is data."""

from __future__ import annotations

from dpviz.core.budgets import ApproxDP, Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.experiments.privacy.odds import Odds, odds_of
from dpviz.figures.privacy.amounts import at_least_percent, most_percent, times, tiny
from dpviz.figures.privacy.belief import belief_picture
from dpviz.ui.bench.dock import Dock
from dpviz.ui.bench.headline import headline, plain, private
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.understand import settings
from dpviz.ui.understand.person_dock import NAMES, person_dock
from dpviz.ui.visit.page import Visit


def show(now: Visit) -> None:
    """The page with this view."""
    prior = settings.get("n_prior") / 100
    odds = odds_of(now.budget, float(settings.get("n_at")))
    person_dock(now, None, None, NAMES["meaning"], sliders=_slider)
    low, high = _beliefs(odds, prior)
    sentence = f"A suspicion of {100 * prior:.0f} % becomes at most {private(high)}{_but(odds)}."
    second = _second(now, low)
    headline("One person", sentence, second)
    hero(
        belief_picture(odds, prior, now.look), "belief", f"{unmarked(sentence)} {unmarked(second)}"
    )
    items = [
        ("odds move at most", f"{times(odds.epsilon)} times"),
        ("that is e to the power of", _reading(now.budget, odds)),
    ]
    strip(now, items, badge=False)


def _slider(dock: Dock) -> None:
    dock.second_of_visit("Suspicion before, in per cent", range(1, 100), settings.widget("n_prior"))


def _beliefs(odds: Odds, prior: float) -> tuple[str, str]:
    least, most = (float(one) for one in odds.posterior(prior))  # type: ignore[arg-type]
    return at_least_percent(least), most_percent(most)


def _but(odds: Odds) -> str:
    return f", but for a chance of {plain(tiny(odds.failure))}" if odds.failure else ""


def _second(now: Visit, low: str) -> str:
    what = "is in the data"
    if now.neighbours is Neighbours.REPLACE_ONE:
        what = "has a certain value and not another"
    if now.look.phone:
        return f"At least {plain(low)}, even for those who know everybody else."
    return (
        f"Somebody who knows everybody else and suspects that one person {what} believes it "
        f"afterwards with at least {plain(low)}. What the others say about people in general, ε "
        "does not hide."
    )


def _reading(budget: Budget, odds: Odds) -> str:
    if isinstance(budget, PureDP):
        return "ε"
    if isinstance(budget, ApproxDP):
        return f"ε + ln 2, read from {budget}"
    return f"ρ + 2√(ρ ln 1/δ) = {odds.epsilon:.4g}, read at δ = {odds.failure:g}"
