"""The bench's own rules: what counts as too slow, when it is timed again, and when it fails."""

import sys
from types import ModuleType

import pytest

from benchmarks import __main__ as bench
from benchmarks import results, targets
from benchmarks.targets import TARGETS, Row, best_rows

LIMITED = targets.AQ_LARGE
OLD = "# Results of the bench\n\nof an older run\n"
LIMIT = TARGETS[LIMITED].limit


@pytest.fixture(autouse=True)
def pages(monkeypatch, tmp_path):
    """The page of results and its draft, both in a folder of their own."""
    page, draft = tmp_path / "RESULTS.md", tmp_path / "build" / "RESULTS.md"
    page.write_text(OLD, encoding="utf-8")
    monkeypatch.setattr(results, "PAGE", page)
    monkeypatch.setattr(results, "DRAFT", draft)
    return page, draft


def module(monkeypatch, *values, also=()):
    """A benchmark that measures one limited speed, another value at each call."""
    made, left = ModuleType("benchmarks.made_up"), list(values)
    made.run = lambda: [Row(LIMITED, left.pop(0), "ms")]
    made.MEASURES = (LIMITED, *also)
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


def test_what_takes_long_is_timed_once(monkeypatch, capsys):
    left = module(monkeypatch, 9 * LIMIT, LIMIT / 2)
    monkeypatch.setattr(bench, "PATIENCE", -1.0)
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


def test_a_run_of_everything_becomes_the_page(monkeypatch, pages):
    page, draft = pages
    module(monkeypatch, LIMIT / 2)
    assert bench.main([]) == 0
    assert f"| {LIMITED} | {results.digits(LIMIT / 2)} ms |" in page.read_text(encoding="utf-8")
    assert page.read_text(encoding="utf-8") == draft.read_text(encoding="utf-8")


def test_a_run_of_some_modules_leaves_the_page(monkeypatch, pages):
    page, draft = pages
    module(monkeypatch, LIMIT / 2)
    assert bench.main(["made_up"]) == 0
    assert page.read_text(encoding="utf-8") == OLD
    assert LIMITED in draft.read_text(encoding="utf-8")


def test_a_run_that_left_something_out_leaves_the_page(monkeypatch, pages, capsys):
    page, draft = pages
    module(monkeypatch, LIMIT / 2, also=("what needs a browser",))
    assert bench.main([]) == 1
    assert page.read_text(encoding="utf-8") == OLD
    assert "Not in this run: what needs a browser." in draft.read_text(encoding="utf-8")
    assert "what needs a browser" in capsys.readouterr().err


def test_a_run_in_which_a_part_raised_leaves_the_page(monkeypatch, pages):
    page, _ = pages
    module(monkeypatch)
    assert bench.main([]) == 1
    assert page.read_text(encoding="utf-8") == OLD


def test_a_row_that_its_module_does_not_name_fails_it(monkeypatch, capsys):
    module(monkeypatch, LIMIT / 2)
    sys.modules["benchmarks.made_up"].MEASURES = ("another",)
    assert bench.main(["made_up"]) == 1
    assert f"Not named in MEASURES of benchmarks.made_up: {LIMITED}" in capsys.readouterr().err


def test_rows_under_a_title_of_their_own_are_timed_again_too(monkeypatch, pages):
    page, _ = pages
    left = module(monkeypatch, 9 * LIMIT, LIMIT / 2, also=("A title",))
    made = sys.modules["benchmarks.made_up"]
    made.run = lambda: [results.Speeds("A title", [Row(LIMITED, left.pop(0), "ms")], "a note")]
    assert bench.main([]) == 0
    assert left == []
    own = results.section(page.read_text(encoding="utf-8"), "A title")
    assert "a note" in own
    assert f"{results.digits(LIMIT / 2)} ms" in own
    assert "reached" in own
