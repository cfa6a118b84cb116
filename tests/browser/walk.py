"""Steps that browser tests share: open, wait for the app to settle, choose, read the charts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

SETTLED = """() => {
    const app = document.querySelector('[data-testid=stApp]');
    return app && app.dataset.testScriptState === 'notRunning'
        && !document.querySelector('[data-stale=true]');
}"""


def settle(page: Page) -> None:
    """Wait until the script has run and nothing on the page is stale; no traceback is shown."""
    page.wait_for_timeout(120)  # a change reaches the server after a short delay of its own
    page.wait_for_function(SETTLED)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def open_page(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("h1")
    settle(page)


def go_to(page: Page, name: str) -> None:
    page.get_by_test_id("stSidebarNavItems").get_by_role("link", name=name, exact=True).click()
    page.get_by_role("heading", name=name, level=1).wait_for()
    settle(page)


def type_number(page: Page, label: str, value: str) -> None:
    box = page.get_by_label(label, exact=True).first
    box.fill(value)
    box.press("Enter")
    settle(page)


def press(page: Page, name: str) -> None:
    """A segment or a pill, by its text."""
    page.get_by_test_id("stMain").get_by_text(name, exact=True).first.click()
    settle(page)


def pick(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).first.click()
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)


def switch(page: Page, label: str) -> None:
    page.get_by_text(label, exact=True).first.click()
    settle(page)


def upload(page: Page, address: str, file: Path, bounds: tuple[str, str], resolution: str) -> None:
    """The Data page with a file of one's own and its declarations."""
    open_page(page, address)
    page.set_input_files("input[type=file]", str(file))
    page.get_by_role("button", name="Forget this file").wait_for()  # read, and the bounds emptied
    settle(page)
    type_number(page, "Lower bound", bounds[0])
    type_number(page, "Upper bound", bounds[1])
    type_number(page, "Resolution", resolution)


def traces(page: Page) -> list[dict[str, Any]]:
    """Names and kinds of everything drawn in the charts of the page."""
    page.wait_for_selector(".js-plotly-plot .main-svg")
    found: list[dict[str, Any]] = page.evaluate(
        """() => [...document.querySelectorAll('.js-plotly-plot')].flatMap(
            chart => chart.data.map(trace => ({type: trace.type, name: trace.name || ''})))"""
    )
    return found
