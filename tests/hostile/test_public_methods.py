"""Every public method and function is called with one wrong argument after the other.

They are found by introspection, so that a new one is asked as soon as it is public: it needs right
arguments in RIGHT, or the first test fails.
"""

import inspect
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
import pytest

import dpviz as dp
from tests.facade import test_any_value as right
from tests.facade.public import every_name
from tests.hostile.outcomes import outcome
from tests.rows import by_rows

ALONE: tuple[Any, ...] = (
    *(None, "x", math.nan, math.inf, -math.inf, object(), -1, 10**400, 2**63, 5e-324, 1e308),
    *(Decimal("0.5"), Decimal("NaN"), 1j, b"x", np.ma.masked, dp.PureDP(1), dp.Bounds),
)
FEW = (*ALONE, [], ["x"], [math.nan], [10**400], np.array([[1.0, 2.0]]))
MANY = (
    *(*FEW, 0, 0.5, True, np.float32(0.5), 2**53, -0.0, (), {}, {"a": 1}, [0.5] * 3, "0.5"),
    *([one] for one in ALONE if one is not np.ma.masked),
    *(np.array(["x"]), np.array([None]), np.array(0.5), np.empty(0), np.bool_(1), iter([1]), len),
)
# what one stage hands to the next: the arguments of such methods are no person's
STAGES = {"steps", "normalised", "exact", "division", "groups", "total"}
RNG, BUDGET = np.random.default_rng(1), dp.PureDP(1)
CHECKED = dp.CheckedRanks().release(right.COLUMN, right.QUANTILES, BUDGET, RNG)
# one object of each class that has methods; their parameters are those of a small release
OBJECTS = (
    *(*right.MECHANISMS, *right.RELEASES, right.BOUNDS, right.COLUMN, right.POINTS, right.GRID),
    *(BUDGET, right.DELTA, dp.ZCDP(1), dp.PersonRows.at_most(2), dp.Profile(), dp.Dawa(4)),
    *(dp.Histogram(bins=4), dp.Histogram(bins=4).release(right.COLUMN, BUDGET, RNG)),
    *(dp.NoisyCount(above=9), dp.NoisySum(), dp.NoisyMean(20), dp.CheckedRanks(), CHECKED),
    dp.LevelBudget.uniform(),
    *(dp.UnboundedQuantile(guesses=40), dp.ExponentialMedian(), dp.SmoothMedian()),
    dp.read_table(b"a,b\n1,2\n", "x.csv"),
    *(dp.NoisyMeanMedian(), dp.SecureBits(bytes(range(32))), dp.SeededBits(RNG)),
)
PERSONS = {"persons": [1, 1, 2], "values": [1, 2, 3], "x": [1, 2, 3], "y": [1, 2, 3]}
ROWS = dp.PersonRows.at_most(2)
# what a parameter of this name takes
RIGHT: dict[str, Any] = {
    "budget": BUDGET,
    "each": BUDGET,
    "quantiles": [0.5],
    "column": right.COLUMN,
    "rng": RNG,
    "runs": 2,
    "alike": 2,
    "n": 9,
    "m": 2,
    "resolution": 1.0,
    "points": right.POINTS,
    "missing": 0,
    "neighbours": dp.Neighbours.ADD_REMOVE,
    "values": [1, 2, 3],
    "q": 0.5,
    "box": right.BOX,
    "bounds": right.BOUNDS,
    "x": [1, 2],
    "y": [1, 2],
    "side": 2,
    "counts": [1, 2, 3],
    "at": 3.0,
    "rank": 1,
    "weight": 2.0,
    "columns": 2,
    "rows": 2,
    "clipped": 0,
    "dropped": 0,
    "size": 1.0,
    "k": 2,
    "parts": 840,
    "margin": 1.0,
    "levels": 2,
    "level": 1,
    "nodes": [0],
    "text": "{}",
    "beta": 0.05,
    "stops": [1, 2],
    "records": 9,
    "epsilon": 1.0,
    "failure": 0.1,
    "up_to": 10.0,
    "ratio": 2.0,
    "weights": [1, 2],
    "shares": [0.5, 0.5],
    "height": 3,
    "switch": 1,
    "count": 3,
    "root": True,
    "dtype": np.uint8,
    "release": right.QUANTILES,
    "most": 2,
    "eps_rank": 1.0,
    "eps_slice": 1.0,
    "half": 2,
    "ranks": [3, 9],
    "low": 0,
    "high": 9,
    "eps_threshold": 1.0,
    "eps_query": 1.0,
    "search": dp.UnboundedQuantile(guesses=40),
    "share": Decimal("0.5"),
    "curve": right.CURVE,
    "tree_noise": right.TREE.tree_noise,
    "sampling": False,
    "estimator": "efficient",
    "step": 1,
    "sure": None,
    "tree": right.TREE,
    "raw": right.CURVE,
    "fit_total": False,
    "threshold": 3.0,
    "boxes": [0, 1, 0, 1],
    "source": b"a,b\n1,2\n",
    "name": "x.csv",
    "key": "exam",
    "person": None,
    "header": None,
    "drop_unreadable": True,
    "scale": 2.0,
    "rho": 0.5,
    "reach": 3.0,
}
# where the name alone does not say what a method takes
OWN: dict[str, dict[str, Any]] = {
    **{key: {"budget": dp.ZCDP(1)} for key in ("PrefixSums", "PrefixQuantiles")},
    **{key: {"budget": right.DELTA} for key in ("SliceQuantiles", "SmoothMedian")},
    **{key: {**PERSONS, "rows": ROWS} for key in ("person_column", "person_points", "person_grid")},
    "Profile": {"columns": {"a": right.COLUMN}, "weights": {"a": 1}},
    "Table": {"name": "a", "x": "a", "y": "b", "header": True},
    "GridCounts.from_flat": {"counts": [1, 2, 3, 4]},
    "ApproxDP": {"size": 1.0},
    "propose_bounds": {"values": [1, 2], "quantiles": (0.1, 0.9), "share": 0.1},
    "release_for_people": {"mechanism": dp.NoisySum(), "data": right.COLUMN, "rows": ROWS},
    **{key: {"release": right.TREE} for key in ("efficient", "from_below", "from_above")},
    "estimate": {"release": right.PLANE},
    **{key: {"tree": right.ESTIMATE} for key in ("prune", "range_counts")},
    "cdf_band": {"runs": 20},
    **{key: {"key": "exam"} for key in ("sample_column", "load_sample")},
    "sample_points": {"key": "towns"},
    "scene": {"story": "teach", "which": "tank"},
    "RhoRule": {"budget": dp.ZCDP(1)},
    "Noise": {"size": (2,), "share": 0.5},
}
# their tables have types of their own: tests/facade asks them
ELSEWHERE = {"count_column", "count_points", "samples"}


def methods() -> Iterator[tuple[str, Callable[..., object]]]:
    """(Class.method or function, what is called)."""
    objects = {type(one): one for one in OBJECTS}
    for path, found in every_name().items():
        name = path.rpartition(".")[2]
        if inspect.isfunction(found) and name not in ELSEWHERE:
            yield name, found
        if not inspect.isclass(found) or issubclass(found, Exception):
            continue
        if issubclass(found, Enum):  # what its members do; as texts they have methods of texts
            for member in found:
                for method in vars(found):
                    one = getattr(member, method)
                    if method[0] != "_" and getattr(one, "__self__", None) is member:
                        yield f"{name}.{member.name}.{method}", one
            continue
        for method, one in inspect.getmembers(found, callable):
            if method.startswith("_") or inspect.isclass(one):
                continue
            if inspect.ismethod(one):  # of the class
                yield f"{name}.{method}", one
            elif found in objects:
                yield f"{name}.{method}", getattr(objects[found], method)


def arguments(name: str, call: Callable[..., object]) -> dict[str, Any] | None:
    """Right arguments of a call, None for a stage of a mechanism."""
    parameters = inspect.signature(call).parameters.values()
    named = [
        one.name for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    ]
    if STAGES & set(named):
        return None
    given = {**RIGHT, **OWN.get(name.split(".", maxsplit=1)[0], {}), **OWN.get(name, {})}
    return {one: given[one] for one in named}


CALLS = [
    (name, call, asked) for name, call in methods() if (asked := arguments(name, call)) is not None
]
NAMES = [name for name, *_ in CALLS]


def asked_wrongly(call: Callable[..., object], asked: dict[str, Any], values: tuple[Any, ...]):
    for key in asked:
        for value in values:
            try:
                outcome(call, **{**asked, key: value})
            except Exception as error:
                error.add_note(f"{key} = {value!r:.60}")
                raise


@pytest.mark.law
@by_rows(("name", "call", "asked"), CALLS, ids=NAMES)
def test_the_right_arguments_are_right(name, call, asked):
    if name.endswith("from_json"):
        with pytest.raises(dp.DpvizError):
            call(**asked)
    else:
        call(**asked)


@pytest.mark.law
@by_rows(("name", "call", "asked"), CALLS, ids=NAMES)
def test_a_wrong_argument_is_refused_in_words(name, call, asked):
    asked_wrongly(call, asked, FEW)


@pytest.mark.thorough
@by_rows(("name", "call", "asked"), CALLS, ids=NAMES)
def test_many_wrong_arguments_are_refused_in_words(name, call, asked):
    asked_wrongly(call, asked, MANY)


def test_nearly_all_public_names_are_asked():
    assert len(CALLS) > 120
    assert {name.split(".")[0] for name in NAMES} >= {"Column", "Bounds", "SecureBits", "KdTree"}


def test_a_call_that_lets_another_error_out_is_caught():
    with pytest.raises(TypeError):
        asked_wrongly(lambda budget: budget + 1, {"budget": 1}, (None,))
