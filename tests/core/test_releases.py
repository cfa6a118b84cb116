from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP, budget_from_dict
from dpviz.core.errors import InvalidRelease
from dpviz.core.releases import QuantileRelease, Recursion
from dpviz.version import __version__
from tests.rows import by_rows

ANY = st.floats(allow_nan=False, allow_infinity=False)
POSITIVE = st.floats(5e-324, 1.7e308)
BUDGETS = st.one_of(
    POSITIVE.map(PureDP),
    POSITIVE.map(ZCDP),
    st.builds(ApproxDP, POSITIVE, st.floats(5e-324, 1, exclude_max=True)),
)
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), ANY, st.text())


def a_release(**changes) -> QuantileRelease:
    declared = {
        "mechanism": "JointExp",
        "parameters": {"ties": "spread", "rounded": True, "scale": 0.1, "seed": None, "m": 2},
        "quantiles": np.array([0.5, 0.25]),
        "values": np.array([0.1 + 0.2, -5e-324]),
        "bounds": Bounds(-5, 5),
        "resolution": 0.0,
        "neighbours": Neighbours.ADD_REMOVE,
        "spent": PureDP(1),
    }
    return QuantileRelease(**(declared | changes))


def a_recursion(values) -> Recursion:
    array = np.array(values)
    return Recursion(np.arange(array.size) + 1.0, array, array, array, array)


def fields_of(release: QuantileRelease) -> tuple:
    """Every field, arrays as their exact bytes: a comparison that to_dict has no part in."""
    recursion = release.recursion
    arrays = [] if recursion is None else [getattr(recursion, n) for n in Recursion.__slots__]
    return (
        release.mechanism,
        dict(release.parameters),
        release.bounds,
        release.resolution,
        release.neighbours,
        release.spent,
        release.version,
        [array.tobytes() for array in (release.quantiles, release.values, *arrays)],
    )


@pytest.mark.law
@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.floats(0, 1, exclude_min=True, exclude_max=True), ANY), max_size=10),
    BUDGETS,
    st.sampled_from(Neighbours),
    st.dictionaries(st.text(), PLAIN, max_size=4),
    st.booleans(),
)
def test_json_gives_back_every_digit(rows, spent, neighbours, parameters, with_recursion):
    release = a_release(
        quantiles=np.array([q for q, _ in rows]),
        values=np.array([v for _, v in rows]),
        spent=spent,
        neighbours=neighbours,
        parameters=parameters,
        recursion=a_recursion([v for _, v in rows]) if with_recursion else None,
    )
    back = QuantileRelease.from_json(release.to_json())
    assert fields_of(back) == fields_of(release)
    assert back == release
    assert back.to_json() == release.to_json()


@given(ANY, POSITIVE)
def test_declared_floats_survive(low, resolution):
    high = math.nextafter(low, math.inf)
    if not math.isfinite(high):
        return
    release = a_release(bounds=Bounds(low, high), resolution=resolution)
    assert fields_of(QuantileRelease.from_json(release.to_json())) == fields_of(release)


@given(BUDGETS)
def test_a_budget_survives(budget):
    assert budget_from_dict(json.loads(json.dumps(budget.to_dict()))) == budget


def test_a_release_says_what_made_it_and_holds_nothing_else():
    stored = json.loads(a_release().to_json())
    assert stored["dpviz"] == __version__
    assert set(stored) == {
        "kind", "dpviz", "randomness", "mechanism", "parameters", "neighbours", "spent", "bounds",
        "resolution", "quantiles", "values", "recursion",
    }  # fmt: skip


@by_rows(
    "change",
    [
        {"mechanism": "AggTree"},
        {"parameters": {}},
        {"values": np.array([0.3, -5e-324])},
        {"quantiles": np.array([0.25, 0.5])},
        {"bounds": Bounds(-5, 6)},
        {"resolution": 1.0},
        {"neighbours": Neighbours.REPLACE_ONE},
        {"spent": ZCDP(1)},
        {"recursion": a_recursion([1.0])},
        {"version": "0"},
    ],
)
def test_equality_sees_every_field(change):
    assert replace(a_release(), **change) != a_release()
    assert a_release() == a_release()


def test_a_release_keeps_its_own_arrays():
    mine = np.array([1.0, 2.0])
    release = a_release(values=mine)
    mine[0] = 99.0
    assert release.values.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        release.values[0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        a_recursion([1.0]).value[0] = 0.0


@by_rows(
    ("change", "message"),
    [
        ({"values": np.array([1.0, math.nan])}, "finite values"),
        ({"values": np.array([1.0, math.inf])}, "finite values"),
        ({"quantiles": np.array([0.5, math.nan])}, "finite quantiles"),
        ({"values": np.array([1.0])}, "1 values for 2 quantiles"),
        ({"values": np.array([[1.0, 2.0]])}, "finite values"),
        ({"mechanism": None}, "names its mechanism"),
        ({"parameters": ["ties"]}, "names its mechanism and parameters"),
        ({"parameters": {"scale": math.nan}}, "Parameter 'scale' must be a plain finite value"),
        ({"parameters": {"fanout": np.int64(2)}}, "Parameter 'fanout'"),
        ({"parameters": {"levels": [1, 2]}}, "Parameter 'levels'"),
        ({"resolution": math.nan}, "Resolution must be"),
        ({"resolution": -1.0}, "Resolution must be"),
    ],
)
def test_what_json_could_not_hold_is_refused_at_birth(change, message):
    with pytest.raises(InvalidRelease, match=message):
        a_release(**change)


def test_a_recursion_is_refused_when_ragged_or_not_finite():
    with pytest.raises(InvalidRelease, match="finite low"):
        a_recursion([math.nan])
    one, two = np.zeros(1), np.zeros(2)
    with pytest.raises(InvalidRelease, match=r"one length, got \[1, 2\]"):
        Recursion(one, one, two, one, one)


def broken(change) -> str:
    stored = a_release(recursion=a_recursion([1.0])).to_dict()
    change(stored)
    return json.dumps(stored)


@by_rows(
    "text",
    [
        "",
        "not json",
        "[]",
        "null",
        "{}",
        '{"kind": "quantiles"}',
        broken(lambda s: s.pop("spent")),
        broken(lambda s: s.update(kind="tree")),
        broken(lambda s: s.update(spent={"notion": "gaussian", "mu": 1})),
        broken(lambda s: s.update(spent={"notion": "pure", "epsilon": -1})),
        broken(lambda s: s.update(spent={"notion": "pure"})),
        broken(lambda s: s.update(bounds=[1, 0])),
        broken(lambda s: s.update(bounds=[1])),
        broken(lambda s: s.update(bounds=["a", "b"])),
        broken(lambda s: s.update(neighbours="friends")),
        broken(lambda s: s.update(values=[1.0])),
        broken(lambda s: s.update(values=[math.nan, 1.0])),
        broken(lambda s: s.update(values=["a", "b"])),
        broken(lambda s: s.update(values=[10**400, 1])),
        broken(lambda s: s.update(parameters=None)),
        broken(lambda s: s.update(resolution="fine")),
        broken(lambda s: s["recursion"].pop("low")),
    ],
)
def test_text_that_is_no_release_is_refused(text):
    with pytest.raises(InvalidRelease):
        QuantileRelease.from_json(text)


def test_the_refusal_names_what_was_found():
    with pytest.raises(InvalidRelease, match="Expected a release of quantiles, got 'tree'"):
        QuantileRelease.from_json(broken(lambda s: s.update(kind="tree")))
    with pytest.raises(InvalidRelease, match="not a dpviz release of quantiles"):
        QuantileRelease.from_json("[]")
