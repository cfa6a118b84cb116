"""The pages that visitors open, and what they move there."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.screen import Node, Path, Screen
from benchmarks.load.widgets import TRIGGER, put_number

TYPED, SLIDER = "typed", "slider"
MOVES = (TYPED, SLIDER)
EXACT, STOPS = "eps_exact", "eps"  # keys of the widgets of a workbench
GOLDEN = 0.6180339887498949
NEXT = itertools.count(1)  # one for the whole run, so that nobody types what another one did


class CannotMove(Exception):
    """The page does not have what a visitor wanted to move."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a rerun is sent with: a state for this time alone, and the fragment that it lies in."""

    fragment: str = ""
    once: WidgetState | None = None


def unseen() -> float:
    """A budget from 0.1 to 2.1 that was not asked for before."""
    return round(0.1 + 2 * (next(NEXT) * GOLDEN % 1), 6)


def typed(screen: Screen, turn: int) -> Move:  # noqa: ARG001  every turn is new
    """An ε of the visitor's own, typed into the field for an exact one."""
    path, node = _found(screen, EXACT)
    screen.open_around(path)
    put_number(screen.values[node.id], node.shown, unseen())
    return Move(node.fragment)


def opens_expert(screen: Screen, turn: int) -> Move:  # noqa: ARG001
    """Open the popover with the field for an exact ε, which is drawn only then."""
    path, node = _found(screen, "pop_expert")
    screen.opened.add(path)
    screen.values[node.id] = WidgetState(id=node.id, bool_value=True)
    return Move(node.fragment)


def slid(screen: Screen, turn: int) -> Move:
    """The slider of ε on one of its stops, which all visitors share."""
    path, node = _found(screen, STOPS)
    screen.open_around(path)
    stops = [stop for stop in node.shown.options if float(stop) >= 0.1]
    del screen.values[node.id].string_array_value.data[:]
    screen.values[node.id].string_array_value.data.append(stops[turn % len(stops)])
    return Move(node.fragment)


def staged(screen: Screen, turn: int) -> Move:
    """The slider of a stage on another of its stops; a question before it is answered first."""
    found = screen.stage()
    if found is None:
        raise CannotMove("There is no stage on the page.")
    node, controls = found
    for control in controls:
        if control["kind"] == "slider":
            name, stops = control["name"], [stop["value"] for stop in control["stops"]]
            state = screen.values.setdefault(node.id, WidgetState(id=node.id))
            said = json.loads(state.json_value or "{}")
            state.json_value = json.dumps(said | {name: stops[turn % len(stops)]})
            return Move(node.fragment)
    asked = [control["value"] for control in controls if control.get("look") == "answer"]
    if not asked:
        raise CannotMove("The stage has neither a slider nor a question.")
    events = json.dumps([{"event": "go", "value": asked[0]}])
    return Move(node.fragment, WidgetState(id=TRIGGER.format(node.id), json_trigger_value=events))


def _found(screen: Screen, key: str) -> tuple[Path, Node]:
    found = screen.find(key)
    if found is None:
        raise CannotMove(f"There is no widget '{key}' on the page.")
    return found


Act = Callable[[Screen, int], Move]


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its path and query as in a link, and how a visitor moves what is on it."""

    path: str
    query: str
    moves: dict[str, Act]
    first: dict[str, Act] = field(default_factory=dict)  # what is done once before such moves

    def how(self, moves: str) -> str:
        """The kind of move that the page has: a stage has stops and no field."""
        return moves if moves in self.moves else SLIDER

    def before(self, moves: str) -> Act | None:
        """What a visitor does once before moves of this kind: answer a question, open a popover."""
        return self.first.get(self.how(moves))

    def act(self, moves: str) -> Act:
        """What is done for a move of this kind."""
        return self.moves[self.how(moves)]

    def at(self, query: str) -> Page:
        """The page, opened by a link with this query instead."""
        return replace(self, query=query or self.query)


BENCH: dict[str, Act] = {TYPED: typed, SLIDER: slid}
STAGED: dict[str, Act] = {SLIDER: staged}
OPENS: dict[str, Act] = {TYPED: opens_expert}
PAGES: dict[str, Page] = {
    "start": Page("", "", STAGED),
    "quantiles": Page("quantiles", "", BENCH, OPENS),
    "trees": Page("trees", "", BENCH, OPENS),
    "map": Page("map", "", BENCH, OPENS),
    "lesson": Page("learn", "story=teach&scene=5", STAGED, STAGED),
    "data": Page("data", "", {}),
}
MOVABLE = tuple(name for name, page in PAGES.items() if page.moves)
