"""A run on a page: its parts as a row of cells, time to go, what is known so far, how it ends.

The page draws its picture from the rows that are there; `watched` draws it anew as they come.
"""

import math
from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from dpviz.answers.number_text import duration
from dpviz.answers.said import plain, private
from dpviz.ui.bench.headline import headline_in_motion
from dpviz.ui.kit import frame
from dpviz.ui.kit.job_panel import LONG_SECONDS, LOOK_SECONDS
from dpviz.ui.kit.jobs import ABANDONED_SECONDS, Job
from dpviz.ui.kit.messages import problem

STAYS = "What is done stays, even if you stop or open another page."
LEAVE = (
    "You may leave",
    f"The run goes on while you look at other pages, and for {ABANDONED_SECONDS:.0f} seconds after "
    "you close this one; then it stops by itself. One run at a time.",
)
CELL = "height:10px;border-radius:2px;min-width:2px;flex:{grow:.4g} 1 0;background:{fill}"


def is_shown(job: Job | None) -> bool:
    """Whether a page shows the view of a run: under way, or stopped before its end."""
    return job is not None and (job.running or not job.complete)


def sentences(job: Job, name: str, each: str) -> tuple[str, str]:
    """The headline of a run and the line below it, as Markdown.

    name is what runs ("Fig. 4"), each what one part is ("Each part is one data set at one m; …").
    """
    state = "running" if job.running else "stopped"
    if job.waiting:
        state = "waiting for others' runs"
    if job.problem:
        state = "it failed"
    counted = private(job.parts_done)
    return f"{plain(name)}, {state}: {counted} parts are drawn.", f"{STAYS} {plain(each)}"


def parts(job: Job) -> None:
    """One row of cells, the parts, as wide as the time they take; time to go at its right."""
    ink = frame.ink()
    cells = "".join(
        _cell(seconds, share, ink.private, ink.hairline) for seconds, share in job.groups()
    )
    st.html(
        f'<div style="display:flex;align-items:center;gap:18px;height:26px">'
        f'<div role="progressbar" aria-label="{escape(job.parts_done)} parts are done" '
        f'aria-valuemin="0" aria-valuemax="100" aria-valuenow="{100 * job.share:.0f}" '
        f'style="display:flex;gap:2px;flex:1 1 auto;min-width:0;overflow:hidden">{cells}</div>'
        f'<div style="font-size:16px;white-space:nowrap;color:{ink.truth}">'
        f"{escape(time_words(job))}</div></div>"
    )


def _cell(seconds: float, share: float, full: str, empty: str) -> str:
    at = f"{100 * share:.0f}%"
    fill = f"linear-gradient(to right, {full} {at}, {empty} {at})" if 0 < share < 1 else ""
    whole = fill or (full if share >= 1 else empty)
    # the square root: a part of minutes does not squeeze those of a second out of sight
    return f'<div style="{CELL.format(grow=math.sqrt(max(seconds, 1e-6)), fill=whole)}"></div>'


def time_words(job: Job) -> str:
    """Time to go and time so far."""
    so_far = f"{duration(job.elapsed)} so far"
    if not job.running:
        return so_far
    guess = "about" if job.done else "first guess:"
    return f"{guess} {duration(job.seconds_left)} to go, {so_far}"


def beside(notes: Sequence[tuple[str, str]]) -> None:
    """Short paragraphs beside a picture, each with a bold head; texts are plain."""
    with st.container(key="beside"):
        for head, text in notes:
            st.markdown(f"**{plain(head)}**\n\n{plain(text)}")


def notes(so_far: str, to_come: str) -> list[tuple[str, str]]:
    """What stands beside the picture of a run; empty texts are left out."""
    told = [("So far", so_far), ("Still to come", to_come), LEAVE]
    return [(head, text) for head, text in told if text]


def watched(job: Job, page: str, name: str, each: str, draw: Callable[[], None]) -> None:
    """Draw, and while it runs draw again as parts come in; at its end the whole page once more.

    page is the page's name, name what runs and each what one part is, for the headline, which
    counts the parts; draw draws what stands below the row of cells.
    """
    if job.problem:
        problem(job.problem)
    running, say = job.running, headline_in_motion(page)

    def look() -> None:
        if job.running != running:
            st.rerun()  # the whole page: sentence, buttons and downloads change
        say(*sentences(job, name, each))
        parts(job)
        draw()

    pace = LOOK_SECONDS[job.experiment.seconds > LONG_SECONDS]
    st.fragment(run_every=pace if running else None)(look)()
