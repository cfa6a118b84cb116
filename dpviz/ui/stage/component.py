"""The stage on a page: mounted once, it draws every state that Python handed over by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any

import streamlit as st

from dpviz.figures.stage.engine import drawing, enclosed, linked, module
from dpviz.figures.stage.stage import Stage
from dpviz.ui.stage.controls import Control

MODULES = ("motion", "paper", "controls")  # each after those that it imports


@dataclass(frozen=True, slots=True)
class Heights:
    """How high the picture is, as CSS: on a wide screen, a low one (under 800 px), and a phone."""

    wide: str
    low: str
    phone: str


def script() -> str:
    """The component's modules as one script."""
    own = [enclosed(name, module(__package__, name)) for name in MODULES]
    return "\n".join([drawing(), *own, linked(module(__package__, "component"))])


HTML = """
<div class="stage">
  <div class="picture"><canvas aria-hidden="true"></canvas><svg role="img" aria-label=""></svg></div>
  <div class="controls"></div>
</div>
"""


@cache
def _component() -> Any:
    css = files(__package__).joinpath("stage.css").read_text(encoding="utf-8")
    return st.components.v2.component("dpviz_stage", html=HTML, css=css, js=script())


def said(key: str, name: str, otherwise: str) -> str:
    """What a control of a mounted stage says; otherwise while the stage is not on the page."""
    return str((st.session_state.get(key) or {}).get(name) or otherwise)


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
    names = [one["name"] for one in controls if one["kind"] not in {"play", "go"}]
    held = _held(key, {name: stage.state.get(name, "") for name in names})
    data = _data(stage.at(**held["handed"]), controls, heights, zoom, scene, keys)
    data["turn"] = held["turn"]

    def changed(name: str) -> None:
        held["agreed"] = held["agreed"] | {name: said(key, name, held["agreed"][name])}
        turned(name, held["agreed"][name])

    def asked() -> None:
        turned("go", said(key, "go", ""))

    watched: dict[str, Any] = {f"on_{name}_change": partial(changed, name) for name in names}
    if keys is not None:
        watched["on_go_change"] = asked
    _component()(key=key, data=data, default=held["handed"], **watched)


def sealed(
    stage: Stage,
    controls: Sequence[Control],
    heights: Heights,
    *,
    scene: str,
    keys: Mapping[str, str],
) -> bytes:
    """A stage in one state, as show_sealed hands it over: written once for many visitors.

    Its controls are buttons of kind "go" alone.
    """
    data = _data(stage, controls, heights, 1.0, scene, keys) | {"turn": 0}
    return json.dumps(data, separators=(",", ":")).encode()


def show_sealed(key: str, data: bytes, asked: Callable[[str], None]) -> None:
    """Mount what sealed wrote; asked(wanted) is called before the run that a button asks for."""
    _component()(key=key, data=data, on_go_change=lambda: asked(said(key, "go", "")))


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
        "heights": {"wide": heights.wide, "low": heights.low, "phone": heights.phone},
        "zoom": zoom,
        "scene": scene,
        "keys": dict(keys or {}),
    }


def _held(key: str, wanted: dict[str, str]) -> dict[str, Any]:
    """What was handed to the browser, and what it has said since."""
    slot = f"_{key}_held"
    held: dict[str, Any] | None = st.session_state.get(slot)
    if held is None or key not in st.session_state:  # it mounts
        held = {"handed": wanted, "agreed": wanted, "turn": 0}
    elif held["agreed"] != wanted:  # a link, or another control of the page, says otherwise
        held = {"handed": wanted, "agreed": wanted, "turn": held["turn"] + 1}
    st.session_state[slot] = held
    return held
