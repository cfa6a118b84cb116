"""The Map page in a real browser: every method, and a rectangle drawn with the mouse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from playwright.sync_api import Page

from dpviz.core.budgets import PureDP
from dpviz.estimators.boxes import range_counts
from dpviz.estimators.spatial import estimate
from dpviz.intake.samples import sample_points
from dpviz.mechanisms.quadtree import QuadtreeSetting
from dpviz.ui.map_controls import METHODS
from tests.browser.steps import (
    answered,
    chart,
    choose,
    declare,
    errors,
    go_to,
    names,
    press,
    switch,
    tracebacks,
    upload,
    visit,
    write,
)

POINTS = 1_630_000
# the table of answers is drawn on a canvas; its numbers stand in full in the table behind it
ANSWERED = """wanted => {
    const cells = [...document.querySelectorAll('[data-testid=stDataFrame] table tbody td')];
    const numbers = cells.map(cell => Number(cell.innerText.replaceAll(',', '')));
    return wanted.every(one => numbers.some(n => Math.abs(n - one) <= 1e-4 * Math.max(1, one)));
}"""


@pytest.fixture(scope="module")
def roads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1.63 million points strung along a few hundred roads, as large as the paper's set."""
    rng = np.random.default_rng(163)
    ends = rng.random((300, 2, 2))
    road = rng.integers(0, 300, POINTS)
    along = rng.beta(0.6, 0.6, POINTS)[:, None]
    spread = rng.normal(scale=0.002, size=(POINTS, 2))
    at = np.clip(ends[road, 0] * (1 - along) + ends[road, 1] * along + spread, 0, 1)
    file = tmp_path_factory.mktemp("roads") / "roads.csv"
    table = pa.table({"x": np.round(at[:, 0], 6), "y": np.round(at[:, 1], 6)})
    pyarrow.csv.write_csv(table, file)
    return file


def open_map(page: Page, server: str, file: Path) -> None:
    visit(page, server)
    upload(page, file)
    declare(page, "0", "1")
    choose(page, "Second column, for the map", "y")
    write(page, "Its lower bound", "0")
    write(page, "Its upper bound", "1")
    go_to(page, "Map")


def every_method(page: Page) -> None:
    for method in METHODS[1:]:
        choose(page, "Method", method)
        assert "cells" in names(page), method
        assert tracebacks(page).count() == 0, method
        said = [message for message in errors(page) if "Not private" not in message]
        assert not said, method
    (cells,) = [trace for trace in chart(page) if trace["name"] == "cells"]
    assert np.isfinite(np.array(cells["z"], dtype=float)).any()


def test_every_method_runs_on_real_points(page: Page, server: str, shared_data: Path) -> None:
    open_map(page, server, shared_data / "ne_addresses.csv")
    every_method(page)
    choose(page, "Method", "quadtree, optimal")
    for view in ("Node", "Compare", "Matching", "Download"):
        press(page, view)
        assert tracebacks(page).count() == 0


def test_every_method_runs_on_a_large_set(page: Page, server: str, roads: Path) -> None:
    page.set_default_timeout(60_000)
    open_map(page, server, roads)
    every_method(page)


def test_a_drawn_rectangle_gives_the_backends_numbers(page: Page, server: str) -> None:
    visit(page, f"{server}/map?data=Towns+along+roads&m_eps=1")
    area = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    assert area is not None
    start = area["x"] + 0.7 * area["width"], area["y"] + 0.3 * area["height"]
    end = area["x"] + 0.3 * area["width"], area["y"] + 0.8 * area["height"]
    with answered(page):  # dragged from the upper right, so the ends come in the other order
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        page.mouse.move(*end, steps=4)
        page.mouse.up()
    shown = [
        float(page.get_by_label(label, exact=True).first.input_value())
        for label in ("x from", "x to", "y from", "y to")
    ]
    points = sample_points("towns")
    mechanism = QuadtreeSetting.OPT.mechanism(6)
    release = mechanism.release(points, PureDP(1.0), np.random.default_rng([1]))
    count, variance = range_counts(estimate(release), np.array(shown))
    exact = int(
        np.count_nonzero(
            (points.x >= shown[0])
            & (points.x < shown[1])
            & (points.y >= shown[2])
            & (points.y < shown[3])
        )
    )
    page.wait_for_function(ANSWERED, arg=[float(count[0]), float(np.sqrt(variance[0])), exact])
    press(page, "count")  # another picture: the rectangle stays
    assert [
        float(page.get_by_label(label, exact=True).first.input_value())
        for label in ("x from", "x to", "y from", "y to")
    ] == shown
    switch(page, "Show the truth")
    assert f"{exact:,}" not in page.get_by_test_id("stMain").inner_text()
    press(page, "Clear the rectangle")
    assert page.get_by_label("x from", exact=True).first.input_value() == ""


def test_a_set_on_a_line_has_no_map(page: Page, server: str) -> None:
    visit(page, f"{server}/map?data=Exam+marks")
    assert any("needs two columns" in message for message in errors(page))
    assert tracebacks(page).count() == 0
