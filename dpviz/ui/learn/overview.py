"""All stories at once: what each is for, how long it takes, and a way into every scene."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import streamlit as st

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.screen import PHONE
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories.listing import STORIES, Story
from dpviz.lessons.stories.listing import scene as scene_named
from dpviz.ui.bench.headline import headline
from dpviz.ui.learn import where
from dpviz.ui.learn.take_away import take_away
from dpviz.ui.stage.still import still
from dpviz.ui.visit import page as visits
from dpviz.ui.visit.page import Visit

SIZE = (358, 420)  # as on a phone, where words stay readable


def overview(now: Visit) -> None:
    """Three cards, and what goes with the stories."""
    scenes = sum(len(story.scenes) for story in STORIES)
    headline(
        "Learn",
        "Three stories: why noise, what it costs, how to release.",
        f"{scenes} scenes. Each asks first, then shows; nothing is scored.",
    )
    for place, story in zip(st.columns(len(STORIES), gap="medium"), STORIES, strict=True):
        with place, st.container(border=True, key=f"story_{story.key}"):
            _card(story, now)
    with st.container(horizontal=True, key="learn_more"):
        for view, label, icon in (
            ("quiz", "True or false", "quiz"),
            ("test", "Test yourself", "fact_check"),
            ("teacher", "For teachers", "school"),
        ):
            st.button(
                label,
                key=f"to_{view}",
                icon=f":material/{icon}:",
                on_click=visits.show_view,
                args=("learn", view),
            )
        take_away()


def _card(story: Story, now: Visit) -> None:
    put_scene(scene_named(story.cover), now.look, beat="predict")
    st.subheader(story.title, anchor=False)
    st.markdown(f"{story.line} For {story.audience}; {story.minutes} min.")
    st.button(
        f"Start {story.title}",
        key=f"start_{story.key}",
        icon=":material/play_arrow:",
        on_click=where.open_scene,
        args=(story.key, 1),
    )
    with st.expander("All scenes"):
        for scene in story.scenes:
            st.button(
                f"{scene.number}. {scene.title}",
                key=f"to_{story.key}_{scene.number}",
                type="tertiary",
                on_click=where.open_scene,
                args=(story.key, scene.number),
            )


def put_scene(
    scene: Scene[Any],
    look: Look,
    width: int | None = None,
    *,
    beat: Literal["predict", "reveal"] = "reveal",
) -> None:
    """The picture of a scene, revealed or before its answer, with its text for who hears it."""
    drawn = _drawn(scene.name, beat, look.ink.dark)
    still(f"still_{scene.name}", drawn, width)


@lru_cache(maxsize=32)  # of public samples, the same for everybody
def _drawn(name: str, beat: Literal["predict", "reveal"], dark: bool) -> str:
    scene = scene_named(name)
    stop = scene.control.start if beat == "predict" else scene.control.revealed
    picture = scene.stage(stop, beat, screen=PHONE, only=True)
    return svg(picture, *SIZE, Look(DARK if dark else LIGHT))
