"""Which figure the Papers page shows: in the link, in the visit, and in links of before."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dpviz.ui.kit import frame
from dpviz.ui.links import arriving
from dpviz.ui.papers.figures import BY_KEY, FIGURES
from dpviz.ui.visit import state

KEY = "fig"
GALLERY = ""
OLDER_VIEW = "Paper figures"  # the view of What if that the figures were in


def settle() -> str:
    """The key of the figure that is shown, or GALLERY; afterwards the link says so.

    Only a link that is opened, or the browser's back button, decides; clicks go through show.
    """
    texts = arriving.linked(KEY)
    asked = texts[0] if len(texts) == 1 else GALLERY
    arrived = KEY not in st.session_state.get("_papers_seen", ())
    if arriving.decides() or (arrived and texts):
        if asked in BY_KEY or not texts:
            show(asked)
        else:
            arriving.refuse(KEY)
    st.session_state["_papers_seen"] = (KEY,)
    return str(state.store().get(KEY, GALLERY))


def write(key: str) -> None:
    """Make the address say which figure is shown; the gallery is the bare address."""
    if key == GALLERY:
        if KEY in st.query_params:
            del st.query_params[KEY]
    elif arriving.linked(KEY) != [key]:
        st.query_params[KEY] = key


def show(key: str) -> None:
    """Show another figure, or the gallery, from the next run on."""
    state.put(KEY, key)


def figure_of_older_link(params: Mapping[str, str]) -> str | None:
    """The figure that a link to this view of What if asks for; None for a link to another view.

    Such a link names the paper by its widget's text and the figure by its title: "AQ Fig. 8: time".
    """
    if params.get("w_view") != OLDER_VIEW:
        return None
    papers = {row.paper.older: row.paper for row in FIGURES}
    paper = papers.get(params.get("w_paper", "Kaplan et al."))
    if paper is None:
        return GALLERY
    title = params.get(paper.older_widget, "")
    keys = [row.key for row in FIGURES if row.paper is paper and row.key in OLDER_TITLES]
    named = [key for key in keys if title == OLDER_TITLES.get(key)]
    return named[0] if named else "aq4" if paper.older == "Kaplan et al." else keys[0]


def forward() -> None:
    """On What if: lead a link to its former view Paper figures here, with its settings."""
    params = st.query_params.to_dict()
    key = figure_of_older_link(params)
    if key is None:
        return
    kept = {
        name: text for name, text in params.items() if name in KEPT or not name.startswith("w_")
    }
    show(key)
    frame.go("papers", query_params=kept | ({KEY: key} if key else {}))


# settings of a study that keep their keys
KEPT = ("w_study", "w_spatial_preset", "w_spatial_points", "w_improved", "w_counted")
OLDER_TITLES = {
    "aq1": "AQ Fig. 1: the recursion",
    "aq2": "AQ Fig. 2: an early error",
    "aq3": "AQ Fig. 3: the data sets",
    "aq4": "AQ Fig. 4: error, ε = 1",
    "aq5": "AQ Fig. 5: error, ε = 1, m ≤ 35",
    "aq6": "AQ Fig. 6: error, ρ = ½",
    "aq7": "AQ Fig. 7: error, ρ = ½, m ≤ 35",
    "aq8": "AQ Fig. 8: time",
    "psd2": "PSD Fig. 2: worst error by height",
    "psd3": "PSD Fig. 3: quadtree settings",
    "psd4": "PSD Fig. 4: private medians",
    "psd5": "PSD Fig. 5: kd-trees",
    "psd6": "PSD Fig. 6: the best of each family",
    "psd7a": "PSD Fig. 7a: construction time",
    "psd7b": "PSD Fig. 7b: record matching",
    "honaker1": "Honaker Fig. 1: a noisy tree",
    "honaker2": "Honaker Fig. 2: eight estimates",
    "honaker3": "Honaker Fig. 3: what t100* uses",
    "honaker4": "Honaker Fig. 4: simulation",
    "manohar1": "Manohar's first plot: income",
    "manohar2": "Manohar's second plot: age",
}
