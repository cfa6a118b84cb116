"""To lead a class: a code for those who follow, a secret for who leads, and each step told."""

import io

import segno
import streamlit as st

from dpviz.answers.said import plain
from dpviz.lessons.stories.listing import STORIES
from dpviz.lessons.stories.telling import Place
from dpviz.ui.kit.process import private
from dpviz.ui.learn.address import address_of, reaches_this_machine_alone
from dpviz.ui.learn.steps import step_of
from dpviz.ui.lectures import codes
from dpviz.ui.lectures.table import LECTURES, Lecture, Step, TooManyLectures
from dpviz.ui.links import arriving

KEY = "lead"  # in links: CODE.SECRET; it leaves the address as soon as it was read
COUNT_SECONDS = 5.0  # between two counts of those who follow
VOTE_SECONDS = 2.0  # between two counts of votes
UNREACHED = (
    "Only this machine reaches this server. To let phones in, start it with "
    "`python -m dpviz --host 0.0.0.0`."
)
GONE = (
    "Your lecture is over: it was ended, or you were away for more than a minute. For Teachers "
    "begins another one."
)


def settle() -> None:
    """Take what a presenter's link says, and see whether their lecture is still under way."""
    if arriving.decides() or "_lead_seen" not in st.session_state:
        st.session_state["_lead_seen"] = True
        _take_link()
    held = led()
    if held is not None and not LECTURES.lead(*held, private.session_name(), private.presence()):
        st.session_state.pop("_lead", None)
        st.toast(GONE)


def led() -> tuple[str, str] | None:
    """The code and the secret of the lecture that this session leads."""
    held: tuple[str, str] | None = st.session_state.get("_lead")
    return held


def room() -> str:
    """The code of the lecture that this session leads, "" where it leads none."""
    held = led()
    return "" if held is None else held[0]


def _take_link() -> None:
    texts = arriving.linked(KEY)
    if not texts:
        return
    code, _, secret = texts[0].partition(".") if len(texts) == 1 else ("", "", "")
    read = codes.read(code)
    if read and LECTURES.lead(read, secret, private.session_name(), private.presence()):
        st.session_state["_lead"] = read, secret
        st.session_state.pop("_lead_told", None)
    else:
        arriving.refuse(KEY)
    del st.query_params[KEY]  # the screen with this address may be projected


def begin() -> None:
    """Begin a lecture at the first scene; why not, where there are too many."""
    first = STORIES[0].scenes[0]
    step = Step(first.story, first.number, "predict", first.control.start)
    end()
    try:
        held = LECTURES.begin(step, private.session_name(), private.presence())
    except TooManyLectures as error:
        st.session_state["_lead_refused"] = str(error)
    else:
        st.session_state["_lead"] = held


def end() -> None:
    """End the lecture of this session, if it leads any."""
    held = led()
    if held is not None:
        LECTURES.end(*held)
    for key in ("_lead", "_lead_told"):
        st.session_state.pop(key, None)


def publish(place: Place | None) -> None:
    """Take all who follow to where this session is now; told once, for another tab may lead too.

    Called at the end of a run: the presenter's picture is on its way, and its numbers are known.
    """
    held = led()
    if held is None or place is None:
        return
    step = step_of(place)
    if st.session_state.get("_lead_told") != step and LECTURES.publish(*held, step):
        st.session_state["_lead_told"] = step


def link() -> str:
    """What a presenter's link has in addition; "" for who leads nothing."""
    held = led()
    return "" if held is None else f"&{KEY}={'.'.join(held)}"


def leads() -> Lecture | None:
    """The lecture that this session leads."""
    held = led()
    return None if held is None else LECTURES.find(held[0])


@st.fragment(run_every=VOTE_SECONDS)
def badge(place: Place) -> None:
    """The code for those who come late, how many follow, and how many of them have voted."""
    lecture = leads()
    if lecture is None:
        return
    here = lecture.followers
    said = f"{here} follow"
    if place.beat == "predict" and (heard := lecture.people(place.scene.name)):
        said = f"{heard} of {max(heard, here)} voted"
    with st.popover(f"{lecture.code} · {said}", key="lead_badge"):
        invitation(lecture.code)
        st.button("End the lecture", key="lead_end", icon=":material/flag:", on_click=end)


def panel() -> None:
    """On the teacher's page: begin, invite, lead from another machine, end."""
    held = led()
    refused = st.session_state.pop("_lead_refused", None)
    if refused:
        st.warning(plain(refused))
    if held is None:
        st.button(
            "Lead a class",
            key="lead_begin",
            icon=":material/cast_for_education:",
            on_click=begin,
            help="Students' pages then show the scene that you are at, each free to step off.",
        )
        return
    invitation(held[0])
    st.markdown("Open a scene below to lead: its page takes the class along. This page stays yours; "
                "the lecture is over when all your pages are closed.")  # fmt: skip
    with st.container(horizontal=True):
        with st.popover("Another machine", key="lead_link"):
            st.markdown("Open this link on the machine that presents, and again if you reload a page "
                        "there. Whoever has it leads the class: do not project it.")  # fmt: skip
            first = f"story={STORIES[0].key}&scene=1&present=1{link()}"
            st.code(address_of(first) or f"/learn?{first}", language=None, wrap_lines=True)
        st.button("End the lecture", key="lead_end", icon=":material/flag:", on_click=end)


def invitation(code: str) -> None:
    """The way to follow, to photograph and to type."""
    st.markdown(f"Code **{code}**")
    address = address_of(f"follow={code}")
    if address is not None:
        picture(address, f"Students follow at {address}")


def picture(address: str, caption: str) -> None:
    """An address as a code to photograph; how to start the server where no phone reaches it."""
    if reaches_this_machine_alone(address):
        st.markdown(UNREACHED)
        return
    drawn = io.BytesIO()
    # ink on white paper in both themes, which every camera reads
    segno.make(address, error="m").save(drawn, kind="svg", scale=6, border=3, light="#FFFFFF")
    st.image(
        drawn.getvalue().decode(),
        width=220,
        caption=caption,
        alt=f"A code to photograph; it leads to {address}",
    )
