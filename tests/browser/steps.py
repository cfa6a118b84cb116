"""What a person does and sees in the app, in the words of the tests; waits for conditions only."""

import base64
import itertools
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from weakref import WeakKeyDictionary

import numpy as np
from playwright.sync_api import FrameLocator, Locator, Page, WebSocket, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dpviz.lessons.stories.telling import SURE
from dpviz.ui.kit import frame

FILE_BUTTON = re.compile("Your own file|Your file|File$")
LONGEST = 30  # seconds that an answer may take on a busy machine

# the script is at rest, every answer has been drawn, and every chart on the page has its traces
IDLE = """
() => {
  const app = document.querySelector('[data-testid=stApp]');
  const none = where => document.querySelector(where) === null;
  return app !== null && app.dataset.testScriptState === 'notRunning'
    && none('[data-testid=stStatusWidget]') && none('[data-testid=stSkeleton]')
    && none('[data-stale=true]') && document.querySelector('h1') !== null
    && [...document.querySelectorAll('[data-testid=stPlotlyChart]')]
      .every(box => box.querySelector('.js-plotly-plot')?.data !== undefined);
}
"""
CALM, FRAMES = 100, 3  # milliseconds and frames at rest, in which what has arrived is drawn
ANSWERED = 40  # the same where the answer is known to be there
AT_REST = f"""
calm => new Promise(resolve => {{
  const idle = {IDLE};
  let since, frames;
  const look = () => {{
    const now = performance.now();
    [since, frames] = idle() && since ? [since, frames + 1] : [now, 0];
    if (frames >= {FRAMES} && now - since > calm) resolve(true); else requestAnimationFrame(look);
  }};
  look();
}})
"""
# theme and window, as they are and as the page has told its server; size is that of the window
TOLD = """
([width, height]) => {
  const all = [...document.querySelectorAll('[data-testid^=stBidiComponent]')];
  const told = all.map(one => one.shadowRoot?.watch?.told).find(Boolean);
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const room = width <= 640 ? 'phone' : width <= 1100 ? 'narrow' : height < 800 ? 'low' : 'wide';
  return innerWidth === width && innerHeight === height && told === `${theme} ${room}`;
}
"""
# each word of a picture, its left, right, top and bottom; letters are lower than their boxes
WORDS = """
() => [...document.querySelectorAll('[class*=st-key-hero_] .js-plotly-plot text')]
  .filter(one => one.textContent.trim())
  .map(one => [one.textContent, one.getBoundingClientRect()])
  .map(([said, at]) => [said, at.left, at.right, at.top + 3, at.bottom - 3])
"""
Word = tuple[str, float, float, float, float]
CHART = """
number => document.querySelectorAll('.js-plotly-plot')[number].data.map(trace => ({
  name: trace.name, mode: trace.mode, type: trace.type, x: trace.x, y: trace.y, z: trace.z,
}))
"""


class Traffic:
    """What went over a page's socket: requests to run the script, and whether one is open.

    The page's own signs can be missed: on a busy machine a whole run passes between two frames.
    """

    def __init__(self, page: Page) -> None:
        self.asked = 0
        self.is_open = False
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, payload: bytes | str) -> None:
        if isinstance(payload, bytes):
            message = BackMsg.FromString(payload)
            if message.WhichOneof("type") == "rerun_script":
                self.asked += 1
                self.is_open = True

    def _received(self, payload: bytes | str) -> None:
        if isinstance(payload, bytes):
            message = ForwardMsg.FromString(payload)
            if (
                message.WhichOneof("type") == "script_finished"
                and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            ):
                self.is_open = False

    def wait(self, page: Page, asked: int) -> None:
        """Wait until this many requests were made and the last one is answered."""
        until = time.monotonic() + LONGEST
        while self.asked < asked or self.is_open:
            assert time.monotonic() < until, "the app did not answer"
            page.wait_for_timeout(10)  # lets the events of the socket come in


@contextmanager
def heard(page: Page, event: str, listener: Callable[[Any], object]) -> Iterator[None]:
    """Tell a listener of an event as long as it lasts: the tab is of all tests."""
    page.on(event, listener)  # type: ignore[call-overload]
    yield
    page.remove_listener(event, listener)


TRAFFIC: WeakKeyDictionary[Page, Traffic] = WeakKeyDictionary()


def settle(page: Page, calm: int = CALM) -> None:
    """Wait until nothing moves any more."""
    page.wait_for_function("() => document.querySelector('[data-testid=stApp]') !== null")
    page.evaluate(AT_REST, calm)


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """Wait until the app has answered what is done inside, and the answer is drawn."""
    before = TRAFFIC[page].asked
    yield
    TRAFFIC[page].wait(page, before + 1)
    settle(page, ANSWERED)


def followed(page: Page) -> None:
    """Wait until the app has heard of another window or theme, and what fits it is drawn."""
    size = page.viewport_size
    assert size is not None
    page.wait_for_function(TOLD, arg=[size["width"], size["height"]])
    settle(page, ANSWERED)  # what the page asks for is on its way
    TRAFFIC[page].wait(page, 0)
    settle(page, ANSWERED)


def words_apart(page: Page) -> list[Word]:
    """The words of all pictures, of which none covers another one or leaves the screen."""
    words: list[Word] = page.evaluate(WORDS)
    wide = page.evaluate("innerWidth")
    assert [one for one in words if one[1] < 0 or one[2] > wide] == []
    assert [(a[0], b[0]) for a, b in itertools.combinations(words, 2) if _covers(a, b)] == []
    return words


def _covers(one: Word, other: Word) -> bool:
    across = one[1] < other[2] and other[1] < one[2]
    return across and one[3] < other[4] and other[3] < one[4]


def visit(page: Page, address: str) -> None:
    if page not in TRAFFIC:
        TRAFFIC[page] = Traffic(page)
    with answered(page):
        page.goto(address)
        page.wait_for_selector("h1")


def go_to(page: Page, title: str) -> None:
    """Follow an entry of the menu, as a person does: within the session."""
    section, file = next(
        (section, file)
        for section, rows in frame.PAGES.items()
        for file, name in rows
        if name == title
    )
    with answered(page):
        if section:
            page.get_by_test_id("stHeader").get_by_text(section, exact=True).click()
            page.get_by_role("menuitem", name=title, exact=True).click()
        else:
            page.get_by_test_id("stTopNavLink").filter(has_text=title).click()
        page.wait_for_function(
            "file => location.pathname.endsWith('/' + file)", arg="" if file == "start" else file
        )


def answer(where: Page | FrameLocator, give: Callable[[], object]) -> None:
    """Answer the question of a scene by a click or a key: twice where it asks "Sure?"."""
    sure = where.locator(".stage .sure")
    twice = sure.count() > 0
    give()
    if twice:
        expect(sure).to_have_text(SURE)
        give()


def ask(page: Page) -> None:
    """Ask for the draw of a file or table that the page waits with, at the price that it says."""
    button = page.get_by_role("button", name=re.compile(r"^Draw, [ερ] = "))
    with answered(page):
        button.first.click()
    assert button.count() == 0


def upload(page: Page, file: Path | dict[str, Any], *, truth: bool = True) -> None:
    """Hand over a file on the Data page; it starts with the truth off, which truth=False keeps."""
    name = file.name if isinstance(file, Path) else file["name"]
    main = page.get_by_test_id("stMain")
    button = page.get_by_role("button", name=FILE_BUTTON)
    if button.count() == 0:
        go_to(page, "Data")
    with opened(page, button), answered(page):
        page.locator("input[type=file]").set_input_files(file)
        main.locator("strong", has_text=name).first.wait_for()
    is_read = main.get_by_text("was not read").count() == 0
    if truth and is_read and not page.get_by_label("Truth", exact=True).first.is_checked():
        switch(page, "Truth")


@contextmanager
def opened(page: Page, button: Locator) -> Iterator[None]:
    """A popover that is open inside."""
    button.first.click()
    settle(page)
    yield
    page.keyboard.press("Escape")
    page.get_by_test_id("stPopoverBody").first.wait_for(state="hidden")
    settle(page)


def write(page: Page, label: str, text: str) -> None:
    """Type something new into a field of the page or the sidebar."""
    field = page.get_by_label(label, exact=True).first
    field.fill(text)
    with answered(page):
        field.press("Enter")


def declare(page: Page, low: str, high: str, resolution: str | None = None) -> None:
    """Type the bounds, and the steps if they are given, wherever the page takes them."""
    with opened(page, page.get_by_role("button", name="Type the numbers")):
        write(page, "Lower bound", low)
        write(page, "Upper bound", high)
        if resolution is not None:
            write(page, "Resolution", resolution)


def choose(page: Page, label: str, option: str) -> None:
    """Choose something new from a list that opens."""
    page.get_by_role("combobox", name=label, exact=True).click()
    with answered(page):
        page.get_by_role("option", name=option, exact=True).click()


def look_below(page: Page) -> None:
    """Look below the picture, where numbers and files are: they are drawn once somebody does."""
    waits = page.locator(".st-key-below_waits")
    if waits.count():
        with answered(page):
            waits.scroll_into_view_if_needed()
        expect(waits).to_have_count(0)


def link(page: Page) -> dict[str, str]:
    """What stands in the address."""
    return {key: one[0] for key, one in parse_qs(urlsplit(page.url).query).items()}


def headline(page: Page) -> str:
    return page.locator("h1").inner_text()


def press(page: Page, name: str) -> None:
    """Press a button or a pill, or one option of a segmented control."""
    look_below(page)
    button = page.get_by_role("button", name=name, exact=True)
    with answered(page):
        button.or_(page.get_by_role("radio", name=name, exact=True)).first.click()


def look_at(page: Page, view: str) -> None:
    """Choose a view among the tabs under the headline."""
    with answered(page):
        page.locator(".st-key-views").get_by_role("radio", name=view, exact=True).click()


def switch(page: Page, label: str) -> None:
    """Flip a toggle or a checkbox."""
    with answered(page):
        page.get_by_text(label, exact=True).click()


def chart(page: Page, number: int = 0) -> list[dict[str, Any]]:
    """The traces of a chart as they are drawn, arrays decoded."""
    traces: list[dict[str, Any]] = page.evaluate(CHART, number)
    for trace in traces:
        for axis in ("x", "y", "z"):
            trace[axis] = decoded(trace[axis])
    return traces


def decoded(given: Any) -> Any:
    if isinstance(given, dict) and "bdata" in given:
        return np.frombuffer(base64.b64decode(given["bdata"]), dtype=np.dtype(given["dtype"]))
    return given


def curve(page: Page, name: str) -> tuple[Any, Any]:
    """One private curve of the first chart without its ends: values and quantiles."""
    (trace,) = [one for one in chart(page) if one["name"] == name]
    return trace["x"][1:-1], trace["y"][1:-1]


def names(page: Page, number: int = 0) -> list[str]:
    return [trace["name"] for trace in chart(page, number)]


def errors(page: Page) -> list[str]:
    """The messages on the page that say what is wrong."""
    return [box.inner_text() for box in page.get_by_test_id("stAlert").all()]


def tracebacks(page: Page) -> Locator:
    return page.get_by_test_id("stException")


def download(page: Page, button: str) -> str:
    """The text of the file that a button hands out."""
    look_below(page)
    with page.expect_download() as found:
        page.get_by_role("button", name=button, exact=True).click()
    return Path(found.value.path()).read_text(encoding="utf-8")
