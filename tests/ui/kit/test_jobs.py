from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest

from dpviz.core.errors import TooMuchWork
from dpviz.experiments.engine.plan import Experiment, run_all
from dpviz.experiments.papers.aq_study import Settings, error_study
from dpviz.experiments.papers.sets import study_sets
from dpviz.ui.kit import jobs
from dpviz.ui.kit.jobs import Job, processes_for


@dataclass(frozen=True)
class Step:
    number: int
    seconds: float = 0.5

    def run(self, shared, rng):
        return shared(self.number, rng)


@dataclass
class Gate:
    """Cells after the first wait until the test lets them go on."""

    opened: threading.Event = field(default_factory=threading.Event)
    reached: threading.Event = field(default_factory=threading.Event)

    def __call__(self, number, rng):
        if number > 0:
            self.reached.set()
            assert self.opened.wait(10)
        return pd.DataFrame({"number": [number], "value": [rng.normal()]})


def steps(work, count=4):
    cells = [Step(number) for number in range(count)]
    return Experiment.of(work, cells, np.random.default_rng(3))


def test_a_stopped_job_keeps_what_is_done_and_goes_on_from_there():
    gate = Gate()
    experiment = steps(gate)
    job = Job(experiment, "key", "source", "title", processes=0)
    assert not job.running
    assert job.rows().empty
    job.start()
    job.start()  # twice is once
    assert gate.reached.wait(10)
    assert job.running
    assert job.rows()["number"].tolist() == [0]
    assert job.share == pytest.approx(0.25)
    job.stop()
    gate.opened.set()
    job.wait(10)
    assert not job.running
    assert not job.complete
    assert job.rows()["number"].tolist() == [0, 1]  # the cell under way was finished
    job.start()
    job.wait(10)
    assert job.complete
    assert job.share == 1
    pd.testing.assert_frame_equal(job.rows(), run_all(experiment))


def test_a_refusal_is_kept_as_the_problem_and_leaves_the_rest():
    def work(number, rng):
        if number == 2:
            raise TooMuchWork("Ask for less.")
        return pd.DataFrame({"number": [number]})

    job = Job(steps(work), "key", "source", "title", processes=0)
    job.start()
    job.wait(10)
    assert job.problem == "Ask for less."
    assert job.rows()["number"].tolist() == [0, 1]


@pytest.mark.parametrize("patience", [0.0, 60.0])
def test_a_job_whose_visitor_has_left_stops_after_a_while(monkeypatch, patience):
    monkeypatch.setattr(jobs, "ABANDONED_SECONDS", patience)
    there = {"visitor": True}

    def work(number, rng):
        there["visitor"] = number < 1  # leaves in the second cell
        return pd.DataFrame({"number": [number]})

    job = Job(steps(work), "key", "source", "title", 0, lambda: there["visitor"])
    job.start()
    job.wait(10)
    assert job.problem is None
    assert job.complete == (patience > 0)  # a short absence is a broken line
    if not job.complete:
        assert job.rows()["number"].tolist() == [0, 1]


@pytest.fixture(scope="module")
def study():
    sets = {"uniform": study_sets(np.random.default_rng(5))["uniform"]}
    return error_study(sets, Settings((1, 3, 5, 9), 2), np.random.default_rng(6))


@pytest.mark.few(1)
@pytest.mark.law
@pytest.mark.parametrize("processes", [2, 1])
def test_processes_give_the_same_rows_as_none(study, processes):
    job = Job(study, "key", "source", "title", processes)
    job.start()
    job.wait(60)
    assert job.problem is None
    assert job.complete
    pd.testing.assert_frame_equal(job.rows(), run_all(study))
    assert job.seconds_left == 0
    assert 0 < job.elapsed < 60


@pytest.mark.law
def test_stopping_processes_is_quick_and_no_problem():
    sets = {"uniform": study_sets(np.random.default_rng(5))["uniform"]}
    long = error_study(sets, Settings((120,), 4000), np.random.default_rng(6))
    job = Job(long, "key", "source", "title", processes=2)
    job.start()
    time.sleep(0.5)
    begin = time.monotonic()
    job.stop()
    job.wait(10)
    assert time.monotonic() - begin < 10 < long.seconds / 20
    assert not job.running
    assert job.problem is None
    assert not job.complete


def test_short_work_starts_no_process():
    assert processes_for(1.0) == 0
    assert processes_for(60.0) == 2


def test_parts_are_put_together_until_they_fit_a_row():
    gate = Gate()
    cells = [Step(number, seconds) for number, seconds in enumerate((1.0, 1.0, 4.0, 2.0, 2.0))]
    job = Job(Experiment.of(gate, cells, np.random.default_rng(3)), "key", "source", "title", 0)
    assert job.groups() == [(seconds, 0.0) for seconds in (1, 1, 4, 2, 2)]
    job.start()
    assert gate.reached.wait(10)
    assert job.groups() == [(1, 1.0), (1, 0.0), (4, 0.0), (2, 0.0), (2, 0.0)]
    assert job.groups(2) == [(2, 0.5), (8, 0.0)]
    gate.opened.set()
    job.wait(10)
    assert job.groups(3) == [(1, 1.0), (5, 1.0), (4, 1.0)]
    assert set(job.took) == set(range(5))
    empty = Job(Experiment.of(gate, [], np.random.default_rng(3)), "key", "source", "title", 0)
    assert empty.groups() == []
