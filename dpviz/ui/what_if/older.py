"""Links of former days: other names of views, axes and methods. They lead where they led."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.experiments.planning.sweeps import Axis
from dpviz.ui.kit.frame import label_of
from dpviz.ui.links import arriving
from dpviz.ui.what_if.swept_words import NAMES
from dpviz.ui.what_if.words import METHODS

VIEWS = {"w_view": {"Smallest ε": "answer", "Sweep": "sweep", "Which wins": "wins"}}
AXES = {
    "budget": Axis.BUDGET,
    "quantiles m": Axis.QUANTILES,
    "records n": Axis.RECORDS,
    "tree height": Axis.HEIGHT,
    "tree fanout": Axis.FANOUT,
}


def take_older_link() -> None:
    """Before any widget is drawn: what an older link says in the words of its day."""
    _take("w_axis", {text: NAMES[axis] for text, axis in AXES.items()})
    _take("w_mechanisms", {label_of(key): method.name for key, method in METHODS.items()})


def _take(key: str, today: Mapping[str, str]) -> None:
    texts = arriving.linked(key)
    if key in st.session_state or not any(text in today for text in texts):
        return
    arriving.say_anew(key, [today.get(text, text) for text in texts])
