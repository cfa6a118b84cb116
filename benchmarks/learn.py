"""The stories in a real browser: how smoothly a revealed picture moves, and how much it sends.

Every scene is revealed in the app and in the static edition, at 1280 x 720, presented. A frame that
comes late on a busy machine says nothing of the page: an empty page moves in the same run, and what
the page's own thread worked for each frame is counted in its processor time.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks._chromium import chromium_path
from benchmarks.start import FRAMES, Traffic
from benchmarks.targets import REVEAL, REVEAL_SITE, REVEAL_WORK, Row
from dpviz.lessons.stories.listing import STORIES
from dpviz.site.build import write
from tests.browser.conftest import FLAGS, running_app

REVEALED = 3_000  # ms
STILL = 1.0  # ms of work for a frame in which nothing moves
MEASURES = (REVEAL, REVEAL_SITE, REVEAL_WORK)
EMPTY = "<!doctype html><title>empty</title>"
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
TASK, FRAME = "RunTask", "FireAnimationFrame"


@dataclass(frozen=True, slots=True)
class Moved:
    """A page while it moved: ms between frames, and the ms that its thread worked for each."""

    between: list[float]
    work: list[float]

    @property
    def median(self) -> float:
        """Between two frames."""
        return statistics.median(self.between)

    @property
    def moving(self) -> list[float]:
        """The work for frames in which something moved; one of nothing where none did."""
        return [one for one in self.work if one > STILL] or [0.0]

    @property
    def usual(self) -> float:
        """The work for a moving frame; a few others hold what a new state costs once."""
        return statistics.median(self.moving)

    def __str__(self) -> str:
        late, most = (float(np.quantile(one, 0.95)) for one in (self.between, self.moving))
        return (
            f"frames {self.median:5.1f} ms (95 % {late:5.1f}, worst {max(self.between):4.0f}), "
            f"work of {len(self.moving)} that move {self.usual:4.1f} ms "
            f"(95 % {most:4.1f}, worst {max(self.moving):5.1f})"
        )


def moved(chromium: Browser, page: Page, key: str = "") -> Moved:
    """What the page does in the three seconds after a key."""
    chromium.start_tracing(page=page, categories=TRACED)
    if key:
        page.keyboard.press(key)
    between = page.evaluate(FRAMES, REVEALED)
    return Moved(between, _work(chromium.stop_tracing()))


def _work(trace: bytes) -> list[float]:
    """Ms of processor time of the page's thread from each frame to the next."""
    events = json.loads(trace)["traceEvents"]
    frames = [one for one in events if one["name"] == FRAME]
    thread = max(
        {(one["pid"], one["tid"]) for one in frames},
        key=lambda at: sum((one["pid"], one["tid"]) == at for one in frames),
    )
    starts = np.sort([one["ts"] for one in frames if (one["pid"], one["tid"]) == thread])
    tasks = [
        one
        for one in events
        if one["name"] == TASK and (one["pid"], one["tid"]) == thread and one.get("tdur")
    ]
    place = np.searchsorted(starts, [one["ts"] for one in tasks])
    spent = np.bincount(place, [one["tdur"] / 1e3 for one in tasks], minlength=starts.size + 1)
    return [float(one) for one in spent[1:-1]]


@contextmanager
def plain_files(folder: Path) -> Iterator[str]:
    """The address of a folder as a web space shows it."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


def edition(chromium: Browser, where: str, link: str) -> dict[str, Moved]:
    """All scenes of an edition, and an empty page before the first one of each story."""
    found = {}
    for story in STORIES:
        page = chromium.new_page()
        page.set_content(EMPTY)
        print(f"{where}, an empty page: {moved(chromium, page)}", flush=True)
        page.close()
        for scene in story.scenes:
            page = chromium.new_page(viewport={"width": 1280, "height": 720})
            traffic = Traffic(page)
            page.goto(link.format(story=story.key, scene=scene.number))
            page.wait_for_selector("svg text", timeout=60_000)
            page.wait_for_timeout(1_500)
            found[scene.name] = moved(chromium, page, "Space")
            print(f"{where}, {story.key} {scene.number} {scene.name}: {found[scene.name]}; "
                  f"{traffic.received:,} bytes", flush=True)  # fmt: skip
            page.close()
    return found


def run() -> list[Row]:
    """Frames while each scene answers; the slowest scene counts."""
    path = chromium_path()
    if path is None:
        return []
    flags = [one for one in FLAGS if not one.startswith("--js-flags")]  # as a visitor's browser
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=flags)
        with running_app(Path(folder) / "log.txt") as address:
            scene = "/learn?story={story}&scene={scene}&present=1"
            app = edition(chromium, "app", address + scene)
        write(Path(folder) / "site")
        with plain_files(Path(folder) / "site") as address:
            site = edition(chromium, "site", address + "/{story}-{scene}.html?present=1")
        chromium.close()
    return [
        Row(REVEAL, max(one.median for one in app.values()), "ms"),
        Row(REVEAL_SITE, max(one.median for one in site.values()), "ms"),
        Row(REVEAL_WORK, max(one.usual for one in (*app.values(), *site.values())), "ms"),
    ]
