"""What a page costs the server: its script when a control moves, and what it sends at first."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from streamlit.runtime.scriptrunner import script_runner
from streamlit.testing.v1 import AppTest

from benchmarks.targets import (
    ANSWER,
    CDF_MOVED,
    CDF_VIEW,
    GALLERY,
    REDRAWN,
    RERUN,
    RERUNS,
    RUNNING_VIEW,
    Row,
)
from tests.pages.columns import headline, with_column
from tests.pages.driver import healthy, inside, opened

ROWS = 1_000_000
MOVES = 15
# each in a notion that the view takes, and what it then says
VIEWS = {
    CDF_VIEW: ({"view_trees": "cdf"}, "the whole curve"),
    RUNNING_VIEW: ({"view_trees": "running", "notion": "zcdp", "rho": 0.05}, "By a square root"),
}
MEASURES = (RERUN, REDRAWN, RERUNS, *VIEWS, CDF_MOVED, ANSWER, GALLERY)
WORKBENCHES = ("quantiles", "trees", "map", "neighbours", "budget", "audit", "data")


@contextmanager
def timed() -> Iterator[list[float]]:
    """Seconds of every run of a script inside, without what the test runner adds."""
    found: list[float] = []
    real: Callable[..., Any] = script_runner.exec_func_with_error_handling

    def run(*given: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return real(*given, **named)
        finally:
            found.append(time.perf_counter() - start)

    script_runner.exec_func_with_error_handling = run  # type: ignore[assignment]
    try:
        yield found
    finally:
        script_runner.exec_func_with_error_handling = real  # type: ignore[assignment]


def redrawn(app: AppTest) -> float:
    """Seconds of the script for a new draw, median; nothing of it was computed before."""
    each = []
    for _ in range(MOVES):
        with timed() as found:
            app.get_by_key("new_draw").click()
            healthy(app.run())
        each.append(max(found))  # the runner comes in by the page's own file, which runs anew
    return statistics.median(each)


def rerun(app: AppTest) -> float:
    """Seconds of the script when a control moves to where it was before, median."""
    each = []
    for epsilon in (0.2, 0.5) * 6:
        with timed() as found:
            app.get_by_key("eps").set_value(epsilon)
            healthy(app.run())
        each.append(max(found))
    return statistics.median(each[2:])  # the first two draw


def large() -> AppTest:
    """The Quantiles page on a million whole numbers."""
    values = np.random.default_rng(0).integers(0, 100_000, ROWS)
    content = b"a\n" + b"\n".join(b"%d" % value for value in values) + b"\n"
    return with_column(content, 0, 100_000, 1, truth=True)


def large_tree(visit: dict[str, object], says: str) -> AppTest:
    """A view of the Trees page with 2^10 leaves."""
    app = opened("trees", t_fanout="2", t_height="10", eps="0.5")
    app.session_state["_visit"] |= visit
    healthy(app.run())
    assert says in headline(app), "the view that is to be timed"
    return app


def moved(app: AppTest) -> float:
    """Seconds of the script for an ε that nobody asked for before, median."""
    each = []
    for turn in range(MOVES):
        app.session_state["_visit"]["eps"] = 0.101 + 0.05 * turn
        with timed() as found:
            healthy(app.run())
        each.append(max(found))
    return statistics.median(each)


def first_answer() -> float:
    """Seconds of the script of a view that draws the frontier; the best of a few sessions."""
    each = []
    for _ in range(5):
        app = opened(eps="1")
        with timed() as found:
            inside(app, "search")
        each.append(found[-1])
    return min(each)


def gallery() -> int:
    """Bytes that the Data page sends when it opens."""
    app = opened("data")
    return sum(node.proto.ByteSize() for node in _nodes(app._tree) if node.proto is not None)


def _nodes(node: Any) -> Iterator[Any]:
    if getattr(node, "proto", None) is not None and hasattr(node.proto, "ByteSize"):
        yield node
    for child in getattr(node, "children", {}).values():
        yield from _nodes(child)


def run() -> list[Row]:
    """A new draw on the workbenches, the frontier, and the weight of the gallery."""
    app = large()
    again, seconds = rerun(app), redrawn(app)
    others = {}
    for page in WORKBENCHES:
        app = opened(page, eps="0.5")
        try:
            others[page] = redrawn(app)
        except KeyError:  # a page where nothing is drawn
            continue
    print(
        f"a new draw on a sample, ms: { {name: round(1e3 * one) for name, one in others.items()} }"
    )
    return [
        Row(RERUN, 1e3 * again, "ms"),
        Row(REDRAWN, 1e3 * seconds, "ms"),
        Row(RERUNS, 1e3 * max(others.values()), "ms"),
        *(Row(name, 1e3 * redrawn(large_tree(*view)), "ms") for name, view in VIEWS.items()),
        Row(CDF_MOVED, 1e3 * moved(large_tree(*VIEWS[CDF_VIEW])), "ms"),
        Row(ANSWER, 1e3 * first_answer(), "ms"),
        Row(GALLERY, gallery() / 1e3, "kB"),
    ]
