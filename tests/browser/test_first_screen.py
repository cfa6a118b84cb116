"""What a person sees first, on every page: a picture, readable words, and every control whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.steps import settle, tracebacks, visit

HERE = Path(__file__).parent
MEASURE = (HERE / "measure.js").read_text(encoding="utf-8")
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WIDE, LOW, MIDDLE, PHONE = (1440, 900), (1280, 720), (1024, 768), (390, 844)
TICKS, PRESENTED_TICKS, CONTRAST = 13.5, 18, 4.5


@dataclass(frozen=True)
class Shown:
    """A page, and the share of the first screen that its pictures take at least: in a window of
    1440 × 900, of 1280 × 720, and presenting there (None: presenting is not asked of it)."""

    address: str
    wide: float = 0.45
    low: float = 0.0
    presenting: float | None = 0.0
    top: int = 422  # of the picture on a phone: the upper half of its screen


PAGES = (
    Shown("/", 0.35, 0.3, None, 300),
    Shown("/quantiles", 0.55, 0.5, 0.65, 300),
    Shown("/quantiles?view=compare", 0.55, 0.5, 0.6, 300),
    Shown("/quantiles?view=recursion", 0.55, 0.5, 0.6, 300),
    Shown("/quantiles?truth=false", 0.4, 0.3, None),
    Shown("/trees", 0.55, 0.5, 0.65, 300),
    Shown("/trees?truth=false", 0.4, 0.3, None),
    Shown("/map", 0.55, 0.5, 0.65, 300),
    Shown("/map?truth=false", 0.3, 0.2, None),
    Shown("/neighbours"),
    Shown("/budget"),
    Shown("/audit"),
    Shown("/what_if", 0.45, 0.4, 0.6, 300),
    Shown("/what_if?w_compare=true&truth=false"),
    Shown("/what_if?w_set=own+list"),
    Shown("/what_if?view=search"),
    Shown("/what_if?view=sweep", 0.55, 0.5, 0.6, 300),
    Shown("/what_if?view=wins", 0.55, 0.5, 0.6, 300),
    Shown("/papers"),
    Shown("/papers?fig=aq4"),
    Shown("/data", 0.6, 0.5),
    Shown("/data?truth=false", 0.6, 0.5),
    Shown("/data?view=declare", 0.45, 0.4, 0.6),
    Shown("/data?view=declare&data=towns", 0.45, 0.4, 0.6),
    Shown("/data?view=declare&truth=false", 0.45, 0.4, 0.6),
    Shown("/methods", 0.3),  # six cards with words of their own, a picture in each
)
IDS = [one.address for one in PAGES]


@contextmanager
def opened(
    browser: Browser, address: str, size: tuple[int, int], scheme: str = "light"
) -> Iterator[tuple[Page, list[str]]]:
    """A page in a window of its own, and every request that left the machine."""
    outside: list[str] = []
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    context.set_default_timeout(30_000)
    page = context.new_page()
    home = "/".join(address.split("/")[:3])
    own = (home, home.replace("http", "ws"), "data:", "blob:")
    page.on("request", lambda one: None if one.url.startswith(own) else outside.append(one.url))
    visit(page, address)
    page.wait_for_timeout(700)  # the watcher of theme and window may ask for another run
    settle(page)
    try:
        yield page, outside
    finally:
        context.close()


def measured(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(MEASURE)
    assert tracebacks(page).count() == 0
    assert found["headline"]
    assert found["cut"] == []
    assert found["sideways"] <= 0
    return found


def readable(found: dict[str, Any], ticks: float) -> None:
    if found["font"] is not None:
        assert found["font"][0] >= ticks, found["font"]
        assert found["contrast"][0] >= CONTRAST, found["contrast"]


@pytest.mark.parametrize("one", PAGES, ids=IDS)
def test_the_picture_is_what_one_sees_first(one: Shown, browser: Browser, server: str) -> None:
    for size, share in ((WIDE, one.wide), (LOW, one.low)):
        with opened(browser, server + one.address, size) as (page, outside):
            found = measured(page)
            assert found["share"] >= share, size
            readable(found, TICKS)
            assert outside == []


@pytest.mark.parametrize("one", PAGES, ids=IDS)
def test_nothing_is_cut_off_on_a_tablet_and_on_a_phone(
    one: Shown, browser: Browser, server: str
) -> None:
    with opened(browser, server + one.address, MIDDLE) as (page, _):
        measured(page)
    with opened(browser, server + one.address, PHONE) as (page, _):
        found = measured(page)
        assert found["top"] is not None
        assert found["top"] <= one.top
        readable(found, TICKS)
        if "truth=false" not in one.address and found["slider"] is not None:
            assert found["slider"] <= PHONE[1]  # its ε is in the first screen


PRESENTED = [one for one in PAGES if one.presenting is not None]


@pytest.mark.parametrize("one", PRESENTED, ids=[one.address for one in PRESENTED])
def test_presenting_is_read_from_the_back_row(one: Shown, browser: Browser, server: str) -> None:
    joint = "&" if "?" in one.address else "?"
    with opened(browser, f"{server}{one.address}{joint}present=1", LOW) as (page, _):
        found = measured(page)
        assert found["share"] >= (one.presenting or 0)
        readable(found, PRESENTED_TICKS)
        assert not page.get_by_test_id("stHeader").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("one", PAGES, ids=IDS)
def test_no_serious_barrier(one: Shown, scheme: str, browser: Browser, server: str) -> None:
    """axe-core looks into shadow roots, too."""
    with opened(browser, server + one.address, WIDE, scheme) as (page, _):
        readable(measured(page), TICKS)
        page.evaluate(AXE)
        result = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (broken["id"], [node["html"][:160] for node in broken["nodes"]][:3])
            for broken in result["violations"]
            if broken["impact"] in {"serious", "critical"}
        ]
        assert serious == []
