"""The glossary in the page's head, and terms that open where they stand."""

from html import escape

import streamlit as st

from dpviz.lessons.glossary import GLOSSARY, MEANING
from dpviz.ui.visit import folded

LABEL = f"Glossary, {len(GLOSSARY)} words"
ICON = ":material/menu_book:"


def panel(*terms: str) -> None:
    """The terms with their meanings, all of them by default; in a popover of the page's choice.

    Raises: KeyError for a term that is not in the glossary.
    """
    entries = "".join(
        f'<dt style="font-weight:600">{escape(term)}</dt>'
        f'<dd style="margin:0 0 12px;line-height:1.45">{escape(MEANING[term])}</dd>'
        for term in terms or MEANING
    )
    st.html(f'<dl style="margin:0;max-height:min(56vh,480px);overflow:auto">{entries}</dl>')


def on_every_page() -> None:
    """The whole glossary in the page's head, beside the menu."""
    with (
        st.container(key="words"),
        folded.popover("Words", type="tertiary", icon=ICON, key="pop_words"),
    ):
        if not folded.is_closed():
            panel()


def term(name: str, key: str, label: str = "") -> None:
    """A word that opens its entry where it stands; label is how it is written there.

    Raises: KeyError for a term that is not in the glossary.
    """
    word(label or name, MEANING[name], key)


def word(label: str, meaning: str, key: str) -> None:
    """A word that opens a plain explanation where it stands."""
    with st.popover(label, type="tertiary", key=key), st.container(width=360):
        st.markdown(f"**{label}.** {meaning}")
