"""The example in the docstring of every public name prints what it says.

What stands there without being made: dp, np and ibis; the column of exam marks, the points of the
towns and their box; a tree of the column, a map of the points; and a generator with a fixed seed.
"""

import doctest
import functools

import numpy as np
import pytest

import dpviz as dp
from tests.facade.public import FOLDED
from tests.rows import by_rows
from tests.test_questions import hidden_names
from tests.test_tasks import judged

NAMES = [name for name in dp.__all__ if name not in {"__version__", *FOLDED}]
MOST = 2  # examples of one name
IN_AN_ENGINE = ("count_column", "count_points")
SHARED = """
import ibis
import numpy as np

import dpviz as dp

rng = np.random.default_rng(1)
column = dp.sample_column("exam")
points = dp.sample_points("towns")
box = points.box
tree = dp.CountTree(2, 4).release(column, dp.PureDP(1), np.random.default_rng(1))
plane = dp.Quadtree(3).release(points, dp.PureDP(1), np.random.default_rng(1))
"""


@functools.cache
def _shared() -> dict[str, object]:
    space: dict[str, object] = {}
    exec(SHARED.replace("import ibis\n", ""), space)
    return space


def examples(text: str | None) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(text or "")


def failures(name: str, text: str | None) -> int:
    """How many examples of a docstring print something else."""
    space = {**_shared(), "rng": np.random.default_rng(1)}
    if name in IN_AN_ENGINE:
        pytest.importorskip("duckdb", reason="DuckDB is not installed")
        space["ibis"] = pytest.importorskip("ibis", reason="Ibis is not installed")
    test = doctest.DocTestParser().get_doctest(text or "", space, name, None, 0)
    return doctest.DocTestRunner(verbose=False).run(test, out=lambda _: None).failed


def judged_example(name: str, text: str | None) -> str:
    """Whether a docstring has as many examples as it should, and whether they are right."""
    if not 1 <= len(examples(text)) <= MOST or all(not one.want for one in examples(text)):
        return "too few or too many, or nothing to see"
    return "wrong" if failures(name, text) else "right"


@pytest.mark.law
@by_rows("name", NAMES)
def test_an_example_prints_what_it_says(name):
    text = getattr(dp, name).__doc__
    assert judged_example(name, text) == "right"


def test_another_output_is_noticed():
    text = dp.PureDP.__doc__
    assert text
    assert judged_example("PureDP", text.replace("0.25", "0.26")) == "wrong"
    for none in (None, "Without one.", ">>> budget = dp.PureDP(1)\n", 3 * ">>> 1\n1\n\n"):
        assert judged_example("PureDP", none).startswith("too few")


def test_examples_use_public_names_alone():
    for name in NAMES:
        for one in examples(getattr(dp, name).__doc__):
            assert hidden_names(one.source) == set(), name
    assert hidden_names("dp.core.budgets") == {"core"}
    assert hidden_names("dp.releases.Cells, dp.releases.Sells") == {"Sells"}


@pytest.mark.law
def test_strict_types_take_all_of_them(tmp_path):
    bodies = []
    for at, name in enumerate(NAMES):
        lines = "".join(one.source for one in examples(getattr(dp, name).__doc__))
        inside = "".join(f"    {line}\n" for line in lines.splitlines())
        bodies.append(f"def of_{at}() -> None:\n{inside}")
    body = "\n\n".join(bodies)
    wrong = body.replace("dp.ZCDP(0.5).split", "dp.ZCDP(0.5).spilled")
    said = judged(tmp_path, {"right": [SHARED, body], "wrong": [SHARED, wrong]}).splitlines()
    assert 'has no attribute "spilled"' in said[0]
    assert said[1].startswith("Found 1 error in 1 file (checked 2 ")
