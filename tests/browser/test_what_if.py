"""The What-if page in a real browser: the answer, a run that is left, stopped, resumed and kept.

Whole studies are not run here: tests/pages runs small ones, tests/experiments the presets.
"""

from __future__ import annotations

import csv
import io

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    answered,
    download,
    go_to,
    look_at,
    names,
    opened,
    settle,
    switch,
    tracebacks,
    visit,
)

RUN_MS = 90_000  # for a small run on a busy machine
WAIT_MS = 30_000
METHODS = {"recursive halving", "all at once", "one by one", "noisy tree"}


def heading(page: Page) -> str:
    return page.locator("h1").inner_text()


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Run again", exact=True).wait_for(timeout=RUN_MS)
    settle(page)


@pytest.mark.thorough
def test_the_first_request_to_a_fresh_server_is_a_link_to_a_view(
    page: Page, fresh_server: str
) -> None:
    visit(page, f"{fresh_server}/what_if?view=wins&w_map=complete")
    assert "wins at" in heading(page)
    assert set(names(page)) & METHODS
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("About ").first).to_be_visible()  # the estimate before the start
    assert not tracebacks(page).count()


def test_the_target_moves_the_answer_by_keyboard(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if")
    assert heading(page).startswith("You need ε = 0.24 to publish nine deciles, from a noisy tree")
    slider = page.get_by_role("slider", name="Off by at most, % of the places")
    slider.focus()
    with answered(page):
        page.keyboard.press("ArrowRight")
    assert "within 2 %" in heading(page)
    assert "w_target=2" in page.url
    switch(page, "Compare methods")
    assert set(names(page)) >= METHODS


def test_a_sweep_is_kept_when_the_page_is_left_and_taken_away_as_csv(
    page: Page, server: str
) -> None:
    visit(
        page,
        f"{server}/what_if?view=sweep&w_mechanisms=recursive+halving&w_mechanisms=noisy+tree&w_runs=10",
    )
    run(page)
    assert names(page) == ["recursive halving", "noisy tree"]
    go_to(page, "Methods")
    go_to(page, "What if")
    expect(page.get_by_role("button", name="Run again", exact=True)).to_be_visible(timeout=WAIT_MS)
    assert names(page) == ["recursive halving", "noisy tree"]
    with opened(page, page.get_by_role("button", name="Expert")):
        text = download(page, "Results as CSV")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["metric"] for row in rows} == {"mean gap", "largest gap"}
    assert len(rows) == 10 * 2 * 2
    assert all(float(row["mean"]) >= 0 for row in rows)
    switch(page, "Truth")  # a sample is public: what was run on it stays
    assert names(page) == ["recursive halving", "noisy tree"]


def test_a_long_run_can_be_left_stopped_and_resumed(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if?w_set=percentiles&w_probability=0.9&data=ages")
    assert "Not computed beforehand" in heading(page)
    page.get_by_role("button", name="Run", exact=True).click()
    progress = page.get_by_role("progressbar", name="parts are done")
    progress.wait_for()
    page.get_by_text("You may leave").wait_for()
    page.locator(".js-plotly-plot").first.wait_for(timeout=RUN_MS)  # partial results
    for section, title in (("Reference", "Methods"), ("Decide", "What if")):
        # the page in the making is never at rest
        page.get_by_test_id("stHeader").get_by_text(section, exact=True).click()
        page.get_by_role("menuitem", name=title, exact=True).click()
        page.wait_for_url(f"**/{title.lower().replace(' ', '_')}*")
    expect(progress).to_be_visible(timeout=WAIT_MS)  # it went on
    page.get_by_role("button", name="Stop, keep what is done").click()
    page.get_by_role("button", name="Resume", exact=True).wait_for(timeout=WAIT_MS)
    expect(page.locator("h1")).to_contain_text("stopped")
    page.get_by_role("button", name="Resume", exact=True).click()
    expect(page.locator("h1")).to_contain_text("running", timeout=WAIT_MS)
    page.get_by_role("button", name="Stop, keep what is done").click()
    expect(page.locator("h1")).to_contain_text("stopped", timeout=WAIT_MS)


def test_views_are_chosen_while_a_run_goes_on(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if?w_set=percentiles&w_probability=0.9&data=ages")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("progressbar", name="parts are done").wait_for()
    row = page.locator(".st-key-views")
    expect(row).to_have_count(1)
    row.get_by_role("radio", name="Sweep", exact=True).click()
    expect(page.locator("h1")).to_contain_text("is off by", timeout=WAIT_MS)
    expect(page.get_by_role("progressbar", name="parts are done")).to_have_count(0)
    row.get_by_role("radio", name="Smallest ε", exact=True).click()
    expect(page.locator("h1")).to_contain_text("running", timeout=WAIT_MS)  # it went on


@pytest.mark.thorough
def test_nothing_is_wider_than_a_phone(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for view in ("answer", "search", "sweep", "wins"):
        visit(page, f"{server}/what_if?view={view}")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_view_that_is_chosen_stands_in_the_link(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if")
    look_at(page, "Sweep")
    assert "view=sweep" in page.url
    assert "is off by" in heading(page)
    visit(page, page.url)
    assert "is off by" in heading(page)
