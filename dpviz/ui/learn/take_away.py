"""What is taken along from the stories: a handout and a notebook for each."""

from functools import partial

import streamlit as st

from dpviz.lessons.stories.handout import handout
from dpviz.lessons.stories.inventory import gift
from dpviz.lessons.stories.lab import lab
from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.stories.notebook import notebook
from dpviz.lessons.stories.worksheet import worksheet


def take_away() -> None:
    """Downloads, made when they are asked for."""
    with st.popover("Handouts and notebooks", key="learn_files", icon=":material/download:"):
        for story in STORIES:
            with st.container(horizontal=True):
                st.download_button(
                    f"{story.title}: handout to print",
                    data=partial(handout, story.key),
                    file_name=f"dpviz-{story.key}.html",
                    mime="text/html",
                    key=f"handout_{story.key}",
                    on_click="ignore",
                )
                st.download_button(
                    f"{story.title}: notebook",
                    data=partial(notebook, story.key),
                    file_name=f"dpviz-{story.key}.ipynb",
                    mime="application/x-ipynb+json",
                    key=f"notebook_{story.key}",
                    on_click="ignore",
                )
        st.caption("Handouts print on A4, answers on the last page. Notebooks run with dpviz.")


TEACHERS = (  # what it is, file, type, and what makes it
    ("Lab with blanks", "dpviz-lab.ipynb", "application/x-ipynb+json", lab),
    (
        "Lab, solved",
        "dpviz-lab-solved.ipynb",
        "application/x-ipynb+json",
        partial(lab, solved=True),
    ),
    ("Test for course systems (GIFT)", "dpviz-test.gift", "text/plain", gift),
)


def teachers_files(code: str) -> None:
    """What a teacher takes along besides: sheets with the code of a class, the lab, and the test."""
    with st.popover("Sheets, lab and test", key="teacher_files", icon=":material/download:"):
        for label, answers in (("Sheets for a class", True), ("Sheets without answers", False)):
            st.download_button(
                label,
                data=partial(worksheet, code, answers=answers),
                file_name=f"dpviz-class{'' if answers else '-without-answers'}.html",
                mime="text/html",
                key=f"sheets_{answers}",
                on_click="ignore",
            )
        for label, file, kind, made in TEACHERS:
            st.download_button(
                label, data=made, file_name=file, mime=kind, key=f"take_{file}", on_click="ignore"
            )
        st.caption(
            "Sheets print on A4, on both sides. The lab has eight tasks and needs Python with dpviz."
        )
