"""What a person sees first: a picture, readable words, and every control whole.

`make test` opens every page once, on a laptop and then on a phone; `make thorough` opens OTHERS,
their further views, and all of them again: the room goes dark, the window small, and they are
presented. ALWAYS names the page that `make test` sees so, too, and PRESENTED those that it sees
presented. The pages are shared by two test files, since a file stays with one worker.
"""

import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Page, Request

from tests.browser.steps import ANSWERED, followed, settle, tracebacks, visit
from tests.scenes import link_of

HERE = Path(__file__).parent
MEASURE = (HERE / "measure.js").read_text(encoding="utf-8")
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WIDE, LOW, MIDDLE, PHONE = (1440, 900), (1280, 720), (1024, 768), (390, 844)
TICKS, PRESENTED_TICKS, CONTRAST = 13.5, 18, 4.5
LONGEST = 8  # seconds until all of a page has followed its window
AGAIN = 100  # milliseconds from one look to the next


# seen in the dark and in small windows by `make test`, too; test_site_same.py has a scene there
ALWAYS = ("/quantiles",)
PRESENTED = (*ALWAYS, f"/learn?{link_of('same_noise')}&guess=b")  # one of each kind
# pages with a sentence or with cards in colours of their own, which are the same on other pages
STYLED = ("/", "/decide?what=count", "/data", "/learn")
# what `make test` sees by another page of its kind; without the truth Start and a file are seen
OTHERS = (
    "/audit",
    "/budget",
    "/quantiles?view=compare",
    "/quantiles?view=recursion",
    "/quantiles?view=profile",
    "/quantiles?truth=false",
    "/trees?truth=false",
    "/map?truth=false",
    "/decide?what=map&truth=false",
    "/decide?what=histogram",
    "/what_if?view=search",
    "/what_if?view=wins",
    "/papers?fig=aq4",
    "/data?truth=false",
    "/data?view=declare",
    "/data?view=declare&data=towns",
    "/data?view=declare&truth=false",
    "/learn?view=quiz",
    f"/learn?{link_of('same_noise')}",
)


@dataclass(frozen=True)
class Shown:
    """A page, and the share of the first screen that its pictures take at least: in a window of
    1440 × 900, of 1280 × 720, and presenting there (None: presenting is not asked of it)."""

    address: str
    wide: float = 0.45
    low: float = 0.0
    presenting: float | None = 0.0
    top: int = 422  # of the picture on a phone: the upper half of its screen


WORKBENCHES = (
    Shown("/", 0.35, 0.3, None, 300),
    Shown("/quantiles", 0.55, 0.5, 0.65, 300),
    Shown("/quantiles?view=compare", 0.55, 0.5, 0.6, 300),
    Shown("/quantiles?view=recursion", 0.55, 0.5, 0.6, 300),
    Shown("/quantiles?view=profile", 0.55, 0.5, 0.6, 300),
    Shown("/quantiles?truth=false", 0.4, 0.3, None),
    Shown("/trees", 0.55, 0.5, 0.65, 300),
    Shown("/trees?truth=false", 0.4, 0.3, None),
    Shown("/map", 0.55, 0.5, 0.65, 300),
    Shown("/map?truth=false", 0.3, 0.2, None),
)
THE_REST = (
    Shown("/neighbours"),
    Shown("/budget"),
    Shown("/audit"),
    Shown("/decide?what=count", 0.3, 0.2),
    Shown("/decide?what=map&truth=false", 0.3, 0.2),
    Shown("/decide?what=histogram", 0.3, 0.2),
    Shown("/what_if?view=search"),
    Shown("/what_if?view=sweep", 0.5, 0.4, 0.6, 300),
    Shown("/what_if?view=wins", 0.5, 0.4, 0.6, 300),
    Shown("/papers"),
    Shown("/papers?fig=aq4"),
    Shown("/data", 0.6, 0.5),
    Shown("/data?truth=false", 0.6, 0.5),
    Shown("/data?view=declare", 0.45, 0.4, 0.6),
    Shown("/data?view=declare&data=towns", 0.45, 0.4, 0.6),
    Shown("/data?view=declare&truth=false", 0.45, 0.4, 0.6),
    Shown("/learn", 0.3, 0.2, None),
    Shown("/learn?view=quiz", 0.2, 0.2, None, 10_000),  # on a phone the sentences come first
    # on a phone the answers come first
    Shown(f"/learn?{link_of('same_noise')}", 0.55, 0.45, 0.6, 10_000),
    Shown(f"/learn?{link_of('same_noise')}&guess=b", 0.55, 0.45, 0.6, 300),
    Shown("/methods", 0.3),  # six cards with words of their own, a picture in each
)


def problems(found: dict[str, Any], ticks: float, share: float) -> dict[str, Any]:
    """What is wrong with what was measured."""
    checks = {
        "headline": bool(found["headline"]),
        "top": found["top"] is not None,  # a picture is there
        "share": found["share"] >= share,
        "cut": found["cut"] == [],
        "sideways": found["sideways"] <= 0,
        "font": found["font"] is None or found["font"][0] >= ticks,
        "contrast": found["contrast"] is None or found["contrast"][0] >= CONTRAST,
    }
    return {name: found[name] for name, good in checks.items() if not good}


class Window:
    """One tab for many pages, and every request of theirs that leaves the machine."""

    def __init__(self, page: Page, server: str) -> None:
        self.page = page
        self.server = server
        self.outside: list[str] = []

    def look(self, asked: Request) -> None:
        own = (self.server, self.server.replace("http", "ws"), "data:", "blob:")
        if not asked.url.startswith(own):
            self.outside.append(asked.url)

    def open(self, address: str, size: tuple[int, int]) -> None:
        self.page.emulate_media(color_scheme="light", reduced_motion="reduce")
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        visit(self.page, self.server + address)
        assert tracebacks(self.page).count() == 0

    def measured(
        self, size: tuple[int, int], ticks: float = TICKS, share: float = 0.0
    ) -> dict[str, Any]:
        """What a person sees in a window of this size: nothing cut off, all of it readable.

        A change of theme or window is answered by a run of the script, which is waited for.
        """
        if self.page.viewport_size == {"width": size[0], "height": size[1]}:
            settle(self.page, ANSWERED)
        else:
            self.page.set_viewport_size({"width": size[0], "height": size[1]})
            followed(self.page)
        found: dict[str, Any] = {}

        def wrong() -> dict[str, Any]:
            found.update(self.page.evaluate(MEASURE))
            return problems(found, ticks, share)

        self._until_right(wrong, size)
        return found

    def no_barrier(self, scheme: str, *, contrast: bool = True) -> None:
        """Nothing that axe-core finds serious or critical; it looks into shadow roots, too.

        On a page that was measured, so that nothing is under way. Contrast takes it longer than
        all other rules: that of the theme and of words in pictures is seen elsewhere.
        """
        self.page.evaluate(AXE)
        self._until_right(partial(self._barriers, contrast), scheme)

    def _until_right(self, wrong: Callable[[], Any], where: object) -> None:
        """Of a page at rest; what is wrong may be under way nevertheless."""
        until = time.monotonic() + LONGEST
        while found := wrong():
            assert time.monotonic() < until, f"{where}: {found}"
            self.page.wait_for_timeout(AGAIN)
            settle(self.page, ANSWERED)

    def _barriers(self, contrast: bool) -> list[tuple[str, list[str]]]:
        result = self.page.evaluate(
            """contrast => axe.run(document, {
              resultTypes: ['violations'], rules: {'color-contrast': {enabled: contrast}}})""",
            contrast,
        )
        return [
            (broken["id"], [node["html"][:160] for node in broken["nodes"]][:3])
            for broken in result["violations"]
            if broken["impact"] in {"serious", "critical"}
        ]


def seen_on_laptop_and_phone(one: Shown, window: Window) -> None:
    window.open(one.address, WIDE)
    window.measured(WIDE, share=one.wide)
    window.no_barrier("light", contrast=one.address in STYLED)
    if one.address in ALWAYS:
        turns_dark_and_small(one, window, [LOW])
    found = window.measured(PHONE)
    assert found["top"] <= one.top
    if "truth=false" not in one.address and found["slider"] is not None:
        assert found["slider"] <= PHONE[1]  # its ε is in the first screen
    assert window.outside == []


def seen_in_the_dark_and_in_small_windows(one: Shown, window: Window) -> None:
    window.open(one.address, WIDE)
    window.measured(WIDE)
    window.no_barrier("light")
    turns_dark_and_small(one, window, [LOW, MIDDLE])
    assert window.outside == []


def turns_dark_and_small(one: Shown, window: Window, sizes: Sequence[tuple[int, int]]) -> None:
    window.page.emulate_media(color_scheme="dark")
    followed(window.page)
    window.measured(WIDE, share=one.wide)
    window.no_barrier("dark")
    for size in sizes:
        window.measured(size, share=one.low if size == LOW else 0.0)


def read_from_the_back_row(one: Shown, window: Window) -> None:
    joint = "&" if "?" in one.address else "?"
    window.open(f"{one.address}{joint}present=1", LOW)
    window.measured(LOW, PRESENTED_TICKS, one.presenting or 0.0)
    assert not window.page.get_by_test_id("stHeader").is_visible()


def each(pages: tuple[Shown, ...]) -> Any:
    """The cases of a test: these pages."""
    return _rows(pages, OTHERS)


def each_presented(pages: tuple[Shown, ...]) -> Any:
    """The cases of a test: those of these pages that are presented."""
    shown = [one for one in pages if one.presenting is not None]
    return _rows(shown, {one.address for one in shown} - set(PRESENTED))


def _rows(pages: Sequence[Shown], thorough: Container[str]) -> Any:
    return pytest.mark.parametrize(
        "one",
        [
            pytest.param(
                one, id=one.address, marks=[pytest.mark.thorough] * (one.address in thorough)
            )
            for one in pages
        ],
    )
