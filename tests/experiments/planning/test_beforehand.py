"""The stored answers: of today's version, found again by a computation, small and quick to read."""

import itertools
import json
import time
from copy import deepcopy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpviz.core.budgets import PureDP
from dpviz.experiments.engine.plan import run_all
from dpviz.experiments.engine.tally import MEAN_GAP, METRICS, summary
from dpviz.experiments.planning import stored
from dpviz.experiments.planning.answers import UNIT, budgets_for
from dpviz.experiments.planning.beforehand import (
    MAPPED,
    SEED,
    curve_runs,
    entropy,
    planned,
    sources,
    stored_curve,
    stored_sweep,
)
from dpviz.experiments.planning.stand_ins import STAND_IN_SEED
from dpviz.experiments.planning.sweeps import Axis
from dpviz.experiments.planning.winners import winners
from dpviz.intake.samples import samples
from dpviz.version import __version__
from scripts import answers

FILE = Path(stored.__file__).with_name(stored.NAME)
ALL = {source.key: source for source in sources()}
CHECKED = [
    ("exam", "deciles", "ApproximateQuantiles"),
    ("exam", "quartiles", "AggTree"),
    ("salaries", "median", "ApproximateQuantiles"),
    ("log-normal 1500", "deciles", "IndependentExp"),
    ("uniform 15000", "percentiles", "AggTree"),
]


def column_of(key):
    return ALL[key].column(np.random.default_rng(STAND_IN_SEED))


def places(key):
    return budgets_for(ALL[key].n)[[3, 12, 20]]


def found_again(key, question, name, seed=None):
    """The stored curve and a fresh one, at three budgets."""
    source, old = ALL[key], stored.curves(key, question)[name]
    rng = np.random.default_rng(entropy(source, question) if seed is None else seed)
    new = stored_curve(source, column_of(key), question, name, old.runs, rng, places(key))
    at = np.searchsorted(old.budgets, new.budgets)
    return [np.stack([one.low, one.middle, one.high]) for one in (new, old)], at


def test_the_answers_are_those_of_this_version():
    assert stored.stored()["version"] == __version__, "compute them anew: make answers"


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize(("key", "question", "name"), CHECKED)
def test_a_part_that_is_computed_again_comes_out_the_same(key, question, name):
    (new, old), at = found_again(key, question, name)
    np.testing.assert_allclose(new, old[:, at], rtol=0.0035, atol=UNIT)


@pytest.mark.law
def test_other_random_numbers_do_not_come_out_the_same():
    (new, old), at = found_again(*CHECKED[0], seed=1)
    assert np.abs(new - old[:, at]).max() > 20 * UNIT


def test_every_sample_with_a_column_and_every_stand_in_has_its_answers():
    lines = [one.key for one in samples() if len(one.columns) == 1]
    assert set(lines) <= set(ALL)
    for source in ALL.values():
        for question in source.questions:
            found = stored.curves(source.key, question)
            assert {"ApproximateQuantiles", "IndependentExp", "AggTree"} <= set(found)
            for curve in found.values():
                assert curve.runs >= 300
                assert curve.budgets.size == curve.high.size == 31
                assert (curve.low <= curve.middle).all()
                assert (curve.middle <= curve.high).all()
        if source.whole:
            assert {*stored.stored()["sweeps"][source.key]} == {axis.value for axis in Axis}
            for part, metric in itertools.product(MAPPED, METRICS):
                assert stored.mapped(source.key, metric, part) is not None
    assert stored.curves("nothing", "deciles") == {}
    assert stored.swept("nothing", "n") is stored.mapped("nothing", MEAN_GAP) is None


def test_the_file_is_small_and_read_in_no_time():
    assert FILE.stat().st_size <= 200_000
    stored.stored.cache_clear()
    begin = time.perf_counter()
    stored.stored()
    first = stored.curves("exam", "deciles")
    assert time.perf_counter() - begin < 0.05  # 2 ms on a machine that does nothing else
    halving = first["ApproximateQuantiles"]
    assert halving.error_at(0.3) > 0.01 > halving.error_at(0.4)


def test_a_stored_sweep_comes_out_the_same():
    sweep = stored_sweep(column_of("exam"), Axis.FANOUT, np.random.default_rng(SEED))
    rows = summary(run_all(sweep))
    kept = stored.swept("exam", "fanout")
    assert (kept["mechanism"] == "AggTree").all()
    for metric in METRICS:
        new = rows[rows["metric"] == metric].sort_values("x")
        old = kept[kept["metric"] == metric].sort_values("x")
        np.testing.assert_allclose(old["mean"], new["mean"], rtol=0.006)
        np.testing.assert_allclose(
            old["standard_error"], new["standard_error"], rtol=0.06, atol=1e-4
        )
        np.testing.assert_array_equal(old["runs"], new["runs"])


@pytest.mark.law
def test_curves_and_studies_survive_the_file(monkeypatch):
    source = ALL["uniform 15000"]
    rng = np.random.default_rng(4)
    curve = stored_curve(source, column_of(source.key), "median", "AggTree", 40, rng)
    packed = json.loads(json.dumps(stored.packed_curve(curve)))
    again = stored._lines(packed[1:])["high"]
    np.testing.assert_allclose(again, curve.high, rtol=0.0031)
    assert (again >= curve.high * (1 - 1e-8)).all()
    rows = pd.DataFrame(
        [
            {"size": e, "n": 100.0, "m": 3.0, "mechanism": name, "metric": metric, "runs": 5.0,
             "mean": mean, "standard_error": 0.1}
            for e, means in ((0.1, (3.0, 1.234)), (1.0, (0.0, 2.0)))
            for name, mean in zip(("ApproximateQuantiles", "AggTree"), means, strict=True)
            for metric in METRICS
        ]
    )  # fmt: skip
    by_metric = {metric: winners(rows, metric) for metric in METRICS}
    packed = json.loads(json.dumps(stored.packed_map(by_metric, list(planned()))))
    monkeypatch.setattr(stored, "stored", lambda: {"maps": {"made up": packed}})
    for metric in METRICS:
        again, first = stored.mapped("made up", metric), by_metric[metric]
        for name in ("winner", "second", "clear", "size", "n", "m"):
            assert again[name].tolist() == first[name].tolist()
        np.testing.assert_allclose(again["mean"], first["mean"], rtol=0.002)
    assert again["winner"].tolist() == ["AggTree", "ApproximateQuantiles"]
    assert again["ratio"].iloc[0] == pytest.approx(3.0 / 1.234, rel=0.002)
    assert np.isnan(again["ratio"].iloc[1])  # how many times nothing is
    holes = pd.concat([first, first.iloc[:1].assign(n=7.0)])
    with pytest.raises(ValueError, match="missing"):
        stored.packed_map({MEAN_GAP: holes}, list(planned()))


def test_what_takes_too_long_gets_fewer_releases_or_none():
    column = column_of("exam")
    joint, halving = planned()["JointExp"], planned()["ApproximateQuantiles"]
    assert curve_runs(ALL["exam"], column, "deciles", halving) == 1200
    assert curve_runs(ALL["exam"], column, "deciles", joint) in {300, 1200}
    assert curve_runs(ALL["exam"], column, "percentiles", joint) == 0
    assert joint.seconds(6000, 9, PureDP(0.01), 300, 1.0) > halving.seconds(
        6000, 9, PureDP(0.01), 300, 1.0
    )


@pytest.mark.law
def test_a_new_version_is_stamped_only_on_the_same_numbers(monkeypatch, tmp_path):
    content = json.loads(FILE.read_text(encoding="utf-8"))
    copy, packed = tmp_path / "answers.json", deepcopy(content["curves"])

    def computed(source, column, question, name, *_):
        return packed[source.key][question][name]

    monkeypatch.setattr(answers.beforehand, "stored_curve", computed)  # which is shown above
    monkeypatch.setattr(answers.stored, "packed_curve", list)
    monkeypatch.setattr(answers, "FILE", copy)
    monkeypatch.setattr(answers, "CHECKED", ("office",))
    monkeypatch.setattr(answers, "QUESTIONS", ("median",))
    answers.write(content | {"version": "0.0.1"})
    answers.main(["--same-numbers"])
    assert json.loads(copy.read_text(encoding="utf-8")) == content
    assert answers.kept() == content
    content["curves"]["office"]["median"]["AggTree"][3] = "!" * 20
    answers.write(content | {"version": "0.0.1"})
    with pytest.raises(SystemExit, match="office, median, AggTree"):
        answers.main(["--same-numbers"])
    assert answers.kept()["curves"] == {}
