"""From an ε that is typed to the new picture: a million rows in the real app and browser."""

from __future__ import annotations

import statistics

from playwright.sync_api import Page, sync_playwright

from benchmarks._chromium import chromium_path
from benchmarks.load import server
from benchmarks.targets import BROWSER, Row
from tests.browser.conftest import FLAGS
from tests.browser.steps import settle, visit

RECORDS = 10**6
CHANGES = 10
# the clock runs in the page: from the key that hands over ε until the frame after the dots of the
# picture stand where they had not stood before
CLOCK = """
() => {
  window.pressed = null;
  document.addEventListener('keydown', event => {
    if (event.key === 'Enter') window.pressed = performance.now();
  }, true);
  const layer = () => document.querySelector('.js-plotly-plot .cartesianlayer')?.innerHTML;
  window.shown = () => new Promise(resolve => {
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


def seconds_of_a_change(page: Page, epsilon: str) -> float:
    """From Enter in the field for an exact ε to the new picture."""
    field = page.get_by_label("ε, exact", exact=True)
    field.fill(epsilon)
    page.evaluate("() => { window.pressed = null; window.answer = window.shown(); }")
    field.press("Enter")
    elapsed = float(page.evaluate("() => window.answer")) / 1000
    settle(page)
    return elapsed


def run() -> list[Row]:
    """A median over ten changes, each to an ε that was not asked for before."""
    path = chromium_path()
    if path is None:
        return []
    with server.running(1, RECORDS) as (address, _), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS[:-1])
        page = chromium.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        visit(page, f"{address.http}/quantiles?data={server.MADE_UP}")
        page.get_by_role("button", name="Expert").click()
        page.get_by_label("ε, exact", exact=True).wait_for()
        page.evaluate(CLOCK)
        seconds_of_a_change(page, "0.9")
        times = [seconds_of_a_change(page, f"{1 + step / 10:g}") for step in range(1, CHANGES + 1)]
        chromium.close()
    what = "ε typed → new picture in the browser, n = 10^6"
    found_times = f"{statistics.median(times):.3f} s ({min(times):.3f} to {max(times):.3f})"
    print(f"{what:<58} {found_times:<34} target ≤ 0.1 s", flush=True)
    return [Row(BROWSER, 1e3 * statistics.median(times), "ms")]


if __name__ == "__main__":
    run()
