"""The stage on a page: mounted once, it draws every state that Python handed over by itself."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import streamlit as st

from dpviz.figures.stage.controls import Control, Heights
from dpviz.figures.stage.engine import enclosed, linked, module, staging, style
from dpviz.figures.stage.stage import Stage, State
from dpviz.ui import visitor
from dpviz.ui.kit.process.front_end import scripts_of

# parts of the front end that no stage needs and the workbenches do: fetched after the first picture
LATER = ("PlotlyChart", "DataFrame")
UNFOLLOWED = {"play", "go", "draw", "words", "sure"}  # controls without a value of the page's


def script() -> str:
    """The component's modules as one script."""
    later = enclosed("later", module(__package__, "later"))
    return "\n".join([staging(), later, linked(module(__package__, "page"))])


HTML = """
<div class="stage">
  <div class="picture"><canvas aria-hidden="true"></canvas><svg role="img" aria-label=""></svg></div>
  <div class="controls"></div>
</div>
"""


@cache
def _component() -> Any:
    return st.components.v2.component("dpviz_stage", html=HTML, css=style(), js=script())


def said(key: str, name: str, otherwise: str) -> str:
    """What a control of a mounted stage says; otherwise while the stage is not on the page."""
    return str((visitor.get(key) or {}).get(name) or otherwise)


def show(
    key: str,
    stage: Stage,
    controls: Sequence[Control],
    heights: Heights,
    turned: Callable[[str, str], None],
    *,
    zoom: float = 1.0,
    scene: str | None = None,
    keys: Mapping[str, str] | None = None,
) -> None:
    """Mount a stage; turned(name, value) is called before the run that a control asks for.

    scene names what the picture is of: while it stays the same, another state that the page hands
    over is played in the time that its marks name. keys are keys of the keyboard and what they ask
    for, as the buttons of kind "go" do.

    The data stays the same while a person turns controls, so that it is sent only once: the state
    is handed over when the stage mounts, and again when it is not what the browser said last. Plays
    are the browser's own affair.
    """
    held = _held(key, {name: stage.state.get(name, "") for name in _followed(controls)})
    data = _data(stage.at(**held["handed"]), controls, heights, zoom, scene, keys)
    _mount(key, data | {"turn": held["turn"]}, held, turned, has_keys=keys is not None)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A stage with its controls as the browser reads it, written once for many visitors.

    text is everything but where it stands; state is where it stood when it was written.
    """

    text: bytes
    state: State
    names: tuple[str, ...]  # of the controls that a page follows

    def at(self, state: State, turn: int = 0) -> bytes:
        """The whole, in this state."""
        return (
            self.text[:-1] + b"," + _written({"state": {**self.state, **state}, "turn": turn})[1:]
        )


def sealed(
    stage: Stage,
    controls: Sequence[Control],
    heights: Heights,
    *,
    scene: str,
    keys: Mapping[str, str],
) -> Sealed:
    """A stage in all of its states, for show_sealed."""
    data = _data(stage, controls, heights, 1.0, scene, keys)
    del data["state"]
    return Sealed(_written(data), dict(stage.state), tuple(_followed(controls)))


def show_sealed(key: str, one: Sealed, state: State, turned: Callable[[str, str], None]) -> None:
    """Mount what sealed wrote, in another state; turned is called as show does."""
    held = _held(key, {name: state[name] for name in one.names})
    data = one.at({**state, **held["handed"]}, held["turn"])
    _mount(key, data, held, turned, has_keys=True)


def _mount(
    key: str,
    data: dict[str, Any] | bytes,
    held: dict[str, Any],
    turned: Callable[[str, str], None],
    *,
    has_keys: bool,
) -> None:
    def changed(name: str) -> None:
        held["agreed"] = held["agreed"] | {name: said(key, name, held["agreed"][name])}
        turned(name, held["agreed"][name])

    def asked() -> None:
        turned("go", said(key, "go", ""))

    watched: dict[str, Any] = {
        f"on_{name}_change": partial(changed, name) for name in held["agreed"]
    }
    if has_keys:
        watched["on_go_change"] = asked
    _component()(key=key, data=data, default=held["handed"], **watched)


def _followed(controls: Sequence[Control]) -> list[str]:
    """The names of the controls whose value a page follows."""
    return [one["name"] for one in controls if one["kind"] not in UNFOLLOWED]


def _written(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _data(
    stage: Stage,
    controls: Sequence[Control],
    heights: Heights,
    zoom: float,
    scene: str | None,
    keys: Mapping[str, str] | None,
) -> dict[str, Any]:
    return stage.to_dict() | {
        "controls": list(controls),
        "heights": heights.to_dict(),
        "zoom": zoom,
        "scene": scene,
        "keys": dict(keys or {}),
        "later": list(scripts_of(*LATER)),
    }


def _held(key: str, wanted: dict[str, str]) -> dict[str, Any]:
    """What was handed to the browser, and what it has said since."""
    slot = f"_{key}_held"
    held: dict[str, Any] | None = visitor.get(slot)
    if held is None or not visitor.holds(key):  # it mounts
        held = {"handed": wanted, "agreed": wanted, "turn": 0}
    elif held["agreed"] != wanted:  # a link, or another control of the page, says otherwise
        held = {"handed": wanted, "agreed": wanted, "turn": held["turn"] + 1}
    visitor.put(slot, held)
    return held
