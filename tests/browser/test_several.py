"""Two processes behind HAProxy: who is sent where, what arrives, and what one death costs."""

import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext

from dpviz.balancer import COOKIE, LETTERS
from dpviz.ui.visit.screen import LOST
from tests.browser.conftest import START_SECONDS, free_port
from tests.browser.steps import FILE_BUTTON, go_to, settle, tracebacks, upload, visit
from tests.conftest import ROOT

BROWSERS, FILES = 6, 10
BASE = "/dpviz"


# further files of the same session, as Streamlit's own page hands them over
UPLOAD = """
async ([first, headers, count]) => {
  const statuses = [];
  for (let number = 0; number < count; number++) {
    const body = new FormData();
    body.append("file", new File([`age\\n${number}\\n`], `more_${number}.csv`));
    const url = first.replace(/[^/]+$/, crypto.randomUUID());
    statuses.push((await fetch(url, { method: "PUT", headers, body })).status);
  }
  return statuses;
}
"""


@dataclass
class Class:
    """A running app of two processes at a base path, as `make serve` starts it."""

    supervisor: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{BASE}"

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def processes(self) -> dict[str, int]:
        """The process id behind each letter, from the environment that it was started with."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int(re.search(r"\nPPid:\s+(\d+)", (folder / "status").read_text())[1])
                given = (folder / "environ").read_bytes()
            except (OSError, TypeError):
                continue
            number = re.search(rb"(?:^|\0)DPVIZ_PROCESS=(\d+)\0", given)
            if parent == self.supervisor.pid and number:
                found[LETTERS[int(number[1])]] = int(folder.name)
        return found

    def ask(self, path: str, cookie: str = "") -> tuple[int, list[str]]:
        """The status of an answer and the letters that its cookies of HAProxy set."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
            answer = connection.getresponse()
            set_ = answer.msg.get_all("Set-Cookie") or []
            return answer.status, [
                one.split(";")[0].partition("=")[2] for one in set_ if one.startswith(f"{COOKIE}=")
            ]
        finally:
            connection.close()


@pytest.fixture(scope="module")
def together(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Class]:
    if shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin") is None:
        pytest.skip("NO HAPROXY: it is not installed, so several processes were not tested")
    if not Path("/proc").is_dir():
        pytest.skip("NO /proc: the processes could not be told apart")
    port, log = free_port(), tmp_path_factory.mktemp("several") / "log.txt"
    environment = {
        **os.environ,
        "PORT": str(port),
        "WORKERS": "2",
        "BASE_PATH": BASE,
        "STREAMLIT_SERVER_FILE_WATCHER_TYPE": "none",
    }
    with log.open("wb") as output:
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "scripts.serve"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    served = Class(supervisor, port, log)
    try:
        until = time.monotonic() + START_SECONDS
        while f"dpviz is ready at {served.address} " not in served.said():
            if supervisor.poll() is not None or time.monotonic() > until:
                pytest.fail(f"The processes did not start:\n{served.said()}")
            time.sleep(0.1)
        yield served
    finally:
        left = served.processes()
        supervisor.terminate()
        try:
            assert supervisor.wait(timeout=15) == 0
        finally:
            supervisor.kill()
        assert set(left) == {"A", "B"}
        assert not any(Path(f"/proc/{number}").exists() for number in left.values())


def opened_by(browser: Browser, served: Class, letter: str | None = None) -> BrowserContext:
    """A browser of somebody new; with a letter, one that belongs to this process."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.set_default_timeout(60_000)
    if letter is not None:
        context.add_cookies([{"name": COOKIE, "value": letter, "url": served.address}])
    return context


def letter_of(context: BrowserContext) -> str:
    (found,) = (one["value"] for one in context.cookies() if one["name"] == COOKIE)
    return found


def ages(name: str) -> dict[str, Any]:
    lines = "\n".join(str(20 + number % 60) for number in range(500))
    return {"name": name, "mimeType": "text/csv", "buffer": f"age\n{lines}\n".encode()}


def test_a_lecture_is_found_whatever_cookie_a_browser_has(together: Class) -> None:
    for own in ("", "dpviz=A", "other=1; dpviz=B; more=2"):
        for code in ("A1234", "b1234"):
            for path in (
                f"{BASE}/learn?story=teach&follow={code}",
                f"{BASE}/learn?lead={code}",
                f"{BASE}/lecture/{code}/step",
            ):
                status, letters = together.ask(path, own)
                assert status in (200, 404)  # of the last path, as long as nothing answers there
                assert letters == [code[0].upper()]
    # a code of a process that there is not, and none: anybody may answer, and says who it was
    for path in (f"{BASE}/learn?follow=Z1", f"{BASE}/learn?follow="):
        status, letters = together.ask(path)
        assert status == 200
        assert len(set(letters)) == 1
        assert set(letters) <= {"A", "B"}
    # without a lecture a browser stays where it is
    assert together.ask(f"{BASE}/learn", "dpviz=B") == (200, [])


def test_no_secret_is_said(together: Class) -> None:
    numbers = [*together.processes().values(), together.supervisor.pid]
    for number in numbers:
        assert b"secret" not in Path(f"/proc/{number}/cmdline").read_bytes().lower()
    secrets = {
        re.search(rb"STREAMLIT_SERVER_COOKIE_SECRET=([^\0]+)", environment)[1]
        for number in together.processes().values()
        for environment in [Path(f"/proc/{number}/environ").read_bytes()]
    }
    (secret,) = secrets  # one for all
    assert len(secret) == 64
    assert secret.decode() not in together.said()


@pytest.mark.thorough
def test_sixty_uploads_and_all_media_arrive(browser: Browser, together: Class) -> None:
    contexts = [opened_by(browser, together) for _ in range(BROWSERS)]
    pages = [context.new_page() for context in contexts]
    for which, page in enumerate(pages):
        visit(page, f"{together.address}/quantiles?truth=0&seed={100 + which}")
    letters = [letter_of(context) for context in contexts]
    assert set(letters) == {"A", "B"}

    for page, letter in zip(pages, letters, strict=True):
        with page.expect_download() as saved:
            page.get_by_role("button", name="Download", exact=True).first.click()
        assert '"ApproximateQuantiles"' in Path(saved.value.path()).read_text(encoding="utf-8")
        path = urlsplit(saved.value.url).path
        assert path.startswith(f"{BASE}/media/")
        # a release of its own, which the other process has never made
        asked = {one: together.ask(path, f"{COOKIE}={one}")[0] for one in "AB"}
        assert asked == {one: 200 if one == letter else 404 for one in "AB"}

    statuses, uploads = [], []
    for which, page in enumerate(pages):
        go_to(page, "Data")
        page.get_by_role("button", name=FILE_BUTTON).first.click()
        name = f"mine_{which}.csv"
        with page.expect_request(re.compile("/_stcore/upload_file/")) as sent:
            page.locator("input[type=file]").set_input_files(ages(name))
        page.get_by_test_id("stMain").locator("strong", has_text=name).first.wait_for()
        headers = {"X-Xsrftoken": sent.value.headers["x-xsrftoken"]}
        uploads.append((sent.value.url, headers))
        statuses += page.evaluate(UPLOAD, [*uploads[-1], FILES - 1])
        statuses.append(sent.value.response().status)
        assert tracebacks(page).count() == 0
    assert statuses == [204] * BROWSERS * FILES

    # a browser that has lost its cookie would not do so well
    (other,) = set("AB") - {letters[0]}
    contexts[0].add_cookies([{"name": COOKIE, "value": other, "url": together.address}])
    assert pages[0].evaluate(UPLOAD, [*uploads[0], 1]) == [400]
    for context in contexts:
        context.close()


def test_one_death_costs_only_its_own_sessions(browser: Browser, together: Class) -> None:
    stays, falls = (opened_by(browser, together, letter) for letter in ("A", "B"))
    pages = [context.new_page() for context in (stays, falls)]
    for page in pages:
        visit(page, f"{together.address}/data?eps=0.7")
        upload(page, ages("mine.csv"), truth=False)
    here, there = pages
    sessions: list[str] = []
    here.on("websocket", lambda socket: sessions.append(socket.url))

    assert there.get_by_test_id("stToast").count() == 0  # nothing is said before it is true
    before = together.processes()
    os.kill(before["B"], signal.SIGKILL)
    there.get_by_test_id("stToast").get_by_text(LOST).wait_for()
    settle(there)
    assert there.get_by_test_id("stMain").get_by_text("mine.csv").count() == 0
    assert "eps=0.7" in there.url
    go_to(there, "Quantiles")  # and it works
    assert tracebacks(there).count() == 0

    go_to(here, "Quantiles")
    go_to(here, "Data")
    assert here.get_by_test_id("stMain").get_by_text("mine.csv").count() > 0
    assert sessions == []
    assert here.get_by_test_id("stToast").count() == 0

    until = time.monotonic() + START_SECONDS
    while together.processes().get("B", before["B"]) == before["B"]:
        assert time.monotonic() < until, together.said()
        time.sleep(0.1)
    assert "Process 2 of 2 has stopped (signal SIGKILL). It is started again in 1 s." in (
        together.said()
    )
    assert "mine" not in together.said()
    for context in (stays, falls):
        context.close()


def test_links_lead_below_the_base_path(browser: Browser, together: Class) -> None:
    context = opened_by(browser, together)
    page = context.new_page()
    for start in (together.address, f"{together.address}/"):
        visit(page, start)
        links = page.locator("a[data-door]").evaluate_all("all => all.map(one => one.href)")
        assert links == [f"{together.address}/{name}" for name in ("learn", "decide", "quantiles")]
    visit(page, f"{together.address}/learn?view=teacher")
    code = page.get_by_text("Students go by themselves at").first.inner_text()
    assert code == f"Students go by themselves at {together.address}/learn?story=teach&scene=1"
    scene = page.locator("a", has_text="Present this scene").first
    assert scene.evaluate("one => one.href").startswith(f"{together.address}/learn?story=")
    context.close()
