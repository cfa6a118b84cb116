"""From a changed word of Decide's sentence to the new answer and picture, in the browser.

Each form of the sentence is changed word by word, to what nobody has asked for and back again. In
turns with it goes an app that only shows one word and such a picture: what Streamlit, plotly.js and
the browser take on this machine, whatever the server does. Some forms alone:
python -m benchmarks.sentence map offers
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks._chromium import chromium_path
from benchmarks.browser import bare_app, picture_of
from benchmarks.load import server
from benchmarks.results import Table
from benchmarks.targets import WORD, WORD_LATE, Row
from tests.browser.conftest import FLAGS
from tests.browser.steps import settle, visit

WORDS = "Decide: a word changed → new answer and picture, in the browser"
MEASURES = (WORD, WORD_LATE, WORDS)
BARE = Path(__file__).with_name("_bare_sentence.py")
MOST, OVER = 150.0, 30.0  # ms that a change may take, or more than the bare app
CHANGES = 5  # of each form to what nobody has asked for, and as many back
LOOKS = 400  # ms that a person looks at a picture
CHECK_MS = 120_000  # that a check may take on a busy machine
WINDOW: Any = {"viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}
# the clock runs in the page: from the key that hands the word over until the frame after both the
# answer and the picture stand as they had not stood before
CLOCK = """
() => {
  const table = [...document.querySelectorAll('*')]
    .map(one => one.shadowRoot?.querySelector('tbody')).find(one => one);
  const picture = () =>
    (table ?? document.querySelector('.js-plotly-plot .cartesianlayer'))?.innerHTML;
  const answer = () => table ? table.innerHTML
    : [...document.querySelectorAll('.sentence output')].map(one => one.textContent).join();
  let pressed = null;
  document.addEventListener('keydown', event => {
    if (event.key === 'Enter') pressed = performance.now();
  }, true);
  window.shown = () => new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('no new answer in 30 s')), 30000);
    pressed = null;
    const [said, drawn] = [answer(), picture()];
    const look = () => {
      if (pressed !== null && answer() !== said && picture() !== drawn) {
        requestAnimationFrame(() => resolve(performance.now() - pressed));
      } else {
        requestAnimationFrame(look);
      }
    };
    look();
  });
}
"""


@dataclass(frozen=True, slots=True)
class Form:
    """A sentence to open, the word that is changed, and what it becomes."""

    name: str
    link: str
    word: str
    texts: tuple[str, ...]


def _steps(first: float, step: float) -> tuple[str, ...]:
    return tuple(f"{first + step * at:.10g}" for at in range(2 + CHANGES))


FORMS = (
    Form("quantiles", "what=deciles&unit=share", "off", _steps(1.2, 0.4)),
    Form("count", "what=count", "off", _steps(11, 4)),
    Form("histogram", "what=histogram", "off", _steps(14, 4)),
    Form("curve", "what=curve", "off", _steps(60, 10)),
    Form("map", "what=map", "off", _steps(110, 16)),
    Form("running counts", "what=running", "off", _steps(25, 6)),
    Form("offers", "what=offers", "eps", _steps(0.3, 0.1)),
)


class Styles:
    """Milliseconds that a page's browser took for styles since it was asked before."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable")
        self._before = 0.0
        self.since()

    def since(self) -> float:
        """They are of the processor: a busy machine takes hardly more."""
        found = self._session.send("Performance.getMetrics")["metrics"]
        now = next(one["value"] for one in found if one["name"] == "RecalcStyleDuration")
        spent, self._before = now - self._before, now
        return 1e3 * float(spent)


def changed(page: Page, word: str, text: str) -> float:
    """Milliseconds from Enter in a word to the new answer and picture."""
    page.bring_to_front()
    field = page.locator(f".sentence [name={word}]")
    field.fill(text)
    page.evaluate("() => { window.answer = window.shown(); }")
    field.press("Enter")
    return float(page.evaluate("() => window.answer"))


def rests(page: Page) -> None:
    """Wait until an answer is checked, and a person has looked at the picture."""
    button = page.locator(".st-key-decide_button button")
    if button.count():
        expect(button).to_be_enabled(timeout=CHECK_MS)
    settle(page)
    page.wait_for_timeout(LOOKS)


def pictures_of(page: Page, form: Form, folder: Path) -> list[Path]:
    """Two pictures of a form, as files; of a form without any none."""
    found = []
    for text in form.texts[:2]:
        changed(page, form.word, text)
        rests(page)
        if page.locator(".js-plotly-plot").count():
            found.append(folder / f"{form.name}{text}.json")
            found[-1].write_text(picture_of(page), encoding="utf-8")
    return found


def moves(page: Page, form: Form, bare: Page) -> list[list[float]]:
    """Changes to what nobody has asked for, back again, of the bare app; then ms for styles."""
    news, ago = form.texts[2:], form.texts[-2::-1]
    found: list[list[float]] = [[], [], [], []]
    styles = Styles(page)
    for at, text in enumerate([*news, *ago[: len(news)]]):
        styles.since()
        found[at >= len(news)].append(changed(page, form.word, text))
        found[3].append(styles.since())
        rests(page)
        found[2].append(changed(bare, "word", f"{at}"))
        bare.wait_for_timeout(LOOKS)
    return found


def of_forms(
    browser: Browser, address: str, folder: Path, names: Sequence[str]
) -> Iterator[tuple[str, list[list[float]]]]:
    """What was found of each form."""
    last: list[Path] = []
    for form in (one for one in FORMS if one.name in names):
        page = browser.new_page(**WINDOW)
        visit(page, f"{address}/decide?{form.link}")
        rests(page)
        page.evaluate(CLOCK)
        last = pictures_of(page, form, folder) or last  # the table has the picture of another form
        with bare_app(last, BARE) as bare_address:
            bare = browser.new_page(**WINDOW)
            bare.goto(bare_address)
            bare.locator(".js-plotly-plot .cartesianlayer").wait_for(state="attached")
            bare.evaluate(CLOCK)
            for text in ("some", "more"):
                changed(bare, "word", text)
                bare.wait_for_timeout(LOOKS)
            yield form.name, moves(page, form, bare)
            bare.close()
        page.close()


def said(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} ({min(times):.0f} to {max(times):.0f})"


def run(names: Sequence[str] = tuple(one.name for one in FORMS)) -> list[Row | Table]:
    """All medians, and how the slowest form stands to what is wanted."""
    path = chromium_path()
    if path is None:
        return []
    rows, slowest, late = [], 0.0, 0.0
    with (
        server.running() as (address, _),
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as folder,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS[:-1])
        for name, found in of_forms(browser, address.http, Path(folder), names):
            rows.append([name, *map(said, found)])
            print(*rows[-1], sep=" | ", flush=True)
            new, again, bare, _ = map(statistics.median, found)
            slowest = max(slowest, new, again)
            late = max(late, max(new, again) / max(MOST, bare + OVER))
        browser.close()
    header = (
        "form", "ms, asked for anew", "ms, asked for before", "ms, an app that only shows it",
        "ms of them for styles, of ours",
    )  # fmt: skip
    note = "Medians, the least and the most, of five changes each; of the last columns ten."
    return [
        Row(WORD, slowest, "ms"),
        Row(WORD_LATE, late, "×"),
        Table(WORDS, header, rows, note),
    ]


if __name__ == "__main__":
    run(*([sys.argv[1:]] if sys.argv[1:] else []))
