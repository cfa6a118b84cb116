"""Thousands of damaged texts of releases: a DpvizError in words, or a release that reads back."""

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dpviz as dp
from tests.hostile.outcomes import outcome
from tests.rows import by_rows

EACH = 1_000
FEW = 200
RNG = np.random.default_rng(1)
BOUNDS, PURE = dp.Bounds(0, 100), dp.PureDP(1)
COLUMN = dp.Column.from_values(range(20), BOUNDS, 1)
POINTS = dp.Points.from_xy(range(20), range(20), dp.Box(BOUNDS, BOUNDS))
LEFT_OUT = dp.LevelBudget.own([0, 1, 0])
# one of every kind and of every geometry
RELEASES = {
    "quantiles": dp.ApproximateQuantiles().release(COLUMN, [0.1, 0.5], PURE, RNG),
    "sanitised": dp.SanitizedColumn(5).release(COLUMN, PURE, RNG),
    "tree": dp.CountTree(2, 3).release(COLUMN, dp.ZCDP(1), RNG),
    "levels left out": dp.CountTree(3, 2, LEFT_OUT, root="sum").release(COLUMN, PURE, RNG),
    "midpoints": dp.Quadtree(2).release(POINTS, PURE, RNG),
    "rectangles": dp.KdTree(2).release(POINTS, PURE, RNG),
    "Hilbert": dp.HilbertTree(2).release(POINTS, PURE, RNG),
    "uniform": dp.UniformGrid(3).release(POINTS, PURE, RNG),
    "adaptive": dp.AdaptiveGrid(10).release(POINTS, PURE, RNG),
    "PrivTree": dp.PrivTree(depth=3).release(POINTS, PURE, RNG),
}
DEEP = "[" * 100_000 + "]" * 100_000
ODD = (
    *("null", "true", "-1", "0", "0.5", "2.5", "22", "30", "4194304", "9" * 25, "1" + "0" * 400),
    *("1e999", "-1e999", "NaN", "Infinity", "-Infinity", "1e308", "5e-324", "1e22", "[]", "{}"),
    *('""', '"x"', '"\\ud800"', "[[]]", '{"a": 1}', "[" * 300 + "]" * 300, "[" * 5000, DEEP),
)
MARK = "here something odd is put"


def places(stored: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a stored release but the whole."""
    inner = stored.items() if isinstance(stored, dict) else enumerate(stored)
    for key, value in inner:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def odd_value(text: str, rng: np.random.Generator) -> str:
    stored, parent, key = picked(text, rng)
    parent[key] = MARK
    return json.dumps(stored).replace(f'"{MARK}"', ODD[int(rng.integers(len(ODD)))])


def missing(text: str, rng: np.random.Generator) -> str:
    stored, parent, key = picked(text, rng)
    del parent[key]
    return json.dumps(stored)


def renamed(text: str, rng: np.random.Generator) -> str:
    stored, parent, key = picked(text, rng)
    value = parent.pop(key)
    if isinstance(parent, list):
        parent.append(value)  # in another place
    else:
        parent[f"{key}_"] = value
    return json.dumps(stored)


def other_characters(text: str, rng: np.random.Generator) -> str:
    characters = list(text)
    for _ in range(int(rng.integers(1, 4))):
        characters[int(rng.integers(len(text)))] = chr(int(rng.integers(32, 127)))
    return "".join(characters)


def cut(text: str, rng: np.random.Generator) -> str:
    return text[: int(rng.integers(len(text)))]


def repeated(text: str, rng: np.random.Generator) -> str:
    first, last = sorted(int(i) for i in rng.integers(0, len(text), 2))
    at = int(rng.integers(len(text)))
    return text[:at] + text[first:last] + text[at:]


def picked(text: str, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """The plain values of a text, and one parent and key in them."""
    stored = json.loads(text)
    paths = list(places(stored))
    path = paths[int(rng.integers(len(paths)))]
    parent = stored
    for key in path[:-1]:
        parent = parent[key]
    return stored, parent, path[-1]


DAMAGES = (odd_value, odd_value, missing, renamed, other_characters, cut, repeated)


@pytest.mark.few(2)
@pytest.mark.parametrize("each", [FEW, pytest.param(EACH, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", RELEASES)
def test_damaged_texts(kind, each):
    release, rng = RELEASES[kind], np.random.default_rng(7)
    text, refused = release.to_json(), 0
    for number in range(each):
        damage = DAMAGES[int(rng.integers(len(DAMAGES)))]
        changed = damage(text, rng)
        try:
            again = outcome(type(release).from_json, changed)
            refused += again is None
            assert again is None or type(release).from_json(again.to_json()) == again
        except Exception as error:
            error.add_note(f"text {number}, {damage.__name__}: {changed[:300]}")
            raise
    assert refused > each / 2, "most of these texts are damaged beyond reading"


@by_rows(
    ("kind", "field", "value"),
    [
        ("tree", "fanout", 10**9),
        ("tree", "fanout", 2**62),
        ("tree", "counts", [None] * 24),
        ("tree", "counts", [None] * 100_000),
        ("levels left out", "counts", [None, None, None, None, None, None, None, None, None, None]),
        ("midpoints", "counts", [None] * 13),
        ("rectangles", "counts", [None] * 40),
        ("Hilbert", "curve_order", 10**9),
        ("Hilbert", "curve_order", 60),
        ("adaptive", "groups", [10**15] * 100),
    ],
)
def test_a_few_bytes_never_build_a_giant_array(kind, field, value):
    stored = json.loads(RELEASES[kind].to_json())
    stored[field] = value
    text = json.dumps(stored)
    tracemalloc.start()
    result = outcome(type(RELEASES[kind]).from_json, text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result is None
    assert peak < 50e6
