"""Narrow screens, the keyboard, and words for charts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.steps import settle, tracebacks, visit

ALL = "&".join(f"mechanisms={name}" for name in ("AQ", "JointExp", "AppIndExp", "AggTree"))
VIEWS = [
    "/",
    "/?data=Towns+along+roads",
    f"/quantiles?{ALL}&bands=true&set=percentiles",
    f"/quantiles?{ALL}&detail=Recursion+tree",
    f"/quantiles?{ALL}&detail=Download+and+code",
    "/quantiles?detail=Synthetic+column&truth=false",
    "/quantiles?eps=0&set=own+list&own=0.5,+x",
    "/methods",
    "/methods?methods_family=Glossary",
]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def test_nothing_is_wider_than_a_phone(phone: Page, server: str) -> None:
    for view in VIEWS:
        visit(phone, server + view)
        for box in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
            assert phone.evaluate(f"{box}.scrollWidth") <= 390, view
        for chart in phone.locator(".js-plotly-plot").all():
            assert chart.bounding_box()["width"] <= 390
        assert tracebacks(phone).count() == 0


def test_the_keyboard_reaches_and_moves_the_controls(page: Page, server: str) -> None:
    visit(page, f"{server}/quantiles")
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "() => document.activeElement.ariaLabel || document.activeElement.innerText"
            ).strip()
        )
    wanted = {
        "Lower bound", "Upper bound", "Resolution", "Show the truth", "AQ", "ε, exact",
        "Quantiles", "New draw", "Seed", "Mechanism settings", "Bands over runs", "Table",
    }  # fmt: skip
    missing = {want for want in wanted if not any(want in one for one in reached)}
    assert missing == set()
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "() => document.querySelector('input[aria-label=\"ε, exact\"]').value === '0.2'"
    )
    settle(page)
    assert page.get_by_text("spent ε = 0.2").count() == 2


def test_every_chart_says_what_it_shows(page: Page, server: str) -> None:
    for view in ("/?data=Towns+along+roads", "/quantiles?detail=Recursion+tree"):
        visit(page, server + view)
        charts = page.get_by_test_id("stPlotlyChart")
        assert charts.count() == 3
        for chart in charts.all():
            named = chart.evaluate(
                "box => [box, ...box.querySelectorAll('*')]"
                ".map(one => one.getAttribute('aria-label') || one.getAttribute('alt'))"
                ".filter(text => text && text.length > 15)"
            )
            assert named, view
