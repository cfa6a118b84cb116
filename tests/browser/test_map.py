"""The Map page in a real browser: every method, and a rectangle drawn with the mouse."""

from __future__ import annotations

import io
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
from playwright.sync_api import Page

from dpviz.core.budgets import PureDP
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.intake.samples import sample_points
from dpviz.mechanisms.spatial.quadtree import Quadtree
from tests.browser.steps import (
    answered,
    chart,
    choose,
    declare,
    download,
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

KINDS = ("kd-tree", "Hilbert R-tree", "adaptive grid", "PrivTree")  # one of each shape of cells
ENDS = ("x from", "x to", "y from", "y to")


def open_map(page: Page, server: str, file: Path) -> None:
    visit(page, server)
    upload(page, file)
    declare(page, "0", "1")
    choose(page, "Second column, for the map", "y")
    write(page, "Its lower bound", "0")
    write(page, "Its upper bound", "1")
    go_to(page, "Map")


def draws(page: Page, *methods: str) -> None:
    for method in methods:
        choose(page, "Method", method)
        assert "cells" in names(page), method
        assert tracebacks(page).count() == 0, method
        said = [message for message in errors(page) if "Not private" not in message]
        assert not said, method
    (cells,) = [trace for trace in chart(page) if trace["name"] == "cells"]
    assert np.isfinite(np.array(cells["z"], dtype=float)).any()


def test_a_method_of_each_kind_runs_on_real_points(
    page: Page, server: str, shared_data: Path
) -> None:
    """The other methods are run on the same points in tests/pages."""
    open_map(page, server, shared_data / "ne_addresses.csv")
    draws(page, *KINDS)
    choose(page, "Method", "quadtree, optimal")
    for view in ("Node", "Compare", "Matching", "Download"):
        press(page, view)
        assert tracebacks(page).count() == 0


def test_a_large_set_has_a_map(page: Page, server: str, roads_file: Path) -> None:
    page.set_default_timeout(60_000)
    open_map(page, server, roads_file)
    assert "cells" in names(page)
    draws(page, "Hilbert R-tree")  # the slowest


def test_a_drawn_rectangle_gives_the_backends_numbers(page: Page, server: str) -> None:
    visit(page, f"{server}/map?data=Towns+along+roads&m_eps=1")
    draw(page)
    shown = [float(end) for end in fields(page)]
    points = sample_points("towns")
    mechanism = Quadtree(6)
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
    answer = f"{count[0]:,.0f} ± {variance[0] ** 0.5:,.0f}"
    main = page.get_by_test_id("stMain")
    main.get_by_text(answer, exact=True).wait_for()
    assert f"{exact:,}" in main.inner_text()
    press(page, "count")  # another picture: the rectangle stays
    assert [float(end) for end in fields(page)] == shown
    switch(page, "Show the truth")
    assert f"{exact:,}" not in main.inner_text()
    press(page, "Clear")
    press(page, "density")
    assert fields(page) == [""] * 4


def fields(page: Page) -> list[str]:
    """The four ends of the rectangle."""
    return [page.get_by_label(end, exact=True).input_value() for end in ENDS]


def draw(page: Page) -> None:
    """Drag a rectangle over the map, from the upper right."""
    area = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    assert area is not None
    start = area["x"] + 0.7 * area["width"], area["y"] + 0.3 * area["height"]
    end = area["x"] + 0.3 * area["width"], area["y"] + 0.8 * area["height"]
    with answered(page):  # so the ends come in the other order
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        page.mouse.move(*end, steps=4)
        page.mouse.up()


def test_a_rectangle_around_a_files_points_is_in_no_link(page: Page, server: str) -> None:
    content = b"a,b\n" + b"".join(b"%d,%d\n" % (one % 97, one % 53) for one in range(500))
    visit(page, server)
    upload(page, {"name": "secret.csv", "mimeType": "text/csv", "buffer": content})
    declare(page, "0", "100")
    choose(page, "Second column, for the map", "b")
    write(page, "Its lower bound", "0")
    write(page, "Its upper bound", "60")
    go_to(page, "Map")
    draw(page)
    ends = fields(page)
    assert all(ends)
    linked = parse_qs(urlsplit(page.url).query)
    assert not {"m_x0", "m_x1", "m_y0", "m_y1"} & set(linked)
    said = {value for values in linked.values() for value in values}
    assert not said & set(ends)
    choose(page, "Data", "Towns along roads")  # of a sample, it is
    draw(page)
    assert "m_x0=" in page.url


def test_map_and_answer_are_above_the_fold(page: Page, server: str) -> None:
    visit(page, f"{server}/map?data=Towns+along+roads&m_x0=20&m_x1=50&m_y0=10&m_y1=40")
    for part in (".js-plotly-plot .nsewdrag", "[data-testid=stMetric]"):
        area = page.locator(part).first.bounding_box()
        assert area is not None
        assert area["y"] + area["height"] <= 900, part


def test_a_phone_leaves_no_hole_between_colour_bar_and_map(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/map?data=Towns+along+roads")
    area = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    bar = page.locator(".js-plotly-plot .colorbar").first.bounding_box()
    assert area is not None
    assert bar is not None
    assert 0 <= area["y"] - (bar["y"] + bar["height"]) < 40
    chart = page.locator(".js-plotly-plot").first.bounding_box()
    assert chart is not None
    assert chart["y"] + chart["height"] - (area["y"] + area["height"]) < 160


def test_a_click_on_a_mark_chooses_its_node(page: Page, server: str) -> None:
    visit(page, f"{server}/map?data=Towns+along+roads&m_view=Node")
    area = page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    assert area is not None
    with answered(page):  # the mark in the middle of the lower right quarter
        page.mouse.click(area["x"] + 0.75 * area["width"], area["y"] + 0.75 * area["height"])
    assert page.get_by_label("Level", exact=True).input_value() == "1"
    assert page.get_by_label("Node", exact=True).input_value() == "2"


def test_what_is_taken_away_is_private(page: Page, server: str) -> None:
    visit(page, f"{server}/map?data=Towns+along+roads&m_points=true&m_height=2&m_view=Download")
    release = SpatialRelease.from_json(download(page, "Release as JSON"))
    table = pd.read_csv(io.StringIO(download(page, "Cells as CSV")))
    read = estimate(release).levels.counts
    np.testing.assert_allclose(table["count"], np.concatenate(read))
    figure = download(page, "Private figure as HTML")
    assert "borders of cells" in figure
    assert "true points" not in figure
    assert "default_rng" in page.get_by_test_id("stCode").inner_text()


def test_a_set_on_a_line_has_no_map(page: Page, server: str) -> None:
    visit(page, f"{server}/map?data=Exam+marks")
    assert any("needs two columns" in message for message in errors(page))
    assert page.get_by_text("shows true data").count() == 0
    press(page, "Use Towns along roads")
    assert "cells" in names(page)
    assert page.get_by_text("shows true data").count() == 1
    assert "data=towns" in page.url
    assert tracebacks(page).count() == 0
