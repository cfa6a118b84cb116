"""A table that whoever runs the app declared: refused, released, stopped; nothing true is told."""

import time

import duckdb
import numpy as np
import pyarrow as pa
import streamlit as st
from pyarrow import parquet
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from dpviz.core.releases import QuantileRelease
from dpviz.intake.counted.counting import Counting
from dpviz.ui.data import uploading
from dpviz.ui.data.uploading import DeclaredTable
from tests.pages.driver import asking_nobody, healthy, opened, pick, text
from tests.pages.own_file import at
from tests.pages.unmistakable import (
    EVERY,
    HIGH,
    LOW,
    MISSING,
    NAME,
    OTHERS,
    SECOND,
    UNREADABLE,
    VALUES,
    everything,
    said_by,
    told,
)

LOOKS = 3  # at a count that is under way, before somebody stops it
PATIENCE = 20  # seconds


def declared_as(monkeypatch, **tables):
    monkeypatch.setattr(uploading, "declared_tables", lambda: tables)


def chosen(name):
    """The Data page once the button of a table was pressed; every change draws."""
    app = opened("data")
    return asking_nobody(healthy(app.button(key=f"table_{name}").click().run()))


def bounds(app, low, high):
    found = {"low": low, "high": high, "resolution": 100.0}
    app.session_state["_visit"] |= {f"own1_0_{name}": one for name, one in found.items()}
    return healthy(app.run())


def test_a_table_that_cannot_be_opened_is_refused_without_its_address(tmp_path, monkeypatch, capfd):
    url = (tmp_path / "secret_place" / "pay.parquet").as_posix()
    declared_as(monkeypatch, nowhere=DeclaredTable("Nowhere", url))
    app = chosen("nowhere")
    assert "Nowhere was not read" in text(app)
    assert "secret_place" not in everything(app)
    assert "secret_place" in capfd.readouterr().err  # for whoever runs the app


def test_a_release_of_a_table_is_near_and_nothing_true_or_of_its_place_is_told(
    tmp_path, monkeypatch, capfd
):
    place, blank = tmp_path / "warehouse_81" / "pay.parquet", [None] * (MISSING + UNREADABLE)
    place.parent.mkdir()
    table = {NAME: [*VALUES.tolist(), *blank], SECOND: [*OTHERS.tolist(), *blank]}
    parquet.write_table(pa.table(table), place)
    declared_as(monkeypatch, pay=DeclaredTable("Pay", place.as_posix()))
    handed = {}

    def button(label, data, file_name, *others, **settings):
        handed[label] = data() if callable(data) else data
        return real(label, data, file_name, *others, **settings)

    real = st.download_button
    monkeypatch.setattr(st, "download_button", button)
    app = chosen("pay")
    for page in ("data", "quantiles"):
        if page == "data":
            bounds(app, LOW, HIGH)
        else:
            pick(at(app, page), below="Take away")
        assert told(app) == []
        assert "warehouse_81" not in everything(app)
    assert [name for name, one in handed.items() if said_by(one)] == []
    assert not [name for name, one in handed.items() if "warehouse_81" in str(one)]
    logged = capfd.readouterr()
    assert EVERY.findall(logged.out + logged.err) == []
    release = QuantileRelease.from_json(handed["Release as JSON"])
    assert release.randomness == "secure"
    shares = np.mean(VALUES[:, None] <= np.array(release.values), axis=0)
    np.testing.assert_allclose(shares, release.quantiles, atol=0.05)
    pick(app, truth=True)
    assert len(told(app)) > 1  # the net catches what it is made for


def test_a_click_ends_a_run_that_waits_for_a_count(tmp_path, monkeypatch):
    """The app looks at the count again and again, and at every look for what was clicked."""
    house = tmp_path / "house.db"
    with duckdb.connect(str(house)) as database:
        database.execute(
            "create view slow as select i as pay from range(1000000000000) as t(i) where i % 7 = 3"
        )
    declared_as(monkeypatch, slow=DeclaredTable("Slow", f"duckdb://{house.as_posix()}", "slow"))
    app = bounds(chosen("slow"), 0.0, 100.0)
    runners, seconds = [], []
    start, wait = LocalScriptRunner.start, Counting.wait

    def started(runner):
        runners.append(runner)
        start(runner)

    def looked(job, patience):
        seconds.append(patience)
        assert len(seconds) < LOOKS + PATIENCE, "nobody heard the click"
        if len(seconds) == LOOKS:
            sent = [one.delta.new_element.button for one in runners[-1].forward_msgs()]
            (stop,) = [one.id for one in sent if one.label == "Stop counting"]
            clicked = WidgetStates(widgets=[WidgetState(id=stop, trigger_value=True)])
            page = get_script_run_ctx().page_script_hash
            asked = RerunData(widget_states=clicked, page_script_hash=page)
            runners[-1].request_rerun(asked)
        return wait(job, min(patience, 0.05))

    monkeypatch.setattr(LocalScriptRunner, "start", started)
    monkeypatch.setattr(Counting, "wait", looked)
    began = time.monotonic()
    app = at(app, "quantiles")
    assert time.monotonic() - began < PATIENCE
    assert "The count was stopped" in text(app)
    assert [one.label for one in app.button if one.label == "Count again"]
