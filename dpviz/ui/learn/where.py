"""Where a visitor is in the stories: in the link, in the visit, and how keys and buttons move it.

A link says the story, the scene, the guess, the second beat, and where the control stands: `eps` or
`at`, which belongs to its scene alone. A guess in a link opens the scene revealed, at the state that
was asked about.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.lessons.scene import Scene
from dpviz.lessons.staged import named
from dpviz.lessons.stories.listing import BY_KEY, Story
from dpviz.lessons.stories.telling import LEADS, SKIPPED, TYPED, Place, beat_of, stop_of
from dpviz.lessons.stories.telling import move as telling_move
from dpviz.ui.links import arriving
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state

KEYS = ("story", "scene", "guess", "beat", "at", "eps")


def all_stories() -> None:
    """A button that leads to all stories from a view beside them."""
    st.button(
        "All stories",
        key="to_stories",
        icon=":material/menu_book:",
        on_click=visits.show_view,
        args=("learn", ""),
    )


def settle() -> Place | None:
    """Where the visitor is; None outside the stories. The link decides when it is opened."""
    if arriving.decides() or "learn_seen" not in state.store():
        state.put("learn_seen", True)
        _take_link()
    story = BY_KEY.get(str(state.store().get("story", "")))
    if story is None:
        return None
    number = int(state.store().get("scene", 1))
    scene = story.scenes[min(number, len(story.scenes)) - 1]
    return _at(story, scene)


def _at(story: Story, scene: Scene[Any]) -> Place:
    kept = _kept(scene)
    guess = kept.get("guess")
    beat = beat_of(scene, guess, second=kept.get("beat") == "second")
    return Place(story, scene, guess, beat, stop_of(scene, beat, kept.get(scene.control.key)))


def _kept(scene: Scene[Any]) -> dict[str, Any]:
    """What is remembered of a scene."""
    every: dict[str, dict[str, Any]] = state.store().setdefault("scenes", {})
    return every.setdefault(scene.name, {})


def _take_link() -> None:
    texts = {key: arriving.linked(key) for key in KEYS}
    if not texts["story"]:  # an ε alone is the visit's
        del texts["eps"]
    said = {key: found[0] for key, found in texts.items() if len(found) == 1}
    wrong = {key for key, found in texts.items() if len(found) > 1}
    story = BY_KEY.get(said.get("story", ""))
    if story is None:
        state.store().pop("story", None)
        wrong |= set(said)
    else:
        number = said.get("scene", "1")
        numbers = [str(scene.number) for scene in story.scenes]
        wrong |= set() if number in numbers else {"scene"}
        open_scene(story.key, int(number) if number in numbers else 1)
        wrong |= _take_scene(story.scenes[int(state.store()["scene"]) - 1], said)
    for key in sorted(wrong):
        arriving.refuse(key)


def _take_scene(scene: Scene[Any], said: Mapping[str, str]) -> set[str]:
    """What a link says of its scene; returns the keys that it cannot mean."""
    kept = _kept(scene)
    readable = {
        "guess": {SKIPPED, *(one.key for one in scene.options)},
        "beat": {"2"} if scene.second is not None else set(),
    }
    wrong = {key for key, known in readable.items() if key in said and said[key] not in known}
    if scene.option(said.get("guess")) is not None:  # a drawn one is none of the options
        wrong.discard("guess")
    for key in ("guess", "beat"):
        kept.pop(key, None)
    if "guess" in said and "guess" not in wrong:
        kept["guess"] = said["guess"]
    if "beat" in said and "beat" not in wrong:
        kept["beat"] = "second"
    for key in ("at", "eps"):
        if key in said:
            found = _read(scene, said[key]) if key == scene.control.key else None
            if found is None:
                wrong.add(key)
            else:
                kept[key] = found
    return wrong


def _read(scene: Scene[Any], text: str) -> Any:
    """A stop that a link names; None where there is no such stop."""
    control = scene.control
    by_name = {named(one): one for one in control.stops}
    if text in by_name:
        return by_name[text]
    return _typed(text) if control.kind == "typed" else None


def _typed(text: str) -> float | None:
    """A number in the range that a scene takes."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if TYPED[0] <= found <= TYPED[1] else None  # NaN is not


def link(place: Place | None) -> dict[str, str | None]:
    """What stands in the address."""
    if place is None:
        return dict.fromkeys(key for key in KEYS if key != "eps")
    key = place.scene.control.key
    at = _kept(place.scene).get(key)
    return {
        "at": None,
        "eps": None,
        "story": place.story.key,
        "scene": str(place.scene.number),
        "guess": place.guess,
        "beat": "2" if place.beat == "second" else None,
        key: None if at is None else named(at),
    }


def open_scene(story: str, number: int) -> None:
    """Show a scene from the next run on."""
    state.put("story", story)
    state.put("scene", number)


def stand(place: Place) -> None:
    """Be at a place from the next run on, revealed as far as it is."""
    scene = place.scene
    open_scene(place.story.key, scene.number)
    kept = _kept(scene)
    kept.clear()
    if place.beat == "predict":
        return
    kept["guess"] = place.guess or SKIPPED
    if place.beat == "second":
        kept["beat"] = "second"
    kept[scene.control.key] = place.stop


def leave() -> None:
    """Back to all stories."""
    state.store().pop("story", None)


def turn(place: Place, value: str) -> None:
    """What a control of the scene was turned to."""
    control = place.scene.control
    stops = {named(one): one for one in control.stops}
    stop = stops.get(value, _typed(value) if control.kind == "typed" else None)
    if stop is None:
        return
    _kept(place.scene)[control.key] = stop
    if control.key == "eps":
        state.put("own_eps", stop)


def own_epsilon(place: Place) -> float | None:
    """The ε that was chosen last in any scene, where this one has it and stands elsewhere."""
    own: float | None = state.get("own_eps")
    control = place.scene.control
    takes = control.key == "eps" and place.beat != "predict" and own in control.stops
    return own if takes and own != place.stop else None


def go(place: Place, wanted: str) -> None:
    """On, back, or an answer; wanted is what a button or a key asks for."""
    move = telling_move(place, wanted)
    if (number := move.get(LEADS)) is not None:
        open_scene(place.story.key, int(number)) if number else leave()
        return
    kept = _kept(place.scene)
    for name, value in move.items():
        if value is None:
            kept.pop(name, None)
        else:
            kept[name] = value
