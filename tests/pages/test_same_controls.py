"""With the truth off no control tells how many records a file has: labels, options, ends, help.

The same file with none, one, two and many of its rows stands behind every page and view. Its
columns and their kinds are public, so that they stay the same.
"""

import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.core.data.column import Column
from dpviz.core.data.grid_counts import GridCounts
from dpviz.core.data.points import Points
from dpviz.core.person_rows import PersonRows
from dpviz.intake.counted.counted_table import NOBODY, People
from dpviz.intake.table import Table, table_of
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.ui.kit import session
from dpviz.ui.kit.session import Upload
from dpviz.ui.quantiles import below
from tests.conftest import ROOT
from tests.pages.driver import asking_nobody, healthy
from tests.views import UNDER_DECIDE, views

RECORDS = (0, 1, 2, 60)
FEW = (0, 60)
FAR = 7  # of the last ones lie beyond the bounds
TOLD = (
    *("label", "disabled", "options", "help", "placeholder", "min", "max", "step", "type"),
    *("default", "value", "set_value", "icon"),
)
DECLARED = {"low": 0.0, "high": 10.0, "resolution": 1.0, "size": 50.0}
BOX = {"y_low": 0.0, "y_high": 10.0, "y_resolution": 1.0}
PEOPLE = {
    "rows": NOBODY,
    "at most two": People("who", PersonRows.at_most(2)),
    "as one": People("who", PersonRows.weighted()),
}


def every(page: str) -> tuple[dict[str, str], ...]:
    """A page as it opens, and each of its other views."""
    return ({}, *({"view": view} for view in views(page)[1:]))


VIEWS: dict[str, tuple[dict[str, str], ...]] = {
    "start": ({},),
    "learn": ({},),
    "neighbours": tuple({"view": view} for view in views("neighbours")),
    "budget": (*every("budget"), {"b_ask": "quantile"}),
    "audit": (*every("audit"), {"a_ask": "quantile"}, {"a_ask": "tree"}),
    "quantiles": (
        *every("quantiles"),
        *({"method": label} for label in ("AggTree", "SliceQuantiles", "JointExp")),
        {"below": "Take away"},
        {"notion": "zcdp"},
        {"notion": "approx", "neighbours": "replace"},
    ),
    "trees": (
        *every("trees"),
        {"notion": "zcdp", "t_root": "public"},
    ),
    "map": every("map"),
    "what_if": tuple({"view": view} for view in UNDER_DECIDE),
    "papers": ({}, {"fig": "aq3"}, {"fig": "aq4"}, {"fig": "psd3"}),
    "data": ({}, {"view": "declare"}),
    "methods": ({},),
}
ALL = [(page, link) for page, links in VIEWS.items() for link in links]
NAMED = [" ".join([page, *link.values()]) for page, link in ALL]
HOW_MANY = [
    pytest.param(FEW, id="few"),
    pytest.param(RECORDS, id="all", marks=pytest.mark.thorough),
]


@cache
def whole() -> Table:
    rng = np.random.default_rng(7)
    x, y = rng.integers(0, 11, (2, RECORDS[-1])).astype(float)
    x[-FAR:] = 99
    who = np.arange(RECORDS[-1]) // 3
    return table_of("mine.csv", pa.table({"x": x, "y": y, "who": who}))


def cut(rows: int) -> Table:
    """The first rows of it; the kinds of its columns are those that were read."""
    data = whole()._data.slice(0, rows)
    return Table("mine.csv", rows, whole().columns, (), data)


def entered(page: str, link: dict[str, str], own: Upload, *, truth: bool = False) -> AppTest:
    """A page of a session with a file of its own, whose truth is off unless asked for."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    kinds = dict.fromkeys(("column", "plane", "latest"), "upload")
    declared = {f"own1_0_{name}": value for name, value in DECLARED.items()}
    visit = kinds | declared | BOX | {"truth_own": truth}
    app.session_state["_visit"] = visit
    asking_nobody(app).session_state["_upload"] = own
    if len(own.table.columns) > 1:
        app.session_state["upload_y"] = "y"
    app.query_params.update(link)
    app.switch_page(f"pages/{page}.py")
    return healthy(app.run())


def controls(app: AppTest) -> Iterator[tuple[Any, ...]]:
    """What stands on each control and block of a page, values and pictures left out."""
    for part in app._tree:
        proto = getattr(part, "proto", None)
        if proto is None:
            continue
        if (inner := getattr(proto, "popover", None)) is not None and proto.HasField("popover"):
            proto = inner
        named = {field.name for field in proto.DESCRIPTOR.fields}
        told = [(name, str(getattr(proto, name))) for name in TOLD if name in named]
        yield (type(part).__name__, *told)


def compared(
    page: str, link: dict[str, str], people: People, press: str = "", records: Sequence[int] = FEW
) -> None:
    """The controls are the same for any number of records, once a button is pressed too."""
    seen = []
    for rows in records:
        app = entered(page, link, Upload(cut(rows), 1, "x", people=people))
        if press:
            healthy(app.get_by_key(press).click().run())
        seen.append(list(controls(app)))
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("records", HOW_MANY)
@pytest.mark.parametrize(("page", "link"), ALL, ids=NAMED)
def test_no_control_tells_how_many_records_there_are(
    page: str, link: dict[str, str], records: Sequence[int], looks: set[tuple[str, str]]
):
    """Nor does anything above the mechanisms look at a record."""
    compared(page, link, NOBODY, records=records)
    assert {one for one in looks if one[0].startswith(ABOVE)} <= MAY_LOOK


@pytest.mark.few(4)
@pytest.mark.parametrize("page", ["data", "quantiles", "trees", "map"])
@pytest.mark.parametrize("how", ["at most two", "as one"])
def test_nor_of_people_with_several_rows(page: str, how: str):
    compared(page, {}, PEOPLE[how])


def test_nor_once_a_button_is_pressed():
    compared("quantiles", {"method": "AQ"}, NOBODY, "check_ranks")


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """Who looks at the records of the file: modules above the mechanisms, and their functions."""
    found: set[tuple[str, str]] = set()

    def told(self: Any, name: str) -> Any:
        get = partial(object.__getattribute__, self)
        if name in RECORDED and get("clipped") == FAR:  # no sample and no stand-in has so many
            frame = sys._getframe(1)
            while frame.f_back and frame.f_globals["__name__"].startswith("dpviz.counts."):
                frame = frame.f_back  # who has it counted
            found.add((frame.f_globals["__name__"], frame.f_code.co_name))
        return get(name)

    for kind in (Column, Points, GridCounts):
        monkeypatch.setattr(kind, "__getattribute__", told, raising=False)
    return found


RECORDED = {"n", "clipped", "dropped", "values", "steps", "tied", "x", "y", "counts"}
ABOVE = tuple(
    f"dpviz.{floor}." for floor in ("ui", "figures", "reports", "answers", "metrics", "experiments")
)
# how long a release will take, so that others need not wait for it: time is not promised
MAY_LOOK = {("dpviz.ui.quantiles.releases", "_released")}


def test_with_the_truth_they_look(looks: set[tuple[str, str]]):
    """The wrong twin: the same pages with the truth on."""
    for page in ("quantiles", "trees", "map"):
        looks.clear()
        entered(page, {}, Upload(cut(60), 1, "x"), truth=True)
        assert {one for one in looks if one[0].startswith(ABOVE)} - MAY_LOOK


def test_a_column_of_yes_and_no_is_taken_whether_it_has_any_or_not():
    """Its kind is that of its file, so that nothing tells that all of it is missing."""
    seen = []
    for yes in ([None, None, None], [True, False, None]):
        table = table_of("mine.parquet", pa.table({"x": pa.array(yes, pa.bool_())}))
        seen.append(list(controls(entered("quantiles", {}, Upload(table, 1, "x")))))
    assert seen[0] == seen[1]


def test_a_control_that_looks_at_the_data_is_seen(monkeypatch: pytest.MonkeyPatch):
    """The wrong twin: a button that nobody can press where there is nobody."""
    button = below.st.button

    def looks(label: str, **others: Any) -> bool:
        nobody = session.column().n == 0 and label.startswith("Check the ranks")
        return button(label, **others | {"disabled": nobody or others.get("disabled", False)})

    monkeypatch.setattr(below.st, "button", looks)
    with pytest.raises(AssertionError):
        compared("quantiles", {}, NOBODY)


def ledger(app: AppTest) -> list[str]:
    """What each tank of the visit was charged for, in its order."""
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    return [f"{payer}: {one}" for payer, account in accounts.items() for one in account.entries]


@pytest.mark.few(len(ALL) // 2)
@pytest.mark.parametrize("records", HOW_MANY)
@pytest.mark.parametrize(("page", "link"), ALL, ids=NAMED)
def test_what_was_booked_beside_the_truth_tells_nothing_once_it_is_off(page, link, records):
    """What data refused, or how many runs they allowed, stood in the ledger afterwards.

    A column without any value is refused when it is read beside the truth, and draws nothing.
    """
    seen = []
    for rows in sorted({1, *records[1:]}):
        app = entered(page, link, Upload(cut(rows), 1, "x"), truth=True)
        app.session_state["_visit"]["truth_own"] = False
        seen.append([*controls(healthy(app.run())), *ledger(app)])
    assert all(one == seen[0] for one in seen)


def test_the_ledger_counts_the_runs_that_were_asked_for(monkeypatch):
    """Fewer are made where they take long, which hangs on the records: 490 and 500 were told."""

    def seconds(_mechanism, n, _m, _budget, runs, _resolution=0.0):
        return n * runs / 200

    monkeypatch.setattr(JointExp, "seconds", seconds)
    seen = []
    for rows in (1, 30):
        own = Upload(cut(rows), 1, "x")
        app = entered("quantiles", {"method": "JointExp", "runs": "50"}, own, truth=True)
        app.get_by_key("bands").set_value(True)
        seen.append(ledger(healthy(app.run())))
        assert "50 releases" in str(seen)
    assert seen[0] == seen[1]


ODD = {"no width": (0.0, 5e-324, 0.0), "no step": (0.0, 0.5, 1.0), "all": (-8e307, 8e307, 0.0)}


@pytest.mark.few(9)
@pytest.mark.parametrize("page", ["data", "quantiles", "trees", "map", "neighbours", "what_if"])
@pytest.mark.parametrize("ends", ODD.values(), ids=ODD)
def test_bounds_that_no_picture_can_show_are_refused_in_words(page, ends, monkeypatch):
    """A logarithm of 0 and a plan that was refused a second time ended the page."""
    low, high, step = ends
    monkeypatch.setitem(DECLARED, "low", low)
    monkeypatch.setitem(DECLARED, "high", high)
    monkeypatch.setitem(DECLARED, "resolution", step)
    link = {"what": "own", "view": "search"} if page == "what_if" else {}
    entered(page, link, Upload(cut(60), 1, "x"), truth=True)
