"""The views of the Map page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dpviz.ui.kit.views import View, nothing
from dpviz.ui.spatial.downloads import map_download_panel
from dpviz.ui.spatial.look import look_picker
from dpviz.ui.spatial.matching import matching_intro, matching_panel
from dpviz.ui.spatial.node import node_panel
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.panel import map_panel
from dpviz.ui.spatial.studies import compare_picker, compared_panel, medians_panel


@dataclass(frozen=True, slots=True)
class PageView(View):
    """A view of the map: controls and panel take a MapPage, the panel also what was asked for.

    hidden stands in the panel's place while the truth that it needs is hidden. A view that
    needs_cells is left out where every chosen method refused.
    """

    hidden: str = ""
    needs_cells: bool = True

    def show(self, page: MapPage) -> None:
        """Raises: DpvizError as the mechanisms and studies do."""
        if self.needs_cells and not page.shown:
            return
        asked: Any = self.controls(page)
        if self.needs_truth and page.truth is None:
            st.caption(self.hidden)
        else:
            self.panel(page, asked)


VIEWS = (
    PageView("Map", look_picker, map_panel),
    PageView("Node", nothing, node_panel),
    PageView(
        "Compare",
        compare_picker,
        compared_panel,
        needs_truth=True,
        hidden="Errors compare with the truth: hidden.",
        needs_cells=False,
    ),
    PageView("Medians", nothing, medians_panel, needs_cells=False),
    PageView(
        "Matching",
        matching_intro,
        matching_panel,
        needs_truth=True,
        hidden="What is compared depends on both sides' records: hidden.",
    ),
    PageView("Download", nothing, map_download_panel),
)
