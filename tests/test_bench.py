"""The bench's own rules: what counts as too slow, when it is timed again, and when it fails."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from benchmarks import __main__ as bench
from benchmarks import targets
from benchmarks.targets import TARGETS, Row, best_rows

LIMITED = targets.AQ_LARGE
LIMIT = TARGETS[LIMITED].limit


def module(monkeypatch, *values):
    """A benchmark that measures one limited speed, another value at each call."""
    made, left = ModuleType("benchmarks.made_up"), list(values)
    made.run = lambda: [Row(LIMITED, left.pop(0), "ms")]
    monkeypatch.setitem(sys.modules, "benchmarks.made_up", made)
    monkeypatch.setattr(bench, "available", lambda: ["made_up"])
    return left


@pytest.mark.parametrize(
    ("share", "verdict"),
    [(0.5, "reached"), (1.0, "reached"), (1.4, "within noise"), (1.6, "MISSED")],
)
def test_a_limit_is_missed_when_noise_does_not_explain_it(share, verdict):
    row = Row(LIMITED, share * LIMIT, "ms")
    assert row.verdict == verdict
    assert row.missed == (verdict == "MISSED")


def test_bytes_are_counted_without_slack():
    name = targets.memory(targets.joint_exp(1_000, 120, False))
    assert Row(name, 1.01 * TARGETS[name].limit, "MB").missed


def test_a_row_without_a_limit_never_fails():
    row = Row("some other speed", 1e9, "s")
    assert not row.missed
    assert row.verdict == ""


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_what_was_not_measured_is_no_row(value):
    with pytest.raises(ValueError, match="measured as a number"):
        Row(LIMITED, value, "ms")


def test_a_unit_other_than_the_limit_is_refused():
    with pytest.raises(ValueError, match="its target is in ms"):
        Row(LIMITED, 1.0, "s")


def test_the_best_of_several_counts():
    rows = [Row("a", 3, "s"), Row("b", 1, "s"), Row("a", 2, "s")]
    assert best_rows(rows) == [Row("a", 2, "s"), Row("b", 1, "s")]


def test_the_bench_passes_when_the_limit_is_reached(monkeypatch):
    left = module(monkeypatch, LIMIT / 2, LIMIT)
    assert bench.main(["made_up"]) == 0
    assert len(left) == 1  # reached at once, so timed once


def test_the_bench_times_again_before_it_fails(monkeypatch):
    left = module(monkeypatch, 9 * LIMIT, LIMIT / 2, LIMIT)
    assert bench.main(["made_up"]) == 0
    assert len(left) == 1


def test_the_bench_fails_when_the_limit_is_missed_each_time(monkeypatch, capsys):
    left = module(monkeypatch, *[9 * LIMIT] * (bench.ATTEMPTS + 1))
    assert bench.main(["made_up"]) == 1
    assert len(left) == 1
    assert LIMITED in capsys.readouterr().err


def test_the_bench_fails_when_a_part_raises(monkeypatch, capsys):
    module(monkeypatch)  # nothing to hand out
    assert bench.main(["made_up"]) == 1
    assert "Failed: made_up" in capsys.readouterr().err


def test_an_unknown_name_is_said(capsys):
    assert bench.main(["nothing"]) == 2
    assert "No benchmark nothing" in capsys.readouterr().err
