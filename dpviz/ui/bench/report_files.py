"""What goes along with a release: its paragraph of methods, its files, the same question to OpenDP."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from dpviz.core.releases import ProfileRelease
from dpviz.core.trees.group_releases import GroupReleases
from dpviz.reports.label import groups_label, label
from dpviz.reports.notebook import groups_notebook, notebook, profile_notebook
from dpviz.reports.opendp import opendp
from dpviz.reports.page import groups_report, profile_report, report
from dpviz.reports.tables import profile_csv, release_csv
from dpviz.reports.words import Release, Told, paragraph
from dpviz.ui.kit.offers import Offer, offer_buttons

FURTHER = (
    "OpenDP is a library that was made for releases. It answers with mechanisms of its own: other "
    "numbers under the same promise, and a budget of their own."
)


def report_offers(
    release: Release | GroupReleases, told: Told, file: str
) -> tuple[Offer, Offer, Offer]:
    """A release's report and label, and the notebook that reads its JSON; file is their name."""
    makers: tuple[Callable[..., str], ...] = (label, report, notebook)
    if isinstance(release, GroupReleases):  # which spend a budget once together
        makers = groups_label, groups_report, groups_notebook
    card, page, book = makers
    small = Offer(
        "Privacy label",
        partial(card, release, told),
        f"{file}-label.html",
        "text/html",
        "One small card: whom it protects, by how much, who is trusted, and how exactly.",
    )
    book = partial(book, release, told, f"{file}.json")
    return _page(partial(page, release, told), file), small, _book(book, file)


def _page(page: Callable[[], str], file: str) -> Offer:
    said = "One page to print: paragraph, public picture and declarations of the release."
    return Offer("Report", page, f"{file}-report.html", "text/html", said)


def _book(book: Callable[[], str], file: str) -> Offer:
    said = "It reads the JSON beside it and draws the public pictures again."
    return Offer("Notebook", book, f"{file}.ipynb", "application/x-ipynb+json", said)


def release_files(release: Release, told: Told, file: str) -> tuple[Offer, ...]:
    """Everything that may leave of a release."""
    return (
        Offer("JSON", release.to_json, f"{file}.json", "application/json"),
        Offer("CSV", partial(release_csv, release), f"{file}.csv", "text/csv"),
        *report_offers(release, told, file),
    )


def profile_files(
    release: ProfileRelease, told: Mapping[str, Told], file: str
) -> tuple[Offer, ...]:
    """Everything that may leave of a release of several columns; told is by column."""
    page = partial(profile_report, release, told)
    book = partial(profile_notebook, release, told, f"{file}.json")
    return (
        Offer("JSON", release.to_json, f"{file}.json", "application/json"),
        Offer("CSV", partial(profile_csv, release), f"{file}.csv", "text/csv"),
        _page(page, file),
        _book(book, file),
    )


def paragraph_panel(release: Release, told: Told) -> None:
    """The paragraph of methods, and the question to OpenDP."""
    st.markdown("**The paragraph that goes with it**")
    st.code(paragraph(release, told), language=None, wrap_lines=True)
    with st.expander("The same question to OpenDP"):
        asked = opendp(release)
        st.caption(FURTHER if asked.lines else asked.reason)
        if asked.lines:
            st.code(asked.lines, language="python")


def report_panel(release: Release, told: Told, file: str) -> None:
    """The paragraph with the downloads of a release."""
    paragraph_panel(release, told)
    offer_buttons(release_files(release, told, file))
