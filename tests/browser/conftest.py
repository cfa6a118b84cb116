"""The app as a person meets it: a server in its own process and a real Chromium.

Playwright's event loop runs in the main thread and would disturb AppTest, so the browser lives
for this folder only; the shared server is a plain process and lives for the session. Pictures stand
still unless a test asks for `moving`: what moves costs more than all else, and ends in the same
picture.
"""

import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    WebSocket,
    sync_playwright,
)

from dpviz.several import is_healthy
from tests.browser.first_screen import Window
from tests.browser.steps import heard
from tests.conftest import ROOT

START_SECONDS = 60
POLICY = "Content Security Policy"  # what the browser says of anything that it does not load
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-opt --no-maglev",  # no page stays long enough to be worth the best code
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_app(
    log: Path,
    script: str = "dpviz/ui/server/asgi.py",
    home: Path | None = None,
    port: int | None = None,
) -> Iterator[str]:
    """The address of a freshly started app; its output goes to log, its secrets are in home."""
    port = port or free_port()
    options = {
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.headless": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    command = [sys.executable, "-m", "streamlit", "run", script, *arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ if home is None else os.environ | {"HOME": str(home)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            until = time.monotonic() + START_SECONDS
            while not is_healthy(port):
                if process.poll() is not None or time.monotonic() > until:
                    pytest.fail(f"The app did not start:\n{log.read_text(errors='replace')}")
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser to drive; without one the test is skipped, in CI it fails."""
    if path := os.environ.get("DPVIZ_CHROMIUM"):
        return path
    # only looks: installing one is for `make test`, which then says where it is
    found = subprocess.run(
        ["sh", "scripts/find_browser.sh", "--installed"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode == 0:
        return found.stdout.strip()
    if os.environ.get("CI"):
        pytest.fail(found.stderr)
    pytest.skip("NO BROWSER: no Chromium found, so the app was not tested in a real browser")


@pytest.fixture(scope="session")
def server(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, one server for all tests."""
    with running_app(tmp_path_factory.mktemp("server") / "log.txt") as address:
        yield address


@pytest.fixture
def fresh_server(chromium_path: str, tmp_path: Path) -> Iterator[str]:
    """The address of a server that nobody has visited yet."""
    with running_app(tmp_path / "server.log") as address:
        yield address


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(chromium_path: str, playwright: Playwright) -> Iterator[Browser]:
    chromium = playwright.chromium.launch(executable_path=chromium_path, args=FLAGS)
    yield chromium
    chromium.close()


def fox_of(playwright: Playwright, folder: Path, *, scripts: bool = True) -> Browser:
    """The Firefox of DPVIZ_FIREFOX, driven as `firefox.py` says; else the test is skipped."""
    if not (path := os.environ.get("DPVIZ_FIREFOX")):
        pytest.skip("NO FIREFOX: `make site-check` tests the static edition in it, too")
    command = shlex.join([sys.executable, str(Path(__file__).with_name("firefox.py")), path])
    started = folder / "firefox.sh"
    started.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    started.chmod(0o755)
    return playwright.firefox.launch(
        channel="moz-firefox",
        executable_path=started,
        firefox_user_prefs={"ui.prefersReducedMotion": 1, "javascript.enabled": scripts},
    )


@pytest.fixture(scope="package")
def firefox(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Firefox, where it is there."""
    fox = fox_of(playwright, tmp_path_factory.mktemp("firefox"))
    yield fox
    fox.close()


@pytest.fixture(scope="package")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What all tabs share: what the browser has fetched already, nothing of the app."""
    shared = context_of(browser)
    yield shared
    shared.close()


def context_of(browser: Browser) -> BrowserContext:
    """A context of a desk in daylight, in which pictures stand still."""
    made = browser.new_context(
        viewport={"width": 1440, "height": 900},
        color_scheme="light",
        reduced_motion="reduce",
        accept_downloads=True,
    )
    made.set_default_timeout(20_000)
    return made


@pytest.fixture(scope="package")
def refused() -> list[str]:
    """What the policy of a server forbade its own page to load in the tab."""
    return []


@pytest.fixture(scope="package")
def tab(context: BrowserContext, refused: list[str]) -> Iterator[Page]:
    """The tab of all files: to open another takes longer than to load the app in it anew."""
    page = context.new_page()
    page.on("console", lambda said: refused.extend([said.text] * (POLICY in said.text)))
    yield page
    page.close()


@pytest.fixture
def page(tab: Page, refused: list[str], request: pytest.FixtureRequest) -> Iterator[Page]:
    """An empty page at 1440 x 900; needs an address from server or fresh_server.

    Every visit is a session of its own, and loads nothing that the policy of its server forbids.
    """
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.emulate_media(media="null", color_scheme="light", reduced_motion="reduce")
    refused.clear()
    yield tab
    if os.environ.get("DPVIZ_SCREENSHOTS"):  # a folder: how the page looked at the end
        tab.screenshot(path=Path(os.environ["DPVIZ_SCREENSHOTS"]) / f"{request.node.name}.png")
    tab.goto("about:blank")
    assert refused == []


@pytest.fixture
def received(page: Page) -> Iterator[list[str]]:
    """Everything that the server sends over the page's socket, as text."""
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on(
            "framereceived",
            lambda data: frames.append(
                data if isinstance(data, str) else data.decode("utf-8", "replace")
            ),
        )

    with heard(page, "websocket", listen):
        yield frames


@pytest.fixture
def moving(page: Page) -> Page:
    """An empty page whose pictures move."""
    page.emulate_media(reduced_motion="no-preference")
    return page


@pytest.fixture
def window(page: Page, server: str) -> Iterator[Window]:
    """The tab for many pages, at all sizes."""
    one = Window(page, server)
    with heard(page, "request", one.look):
        yield one
