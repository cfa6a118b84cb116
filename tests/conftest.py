"""Fixtures for every test; hypothesis draws the same examples on every run."""

from __future__ import annotations

import faulthandler
import fcntl
import gc
import logging
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import settings
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.session_state import (
    STREAMLIT_INTERNAL_KEY_PREFIX,
    SessionState,
)
from streamlit.testing.v1 import app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from dpviz.ui.decide import checking
from dpviz.ui.visit import folded

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
# in this order: a worker must not begin with one of them when all others are done
LONGEST = ("browser", "pages", "experiments", "test_wheel.py")
LONGEST_SECONDS = 600  # of a test, with what it sets up and takes down
SLOW = ("law", "page", "browser")
SITE_ADDRESS, SITE_APP = "https://example.org/dp/", "https://app.example.org/"
MARKED = {"pages": "page", "browser": "browser"}  # every test below this folder has this marker


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """What is imported stays to the end: no collection of garbage looks at it.

    Those of what tests make come fifty times as seldom: they took a third of what parses and draws.
    Logs of Streamlit's seventy modules go to the root's: pytest would join each of them three times
    a test, a third of what a test costs that does nothing.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(35_000)
        gc.enable()
        for logger in logging.root.manager.loggerDict.values():
            if isinstance(logger, logging.Logger):
                logger.propagate = True


@pytest.hookimpl(tryfirst=True)  # before -m selects by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in MARKED:
            item.add_marker(MARKED[folder])
    for item, later in beyond_few(items):
        slow = any(map(item.get_closest_marker, SLOW))
        item.add_marker(("law", "thorough")[min(slow + later, 1)])
    items.sort(key=turn)


def beyond_few(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, bool]]:
    """Of the cases of a function marked few(n) all but n that are spread evenly over them.

    With each, whether it lies beyond the second number of few(n, m), too.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for table in cases.values():
        few, more = (*table[0].get_closest_marker("few").args, len(table))[:2]
        first, second = spread(len(table), few), spread(len(table), more)
        for at, item in enumerate(table):
            if at not in first:
                yield item, at not in second


def spread(length: int, few: int) -> set[int]:
    """Places of the first, the last and others between them."""
    return {round(at * (length - 1) / (few - 1)) for at in range(few)} if few > 1 else {0}


def turn(item: pytest.Item) -> int:
    """When a file begins: those that last longest come first, the others keep their order."""
    folder = item.path.relative_to(TESTS).parts[0]
    return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test that waits for ever fails: what it has started is ended, and with it most waits."""
    rung = False

    def ring(*_: object) -> None:
        nonlocal rung
        if rung:
            raise TimeoutError(f"{item.nodeid} waits for something else than its processes.")
        rung = True
        with open(os.dup(2), "w", encoding="utf-8") as said:  # pytest keeps the stream itself
            print(f"{item.nodeid} lasts {LONGEST_SECONDS} s: its processes are ended.", file=said)
            faulthandler.dump_traceback(said)
        end_processes_below()

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_SECONDS, 30)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def end_processes_below() -> None:
    """Ends every process that this one has started, and those that they have."""
    below, parents = {os.getpid()}, parents_of_processes()
    while more := {one for one, parent in parents.items() if parent in below} - below:
        below |= more
    for one in below - {os.getpid()}:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)


def parents_of_processes() -> dict[int, int]:
    """The parent of every process, where the system tells; else nothing."""
    found = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            after = file.read_text(errors="replace").rpartition(")")[2]
            found[int(file.parent.name)] = int(after.split()[1])
    return found


class LaterPages(PagesManager):
    """The pages of a server that has heard from app.py which ones there are."""

    def __init__(self, *app: Any, **others: Any) -> None:
        super().__init__(*app, **others)
        PagesManager.uses_pages_directory = False


class Entries(Mapping[str, Any]):
    """What a session keeps under names of its own, each looked up when it is asked for."""

    listed: Any = SessionState.filtered_state

    def __init__(self, kept: SessionState) -> None:
        self.kept = kept

    def __getitem__(self, key: str) -> Any:
        if is_element_id(key) or key.startswith(STREAMLIT_INTERNAL_KEY_PREFIX):
            raise KeyError(key)
        return self.kept[key]

    def __iter__(self) -> Iterator[str]:
        return iter(Entries.listed.fget(self.kept))

    def __len__(self) -> int:
        return len(Entries.listed.fget(self.kept))


@pytest.fixture(scope="session", autouse=True)
def quick_test_runner() -> Iterator[None]:
    """Streamlit's test runner without what takes it longer than the app.

    It reads what every installed package says of itself anew for every session, compiles all
    scripts and collects all garbage for every run, and looks a thousand times a second whether a
    run is over. It takes every run for the first one of its server, in which a page goes without
    app.py until the frame asks for another run; names every message for a browser that there is
    none of; and lists all that a session keeps for each number that is typed.
    """

    def wait(runner: LocalScriptRunner, timeout: float = 3) -> None:
        if runner._script_thread is not None:
            runner._script_thread.join(timeout)
        if not runner.script_stopped():
            look(runner, 0.01)  # says so

    look = local_script_runner.require_widgets_deltas
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        scripts = app_test.ScriptCache()
        patch.setattr(app_test, "ScriptCache", lambda: scripts)
        scan = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        patch.setattr(app_test, "PagesManager", LaterPages)
        patch.setattr(script_run_context, "populate_hash_if_needed", lambda _: None)
        patch.setattr(SessionState, "filtered_state", property(Entries))
        config.set_option("runner.postScriptGC", False)
        yield


@pytest.fixture(autouse=True, scope="session")
def everything_open() -> Iterator[None]:
    """Streamlit's test runner cannot open a popover: what is in one is drawn without a click.

    Nor does it look again by itself: a check of an answer is done where it is asked for.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folded, "ALWAYS_OPEN", True)
        patch.setattr(checking, "BESIDE", False)
        yield


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20210829)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real columns that lies beside the repository, never inside it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real data: {folder} is not there")
    return folder


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, written once for all workers; only looked at.

    But for pictures of links, which last as long as a fifth of it: tests/site/test_preview.py.
    """
    from dpviz.site import build  # noqa: PLC0415  most runs need none of it

    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent  # of all workers of this run
    with (place / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "site").exists():
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(build, "png", lambda *_: b"\x89PNG")
                build.write(place / "part", single=True, address=SITE_ADDRESS, app=SITE_APP)
            (place / "part").rename(place / "site")
    return place / "site"


@pytest.fixture(scope="session")
def roads_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1.63 million points strung along a few hundred roads, as large as the paper's set."""
    rng, count = np.random.default_rng(163), 1_630_000
    ends = rng.random((300, 2, 2))
    road = rng.integers(0, 300, count)
    along = rng.beta(0.6, 0.6, count)[:, None]
    spread = rng.normal(scale=0.002, size=(count, 2))
    at = np.clip(ends[road, 0] * (1 - along) + ends[road, 1] * along + spread, 0, 1)
    file = tmp_path_factory.mktemp("roads") / "roads.csv"
    table = pa.table({"x": np.round(at[:, 0], 6), "y": np.round(at[:, 1], 6)})
    pyarrow.csv.write_csv(table, file)
    return file
