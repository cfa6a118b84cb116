"""The page's one method, and those it is compared with: kept for the visit, and in links.

Links name methods by their labels, as they always did. One that names several compares them; one
that names a single method shows it.
"""

from collections.abc import Hashable, Sequence

import streamlit as st

from dpviz import catalogue
from dpviz.answers.number_text import counted
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.card import PROMISES
from dpviz.core.errors import UnsupportedBudget
from dpviz.experiments.planning.beforehand import FINE
from dpviz.experiments.planning.recommend import SIMPLEST, recommended
from dpviz.mechanisms.quantiles.protocol import QuantileKind
from dpviz.ui.kit import session
from dpviz.ui.kit.frame import label_of
from dpviz.ui.links import arriving
from dpviz.ui.model.fields import Values, reads_link
from dpviz.ui.quantiles import wanted
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state

METHOD, COMPARED = "method", "mechanisms"  # in links
MOST = 4  # panels that stand side by side
HALVING = SIMPLEST
RECOMMENDED = "q_recommended"
MANY_TIMES = 10.0
MANY_STEPS = 2.0**53
USUAL = 0.1  # ε of the general recommendation


def labels() -> dict[str, str]:
    """What links call every method of the catalogue, by its name."""
    return {kind.name: label_of(kind.name) for kind in catalogue.QUANTILES}


def kind_of(name: str) -> QuantileKind:
    """The catalogue's row of a method. Raises: KeyError for a name without a row."""
    return {kind.name: kind for kind in catalogue.QUANTILES}[name]


def in_words(name: str) -> str:
    """What a method is called before its short name: "recursive halving"."""
    words = {kind.name: kind.card.words for kind in catalogue.QUANTILES}
    return words.get(name, label_of(name))


def heading(name: str) -> str:
    """The name at the start of a sentence: "Recursive halving"."""
    return in_words(name)[:1].upper() + in_words(name)[1:]


def used(values: Values) -> Sequence[str]:
    """The methods behind the view in use; none where its own settings change nothing."""
    view = values["view"]
    if view == "compare" and session.shows_truth():
        return tuple(values[COMPARED])
    if view in {"profile", "bins"}:
        return ()
    return (HALVING if view in {"recursion", "column"} else values[METHOD],)


def is_one(values: Values) -> bool:
    """Whether the release of one chosen method is shown: without the truth there is no comparison."""
    return values["view"] == "picture" or (
        values["view"] == "compare" and not session.shows_truth()
    )


def at_first(values: Values) -> str:
    """What was recommended when the question in use was first asked: it stays while others move.

    Neither a budget that moves nor a number of people that is declared changes what is on screen.
    """
    count, _, steps = _question(values)
    about = (session.scope(), state.get("notion"), count, steps)
    kept: dict[Hashable, str] = state.store().setdefault(RECOMMENDED, {})
    if about not in kept:
        kept[about] = recommended_now(values)
    return kept[about]


def recommended_now(values: Values) -> str:
    """The method for the question and the budget in use, which a link opens with that names none."""
    count, people, steps = _question(values)
    return recommended(count, people, values["budget"], steps).method


def _question(values: Values) -> tuple[int, float | None, float | None]:
    """How many quantiles, of about how many people, among how many values: declared and public."""
    return wanted.count(values), session.declared("size"), steps_in_use()


def steps_in_use() -> float | None:
    """How many values the declared bounds and resolution allow; None for any number of them."""
    low, high, step = (session.declared(name) for name in ("low", "high", "resolution"))
    if low is None or high is None or not step or high <= low:
        return None
    steps = high / step - low / step
    return steps + 1 if steps < MANY_STEPS else None


def in_general() -> tuple[str, str]:
    """The method for nine deciles of any numbers, and what would change that, in words."""
    budget = PureDP(USUAL)
    few, many = (recommended(count, FINE, budget, None).method for count in (9, 99))
    fine = recommended(9, FINE, budget, 100).method
    told = f"For 9 quantiles of about {FINE:,} people at {budget}: {in_words(few)}"
    others = [
        f"{when} {in_words(one)}"
        for when, one in (("for 99", many), ("for columns of 100 values", fine))
        if one != few
    ]
    return few, "; ".join([told, *others]) + "."


def recommendation(values: Values) -> str:
    """The method for the question in use, in words, its condition and the method that is next."""
    count, people, steps = _question(values)
    budget: Budget = values["budget"]
    found = recommended(count, people, budget, steps)
    who = "people" if people is None else f"about {people:,.0f} {session.words().people.many}"
    among = "" if steps is None else f", {steps:,.0f} possible values"
    told = f"For {counted(count, 'quantile')} of {who}{among} at {budget}: {in_words(found.method)}"
    if not found.next_one:
        return f"{told}."
    other = in_words(found.next_one)
    if found.times is None:
        return f"{told}; {other} comes next."
    told += "" if found.count == count else f", as for {counted(found.count, 'quantile')}"
    if found.is_level:
        return f"{told}; {other} is level with it."
    times = "more than ten" if found.times > MANY_TIMES else f"{found.times:.1f}"
    return f"{told}; {other} errs {times} times as much."


def named(name: str, values: Values) -> str:
    """What the list of methods calls one, and why it has no release under this budget."""
    said = f"{heading(name)} ({label_of(name)})"
    if takes(name, values["budget"]):
        return said
    promised = " or ".join(PROMISES[one] for one in kind_of(name).card.promises)
    return f"{said}: takes {promised} alone"


def takes(name: str, budget: Budget) -> bool:
    """Whether a method has a release for such a budget, with its own parameters."""
    try:
        kind_of(name)().check(budget, [0.5])
    except UnsupportedBudget:
        return False
    return True


def open_alone(name: str) -> None:
    """Show a method that was compared by itself."""
    state.put(f"q_{METHOD}", name)
    visits.show_view("quantiles", "picture")


def view_of_link() -> None:
    """The view that a link opens which names methods and no view: one shows it, several compare."""
    several = arriving.linked(COMPARED)
    if not several or arriving.linked("view") or not reads_link("quantiles"):
        return
    found = {label: name for name, label in labels().items()}
    if len(several) > 1:
        visits.show_view("quantiles", "compare")
    elif several[0] in found:
        open_alone(found[several[0]])
        del st.query_params[COMPARED]
