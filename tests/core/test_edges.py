"""Edges of equal parts are those of exact fractions, to the last digit, at every magnitude."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dpviz as dp
from dpviz.core.bounds import Bounds
from dpviz.core.edges import EqualParts, equal_edges
from dpviz.core.trees.shape import TreeShape

LARGEST, LEAST = 1.7976931348623157e308, 5e-324
END = st.one_of(
    st.integers(-1000, 1000).map(lambda tenths: tenths / 10),
    st.floats(-1e3, 1e3),
    st.floats(-8e307, 8e307),
    st.floats(-1e-300, 1e-300),
)
ODD = [
    (0.1, 0.7),
    (-0.1, 0.30000000000000004),
    (1 / 3, 2 / 3),
    (-1 / 3, 1 / 3),
    (1.0, math.nextafter(1, 2)),
    (1.0, 1 + 3 * 2.0**-52),
    (1e9, 1e9 + 1e-6),
    (0.0, LEAST),
    (-LEAST, 3 * LEAST),
    (-1.7e-310, 3e-309),
    (-8.9e307, 8.9e307),
    (0.0, LARGEST),
    (1e308, LARGEST),
    (-math.pi, 1e-300),
]


def exact(low, high, parts):
    """The slow twin: every edge as a fraction of the decimals that are written."""
    first, last = Fraction(repr(float(low))), Fraction(repr(float(high)))
    return [float(first + (last - first) * at / parts) for at in range(parts + 1)]


def check(low, high, parts):
    edges = equal_edges(Bounds(low, high), parts)
    assert edges.tolist() == exact(low, high, parts)
    assert (edges[0], edges[-1]) == (low, high)
    assert (np.diff(edges) >= 0).all()
    if parts > 1:
        assert edges.tolist() == TreeShape(parts, 1).edges(Bounds(low, high)).tolist()


@pytest.mark.law
@given(END, END, st.integers(2, 300))
@example(0.0, 100.0, 20)
def test_every_edge_is_the_nearest_double(first, second, parts):
    if first != second:
        check(*sorted((first, second)), parts)


@pytest.mark.few(4)
@pytest.mark.parametrize(("low", "high"), ODD)
def test_ends_of_all_magnitudes(low, high):
    for parts in (1, 2, 3, 7, 10, 64, 1000, 1024):
        check(low, high, parts)


def test_the_twin_that_divides_first_is_seen():
    divided = np.arange(21) / 20 * 100.0
    assert divided[11] == 55.00000000000001
    assert equal_edges(Bounds(0, 100), 20).tolist() == [5.0 * at for at in range(21)]
    assert equal_edges(Bounds(0.1, 0.7), 6).tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]


def test_a_value_on_an_edge_is_counted_on_its_right():
    column = dp.Column.from_values([55.0] * 1000, Bounds(0, 100))
    for method in (dp.Histogram(bins=20), dp.CountTree(20, 1)):
        release = method.release(column, dp.PureDP(50), np.random.default_rng(1))
        counts = release.counts if isinstance(method, dp.Histogram) else release.tree.counts[-1]
        assert int(np.argmax(counts)) == 11


def test_few_of_many_edges_and_those_of_a_coarser_cut():
    for low, high in ODD[:7]:
        bounds = Bounds(low, high)
        some = np.array([[0, 1, 77], [1 << 23, (1 << 24) - 1, 1 << 24]])
        first, last = Fraction(repr(low)), Fraction(repr(high))
        of = [float(first + (last - first) * at / (1 << 24)) for at in some.ravel().tolist()]
        assert EqualParts.of(bounds, 1 << 24).at(some).ravel().tolist() == of
        coarse = equal_edges(bounds, 64)
        assert EqualParts.of(bounds, 1 << 20).at(np.arange(65) << 14).tolist() == coarse.tolist()


def test_the_rounded_sum_is_told_from_the_nearest_double():
    """Where the sum of products rounds otherwise, the edge is known by its number."""
    lost = EqualParts.of(Bounds(-0.12345678901234566, 0.370370367037037), 64)
    tiny = EqualParts.of(Bounds(-1.7e-310, 3e-309), 7)
    assert set(lost.unlike()) == {16}
    assert EqualParts.of(Bounds(1 / 3, 2 / 3), 400).unlike() == {}
    for one in (lost, tiny):
        numbers = np.arange(one.parts + 1)
        found = one._near(numbers)[0]
        found[list(one.unlike())] = list(one.unlike().values())
        assert found.tolist() == one.at(numbers).tolist()
