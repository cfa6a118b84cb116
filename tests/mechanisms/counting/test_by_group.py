"""Groups that share no record: what one record changes, noise that is never used twice."""

from __future__ import annotations

import json
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.counting.by_group import MOST_GROUPS, release_by_group
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.histogram import Histogram

BOUNDS, NAMES = Bounds(0, 4), ("a", "b")
RECORDS = list(product(NAMES, (0.5, 1.5, 3.0)))
ADD, RNG = Neighbours.ADD_REMOVE, np.random.default_rng


def made(kind, neighbours):
    if kind == "tree":
        return CountTree(2, 2, root=Root.SUM, neighbours=neighbours)
    return Histogram(bins=4, neighbours=neighbours)


def columns(records):
    return {
        name: Column.from_values([value for where, value in records if where == name], BOUNDS)
        for name in NAMES
    }


def exact(mechanism, records):
    """All counts without noise, level by level: at so large a budget it is 0."""
    found = release_by_group(
        mechanism, columns(records), PureDP(1e4), np.random.default_rng(1)
    ).releases
    levels = [
        one.counts[1:] if isinstance(mechanism, CountTree) else [one.counts]
        for one in found.values()
    ]
    return [np.concatenate(each) for each in zip(*levels, strict=True)]


@pytest.mark.parametrize("kind", ["bins", "tree"])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_whatever_record_changes_all_groups_lose_one_budget(kind, neighbours):
    """The loss of discrete Laplace noise is |change| / scale, added over all changed counts."""
    mechanism, worst = made(kind, neighbours), 0.0
    released = release_by_group(mechanism, columns(RECORDS), PureDP(1), np.random.default_rng(2))
    first = released.releases["a"]
    scales = first.scales[1:] if isinstance(mechanism, CountTree) else [first.scale]
    for records in combinations_with_replacement(RECORDS, 2):
        before = exact(mechanism, records)
        for record in RECORDS:
            rest = records if neighbours is ADD else records[1:]
            after = exact(mechanism, [*rest, record])
            worst = max(
                worst,
                sum(
                    float(np.abs(one - other).sum()) / scale
                    for one, other, scale in zip(before, after, scales, strict=True)
                ),
            )
    assert 0.999 < worst <= 1


def test_noise_for_added_records_would_cost_a_replaced_one_twice():
    """The wrong twin: a record that changes its group changes a count in both."""
    mechanism = made("bins", ADD)
    before = exact(mechanism, [("a", 0.5)])
    after = exact(mechanism, [("b", 0.5)])
    scale = mechanism.scale(PureDP(1))
    assert float(np.abs(before[0] - after[0]).sum()) / scale == pytest.approx(2, abs=1e-9)


@pytest.mark.parametrize("source", [lambda: np.random.default_rng(3), SecureBits])
@pytest.mark.parametrize("kind", ["bins", "tree"])
def test_no_group_has_the_noise_of_another(kind, source):
    same = Column.from_values([0.5, 1.5], BOUNDS)
    mechanism = made(kind, ADD)
    found = release_by_group(mechanism, {"a": same, "b": same}, ZCDP(1e-6), source()).releases
    one, other = (
        np.concatenate([np.ravel(part) for part in each.counts]) for each in found.values()
    )
    kept = ~np.isnan(one)
    assert not (one[kept] == other[kept]).any()


def test_a_release_says_what_it_is():
    found = release_by_group(made("bins", ADD), columns(RECORDS), PureDP(1))
    assert (list(found.releases), found.spent) == (["a", "b"], PureDP(1))
    assert found.randomness == "secure"
    every = found.releases.values()
    assert {(one.spent, one.randomness) for one in every} == {(PureDP(1), "secure")}
    assert {one.noise for one in every} == {Noise.DISCRETE_LAPLACE}
    seeded = release_by_group(made("bins", ADD), columns(RECORDS), PureDP(1), RNG(1))
    assert seeded.randomness == "seeded"


@pytest.mark.parametrize("kind", ["bins", "tree"])
def test_each_group_is_read_back_from_json(kind):
    found = release_by_group(made(kind, ADD), columns(RECORDS), PureDP(1), RNG(1))
    stored = json.loads(found.to_json())
    assert stored["spent"] == PureDP(1).to_dict()
    assert "together they spend the budget once" in stored["composition"]
    for name, one in found.releases.items():
        again = type(one).from_json(json.dumps(stored["groups"][name]))
        np.testing.assert_array_equal(np.hstack(again.counts), np.hstack(one.counts))


@pytest.mark.parametrize("count", [0, MOST_GROUPS + 1])
def test_too_few_or_too_many_groups_are_refused(count):
    nobody = Column.from_values([], BOUNDS)
    with pytest.raises(InvalidData, match=f"got {count}"):
        release_by_group(
            made("bins", ADD), dict.fromkeys(map(str, range(count)), nobody), PureDP(1)
        )
