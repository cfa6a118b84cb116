"""To follow a lecture: the presenter's scene, the way off, and the way back."""

import secrets
from dataclasses import dataclass, field, replace

import streamlit as st

from dpviz.lessons.game import counter
from dpviz.lessons.stories.telling import Place, verdict
from dpviz.lessons.stories.votes import said_so
from dpviz.ui import beside
from dpviz.ui.bench.headline import headline
from dpviz.ui.kit.process import private
from dpviz.ui.learn import where
from dpviz.ui.learn.extras import GAME, game_on
from dpviz.ui.learn.picture import Seen, drawn
from dpviz.ui.learn.polls import class_votes
from dpviz.ui.learn.steps import heard, place_of
from dpviz.ui.lectures import codes
from dpviz.ui.lectures.table import LECTURES, Lecture
from dpviz.ui.links import arriving
from dpviz.ui.stage import component
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

KEY = "follow"  # in links
OVER = "The lecture is over; go on by yourself."
UNKNOWN = (
    "No lecture under way has this code. It may be over, or a sign of it may be another one: "
    "compare it with the code on the screen. The stories are here all the same."
)
DRAWS = 2**31  # games that phones play
KEPT_GAME = (
    "The server counts how many phones got how many of their first five rounds, not who did."
)
KEPT = "The server sees your vote arrive. It keeps counts of votes, not who voted."
TALK = "Talk to your neighbour for 90 seconds, then vote again."
HTML = '<div class="follow"><p class="said" role="status" aria-live="polite"></p></div>'


@dataclass(slots=True)
class Following:
    """A lecture that this visitor follows, or stepped off, and their own guesses in it."""

    code: str
    on: bool = True
    guesses: dict[str, dict[int, str]] = field(default_factory=dict)  # of a scene, by round
    draw: int = field(default_factory=lambda: secrets.randbelow(DRAWS))  # of the game: their own
    played: set[str] = field(default_factory=set)  # what this phone is counted in
    last: Place | None = None  # the place that was drawn last

    def guess(self, scene: str) -> str | None:
        """What was guessed last on a scene."""
        given = self.guesses.get(scene)
        return given[max(given)] if given else None

    def chosen(self, lecture: Lecture, scene: str) -> str:
        """What was answered in the vote that goes on."""
        return self.guesses.get(scene, {}).get(lecture.round(scene), "")


def settle() -> bool:
    """Whether this visitor follows now. The link decides when it is opened."""
    if arriving.decides() or "_follow_seen" not in st.session_state:
        st.session_state["_follow_seen"] = True
        _take_link()
    mine = following()
    if mine is None or not mine.on:
        return False
    if LECTURES.find(mine.code) is None:
        _over(mine)
        return False
    return True


def following() -> Following | None:
    """The lecture that this visitor follows or stepped off."""
    found: Following | None = st.session_state.get("_follow")
    return found


def write(place: Place | None, *, follows: bool, also: dict[str, str | None]) -> None:
    """Make the address say where the visitor is: a place, or the code of a lecture and no place.

    also is what a view has besides.
    """
    mine = following()
    code = mine.code if follows and mine is not None else None
    state.write({**where.link(place), **also, KEY: code})


def _take_link() -> None:
    st.session_state.pop("_follow_unknown", None)
    texts = arriving.linked(KEY)
    before = following()
    if not texts:
        if before is not None and before.on:  # the browser went back to before the lecture
            _step_off(before)
        return
    code = codes.read(texts[0]) if len(texts) == 1 else None
    if code is None or LECTURES.find(code) is None:
        st.session_state.pop("_follow", None)
        st.session_state["_follow_unknown"] = True
        return
    if before is not None and before.code == code:
        before.on = True
    else:
        st.session_state["_follow"] = Following(code)
    st.session_state.pop("_follow_over", None)


def follow_view(now: Visit) -> None:
    """The presenter's scene, whatever it is at the moment, and the way off."""
    mine = following()
    with st.container(key="follow_line", horizontal=True, vertical_alignment="center"):
        st.markdown(f"Following **{mine.code if mine else ''}**", width="content")
        st.button("On my own", key="follow_off", on_click=_step_off, args=(mine,))
    _picture(now)


@st.fragment
def _picture(now: Visit) -> None:
    """Everything that a step changes; it runs by itself at each one."""
    mine = following()
    lecture = None if mine is None or not mine.on else LECTURES.find(mine.code)
    if mine is None or lecture is None:
        st.rerun()
    lecture.follow(private.session_name(), private.presence())
    number, step = lecture.number, lecture.step
    place = place_of(step, None)
    place = mine.last = replace(place, guess=mine.guess(place.scene.name))
    seen = Seen(mine.code, now.look.phone, now.presenting, _right(place))
    said, picture = drawn(step, seen)
    with st.container(key="scene", gap=None):
        headline("Learn", said.headline, said.sentence)
        if place.beat == "predict":
            st.markdown(f"**{place.scene.question}**")
        with st.container(key="scene_picture"):
            component.show_sealed(
                "followed",
                picture,
                {"chosen": mine.chosen(lecture, place.scene.name)},
                lambda _, wanted: _answer(mine, lecture, place, wanted),
            )
        _below(place, lecture, mine)
    with st.container(key="watch_lecture"):
        words = f"{place.scene.number} of {len(place.story.scenes)}. {said.headline}"
        beside.component(__file__, "follow", HTML)(
            key="follow_waiting",
            data={"code": lecture.code, "step": number, "words": heard(words)},
            on_step_change=lambda: None,
            height=1,
        )


def _below(place: Place, lecture: Lecture, mine: Following) -> None:
    """Which scene this is, and what becomes of a visitor's own guess."""
    scene = place.scene
    words = f"{place.story.title}, {scene.number} of {len(place.story.scenes)}."
    if place.beat == "predict":
        words += f" {_asked(place, lecture)}"
    else:
        words += (
            f" {verdict(place)} {said_so(class_votes(lecture, scene), scene.option(place.guess))}"
        )
        words = words.rstrip()
    st.markdown(words)
    if place.beat == "predict":
        st.caption(KEPT)
    elif scene.name == GAME:
        game_on(place, mine.draw, lambda right: _played(mine, lecture, place.stop, right))
        st.caption(KEPT_GAME)


def _played(mine: Following, lecture: Lecture, stop: float, right: int) -> None:
    """Count a phone once at an ε, by how many of its first five rounds it got."""
    name = counter(float(stop))
    if name not in mine.played and lecture.votes.change(name, None, right):
        mine.played.add(name)


def _asked(place: Place, lecture: Lecture) -> str:
    """What a phone reads while its class votes."""
    if lecture.round(place.scene.name) == 2:
        return TALK
    option = place.scene.option(place.guess)
    if option is None or place.scene.drawing is not None:  # the drawing says what it is itself
        return ""
    return f"You predicted: **{option.text}**. The presenter reveals the answer."


def _right(place: Place) -> bool:
    return place.scene.answered(place.guess)


def _answer(mine: Following, lecture: Lecture, place: Place, wanted: str) -> None:
    """Count an answer in place of an older one of this round, while the presenter asks."""
    scene, now = place.scene, place_of(lecture.step, None)
    name, number, new = scene.name, lecture.round(scene.name), scene.bin(wanted)
    if now.beat != "predict" or now.scene.name != name or new is None:
        return
    given = mine.guesses.setdefault(name, {})
    if lecture.vote(name, scene.bin(given.get(number, "")), new):
        given[number] = wanted


def _step_off(mine: Following) -> None:
    """Go on alone, at the place that was seen last."""
    mine.on = False
    lecture = LECTURES.find(mine.code)
    if lecture is not None:
        lecture.leave(private.session_name())
    if mine.last is not None:
        where.stand(mine.last)


def _over(mine: Following) -> None:
    _step_off(mine)
    st.session_state.pop("_follow", None)
    st.session_state["_follow_over"] = mine.last


def _step_on(mine: Following) -> None:
    mine.on = True


def notices(place: Place | None) -> None:
    """What stands above a page of Learn that follows no lecture: the way back, or why there is none."""
    if st.session_state.get("_follow_unknown"):
        if place is None:
            st.info(UNKNOWN, icon=":material/link_off:")
        else:
            del st.session_state["_follow_unknown"]
    mine = following()
    if mine is not None and LECTURES.find(mine.code) is None:
        st.session_state.pop("_follow", None)
        st.session_state["_follow_over"] = place
    elif mine is not None:
        with st.container(key="follow_line", horizontal=True, vertical_alignment="center"):
            st.markdown(f"Lecture **{mine.code}** goes on.", width="content")
            st.button("Back to the lecture", key="follow_on", on_click=_step_on, args=(mine,))
    _say_over(place)


def _say_over(place: Place | None) -> None:
    """That a lecture is over, until the visitor goes on."""
    if "_follow_over" not in st.session_state:
        return
    last: Place | None = st.session_state["_follow_over"]
    if last is None or (place is not None and place.scene is last.scene):
        st.info(OVER, icon=":material/flag:")
    if last is None or place is None or place.scene is not last.scene:
        del st.session_state["_follow_over"]
