"""From another ε to the new picture: a file of a million rows in the real app and browser.

The file is handed over and its bounds are declared as a person does it; then an ε of one's own is
typed among the experts, and the slider is moved stop by stop. In turns with both goes an app that
only shows two such pictures: what Streamlit, plotly.js and the browser take on this machine,
whatever the server does.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks._chromium import chromium_path
from benchmarks.load import server
from benchmarks.targets import (
    BROWSER,
    BROWSER_AGAIN,
    BROWSER_BACK,
    BROWSER_BARE,
    BROWSER_OVER,
    BROWSER_TYPED,
    BROWSER_TYPED_OVER,
    Row,
)
from tests.browser.conftest import FLAGS
from tests.browser.steps import answered, declare, go_to, settle, upload, visit

MEASURES = (
    BROWSER, BROWSER_BACK, BROWSER_TYPED, BROWSER_AGAIN, BROWSER_BARE, BROWSER_OVER,
    BROWSER_TYPED_OVER,
)  # fmt: skip
RECORDS = 10**6
CHANGES = 10
OWN, STEP = 0.103, 0.01  # the first ε that is typed, and to the next: none is a stop of the slider
FIRST = 0.05  # where the slider stands at first
TURNS = 8  # up to ε = 1: from there on every number may be the true one, and no picture another
LOOKS = 800  # ms that a person looks at a picture
BARE = Path(__file__).with_name("_bare.py")
PICTURE = """
() => {
  const {data, layout} = document.querySelector('.js-plotly-plot');
  return JSON.stringify({data, layout: {...layout, template: undefined}});
}
"""
# for the slider: the clock starts with the message
SENDS = """
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
  if (window.sends) { window.sends = false; window.pressed = performance.now(); }
  return send.call(this, data);
};
"""
# the clock runs in the page: from the key that hands over ε until the frame after the dots of the
# picture stand where they had not stood before
CLOCK = """
() => {
  window.pressed = null;
  document.addEventListener('keydown', event => {
    if (event.key === 'Enter') window.pressed = performance.now();
  }, true);
  const layer = () => document.querySelector('.js-plotly-plot .cartesianlayer')?.innerHTML;
  // a picture that stays as it was ends the bench
  window.shown = () => new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no new picture in 30 s')), 30000);
    const before = layer();
    const look = () => {
      if (window.pressed !== null && layer() !== before) {
        requestAnimationFrame(() => resolve(performance.now() - window.pressed));
      } else {
        requestAnimationFrame(look);
      }
    };
    look();
  });
}
"""


def seconds_of_a_move(page: Page, key: str) -> float:
    """From the message that tells of another stop of the slider to the new picture.

    Before it the browser waits a while for more keys; afterwards a person looks at the picture.
    """
    page.evaluate("() => { window.pressed = null; window.sends = true; window.answer = shown(); }")
    page.get_by_role("slider").first.press(key)
    elapsed = float(page.evaluate("() => window.answer")) / 1000
    settle(page)
    page.wait_for_timeout(LOOKS)
    return elapsed


def with_own_file(page: Page, address: str, folder: Path) -> None:
    """The page Quantiles on a file of this visit, which draws at every change."""
    incomes = np.random.default_rng(7).lognormal(10.4, 0.5, RECORDS).round()
    file = folder / "incomes.csv"
    np.savetxt(file, incomes, "%.0f", header="income", comments="")
    visit(page, f"{address}/data")
    upload(page, file)
    declare(page, "0", "200000", "1")
    go_to(page, "Quantiles")
    settle(page)
    page.locator(".st-key-pop_ledger button").first.click()
    with answered(page):
        page.get_by_text("Draw at every change, without asking").click()
    page.keyboard.press("Escape")
    page.locator(".js-plotly-plot .cartesianlayer").first.wait_for(state="attached")
    settle(page)
    page.evaluate(CLOCK)


def typed(page: Page, bare: Page) -> list[list[float]]:
    """Changes to an ε of one's own that was not asked for before, in turns with the bare app."""
    found: list[list[float]] = [[], []]
    for step in range(CHANGES + 1):
        epsilon = f"{OWN + step * STEP:g}"
        for times, one, rest in zip(found, (page, bare), (settle, _look), strict=True):
            one.bring_to_front()
            changed = seconds_of_a_change(one, epsilon, rest)
            if step:  # the first one of each finds nothing ready
                times.append(changed)
    return found


def moves(page: Page, bare: Page) -> list[list[float]]:
    """Moves to stops where nobody has been, back, and changes of the bare app, all in turns."""
    page.get_by_role("slider").first.focus()
    for _ in range(2):
        seconds_of_a_move(page, "ArrowLeft")
    found: list[list[float]] = [[], [], []]
    for turn in range(-2, TURNS):  # the first two go back to where the slider stood
        page.bring_to_front()
        is_new = turn < TURNS // 2
        moved = seconds_of_a_move(page, "ArrowRight" if is_new else "ArrowLeft")
        bare.bring_to_front()
        changed = seconds_of_a_change(bare, f"{1 + (turn + 3) / 10:g}", _look)
        if turn >= 0:
            found[0 if is_new else 1].append(moved)
            found[2].append(changed)
    return found


def _look(page: Page) -> None:
    """The bare app has none of the marks by which the app says that it is at rest."""
    page.wait_for_timeout(LOOKS)


def _middle(times: list[float]) -> tuple[float, str]:
    middle = statistics.median(times)
    return middle, f"{middle:.3f} s ({min(times):.3f} to {max(times):.3f})"


def seconds_of_a_change(page: Page, epsilon: str, rest: Callable[[Page], None] = settle) -> float:
    """From Enter in the field for an exact ε to the new picture."""
    field = page.get_by_label("ε, exact", exact=True)
    field.fill(epsilon)
    page.evaluate("() => { window.pressed = null; window.answer = window.shown(); }")
    field.press("Enter")
    elapsed = float(page.evaluate("() => window.answer")) / 1000
    rest(page)
    return elapsed


def median_again(page: Page) -> tuple[float, str]:
    """The median of ten changes, each to an ε that was asked for before; and all in words."""
    seconds_of_a_change(page, f"{OWN:g}")
    budgets = [f"{OWN + step * STEP:g}" for step in range(1, CHANGES + 1)]
    return _middle([seconds_of_a_change(page, epsilon) for epsilon in budgets])


def pictures_of(page: Page, folder: Path) -> list[Path]:
    """The picture on the page as it is for two budgets, as files."""
    found = []
    for number, epsilon in enumerate(("0.09", "0.07")):
        seconds_of_a_change(page, epsilon)
        found.append(folder / f"{number}.json")
        found[-1].write_text(picture_of(page), encoding="utf-8")
    return found


def picture_of(page: Page) -> str:
    """The picture on the page, as JSON."""
    picture = json.loads(page.evaluate(PICTURE))
    for trace in picture["data"]:
        for name in ("x", "y", "z"):
            if isinstance(trace.get(name), dict):  # packed: without what plotly.js has added
                kept = {key: trace[name].get(key) for key in ("dtype", "bdata", "shape")}
                trace[name] = {key: value for key, value in kept.items() if value is not None}
    return json.dumps(picture)


@contextmanager
def bare_app(pictures: list[Path], app: Path = BARE) -> Iterator[str]:
    """The address of an app that shows them in turn."""
    port = server.free_port()
    options = ["--server.port", str(port), "--server.headless", "true"]
    command = [sys.executable, "-m", "streamlit", "run", str(app), *options, "--"]
    process = subprocess.Popen([*command, *map(str, pictures)], stdout=subprocess.DEVNULL)
    try:
        while not server.is_healthy(port):
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run() -> list[Row]:
    """All medians; their difference says what the app adds to a picture that is ready."""
    path = chromium_path()
    if path is None:
        return []
    with (
        server.running() as (address, _),
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as folder,
    ):
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS[:-1])
        look: Any = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}
        page = chromium.new_page(**look)
        page.add_init_script(SENDS)
        with_own_file(page, address.http, Path(folder))
        page.get_by_role("button", name="Expert").click()
        page.get_by_label("ε, exact", exact=True).wait_for()
        with bare_app(pictures_of(page, Path(folder))) as bare_address:
            bare = chromium.new_page(**look)
            bare.goto(bare_address)
            bare.locator(".js-plotly-plot .cartesianlayer").wait_for(state="attached")
            bare.evaluate(CLOCK)
            (own, said_own), (ready_then, said_then) = map(_middle, typed(page, bare))
            page.bring_to_front()
            again, said_again = median_again(page)
            seconds_of_a_change(page, f"{FIRST:g}")
            page.keyboard.press("Escape")
            settle(page)
            (moved, said_moved), (back, said_back), (ready, said_bare) = map(
                _middle, moves(page, bare)
            )
        chromium.close()
    print(f"slider moved → new picture, n = 10^6: {said_moved}", flush=True)
    print(f"the same, back to stops that were shown before: {said_back}", flush=True)
    print(f"ε typed, Expert open → new picture: {said_own}", flush=True)
    print(f"the bare app in turns with it: {said_then}", flush=True)
    print(f"the same, ε that were asked for before: {said_again}", flush=True)
    print(f"an app that only shows such pictures: {said_bare}", flush=True)
    return [
        Row(BROWSER, 1e3 * moved, "ms"),
        Row(BROWSER_BACK, 1e3 * back, "ms"),
        Row(BROWSER_TYPED, 1e3 * own, "ms"),
        Row(BROWSER_AGAIN, 1e3 * again, "ms"),
        Row(BROWSER_BARE, 1e3 * ready, "ms"),
        Row(BROWSER_OVER, 1e3 * max(moved - ready, 0.0), "ms"),
        Row(BROWSER_TYPED_OVER, 1e3 * max(own - ready_then, 0.0), "ms"),
    ]


if __name__ == "__main__":
    run()
