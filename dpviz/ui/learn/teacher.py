"""The teacher's page: running order, times, what to say, and a link to start each scene presenting."""

import pandas as pd
import streamlit as st

from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.stories.plans import SESSIONS, plans, scenes, shown
from dpviz.ui.bench.headline import headline
from dpviz.ui.learn import lead, room, where
from dpviz.ui.learn.address import address_of
from dpviz.ui.learn.take_away import take_away, teachers_files
from dpviz.ui.visit.page import Visit


def teachers_page(_: Visit) -> None:
    """Everything that a teacher prepares with."""
    seconds = sum(scene.seconds for scene in STORIES[0].scenes)
    headline(
        "Learn",
        f"Teach takes {seconds // 60} min {seconds % 60:02d} s, one question a scene.",
        "Present with the right arrow; space reveals; 1 to 4 answer. Truth on, sound off.",
    )
    code, order = st.columns([1, 3], gap="large")
    with code:
        _code()
    with order:
        _plans()
        with st.container(horizontal=True):
            take_away()
            teachers_files(lead.room())
            room.panel()
            where.all_stories()
    for story in STORIES:
        st.subheader(story.title, anchor=False)
        for scene in story.scenes:
            link = f"learn?story={story.key}&scene={scene.number}&present=1{lead.link()}"
            with st.expander(f"{scene.number}. {scene.title} · {scene.seconds} s"):
                st.markdown(f"**Goal.** {scene.goal}")
                st.markdown(scene.teacher)
                st.markdown(f"**Exercise.** {scene.exercise} *{scene.answer}*")
                st.html(f'<a href="{link}" target="_blank" rel="noopener">Present this scene</a>')


def _plans() -> None:
    """What is done in which minute, and in which session of a course."""
    listed = plans()
    *timed, course = st.tabs([f"{one.name}, {one.minutes} min" for one in listed] + ["A course"])
    for place, one in zip(timed, listed, strict=True):
        with place:
            rows = pd.DataFrame(shown(one.steps), columns=["minute", "what"])
            _table(rows, f"{one.name} of {one.minutes} minutes")
            st.caption(one.note)
    with course:
        found = [(name, "; ".join(one.title for one in scenes(names))) for name, names in SESSIONS]
        rows = pd.DataFrame([row for row in found if row[1]], columns=["session", "scenes"])
        _table(rows, "Sessions of a course, and the scenes that go with each")


def _table(rows: pd.DataFrame, alt: str) -> None:
    widths = {
        "minute": st.column_config.NumberColumn(width=70),
        "what": st.column_config.TextColumn(width=750),
    }
    st.dataframe(rows, hide_index=True, height="content", column_config=widths, alt=alt)


def students_address(story: str) -> str | None:
    """The address at which students go through a story by themselves; None if it is not known."""
    return address_of(f"story={story}&scene=1")


def _code() -> None:
    """The students' link as a code to photograph: that of the class, or of the story alone."""
    lead.panel()
    if lead.led() is not None:
        return
    address = students_address("teach")
    if address is None:
        st.caption("The address of this server is not known.")
    else:
        lead.picture(address, f"Students go by themselves at {address}")
