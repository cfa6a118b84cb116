"""The views below the cards of the Quantiles page."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from dpviz.figures.quantiles.cdf import cdf_figure
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.offers import Group, download_panel
from dpviz.ui.kit.views import View, nothing, view_picker
from dpviz.ui.quantiles.cards import quantile_table
from dpviz.ui.quantiles.comparison import Shown
from dpviz.ui.quantiles.downloads import NOTE, release_offers
from dpviz.ui.quantiles.mechanisms import Settings
from dpviz.ui.quantiles.recursion import recursion_panel
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.quantiles.reproduce import python_lines
from dpviz.ui.quantiles.synthetic import synthetic_panel


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """What every view is handed: the releases, their settings, and the span of the CDF above."""

    shown: list[Shown]
    settings: Settings
    asked: Question
    span: tuple[float, float]


def _downloads(page: Page) -> None:
    bounds, unit, ink = page.asked.column.bounds, session.unit(), frame.ink()

    def draw() -> go.Figure:  # outside the run of the page, where no session can be asked
        curves = [one.curve(public=True) for one in page.shown]
        return cdf_figure(curves, None, bounds, ink, view=page.span, unit=unit)

    offers = release_offers([one.timed.release for one in page.shown], draw)
    lines = python_lines([one.mechanism for one in page.shown], page.asked)
    download_panel(NOTE, [Group(offers)], lines)


VIEWS = (
    View("Table", nothing, lambda page: quantile_table(page.shown, page.asked)),
    View("Recursion tree", nothing, lambda page: recursion_panel(page.shown, page.asked)),
    View("Synthetic column", nothing, lambda page: synthetic_panel(page.asked, page.settings)),
    View("Download and code", nothing, _downloads),
)


def details_panel(page: Page) -> None:
    """One of the views, as the visitor chooses."""
    view_picker(VIEWS, "detail", "Details").panel(page)
