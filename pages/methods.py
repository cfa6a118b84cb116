"""Methods: every mechanism and estimator with its guarantee, cost and source; and the glossary."""

import pandas as pd
import streamlit as st

from dpviz import catalogue
from dpviz.ui.kit import choices, frame
from dpviz.ui.kit.glossary import GLOSSARY
from dpviz.ui.visit import page as visits

frame.guard()
visits.open_page("methods")
frame.title(
    "Methods",
    "Every mechanism and estimator: what it promises, costs, and is good for.",
    has_data=False,
)

cards = catalogue.cards()
families = list(dict.fromkeys(card.family for card in cards))
shown = choices.segments(
    "Show",
    [*families, "Glossary"],
    "methods_family",
    label_visibility="collapsed",
    persist_state=None,
    wrap=True,
)

if shown == "Glossary":
    for term, meaning in GLOSSARY:
        st.markdown(f"**{term}**  \n{meaning}")
else:
    cards = [card for card in cards if card.family == shown]
    overview = pd.DataFrame(
        {
            "Method": [card.title for card in cards],
            "Guarantee": [card.guarantee for card in cards],
            "Good for": [card.good_for for card in cards],
        }
    )
    st.table(overview, hide_index=True)
    for card in cards:
        with st.container(border=True):
            st.subheader(card.title, anchor=card.key)
            st.markdown(card.summary)
            st.markdown(
                f"- **Guarantee:** {card.guarantee}\n"
                f"- **Neighbours:** {card.neighbours}\n"
                f"- **Cost:** {card.cost}\n"
                f"- **Good for:** {card.good_for}\n"
                f"- **Watch out:** {card.watch_out}\n"
                f"- **Source:** {card.source}\n"
                f"- **In code:** `{card.key}` ({card.role})"
            )
