"""Start in a real browser: how smoothly it moves, how soon it follows, and how much it sends."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, WebSocket, sync_playwright

from benchmarks._chromium import chromium_path
from benchmarks.targets import FRAME, STAGE, STEP, Row
from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import svg
from dpviz.lessons.start import numbers, picture
from tests.browser.conftest import FLAGS, running_app
from tests.browser.steps import answered, visit

MEASURES = (FRAME, STEP, STAGE)
PLAY = 3_600  # ms
# ms between frames while something moves
FRAMES = """
(length) => new Promise((resolve) => {
  const seen = [];
  const until = performance.now() + length;
  const look = (now) => {
    seen.push(now);
    if (now < until) requestAnimationFrame(look);
    else resolve(seen.slice(1).map((one, i) => one - seen[i]));
  };
  requestAnimationFrame(look);
})
"""


class Traffic:
    """Bytes that came over the page's socket."""

    def __init__(self, page: Page) -> None:
        self.received = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on(
            "framereceived", lambda sent: setattr(self, "received", self.received + len(sent))
        )


def _frames(page: Page, length: int) -> list[float]:
    found: list[float] = page.evaluate(FRAMES, length)
    return sorted(found)


def _steps(page: Page, traffic: Traffic) -> tuple[float, int]:
    """Seconds from a key to the new headline, and bytes sent for it; medians over the stops."""
    page.locator("[data-control=epsilon]").focus()
    times, sizes = [], []
    for key in ["ArrowLeft"] * 3 + ["ArrowRight"] * 6:
        before, start = traffic.received, time.perf_counter()
        with answered(page):
            page.keyboard.press(key)
        times.append(time.perf_counter() - start)
        sizes.append(traffic.received - before)
    return statistics.median(times), int(statistics.median(sizes))


def _drawing() -> float:
    """Seconds for the whole picture as SVG by the embedded engine."""
    stage = picture.stage(1.0, numbers.STOPS, 1)
    times = []
    for _ in range(10):
        start = time.perf_counter()
        svg(stage, 1270, 408, Look())
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run() -> list[Row]:
    """Frames of a play and of a glide at 1440 x 900, a step of the slider, and an export."""
    path = chromium_path()
    if path is None:
        return []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        with running_app(Path(folder) / "log.txt") as address:
            page = chromium.new_page(viewport={"width": 1440, "height": 900})
            traffic = Traffic(page)
            visit(page, address)
            page.wait_for_selector(".picture svg g")
            opened = traffic.received
            page.wait_for_timeout(PLAY + 1_000)
            page.get_by_role("button", name="Play 30 draws").click()
            play = _frames(page, PLAY)
            page.get_by_role("switch").click()
            glide = _frames(page, 300)
            page.wait_for_timeout(1_000)
            seconds, size = _steps(page, traffic)
        chromium.close()
    p95 = play[int(0.95 * len(play))]
    print(f"play: median {statistics.median(play):.1f}, 95 % {p95:.1f}, worst {play[-1]:.1f} ms")
    print(f"glide: median {statistics.median(glide):.1f}, worst {glide[-1]:.1f} ms")
    print(f"sent: {opened:,} bytes to open, {size:,} for a step of the slider")
    return [
        Row(FRAME, statistics.median(play), "ms"),
        Row(STEP, 1000 * seconds, "ms"),
        Row(STAGE, 1000 * _drawing(), "ms"),
    ]
