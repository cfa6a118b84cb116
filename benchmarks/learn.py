"""The stories in a real browser: how smoothly a revealed picture moves, and how much it sends."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks._chromium import chromium_path
from benchmarks.start import FRAMES, Traffic
from benchmarks.targets import REVEAL, Row
from dpviz.lessons.stories.listing import STORIES
from tests.browser.conftest import FLAGS, running_app
from tests.browser.steps import visit

REVEALED = 3_000  # ms
MEASURES = (REVEAL,)


def run() -> list[Row]:
    """Frames while each scene answers, at 1280 x 720; the slowest scene counts."""
    path = chromium_path()
    if path is None:
        return []
    medians = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        with running_app(Path(folder) / "log.txt") as address:
            for story in STORIES:
                for scene in story.scenes:
                    page = chromium.new_page(viewport={"width": 1280, "height": 720})
                    traffic = Traffic(page)
                    link = f"/learn?story={story.key}&scene={scene.number}&present=1"
                    visit(page, address + link)
                    page.wait_for_timeout(500)
                    page.keyboard.press("1")
                    frames = sorted(page.evaluate(FRAMES, REVEALED))
                    medians[f"{story.key} {scene.number}"] = statistics.median(frames)
                    late = frames[int(0.95 * len(frames))]
                    print(
                        f"{story.key} {scene.number}: median {statistics.median(frames):.1f}, "
                        f"95 % {late:.1f}, worst {frames[-1]:.0f} ms; {traffic.received:,} bytes"
                    )
                    page.close()
        chromium.close()
    return [Row(REVEAL, max(medians.values()), "ms")]
