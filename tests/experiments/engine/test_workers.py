from __future__ import annotations

import io
import pickle

import numpy as np
import pandas as pd
import pytest

from dpviz.experiments.engine import workers
from dpviz.experiments.engine.workers import Worker, WorkerFailed, serve
from dpviz.experiments.papers.aq_study import Settings, error_study
from dpviz.experiments.papers.sets import study_sets


@pytest.fixture(scope="module")
def experiment():
    sets = {"uniform": study_sets(np.random.default_rng(5))["uniform"]}
    return error_study(sets, Settings((1, 5), 2), np.random.default_rng(6))


@pytest.mark.law
def test_another_process_gives_the_same_rows(experiment):
    worker = Worker(experiment)
    try:
        for index in (1, 0):
            pd.testing.assert_frame_equal(worker.run_cell(index), experiment.run_cell(index))
        with pytest.raises(WorkerFailed, match="IndexError"):
            worker.run_cell(10_000)
        assert not worker.run_cell(0).empty  # it outlives a cell that raised
    finally:
        worker.close()
    worker.close()
    with pytest.raises(WorkerFailed):
        worker.run_cell(0)


def test_the_other_process_starts_beside_the_package_and_so_imports_this_one():
    assert (workers.ROOT / "dpviz/experiments/engine/workers.py").samefile(workers.__file__)


def test_serving_ends_when_nobody_asks(experiment):
    asked = io.BytesIO(pickle.dumps(experiment) + pickle.dumps(1))
    answers = io.BytesIO()
    serve(asked, answers)
    answers.seek(0)
    pd.testing.assert_frame_equal(pickle.load(answers), experiment.run_cell(1))
    assert answers.read() == b""
