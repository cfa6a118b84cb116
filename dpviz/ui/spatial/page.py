"""What all views of the Map page are handed: the methods that are drawn, and the truth."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeVar

import streamlit as st

from dpviz.answers.spatial.question import MapQuestion
from dpviz.core.bounds import Box
from dpviz.core.data.grid_counts import Plane
from dpviz.core.errors import DpvizError
from dpviz.counts.exact import ExactCells
from dpviz.counts.grid_index import Index, index_of
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.draws import Draw, wait_for_all
from dpviz.ui.model.fields import Values
from dpviz.ui.spatial import reading, rectangle
from dpviz.ui.spatial.cells import Drawn, drawn_method, wait_for
from dpviz.ui.spatial.methods import MapChoice, method_of

Result = TypeVar("Result")


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


@dataclass(frozen=True, eq=False)
class MapPage:
    """The chosen methods on the points, and their releases for views that look at them."""

    choice: MapChoice
    points: Plane
    draw: Draw

    @cached_property
    def truth(self) -> Truth | None:
        """The true points; None while the truth is hidden."""
        return Truth(self.points) if session.shows_truth() else None

    @cached_property
    def _made(self) -> tuple[list[Drawn], list[str]]:
        """The releases of a draw; a method that refuses says why, the others go on."""
        choice, points, draw = self.choice, self.points, self.draw
        wait_for_all(partial(wait_for, name, choice, points, draw) for name in choice.methods)
        shown, refused = [], []
        for name in choice.methods:
            if not method_of(name).private and self.truth is None:
                refused.append(f"{name}: it draws the truth, so it is hidden with it.")
                continue
            try:
                with st.spinner(name if self.truth is None else f"{name}: {points.n:,} people"):
                    shown.append(drawn_method(name, choice, points, draw))
            except DpvizError as error:
                refused.append(f"{name}: {error}")
        return shown, refused

    @property
    def shown(self) -> list[Drawn]:
        """The methods without those that refused.

        Raises: NotAsked for releases of a file that nobody has asked for, together.
        """
        return self._made[0]

    @property
    def refused(self) -> list[str]:
        """What is left out, and why, in plain text. Raises: NotAsked as shown."""
        return self._made[1]

    @property
    def box(self) -> Box:
        """The declared box."""
        return self.points.box

    @property
    def key(self) -> Hashable:
        """What names the methods that are shown among the results of the session."""
        return tuple((one.name, one.key) for one in self.shown), self.choice.prune

    def exact(self, one: Drawn) -> ExactCells | None:
        """How many lie in a method's cells; None while the truth is hidden. Confidential."""
        return None if self.truth is None else self.truth.cells(one)

    def questions(self, values: Values) -> list[MapQuestion]:
        """What is asked of each method: the level that is drawn, and the rectangle."""
        where = rectangle.asked_of(values, self.box)
        return [one.asked(reading.depth_of(values), where) for one in self.shown]

    def once(self, what: str, compute: Callable[[], Result], key: Hashable) -> Result:
        """Something that is worked out once, with the truth or without.

        The key names the releases that it looks at: a view may look at others than are shown.
        """
        named = ("of the map", what, self.points.fingerprint, self.truth is not None, key)
        return memory.public(self.points, named, compute)
