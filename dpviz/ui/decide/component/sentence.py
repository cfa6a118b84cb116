"""The sentence as one component of native controls: Python says the words, the browser sets them.

All words travel together, so that two quick changes both arrive. What the browser tells is text
that the rows of the page read, as they read a link: nothing of it is taken on trust.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import streamlit as st

from dpviz.figures.decide.sentence import HTML, Amount, Choice, Sentence, payload, script, style


@cache
def _component(kind: str) -> Any:
    """The sentence as the heading of its page (h1), or as a line (p)."""
    return st.components.v2.component(
        f"dpviz_sentence_{kind}",
        html=HTML.format(kind),
        css=style(),
        js=f"{script()}export default sentenceIn;\n",
        isolate_styles=False,  # the heading of the page is one of the document
    )


def sentence(
    key: str,
    said: Sentence,
    on_words: Callable[[Mapping[str, str], str], None],
    *,
    present: bool = False,
    ways: Mapping[str, Any] | None = None,
    on_near: Callable[[str], None] = lambda _: None,
) -> Any:
    """Draw it, and the row of ways below it; returns the name of the way that was clicked.

    on_words gets the texts of the words that changed, and the name of the last one; on_near what
    was clicked of the other things to ask for.
    """
    held: dict[str, Any] = st.session_state.setdefault(f"_held_{key}", {"turn": 0, "agreed": None})
    names = [part.name for part in said.parts if isinstance(part, Choice | Amount)]
    values = {name: said.values.get(name, "") for name in names}
    if held["agreed"] != values:  # somebody else than the sentence has changed a value
        held["agreed"], held["sent"], held["turn"] = values, values, held["turn"] + 1

    def told() -> None:
        found = heard((st.session_state.get(key) or {}).get("words"), held["turn"], names)
        if found is None:
            return
        words, touched = found
        changed = {name: text for name, text in words.items() if text != held["agreed"].get(name)}
        if touched in words:
            changed.setdefault(touched, words[touched])
        held["agreed"] = {**held["agreed"], **changed}
        on_words(changed, touched)

    def went() -> None:
        way = (st.session_state.get(key) or {}).get("way")
        if way is not None and way in said.near:
            on_near(way)

    data = payload(said, held["sent"], held["turn"], present=present, ways=ways)
    found = _component("p" if said.small else "h1")(
        key=key, data=data, on_words_change=told, on_way_change=went
    )
    return found.way


def heard(message: object, turn: int, names: Sequence[str]) -> tuple[dict[str, str], str] | None:
    """The words that the browser tells of a turn, and which was set last; None for anything else."""
    if not isinstance(message, dict) or message.get("turn") != turn:
        return None
    touched, values = message.get("touched"), message.get("values")
    if touched not in names or not isinstance(values, dict):
        return None
    return {name: str(values[name]) for name in names if name in values}, str(touched)
