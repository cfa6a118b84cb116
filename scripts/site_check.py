"""Checks the static edition: `make site-check`; the exit code says whether all of it holds.

First its figures: builds the site twice, measures its files, serves it packed on a slow line and
opens every scene in a browser with an empty cache: how soon its picture is there, and how soon it
reacts to a key. The line is the browser's own throttle. A busy machine makes times longer, never
shorter, so that a build is measured by the processor's time.

Then the tests of PARTS, those in Firefox beside all others; the end says how each part went.
"""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import Browser, sync_playwright

from benchmarks._chromium import chromium_path
from dpviz.lessons.stories.listing import STORIES
from dpviz.site.scenes import page_of
from tests.browser.conftest import FLAGS

SITE, SCENE, ALONE = 1_600_000, 200_000, 600_000  # bytes: packed, packed with what it loads, whole
PREVIEWS = 650_000  # bytes of all pictures for links, which no page loads
BUILD = 20.0  # s
PICTURE, REACTION = 0.6, 1.2  # s on the slow line
SPEED, LATENCY = 1.6e6 / 8, 150  # bytes/s, ms
ROUNDS = 3  # visits of a page, of which the middle one counts
SHARED = ("dpviz.js", "sans.woff2", "serif.woff2")
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".woff2": "font/woff2"}
# what `make site-check` checks after the figures: by what stands in the names of tests; the first
# part that names a test has it
PARTS = {
    "the wheel builds the same site": (
        "tests/test_wheel.py::test_it_writes_the_repositorys_site_without_streamlit",
    ),
    "dp.scene in notebooks": ("test_notebook.py::",),
    "the app's pixels": ("test_site_same.py::",),
    "no scripts": ("without_a_script",),
    "a copy walked by keyboard": ("keyboard", "typed_guesses"),
    "axe": ("test_axe",),
    "frames": ("in_a_frame", "sandboxed_frame", "words_that_meet", "examples_for_teachers"),
    "every state, from disk": ("tests/browser/test_site.py::",),
    "what the files hold": ("tests/site/",),
}
WHEEL, *_ = PARTS["the wheel builds the same site"]
TESTS = (
    *("tests/site", "tests/browser/test_site.py", "tests/browser/test_site_same.py"),
    *("tests/browser/test_notebook.py", WHEEL),
)
# when the early picture is painted, and when a key that reveals has changed the heading
WATCH = """
(() => {
  const look = () => {
    const early = document.querySelector(".early.w, .picture > svg > g");
    if (!early || !early.getBoundingClientRect().width) return void requestAnimationFrame(look);
    requestAnimationFrame(() => { window.pictured = performance.now(); });
  };
  look();
  const press = () => {
    const heading = document.querySelector("h1");
    if (heading) window.first ??= heading.textContent;
    if (heading && heading.textContent !== window.first) {
      window.reacted = performance.now();
      return;
    }
    dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, composed: true }));
    setTimeout(press, 10);
  };
  press();
})();
"""


def size(file: Path) -> int:
    """Bytes on the wire."""
    data = file.read_bytes()
    return len(data if file.suffix in {".woff2", ".png"} else gzip.compress(data, 9))


def build(folder: Path) -> float:
    """Seconds of the processor that the command takes; how long it lasted is printed."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    options = ["--single", "--address", "https://example.org/dp", "--app", "https://example.org"]
    command = [sys.executable, "-m", "dpviz", "site", str(folder), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"a build lasted {time.perf_counter() - began:.1f} s")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of the folder, whose files go out packed, as a web space has them lying there."""
    lying = {
        file.name: gzip.compress(file.read_bytes(), 9)
        for file in folder.iterdir()
        if file.suffix in {".html", ".js"}
    }

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            file = folder / self.path.split("?")[0].strip("/")
            found = file.is_file()
            body = lying.get(file.name) or (file.read_bytes() if found else b"")
            self.send_response(200 if found else 404)
            self.send_header("content-type", KINDS.get(file.suffix, "text/plain"))
            if file.name in lying:
                self.send_header("content-encoding", "gzip")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing of every request."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def visit(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds until the picture and until the first reaction, with an empty cache."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    limits = {"latency": LATENCY, "downloadThroughput": SPEED, "uploadThroughput": SPEED}
    session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    page.add_init_script(WATCH)
    page.goto(address, wait_until="commit", timeout=60_000)
    page.wait_for_function("window.pictured && window.reacted", timeout=60_000)
    seen = page.evaluate("[window.pictured, window.reacted]")
    context.close()
    return seen[0] / 1000, seen[1] / 1000


def figures(path: str) -> int:
    """Print every figure beside its limit; how many are wrong."""
    wrong = 0

    def say(what: str, found: float, most: float, unit: str) -> None:
        nonlocal wrong
        wrong += found > most
        print(
            f"{what:40} {found:8.2f} {unit:3} at most {most:g}{' WRONG' * (found > most)}",
            flush=True,
        )

    with tempfile.TemporaryDirectory() as temporary:
        one, two = Path(temporary, "one"), Path(temporary, "two")
        say("build, processor time", min(build(one), build(two)), BUILD, "s")
        different = [f.name for f in one.iterdir() if f.read_bytes() != (two / f.name).read_bytes()]
        say("files that differ when built again", len(different), 0, "")
        shown = list(one.glob("*.png"))
        whole = {*one.iterdir()} - {*shown, *one.glob("alone-*")}
        say("pictures for links", sum(map(size, shown)) / 1e3, PREVIEWS / 1e3, "kB")
        say("the site, packed", sum(map(size, whole)) / 1e3, SITE / 1e3, "kB")
        loaded = sum(size(one / name) for name in SHARED)
        names = [page_of(story, scene.number) for story in STORIES for scene in story.scenes]
        largest = max(names, key=lambda name: size(one / name))
        say(
            f"{largest}, packed, with all it loads",
            (size(one / largest) + loaded) / 1e3,
            SCENE / 1e3,
            "kB",
        )
        own = sum(size(one / name) for name in ("decide.html", "decide.js", *SHARED[1:]))
        say("decide.html, packed, with all it loads", own / 1e3, SCENE / 1e3, "kB")
        alone = max(one.glob("alone-*"), key=lambda file: file.stat().st_size)
        say(alone.name, alone.stat().st_size / 1e3, ALONE / 1e3, "kB")
        with served(one) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS[:-1])
            visit(browser, f"{address}/{names[0]}")  # the browser itself has started
            for name in names:
                found = list(
                    zip(*(visit(browser, f"{address}/{name}") for _ in range(ROUNDS)), strict=True)
                )
                say(f"{name}: picture", median(found[0]), PICTURE, "s")
                say(f"{name}: reaction", median(found[1]), REACTION, "s")
            browser.close()
    return wrong


def part_of(test: str) -> str:
    """The part that a test belongs to, by its node."""
    return next(name for name, words in PARTS.items() if any(word in test for word in words))


def told(found: Iterable[tuple[str, str, str]]) -> list[str]:
    """A line for every part, from each test's node, how it went, and why it was skipped."""
    ends, reasons = {name: Counter[str]() for name in PARTS}, {name: set[str]() for name in PARTS}
    for test, end, why in found:
        name = part_of(test)
        ends[name][end] += 1
        reasons[name] |= {why} if end == "skipped" else set()
    lines = []
    for name, many in ends.items():
        said = ", ".join(f"{count} {end}" for end, count in sorted(many.items())) or "nothing ran"
        wrong = " WRONG" * (not many or bool({"failed", "error"} & {*many}))
        lines += [f"{name:40} {said}{wrong}", *(f"    {why}" for why in sorted(reasons[name]))]
    return lines


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process has Firefox, the other one the rest."""
    for item in items:
        fox = "[firefox" in item.nodeid
        item.add_marker(pytest.mark.xdist_group("firefox" if fox else "chromium"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How each part went."""
    found = [
        (one.nodeid, end, one.longrepr[2] if end == "skipped" else "")
        for end in ("passed", "failed", "error", "skipped")
        for one in terminalreporter.stats.get(end, [])
    ]
    terminalreporter.section("the static edition")
    for line in told(found):
        terminalreporter.write_line(line)


def main() -> int:
    """Run everything, even when something before was wrong."""
    path = chromium_path()
    if path is None:
        return 1
    wrong = figures(path)
    options = ["-q", "-p", "scripts.site_check", "-n", "2", "--dist", "loadgroup"]
    command = [sys.executable, "-m", "pytest", *options, *TESTS]
    return min(wrong + subprocess.run(command, check=False).returncode, 1)


if __name__ == "__main__":
    sys.exit(main())
