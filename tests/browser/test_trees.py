"""The Trees page in a real browser: clicks, words that cover no others, what is mended."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpviz.core.data.column import Column
from dpviz.core.trees.release import TreeRelease
from dpviz.counts.levels import count_levels
from tests.browser.steps import (
    answered,
    ask,
    chart,
    declare,
    download,
    errors,
    followed,
    go_to,
    look_at,
    look_below,
    names,
    opened,
    switch,
    tracebacks,
    upload,
    visit,
    words_apart,
    write,
)

EXPLORE = re.compile("^Budgets: (uniform|geometric|leaves only|own weights|workload-optimal)$")
# where a cell of marks in a tree of height 6 lies on the screen: level, node
CELL = """
([level, node]) => {
  const plot = document.querySelector('.st-key-hero_trees .js-plotly-plot');
  const {xaxis, yaxis} = plot._fullLayout, box = plot.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p((node + 0.5) / 2 ** level * 100),
          box.y + yaxis._offset + yaxis.d2p(6 - level + 0.5)];
}
"""
VIEWS = ("One node", "CDF", "Errors by level", "Budgets")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("adult_age.csv", ("0", "120")),
        ("adult_hours.csv", ("0", "168")),
    ],
)
def test_every_view_runs_on_a_real_column(
    page: Page, server: str, shared_data: Path, name: str, bounds: tuple[str, str]
) -> None:
    visit(page, server)
    upload(page, shared_data / name)
    declare(page, *bounds, "1")
    go_to(page, "Trees")
    ask(page)
    assert "truth" in names(page)
    for view in VIEWS:
        look_at(page, view)
        assert chart(page), view
        assert tracebacks(page).count() == 0
    look_at(page, "Downloads")
    text = download(page, "Release as JSON")
    release = TreeRelease.from_json(text)
    assert (release.bounds.low, release.bounds.high) == tuple(map(float, bounds))
    assert "clipped" not in text
    assert "dropped" not in text
    values = np.loadtxt(shared_data / name, skiprows=1)
    column = Column.from_values(values, release.bounds, resolution=1)
    exact = np.concatenate(count_levels(column, release.shape))
    noisy = np.concatenate(json.loads(text)["counts"])
    assert (noisy != exact).mean() > 0.5  # the counts are whole; a noise of 0 is rare


def test_a_cell_that_is_clicked_frames_its_path_and_takes_the_strip(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/trees")
    followed(page)
    assert len(words_apart(page)) > 14
    x, y = page.evaluate(CELL, [3, 5])
    page.mouse.move(x, y)
    page.locator(".hoverlayer text").first.wait_for()
    with answered(page):
        page.mouse.click(x, y)
    strip = page.locator(".st-key-strip")
    expect(strip).to_contain_text("part 62.5 to 75")
    expect(strip).to_contain_text("after the efficient estimator")
    (path, _) = [one["x"] for one in chart(page) if one["name"] == "path"]
    assert len(path) == 4 * 6
    look_at(page, "One node")
    expect(page.get_by_label("Level", exact=True)).to_have_value("3")
    expect(page.get_by_label("Node", exact=True)).to_have_value("5")


@pytest.mark.thorough  # tests/pages/test_release_view.py reads it without a browser
def test_a_figure_that_is_handed_out_is_private(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?view=take")
    page_text = download(page, "Private figure as HTML")
    picture = page_text[page_text.rindex("Plotly.newPlot") :]
    assert "standard error" in picture
    for word in ("true %{", "confidential", "shows true data", "worst"):
        assert word not in picture


@pytest.mark.thorough  # tests/pages/test_trees.py says it without a browser
def test_the_truth_switch_leaves_the_release_alone(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?data=ages")
    before = chart(page)
    switch(page, "Truth")
    expect(page.get_by_role("heading", level=1)).to_contain_text("residents lie between")
    assert "truth" not in names(page)
    main = page.get_by_test_id("stMain").inner_text()
    assert "true" not in main
    assert "Teaching view" not in main
    switch(page, "Truth")
    for one, other in zip(before, chart(page), strict=True):
        assert one["name"] == other["name"]
        assert str(one["y"]) == str(other["y"])


@pytest.mark.thorough  # tests/pages/test_trees.py says it without a browser
def test_sliders_and_text_of_own_weights_move_together_and_nonsense_is_mended(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/trees?t_height=2&t_split=own+weights&t_weights=1,x&view=budgets")
    assert not errors(page)  # a link that cannot be used falls back
    look_below(page)
    slider = page.get_by_role("slider", name="Level 1")
    slider.focus()
    with answered(page):
        page.keyboard.press("ArrowRight")
    text = page.get_by_label("Weights, root first", exact=True)
    with opened(page, page.get_by_role("button", name=EXPLORE)):
        expect(text).to_have_value("1, 1.1, 1")
        write(page, "Weights, root first", "1, x")
        assert "'x' is none" in errors(page)[0]
        write(page, "Weights, root first", "0, 3, 1")
    assert not errors(page)
    expect(slider).to_have_value("3")
    look_at(page, "Tree")
    assert "cells" in [trace["name"] for trace in chart(page)]
    with opened(page, page.get_by_role("button", name="Expert")):
        write(page, "Fanout", "4096")
    assert "height 1" in errors(page)[0]  # it is cut to what fits; the weights are not
    assert tracebacks(page).count() == 0


@pytest.mark.thorough  # the test above looks at them on a desk, test_views.py on a phone
@pytest.mark.parametrize(
    ("size", "link"),
    [
        ((1280, 720), "?data=salaries&t_height=12&eps=0.01"),
        ((1280, 720), "?present=1"),
        ((1024, 768), "?data=ratings&t_fanout=3&t_height=5"),
        ((390, 844), "?t_height=9"),
    ],
)
def test_no_words_cover_each_other_or_leave_the_screen(
    size: tuple[int, int], link: str, page: Page, server: str
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, f"{server}/trees{link}")
    followed(page)
    assert len(words_apart(page)) > 14
