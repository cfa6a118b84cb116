"""Under Decide's sentence in a real browser: ways there and back, a run that is left and kept.

Whole studies are not run here: tests/pages runs small ones, tests/experiments the presets.
"""

import csv
import io

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import (
    answered,
    download,
    names,
    opened,
    settle,
    tracebacks,
    visit,
)

RUN_MS = 90_000  # for a small run on a busy machine
WAIT_MS = 30_000
LONG = "view=sweep&what=percentiles&w_runs=500&data=ages"  # a run of many seconds
METHODS = {"recursive halving", "all at once", "one by one", "noisy tree"}


def heading(page: Page) -> str:
    return page.locator("h1").inner_text()


def way(page: Page, name: str) -> Locator:
    """A name in the row below the sentence."""
    row = page.get_by_role("navigation", name="Look inside")
    return row.get_by_role("button", name=name, exact=True)


def follow(page: Page, name: str) -> None:
    with answered(page):
        way(page, name).click()


def line(page: Page) -> str:
    """The sentence above a view, as it reads."""
    return str(page.locator(".st-key-decide_line .sentence").inner_text()).replace("\u00a0", " ")


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


def test_the_sentence_goes_along_to_its_views_and_back(page: Page, server: str) -> None:
    visit(page, f"{server}/decide?what=quartiles&unit=share&off=2&data=ages")
    menu = page.get_by_test_id("stTopNavLink")
    colour = "one => getComputedStyle(one).backgroundColor"
    marked = menu.filter(has_text="Decide").evaluate(colour)
    follow(page, "Methods compared")
    assert menu.filter(has_text="Decide").evaluate(colour) == marked
    assert menu.filter(has_text="Learn").evaluate(colour) != marked
    follow(page, "by an exact search")
    assert "/what_if?" in page.url
    expect(page).to_have_title("Look inside · dpviz")
    expect(page.get_by_text("For three quartiles within 2 % of the places")).to_be_visible()
    assert line(page).startswith("Publish three quartiles of ages of a population, between 0")
    shown = page.get_by_role("navigation", name="Look inside").locator("[aria-current=page]")
    expect(shown).to_have_text(["Methods compared", "by an exact search"])
    assert {"view=search", "what=quartiles"} <= set(page.url.partition("?")[2].split("&"))
    page.go_back()
    page.wait_for_url("**/decide?**")
    assert {"what=quartiles", "off=2", "unit=share"} <= set(page.url.partition("?")[2].split("&"))
    assert not tracebacks(page).count()


@pytest.mark.thorough  # tests/ui/bench/test_views.py says where the button leads
@pytest.mark.parametrize(
    ("start", "said"),
    [("quantiles?set=quartiles&eps=0.2", "what=quartiles"), ("trees?data=ages", "what=curve"),
     ("map", "what=map"), ("audit?eps=0.2", "what=count")],
)  # fmt: skip
def test_every_workbench_leads_to_the_sentence_with_its_budget(
    page: Page, server: str, start: str, said: str
) -> None:
    visit(page, f"{server}/{start}")
    with answered(page):
        page.get_by_role("button", name="Decide: what it takes").click()
        page.wait_for_url("**/decide?**")
    words = page.url.partition("?")[2].split("&")
    assert {"given=budget", said} <= set(words)
    assert any(one.startswith("eps=0.") for one in words)
    assert ("data=ages" in words) is ("data=ages" in start)


@pytest.mark.thorough  # tests/pages/test_what_if.py says it without a browser
def test_a_link_of_former_versions_opens_the_sentence(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if?w_set=quartiles&w_target=2&data=ages")
    page.wait_for_url("**/decide?**")
    assert set(page.url.partition("?")[2].split("&")) == {
        "data=ages", "what=quartiles", "unit=share", "off=2",
    }  # fmt: skip
    visit(page, f"{server}/what_if?view=search&w_set=quartiles")
    assert "what=quartiles" in page.url
    assert "w_set" not in page.url
    expect(page.locator("h1")).to_contain_text("Search for the exact")


def test_a_bare_link_leads_on_and_back_is_no_trap(page: Page, server: str) -> None:
    """Back stops at a view of its own, not at an address that leads on once more."""
    visit(page, f"{server}/")
    visit(page, f"{server}/what_if")
    page.wait_for_url("**/decide")
    settle(page)
    stops = []
    for _ in range(3):
        with answered(page):
            page.go_back()
        stops.append(page.url.removeprefix(server))
        if stops[-1] == "/":
            break
    assert stops == ["/what_if?view=sweep", "/"]
    assert not tracebacks(page).count()


@pytest.mark.thorough  # tests/pages/test_what_if.py keeps one without a browser
def test_a_sweep_is_kept_when_its_view_is_left_and_taken_away_as_csv(
    page: Page, server: str
) -> None:
    visit(
        page,
        f"{server}/what_if?view=sweep&w_mechanisms=recursive+halving&w_mechanisms=noisy+tree&w_runs=10",
    )
    run(page)
    assert names(page) == ["recursive halving", "noisy tree"]
    follow(page, "where each wins")
    follow(page, "against one setting")
    expect(page.get_by_role("button", name="Run again", exact=True)).to_be_visible(timeout=WAIT_MS)
    assert names(page) == ["recursive halving", "noisy tree"]
    with opened(page, page.get_by_role("button", name="Expert")):
        text = download(page, "Results as CSV")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["metric"] for row in rows} == {"mean gap", "largest gap"}
    assert len(rows) == 10 * 2 * 2
    assert all(float(row["mean"]) >= 0 for row in rows)


@pytest.mark.thorough  # tests/pages/test_what_if.py stops and resumes one
def test_a_long_run_can_be_left_stopped_and_resumed(page: Page, server: str) -> None:
    visit(page, f"{server}/what_if?{LONG}")
    page.get_by_role("button", name="Run", exact=True).click()
    progress = page.get_by_role("progressbar", name="parts are done")
    progress.wait_for()
    page.get_by_text("You may leave").wait_for()
    page.locator(".js-plotly-plot").first.wait_for(timeout=RUN_MS)  # partial results
    # the page in the making is never at rest
    page.get_by_test_id("stHeader").get_by_text("Reference", exact=True).click()
    page.get_by_role("menuitem", name="Methods", exact=True).click()
    page.wait_for_url("**/methods*")
    page.get_by_test_id("stTopNavLink").filter(has_text="Decide").click()
    way(page, "Methods compared").click()
    page.wait_for_url("**/what_if?**view=sweep**")
    expect(progress).to_be_visible(timeout=WAIT_MS)  # it went on
    page.get_by_role("button", name="Stop, keep what is done").click()
    page.get_by_role("button", name="Resume", exact=True).wait_for(timeout=WAIT_MS)
    expect(page.locator("h1")).to_contain_text("stopped")
    page.get_by_role("button", name="Resume", exact=True).click()
    expect(page.locator("h1")).to_contain_text("running", timeout=WAIT_MS)
    page.get_by_role("button", name="Stop, keep what is done").click()
    expect(page.locator("h1")).to_contain_text("stopped", timeout=WAIT_MS)


@pytest.mark.thorough
def test_nothing_is_wider_than_a_phone(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for view in ("search", "sweep", "wins"):
        visit(page, f"{server}/what_if?view={view}")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
