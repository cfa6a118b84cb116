"""Start: the headline, the picture with its controls, one sentence, and the doors.

With the truth off it shows what an outsider gets: one published answer and how far off it may be.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from dpviz.figures.stage import answers, frames, people
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.controls import Heights, press
from dpviz.figures.stage.engine import enclosed
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On, Place
from dpviz.figures.stage.screen import DESK, PHONE, Screen
from dpviz.figures.stage.stage import Stage, View, layer
from dpviz.lessons.start import numbers, picture, prove, words
from dpviz.lessons.start.controls import DOORS, HEIGHTS, LECTURE, controls, epsilon
from dpviz.ui import beside
from dpviz.ui.bench.headline import headline
from dpviz.ui.kit import frame
from dpviz.ui.stage import component
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HERE = Path(__file__).parent
KEY, OUTSIDE = "start_stage", "start_outside"
ZOOM = 1.4  # of everything in the picture, presenting
DOORS_KEY = "start_doors"
HTML = '<nav aria-label="Where to begin">' + "".join(
    f'<a href="{door.page}" data-door="{door.page}">'
    f'<svg width="72" height="56" viewBox="0 0 72 56" aria-hidden="true">{door.drawing}</svg>'
    f"<span><strong>{door.name}</strong>{door.line}</span></a>"
    for door in DOORS
)
# mounted once; an address loses its last part when the visit writes its own
PROVING = """
export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".proving");
  if (box.firstChild) return;
  const [first] = performance.getEntriesByType("navigation");
  const came = window.dpvizProved ? "" : location.hash || new URL(first.name).hash;
  window.dpvizProved = true;
  $prove.prove(box, data, came);
}
"""
UNTIL = 640  # px of width: a phone
GRAINS = 1200  # strewn over the closed place; nobody is counted by them
ROUND = 10  # the axis is centred on a published multiple of this


def start_page(now: Visit) -> None:
    """Draw the page; with the truth off only what an outsider would get."""
    st.html(HERE / "start.css")
    if now.presenting:
        st.html(HERE / "lecture.css")
    size, ida = now.epsilon, component.said(KEY, "ida", "in")
    shown = bool(state.get("truth"))
    with st.container(key="start"):
        headline("Start", words.heading(size), words.LEDE)
        (_teaching if shown else _outside)(now, ida)
        if not now.presenting:
            with st.container(key="start_doors_row"):
                doors()
            if shown:  # it tells how many others there are
                with st.container(key="start_prove"):
                    _proving()(key="start_proving", data=prove.data())


def _teaching(now: Visit, ida: str) -> None:
    stops = _stops(now.epsilon)
    staged = picture.stage(now.epsilon, stops, now.seed).at(ida=ida)
    with st.container(key="start_picture"):
        component.show(KEY, staged, controls(stops), _heights(now), _turned, zoom=_zoom(now))
    with st.container(key="start_sentence"):
        st.markdown(words.sentence(now.epsilon, ida == "in"))


def _outside(now: Visit, ida: str) -> None:  # noqa: ARG001  who is in is confidential
    stops = _stops(now.epsilon)
    staged = stage(now.epsilon, stops, now.seed)
    row = [epsilon(stops), press("truth", "Reveal (teaching only)", "on")]
    with st.container(key="start_picture"):
        component.show(OUTSIDE, staged, row, _heights(now), _turned, zoom=_zoom(now))
    with st.container(key="start_sentence"):
        st.markdown(words.outside(now.epsilon, answer(now.epsilon, now.seed)))


def _heights(now: Visit) -> Heights:
    return LECTURE if now.presenting else HEIGHTS


def _zoom(now: Visit) -> float:
    return now.look.said(ZOOM if now.presenting else 1.0, 1.0)


def _stops(now: float) -> tuple[float, ...]:
    """The slider's stops; an ε from elsewhere becomes one of them, and stays one."""
    gained: set[float] = state.store().setdefault("start_stops", set())
    gained.add(now)
    return tuple(sorted({*numbers.STOPS, *gained}))


def _turned(name: str, value: str) -> None:
    if name == "epsilon":
        state.put("eps", float(value))
    elif name == "truth":
        state.put("truth", True)


@cache
def _proving() -> Any:
    """The sheet of a visitor who is in the data: it hears nothing, and says nothing to the server."""
    js = "\n".join([enclosed("prove", prove.script()), PROVING])
    html = '<div class="proving"></div>'
    return st.components.v2.component("dpviz_prove", html=html, css=prove.style(), js=js)


def doors() -> None:
    """Three cards in a row, one below the other on a phone; a click opens its page in this visit."""
    mounted = beside.component(__file__, "doors", f"{HTML}</nav>")
    chosen = mounted(key=DOORS_KEY, on_door_change=lambda: None).door
    if chosen in {door.page for door in DOORS}:
        frame.go(chosen)


def answer(epsilon: float, seed: int) -> int:
    """The one answer that is published: a draw of the visit's number."""
    return numbers.people().count(True) + int(numbers.noise(epsilon, seed, 0)[0])


def stage(epsilon: float, stops: Sequence[float], seed: int) -> Stage:
    """The picture at every stop of ε."""
    return _prepared(tuple(stops), seed).at(epsilon=f"{epsilon:g}")


@lru_cache(maxsize=16)  # of a public sample, the same for everybody
def _prepared(stops: tuple[float, ...], seed: int) -> Stage:
    views = (View(_marks(stops[0], seed, PHONE), until=UNTIL), View(_marks(stops[0], seed, DESK)))
    follows = {(f"{one:g}",): _moving(one, seed, DESK) for one in stops}
    return Stage(views, {"epsilon": f"{stops[0]:g}"}, (layer(("epsilon",), follows),))


def _marks(epsilon: float, seed: int, screen: Screen) -> tuple[Mark, ...]:
    moving = {mark["id"]: mark for mark in _moving(epsilon, seed, screen)}
    closed = (At(0), At(0, 44)), screen.said((At(0.24), At(1, -34)), (At(1), At(0, 150)))
    public = screen.said((At(0.36), At(0, 13)), (At(0), At(0, 270)))
    caption = screen.said((At(0.36), At(0, 36)), (At(0, 68), At(0, 270)))
    noise = screen.full(_eyebrow("noise", "NOISE", (At(0.3), At(0, 13)), "middle"))
    level = screen.said(At(0.6), At(0, 372))  # how far down the answer stands
    return (
        moving.pop("answers"),
        frames.axis("level", "y", (-1, 0), At(0), level),
        people.closed("closed", *closed, GRAINS),
        *moving.values(),
        _eyebrow("confidential", "CONFIDENTIAL", (At(0), At(0, 13))),
        frames.label("salaries", (At(0), At(0, 35)), "nobody looks in", colour="second"),
        *noise,
        _eyebrow("public", "PUBLIC", public),
        frames.label("one", caption, "the one answer that is published", colour="second"),
    )


def _moving(epsilon: float, seed: int, screen: Screen) -> list[Mark]:
    """The marks that change with ε; all that is data in them is the published answer."""
    found, reach = answer(epsilon, seed), numbers.reach(epsilon)
    at = On("answers", found)
    return [
        _axis(found, reach, screen),
        _barrier(answers.half_width(epsilon), screen),
        answers.errorbar("error", "answers", On("level", 0), found, reach),
        frames.label(
            "answer",
            (at, On("level", 0, -26)),
            f"{found:,}",
            size=40,
            font="serif",
            weight=600,
            anchor="middle",
            colour="private",
        ),
        frames.label(
            "often",
            (at, On("level", 0, 36)),
            f"±{reach}: 19 times in 20" if reach else "nearly always exactly true",
            size=17,
            anchor="middle",
            colour="second",
        ),
        frames.alternative(words.alternative_outside(epsilon, found)),
    ]


def _axis(found: int, reach: int, screen: Screen) -> Mark:
    half = max(numbers.REACH, 3 * reach // 2)
    step = ROUND * max(1, round(half / (2 * ROUND)))
    inner = 9 * half // 10  # words at the very ends would be cut
    first = -(-(found - inner) // step) * step
    ticks = [Tick(value, f"{value:,}") for value in range(first, found + inner + 1, step)]
    start, base = screen.said((At(0.36), At(1, -34)), (At(0), At(0, 422)))
    span = found - half, found + half
    return frames.axis("answers", "x", span, start, At(1), at=base, ticks=ticks, line=True)


def _barrier(half: float, screen: Screen) -> Mark:
    upright = answers.barrier("barrier", At(0.3), At(0, 23), At(1, -8), half=half)
    lying = answers.barrier(
        "barrier", At(0, 210), At(0), At(1), direction="horizontal", half=half, scale=0.5
    )
    return screen.said(upright, lying)


def _eyebrow(
    name: str, text: str, at: tuple[Place, Place], anchor: frames.Anchor = "start"
) -> Mark:
    colour: Colour = "private" if name == "public" else "ink"
    return frames.label(
        name, at, text, size=14, weight=700, spaced=True, colour=colour, anchor=anchor
    )
