"""What is said beside the picture of a run: how far it came, what it shows so far, what is left."""

import pandas as pd

from dpviz.experiments.engine.tally import SUMS, summary
from dpviz.experiments.papers.stored import tables, told
from dpviz.experiments.papers.stored.findings import several
from dpviz.figures.studies import aq
from dpviz.ui.kit.jobs import Job
from dpviz.ui.papers.rows import PaperFigure

PARTS = {
    "gaps": "Each part is some trials of one data set at one m.",
    "times": "Each part is one data set at one m.",
    "medians": "Each part is one private median at all depths.",
    "construction": "Each part is one tree.",
}
EACH = "Each part is one method at one ε or height."
NAMES = {"m": "m", "epsilon": "ε", "height": "height"}


def each_part(figure: PaperFigure) -> str:
    """What one part of a figure's run is."""
    return PARTS.get(told.SOURCES[figure.key].study, EACH)


def notes(figure: PaperFigure, job: Job) -> tuple[str, str]:
    """What is known so far, and what is still to come; plain texts, empty where there is nothing."""
    rows = job.rows()
    if rows.empty:
        return "Nothing is finished yet.", several(len(job.experiment.cells), "part").capitalize()
    found = summary(rows) if set(SUMS) <= set(rows.columns) else rows
    found = told.of_metric(told.SOURCES[figure.key].part(found))
    left = len(job.experiment.cells) - len(job.done)
    if told.SOURCES[figure.key].study == "gaps":
        return _gaps(found), _gaps_left(job, left)
    return _methods(found), "" if not left else several(left, "more part").capitalize() + "."


def _gaps(rows: pd.DataFrame) -> str:
    means = tables.means(rows)
    if means.empty:
        return "Nothing of this figure is finished yet."
    sets = means.groupby("m").size()
    whole = int(sets.max())
    done = [int(m) for m, number in sets.items() if number == whole]
    begun = [(int(m), int(number)) for m, number in sets.items() if number < whole]
    name = "All six sets" if whole == 6 else several(whole, "set").capitalize()
    said = [f"{name} up to m = {max(done)}"]
    said += [f"{several(number, 'set')} at m = {m}" for m, number in begun[:1]]
    last = means.xs(max(done), level="m")
    ratio = (last[aq.ONE_BY_ONE] / last[aq.HALVING]).prod() ** (1 / len(last))
    return (
        f"{', '.join(said)}. At m = {max(done)} one by one misses {float(ratio):.1f} times as "
        "much as halving."
    )


def _gaps_left(job: Job, left: int) -> str:
    if not left:
        return ""
    cells = [job.experiment.cells[at] for at in job.experiment.remaining(job.done)]
    counts = sorted({int(getattr(cell, "m", 0)) for cell in cells})
    listed = ", ".join(f"{m}" for m in counts[:4]) + (" and larger" if len(counts) > 4 else "")
    return (
        f"{several(left, 'part').capitalize()}, at m = {listed}. All at once takes most of the "
        "time there: its cost grows with m."
    )


def _methods(whole: pd.DataFrame) -> str:
    rows = tables.lines(whole) if len(tables.lines(whole)) else whole
    column = "mechanism" if "mechanism" in rows else "method"
    names = list(dict.fromkeys(rows[column]))
    along = next((one for one in NAMES if one in rows and len(set(rows[one])) > 1), None)
    where = "" if along is None else f", {NAMES[along]} up to {rows[along].max():g}"
    value = "mean" if "mean" in rows else "error"
    best = str(rows.groupby(column)[value].mean().idxmin())
    return f"{several(len(names), 'method').capitalize()}{where}. Least on average so far: {best}."
