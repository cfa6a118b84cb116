"""What a release costs a person, by exact laws; JSON, estimators and refusals."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidBudget, InvalidParameter
from dpviz.core.grid import as_written
from dpviz.core.person_rows import PersonRows
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.levels import count_levels
from dpviz.estimators.trees.cdf import cdf
from dpviz.estimators.trees.least_squares import efficient
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.histogram import Histogram
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from dpviz.mechanisms.exponential.point_problems import quantile_units
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.republish import likely_errors
from dpviz.mechanisms.spatial.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.spatial.kd_references import KdTrue
from dpviz.mechanisms.spatial.kd_tree import KdTree
from dpviz.mechanisms.spatial.quadtree import Quadtree
from dpviz.mechanisms.spatial.uniform_grid import UniformGrid
from dpviz.mechanisms.sums.noisy_count import NoisyCount
from dpviz.mechanisms.sums.noisy_sum import NoisySum
from dpviz.people.data import person_column, person_grid, person_points
from dpviz.people.release import release_for_people
from dpviz.people.rows import row_parts
from dpviz.reports.words import paragraph
from tests.mechanisms.exponential.exact_points import probabilities
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

POINTS = 3
UNIT, BOX = Bounds(0, POINTS), Box(Bounds(0, 50), Bounds(0, 50))
OTHERS = [
    one for size in range(4) for one in itertools.combinations_with_replacement(range(3), size)
]
PEOPLE = [
    one for size in range(1, 5) for one in itertools.combinations_with_replacement(range(3), size)
]
RULES = [PersonRows.at_most(2), PersonRows.at_most(3), PersonRows.weighted(4)]


def ways(values, rows):
    """What may count of a person, each equally likely: records with the values of rows."""
    if rows.shared:
        return [tuple(np.repeat(values, rows.most // len(values)).tolist())]
    return list(itertools.combinations(values, min(rows.most, len(values))))


@cache
def of_points(records, units, eta):
    return probabilities(records, 0, POINTS, units, eta)


def law(others, values, rows, units, eta):
    """P of each point: the mean over what may count. Others have one row each, or all parts."""
    base = tuple(np.repeat(others, rows.most if rows.shared else 1).tolist())
    chosen = ways(values, rows) if values else [()]
    each = [of_points(tuple(sorted((*base, *one))), units, eta) for one in chosen]
    return np.mean(each, axis=0)


@pytest.mark.law
@pytest.mark.parametrize("rows", RULES, ids=str)
@pytest.mark.parametrize("quantile", [0.5, 0.2])
def test_a_quantile_tells_at_most_epsilon_of_a_person(rows, quantile):
    """All data sets of ≤ 3 others on three points, all people of ≤ 4 rows; twin: ε for each row."""
    epsilon = 1.0
    asked = QuantileSet.of([quantile])
    units = int(quantile_units(asked.distinct)[0])

    def loss(each):
        eta = float(IndependentExp().safe_etas(each, asked)[0])
        alone = {others: np.log(law(others, (), rows, units, eta)) for others in OTHERS}
        return max(
            np.abs(np.log(law(others, values, rows, units, eta)) - alone[others]).max()
            for others in OTHERS
            for values in PEOPLE
        )

    assert 0.3 * epsilon < loss(rows.row_budget(PureDP(epsilon))) <= epsilon
    assert loss(PureDP(epsilon)) > epsilon


@pytest.mark.few(3)
@pytest.mark.parametrize("rows", RULES, ids=str)
@pytest.mark.parametrize("levels", [LevelBudget.uniform(), LevelBudget.geometric(2.0)])
def test_a_tree_tells_at_most_epsilon_of_a_person(rows, levels, rng):
    """Laplace noise: the sum over levels of L1/scale, in fractions; twin: ε for each row."""
    epsilon, tree = 0.7, CountTree(height=2, levels=levels)
    none = Column.from_values([], UNIT, 1.0)
    empty = count_levels(none, tree.shape)

    def loss(scales):
        worst = Fraction(0)
        for values in PEOPLE:
            for one in ways(values, rows):
                exact = count_levels(Column.from_values(one, UNIT, 1.0), tree.shape)
                worst = max(worst, sum(
                    Fraction(np.abs(a - b).sum()) / Fraction(scale)
                    for a, b, scale in zip(exact, empty, scales, strict=True)
                ))  # fmt: skip
        return worst

    release = release_for_people(tree, none, budget=PureDP(epsilon), rows=rows, rng=rng)
    assert as_written(epsilon) * Fraction(9, 10) < loss(release.scales) <= as_written(epsilon)
    assert loss(tree.release(none, PureDP(epsilon), rng).scales) > as_written(epsilon)


def left_leaf(scale):
    """P of each noisy count of [0, 1.5) from −40 to 40: one or two rows, as likely, are there."""
    at, a = np.arange(-40, 41), np.exp(-1 / scale)
    found = sum(0.5 * (1 - a) / (1 + a) * a ** np.abs(at - kept) for kept in (1, 2))
    return found / found.sum()


@pytest.mark.law
def test_the_law_of_a_release_is_that_of_the_choice_and_the_price(rng):
    """Drawn, counted and released; twins: ε for each row, and the price of k² rows."""
    rows, budget, runs = PersonRows.at_most(2), PureDP(1.5), 1_600
    persons, x = [1, 2, 1, 1, 1, 3], [0.0, 2.0, 0.0, 1.0, 2.0, 2.0]
    tree = CountTree(height=1, levels=LevelBudget.own([0, 1]))
    seen = Counter()
    for _ in range(runs):
        column = person_column(persons, x, UNIT, 1.0, rows, rng)
        release = release_for_people(tree, column, budget=budget, rows=rows, rng=rng)
        seen[int(release.counts[1][0])] += 1
    counts = [seen[v] for v in range(-40, 41)]
    assert sum(counts) == runs
    assert fits_probabilities(counts, left_leaf(2 / 1.5), comparisons=3)
    for wrong in (1 / 1.5, 4 / 1.5):
        assert can_tell_probabilities(runs, left_leaf(wrong), left_leaf(2 / 1.5), comparisons=3)
        assert not fits_probabilities(counts, left_leaf(wrong), comparisons=3)


def of_columns(rows):
    rng = np.random.default_rng(4)
    persons = rng.integers(0, 400, 2_000)
    return person_column(persons, rng.integers(0, 51, 2_000), BOX.x, 1.0, rows, rng)


def of_planes(rows):
    rng = np.random.default_rng(4)
    persons, (x, y) = rng.integers(0, 400, 2_000), rng.random((2, 2_000)) * 50
    if rows.shared:
        return person_grid(persons, x, y, BOX, 64, rows, rng)
    return person_points(persons, x, y, BOX, rows, rng)


EVERY = [
    (CountTree(height=4), of_columns, ()),
    (AggTree(), of_columns, ([0.2, 0.5],)),
    (IndependentExp(), of_columns, ([0.2, 0.5],)),
    (ApproximateQuantiles(), of_columns, ([0.2, 0.5],)),
    (Quadtree(3), of_planes, ()),
    (UniformGrid(4), of_planes, ()),
    (NoisySum(), of_columns, ()),
    (NoisyCount(above=20), of_columns, ()),
    (Histogram(bins=8), of_columns, ()),
]
POINTS_ALONE = [(KdTree(2), of_planes, ()), (AdaptiveGrid(), of_planes, ())]


@by_rows("budget", [PureDP(2.0), ZCDP(0.4)], ids=str)
@by_rows(
    ("mechanism", "data", "asked", "rows"),
    [(*one, rows) for one in EVERY for rows in (PersonRows.at_most(3), PersonRows.weighted(12))]
    + [(*one, PersonRows.at_most(3)) for one in POINTS_ALONE],
    ids=lambda one: getattr(one, "name", None),
)
def test_a_release_is_the_mechanisms_own_at_the_price_and_says_so(
    mechanism, data, asked, rows, budget
):
    held = data(rows)
    release = release_for_people(
        mechanism, held, *asked, budget=budget, rows=rows, rng=np.random.default_rng(3)
    )
    own = mechanism.release(held, *asked, rows.row_budget(budget), np.random.default_rng(3))
    assert release.spent == budget
    assert dict(release.parameters) == {**own.parameters, **rows.parameters}
    told, bare = release.to_dict(), own.to_dict()
    for each in (told, bare):
        del each["spent"], each["parameters"]
    assert told == bare
    assert type(release).from_json(release.to_json()) == release


@pytest.mark.parametrize("rows", RULES, ids=str)
def test_what_follows_from_a_release_follows_from_its_scales(rows):
    """The CDF is that of the noise; bands of quantiles follow from what a record spent."""
    tree, column = CountTree(height=4), of_columns(rows)
    release = release_for_people(
        tree, column, budget=PureDP(1.0), rows=rows, rng=np.random.default_rng(3)
    )
    own = tree.release(column, rows.row_budget(PureDP(1.0)), np.random.default_rng(3))
    assert release.scales == own.scales
    np.testing.assert_array_equal(cdf(efficient(release)).counts, cdf(efficient(own)).counts)
    quantiles = ApproximateQuantiles()
    told = release_for_people(
        quantiles, column, [0.3, 0.6], budget=PureDP(4.0), rows=rows, rng=np.random.default_rng(3)
    )
    bare = quantiles.release(
        column, [0.3, 0.6], rows.row_budget(PureDP(4.0)), np.random.default_rng(3)
    )
    again, right = (
        likely_errors(quantiles, one, column.n, np.random.default_rng(9)) for one in (told, bare)
    )
    assert right is not None
    np.testing.assert_array_equal(again, right)


@pytest.mark.parametrize(
    "mechanism",
    [CountTree(height=2), NoisyCount(above=20), PrefixSums(8)],
    ids=lambda one: one.name,
)
def test_a_report_speaks_of_people(mechanism, rng):
    for rows, words in (
        (PersonRows.at_most(3), "at most 3 rows a person"),
        (PersonRows.weighted(), "share 840 parts"),
    ):
        release = release_for_people(
            mechanism, of_columns(rows), budget=ZCDP(0.5), rows=rows, rng=rng
        )
        said = paragraph(release)
        assert type(release).from_json(release.to_json()).to_json() == release.to_json()
        assert "with ρ = 0.5" in said  # of a person, where a record spends less
        assert words in said
        assert "one record a person" not in said


def test_counts_of_weighted_rows_are_of_people_when_divided(rng):
    rows = PersonRows.weighted()
    persons = np.repeat(np.arange(300), rng.integers(1, 9, 300))
    x = rng.integers(0, 50, persons.size)
    column = person_column(persons, x, BOX.x, 1.0, rows, rng)
    assert column.n == 300 * 840 == row_parts(persons, rows, np.ones(persons.size, bool)).sum()
    release = release_for_people(
        CountTree(height=3), column, budget=PureDP(1e6), rows=rows, rng=SecureBits.fresh()
    )
    assert release.counts[0][0] / 840 == pytest.approx(300, abs=0.1)
    assert release.randomness == "secure"


def test_what_protects_nobody_is_refused(rng):
    rows, column = PersonRows.at_most(2), of_columns(PersonRows.at_most(2))
    with pytest.raises(InvalidParameter, match="fewer rows"):
        release_for_people(
            CountTree(neighbours=Neighbours.REPLACE_ONE), column,
            budget=PureDP(1), rows=rows, rng=rng,
        )  # fmt: skip
    with pytest.raises(InvalidParameter, match="rows must be"):
        release_for_people(CountTree(), column, budget=PureDP(1), rows=2, rng=rng)
    with pytest.raises(InvalidBudget, match="budget must be"):
        release_for_people(CountTree(), column, budget=1.0, rows=rows, rng=rng)
    with pytest.raises(InvalidBudget, match="mechanisms take no less"):
        release_for_people(CountTree(), column, budget=ApproxDP(1e4, 1e-6), rows=rows, rng=rng)
    true = release_for_people(KdTrue(2), of_planes(rows), budget=PureDP(1), rows=rows, rng=rng)
    assert true.non_private == ("structure",)  # as its own release says
