"""The figures of the papers: how long their presets take, and what the PSD ones show in full.

`python -m benchmarks.figures complete [FILE.csv]` runs the whole study of AQ Fig. 4 to 7 in two
processes and writes its tidy frame; without it, that time is estimated from a sample of cells.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks import _statements
from benchmarks.results import Finding, Table, digits
from benchmarks.targets import AQ_COMPLETE, AQ_ESTIMATE, AQ_QUICK, PSD_QUICK, Row
from dpviz.core.data.points import Points
from dpviz.experiments.engine.plan import Experiment
from dpviz.experiments.engine.tally import summary
from dpviz.experiments.papers.aq_figures import EXAMPLE, histograms, moved_targets, recursion_nodes
from dpviz.experiments.papers.aq_study import COMPLETE, QUICK, error_study, time_study
from dpviz.experiments.papers.psd_costs import construction_times, median_study, record_matching
from dpviz.experiments.papers.psd_figures import (
    PRESETS,
    Settings,
    height_accuracy,
    kd_accuracy,
    quadtree_accuracy,
)
from dpviz.experiments.papers.psd_methods import FURTHER
from dpviz.experiments.papers.roads import SEED as ROADS
from dpviz.experiments.papers.roads import road_points
from dpviz.experiments.papers.sets import DataSet, Origin, real_values, study_sets
from dpviz.ui.kit.jobs import Job

SEED = 20210829
SAMPLED = 60  # every so many cells are timed for the estimate

Build = Callable[[Points, Settings, np.random.Generator], Experiment]
ACCURACY: dict[str, tuple[Build, str]] = {
    "PSD Fig. 3": (quadtree_accuracy, "epsilon"),
    "PSD Fig. 5": (kd_accuracy, "epsilon"),
    "PSD Fig. 6": (height_accuracy, "height"),
}

MATCHING, COSTS, MEDIANS = "PSD Fig. 7b", "PSD Fig. 7a", "PSD Fig. 4"
EXPLAINING = ("AQ Fig. 1", "AQ Fig. 2", "AQ Fig. 3")
AQ_TIMES = "AQ Fig. 8, quick, one process"


def in_two(title: str, preset: str) -> str:
    return f"{title}, {preset}, two processes"


def alone(title: str, preset: str) -> str:
    return f"{title}, {preset}, one process"


def shown_as(title: str, preset: str) -> str:
    return f"{title}, {preset}"


MEASURES = (
    *EXPLAINING,
    *(AQ_QUICK, AQ_TIMES, AQ_ESTIMATE, PSD_QUICK),
    *(in_two(title, preset) for preset in PRESETS for title in (*ACCURACY, MATCHING)),
    *(alone(title, preset) for preset in PRESETS for title in (COSTS, MEDIANS)),
    *(shown_as(title, "full") for title in (*ACCURACY, MATCHING)),
    _statements.TITLE,
)


def finished(experiment: Experiment, processes: int) -> tuple[pd.DataFrame, float]:
    """All rows, and the seconds that it took."""
    job = Job(experiment, "bench", "bench", "bench", processes)
    job.start()
    job.wait()
    if job.problem or not job.complete:
        raise RuntimeError(job.problem or "stopped early")
    return job.rows(), job.elapsed


def report(what: str, seconds: float, remark: str = "") -> Row:
    row = Row(what, seconds, "s")
    print(f"{what:<52}{seconds:8.1f} s  {row.verdict}  {remark}", flush=True)
    return row


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def show(frame: pd.DataFrame) -> None:
    """Gaps by metric and m, averaged over the data sets."""
    lines = ["metric", "notion", "variant", "mechanism"]
    table = summary(frame).pivot_table("mean", lines, "m", sort=False)
    print(table.round(1).to_string(), flush=True)


def sampled_seconds(experiment: Experiment) -> float:
    """Core seconds of the whole, from every SAMPLED-th cell."""
    chosen = range(SAMPLED // 2, len(experiment.cells), SAMPLED)
    ahead = sum(experiment.cells[index].seconds for index in chosen)
    taken = timed(lambda: [experiment.run_cell(index) for index in chosen])
    return taken / ahead * experiment.seconds


def explaining(sets: dict[str, DataSet]) -> list[Row]:
    one = timed(lambda: recursion_nodes(sets["normal"], 15, 1.0, np.random.default_rng(SEED)))
    others = timed(lambda: moved_targets(**EXAMPLE)), timed(lambda: histograms(sets))
    return [report(name, taken) for name, taken in zip(EXPLAINING, (one, *others), strict=True)]


def study(sets: dict[str, DataSet]) -> list[Row]:
    quick = error_study(sets, QUICK, np.random.default_rng(SEED))
    rows, taken = finished(quick, 2)
    reached = [report(AQ_QUICK, taken, f"guess {quick.seconds / 2:.1f}")]
    _, taken = finished(time_study(sets, QUICK, np.random.default_rng(SEED)), 1)
    reached.append(report(AQ_TIMES, taken))
    complete = error_study(sets, COMPLETE, np.random.default_rng(SEED))
    reached.append(report(AQ_ESTIMATE, sampled_seconds(complete) / 2))
    show(rows)
    return reached


def accuracy_table(title: str, rows: pd.DataFrame, across: str) -> Table:
    """Median relative errors in per cent, a line for each method and shape."""
    found = summary(rows)
    places = sorted(found[across].unique())
    lines = [
        [
            f"{method}, {shape}{f', {variant}' if variant == FURTHER else ''}",
            *(digits(100 * one) for one in part.sort_values(across)["mean"]),
        ]
        for (shape, method, variant), part in found.groupby(
            ["shape", "method", "variant"], sort=False
        )
    ]
    name = {"epsilon": "ε", "height": "h"}[across]
    note = "Median relative error in %; 1.63 million made-up points, all rectangles non-empty."
    return Table(title, ["method, shape", *(f"{name} = {one:g}" for one in places)], lines, note)


def matching_table(title: str, rows: pd.DataFrame) -> Table:
    """Reduction ratios, a line for each method."""
    found = summary(rows)
    lines = [
        [str(method), *(f"{one:.4f}" for one in part.sort_values("epsilon")["mean"])]
        for method, part in found.groupby("method", sort=False)
    ]
    header = ["method", *(f"ε = {one:g}" for one in sorted(found["epsilon"].unique()))]
    return Table(title, header, lines, "Share of pairs that need no comparison.")


def decompositions(preset: str) -> tuple[list[Row], list[Table]]:
    """How long every figure about points takes, and what it shows."""
    points, settings = road_points(np.random.default_rng(ROADS)), PRESETS[preset]
    rows, tables = [], []
    for title, (build, across) in ACCURACY.items():
        found, taken = finished(build(points, settings, np.random.default_rng(SEED)), 2)
        rows.append(report(in_two(title, preset), taken))
        tables.append(accuracy_table(shown_as(title, preset), found, across))
    found, taken = finished(record_matching(points, settings, np.random.default_rng(SEED)), 2)
    rows.append(report(in_two(MATCHING, preset), taken))
    tables.append(matching_table(shown_as(MATCHING, preset), found))
    costs = construction_times(points, settings, np.random.default_rng(SEED))
    rows.append(report(alone(COSTS, preset), finished(costs, 1)[1]))
    private = median_study(settings, np.random.default_rng(SEED))
    rows.append(report(alone(MEDIANS, preset), finished(private, 1)[1]))
    return rows, tables


def speeds() -> list[Row]:
    sets = study_sets(np.random.default_rng(SEED), real_values())
    real = sum(one.origin is Origin.REAL for one in sets.values())
    print(f"data sets: 2 synthetic, {real} real, {4 - real} stand-ins")
    rows, _ = decompositions("quick")
    slowest = report(PSD_QUICK, max(row.value for row in rows))
    return [*explaining(sets), *study(sets), *rows, slowest]


def run() -> list[Finding]:
    found: list[Finding] = list(speeds())
    rows, tables = decompositions("full")
    return [*found, *rows, *tables, _statements.table()]


def run_complete(target: Path | None) -> None:
    sets = study_sets(np.random.default_rng(SEED), real_values())
    rows, taken = finished(error_study(sets, COMPLETE, np.random.default_rng(SEED)), 2)
    report(AQ_COMPLETE, taken)
    show(rows)
    if target is not None:
        summary(rows).to_csv(target, index=False)


if __name__ == "__main__":
    if sys.argv[1:2] == ["complete"]:
        run_complete(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    else:
        run()
