"""Learn: the stories as cards, one scene, the quiz, the test, or the teacher's page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dpviz.lessons.stories import formula
from dpviz.lessons.stories.telling import Place
from dpviz.ui.learn import follow
from dpviz.ui.learn.overview import overview
from dpviz.ui.learn.quiz import quiz
from dpviz.ui.learn.scene_view import scene_view
from dpviz.ui.learn.sheet import test_view
from dpviz.ui.learn.teacher import teachers_page
from dpviz.ui.visit.page import Visit

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
