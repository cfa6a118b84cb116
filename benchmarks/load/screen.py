"""What stands on a visitor's page: built from the server's messages, as a browser does it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.load.widgets import state_of

STAGE = "dpviz_stage"
PICTURES = (STAGE, "dpviz_plot", "dpviz_gallery", "dpviz_flat")  # components that draw
KEPT_RUNS = 2  # runs for which a browser keeps a message that the server need not send again

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """One element or block: its kind, its message, and the run and fragment that put it there."""

    kind: str
    shown: Any
    fragment: str
    run: int

    @property
    def id(self) -> str:
        """The widget's id; empty for what is no widget."""
        return str(getattr(self.shown, "id", ""))

    @property
    def is_picture(self) -> bool:
        """Whether this is what a visitor waits for."""
        if self.kind == "bidi_component":
            return str(self.shown.component_name).split(".")[-1].startswith(PICTURES)
        return self.kind == "imgs"


class Screen:
    """The nodes of a page by their path, the values of its widgets, and the messages kept."""

    def __init__(self) -> None:
        self.nodes: dict[Path, Node] = {}
        self.values: dict[str, WidgetState] = {}
        self.opened: set[Path] = set()  # popovers: what is in a closed one is not mounted
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}
        self._runs = self._whole_runs = 0  # begun, and ended with the whole page drawn

    def whole(self, message: ForwardMsg) -> ForwardMsg:
        """The message itself, also where the server only named one that it sent before.

        Raises: KeyError if the server names a message that this client was never sent.
        """
        if message.WhichOneof("type") != "ref_hash":
            if message.metadata.cacheable:
                self._kept[message.hash] = message, self._whole_runs
            return message
        kept, _ = self._kept[message.ref_hash]
        self._kept[message.ref_hash] = kept, self._whole_runs
        found = ForwardMsg()
        found.CopyFrom(kept)
        found.metadata.CopyFrom(message.metadata)
        return found

    @property
    def kept(self) -> list[str]:
        """Hashes of the messages that the server need not send again."""
        return list(self._kept)

    def begin(self) -> None:
        """A run begins: what it draws is told from what it leaves."""
        self._runs += 1

    def take(self, message: ForwardMsg) -> Node | None:
        """Put what a delta brings in its place; None for what leaves no trace."""
        delta, path = message.delta, tuple(message.metadata.delta_path)
        if delta.WhichOneof("type") not in ("new_element", "add_block"):
            return None
        held: Any = getattr(delta, str(delta.WhichOneof("type")))
        kind = held.WhichOneof("type") or "container"
        shown = getattr(held, kind, held)
        node = self.nodes[path] = Node(kind, shown, delta.fragment_id, self._runs)
        if node.id and (node.id not in self.values or getattr(shown, "set_value", False)):
            state = state_of(kind, shown)
            if state is not None:
                self.values[node.id] = state
        return node

    def finish(self, message: ForwardMsg) -> None:
        """Drop what the run that ends did not put on the page again."""
        if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return
        fragments = set(message.metadata.run.fragment_ids)
        part = message.script_finished == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
        self.nodes = {
            path: node
            for path, node in self.nodes.items()
            if node.run == self._runs or (part and node.fragment not in fragments)
        }
        there = {node.id for node in self.nodes.values()}
        self.values = {name: state for name, state in self.values.items() if owner(name) in there}
        if not part:
            self._whole_runs += 1
            self._kept = {
                name: (kept, used)
                for name, (kept, used) in self._kept.items()
                if self._whole_runs - used <= KEPT_RUNS
            }

    def find(self, key: str) -> tuple[Path, Node] | None:
        """Where the widget with this key stands."""
        for path, node in self.nodes.items():
            if node.id.endswith(f"-{key}"):
                return path, node
        return None

    def stage(self) -> tuple[Node, list[dict[str, Any]]] | None:
        """The stage on the page, and its controls."""
        for node in self.nodes.values():
            if node.kind == "bidi_component" and node.shown.component_name.endswith(STAGE):
                return node, json.loads(node.shown.bytes or node.shown.json)["controls"]
        return None

    def open_around(self, path: Path) -> None:
        """Open the popovers that the element lies in, as somebody does who wants to reach it."""
        self.opened.update(self._popovers(path))

    def states(self) -> list[WidgetState]:
        """What a browser sends with a rerun: every widget but those of popovers never opened."""
        places = {node.id: path for path, node in self.nodes.items() if node.id}
        return [
            state
            for name, state in self.values.items()
            if all(popover in self.opened for popover in self._popovers(places[owner(name)]))
        ]

    def _popovers(self, path: Path) -> Iterator[Path]:
        for depth in range(1, len(path)):
            node = self.nodes.get(path[:depth])
            if node is not None and node.kind == "popover":
                yield path[:depth]

    def texts(self) -> list[str]:
        """All words on the page: texts, headings, and messages in their boxes."""
        found = [getattr(node.shown, "body", "") for node in self.nodes.values()]
        return [text for text in found if text]


def owner(name: str) -> str:
    """The widget that a state is of: a component's events have an id of their own."""
    return name.removeprefix("$$STREAMLIT_INTERNAL_KEY_").removesuffix("__events")
