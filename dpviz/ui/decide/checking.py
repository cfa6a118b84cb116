"""A check of an answer, beside the page: a word that is set meanwhile is answered at once.

One check runs at a time in a process, so that a class that asks at once keeps a core for its pages.
Its thread never calls Streamlit: the page looks whether it is done.
"""

import threading
from collections.abc import Callable, Hashable
from typing import Any

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.ui.kit.messages import problem

BESIDE = True  # tests have nobody who looks again
LOOK_SECONDS = 0.4
PAUSE_SECONDS = 0.3  # before a check begins: the answer is sent and drawn first, by a whole machine
_KEY = "_decide_check"
_ONE = threading.Semaphore(1)


class Abandoned(Exception):
    """The sentence asks something else by now."""


class Check:
    """One check under way. work is told how to say how far it is; what it raises is raised later."""

    def __init__(self, name: Hashable, work: Callable[[Callable[[float], None]], Any]) -> None:
        self.name, self._work = name, work
        self._is_left = threading.Event()
        self._result: Any = None
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="dpviz-check")
        self._thread.start()

    def leave(self) -> None:
        """Nobody waits for it any more: it ends at its next step."""
        self._is_left.set()

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return not self._thread.is_alive()

    def result(self) -> Any:
        """What it gave. Raises: what the work raised."""
        if self._error is not None:
            raise self._error
        return self._result

    def _run(self) -> None:
        self._is_left.wait(PAUSE_SECONDS)
        with _ONE:
            try:
                self._step(0.0)
                self._result = self._work(self._step)
            except Exception as error:
                self._error = error

    def _step(self, _: float) -> None:
        if self._is_left.is_set():
            raise Abandoned


def leave() -> None:
    """End the check of a sentence that is no longer asked."""
    under_way: Check | None = st.session_state.pop(_KEY, None)
    if under_way is not None:
        under_way.leave()


def watch(
    name: Hashable, work: Callable[[Callable[[float], None]], Any], keep: Callable[[Any], None]
) -> None:
    """Start a check unless it runs, and take its result over once it is there; then run again."""
    if not BESIDE:
        keep(work(lambda _: None))
        st.rerun()
    under_way: Check | None = st.session_state.get(_KEY)
    if under_way is None or under_way.name != name:
        leave()
        st.session_state[_KEY] = Check(name, work)
    _look(name, keep)


@st.fragment(run_every=LOOK_SECONDS)
def _look(name: Hashable, keep: Callable[[Any], None]) -> None:
    under_way: Check | None = st.session_state.get(_KEY)
    if under_way is None or under_way.name != name or not under_way.done:
        return
    del st.session_state[_KEY]
    try:
        keep(under_way.result())
    except DpvizError as error:  # the answer stays "about"
        problem(error)
        return
    st.rerun()
