"""Learn: the stories as cards, one scene, the quiz, the test, or the teacher's page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.lessons.stories import formula
from dpviz.lessons.stories.quiz import QUESTIONS, Question
from dpviz.lessons.stories.telling import Place
from dpviz.ui.bench.headline import headline
from dpviz.ui.learn import follow
from dpviz.ui.learn.overview import overview, put_scene
from dpviz.ui.learn.scene_view import scene_view
from dpviz.ui.learn.sheet import test_view
from dpviz.ui.learn.teacher import teachers_page
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
        st.button(
            "All stories",
            key="to_stories",
            icon=":material/menu_book:",
            on_click=visits.show_view,
            args=("learn", ""),
        )
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
