"""Release once: a draw with secure bits of its own, booked once, with all that goes along with it.

The same question is answered once: whoever asks again is shown what was released.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from dpviz.answers.markup import plain
from dpviz.core.budgets import Budget
from dpviz.core.errors import DpvizError
from dpviz.core.randomness.bits import Randomness, SecureBits
from dpviz.core.releases import QuantileRelease
from dpviz.reports.notebook import notebook
from dpviz.reports.opendp import opendp
from dpviz.reports.page import report
from dpviz.reports.pictures import WIDTH, picture
from dpviz.reports.tables import release_csv
from dpviz.reports.words import Release, Told, paragraph, rows, values
from dpviz.ui.bench import data_choice, tanks
from dpviz.ui.bench.release import card_table
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.account.keys import canonical
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import Draw
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.offers import Offer, offer_buttons
from dpviz.ui.visit import declared, state
from dpviz.ui.visit.screen import look

AHEAD = {"What", "Promise", "Method", "Declared", "Spent"}  # rows that are known before the draw
FINAL = (
    "There is one draw and no second one. It takes random bits of its own under a key that nobody "
    "keeps, so it is not the draw on screen; asked again, this page shows the same release."
)
LOOKED = (
    "The truth of this file is on screen. A promise holds for settings that were chosen before "
    "anybody looked: what is chosen after a look, at the truth or at other draws, is not covered."
)
REHEARSAL = (
    "A rehearsal: this is sample data, and the release is the draw on screen, from a seed that "
    "anybody can repeat. It protects nobody."
)
PHONE = 380  # px of a picture's paper
OPENED = "_once_opened"  # the place whose button was pressed
FURTHER = (
    "OpenDP is a library that was made for releases. It answers with mechanisms of its own: other "
    "numbers under the same promise, and a budget of their own."
)


@dataclass(frozen=True, slots=True, eq=False)
class Final:
    """What a page would release: the question in full, what it costs, how it is answered.

    purpose names it in full, shown is the draw of it on screen, if there is one; subject is what was measured, in
    public words, file what its downloads are called. accuracy says how exact a release is, from it
    and a public number of people, which is asked for where nobody has said it; None asks nothing.
    """

    draw: Draw
    purpose: tuple[object, ...]
    budget: Budget
    make: Callable[[Randomness], Release]
    subject: str
    file: str
    shown: Release | None = None
    accuracy: Callable[[Release], str] | None = None

    @property
    def key(self) -> bytes:
        """What tells the question from any other; it gives nothing of the data away."""
        asked = canonical(("once", self.draw.secret, self.draw.sample, self.purpose))
        return hashlib.blake2b(asked, digest_size=32).digest()

    @property
    def cost(self) -> Cost:
        """What it spends, a record's budget."""
        return Cost(f"released once: {self.file}", self.budget)

    @property
    def released(self) -> Release | None:
        """What was released, if it was."""
        found: Release | None = memory.released_once().get(self.key)
        return found

    @property
    def on_page(self) -> Release | None:
        """What was released of a file, while the page is at the draw that it was released beside.

        Then it is what the page shows: its sentence, picture, card and files are those of one release.
        """
        if not self.draw.secret or memory.released_beside().get(self.key) != self.draw.seed:
            return None
        return self.released

    def release(self) -> None:
        """Answer the question, unless it is answered; an upload's with fresh secure bits.

        Raises: DpvizError as the mechanism does; then nothing is booked.
        """
        if self.released is not None:
            return
        bits = SecureBits.fresh() if self.draw.secret else self.draw.randomness(self.purpose)
        answer = self.draw.about_people(self.make(bits))
        if self.draw.secret:
            self.draw.book(("once", self.purpose), paid=[self.cost])
        memory.released_once()[self.key] = answer
        memory.released_beside()[self.key] = self.draw.seed


def once_button(final: Final, place: str, name: str = "") -> None:
    """The button that opens it; place tells the buttons of a page apart, name says of what."""
    assert final.shown is not None
    if final.draw.is_teaching(final.shown) or getattr(final.shown, "non_private", False):
        return
    done = final.released is not None
    label = "Released" if done else "Release once"
    st.button(
        f"{label}: {name}" if name else label,
        key=f"once_{place}",
        icon=":material/verified:" if done else ":material/publish:",
        type="secondary" if done else frame.emphasis(),
        on_click=_open,
        args=(place,),
    )
    if st.session_state.get(OPENED) == place:
        del st.session_state[OPENED]
        _dialog(final)


def _open(place: str) -> None:
    st.session_state[OPENED] = place


@st.dialog("Release once", width="large", on_dismiss="rerun")
def _dialog(final: Final) -> None:
    release = final.released
    if release is None:
        _ahead(final)
    else:
        _done(final, release)


def _subject(final: Final) -> str:
    typed = st.text_input(
        "What the values are, in public words",
        value=final.subject,
        key="once_subject",
        max_chars=80,
        help="It stands in the report. Write nothing that you learned from the file.",
    )
    return typed.strip() or final.subject


def _accuracy(final: Final, release: Release) -> str:
    """How exact it is, in a sentence; the number of people is asked for where it is missing."""
    if final.accuracy is None:
        return ""
    if session.size() is None:
        size = declared.key(session.scope(), "size")
        data_choice.people_field(
            st,
            "Then the report says how exact the numbers are.",
            **state.widget("once_size", None, lambda found: state.put(size, float(found))),
        )
    return final.accuracy(release)


def _ahead(final: Final) -> None:
    """What would leave and what it costs, and the button that works once."""
    told = Told(_subject(final))
    shown = final.shown
    assert shown is not None
    # whether there is room is an output: the draw to come may have it
    shown = replace(shown, evenly=False) if isinstance(shown, QuantileRelease) else shown
    known = [row for row in rows(shown, told) if row[0] in AHEAD]
    if final.draw.secret:
        found = tanks.balance(final.draw.payer, [final.draw.promised(final.cost)])
        after = tanks.spent_of(found, tanks.promise(), tanks.symbol())
        known.append(("In all afterwards", f"{after}, with every draw of this visit"))
    with st.container(key="once_rows"):
        st.html(card_table(known))
    for said in _remarks(final):
        st.caption(said)
    st.button(
        "Release, once" if final.draw.secret else "Rehearse the release",
        key="once_now",
        type=frame.emphasis(),
        icon=":material/publish:",
        on_click=_release,
        args=(final,),
    )
    if refused := st.session_state.pop("_once_refused", ""):
        problem(refused)


def _remarks(final: Final) -> list[str]:
    if not final.draw.secret:
        return [REHEARSAL]
    return [FINAL, LOOKED] if session.shows_truth() else [FINAL]


def _release(final: Final) -> None:
    try:
        final.release()
    except DpvizError as error:
        st.session_state["_once_refused"] = str(error)


def _done(final: Final, release: Release) -> None:
    """What left, the paragraph that goes with it, and everything to take away."""
    told = Told(_subject(final), _accuracy(final, release))
    spent = plain(str(release.spent))
    st.markdown(
        f"**Released once.** :blue[{spent} is spent.]"
        if final.draw.secret
        else f"**Rehearsed.** A release of real people would have spent :blue[{spent}]."
    )
    left, right = st.columns((52, 48), gap="medium")
    paper = picture(release, look().ink, PHONE if look().phone else WIDTH)
    left.image(paper, width="stretch")
    with right, st.container(key="once_rows"):
        st.html(card_table(rows(release, told), _values(release), look().ink.private))
    report_panel(release, told, final.file)


def _values(release: Release) -> str:
    """What stands in the colour of published numbers."""
    return " · ".join(values(release)) if isinstance(release, QuantileRelease) else ""


def report_panel(release: Release, told: Told, file: str) -> None:
    """The paragraph of methods, the downloads of a release, and the question to OpenDP."""
    st.markdown("**The paragraph that goes with it**")
    st.code(paragraph(release, told), language=None, wrap_lines=True)
    offer_buttons(
        (
            Offer("JSON", release.to_json, f"{file}.json", "application/json"),
            Offer("CSV", partial(release_csv, release), f"{file}.csv", "text/csv"),
            Offer(
                "Notebook",
                partial(notebook, release, told, f"{file}.json"),
                f"{file}.ipynb",
                "application/x-ipynb+json",
                "It reads the JSON beside it and draws the public picture again.",
            ),
            Offer(
                "Report",
                partial(report, release, told),
                f"{file}.html",
                "text/html",
                "One page to print: the paragraph, the public picture, the declarations.",
            ),
        )
    )
    with st.expander("The same question to OpenDP"):
        asked = opendp(release)
        st.caption(FURTHER if asked.lines else asked.reason)
        if asked.lines:
            st.code(asked.lines, language="python")
