"""The views of the Map page, by their names in links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpviz.core.data.grid_counts import Plane
from dpviz.core.data.points import Points
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.kit.messages import problem
from dpviz.ui.spatial.asked import SHOWN, Asked
from dpviz.ui.spatial.downloads import take_panel
from dpviz.ui.spatial.matching import matching_panel
from dpviz.ui.spatial.node import node_panel
from dpviz.ui.spatial.page import MapPage
from dpviz.ui.spatial.show import map_panel
from dpviz.ui.spatial.studies import compared_panel, medians_panel
from dpviz.ui.visit.page import Visit

COUNTED = "A table is counted on a grid and never read; hand in a file of points for this view."

SHARED = (
    "Rows that share one person are counted as parts on a grid; on the Data page let at most so "
    "many rows of each person count."
)


@dataclass(frozen=True, slots=True)
class PageView:
    """A view of the map; its panel draws everything from the headline to the strip.

    hidden is the headline in its place while the truth that it needs is hidden; empty if it needs
    none. A view that needs_cells says why where every chosen method refused, and one that
    needs_points does where they are counts on a grid.
    """

    panel: Callable[[MapPage, Asked, Visit], None]
    hidden: str = ""
    needs_cells: bool = True
    needs_points: bool = False

    def draws(self, points: Plane, *, truth: bool) -> bool:
        """Whether the view looks at releases of these points at all."""
        is_hidden = bool(self.hidden) and not truth
        needs_others = self.needs_points and not isinstance(points, Points)
        return self.needs_cells and not (is_hidden or needs_others)

    def show(self, page: MapPage, asked: Asked, now: Visit) -> None:
        """Raises: DpvizError as the mechanisms and studies do."""
        if self.hidden and page.truth is None:
            headline("Map", self.hidden, "Show the truth to see it, or choose another view.")
            strip(now, [], badge=True)
        elif self.needs_points and not isinstance(page.points, Points):
            headline("Map", "This view needs each point apart.", why_counted())
            strip(now, [], badge=page.truth is not None)
        elif self.needs_cells and not page.shown:
            headline("Map", "No map was made.", "Choose another method, or another budget.")
            for text in page.refused:
                problem(text)
        else:
            self.panel(page, asked, now)


def why_counted() -> str:
    """Why there are counts on a grid, and what to do for points."""
    return COUNTED if session.is_counted() else SHARED


VIEWS = {
    "map": PageView(map_panel),
    "node": PageView(node_panel),
    "compare": PageView(
        compared_panel,
        "Errors compare with the truth: hidden.",
        needs_cells=False,
        needs_points=True,
    ),
    "medians": PageView(medians_panel, needs_cells=False),
    "matching": PageView(
        matching_panel,
        "What is compared depends on both sides' people: hidden.",
        needs_points=True,
    ),
    "take": PageView(take_panel),
}
assert set(VIEWS) == set(SHOWN)
