"""The page's one method, and those it is compared with: kept for the visit, and in links.

Links name methods by their labels, as they always did. One that names several compares them; one
that names a single method shows it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress

import streamlit as st

from dpviz import catalogue
from dpviz.answers.markup import plain
from dpviz.answers.number_text import counted
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.card import PROMISES
from dpviz.core.errors import DpvizError, UnsupportedBudget
from dpviz.core.quantiles import parse_quantiles
from dpviz.experiments.planning.beforehand import FINE
from dpviz.experiments.planning.recommend import SIMPLEST, recommended
from dpviz.ui.kit import choices, session
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.pickers import MOST_QUANTILES, OWN, SETS, UNIFORM
from dpviz.ui.links import arriving
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits

METHOD, COMPARED = "method", "mechanisms"  # in links
MOST = 4  # panels that stand side by side
HALVING = SIMPLEST
RECOMMENDED = "_q_recommended"
OWN_FIRST = "0.01, 0.5, 0.99"
MANY_TIMES = 10.0
MANY_STEPS = 2.0**53
USUAL = 0.1  # ε of the general recommendation


def _words() -> dict[str, str]:
    """What every method of the catalogue is called, by its name."""
    return {kind.name: kind.card.words for kind in catalogue.QUANTILES}


def in_words(name: str) -> str:
    """What a method is called before its short name: "recursive halving"."""
    return _words().get(name, label_of(name))


def heading(name: str) -> str:
    """The name at the start of a sentence: "Recursive halving"."""
    return in_words(name)[:1].upper() + in_words(name)[1:]


def method() -> str:
    """The method of the picture: chosen, or what was recommended when its question was first asked."""
    return str(state.store().get(f"q_{METHOD}", st.session_state.get(RECOMMENDED, HALVING)))


def settle(budget: Budget) -> None:
    """Recommend a method for the question in use, once: it stays while others move.

    Neither a budget that moves nor a number of people that is declared changes what is on screen.
    """
    asked = _question()
    about = (session.scope(), state.get("notion"), asked[0], asked[2])
    kept: dict[Hashable, str] = st.session_state.setdefault("_q_recommendations", {})
    if about not in kept:
        kept[about] = recommended(*asked[:2], budget, asked[2]).method
    st.session_state[RECOMMENDED] = kept[about]


def _question() -> tuple[int, float | None, float | None]:
    """How many quantiles, of about how many people, among how many values: declared and public."""
    return _count(), session.declared("size"), steps_in_use()


def steps_in_use() -> float | None:
    """How many values the declared bounds and resolution allow; None for any number of them."""
    low, high, step = (session.declared(name) for name in ("low", "high", "resolution"))
    if low is None or high is None or not step or high <= low:
        return None
    steps = high / step - low / step
    return steps + 1 if steps < MANY_STEPS else None


def _count() -> int:
    chosen = choices.expected("set", [*SETS, UNIFORM, OWN], "deciles")
    if chosen in SETS:
        return int(SETS[chosen].size)
    if chosen == UNIFORM:
        return int(choices.expected("m", [str(m) for m in range(1, MOST_QUANTILES + 1)], "15"))
    text = st.session_state.get("own") or next(iter(arriving.linked("own")), OWN_FIRST)
    with suppress(DpvizError):
        return parse_quantiles(str(text)).size
    return 1


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


def recommendation(budget: Budget) -> tuple[str, str]:
    """The method for the question in use, and in words its condition and the method that is next."""
    count, people, steps = _question()
    found = recommended(count, people, budget, steps)
    who = "people" if people is None else f"about {people:,.0f} {session.words().people.many}"
    among = "" if steps is None else f", {steps:,.0f} possible values"
    told = f"For {counted(count, 'quantile')} of {who}{among} at {budget}: {in_words(found.method)}"
    if not found.next_one:
        return found.method, f"{told}."
    other = in_words(found.next_one)
    if found.times is None:
        return found.method, f"{told}; {other} comes next."
    told += "" if found.count == count else f", as for {counted(found.count, 'quantile')}"
    if found.is_level:
        return found.method, f"{told}; {other} is level with it."
    times = "more than ten" if found.times > MANY_TIMES else f"{found.times:.1f}"
    return found.method, f"{told}; {other} errs {times} times as much."


def compared() -> list[str]:
    """The methods that are compared, in the catalogue's order."""
    chosen = state.store().get(f"q_{COMPARED}", list(_words())[:MOST])
    return [name for name in _words() if name in chosen]


def choose(name: str) -> None:
    """Let the picture be about another method."""
    state.put(f"q_{METHOD}", name)


def choose_several(names: Sequence[str]) -> None:
    """Compare these methods; nothing chosen changes nothing."""
    if names:
        state.put(f"q_{COMPARED}", list(names)[:MOST])


def open_alone(name: str) -> None:
    """Show a method that was compared by itself."""
    choose(name)
    visits.show_view("quantiles", "picture")


def take_link() -> None:
    """Take over what the link says, when it is opened."""
    if st.session_state.get("_q_methods") and not arriving.decides():
        return
    st.session_state["_q_methods"] = True
    _take(METHOD)
    several = _take(COMPARED)
    if several and not arriving.linked("view"):
        visits.show_view("quantiles", "compare" if len(several) > 1 else "picture")


def _take(key: str) -> list[str]:
    texts = arriving.linked(key)
    named = {label_of(name): name for name in _words()} | {name: name for name in _words()}
    found = [named[text] for text in texts if text in named]
    if texts and (len(found) < len(texts) or len(set(found)) < len(found)):
        arriving.refuse(key)
        return []
    if len(found) == 1:
        choose(found[0])
    elif found:
        choose_several(found)
    return found


def write_link(budget: Budget) -> None:
    """Make the address name the methods where they are not those that it would start with."""
    count, people, steps = _question()
    usual = recommended(count, people, budget, steps).method
    alone = [] if method() == usual else [label_of(method())]
    several = compared()
    if several == list(_words())[:MOST] or len(several) == 1:
        several = []
    for key, texts in ((METHOD, alone), (COMPARED, [label_of(name) for name in several])):
        if list(arriving.linked(key)) == texts:
            continue
        if texts:
            st.query_params[key] = texts
        elif key in st.query_params:
            del st.query_params[key]


def takes(name: str, budget: Budget) -> bool:
    """Whether a method has a release for such a budget, with its own parameters."""
    kinds = {kind.name: kind for kind in catalogue.QUANTILES}
    try:
        kinds[name]().check(budget, [0.5])
    except UnsupportedBudget:
        return False
    return True


def promised(name: str) -> str:
    """What a method can promise, in words."""
    cards = {kind.name: kind.card for kind in catalogue.QUANTILES}
    return " or ".join(PROMISES[one] for one in cards[name].promises)


def method_select(budget: Budget, key: str = METHOD) -> None:
    """The choice of the method that the picture is about."""
    if folded.is_closed():
        return

    def named(name: str) -> str:
        said = f"{heading(name)} ({label_of(name)})"
        return said if takes(name, budget) else f"{said}: takes {promised(name)} alone"

    st.selectbox(
        "Method",
        list(_words()),
        format_func=named,
        help="Each method spends the whole budget in a release of its own; in practice one would "
        "choose one. The cards are on the Methods page.",
        **state.widget(key, method(), choose),
    )
    st.caption(plain(recommendation(budget)[1]))


def compared_pills() -> None:
    """The choice of the methods that are compared."""
    st.pills(
        "Compared",
        list(_words()),
        selection_mode="multi",
        format_func=heading,
        help="Each one spends the whole budget. The truth ranks them, so the ranking is "
        "confidential.",
        wrap=True,
        **state.widget(COMPARED, compared(), choose_several),
    )
