"""The page that an outsider sees: its dock, the card of what is released, and the way back."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from dpviz.core.budgets import Neighbours
from dpviz.core.releases import SECURE, SEEDED
from dpviz.reports.words import kept_of
from dpviz.ui import visitor
from dpviz.ui.bench import ledger
from dpviz.ui.bench.budget import LABELS, stops
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.kit import draws, frame
from dpviz.ui.kit.account.ledger import total_of
from dpviz.ui.kit.draws import NotAsked
from dpviz.ui.visit import data, state
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.fields import SEEDS
from dpviz.ui.visit.page import Visit

OFF = "Off: this is the page an outsider sees."
DRAWN = "Drawn from"  # the row of a card that says whether a release protects anybody
DRAWN_FROM = {
    SECURE: "secure bits under a secret key (AES-256); exact in the program",
    SEEDED: "a seed, so that anybody can repeat it: to learn from, it protects nobody",
}
BOOKED = "A draw is booked when it is made, for good, whatever becomes of it."
HEAD = 1_200  # characters of a release's JSON that are shown: some hold 87,000 counts


@contextmanager
def release_dock(now: Visit) -> Iterator[Dock]:
    """The dock without a slider: the switch, the ledger, what the page adds, and Reveal."""
    with dock(now, sliders=0) as found:
        found.truth()
        if not found.folds:
            found.buttons.markdown(OFF, width="content")
        ledger.in_dock(found)
        yield found
        if not now.presenting:
            with found.popovers if not found.folds else found.buttons:
                st.button(
                    "Reveal" if found.folds else "Reveal (teaching only)",
                    key="reveal",
                    icon=":material/visibility:",
                    on_click=_reveal,
                )


def _reveal() -> None:
    state.put(visits.truth_key(), True)


def publish(now: Visit) -> None:
    """A budget that is chosen first and spent on demand: another release of the same people."""
    key = "rho" if state.get("notion") == "zcdp" else "eps"
    staged = f"again_{key}"
    value = now.rho if key == "rho" else now.epsilon
    options, kept = stops(value), visitor.get(staged, value)
    # set at every run: a browser that missed the first one would start at the first stop
    visitor.put(staged, kept if kept in options else value)
    st.select_slider(LABELS[key], options, format_func="{:g}".format, key=staged)

    def spend() -> None:
        draws.ask_now()
        state.put(key, float(visitor.held(staged)))
        state.put("seed", (int(state.get("seed")) + 1) % SEEDS)

    st.button("Spend and publish", key="publish", icon=":material/publish:", on_click=spend)
    st.caption("Every release about the same people spends its budget; budgets add up.")


def ask_button(waits: NotAsked, key: str = "draw_now") -> str:
    """The button that draws what waits, with its cost, which is returned: nothing is drawn before."""
    replaced = data.relation() is Neighbours.REPLACE_ONE
    cost = str(total_of(list(waits.waiting.values()), replaced=replaced))
    st.button(
        f"Draw, {cost}",
        key=key,
        type=frame.emphasis(),
        icon=":material/casino:",
        on_click=waits.ask,
        help=BOOKED,
    )
    return cost


@dataclass(frozen=True, slots=True)
class Taken:
    """A release to take away: its JSON, worked out when it is asked for, and its file."""

    text: Callable[[], str]
    file: str


def release_card(
    title: str,
    rows: Sequence[tuple[str, str]],
    taken: Taken | None,
    *,
    private: str = "",
    colour: str = "inherit",
) -> None:
    """Everything about a release that may be known, row by row; texts are plain.

    private is a number in the rows, drawn in the colour of published numbers.
    """
    with st.container(border=True, key="release_card"):
        st.html(f"<h2>{html.escape(title)}</h2>{card_table(rows, private, colour)}")
        if taken is None:
            return
        with st.container(horizontal=True):
            with st.popover("JSON", icon=":material/data_object:", key="pop_json"):
                text = taken.text()
                st.code(text[:HEAD] + (" …" if len(text) > HEAD else ""), language="json")
            st.download_button(
                "Download",
                text,
                taken.file,
                "application/json",
                key=f"card_{taken.file}",
                icon=":material/download:",
                on_click="ignore",
            )


def which_rows(relation: str) -> str:
    """The relation with what counts of a person who has several rows; as it is for all others."""
    rows = data.person_rows()
    return relation if rows is None else f"{relation}, with all rows; {kept_of(rows)}"


def card_table(rows: Sequence[tuple[str, str]], private: str = "", colour: str = "inherit") -> str:
    """Rows of words and what they say as an HTML table, every text escaped."""
    cells = []
    for words, said in rows:
        text = html.escape(said)
        if private:  # the number itself, and no digits within others
            number = html.escape(private)
            alone = rf"(?<![\w.,-]){re.escape(number)}(?!\w|[.,]\d)"
            text = re.sub(alone, f"<b style='color:{colour}'>{number}</b>", text, count=1)
        cells.append(f"<tr><th scope='row'>{html.escape(words)}</th><td>{text}</td></tr>")
    return f"<table>{''.join(cells)}</table>"
