"""How a job looks on a page: an estimate and a start, progress and a stop, results as they come."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import cast

import pandas as pd
import streamlit as st

from dpviz.answers.number_text import counted, duration
from dpviz.core.errors import DpvizError
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import SUMS, summary
from dpviz.ui import visitor
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.jobs import Job, processes_for
from dpviz.ui.kit.messages import problem
from dpviz.ui.kit.process import private

LOOK_SECONDS = (0.7, 2.0)  # between two looks at short and at long work
LONG_SECONDS = 20.0
LONGEST_SECONDS = 3600.0  # an app that others use too takes no more


def nothing_paid(_: Experiment) -> None:
    """For work on made-up data."""


@dataclass(frozen=True, slots=True)
class Study:
    """Work that a page offers to run.

    place is where on the pages it is started; key names settings and data in full, about the data
    alone; title is for people; pay books the whole run when it is started,
    and is nothing_paid for made-up data; processes None takes as many as the work is worth; page
    is the file of the page that it is started from, to lead back there from another one.
    """

    place: str
    key: Hashable
    about: Hashable
    title: str
    build: Callable[[], Experiment]
    pay: Callable[[Experiment], None]
    processes: int | None = None
    page: str = ""

    def experiment(self) -> Experiment:
        """The planned work, planned once. Raises: DpvizError as build does."""
        return memory.remembered(("experiment", self.place, self.key), self.build)


def jobs() -> dict[str, Job]:
    """The visitor's jobs, one for each place that they are started from."""
    kept: dict[str, Job] = visitor.first("_jobs", dict)
    return kept


def source() -> Hashable:
    """What the results of the column in use hang on; another upload is another source."""
    own = session.upload() if session.is_upload() else None
    return (visitor.get("data"), own.number if own else None, session.unit())


def forget_other_uploads() -> None:
    """Let go of jobs about a file that is no longer there."""
    own = session.upload()
    for place, job in list(jobs().items()):
        about = cast("tuple[str, int | None, str]", job.source)
        if about[0] == session.UPLOAD and (own is None or own.number != about[1]):
            job.stop()
            del jobs()[place]


def job_of(study: Study) -> Job | None:
    """The job of this place, if it is about the same data; its settings may be others."""
    found = jobs().get(study.place)
    return found if found is not None and found.source == study.about else None


def busy() -> Job | None:
    """The one job of this visit that runs now."""
    return next((one for one in jobs().values() if one.running), None)


def controls(study: Study, *, short: bool = False) -> None:
    """The buttons of a run where they are called, in a row: Run, Stop, Resume, and the estimate.

    short leaves the estimate to the button's help, where a row has no room for it. Outside of every
    fragment: a click inside one is lost when the page is being drawn meanwhile.
    """
    job = job_of(study)
    if job is None or job.key != study.key:
        _offer(study, short=short)
    elif job.running:
        _stop_button("Stop, keep what is done", f"w_stop_{study.place}", job)
    else:
        if not job.complete:
            st.button(
                "Resume",
                icon=":material/resume:",
                type=frame.emphasis(),
                key=f"w_resume_{study.place}",
                disabled=busy() is not None,
                on_click=_begin,
                args=(study.place, job),
            )
        _offer(study, "Run again", short=short)


def estimate(study: Study) -> str:
    """What a run takes before anything of it was measured: "about 10 s, in 124 parts"."""
    experiment = study.experiment()
    lanes = processes_for(experiment.seconds) if study.processes is None else study.processes
    parts = counted(len(experiment.cells), "part")
    return f"about {duration(experiment.seconds / max(1, lanes))}, in {parts}"


def _offer(study: Study, label: str = "Run", *, short: bool = False) -> None:
    """A button that starts a new run, with what it takes; or who runs already."""
    try:
        experiment = study.experiment()
    except DpvizError as error:
        problem(error)
        return
    lanes = processes_for(experiment.seconds) if study.processes is None else study.processes
    seconds = experiment.seconds / max(1, lanes)
    other, too_long = busy(), seconds > LONGEST_SECONDS
    job = Job(experiment, study.key, study.about, study.title, study.processes, private.presence())
    job.page = study.page
    takes = estimate(study)
    st.button(
        label,
        type="secondary" if label != "Run" else frame.emphasis(),
        icon=":material/play_arrow:",
        key=f"w_run_{study.place}",
        disabled=other is not None or too_long,
        on_click=_begin,
        args=(study.place, job, study.pay),
        help=f"It takes {takes}.",
    )
    if other is not None:
        _busy(study.place, other)
    elif too_long:
        st.caption(f"About {duration(seconds)}: too long. Ask for fewer runs or places.")
    elif label == "Run" and not short:
        st.caption(f"A{takes[1:]}", width="content")


def _busy(place: str, other: Job) -> None:
    st.caption(f"Another run is under way: {other.title}", width="content")
    if other.page:
        st.page_link(other.page, label="Go there", icon=":material/arrow_forward:")
    _stop_button("Stop that run", f"w_stop_other_{place}", other)


def _begin(place: str, job: Job, pay: Callable[[Experiment], None] = nothing_paid) -> None:
    if busy() is None:
        pay(job.experiment)
        jobs()[place] = job
        job.start()


def _halt(job: Job) -> None:
    job.stop()
    job.wait(5)


def _stop_button(label: str, key: str, job: Job) -> None:
    st.button(label, icon=":material/stop:", key=key, on_click=_halt, args=(job,))


def take_away(place: str, job: Job) -> None:
    """All results of a run as a file, and how long they took."""
    st.download_button(
        "Results as CSV",
        lambda: csv_of(job.rows()),
        f"{place}.csv",
        "text/csv",
        icon=":material/download:",
        key=f"w_csv_{place}",
        on_click="ignore",
        help="Errors are computed from the truth: they are as confidential as the data.",
    )
    st.caption(f"{job.title}; took {duration(job.elapsed)}.")


def csv_button(name: str, rows: pd.DataFrame) -> None:
    """Results that are there without a run as a file."""
    st.download_button(
        "Results as CSV",
        lambda: csv_of(rows),
        f"{name}.csv",
        "text/csv",
        icon=":material/download:",
        key=f"w_csv_{name}",
        on_click="ignore",
    )


def csv_of(rows: pd.DataFrame) -> str:
    """The tidy frame: sums as means with standard errors, anything else as it is."""
    tidy = summary(rows) if set(SUMS) <= set(rows.columns) else rows
    return str(tidy.to_csv(index=False, lineterminator="\n"))
