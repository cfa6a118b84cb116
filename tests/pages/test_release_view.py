"""The release view of a file shows releases only: on screen, in links, in downloads, in the log."""

import json
import logging
import secrets
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from dpviz.experiments.papers import psd_figures
from dpviz.ui.kit.offers import figure_offer
from dpviz.ui.visit import page as visits
from tests.pages.driver import ALL, asking_nobody, declare, has, healthy, opened, pick
from tests.pages.shared_caches import everywhere
from tests.pages.unmistakable import (
    CELL,
    EVERY,
    FILE,
    HIGH,
    IN_CHARTS,
    LOW,
    NAMES,
    PLACES,
    ROWS,
    SECOND,
    UNREADABLE,
    WHOLE,
    N,
    content,
    everything,
    found,
    said_by,
    told,
)  # fmt: skip
from tests.views import UNDER_DECIDE, walk

SMALL = replace(
    psd_figures.QUICK, runs=1, queries=20, records=100_000, cells=(32, 32), medians=2**8,
    quadtree_height=4, kd_height=3, matching_height=2, heights=(2, 3),
)  # fmt: skip
VIEWS: list[tuple[str, dict[str, object]]] = [
    ("data", {}),
    *(("quantiles", {"method": one}) for one in ALL),
    *walk("quantiles"),
    ("quantiles", {"below": "Take away", "notion": "zcdp"}),
    ("quantiles", {"below": "Numbers", "notion": "approx"}),
    *walk("trees"),
    ("trees", {"trees_view": "cdf", "t_noise": "discrete Laplace"}),
    *walk("map"),
    ("map", {"m_method": "adaptive grid", "m_second": "kd-pure (not private)"}),
    ("map", {"m_second": "none", "m_method": "kd-tree", "m_colour": "count", "m_behind": True}),
    ("map", {"m_method": "quadtree, optimal", "m_second": "PrivTree", "m_depth": 3}),
    ("neighbours", {}),
    *walk("neighbours"),
    ("neighbours", {"n_noise": "gaussian", "new_draw": True}),
    *(("budget", {"b_ask": kind, "b_k": 20}) for kind in ("quantile", "count")),
    *walk("budget"),
    *(("audit", {"n_columns": "this column", "a_ask": kind}) for kind in ("quantile", "count")),
    *walk("audit"),
    *(("what_if", {"view": one}) for one in UNDER_DECIDE),
    *(("papers", {"fig": one}) for one in ("", "psd7b", "aq4")),
    ("learn", {}),
    ("methods", {}),
]  # fmt: skip


@pytest.fixture(autouse=True)
def same_noise(monkeypatch):
    """The same noise every time: now and then a noisy count is n itself, and no test could tell."""
    monkeypatch.setattr(secrets, "randbits", lambda bits: 2021 % 2**bits)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(2, size + 2)))
    monkeypatch.setitem(psd_figures.PRESETS, "quick", SMALL)


@pytest.fixture
def taken(monkeypatch) -> list[str]:
    """What the downloads on the pages would tell while the truth is off.

    What a session that never had the file is given, too, to the last character, tells nothing of
    it: a scene's picture has thousands of coordinates, and some of them are numbers of the file.
    """
    found: list[str] = []
    anybodys: set[bytes | str] = set()
    without_file = True
    real = st.download_button

    def button(label, data, file_name, *others, **settings):
        given = data() if callable(data) else data
        if without_file:
            anybodys.add(given)
        elif not visits.shows_truth():
            found.extend(said_by(given) if given not in anybodys else ())
            found.extend(hit.group() for hit in EVERY.finditer(f"{label} {file_name}"))
        return real(label, data, file_name, *others, **settings)

    monkeypatch.setattr(st, "download_button", button)
    opened("learn")
    without_file = False
    return found


def walked(app: AppTest, *, checks: bool, only: str = "", apart: int = 1) -> Iterator[str]:
    """Every page and view, or those of one page; with checks nothing on it may tell of the file."""
    page = ""
    for where, choice in VIEWS[::apart]:
        if only not in {"", where}:
            continue
        if where != page:
            app.session_state["_visit"].setdefault("view_what_if", "sweep")
            app.switch_page(f"pages/{where}.py").run()
            page = where
        for key, value in choice.items():
            if key in {"view", "fig"}:  # clicks of the pages lead there
                app.session_state["_visit"][f"view_{where}" if key == "view" else key] = value
                healthy(app.run())
            elif has(app, key):  # some choices are there with the truth only
                pick(app, **{key: value})
        if checks and where == "methods":  # its pictures are full of numbers, the same for anybody
            # and so is the link, but for the choices of the walk
            mine, stranger = (json.loads(everything(one))[:2] for one in (app, opened("methods")))
            assert mine == stranger
        elif checks:
            assert told(app) == [], (where, choice)
        yield where


def uploaded(*, truth: bool) -> AppTest:
    """A fresh session with the file, two columns and a box; a file starts without truth."""
    app = opened("data")
    app.file_uploader(key="file").upload(FILE, content(), "text/csv")
    declare(asking_nobody(healthy(app.run())), LOW, HIGH)  # so that all of it is drawn
    pick(app, upload_y=SECOND)
    return pick(app, y_low=-2.0, y_high=3.0, **({"truth": True} if truth else {}))


def assert_log_is_silent(caplog) -> None:
    for record in caplog.records:
        said = record.getMessage() + str(record.exc_info or "")
        assert not EVERY.search(said), said
        assert not NAMES.search(said), said


PAGES = {
    "data", "quantiles", "trees", "map", "neighbours", "budget", "audit", "what_if", "papers",
    "learn", "methods",
}  # fmt: skip


@pytest.mark.parametrize(
    "leak",
    [
        {"data": [{"y": np.array([1.5, float(N)])}]},  # packed, as arrays are
        {"data": [{"y": [1, ROWS]}]},
        {"data": [{"name": f"all {N:,} people"}]},
        {"layout": {"title": {"text": f"{ROWS} rows"}}},
    ],
)
def test_the_net_for_figures_that_are_taken_away_catches_numbers_and_words(leak) -> None:
    def handed_out(**parts) -> str:
        return str(figure_offer(lambda: go.Figure(**parts), "private.html", "").content())

    assert said_by(handed_out(data=[{"y": np.array([1.5, 2.5]), "name": "private"}])) == []
    assert said_by(handed_out(**leak))


def test_the_quick_search_finds_what_the_patterns_do() -> None:
    rng = np.random.default_rng(3)
    numbers = [f"{one:,}" for one in WHOLE | PLACES]
    numbers += [one.replace(",", mark) for one in numbers for mark in "\u202f'"]
    parts = [*numbers, *(str(one) for one in WHOLE | PLACES), CELL, ",", ".", "1", " ", "x", "0"]
    for _ in range(3_000):
        text = "".join(rng.choice(parts, 6))
        for pattern in (EVERY, IN_CHARTS):
            plainly = {hit.start() for hit in pattern.finditer(text)}
            quickly = {hit.start() for hit in found(pattern, text)}
            assert plainly <= quickly  # finditer leaves out what overlaps
            assert bool(plainly) == bool(quickly)


def test_off_from_the_start_on_and_off_again(taken, caplog):
    caplog.set_level(logging.INFO)
    app = uploaded(truth=False)
    assert told(app) == []
    list(walked(app, checks=True, apart=6))
    assert taken == []
    app.switch_page("pages/data.py").run()
    pick(app, truth=True)
    said = " ".join(told(app))  # the net catches what it is made for
    for caught in (f"{ROWS:,} rows", f"{UNREADABLE:,} of", CELL):
        assert caught in said
    pick(app, drop_unreadable=True)
    assert f"{N:,} people" in " ".join(told(app))
    list(walked(app, checks=False, apart=3))
    assert everywhere() == {}  # and nothing of it is in what visitors share
    app.switch_page("pages/data.py").run()
    pick(app, truth=False)
    assert told(app) == []
    assert set(walked(app, checks=True)) == PAGES
    assert taken == []
    assert_log_is_silent(caplog)


def started(app: AppTest, place: str) -> None:
    next(one for one in app.button if one.key == f"w_run_{place}").click().run()
    healthy(app)


def showing(app: AppTest, **where: str) -> AppTest:
    """Go to a view, or to a paper's figure, as a click on it does."""
    app.session_state["_visit"].update(where)
    return healthy(app.run())


JOBS = {
    "sweep": ("what_if", {"view_what_if": "sweep"}),
    "winners": ("what_if", {"view_what_if": "wins"}),
    "psd7b": ("papers", {"fig": "psd7b"}),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("place", JOBS)
def test_a_run_under_way_tells_nothing_once_the_truth_is_off(place, taken, caplog):
    caplog.set_level(logging.INFO)
    app = uploaded(truth=True)
    pick(app, drop_unreadable=True)
    page, where = JOBS[place]
    app.session_state["_visit"].update(where)
    app.switch_page(f"pages/{page}.py").run()
    showing(app, **where)
    if place == "psd7b":
        pick(app, w_spatial_points="in-use")
    started(app, place)
    job = app.session_state["_jobs"][place]
    pick(app, truth=False)
    assert told(app) == []
    kept, type(job).running = type(job).running, property(lambda _: True)
    try:  # as long as it runs, every other place says that a run is under way
        healthy(app.run())
        assert told(app) == []
        healthy(app.switch_page("pages/papers.py").run())
        showing(app, fig="aq4")
        assert told(app) == []
    finally:
        type(job).running = kept
    until = time.monotonic() + 120
    while job.running and time.monotonic() < until:
        time.sleep(0.05)
    assert job.complete, job.problem
    for only in ("what_if", "papers"):
        list(walked(app, checks=True, only=only))
    assert taken == []
    assert_log_is_silent(caplog)
