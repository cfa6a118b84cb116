from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from dpviz.experiments.engine.plan import Experiment, collected, run_all
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, summary, tallies


@dataclass(frozen=True)
class Noise:
    name: str
    seconds: float = 1.0

    def run(self, shared, rng):
        return pd.DataFrame({"name": [self.name], "value": [shared + rng.normal()]})


@pytest.fixture
def experiment(rng):
    return Experiment.of(10.0, [Noise("a"), Noise("b", 3.0), Noise("c")], rng)


def test_order_and_repetition_of_cells_change_nothing(experiment):
    whole = run_all(experiment)
    done = {index: experiment.run_cell(index) for index in (2, 0, 2, 1)}
    pd.testing.assert_frame_equal(collected(done), whole)
    assert whole["value"].nunique() == 3  # a stream each, not one stream for all


def test_what_remains_and_how_long(experiment):
    done = {1: experiment.run_cell(1)}
    assert experiment.remaining(done) == [0, 2]
    assert experiment.seconds == 5
    assert experiment.seconds_left({}) == pytest.approx(5.0)
    slow = experiment.seconds_left({1: 30.0})
    assert 15 < slow < 21  # ten times slower than thought, so is the rest
    assert experiment.seconds_left(dict.fromkeys(range(3), 10.0)) == 0


def test_kinds_of_work_keep_their_own_pace(rng):
    @dataclass(frozen=True)
    class Work(Noise):
        kind: str = "quick"

    cells = [Work("a"), Work("b"), Work("c", 5.0, "slow"), Work("d", 5.0, "slow")]
    experiment = Experiment.of(0.0, cells, rng)
    took = {0: 1.0, 2: 50.0}  # as thought, and ten times as slow
    assert experiment.seconds_left(took) == pytest.approx(1 + 50, rel=0.15)
    plain = Experiment.of(0.0, [Noise(one.name, one.seconds) for one in cells], rng)
    assert plain.seconds_left(took) == pytest.approx(6 * 51 / 6, rel=0.15)
    unseen = experiment.seconds_left({0: 3.0})  # nothing is known of the slow ones but the machine
    assert unseen == pytest.approx(11 * 3, rel=0.25)


def test_nothing_done_is_an_empty_frame(experiment):
    assert collected({}).empty
    assert summary(pd.DataFrame()).empty


def test_summary_of_parts_equals_that_of_the_whole(rng):
    missed = rng.exponential(5, (40, 7))
    parts = [
        row
        for piece in (missed[:1], missed[1:25], missed[25:])
        for row in tallies(piece, {"x": 2.0, "mechanism": "A"})
    ]
    found = summary(pd.DataFrame(parts)).set_index("metric")
    for metric, errors in ((MEAN_GAP, missed.mean(1)), (LARGEST_GAP, missed.max(1))):
        assert found.loc[metric, "runs"] == 40
        assert found.loc[metric, "mean"] == pytest.approx(errors.mean())
        spread = errors.std(ddof=1) / np.sqrt(40)
        assert found.loc[metric, "standard_error"] == pytest.approx(spread)


def test_one_run_has_no_standard_error_and_no_run_no_mean():
    rows = list(tallies(np.array([[3.0, 5.0]]), {"x": 1.0}))
    rows += list(tallies(np.empty((0, 2)), {"x": 2.0}))
    found = summary(pd.DataFrame(rows))
    one, none = found[found["x"] == 1], found[found["x"] == 2]
    assert one["mean"].tolist() == [4, 5]
    assert one["standard_error"].isna().all()
    assert none["mean"].isna().all()
    assert none["runs"].tolist() == [0, 0]
