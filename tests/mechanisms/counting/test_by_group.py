"""Groups that share no record: what one record changes, noise that is never used twice."""

import json
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.group_releases import PEOPLE_NOTE
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.counting.by_group import MOST_GROUPS, release_by_group
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.people.data import person_groups
from dpviz.people.release import for_people

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


@pytest.mark.few(2)
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
    """Of noise so large that two draws of it are equal once in many million runs."""
    same = Column.from_values([0.5, 1.5], BOUNDS)
    mechanism = made(kind, ADD)
    found = release_by_group(mechanism, {"a": same, "b": same}, ZCDP(1e-16), source()).releases
    one, other = (
        np.concatenate([np.ravel(part) for part in each.counts]) for each in found.values()
    )
    kept = ~np.isnan(one)
    assert not (one[kept] == other[kept]).any()


ROWS = [*product(NAMES, (0.5, 0.5, 1.5))]  # of one person: three in each group


def of_people(rows, *, apart=False):
    """The columns of A, who has two rows, and of B with all of ROWS if rows say so."""
    persons = ["A"] * 2 + ["B"] * len(ROWS)
    where, values = zip(("a", 0.5), ("b", 3.0), *ROWS, strict=True)
    masks = [np.array([one == name for one in where]) for name in NAMES]
    everybody = np.array(persons) != ("" if rows[1] else "B")

    def columns_of(masks):
        kept = [mask & everybody for mask in masks]
        rng = np.random.default_rng(1)
        return person_groups(persons, np.array(values), kept, BOUNDS, 0, rows[0], rng)

    if not apart:
        return columns_of(masks)
    return [columns_of([mask])[0] for mask in masks]


def lost(kind, rows, *, apart):
    """What B loses when the noise is for rows.row_budget of ε = 1: |change| / scale in all."""
    mechanism = made(kind, ADD)
    each = rows.row_budget(PureDP(1))
    noise = mechanism.release(Column.from_values([], BOUNDS), each, RNG(1))
    scales = noise.scales[1:] if kind == "tree" else [noise.scale]
    total = 0.0
    both = (of_people((rows, there), apart=apart) for there in (True, False))
    for one, other in zip(*both, strict=True):
        for level, scale in enumerate(scales, 1):
            edges = np.linspace(0, 4, 2**level + 1) if kind == "tree" else np.linspace(0, 4, 5)
            change = np.diff(one.count_below(edges)) - np.diff(other.count_below(edges))
            total += float(np.abs(change).sum()) / scale
    return total


@pytest.mark.parametrize("kind", ["bins", "tree"])
@pytest.mark.parametrize("rows", [PersonRows.at_most(3), PersonRows.weighted(6)], ids=str)
def test_a_person_with_rows_in_both_groups_spends_once(kind, rows):
    """The wrong twin bounds each group apart, and a person with rows in both spends twice."""
    assert lost(kind, rows, apart=False) == pytest.approx(1, abs=1e-9)
    assert lost(kind, rows, apart=True) == pytest.approx(2, abs=1e-9)


def test_groups_of_people_count_rows_of_their_own_and_draw_from_no_others():
    """Rows of no group and rows without a value take nobody's place."""
    values = np.array([1.0, np.nan, 2.0, 3.0, 0.5])
    masks = [np.array([True, True, False, False, False]), np.array([False] * 3 + [True] * 2)]
    args = (["A"] * 4 + ["C"], values, masks, BOUNDS, 0)
    found = person_groups(*args, PersonRows.at_most(2), RNG(1))
    edges = np.arange(5.0)
    assert [np.diff(one.count_below(edges)).tolist() for one in found] == [
        [0, 1, 0, 0], [1, 0, 0, 1],
    ]  # fmt: skip
    drawn = [person_groups(*args, PersonRows.at_most(1), RNG(seed)) for seed in range(40)]
    assert {tuple(one.n for one in two) for two in drawn} == {(1, 1), (0, 2)}
    weighted = person_groups(*args, PersonRows.weighted(6), RNG(1))
    assert [np.diff(one.count_below(edges)).tolist() for one in weighted] == [
        [0, 3, 0, 0], [6, 0, 0, 3],
    ]  # fmt: skip
    with pytest.raises(InvalidData, match="no row is in two"):
        person_groups(*args[:2], [masks[0], masks[0]], BOUNDS, 0, PersonRows.at_most(1))


def test_a_release_of_people_says_what_they_spend_and_why():
    rows = PersonRows.at_most(3)
    data = dict(zip(NAMES, of_people((rows, True)), strict=True))
    found = for_people(release_by_group(made("bins", ADD), data, PureDP(0.1), RNG(1)), rows)
    assert (found.spent, found.rows) == (PureDP(0.3), rows)
    assert {one.spent for one in found.releases.values()} == {PureDP(0.3)}
    assert {one.scale for one in found.releases.values()} == {10}
    stored = json.loads(found.to_json())
    assert stored["composition"] == PEOPLE_NOTE
    assert stored["groups"]["b"]["parameters"]["rows_a_person"] == 3
    assert stored["spent"] == PureDP(0.3).to_dict()


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
