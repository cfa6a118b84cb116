"""The What-if page in a real browser: start, progress, stop, resume, results that are kept.

Whole studies are not run here: tests/pages draws every figure, tests/experiments runs the presets.
"""

from __future__ import annotations

import csv
import io

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import (
    download,
    go_to,
    names,
    press,
    settle,
    switch,
    tracebacks,
    visit,
    write,
)

RUN_MS = 90_000  # for a quick preset on a busy machine
WAIT_MS = 30_000
AT_ONCE = [  # what a link names, how many charts there are, what is said about them
    ("w_figure=AQ+Fig.+3:+the+data+sets", 6, "100 bins of equal width"),
    ("w_paper=Honaker", 1, "Differs from the print"),
    ("w_paper=Manohar", 2, "Differs from the print"),
]


def run(page: Page) -> None:
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("button", name="Results as CSV").wait_for(timeout=RUN_MS)
    settle(page)


def test_the_first_request_to_a_fresh_server_is_a_link_to_a_view(
    page: Page, fresh_server: str
) -> None:
    visit(page, f"{fresh_server}/what_if?w_view=Which+wins&w_map=complete")
    page.get_by_role("heading", name="What if", level=1).wait_for()
    expect(page.get_by_text("Runs at each point")).to_have_count(0)
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_text("About ").first).to_be_visible(
        timeout=WAIT_MS
    )  # the estimate before the start


def test_a_sweep_is_kept_when_the_page_is_left_and_taken_away_as_csv(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/what_if?w_mechanisms=AQ&w_mechanisms=AggTree")  # the small job
    run(page)
    assert names(page) == ["AQ", "AggTree"]
    go_to(page, "Methods")
    go_to(page, "What if")
    expect(page.get_by_text("took ")).to_be_visible(timeout=WAIT_MS)
    assert names(page) == ["AQ", "AggTree"]
    text = download(page, "Results as CSV")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["metric"] for row in rows} == {"mean gap", "largest gap"}
    assert len(rows) == 10 * 2 * 2
    assert all(float(row["mean"]) >= 0 for row in rows)
    switch(page, "Show the truth")
    expect(page.get_by_text("The truth is off.")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator(".js-plotly-plot")).to_have_count(0)
    expect(page.get_by_role("button", name="Results as CSV")).to_have_count(0)


def test_a_long_run_can_be_left_stopped_and_resumed(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if?w_view=Paper+figures&w_study=complete")
    page.get_by_role("button", name="Run", exact=True).click()
    progress = page.get_by_test_id("stProgress")
    progress.wait_for()
    page.locator(".js-plotly-plot").first.wait_for(timeout=RUN_MS)  # partial results
    for title in ("Methods", "What if"):  # the page in the making is never at rest
        page.get_by_test_id("stSidebarNavItems").get_by_role("link", name=title).click()
        page.get_by_role("heading", name=title, level=1).wait_for()
    expect(progress).to_be_visible(timeout=WAIT_MS)  # it went on
    page.get_by_role("button", name="Stop run").click()
    expect(page.get_by_text("Stopped after")).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_role("button", name="Results as CSV")).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("button", name="Resume").click()
    expect(progress).to_be_visible(timeout=WAIT_MS)
    page.get_by_role("button", name="Stop run").click()
    expect(page.get_by_text("Stopped after")).to_be_visible(timeout=WAIT_MS)


@pytest.mark.parametrize(("link", "charts", "said"), AT_ONCE)
def test_explaining_figures_are_there_at_once(
    page: Page, server: str, link: str, charts: int, said: str
) -> None:
    visit(page, f"{server}/what_if?w_view=Paper+figures&{link}")
    assert page.locator(".js-plotly-plot").count() == charts
    assert all(names(page, number) for number in range(charts))
    assert not tracebacks(page).count()
    expect(page.get_by_text(said).first).to_be_visible()


def test_nothing_is_wider_than_a_phone(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for view in ("Sweep", "Smallest+ε", "Which+wins", "Paper+figures"):
        visit(page, f"{server}/what_if?w_view={view}")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_budget_that_was_away_comes_back_as_it_was(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if")
    write(page, "ε, exact", "3")
    for view in ("Paper figures", "Sweep", "Which wins", "Sweep"):
        press(page, view)
        if view != "Paper figures":
            assert page.get_by_label("ε, exact", exact=True).input_value() == "3"
            slider = page.get_by_role("slider", name="ε: more private ↔ more accurate")
            assert slider.get_attribute("aria-valuetext") in {"2", "5"}
