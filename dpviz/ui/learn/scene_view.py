"""One scene on screen: progress, the sentence, the picture with its controls, and what explains it."""

from typing import Any

import streamlit as st

from dpviz.figures.kit.palette import Ink
from dpviz.lessons.scene import Scene
from dpviz.lessons.staged import named
from dpviz.lessons.stories import formula, transfer, votes
from dpviz.lessons.stories.embedding import file_of, lines
from dpviz.lessons.stories.telling import PRESENTING, Place, moved, spoken, verdict
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.strip import teaching_badge
from dpviz.ui.kit import frame, glossary
from dpviz.ui.learn import lead, polls, where
from dpviz.ui.learn.extras import GAME, extra
from dpviz.ui.learn.picture import picture_of
from dpviz.ui.stage import component
from dpviz.ui.visit import folded, state
from dpviz.ui.visit.page import Visit

EMBED = (
    "For a course page or a slide, without this server: `python -m dpviz site OUT --single` writes "
    "`{file}`, which needs no other file. Put it beside your page and paste:"
)


def scene_view(place: Place, now: Visit) -> None:
    """Draw a scene in the beat that it is in."""
    said = spoken(place, place.scene.numbers(place.stop, 1))
    with st.container(key="scene", gap=None):
        _progress(place, phone=now.look.phone)
        headline("Learn", said.headline, said.sentence)
        if (
            place.beat == "predict" and now.look.phone
        ):  # on a phone the answers stand above the picture
            st.markdown(f"**{place.scene.question}**")
        if place.beat == "predict" and lead.led() is not None:
            polls.line(place)
        if place.beat != "predict" and place.scene.name == GAME and lead.led() is not None:
            polls.game_line(place)
        with st.container(key="scene_picture"):
            _picture(place, now)
        if strip := formula.as_html(place, _named(now.look.ink)):
            st.html(strip)
        if now.presenting and place.beat != "predict":
            _opened(place)
        if not now.presenting:
            _below(place, phone=now.look.phone)


def _named(ink: Ink) -> str:
    """The colours of the formula by their names in its style sheet."""
    return (
        f"--second: {ink.second}; --ink: {ink.truth}; --private: {ink.private}; "
        f"--panel: {ink.panel}; --hairline: {ink.hairline}"
    )


def _picture(place: Place, now: Visit) -> None:
    """The picture of the scene, or how the class voted."""
    found = polls.votes_here(place)
    if found is not None and polls.shows(place):
        polls.picture(place, found, presenting=now.presenting)
        return
    component.show_sealed(
        f"scene_{place.scene.story}_{place.scene.number}",
        picture_of(place, lead.room(), phone=now.look.phone, presenting=now.presenting),
        {"stop": named(place.stop), "beat": place.beat},
        lambda name, value: _turned(place, name, value),
    )


def _opened(place: Place) -> None:
    """What a key opens over the picture: the explanation, or the exercise."""
    wanted, scene = state.store().pop("scene_opened", None), place.scene
    if wanted == "explain":
        st.dialog(scene.title, width="large")(lambda: st.markdown(scene.explained))()
    elif wanted == "exercise":
        st.dialog("Exercise", width="large")(lambda: _exercise(scene))()


def _exercise(scene: Scene[Any]) -> None:
    st.markdown(scene.exercise)
    with st.expander("Answer"):
        st.markdown(scene.answer)


def _turned(place: Place, name: str, value: str) -> None:
    if value in PRESENTING.values():
        state.put("scene_opened" if value != "leave" else "present", value != "leave" and value)
    elif value == polls.SWITCH:
        polls.turn(place)
    elif name == "go":
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
                lead.badge(place)
        if (found := polls.votes_here(place)) is not None:
            polls.switch(place, found)
        if (chosen := place.scene.chosen(place.guess)) and not phone:
            st.markdown(f"You predicted: {chosen}")


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


def _below(place: Place, *, phone: bool) -> None:
    """What stands below the picture: the question before the guess, what explains it afterwards."""
    scene = place.scene
    if place.beat == "predict":
        if not phone:
            st.markdown(f"**{scene.question}**")
        return
    if said := verdict(place):
        st.markdown(
            f"{said} {votes.said_so(polls.votes_here(place), place.scene.option(place.guess))}".rstrip()
        )
    if said := moved(place):
        st.caption(said)
    st.markdown(scene.explained)
    extra(place)
    _from_before(place)
    with st.container(horizontal=True, key="scene_more"):
        page, link = scene.full
        if page != "learn":
            st.button(
                "Open in full page",
                key="scene_full",
                icon=":material/open_in_full:",
                on_click=_leave,
            )
            if state.store().pop("scene_leaving", False):
                state.follow(link)
                frame.go(page)
        if scene.term:
            glossary.term(scene.term, "scene_term")
        with folded.popover("Exercise", key="scene_exercise", icon=":material/edit:"):
            if not folded.is_closed():
                _exercise(scene)
        with folded.popover("For teachers", key="scene_teacher", icon=":material/school:"):
            if not folded.is_closed():
                st.markdown(f"**Goal.** {scene.goal}")
                st.markdown(scene.teacher)
                if scene.sources:
                    st.caption("Sources: " + "; ".join(scene.sources))
                with st.expander("Embed this scene"):
                    st.markdown(EMBED.format(file=file_of(scene.story, scene.number)))
                    st.code(lines(scene), language="html")
        if (own := where.own_epsilon(place)) is not None:
            st.button(
                f"Your ε: {own:g}",
                key="scene_own_epsilon",
                type="tertiary",
                on_click=where.turn,
                args=(place, named(own)),
            )
        st.button(
            "Ask again",
            key="scene_again",
            icon=":material/replay:",
            type="tertiary",
            on_click=where.go,
            args=(place, "again"),
        )


def _from_before(place: Place) -> None:
    """What an earlier scene taught, asked in another guise."""
    asked = transfer.below(place.scene)
    if asked is None:
        return
    st.markdown(f"**From before.** {asked.question}")
    said = st.segmented_control(
        "From before",
        asked.shuffled(lead.room()),
        key=f"transfer_{asked.at}",
        label_visibility="collapsed",
    )
    if said is not None:
        st.markdown(asked.judged(said))


def _leave() -> None:
    state.put("scene_leaving", True)
