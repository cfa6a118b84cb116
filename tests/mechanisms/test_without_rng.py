"""Without rng a release is drawn with fresh secure bits, or refused: never with a seed."""

import inspect
import re

import numpy as np
import pytest

import dpviz as dp
from dpviz import catalogue
from dpviz.core.budgets import Neighbours
from dpviz.core.errors import NotExact
from tests.rows import by_rows

BOUNDS = dp.Bounds(0, 100)
COLUMN = dp.Column.from_values(np.arange(60), BOUNDS, 1)
POINTS = dp.Points.from_xy(np.arange(60), np.arange(60), dp.Box(BOUNDS, BOUNDS))
ONE = dp.PureDP(1)
QUANTILES = dp.ApproximateQuantiles().release(COLUMN, [0.5], ONE)
# by name: how a release is asked for, without its rng
ASKED = {
    **{kind.name: (kind(), (COLUMN, [0.5], ONE)) for kind in catalogue.QUANTILES},
    "SliceQuantiles": (dp.SliceQuantiles(), (COLUMN, [0.5], dp.ApproxDP(2, 1e-4))),
    **{
        type(one).__name__: (one, (POINTS, ONE))
        for one in (
            *(dp.Quadtree(2), dp.KdTree(2), dp.HilbertTree(2), dp.KdCell(2, (4, 4))),
            *(dp.UniformGrid(4), dp.AdaptiveGrid(10), dp.PrivTree(depth=3)),
        )
    },
    "CountTree": (dp.CountTree(2, 3), (COLUMN, ONE)),
    "CountTree, continuous": (dp.CountTree(2, 3, noise="laplace"), (COLUMN, ONE)),
    "PrefixSums": (dp.PrefixSums(4), (COLUMN, dp.ZCDP(1))),
    "Dawa": (dp.Dawa(), (COLUMN, ONE)),
    "SanitizedColumn": (dp.SanitizedColumn(5), (COLUMN, ONE)),
    "CheckedRanks": (dp.CheckedRanks(), (COLUMN, QUANTILES, ONE)),
    "NoisyCount": (dp.NoisyCount(above=50), (COLUMN, ONE)),
    "Histogram": (dp.Histogram(bins=5), (COLUMN, ONE)),
    "NoisySum": (dp.NoisySum(), (COLUMN, ONE)),
    "NoisyMean": (dp.NoisyMean(60), (COLUMN, ONE)),
    "UnboundedQuantile": (dp.UnboundedQuantile(), (COLUMN, 0.5, ONE)),
    "Profile": (dp.Profile(), ({"a": COLUMN}, [0.5], ONE)),
}


@by_rows("name", ASKED)
def test_a_release_without_rng_is_secure_or_refused(name):
    mechanism, asked = ASKED[name]
    try:
        mechanism.release(*asked, np.random.default_rng(1))
    except dp.DpvizError:  # a parameter has no default that releases: with bits neither
        with pytest.raises(dp.DpvizError):
            mechanism.release(*asked)
        return
    try:
        secure = mechanism.release(*asked, dp.SecureBits())
    except NotExact as refused:
        with pytest.raises(NotExact, match=re.escape(str(refused))):
            mechanism.release(*asked)
        return
    found = mechanism.release(*asked)
    for one, other in zip(parts(found), parts(secure), strict=True):
        assert one.randomness == other.randomness == "secure"
    assert type(found) is type(secure)


def parts(release):
    return list(release.releases.values()) if hasattr(release, "releases") else [release]


def test_most_of_them_are_released():
    secure = 0
    for mechanism, asked in ASKED.values():
        try:
            mechanism.release(*asked)
        except dp.DpvizError:
            continue
        secure += 1
    assert secure >= 16


@pytest.mark.law
@by_rows("name", ASKED)
def test_two_releases_share_no_draw(name):
    mechanism, asked = ASKED[name]
    try:
        first = mechanism.release(*asked).to_json()
    except dp.DpvizError:
        return
    assert any(mechanism.release(*asked).to_json() != first for _ in range(40))


def test_rng_may_be_left_out_of_all_releases():
    for mechanism, _ in ASKED.values():
        assert inspect.signature(mechanism.release).parameters["rng"].default is None


def test_people_s_rows_are_chosen_without_a_seed():
    rows, persons = dp.PersonRows.at_most(1), np.repeat(np.arange(40), 2)
    values = np.tile([0.0, 100.0], 40)
    columns = {dp.person_column(persons, values, BOUNDS, 1, rows).values.sum() for _ in range(8)}
    assert len(columns) > 1
    points = dp.person_points(persons, values, values, POINTS.box, rows)
    assert points.n == 40
    grid = dp.person_grid(persons, values, values, POINTS.box, 2, rows)
    assert grid.n == 40
    found = dp.release_for_people(
        dp.ApproximateQuantiles(),
        dp.person_column(persons, values, BOUNDS, 1, rows),
        [0.5],
        budget=ONE,
        rows=rows,
    )
    assert (found.randomness, found.neighbours) == ("secure", Neighbours.ADD_REMOVE)


def test_secure_bits_take_a_fresh_key_by_themselves():
    one, other = dp.SecureBits(), dp.SecureBits()
    assert not np.array_equal(one.words(4, np.uint64), other.words(4, np.uint64))


def test_bounds_are_proposed_without_a_seed():
    assert dp.propose_bounds(np.arange(60), ONE).randomness == "secure"
