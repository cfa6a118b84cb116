"""The figures of the papers: quick presets in seconds, the complete AQ study in minutes.

`python -m benchmarks.figures complete [FILE.csv]` runs the whole study of Fig. 4 to 7 in two
processes and writes its tidy frame; without it, that time is estimated from a sample of cells.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.targets import Row
from dpviz.experiments.aq_figures import EXAMPLE, histograms, moved_targets, recursion_nodes
from dpviz.experiments.aq_study import COMPLETE, QUICK, error_study, time_study
from dpviz.experiments.plan import Experiment
from dpviz.experiments.sets import Origin, real_values, study_sets
from dpviz.experiments.tally import summary
from dpviz.ui.jobs import Job

SEED = 20210829
QUICK_LIMIT, COMPLETE_LIMIT = 10.0, 600.0
SAMPLED = 60  # every so many cells are timed for the estimate


def finished(experiment: Experiment, processes: int) -> tuple[pd.DataFrame, float]:
    """All rows, and the seconds that it took."""
    job = Job(experiment, "bench", "bench", "bench", processes)
    job.start()
    job.wait()
    if job.problem or not job.complete:
        raise RuntimeError(job.problem or "stopped early")
    return job.rows(), job.elapsed


def report(what: str, seconds: float, limit: float, remark: str = "") -> Row:
    verdict = "ok" if seconds <= limit else "TOO SLOW"
    print(f"{what:<52}{seconds:8.1f} s  (≤ {limit:.0f})  {verdict}  {remark}", flush=True)
    return Row(what, seconds, "s")


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def show(frame: pd.DataFrame) -> None:
    """Mean gap by m, averaged over the data sets."""
    lines = ["notion", "variant", "mechanism"]
    table = summary(frame).pivot_table("mean", lines, "m", sort=False)
    print(table.round(1).to_string(), flush=True)


def sampled_seconds(experiment: Experiment) -> float:
    """Core seconds of the whole, from every SAMPLED-th cell."""
    chosen = range(SAMPLED // 2, len(experiment.cells), SAMPLED)
    ahead = sum(experiment.cells[index].seconds for index in chosen)
    taken = timed(lambda: [experiment.run_cell(index) for index in chosen])
    return taken / ahead * experiment.seconds


def run() -> list[Row]:
    rng = np.random.default_rng(SEED)
    sets = study_sets(rng, real_values())
    real = sum(one.origin is Origin.REAL for one in sets.values())
    print(f"data sets: 2 synthetic, {real} real, {4 - real} stand-ins")
    one = timed(lambda: recursion_nodes(sets["normal"], 15, 1.0, np.random.default_rng(SEED)))
    reached = [
        report("AQ Fig. 1", one, QUICK_LIMIT),
        report("AQ Fig. 2", timed(lambda: moved_targets(**EXAMPLE)), QUICK_LIMIT),
        report("AQ Fig. 3", timed(lambda: histograms(sets)), QUICK_LIMIT),
    ]
    quick = error_study(sets, QUICK, np.random.default_rng(SEED))
    rows, taken = finished(quick, 2)
    guess = f"guess {quick.seconds / 2:.1f}"
    reached.append(report("AQ Fig. 4-7, quick, two processes", taken, QUICK_LIMIT, guess))
    _, taken = finished(time_study(sets, QUICK, np.random.default_rng(SEED)), 1)
    reached.append(report("AQ Fig. 8, quick, one process", taken, QUICK_LIMIT))
    complete = error_study(sets, COMPLETE, np.random.default_rng(SEED))
    seconds = sampled_seconds(complete) / 2
    what = "AQ Fig. 4-7, complete, estimated for two cores"
    reached.append(report(what, seconds, COMPLETE_LIMIT))
    show(rows)
    return reached


def run_complete(target: Path | None) -> None:
    sets = study_sets(np.random.default_rng(SEED), real_values())
    rows, taken = finished(error_study(sets, COMPLETE, np.random.default_rng(SEED)), 2)
    report("AQ Fig. 4-7, complete, two processes", taken, COMPLETE_LIMIT)
    show(rows)
    if target is not None:
        summary(rows).to_csv(target, index=False)


if __name__ == "__main__":
    if sys.argv[1:2] == ["complete"]:
        run_complete(Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    else:
        run()
