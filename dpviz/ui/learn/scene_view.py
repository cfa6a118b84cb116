"""One scene on screen: progress, the sentence, the picture with its controls, and what explains it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpviz.lessons.scene import Sentences
from dpviz.lessons.staged import named
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.strip import teaching_badge
from dpviz.ui.kit import frame
from dpviz.ui.learn import lead, where
from dpviz.ui.learn.extras import extra
from dpviz.ui.learn.picture import picture_of
from dpviz.ui.learn.where import SKIPPED, Place
from dpviz.ui.stage import component
from dpviz.ui.visit import folded, state
from dpviz.ui.visit.page import Visit


def scene_view(place: Place, now: Visit) -> None:
    """Draw a scene in the beat that it is in."""
    scene, found = place.scene, place.scene.numbers(place.stop, 1)
    said = spoken(place, found)
    with st.container(key="scene", gap=None):
        _progress(place, phone=now.look.phone)
        headline("Learn", said.headline, said.sentence)
        with st.container(key="scene_picture"):
            component.show_sealed(
                f"scene_{scene.story}_{scene.number}",
                picture_of(place, phone=now.look.phone, presenting=now.presenting),
                {"stop": named(place.stop), "beat": place.beat},
                lambda name, value: _turned(place, name, value),
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


def _turned(place: Place, name: str, value: str) -> None:
    if name == "go":
        where.go(place, value)
    else:
        where.turn(place, value)


def _progress(place: Place, *, phone: bool) -> None:
    """Which scene of how many; at the right, what was predicted."""
    story = place.story
    with st.container(key="scene_progress", horizontal=True, vertical_alignment="center"):
        _contents(place)
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


def _contents(place: Place) -> None:
    """A popover that leads to any scene of the story."""
    story = place.story
    label = f"{place.scene.number} of {len(story.scenes)} · {story.title}"
    with folded.popover(label, key="scene_contents"):
        if folded.is_closed():
            return
        for scene in story.scenes:
            st.button(
                f"{scene.number}. {scene.title}",
                key=f"to_{scene.number}",
                type="tertiary",
                on_click=where.open_scene,
                args=(story.key, scene.number),
            )
        st.button("All stories", key="to_all", icon=":material/menu_book:", on_click=where.leave)


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
        with folded.popover("Exercise", key="scene_exercise", icon=":material/edit:"):
            if not folded.is_closed():
                st.markdown(scene.exercise)
                with st.expander("Answer"):
                    st.markdown(scene.answer)
        with folded.popover("For teachers", key="scene_teacher", icon=":material/school:"):
            if not folded.is_closed():
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
