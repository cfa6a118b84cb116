"""All columns under one budget: what is declared of each, and what becomes of what is typed."""

from types import SimpleNamespace

import pandas as pd
import pytest

from dpviz.core.bounds import Bounds
from dpviz.ui.quantiles import profile
from dpviz.ui.quantiles.profile import Declared
from tests.ui.recorded import Recorded

EVERY = [
    Declared("age", "own1_0", 0, Bounds(0, 120), 1.0, 1.0),
    Declared("pay", "own1_1", 1, Bounds(-5, 9_000), 0.5, 3.0),
    Declared("code", "own1_2", 2, None, 0.0, 0.0),
]


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    monkeypatch.setattr(profile.state, "put", found.state.__setitem__)
    monkeypatch.setattr(profile.declared, "key", lambda scope, name: f"{scope} {name}")
    monkeypatch.setattr(
        profile.declared, "of", lambda scope, name: found.state.get(f"{scope} {name}")
    )
    monkeypatch.setattr(profile, "every_column", lambda: EVERY)
    return found


def test_the_table_of_declarations_holds_each_of_its_own_column(screen):
    profile.declare_table()
    table = screen.one("profile_declared").args[0]
    for row, one in zip(table.to_dict("records"), EVERY, strict=True):
        ends = (None, None) if one.bounds is None else (one.bounds.low, one.bounds.high)
        said = tuple(None if pd.isna(row[key]) else row[key] for key in ("low", "high"))
        assert (row["column"], *said) == (one.name, *ends)
        assert (row["steps"], row["weight"]) == (one.step, one.weight)


def typed(**rows):
    """A table as it comes back, one value or list a column of it."""
    first = {"low": [1.0] * 3, "high": [2.0] * 3, "steps": [0.25] * 3, "weight": [2.0] * 3}
    return pd.DataFrame(first | rows)


def test_what_is_typed_is_kept_of_each_column(screen):
    low, high, nothing = [3.0, 5.0, None], [4.0, 5.0, 9.0], float("nan")
    profile._take(EVERY, typed(low=low, high=high, steps=[1.0, -1.0, nothing],
                               weight=[nothing, -2.0, 0.5]))  # fmt: skip
    kept = {key: value for key, value in screen.state.items() if key.startswith("own1")}
    assert kept == {"own1_0 low": 3.0, "own1_0 high": 4.0, "own1_0 resolution": 1.0}
    assert screen.state[profile.WEIGHTS] == {"own1_0": 0.0, "own1_1": 0.0, "own1_2": 0.5}


def test_a_column_is_in_the_profile_once_its_bounds_and_weight_say_so(screen, monkeypatch):
    assert [one.name for one in profile._chosen()] == ["age", "pay"]
    none = [
        Declared("age", "a", 0, None, 1.0, 1.0),
        Declared("pay", "p", 1, Bounds(0, 1), 1.0, 0.0),
    ]
    monkeypatch.setattr(profile, "every_column", lambda: none)
    assert profile._chosen() == []
    view = profile._instead(None, None, {})
    assert view is not None


def test_what_is_declared_anew_goes_before_what_a_sample_says(screen):
    own, state = Bounds(0, 100), screen.state
    assert profile._declared("age", "x", 0, own, 1.0).bounds == own
    state |= {"x low": 20.0, "x resolution": 0.5, profile.WEIGHTS: {"x": 4.0}}
    found = profile._declared("age", "x", 0, own, 1.0)
    assert (found.bounds, found.step, found.weight) == (Bounds(20, 100), 0.5, 4.0)
    state["x low"] = 100.0
    assert profile._declared("age", "x", 0, own, 1.0).bounds is None
    assert profile._declared("age", "y", 0, None, 1.0).bounds is None


def test_a_portrait_has_the_truth_of_its_own_column_or_none(screen, monkeypatch):
    releases = {
        name: SimpleNamespace(bounds=Bounds(0, 9), resolution=1.0, quantiles=[at], values=[at + 1])
        for at, name in enumerate(("age", "pay"))
    }
    columns = {"age": SimpleNamespace(n=3), "pay": SimpleNamespace(n=0)}
    monkeypatch.setattr(profile, "true_quantiles", lambda column, _: f"truth of {column.n}")
    one = SimpleNamespace(release=SimpleNamespace(releases=releases), columns=columns)
    for truth in (True, False):
        page = SimpleNamespace(
            question=SimpleNamespace(quantiles=None), now=SimpleNamespace(truth=truth)
        )
        found = profile._portraits(page, one)
        assert [(part.name, part.quantiles, part.published) for part in found] == [
            ("age", [0], [1]), ("pay", [1], [2]),
        ]  # fmt: skip
        assert [part.true for part in found] == ["truth of 3" if truth else None, None]
