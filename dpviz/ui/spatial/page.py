"""What all views of the Map page are handed: the methods that are drawn, and the truth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

from dpviz.core.bounds import Box
from dpviz.core.data.grid_counts import Plane
from dpviz.core.errors import DpvizError
from dpviz.counts.exact import ExactCells
from dpviz.counts.grid_index import Index, index_of
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import Draw, wait_for_all
from dpviz.ui.spatial.cells import Drawn, drawn_method, wait_for
from dpviz.ui.spatial.methods import MapChoice, method_of

PREFIX = "m_"


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The points, sorted once, and how many lie in the cells of each release. Confidential."""

    points: Plane

    @property
    def index(self) -> Index:
        """The points sorted for counting in rectangles."""
        key = ("index", self.points.fingerprint)
        return memory.public(self.points, key, lambda: index_of(self.points))

    def cells(self, one: Drawn) -> ExactCells:
        """Exact counts of a method's cells, counted once a release."""
        key = ("exact", self.points.fingerprint, one.key)
        return memory.public(self.points, key, lambda: ExactCells.of(one.release, self.index))


@dataclass(frozen=True, slots=True, eq=False)
class MapPage:
    """The chosen methods on the points; shown leaves out those that refused.

    truth is None while it is hidden. refused says in plain text what is left out, and why.
    """

    choice: MapChoice
    points: Plane
    draw: Draw
    shown: list[Drawn]
    truth: Truth | None
    refused: tuple[str, ...] = ()

    @classmethod
    def of(cls, choice: MapChoice, points: Plane, draw: Draw, *, draws: bool = True) -> MapPage:
        """The releases of a draw; a method that refuses says why, the others go on.

        draws is false for views that look at no release.
        Raises: NotAsked for those of a file that nobody has asked for, together.
        """
        truth = Truth(points) if session.shows_truth() else None
        if not draws:
            return cls(choice, points, draw, [], truth)
        wait_for_all(partial(wait_for, name, choice, points, draw) for name in choice.methods)
        shown, refused = [], []
        for name in choice.methods:
            if not method_of(name).private and truth is None:
                refused.append(f"{name}: it draws the truth, so it is hidden with it.")
                continue
            try:
                with st.spinner(name if truth is None else f"{name}: {points.n:,} people"):
                    shown.append(drawn_method(name, choice, points, draw))
            except DpvizError as error:
                refused.append(f"{name}: {error}")
        return cls(choice, points, draw, shown, truth, tuple(refused))

    @property
    def box(self) -> Box:
        """The declared box."""
        return self.points.box

    @property
    def unprotected(self) -> list[str]:
        """The names of shown methods that protect nobody, with what of them is exact."""
        return [
            f"{one.name}: its {' and '.join(one.release.non_private)} "
            f"{'is' if one.release.non_private == ('structure',) else 'are'} exact"
            for one in self.shown
            if one.release.non_private
        ]
