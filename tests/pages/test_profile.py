"""All columns of a file under one budget: shares, one payment, nothing true without the truth."""

import json

import numpy as np
import pandas as pd
import pytest

from dpviz.core.budgets import Neighbours, PureDP
from dpviz.mechanisms.quantiles.profile import MOST_COLUMNS
from dpviz.ui.kit import memory
from dpviz.ui.quantiles import profile
from dpviz.ui.quantiles.profile import WEIGHTS
from dpviz.ui.visit import declared, state
from tests.pages.columns import charts, headline, traces, with_column
from tests.pages.driver import healthy, pick, table

ROWS = [(at % 90, 1_000 + at % 70, at % 5, "x") for at in range(600)]
FILE = ("a,b,c,name\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in ROWS)).encode()
B = {"own1_1_low": 1_000, "own1_1_high": 1_100, "own1_1_resolution": 1}


def profiled(truth=True, **visit):
    return pick(with_column(FILE, 0, 100, 1, truth=truth, **visit), q_view="profile")


def payments(app):
    accounts = app.session_state["_accounts"]
    return [(one.budget, one.times) for one in accounts["upload"].entries]


def test_declared_columns_share_the_budget_and_it_is_paid_once():
    app = profiled(**B)
    assert headline(app).startswith("2 columns, one promise: ε \\= 0\\.1")
    frame = table(app)
    assert frame["column"].tolist() == ["a", "b"]
    assert frame["share of the budget"].tolist() == ["50.0%", "50.0%"]
    assert payments(app).count((PureDP(0.1), 1)) == len(payments(app))
    before, values = len(payments(app)), frame.to_csv()
    app.session_state["_visit"]["truth_own"] = False
    healthy(app.run())
    assert table(app).to_csv() == values  # the same release without the truth
    assert len(payments(app)) == before
    assert "true" not in traces(app)


def test_weights_move_shares_and_a_weight_of_nothing_leaves_a_column_out():
    app = profiled(**B)
    app.session_state[WEIGHTS] = {"own1_1": 3.0}
    healthy(app.run())
    assert table(app)["share of the budget"].tolist() == ["25.0%", "75.0%"]
    app.session_state[WEIGHTS] = {"own1_0": 0.0}
    healthy(app.run())
    assert table(app)["column"].tolist() == ["b"]
    app.session_state[WEIGHTS] = {"own1_0": 0.0, "own1_1": 0.0}
    healthy(app.run())
    assert headline(app) == "No column is in the profile."


@pytest.mark.parametrize("relation", Neighbours)
def test_the_promise_is_under_the_relation_of_the_visit(relation, monkeypatch):
    made = []
    release = profile.Profile.release
    monkeypatch.setattr(
        profile.Profile,
        "release",
        lambda self, *asked: made.append(found := release(self, *asked)) or found,
    )
    profiled(neighbours=relation, **B)
    assert {one.neighbours for each in made for one in each.releases.values()} == {relation}


def test_what_stands_in_the_picture():
    app = profiled(**B)
    names = {one["name"]: one for one in charts(app)[0]["data"]}
    assert names["names"]["text"] == ["a", "b"]
    assert "true" in names
    assert len(names["published"]["text"]) == 18
    (button,) = app.main.get("download_button")
    assert "Profile as JSON" in str(button.proto.label)


@pytest.mark.parametrize(
    "row", [("b", 1_000, 1_100, 1, 2), ("b", 5, 1, 1, 2), ("b", None, 9, -1, -2)]
)
def test_what_is_typed_is_kept_where_it_is_whole(row, monkeypatch):
    store, weights = {}, {}
    monkeypatch.setattr(profile.st, "session_state", {WEIGHTS: weights})
    monkeypatch.setattr(state, "put", store.__setitem__)
    monkeypatch.setattr(declared, "of", lambda *_: None)
    every = [profile.Declared("b", "own1_1", 1, None, 0.0, 1.0)]
    made = pd.DataFrame([row], columns=["column", "low", "high", "steps", "weight"])
    profile._take(every, made)
    whole = row[1] == 1_000
    assert ("own1_1_low" in store, "own1_1_high" in store) == (whole, whole)
    assert store.get("own1_1_resolution", 0) >= 0
    assert weights["own1_1"] == max(0, row[4])
    assert np.isfinite(list(store.values())).all()
    json.dumps(store)


def test_a_visit_keeps_the_counts_of_every_column_of_a_profile():
    """With fewer, each run of the page counted, drew and booked the last ones anew."""
    assert memory.REMEMBERED > MOST_COLUMNS
