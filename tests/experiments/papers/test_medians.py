"""PSD's Fig. 4: errors by definition, the paper's ordering, and edges."""

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.experiments.papers.medians import medians_by_depth, methods, uniform_column
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.protocol import Groups


class Always:
    """A twin that always answers with the same part of the range, whatever the points."""

    name, needs_order, takes_delta, parameters = "always", False, False, {}

    def __init__(self, part):
        self.part = part

    def draw(self, groups, budget, neighbours, rng):
        return groups.low + self.part * (groups.high - groups.low)


def plain_errors(values, low, high, part, depths):
    nodes, found = [(low, high, list(values))], []
    for _ in range(depths):
        errors, children = [], []
        for a, b, inside in nodes:
            v = a + part * (b - a)
            if inside:
                below, up_to = sum(x < v for x in inside), sum(x <= v for x in inside)
                half = len(inside) / 2
                errors.append(max(below - half, half - up_to, 0) / half)
            children += [
                (a, v, [x for x in inside if x < v]),
                (v, b, [x for x in inside if x >= v]),
            ]
        found.append(np.mean(errors))
        nodes = children
    return found


@pytest.mark.parametrize("part", [0.5, 0.3, 0.0, 1.0])
def test_errors_equal_their_definition(part, rng):
    values = np.round(rng.uniform(0, 8, 60), 1)
    column = Column.from_values(values, Bounds(0, 8))
    frame = medians_by_depth(column, rng, medians={"always": Always(part)}, depths=4, runs=1)
    np.testing.assert_allclose(frame["error"], plain_errors(values, 0, 8, part, 4))
    assert frame["nodes"].tolist() == [1, 2, 4, 8]
    assert frame["standard_error"].isna().all()


@pytest.mark.law
def test_the_papers_ordering(rng):
    """EM best at every depth; sampling spoils EM and helps SS; NM and cells lie between."""
    frame = medians_by_depth(uniform_column(rng), rng, depths=5, runs=2)
    error = frame.pivot_table(index="depth", columns="method", values="error")
    assert set(error.columns) == set(methods())
    assert (error["EM"] <= error[["NM", "cell", "SS", "SS sampled"]].min(axis=1)).all()
    assert (error["EM sampled"] > error["EM"]).all()
    assert (error["SS sampled"] < error["SS"]).all()
    assert error["EM"].iloc[0] < 0.002
    assert (error.to_numpy() <= 1).all()
    assert (frame["seconds"] > 0).all()


def test_edges(rng):
    for values in ([], [3.0], [5.0] * 20):
        frame = medians_by_depth(Column.from_values(values, Bounds(0, 8)), rng, depths=3, runs=2)
        assert len(frame) == 3 * len(methods())
        assert frame["error"].isna().all() == (len(values) == 0)
    column = Column.from_values([1.0, 2.0], Bounds(0, 8))
    only = {"EM": ExponentialMedian()}
    frame = medians_by_depth(column, rng, medians=only, depths=1, epsilon=1e4, runs=3)
    assert math.isclose(frame["error"].iloc[0], 0.0)


def test_points_in_no_order_take_longer_where_a_method_sorts_and_change_no_error():
    """Sorting 2^17 points costs the exponential mechanism time, a sample hardly any."""
    column = uniform_column(np.random.default_rng(5), 2**17)
    chosen = {name: methods()[name] for name in ("EM", "EM sampled")}
    frame = medians_by_depth(
        column, np.random.default_rng(6), medians=chosen, depths=2, runs=2, unsorted=True
    )
    plain, sampled = (frame[frame["method"] == name].reset_index() for name in chosen)
    assert plain["unsorted_seconds"].sum() > plain["seconds"].sum()
    assert plain["unsorted_seconds"].sum() > sampled["unsorted_seconds"].sum()


def test_a_shuffled_tree_holds_the_same_points_in_every_node(rng):
    values = np.sort(rng.uniform(0, 8, 50))
    starts = np.array([0, 20, 20, 50])
    groups = Groups(values, starts, np.zeros(3), np.full(3, 8.0), Bounds(0, 8))
    mixed = groups.shuffled(rng)
    assert not np.array_equal(mixed.values, values)
    assert np.array_equal(mixed.in_order().values, values)
