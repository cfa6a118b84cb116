"""A first visit on a slow line: how many bytes a page sends, and how soon its picture is there.

A browser that has nothing of the app opens a page, on a line as slow as said; a second visit finds
what the first one left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks._chromium import chromium_path
from benchmarks.load import server
from benchmarks.targets import HALL, HOME, Row, first_bytes, first_picture, second_bytes
from tests.browser.conftest import FLAGS

# what is fetched in advance for the next page is no part of this one
ALONE = "Object.defineProperty(navigator, 'connection', {get: () => ({saveData: true})})"
QUIET = 1_500  # ms without traffic, after which a visit has everything
LONGEST = 120_000  # ms
PICTURES = {
    "stage": """[...document.querySelectorAll('*')].some(
        one => one.shadowRoot?.querySelector('.stage .picture svg g'))""",
    "plot": "document.querySelector('.js-plotly-plot .cartesianlayer .trace') !== null",
}
# when the picture is first there, in ms from the start of the navigation
WATCH = """
(() => {
  const look = () => {
    if (!document.body || !(%s)) return void setTimeout(look, 20);
    requestAnimationFrame(() => { window.pictured = performance.now(); });
  };
  look();
})();
"""


@dataclass(frozen=True, slots=True)
class Line:
    """A network: Mbit/s both ways, and the milliseconds of a round trip; None for no limit."""

    name: str
    speed: float
    latency: float


@dataclass(frozen=True, slots=True)
class Opened:
    """A page and what its picture is."""

    name: str
    path: str
    picture: str


FAST, SLOW = Line(HALL, 10, 20), Line(HOME, 1.6, 150)
PAGES = (
    Opened("Start", "/", "stage"),
    Opened("Learn, scene 1", "/learn?story=teach&scene=1", "stage"),
    Opened("Quantiles", "/quantiles", "plot"),
)
MEASURES = tuple(
    name
    for one in PAGES
    for name in (
        first_bytes(one.name),
        *(first_picture(one.name, line.name) for line in (FAST, SLOW)),
        second_bytes(one.name),
    )
)


class Traffic:
    """Bytes that came in: answers over HTTP as they were sent, and messages of the socket."""

    def __init__(self, page: Page, line: Line | None) -> None:
        self.page = page
        self.answers, self.messages, self.requests = 0, 0, 0
        self.sizes: dict[str, int] = {}
        self._names: dict[str, str] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        if line is not None:
            rate = line.speed * 1e6 / 8
            session.send(
                "Network.emulateNetworkConditions",
                {
                    "offline": False,
                    "latency": line.latency,
                    "downloadThroughput": rate,
                    "uploadThroughput": rate,
                },
            )
        listen: dict[str, Callable[[Any], None]] = {
            "Network.responseReceived": self._named,
            "Network.loadingFinished": self._loaded,
            "Network.webSocketFrameReceived": self._told,
        }
        for name, heard in listen.items():
            session.on(name, heard)

    def _named(self, event: Any) -> None:
        self._names[event["requestId"]] = event["response"]["url"].rsplit("/", 1)[-1]

    def _loaded(self, event: Any) -> None:
        size = int(event["encodedDataLength"])
        self.answers += size
        self.requests += size > 0
        self.sizes[self._names.get(event["requestId"], "?")] = size

    def _told(self, event: Any) -> None:
        said = event["response"]
        self.messages += len(said["payloadData"]) * (3 if said["opcode"] == 2 else 4) // 4

    @property
    def bytes(self) -> int:
        """All of it."""
        return self.answers + self.messages

    def rest(self) -> None:
        """Wait until nothing comes any more."""
        before = -1
        while before != self.bytes:
            before = self.bytes
            self.page.wait_for_timeout(QUIET)


def visit(
    context: BrowserContext, address: str, one: Opened, line: Line | None
) -> tuple[float, Traffic]:
    """Seconds until the picture of a page is there, and all that was sent for it."""
    page = context.new_page()
    traffic = Traffic(page, line)
    page.add_init_script(ALONE)
    page.add_init_script(WATCH % PICTURES[one.picture])
    page.goto(address + one.path, wait_until="commit", timeout=LONGEST)
    page.wait_for_function("() => window.pictured > 0", timeout=LONGEST)
    seconds = float(page.evaluate("() => window.pictured")) / 1000
    at_picture = traffic.bytes
    traffic.rest()
    print(
        f"{one.name}, {line.name if line else 'no limit'}: {seconds:.2f} s; {traffic.bytes:,} bytes"
        f" ({at_picture:,} by then) in {traffic.requests} answers; {traffic.messages:,} by socket",
        flush=True,
    )
    page.close()
    return seconds, traffic


def _measured(chromium: Browser, address: str, one: Opened) -> list[Row]:
    look: Any = {"viewport": {"width": 1440, "height": 900}}
    found = []
    for line in (FAST, SLOW):
        context = chromium.new_context(**look)
        seconds, traffic = visit(context, address, one, line)
        if line is FAST:
            found.append(Row(first_bytes(one.name), traffic.bytes / 1e6, "MB"))
            _, again = visit(context, address, one, None)
            found.append(Row(second_bytes(one.name), again.answers / 1e3, "kB"))
        found.append(Row(first_picture(one.name, line.name), seconds, "s"))
        context.close()
    return found


def run() -> list[Row]:
    """Each page first and again, on two lines."""
    path = chromium_path()
    if path is None:
        return []
    rows = []
    with server.running() as (address, _), sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS[:-1])
        for one in PAGES:
            rows += _measured(chromium, address.http, one)
        chromium.close()
    return rows


if __name__ == "__main__":
    run()
