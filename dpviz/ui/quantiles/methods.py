"""The page's one method, and those it is compared with: kept for the visit, and in links.

Links name methods by their labels, as they always did. One that names several compares them; one
that names a single method shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz import catalogue
from dpviz.core.budgets import Budget
from dpviz.core.card import PROMISES
from dpviz.core.errors import UnsupportedBudget
from dpviz.ui.kit.frame import label_of
from dpviz.ui.links import arriving
from dpviz.ui.visit import folded, state
from dpviz.ui.visit import page as visits

METHOD, COMPARED = "method", "mechanisms"  # in links
MOST = 4  # panels that stand side by side
HALVING = "ApproximateQuantiles"


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
    """The method of the picture."""
    return str(state.store().get(f"q_{METHOD}", HALVING))


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


def write_link() -> None:
    """Make the address name the methods where they are not those of the start."""
    alone = [] if method() == HALVING else [label_of(method())]
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
