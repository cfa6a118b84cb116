"""People with several rows in the app: what a person spends is chosen, booked and released."""

import dataclasses
import io
import json
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import streamlit as st
from pyarrow import parquet
from streamlit.testing.v1 import AppTest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.person_rows import PersonRows
from dpviz.core.releases import QuantileRelease
from dpviz.intake.counted.counted_table import NOBODY, People
from dpviz.intake.counted.engines import parquet_in_memory
from dpviz.intake.counted.files import _counts
from dpviz.intake.read import read_table
from dpviz.ui.data.people import EACH_ROW, HOW, MOST, SHARE, WHO
from dpviz.ui.kit.session import Upload
from tests.conftest import ROOT
from tests.pages.columns import words
from tests.pages.driver import asking_nobody, healthy, not_shown, opened, pick, text
from tests.pages.own_file import at
from tests.rows import pairs_first
from tests.views import walk

PEOPLE, EACH = 300, 6
NAMES = [f"p{one % PEOPLE}" for one in range(PEOPLE * EACH)]
AGES = np.random.default_rng(4).integers(1, 100, (PEOPLE * EACH, 2))
FILE = (
    "visitor,age,wait\n"
    + "".join(f"{name},{a},{b}\n" for name, (a, b) in zip(NAMES, AGES, strict=True))
).encode()


ENDS = {"own1_1_low": 0.0, "own1_1_high": 100.0, "own1_1_resolution": 1.0}


def declared(*, truth=True, **visit):
    """The Data page on the file, its column declared, each row one person."""
    app = opened("data")
    app.file_uploader(key="file").upload("visits.csv", FILE, "text/csv")
    asking_nobody(healthy(app.run()))
    pick(app, upload_column="age")
    app.session_state["_visit"] |= {"truth_own": truth, **ENDS, **visit}
    return healthy(app.run())


def named(k=None, *, plane=False, truth=True, people="visitor", **visit):
    """A visit to come, with a person behind the rows of a name: at most k of them, or weighted."""
    app = asking_nobody(AppTest.from_file(str(ROOT / "app.py"), default_timeout=60))
    rows = PersonRows.weighted() if k is None else PersonRows.at_most(k)
    who = People(people, rows) if people else NOBODY
    table = read_table(io.BytesIO(FILE), "visits.csv")
    app.session_state["_upload"] = Upload(table, 1, "age", people=who)
    app.session_state["upload_column"] = "age"
    kinds = dict.fromkeys(("column", "latest", *["plane"] * plane), "upload")
    if plane:
        app.session_state["upload_y"] = "wait"
        kinds |= {"y_low": 0.0, "y_high": 100.0}
    app.session_state["_visit"] = kinds | {"truth_own": truth} | ENDS | visit
    return app


def paid(app, payer="upload_people"):
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    return [one.budget for one in accounts[payer].entries] if payer in accounts else []


def releases(app):
    """Everything in this visit's memory that says what it spent."""
    kept = app.session_state["_results"].values()
    found = [getattr(one, "release", one) for one in kept]
    return [one for one in found if hasattr(one, "spent") and hasattr(one, "parameters")]


def test_the_choice_and_what_is_loudly_said():
    app = declared()
    assert app.selectbox(key=WHO).options == [
        EACH_ROW, "All rows of one visitor", "All rows of one wait",
    ]  # fmt: skip
    assert "One row counts as one person" in text(app)
    pick(app, **{WHO: "visitor"})
    assert "One person is all rows of one visitor" in text(app)
    assert "One row of each person counts" in text(app)
    assert app.session_state["_upload"].people.rows == PersonRows.at_most(1)
    pick(app, **{MOST: 3})
    assert "At most 3 rows of each person count" in text(app)
    assert "each row spends ε = 0.0333" in text(app)
    pick(app, **{HOW: SHARE})
    assert "share 840 parts evenly" in text(app)
    pick(app, **{WHO: ""})
    assert "One row counts as one person" in text(app)
    assert app.session_state["_upload"].people.rows is None


def test_with_the_truth_the_page_says_what_the_choice_does():
    app = at(named(3, view_data="declare"), "data")
    assert f"Of {PEOPLE * EACH:,} rows {PEOPLE * 3} count" in text(app)
    app.session_state["_visit"]["truth_own"] = False
    healthy(app.run())
    assert "rows 900 count" not in text(app)
    assert "percentage points" not in text(app)


@pytest.mark.parametrize(
    ("asked", "page", "truth"),
    pairs_first(
        [(3, "pure", PureDP(0.1)), (3, "zcdp", ZCDP(0.01)), (None, "pure", PureDP(0.1))],
        ["quantiles", "trees"],
        [True, False],
    ),
)
def test_a_release_spends_what_a_person_spends(asked, page, truth):
    """Twin: the budget of a row on the account, or each row spending the whole budget."""
    k, notion, each = asked
    app = at(named(k, notion=notion, truth=truth), page)
    rows = PersonRows.weighted() if k is None else PersonRows.at_most(k)
    made = [one for one in releases(app) if one.spent == each]
    assert made
    assert set(paid(app)) == {each}
    assert paid(app, "upload") == []
    for one in made:
        assert rows.parameters.items() <= one.parameters.items()
        assert one.neighbours is Neighbours.ADD_REMOVE
    if page == "trees":
        scales = {one.tree_noise.scales[-1] for one in made}
        alone = at(named(people="", notion=notion, truth=truth), page)
        (of_rows,) = {one.tree_noise.scales[-1] for one in releases(alone) if one.spent == each}
        assert list(scales) == [pytest.approx(of_rows * rows.most, rel=1e-9)]


def test_the_map_counts_at_most_so_many_rows_a_person_or_parts():
    app = at(named(2, plane=True), "map")
    budget = PureDP(0.5)
    assert set(paid(app)) == {budget}
    assert {one.spent for one in releases(app)} == {budget}
    assert {one.parameters["rows_a_person"] for one in releases(app)} == {2}
    app = at(named(plane=True), "map")
    assert set(paid(app)) == {budget}
    assert {one.parameters["parts_a_person"] for one in releases(app)} == {840}


def test_replace_one_is_not_offered_and_never_drawn():
    app = at(named(3, neighbours=Neighbours.REPLACE_ONE, view_data="declare"), "quantiles")
    assert {one.neighbours for one in releases(app)} == {Neighbours.ADD_REMOVE}
    app = healthy(app.switch_page("pages/data.py").run())
    assert app.radio(key="neighbours").disabled


def test_rows_and_people_have_accounts_of_their_own():
    app = at(declared(), "quantiles")
    assert paid(app, "upload")
    before = list(paid(app, "upload"))
    app = pick(healthy(app.switch_page("pages/data.py").run()), **{WHO: "visitor"})
    app = at(app, "quantiles")
    assert paid(app, "upload") == before
    assert set(paid(app)) == {PureDP(0.1)}


def test_the_card_and_the_download_say_whose_promise_it_is():
    app = at(named(3, truth=False), "quantiles")
    said = words(app)
    assert "at most 3 rows a person" in said
    assert "with or without any one person" in said
    (one,) = {release.to_json() for release in releases(app) if hasattr(release, "values")}
    assert json.loads(one)["parameters"]["rows_a_person"] == 3
    assert QuantileRelease.from_json(one).spent == PureDP(0.1)


@pytest.mark.parametrize("page", ["neighbours", "budget", "audit"])
def test_views_that_take_a_row_for_a_person_say_so(page):
    app = at(named(3), page)
    assert paid(app) == []
    assert page == "audit" or "This view speaks of one row as one person" in text(app)


def test_a_column_that_is_measured_names_nobody():
    app = pick(declared(), **{WHO: "wait"})
    pick(app, upload_y="wait")
    assert app.session_state["_upload"].people.rows is None
    assert "One row counts as one person" in text(app)


def test_the_same_rows_count_in_every_look():
    app = at(named(2), "quantiles")
    first = {one.to_json() for one in releases(app)}
    app.session_state["_results"].clear()
    healthy(app.run())
    assert {one.to_json() for one in releases(app)} == first


@pytest.mark.few(3)
@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("k", [3, None])
@pytest.mark.parametrize("page", ["quantiles", "trees", "map"])
def test_every_view_spends_parts_of_what_a_person_spends(page, k, truth):
    app = at(named(k, plane=page == "map", truth=truth), page)
    for _, view in walk(page):
        if "buckets" not in view.values():  # whose study is simulated, at budgets of its own
            pick(app, **view)
    assert set(paid(app)) == {PureDP(0.5 if page == "map" else 0.1)}
    assert paid(app, "upload") == []


def test_the_report_of_a_draw_says_what_a_person_spends(monkeypatch):
    taken: dict[str, str] = {}
    real = st.download_button

    def button(label, data, *others, **settings):
        taken[label] = data() if callable(data) else data
        return real(label, data, *others, **settings)

    monkeypatch.setattr(st, "download_button", button)
    app = at(named(3, truth=False), "quantiles")
    pick(app, below="Take away")
    assert paid(app)[-1] == PureDP(0.1)
    assert "with all their rows (at most 3 rows a person" in taken["Report"]
    assert json.loads(taken["Release as JSON"])["spent"] == {"notion": "pure", "epsilon": 0.1}


@pytest.mark.few(2)
@pytest.mark.parametrize("k", [3, None])
@pytest.mark.parametrize("page", ["quantiles", "map"])
def test_the_python_lines_make_a_release_of_the_same_law(k, page, tmp_path):
    app = at(named(k, plane=page == "map"), page)
    pick(app, **({"map_view": "take"} if page == "map" else {"below": "Take away"}))
    (lines,) = [one.value for one in app.code if one.language == "python"]
    assert "persons = table.people('visitor')" in lines
    assert "  # of a person, with all their rows" in lines
    assert not_shown(app)
    (tmp_path / "visits.csv").write_bytes(FILE)
    monkey = pytest.MonkeyPatch()
    monkey.chdir(tmp_path)
    space = {}
    exec(compile(lines, "lines", "exec"), space)
    monkey.undo()
    made = space["column" if page == "quantiles" else "points"]
    assert made.n == (PEOPLE * 3 if k else PEOPLE * 840)
    assert space["budget"] == PureDP(0.1 if page == "quantiles" else 0.5)
    assert space["rows"] == (PersonRows.at_most(3) if k else PersonRows.weighted())
    assert space["account"].spent == space["budget"]
    (made,) = space["releases"].values()
    assert made.spent == space["budget"]
    assert made.parameters.items() >= space["rows"].parameters.items()
    assert made.randomness == "secure"


@pytest.mark.few(1)
@pytest.mark.parametrize("k", [2, None])
@pytest.mark.parametrize("page", ["quantiles", "map"])
def test_a_table_that_is_counted_takes_the_same_choice(k, page):
    """The engine draws which rows count; how many do is told by the file."""
    app = declared()
    if page == "map":
        pick(app, upload_y="wait")
        app.session_state["_visit"] |= {"y_low": 0.0, "y_high": 100.0}
    sink = pa.BufferOutputStream()
    frame = pd.read_csv(io.BytesIO(FILE))
    parquet.write_table(pa.Table.from_pandas(frame), sink)
    own = app.session_state["_upload"]
    table = parquet_in_memory("visits.parquet", sink.getvalue())
    app.session_state["_upload"] = dataclasses.replace(own, table=table)
    pick(healthy(app.run()), **{WHO: "visitor"})
    pick(app, **({HOW: SHARE} if k is None else {MOST: k}))
    app = at(app, page)
    found = list(app.session_state["_counts"].values())[-1].result()
    assert found.n == (PEOPLE * 840 if k is None else PEOPLE * k)
    assert set(paid(app)) == {PureDP(0.5 if page == "map" else 0.1)}


def test_counts_that_are_there_already_stay_as_they_were_counted():
    app = declared()
    own = app.session_state["_upload"]
    column = Column.from_values(AGES[:, 0].astype(float), Bounds(0, 100), 1)
    table = _counts(column, "age", "counts.parquet", 100)
    app.session_state["_upload"] = dataclasses.replace(own, table=table)
    assert "One row counted as one person" in text(healthy(app.run()))
    with pytest.raises(KeyError):
        app.selectbox(key=WHO)


def test_wider_bounds_cost_as_many_people_however_their_rows_are_counted():
    """Parts of people are not places of people: 840 parts are one."""

    def places(app):
        (found,) = re.findall(r"Twice as wide costs about ([\d,]+) places", text(app))
        return int(found.replace(",", ""))

    alone = places(declared())
    declare = {"view_data": "declare"}
    assert places(at(named(**declare), "data")) == pytest.approx(alone, rel=0.02)
    assert places(at(named(3, **declare), "data")) > 2 * alone  # each row has a third of the budget
