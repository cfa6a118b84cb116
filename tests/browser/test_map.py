"""The Map page in a real browser: a rectangle drawn by hand, linked maps, a click on a node."""

import io
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Locator, Page

from dpviz.core.budgets import PureDP
from dpviz.core.spatial.release import SpatialRelease
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import estimate
from dpviz.intake.samples import sample_points
from dpviz.mechanisms.spatial.quadtree import Quadtree
from tests.browser.steps import (
    answered,
    ask,
    choose,
    declare,
    download,
    followed,
    go_to,
    headline,
    look_at,
    opened,
    settle,
    switch,
    tracebacks,
    upload,
    visit,
    write,
)

ENDS = ("x from", "x to", "y from", "y to")
AREA = ".js-plotly-plot .nsewdrag"
RANGES = """
() => ['xaxis', 'yaxis', 'xaxis2', 'yaxis2'].map(
  name => document.querySelector('.js-plotly-plot')._fullLayout[name].range)
"""
# both maps show less than this width, and the same
ZOOMED = f"""
wide => {{
  const [x, y, x2, y2] = ({RANGES})();
  return x[1] - x[0] < wide && x.join() === x2.join() && y.join() === y2.join();
}}
"""


def box_of(part: Locator) -> dict[str, float]:
    found = part.bounding_box()
    assert found is not None
    return dict(found)  # type: ignore[arg-type]


def draw(page: Page, number: int, right: float = 0.7) -> None:
    """Drag a rectangle over a map, from the upper right."""
    area = box_of(page.locator(AREA).nth(number))
    start = area["x"] + right * area["width"], area["y"] + 0.3 * area["height"]
    end = area["x"] + 0.3 * area["width"], area["y"] + 0.8 * area["height"]
    with answered(page):  # so the ends come in the other order
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        page.mouse.move(*end, steps=4)
        page.mouse.up()
    settle(page)


def asked(page: Page) -> list[float]:
    """The rectangle in the link."""
    found = parse_qs(urlsplit(page.url).query)
    return [float(found[key][0]) for key in ("m_x0", "m_x1", "m_y0", "m_y1")]


def truth(rectangle: list[float]) -> int:
    points = sample_points("towns")
    x_low, x_high, y_low, y_high = rectangle
    inside = (points.x >= x_low) & (points.x < x_high) & (points.y >= y_low) & (points.y < y_high)
    return int(inside.sum())


def test_a_rectangle_drawn_on_either_map_gives_the_backends_numbers(
    page: Page, server: str
) -> None:
    release = Quadtree(8).release(sample_points("towns"), PureDP(1.0), np.random.default_rng([1]))
    visit(page, f"{server}/map?eps=1&m_x0=1&m_x1=2&m_y0=1&m_y1=2")
    for number, right in enumerate((0.7, 0.8)):  # the true map, the private one
        draw(page, number, right)
        rectangle = asked(page)
        across, up = page.evaluate(RANGES)[:2]
        wide, high = across[1] - across[0], up[1] - up[0]
        hand = [
            across[0] + 0.3 * wide,
            across[0] + right * wide,
            up[0] + 0.2 * high,
            up[0] + 0.7 * high,
        ]
        np.testing.assert_allclose(rectangle, hand, atol=0.01 * wide)
        counts, _ = range_counts(estimate(release), rectangle)
        exact = f"{truth(rectangle):,}"
        assert headline(page) == (
            f"The private map counts {counts[0]:,.0f} people in the rectangle; "
            f"the truth is {exact}."
        )
    switch(page, "Truth")
    assert asked(page) == rectangle
    assert headline(page).startswith("About ")
    assert f"{truth(rectangle):,}" not in page.get_by_test_id("stMain").inner_text()
    assert tracebacks(page).count() == 0


@pytest.mark.thorough  # tests/pages/test_map.py says it without a browser
def test_a_rectangle_around_a_files_points_is_in_no_link(page: Page, server: str) -> None:
    content = b"a,b\n" + b"".join(b"%d,%d\n" % (one % 97, one % 53) for one in range(500))
    visit(page, f"{server}/data")
    upload(page, {"name": "secret.csv", "mimeType": "text/csv", "buffer": content})
    choose(page, "Second column, for the map", "b")
    declare(page, "0", "100")
    go_to(page, "Map")
    with opened(page, page.get_by_role("button", name="Bounds")):
        write(page, "b from", "0")
        write(page, "b to", "60")
    ask(page)
    draw(page, 1)
    with opened(page, page.get_by_role("button", name="Quadtree", exact=True)):
        page.get_by_role("tab", name="Rectangle").click()
        ends = [page.get_by_label(end, exact=True).input_value() for end in ENDS]
    assert all(ends)
    linked = parse_qs(urlsplit(page.url).query)
    assert not {"m_x0", "m_x1", "m_y0", "m_y1"} & set(linked)
    assert not {value for values in linked.values() for value in values} & set(ends)


def test_both_maps_fit_a_low_window_zoom_together_and_a_phone_has_the_private_one_first(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    visit(page, f"{server}/map")
    followed(page)
    left, right = (box_of(page.locator(AREA).nth(number)) for number in (0, 1))
    assert min(left["width"], right["width"]) >= 440
    assert abs(left["y"] - right["y"]) < 1
    assert right["x"] - (left["x"] + left["width"]) < 24

    whole = page.evaluate(RANGES)
    page.mouse.move(left["x"] + left["width"] / 2, left["y"] + left["height"] / 2)
    page.mouse.wheel(0, -300)
    page.wait_for_function(ZOOMED, arg=whole[0][1] - whole[0][0])
    x, y, x2, y2 = page.evaluate(RANGES)
    assert (x, y) == (x2, y2)
    assert x[1] - x[0] < whole[0][1] - whole[0][0]
    for number, (across, up) in enumerate(((x, y), (x2, y2))):  # they stay to scale
        drawn = box_of(page.locator(AREA).nth(number))
        unit = drawn["width"] / (across[1] - across[0])
        assert abs(unit * (up[1] - up[0]) / drawn["height"] - 1) < 0.02

    page.set_viewport_size({"width": 390, "height": 844})
    followed(page)
    true, private = (box_of(page.locator(AREA).nth(number)) for number in (0, 1))
    assert private["y"] + private["height"] < true["y"]
    assert private["width"] >= 320
    assert page.locator(".js-plotly-plot").first.get_by_text("below 0").count() == 0


@pytest.mark.thorough  # test_trees.py clicks on a cell, tests/ui/test_clicks.py says what is chosen
def test_a_click_on_a_mark_chooses_its_node(page: Page, server: str) -> None:
    visit(page, f"{server}/map?view=node")
    area = box_of(page.locator(AREA).first)
    with answered(page):  # the mark in the middle of the lower right quarter
        page.mouse.click(area["x"] + 0.75 * area["width"], area["y"] + 0.75 * area["height"])
    settle(page)
    assert page.get_by_label("Level", exact=True).input_value() == "1"
    assert page.get_by_label("Node", exact=True).input_value() == "2"
    assert headline(page).startswith("Level 1, node 2 holds ")


@pytest.mark.thorough  # tests/ui/spatial/test_downloads.py and tests/pages say it without a browser
def test_a_page_for_outsiders_hands_out_its_release_and_what_is_taken_away_is_private(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/map?truth=false&m_height=3")
    text = download(page, "Download")
    drawn = Quadtree(3).release(sample_points("towns"), PureDP(0.5), np.random.default_rng([1]))
    assert SpatialRelease.from_json(text) == drawn
    with answered(page):
        page.get_by_role("button", name="Reveal (teaching only)").click()
    assert "the truth is" in headline(page)

    look_at(page, "Downloads")
    assert download(page, "Release as JSON") == text
    table = pd.read_csv(io.StringIO(download(page, "Cells as CSV")))
    np.testing.assert_allclose(table["count"], np.concatenate(estimate(drawn).levels.counts))
    figure = download(page, "Private figure as HTML")
    assert "quadtree, optimal, private" in figure
    assert "data:image/png" not in figure.split("Plotly.newPlot")[-1]
    assert "default_rng" in page.get_by_test_id("stCode").inner_text()
