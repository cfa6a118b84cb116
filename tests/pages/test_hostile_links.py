"""Links made to do harm: no number keeps the server busy, no text becomes a part of a page.

All keys of a page are tried at once, each key with each harmful number where the page opens, and
with one in a quarter of its other states; `thorough` tries all of them, and one by one.
"""

import ctypes
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.links import arriving
from tests.conftest import ROOT
from tests.pages.driver import healthy
from tests.pages.odd_links import (
    COMMON,
    DECLARED,
    FORGED,
    NUMBERS,
    OWN,
    PLACES,
    TEXTS,
    State,
    keys_of,
    spread,
)

SECONDS = 30  # that a run may take; the slowest page takes 3 on a busy machine
HARMFUL = ("0", "9" * 15, "1e300", "0.5")
LOOKS, PAUSE, BUSY = 10, 0.05, 0.1  # at the process, seconds of each, the share that is work
FIRST = [next(one for one in PLACES if one.page == page) for page in OWN]
SOME = [  # of the other states, one in four
    pytest.param(one, marks=[pytest.mark.thorough] * (one not in FIRST and at % 4 > 0))
    for at, one in enumerate(PLACES)
]
DETOURS = tuple(
    f"{text}_threshold" for text in TEXTS
)  # keys that nobody has, like one that a page has


def scripts() -> list[threading.Thread]:
    """The threads that run a page's script."""
    return [one for one in threading.enumerate() if one.name == "ScriptRunner.scriptThread"]


def end() -> None:
    """Let what the scripts compute fail: Streamlit's test runner would wait for them for ever."""
    for one in scripts():
        error = ctypes.py_object(TimeoutError)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(one.ident or 0), error)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """A script that takes longer fails."""
    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def entered(one: State, link: dict[str, str]) -> AppTest:
    """A fresh session that a link leads to a page, in time and without a key unknown here."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=2 * SECONDS)
    app.query_params.update(link)
    app.switch_page(f"pages/{one.page}.py")
    asked, linked = set(), arriving.linked

    def recorded(key: str) -> object:
        asked.add(key)
        return linked(key)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arriving, "linked", recorded)
        with limited(SECONDS):
            app.run()
    healthy(app)
    assert asked <= set(keys_of(one.page)), "a key that these tests do not know"
    return app


def is_idle() -> bool:
    """Whether nothing is computed any more."""
    return not scripts() and any(map(rests, range(LOOKS)))


def rests(_: int) -> bool:
    """Whether the process did nothing while nobody asked it to."""
    before = time.process_time()
    time.sleep(PAUSE)
    return time.process_time() - before < BUSY * PAUSE


def named(one: State) -> str:
    return "-".join([one.page, str(PLACES.index(one)), *one.link.values()])


@pytest.mark.parametrize("one", SOME, ids=named)
def test_no_number_keeps_the_server_busy(one: State):
    keys = (*COMMON, *OWN[one.page].split())
    for turn in range(len(HARMFUL) if one in FIRST else 1):
        entered(one, spread(one, HARMFUL, keys, turn))
    assert is_idle() if one in FIRST else not scripts()


@pytest.mark.few(6)
@pytest.mark.parametrize("one", FIRST, ids=named)
@pytest.mark.parametrize("ends", [("low", "resolution"), ("high", "size")], ids=str)
def test_no_declared_number_keeps_the_server_busy(one: State, ends: tuple[str, ...]):
    keys = [key for key in DECLARED if key.endswith(ends)]  # both ends at once stop most pages
    for turn in range(len(HARMFUL)):
        entered(one, spread(one, HARMFUL, keys, turn))
    assert is_idle()


def alone(one: State) -> tuple[str, ...]:
    """The keys of a state that are tried one by one: those that decide what is computed there."""
    if one not in FIRST:
        return one.keys
    own = tuple(OWN[one.page].split())
    if one.page not in {"quantiles", "trees", "map"}:
        return own
    return (*own, *COMMON, *(key for key in DECLARED if key.startswith(("exam", "towns"))))


@pytest.mark.thorough
@pytest.mark.parametrize("one", PLACES, ids=named)
def test_no_number_alone_keeps_the_server_busy(one: State):
    for key in alone(one):
        for number in NUMBERS:
            entered(one, one.link | {key: number})
    assert is_idle()


def endless() -> None:
    """A page whose script never ends."""
    while True:
        pass


def test_a_script_that_goes_on_is_seen_and_ended():
    """The wrong twin of all pages above."""
    app = AppTest.from_function(endless, default_timeout=20)
    before = time.process_time()
    with limited(0.5):
        app.run()
    assert time.process_time() - before > 0.02  # other processes may have most of it
    assert app.exception
    assert is_idle()


def test_a_process_that_computes_is_not_idle(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.pages.test_hostile_links.LOOKS", 3)
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            pass

    other = threading.Thread(target=work)
    other.start()
    try:
        assert not is_idle()
    finally:
        over.set()
        other.join()


@pytest.mark.parametrize("one", SOME, ids=named)
def test_no_text_of_a_link_is_in_any_part_of_a_page(one: State):
    keys = (*keys_of(one.page), *DETOURS)
    app = entered(one, spread(one, TEXTS, keys, 0))
    assert FORGED not in "".join(str(part.proto) for part in parts(app))


@pytest.mark.thorough
@pytest.mark.parametrize("one", FIRST, ids=named)
@pytest.mark.parametrize("turn", range(1, len(TEXTS)))
def test_nor_is_any_other_text_of_the_same_key(one: State, turn: int):
    app = entered(one, spread(one, TEXTS, (*keys_of(one.page), *DETOURS), turn))
    assert FORGED not in "".join(str(part.proto) for part in parts(app))


def parts(app: AppTest) -> list[object]:
    """Every element of a page, in its sidebar, its body and its dock."""
    return [part for part in app._tree if hasattr(part, "proto")]
