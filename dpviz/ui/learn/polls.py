"""The votes of a class as its presenter sees them: a count, what to do next, and the bars."""

from typing import Any

import streamlit as st

from dpviz.lessons import game
from dpviz.lessons.scene import Scene
from dpviz.lessons.stories import votes
from dpviz.lessons.stories.telling import LARGER, Place, controls, heights, keys
from dpviz.lessons.stories.votes import TALK_SECONDS, Votes, advice, votes_of
from dpviz.ui.learn import lead, where
from dpviz.ui.lectures.table import LECTURES, Lecture
from dpviz.ui.stage import component

SWITCH_KEY, SWITCH = "v", "class"  # a key of the keyboard, and what it asks for
SHOWN = "_class_shown"  # in the session: the scene whose votes stand in place of its picture
PLAYED = "_game_counted"  # in the session: how phones did in a game when it was counted
COUNTED = (
    "_class_counted"  # in the session: a scene, its round, and the votes when they were counted
)


def class_votes(lecture: Lecture, scene: Scene[Any]) -> Votes | None:
    """How a class voted on a scene; None while too few phones did."""
    return votes_of(scene, lecture.voted(scene.name, 1), lecture.voted(scene.name, 2), lecture.code)


@st.fragment(run_every=lead.VOTE_SECONDS)
def line(place: Place) -> None:
    """Before the reveal: count the votes, which share is right, and the second round."""
    lecture = lead.leads()
    if lecture is None:
        return
    name = place.scene.name
    number = lecture.round(name)
    if not lecture.people(name) and number == 1:
        return
    counted = st.session_state.get(COUNTED, {}).get((name, number))
    with st.container(key="vote_line", horizontal=True, vertical_alignment="center"):
        if number == 2 and (left := LECTURES.left(lecture, name)):
            st.markdown(f"**Talk to your neighbour: {left} s.** Then vote again.", width="content")
        if counted is not None:
            st.markdown(f"**{advice(counted)}**", width="content")
            if number == 1 and counted.share <= votes.MANY:
                st.button("Vote again", key="vote_again", on_click=_again, args=(name,))
        elif lecture.people(name):
            st.button("Count the votes", key="vote_count", on_click=_count, args=(place, number))


def _count(place: Place, number: int) -> None:
    lecture = lead.leads()
    found = None if lecture is None else class_votes(lecture, place.scene)
    if found is not None and found.again == (number == 2):
        st.session_state.setdefault(COUNTED, {})[place.scene.name, number] = found


@st.fragment(run_every=lead.VOTE_SECONDS)
def game_line(place: Place) -> None:
    """How many phones played, and their tally as it was when it was counted."""
    lecture, name = lead.leads(), game.counter(float(place.stop))
    phones = 0 if lecture is None else lecture.votes.people(name)
    if not phones:
        return
    with st.container(key="game_line", horizontal=True, vertical_alignment="center"):
        counted = st.session_state.get(PLAYED, {}).get(name)
        if counted is not None:
            said = game.said_of_class(counted, float(place.stop))
            st.markdown(f"**{said}**", width="content")
        st.button(f"Count the game: {phones} phones", key="game_count", on_click=_count_game,
                  args=(name,))  # fmt: skip


def _count_game(name: str) -> None:
    lecture = lead.leads()
    found = None if lecture is None else lecture.votes.shown(name)
    if found is not None:
        st.session_state.setdefault(PLAYED, {})[name] = found


def _again(name: str) -> None:
    held = lead.led()
    if held is not None:
        LECTURES.ask_again(*held, name, TALK_SECONDS)


def votes_here(place: Place) -> Votes | None:
    """The votes on a scene once it is revealed; None without a class, or where too few voted."""
    lecture = lead.leads()
    if lecture is None or place.beat == "predict":
        return None
    return class_votes(lecture, place.scene)


def switch(place: Place, found: Votes) -> None:
    """The button that puts the class in place of the picture, and back."""
    st.button(
        "The picture" if shows(place) else f"The class: {found.phones} phones",
        key="class_switch",
        on_click=turn,
        args=(place,),
    )


def turn(place: Place) -> None:
    """Put the class in place of the picture, or the picture back."""
    st.session_state[SHOWN] = None if shows(place) else place.scene.name


def shows(place: Place) -> bool:
    """Whether the class stands in place of the picture."""
    return st.session_state.get(SHOWN) == place.scene.name


def picture(place: Place, found: Votes, *, presenting: bool) -> None:
    """The bars, and the way back and on."""
    row = controls(place)
    component.show(
        "class_votes",
        votes.stage(found, LARGER if presenting else 1.0),
        [row[0], row[-1]],
        heights(place, presenting=presenting),
        lambda _, wanted: turn(place) if wanted == SWITCH else where.go(place, wanted),
        keys=keys(place) | {SWITCH_KEY: SWITCH},
    )
