"""What is said beside a run under way, against its rows looked at one by one."""

from types import SimpleNamespace

import pandas as pd
import pytest

from dpviz.ui.papers import aq, progress
from tests.rows import by_rows

COUNT = ("no", "One", "Two", "Three", "Four", "Five")


def gaps(done):
    """Mean misses of two methods of each set at each m, the one three times, then twice as far."""
    rows = []
    for m, sets in done.items():
        for at in range(sets):
            mean = 10.0 + at + m
            rows.append((f"set {at}", m, "ApproximateQuantiles", mean))
            rows.append((f"set {at}", m, "IndependentExp", mean * (3 if at % 2 else 2)))
    return pd.DataFrame(rows, columns=["data", "m", "mechanism", "mean"])


@by_rows(
    ("done", "start"),
    [
        ({1: 6, 3: 6, 35: 6}, "All six sets up to m = 35."),
        ({1: 6, 3: 6, 35: 2}, "All six sets up to m = 3, two sets at m = 35."),
        ({1: 1}, "One set up to m = 1."),
        ({2: 4, 7: 4, 9: 1, 11: 1}, "Four sets up to m = 7, one set at m = 9."),
    ],
)
def test_how_far_all_sets_came_and_how_much_halving_saves(done, start):
    said = progress._gaps(gaps(done))
    assert said.startswith(start)
    whole = max(done.values())
    last = max(m for m, sets in done.items() if sets == whole)
    product = 1.0
    for at in range(whole):
        product *= 3 if at % 2 else 2
    times = product ** (1 / whole)
    end = f" At m = {last} one by one misses {times:.1f} times as much as halving."
    assert said == start + end


def test_nothing_of_a_figure_may_be_there_yet():
    whole = gaps({3: 2})
    halved = whole["mechanism"] == "ApproximateQuantiles"
    only = whole[halved == (whole["data"] == "set 0")]  # of no set both
    assert progress._gaps(only) == "Nothing of this figure is finished yet."


@by_rows(
    ("left", "counts", "said"),
    [
        (0, (), ""),
        (1, (7,), "One part, at m = 7."),
        (5, (9, 1, 9, 3, 1), "Five parts, at m = 1, 3, 9."),
        (6, (1, 2, 3, 4, 5, 6), "Six parts, at m = 1, 2, 3, 4 and larger."),
    ],
)
def test_what_is_left_and_where(left, counts, said):
    cells = [SimpleNamespace(m=m) for m in counts]
    experiment = SimpleNamespace(cells=cells, remaining=lambda _: range(len(cells)))
    found = progress._gaps_left(SimpleNamespace(experiment=experiment, done=()), left)
    assert found.startswith(said)
    assert bool(found) == bool(said)


@by_rows(
    ("column", "values", "said"),
    [
        ("epsilon", (0.1, 0.5, 1.0), "Three methods, ε up to 1. Least on average so far: b."),
        ("height", (2, 9), "Two methods, height up to 9. Least on average so far: b."),
        ("epsilon", (0.3,), "One method. Least on average so far: a."),
    ],
)
def test_the_best_method_so_far(column, values, said):
    methods = ["a", "b", "c"][: len(values)]
    rows = pd.DataFrame([
        {"method": name, column: value, "mean": {"a": 4.0, "b": 3.0, "c": 9.0}[name] + at}
        for name in methods
        for at, value in enumerate(values)
    ])  # fmt: skip
    assert progress._methods(rows) == said
    improved = rows.assign(variant="paper")
    other = rows.assign(variant="ours", mean=0.0, method="d")
    assert progress._methods(pd.concat([improved, other])) == said


@pytest.mark.parametrize("cells", [1, 3])
def test_before_the_first_part_the_parts_are_counted(cells):
    job = SimpleNamespace(rows=pd.DataFrame, experiment=SimpleNamespace(cells=range(cells)))
    said = f"{COUNT[cells]} part{'' if cells == 1 else 's'}"
    assert progress.notes(SimpleNamespace(key="aq4"), job) == ("Nothing is finished yet.", said)


@by_rows(("done", "said"), [(0, "Four more parts."), (3, "One more part."), (4, "")])
def test_the_parts_that_are_left_are_those_that_are_not_done(monkeypatch, done, said):
    rows = pd.DataFrame({"method": ["a", "b"], "epsilon": [0.1, 0.5], "mean": [1.0, 2.0]})
    monkeypatch.setattr(progress.told, "of_metric", lambda found: found)
    source = SimpleNamespace(part=lambda found: found, study="queries")
    monkeypatch.setitem(progress.told.SOURCES, "psd3", source)
    job = SimpleNamespace(
        rows=lambda: rows, experiment=SimpleNamespace(cells=range(4)), done=range(done)
    )
    assert progress.notes(SimpleNamespace(key="psd3"), job)[1] == said


@by_rows("trials", [1, 100])
def test_a_run_is_called_by_its_preset_and_trials(trials):
    size = SimpleNamespace(trials=trials, counts=(1, 2))
    asked = SimpleNamespace(preset="quick", size=size)
    given = SimpleNamespace(key=(), about="study", files=())
    word = "trial" if trials == 1 else "trials"
    assert aq.gap_study(asked, given).title == f"quick study of Fig. 4 to 7, {trials} {word}"
    assert aq.timing(asked, given).title == f"quick timing of Fig. 8, {trials} {word} a set"
