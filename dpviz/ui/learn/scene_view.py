"""One scene on screen: progress, the sentence, the picture with its controls, and what explains it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.lessons.scene import Scene, Sentences
from dpviz.lessons.staged import named
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.strip import teaching_badge
from dpviz.ui.kit import frame
from dpviz.ui.learn import lead, where
from dpviz.ui.learn.extras import extra
from dpviz.ui.learn.where import SKIPPED, Place
from dpviz.ui.stage import component
from dpviz.ui.stage.component import Heights
from dpviz.ui.stage.controls import Control, go, number, slider
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

HEIGHTS = Heights(
    wide="clamp(320px, calc(100dvh - 372px), 620px)",
    low="clamp(300px, calc(100dvh - 330px), 490px)",
    phone="420px",
)
LECTURE = Heights(
    wide="clamp(320px, calc(100dvh - 236px), 900px)",
    low="clamp(320px, calc(100dvh - 230px), 640px)",
    phone="420px",
)
LARGER = 1.4  # words in the picture, for the back row


def scene_view(place: Place, now: Visit) -> None:
    """Draw a scene in the beat that it is in."""
    scene, found = place.scene, place.scene.numbers(place.stop, 1)
    said = spoken(place, found)
    with st.container(key="scene", gap=None):
        _progress(place, phone=now.look.phone)
        headline("Learn", said.headline, said.sentence)
        with st.container(key="scene_picture"):
            component.show(
                f"scene_{scene.story}_{scene.number}",
                scene.stage(
                    place.stop,
                    place.beat,
                    phone=now.look.phone,
                    right=place.guess == scene.right.key,
                    k=LARGER if now.presenting and not now.look.phone else 1.0,
                ),
                controls(place),
                LECTURE if now.presenting else HEIGHTS,
                lambda name, value: _turned(place, name, value),
                scene=f"{scene.story} {scene.number}",
                keys=keys(place),
            )
        if not now.presenting:
            _below(place)


def spoken(place: Place, found: Any) -> Sentences:
    """What the scene says in its beat."""
    scene = place.scene
    if place.beat == "predict":
        return scene.ask(found)
    if place.beat == "second" and scene.second is not None:
        return scene.second.say(found)
    return scene.say(found)


def keys(place: Place) -> dict[str, str]:
    """What the keys of the keyboard ask for."""
    meaning = {"ArrowRight": "next", "PageDown": "next", "ArrowLeft": "back", "PageUp": "back"}
    if place.beat == "predict":
        meaning[" "] = "reveal"
        meaning |= {str(i): one.key for i, one in enumerate(place.scene.options, 1)}
    return meaning


def controls(place: Place) -> list[Control]:
    """Back, the answers or the one control, and the way on."""
    scene = place.scene
    back = go("back", "← Back", "quiet first", off=place.first and place.beat != "second")
    if place.beat == "predict":
        return [back, *answers(scene), go("reveal", "Skip", "quiet last")]
    if scene.second is not None and place.beat != "second":
        on = scene.second.label
    else:
        on = "All stories" if place.last else "Next"
    return [back, *_middle(scene), go("next", f"{on} →", "forward last")]


def answers(scene: Scene[Any]) -> list[Control]:
    """The answers to its question."""
    return [go(one.key, one.text, "answer", hint=str(i)) for i, one in enumerate(scene.options, 1)]


def _middle(scene: Scene[Any]) -> list[Control]:
    """The one control of a scene; a button that works once is pressed by the answer."""
    if scene.control.kind == "slider":
        return [_slider(scene)]
    if scene.control.kind == "typed":
        return [number("stop", scene.control.label, *where.TYPED)]
    return []


ENDS = {0.01: "0.01 strong", 0.1: "0.1", 1.0: "1 usual", 10.0: "10 weak"}
ROOM, LONGEST = 60, 14  # characters below the track that do not touch, in all and at its ends


def _slider(scene: Scene[Any]) -> Control:
    control = scene.control
    stops = [(named(one), control.shown(one)) for one in control.stops]
    if control.key == "eps":
        return slider(
            "stop", ("ε", " = "), "Privacy, ε: smaller is more private", stops,
            marks=[ENDS.get(float(one), "") for one in control.stops],
        )  # fmt: skip
    words = [text for _, text in stops]
    if sum(map(len, words)) + 3 * len(words) > ROOM:  # the value itself stands before the track
        kept = {0, len(words) - 1} if max(map(len, words)) <= LONGEST else set()
        words = [text if place in kept else "" for place, text in enumerate(words)]
    return slider("stop", (control.label,), control.label, stops, own=True, marks=words)


def _turned(place: Place, name: str, value: str) -> None:
    if name == "go":
        where.go(place, value)
    else:
        where.turn(place, value)


def _progress(place: Place, *, phone: bool) -> None:
    """Which scene of how many; a popover leads to any of them. At the right, what was predicted."""
    story = place.story
    with st.container(key="scene_progress", horizontal=True, vertical_alignment="center"):
        with st.popover(
            f"{place.scene.number} of {len(story.scenes)} · {story.title}", key="scene_contents"
        ):
            for scene in story.scenes:
                st.button(
                    f"{scene.number}. {scene.title}",
                    key=f"to_{scene.number}",
                    type="tertiary",
                    on_click=where.open_scene,
                    args=(story.key, scene.number),
                )
            st.button(
                "All stories", key="to_all", icon=":material/menu_book:", on_click=where.leave
            )
        dots = " ".join("●" if one.number <= place.scene.number else "○" for one in story.scenes)
        st.markdown(dots)
        if not phone:
            teaching_badge()
        st.space("stretch")
        if lead.led() is not None:
            with st.container(key="lead_place", width="content"):
                lead.badge()
        if place.guess not in {None, SKIPPED} and not phone:
            option = next(one for one in place.scene.options if one.key == place.guess)
            st.markdown(f"You predicted: {option.text}")


def _below(place: Place) -> None:
    """What stands below the picture: the question before the guess, what explains it afterwards."""
    scene = place.scene
    if place.beat == "predict":
        st.markdown(f"**{scene.question}**")
        return
    if said := verdict(place):
        st.markdown(said)
    st.markdown(scene.explanation)
    extra(place)
    with st.container(horizontal=True, key="scene_more"):
        page, link = scene.full
        if page != "learn":
            st.button(
                "Open in full page",
                key="scene_full",
                icon=":material/open_in_full:",
                on_click=_leave,
            )
            if st.session_state.pop("_leaving", False):
                state.follow(link)
                frame.go(page)
        with st.popover("Exercise", key="scene_exercise", icon=":material/edit:"):
            st.markdown(scene.exercise)
            with st.expander("Answer"):
                st.markdown(scene.answer)
        with st.popover("For teachers", key="scene_teacher", icon=":material/school:"):
            st.markdown(f"**Goal.** {scene.goal}")
            st.markdown(scene.teacher)
            if scene.sources:
                st.caption("Sources: " + "; ".join(scene.sources))
        st.button(
            "Ask again",
            key="scene_again",
            icon=":material/replay:",
            type="tertiary",
            on_click=where.go,
            args=(place, "again"),
        )


def verdict(place: Place) -> str:
    """What the chosen answer means, "" without one; no score is kept."""
    if place.guess in {None, SKIPPED}:
        return ""
    option = next(one for one in place.scene.options if one.key == place.guess)
    if option.right:
        return f"**“{option.text}”** is what the picture shows."
    return (
        f"“{option.text}” is what many people expect. The picture shows: "
        f"**{place.scene.right.text}**."
    )


def _leave() -> None:
    st.session_state["_leaving"] = True
