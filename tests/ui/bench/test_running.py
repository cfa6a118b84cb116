from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

GATE = threading.Event()


def page():
    """A page with one run of three parts, each waiting for the test."""
    from dataclasses import dataclass  # noqa: PLC0415  the runner takes the function's text alone

    import numpy as np  # noqa: PLC0415
    import pandas as pd  # noqa: PLC0415
    import streamlit as st  # noqa: PLC0415

    from dpviz.experiments.engine.plan import Experiment  # noqa: PLC0415
    from dpviz.ui.bench import running  # noqa: PLC0415
    from dpviz.ui.kit import job_panel  # noqa: PLC0415
    from tests.ui.bench.test_running import GATE  # noqa: PLC0415

    @dataclass(frozen=True)
    class Step:
        number: int
        seconds: float = 5.0

        def run(self, shared, rng):
            if self.number:
                GATE.wait(20)
            return pd.DataFrame({"number": [self.number], "value": [rng.normal()]})

    def build():
        return Experiment.of(None, [Step(number) for number in range(3)], np.random.default_rng(1))

    key = st.session_state.get("settings", "a")
    pay = job_panel.nothing_paid
    study = job_panel.Study("here", key, "data", "three parts", build, pay, processes=0)
    job_panel.controls(study)
    job = job_panel.job_of(study)
    if job is None:
        st.stop()
    told = running.notes("One is done.", "")
    running.watched(job, "One", "Fig. 4", "Each part is one m.", lambda: running.beside(told))


@pytest.fixture
def app():
    GATE.clear()
    yield AppTest.from_function(page, default_timeout=30).run()
    GATE.set()


def labels(app):
    return [button.label for button in app.button]


def html(app):
    return " ".join(str(one.proto.body) for one in app.get("html"))


def press(app, label):
    next(one for one in app.button if one.label == label).click().run()
    assert not app.exception


def test_a_run_is_started_stopped_resumed_and_run_again(app):
    assert labels(app) == ["Run"]
    assert "in 3 parts" in app.caption[0].value
    press(app, "Run")
    job = app.session_state["_jobs"]["here"]
    assert labels(app) == ["Stop, keep what is done"]
    assert "Fig" in app.title[0].value
    assert "running" in app.title[0].value
    assert any("What is done stays" in one.value for one in app.markdown)
    assert "to go" in html(app)
    job._stop.set()  # as its button does, without waiting for the part under way
    GATE.set()
    job.wait(20)
    app.run()
    assert labels(app) == ["Resume", "Run again"]
    assert "stopped" in app.title[0].value
    assert len(job.done) in {1, 2}
    assert f"{len(job.done)} of 3 parts are done" in html(app)
    assert "to go" not in html(app)
    press(app, "Resume")
    job.wait(20)
    app.run()
    assert labels(app) == ["Run again"]
    assert "3 of 3 parts are done" in html(app)
    assert job.rows()["number"].tolist() == [0, 1, 2]


def test_other_settings_offer_a_run_of_their_own_and_wait_for_one_under_way(app):
    press(app, "Run")
    app.session_state["settings"] = "b"
    app.run()
    assert labels(app) == ["Run", "Stop that run"]
    assert app.button[0].disabled
    assert "Another run is under way" in app.caption[0].value
    GATE.set()
    app.session_state["_jobs"]["here"].wait(20)
    app.run()
    assert not app.button[0].disabled


def test_what_is_told_beside_a_run_leaves_out_what_there_is_not(app):
    press(app, "Run")
    told = " ".join(one.value for one in app.markdown)
    assert "So far" in told
    assert "Still to come" not in told
    assert "You may leave" in told
