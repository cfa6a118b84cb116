"""One figure of a paper: its picture and how it compares with print; or its run under way."""

from dataclasses import dataclass, replace
from datetime import date

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.said import plain, unmarked
from dpviz.experiments.engine.tally import MEAN_GAP, SUMS, summary
from dpviz.experiments.papers.aq_figures import histograms, properties
from dpviz.experiments.papers.stored import told
from dpviz.experiments.papers.stored.findings import BY, MEASURED, Unfinished, trials_in_words
from dpviz.experiments.papers.stored.judgements import JUDGED, judgements
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.studies import STUDIES
from dpviz.experiments.papers.stored.told import Told
from dpviz.figures.kit.look import Look
from dpviz.ui.bench import running
from dpviz.ui.bench.dock import Dock, dock
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import slides
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.kit.job_panel import Study, controls, csv_of, job_of, take_away
from dpviz.ui.kit.jobs import Job
from dpviz.ui.model import alone
from dpviz.ui.model.fields import Field, Switch, same
from dpviz.ui.papers import progress, spatial, where
from dpviz.ui.papers.all_figures import SAID
from dpviz.ui.papers.aq import COUNTED, COUNTED_HELP
from dpviz.ui.papers.files import sets_label, six_sets
from dpviz.ui.papers.rows import Asked, Given, Missing, PaperFigure, Shown
from dpviz.ui.visit.page import Visit

ROADS = (
    "1.63 million made-up points in towns and along roads stand in for the road crossings of "
    "TIGER; rectangles were chosen by looking at the points: fair to measure, not to release."
)
VARIANTS = (
    "Dotted, hollow marks: ours: ρ split by bounded range, the tree of fanout 10 and height 3 read by least "
    "squares, with Gaussian noise in zCDP."
)
LOOSE = {"other data": "It uses other data.", "explains": "It explains an idea."}
# figures that are read off the sets at once, the visitor's own too
FROM_SETS = {"aq3": histograms, "aqt1": properties}
STORED, OWN = "Stored result", "Your run"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the dock settled: the study that may be run, its job, and how the picture is drawn."""

    asked: Asked
    given: Given | Missing
    study: Study | None
    job: Job | None
    part: str
    improved: bool
    shows_own: bool
    metric: str = MEAN_GAP


def one_figure(now: Visit, figure: PaperFigure) -> None:
    """The page of one figure."""
    with dock(now, sliders=0) as d:
        choice = _docked(d, figure)
        place = d.slot().container(horizontal=True, vertical_alignment="center", wrap=d.folds)
    if choice.job is not None and running.is_shown(choice.job):
        _run_view(now, figure, choice, choice.job)
    else:
        _result_view(now, figure, choice)
    if choice.study is not None and not now.presenting:
        with place:  # after the picture: a run is planned for its estimate, which takes a moment
            controls(choice.study)


def _docked(d: Dock, figure: PaperFigure) -> Choice:
    d.buttons.button(
        "All figures",
        key="papers_back",
        icon=":material/arrow_back:",
        on_click=where.show,
        args=(where.GALLERY,),
    )
    part = _part(d, figure)
    own_points = figure.aside is spatial.points_picker and spatial.chosen_source() != spatial.ROADS
    if figure.has_truth or own_points:
        d.truth()
    preset, improved, metric = _settings(d, figure)
    asked, given = Asked(figure, preset), figure.needs()
    study = None
    if figure.study is not None and isinstance(given, Given):
        study = figure.study(asked, given)
    job = None if study is None else job_of(study)
    shows_own = _which(d, job)
    with d.popover("Take away", "take", ":material/download:"):
        _take_away(d.now, figure, job if shows_own else None, metric)
    return Choice(asked, given, study, job, part, improved, shows_own, metric)


def _part(d: Dock, figure: PaperFigure) -> str:
    parts = [
        part for part in figure.parts if session.shows_truth() or part not in figure.truth_parts
    ]
    if len(parts) < 2:
        return parts[0] if parts else ""
    key = f"papers_part_{figure.key}"
    if len(parts) > 2 or d.folds:
        row = alone.segments(key, figure.parts_label, same(*parts))
        part = alone.settle("papers", row)
        with d.popover(f"{figure.parts_label}: {part}", "part"):
            alone.draw(row, part)
        return str(part)
    row = alone.segments(key, figure.parts_label, same(*parts), bare=True)
    part = alone.settle("papers", row)
    alone.draw(row, part, d.buttons)
    return str(part)


def _settings(d: Dock, figure: PaperFigure) -> tuple[str, bool, str]:
    preset, improved, metric = "", False, MEAN_GAP
    if figure.presets is not None:
        presets = figure.presets
        size = alone.segments(presets.widget, "Preset", same(*presets.sizes), presets.help)
        preset = alone.settle("papers", size)
        rows = [(size, preset)]
        if figure.has_variants:
            told = figure.variants or VARIANTS
            both = Field("w_improved", "Variants too", Switch(), False, "dock", told)
            improved = alone.settle("papers", both)
            rows.append((both, improved))
        if figure.has_variants and not figure.variants:  # misses of AQ's figures
            counted = alone.segments("w_counted", "Counted", COUNTED, COUNTED_HELP)
            metric = alone.settle("papers", counted)
            rows.append((counted, metric))
        with d.popover(_preset_label(figure, preset), "preset"):
            for row, value in rows:
                alone.draw(row, value)
            if figure.aside is not None:
                figure.aside()
    elif figure.aside is not None:
        with d.popover(f"Data: {figure.aside_label()}", "aside"):
            figure.aside()
    return preset, improved, metric


def _preset_label(figure: PaperFigure, preset: str) -> str:
    assert figure.presets is not None
    size = figure.presets.sizes.get(preset) or next(iter(figure.presets.sizes.values()))
    runs = trials_in_words(figure.presets.runs(size), figure.presets.noun)
    name = preset.split(",", maxsplit=1)[0]
    data = f" · {figure.aside_label()}" if figure.aside is not None else ""
    return f"Your run: {name}, {runs}{data}"


def _which(d: Dock, job: Job | None) -> bool:
    """Whether the visitor's own finished run is shown, not the stored result."""
    if job is None or job.running or not job.done:
        return job is not None
    if not job.complete:
        return True
    with d.explore("Result"):
        chosen = st.segmented_control(
            "Result", [OWN, STORED], default=OWN, required=True, key=f"papers_which_{job.title}"
        )
    return chosen == OWN


def shown_of(figure: PaperFigure, look: Look, choice: Choice) -> Shown:
    """What the picture is made of: the rows of the run, else the stored ones."""
    held, source = record(), told.SOURCES[figure.key]
    job = choice.job if choice.shows_own else None
    given = choice.given
    own_data = isinstance(given, Given) and figure.key in FROM_SETS and given.is_own
    rows, around = told.rows_of(figure.key, held, choice.metric), None
    if job is not None:
        if not job.complete and not given_own(given):
            around = rows
        own = source.part(_summed(job)) if job.done else rows.iloc[:0]
        rows = told.of_metric(own, choice.metric)
    titles, origins = dict(held.titles), dict(held.origins)
    if figure.needs is six_sets and isinstance(given, Given) and (job is not None or own_data):
        sets = given.data()
        titles = {key: one.label for key, one in sets.items()}
        origins = {key: str(one.origin) for key, one in sets.items()}
        if own_data:
            rows = FROM_SETS[figure.key](sets)
    return Shown(
        look,
        rows,
        choice.part,
        choice.improved,
        choice.metric,
        session.shows_truth(),
        titles,
        {name: held.rows[name] for name in figure.extra},
        around,
        _words(figure, choice, job, origins),
    )


def _summed(job: Job) -> pd.DataFrame:
    rows = job.rows()
    return summary(rows) if set(SUMS) <= set(rows.columns) else rows


def given_own(given: Given | Missing) -> bool:
    """Whether a run is about other data than the stored results, so that its axes are its own."""
    return isinstance(given, Given) and given.is_own


def _words(
    figure: PaperFigure, choice: Choice, job: Job | None, origins: dict[str, str]
) -> dict[str, str]:
    presets = figure.presets
    runs = STUDIES[told.SOURCES[figure.key].study].runs
    if job is not None and presets is not None:
        runs = presets.runs(choice.asked.size)
    points = ROADS
    given = choice.given
    if job is not None and isinstance(given, Given) and given.is_own:
        points = f"The data in use: {given.title}."
    return {
        "origin": told.origin_of(origins),
        "trials": trials_in_words(runs, presets.noun if presets else "run").capitalize(),
        "points": points,
        "counted": MEASURED[choice.metric],
        "by": BY[choice.metric],
    }


def _result_view(now: Visit, figure: PaperFigure, choice: Choice) -> None:
    shown = shown_of(figure, now.look, choice)
    said = _said(figure, choice, shown)
    second = _second(figure)
    headline("Papers", said.headline, second.split(" Judged")[0] if now.presenting else second)
    left, right = _halves(now)
    with left:
        hero(figure.picture(shown), "paper", alt=_alt(figure, said.headline), slides=figure.key)
        _strip(now, figure, choice)
    if not now.presenting:
        with right:
            running.beside(
                [
                    ("As printed", said.printed),
                    ("As measured", said.measured),
                    ("Why different", said.why),
                    ("Settings", said.settings),
                ]
            )


def _said(figure: PaperFigure, choice: Choice, shown: Shown) -> Told:
    """What is said of the rows that are shown; of a run too small for that only what it is."""
    try:
        return told.told(figure.key, figure.numbers(shown))
    except Unfinished as error:
        stored = shown_of(figure, shown.look, replace(choice, shows_own=False))
        said = told.told(figure.key, figure.numbers(stored))
        assert choice.job is not None, "stored rows hold all that is said of them"
        found = f"{figure.label}, your run: too small for a finding."
        settings = plain(choice.job.title)
        return replace(said, headline=found, measured=str(error), settings=settings)


def _second(figure: PaperFigure) -> str:
    row = judgements()[figure.key]
    day = day_of(row.judged)
    judged = f" Judged on {day}: {SAID[row.mark]}." if row.mark in JUDGED else f" {LOOSE[row.mark]}"
    return f"{figure.whole_label}: {figure.about}.{judged}"


def day_of(text: str) -> str:
    """A date as people write it: 22 Nov 2026."""
    day = date.fromisoformat(text)
    return f"{day.day} {day:%b %Y}"


def _alt(figure: PaperFigure, sentence: str) -> str:
    return f"{figure.whole_label}: {figure.about}. {unmarked(sentence)}"


def _strip(now: Visit, figure: PaperFigure, choice: Choice) -> None:
    held, job = record(), choice.job if choice.shows_own else None
    given = choice.given
    if job is None:
        items = [("measured", day_of(held.date)), ("version", held.version)]
        if figure.needs is six_sets and figure.key not in FROM_SETS:
            items.append(("on", sets_label(held.origins.values()).lower()))
        study = told.SOURCES[figure.key].study
        if STUDIES[study].runs > 1:
            items.append(("took", f"{max(held.seconds[study], 1):.0f} s of one core"))
    else:
        items = [("your run", job.title), ("parts", job.parts_done)]
    chips = []
    if isinstance(given, Missing):
        chips.append(given.why)
    elif job is None and given.is_own and figure.study is not None:
        chips.append("stored: the made-up roads" if figure.key.startswith("psd") else "stored sets")
    confidential = isinstance(given, Given) and given.is_confidential and job is not None
    strip(now, items, chips, badge=figure.has_truth or confidential)


def _run_view(now: Visit, figure: PaperFigure, choice: Choice, job: Job) -> None:
    each = progress.each_part(figure)

    def draw() -> None:
        left, right = _halves(now)
        with left:
            first, _ = running.sentences(job, figure.label, each)
            shown = shown_of(figure, now.look, replace(choice, shows_own=True))
            hero(figure.picture(shown), "paper_run", alt=_alt(figure, first), slides=figure.key)
        with right:
            running.beside(running.notes(*progress.notes(figure, job)))

    running.watched(job, "Papers", figure.label, each, draw)


def _halves(now: Visit) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where the picture and where the words stand: beside each other, on a phone below."""
    if now.look.phone:
        return st.container(), st.container()
    if now.presenting:
        return st.container(), st.empty()
    left, right = st.columns((70, 30), gap="large")
    return left, right


def _take_away(now: Visit, figure: PaperFigure, job: Job | None, metric: str) -> None:
    if job is not None and job.done:
        take_away(figure.key, job)
    else:
        st.download_button(
            "Results as CSV",
            lambda: csv_of(told.rows_of(figure.key, record(), metric)),
            f"{figure.key}.csv",
            "text/csv",
            icon=":material/download:",
            key="papers_csv",
            on_click="ignore",
        )
    slides(now, "paper", judgements()[figure.key].headline, figure.key)
