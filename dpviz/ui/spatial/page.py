"""What all views of the Map page are handed: the methods that are drawn, and the truth."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpviz.core.bounds import Box
from dpviz.core.data import Points
from dpviz.core.errors import DpvizError
from dpviz.counts.exact import ExactCells
from dpviz.counts.point_index import PointIndex
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.barrier import noise_barrier
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.messages import empty_state, plain, problem
from dpviz.ui.spatial.cells import Drawn, drawn_method
from dpviz.ui.spatial.methods import MapChoice

PREFIX = "m_"


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The points, sorted once, and how many lie in the cells of each release. Confidential."""

    points: Points

    @property
    def index(self) -> PointIndex:
        """The points sorted for counting in rectangles."""
        key = ("index", self.points.fingerprint)
        return memory.remembered(key, lambda: PointIndex.of(self.points))

    def cells(self, one: Drawn) -> ExactCells:
        """Exact counts of a method's cells, counted once a release."""
        key = ("exact", self.points.fingerprint, one.key)
        return memory.remembered(key, lambda: ExactCells.of(one.release, self.index))


@dataclass(frozen=True, slots=True, eq=False)
class MapPage:
    """The chosen methods on the points; shown leaves out those that refused.

    truth is None while it is hidden.
    """

    choice: MapChoice
    points: Points
    draw: Draw
    shown: list[Drawn]
    truth: Truth | None

    @classmethod
    def of(cls, choice: MapChoice, points: Points, draw: Draw) -> MapPage:
        """The releases of a draw; a method that refuses says why, the others go on."""
        truth = Truth(points) if session.shows_truth() else None
        shown = []
        for name in choice.methods:
            if "not private" in name and truth is None:
                empty_state(f"{plain(name)}: it draws the truth, so it is hidden with it.")
                continue
            try:
                with st.spinner(name if truth is None else f"{name}: {points.n:,} records"):
                    shown.append(drawn_method(name, choice, points, draw))
            except DpvizError as error:
                problem(f"{name}: {error}")
        return cls(choice, points, draw, shown, truth)

    @property
    def box(self) -> Box:
        """The declared box."""
        return self.points.box

    def barrier(self) -> None:
        """The noise barrier, as far as a budget stands between."""
        private = [one for one in self.shown if one.release.spent is not None]
        if not private:
            return
        counts = " + ".join(f"{one.noisy_counts:,}" for one in private)
        noise_barrier(
            self.points,
            self.choice.budget,
            f"{counts} noisy counts",
            shows_truth=self.truth is not None,
            spent="spent once" if len(private) == 1 else "once by each",
        )

    def warn_of_references(self) -> None:
        """Say which methods protect nobody."""
        marked = [plain(one.name) for one in self.shown if one.release.non_private]
        if marked:
            st.warning(f"Not private: {', '.join(marked)}.", icon=":material/warning:")
