"""The Trees page in a real browser, on real columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dpviz.core.trees.release import TreeRelease
from tests.browser.steps import (
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

# everything said outside charts, whose axes have round numbers of their own
WORDS = """
main => {
  const copy = main.cloneNode(true);
  copy.querySelectorAll('.js-plotly-plot').forEach(chart => chart.remove());
  return copy.textContent;
}
"""
VIEWS = ("CDF", "Variances", "Budgets", "Honaker's Fig. 4", "Tree")


@pytest.mark.parametrize(
    ("name", "bounds"), [("adult_age.csv", ("0", "120")), ("adult_hours.csv", ("0", "168"))]
)
def test_every_view_runs_on_a_real_column(
    page: Page, server: str, shared_data: Path, name: str, bounds: tuple[str, str]
) -> None:
    visit(page, server)
    upload(page, shared_data / name)
    declare(page, *bounds, "1")
    go_to(page, "Trees")
    for view in VIEWS:
        press(page, view)
        assert chart(page), view
        assert tracebacks(page).count() == 0
    before = page.get_by_test_id("stMain").inner_text()
    press(page, "raw")
    assert page.get_by_test_id("stMain").inner_text() != before  # the numbers move
    press(page, "Download")
    text = download(page, "Release as JSON")
    release = TreeRelease.from_json(text)
    assert (release.bounds.low, release.bounds.high) == tuple(map(float, bounds))
    assert "clipped" not in text
    assert "dropped" not in text
    assert all(count != round(count) for count in json.loads(text)["counts"][0])  # noisy


def test_a_click_on_a_node_shows_its_numbers(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?t_height=3")
    marks = page.locator(".js-plotly-plot .scatterlayer .points path")
    box = marks.nth(3).bounding_box()  # root, two below it, then the first of level 2
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("strong", has_text="Node 2.0")).to_be_visible()
    assert "path 0.0 → 1.0 → 2.0" in page.get_by_test_id("stMain").inner_text()


def test_the_posters_preset_and_the_truth_switch(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?data=Ages+of+a+population")
    choose(page, "Preset", "poster: ε = .01, β = .05")
    expect(page.get_by_text("Points outside α in ten trials")).to_be_visible()
    assert any("True" in name for name in names(page))
    switch(page, "Show the truth")
    expect(page.get_by_text("Release view: private values only")).to_be_visible()
    assert not any("True" in name for name in names(page))
    words = page.get_by_test_id("stMain").evaluate(WORDS)
    assert "Confidential" in words
    assert "20,000" not in words


def test_bad_choices_are_said_and_mended(page: Page, server: str) -> None:
    visit(page, f"{server}/trees?t_split=own+weights&t_height=2&t_weights=1,x")
    assert not errors(page)  # a link that cannot be used falls back
    write(page, "Weights, root first", "1, x")
    assert "'x' is none" in errors(page)[0]
    write(page, "Weights, root first", "1, 0, 2")
    assert not errors(page)
    assert chart(page)
    write(page, "Fanout", "4096")
    write(page, "Height", "5")
    assert "leaves" in errors(page)[0]
    assert tracebacks(page).count() == 0
