"""Learn: the stories as cards, one scene, the quiz, the test, or the teacher's page."""

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.screen import PHONE
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories import formula
from dpviz.lessons.stories.listing import STORIES, Story
from dpviz.lessons.stories.listing import scene as scene_named
from dpviz.lessons.stories.quiz import QUESTIONS, Question
from dpviz.lessons.stories.telling import Place
from dpviz.ui.bench.headline import headline
from dpviz.ui.learn import follow, where
from dpviz.ui.learn.scene_view import scene_view
from dpviz.ui.learn.sheet import test_view
from dpviz.ui.learn.take_away import take_away
from dpviz.ui.learn.teacher import teachers_page
from dpviz.ui.stage.still import still
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit


def quiz(now: Visit) -> None:
    """All ten, one below the other, beside the picture of the scene that answers the last one."""
    headline(
        "Learn",
        f"{len(QUESTIONS)} sentences about privacy: true or false?",
        "The reason comes with your answer. Nobody counts.",
    )
    asked, seen = st.columns([3, 4], gap="large")
    with asked:
        for number, question in enumerate(QUESTIONS, 1):
            _ask(number, question)
        where.all_stories()
    with seen, st.container(key="quiz_picture"):
        question = QUESTIONS[int(state.store().get("quiz_last", 1)) - 1]
        scene = question.scene
        put_scene(scene, now.look, 480)  # whole on a laptop's screen
        st.caption(f"From the story {scene.story.title()}, scene {scene.number}.")


def _ask(number: int, question: Question) -> None:
    key = f"quiz_{number}"

    def answered() -> None:
        state.put("quiz_last", number)

    st.markdown(f"**{number}.** {question.statement}")
    said = st.segmented_control(
        f"Sentence {number}",
        ["True", "False"],
        key=key,
        label_visibility="collapsed",
        on_change=answered,
    )
    if said is not None:
        right = "Yes" if (said == "True") == question.holds else "No"
        st.markdown(f"{right}: it is **{'true' if question.holds else 'false'}**. {question.why()}")


HERE = Path(__file__).parent
STYLE = (HERE / "learn.css").read_text(encoding="utf-8") + formula.CSS


def learn_page(now: Visit, place: Place | None, *, follows: bool = False) -> None:
    """Draw what the link asks for: a lecture that is followed, else a scene, else a view."""
    st.html(f"<style>{STYLE}</style>")
    if now.presenting:
        st.html(HERE / "lecture.css")
    if follows:
        follow.follow_view(now)
        return
    follow.notices(place)
    if place is not None:
        scene_view(place, now)
    elif now.view == "quiz":
        quiz(now)
    elif now.view == "test":
        test_view()
    elif now.view == "teacher":
        teachers_page(now)
    else:
        overview(now)


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
