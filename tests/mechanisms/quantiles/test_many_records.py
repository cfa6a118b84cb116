"""One record more changes no law, and records crowded into one double end no draw."""

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, PureDP
from dpviz.core.data.column import MOST_APART, Column
from dpviz.core.errors import InvalidData
from dpviz.mechanisms.exponential.spread_groups import SpreadGroups
from dpviz.mechanisms.exponential.ties import Ties, untied_runs
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.around.mechanism import QuantilesAround
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.slices.mechanism import SliceQuantiles

BOUNDS, BESIDE = Bounds(0, 100), 50.45  # its step is 50; spread where it stands, half of it is 51
MECHANISMS = [
    *(ApproximateQuantiles(round_to_grid=True), IndependentExp(round_to_grid=True)),
    *(JointExp(round_to_grid=True), SliceQuantiles(round_to_grid=True), QuantilesAround()),
]


def drawn(mechanism, column, runs):
    budget = ApproxDP(1, 1e-6) if isinstance(mechanism, SliceQuantiles) else PureDP(1)
    rng = np.random.default_rng(5)
    asked = [0.1, 0.9]
    if runs == 1:
        return np.array(mechanism.release(column, asked, budget, rng).values)
    return mechanism.release_many(column, asked, budget, rng, runs)


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize("runs", [1, 2])
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda one: one.name)
def test_one_record_more_changes_no_law(mechanism, runs):
    """At 2^24 records studies began to spread values around their step, and JointExp with them."""
    for records in (10**4, 2**20, MOST_APART, MOST_APART + 1):
        column = Column.from_counts([BESIDE], [records], BOUNDS, 1)
        assert (drawn(mechanism, column, runs) == 50).all(), records


def test_values_of_counts_are_spread_around_their_step(rng):
    """Both ways of drawing, and not those of a column of values, which stay where they are."""
    counted = Column.from_counts([BESIDE], [4_000], BOUNDS, 1)
    held = Column.from_values(np.full(4_000, BESIDE), BOUNDS, 1)
    for column, middle in ((counted, 50.0), (held, BESIDE)):
        spread = untied_runs(column, Ties.SPREAD, rng, 2)
        assert np.abs(spread[:, [0, -1]] - [middle - 0.5, middle + 0.5]).max() < 0.01
        groups = SpreadGroups.of(column)
        assert (groups.low[0], groups.high[0]) == (middle - 0.5, middle + 0.5)


SHORT_ENDS = [(Bounds(0, 9.5), 1.0, 9.0, 9.5, 9.5), (Bounds(0, 10), 4.0, 8.0, 10.0, 10.0)]


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "mechanism", [*MECHANISMS[:3], QuantilesAround()], ids=lambda one: one.name
)
@pytest.mark.parametrize(("bounds", "resolution", "before", "last", "told"), SHORT_ENDS)
def test_the_range_of_a_record_is_its_own(mechanism, bounds, resolution, before, last, told):
    """The last step of these bounds is short. A record in the step before it moved all others."""
    for values, counts, q in (
        ([last], [5_000], 0.4),
        ([before, last], [1, 5_000], 0.4),
        ([before, last], [982, 983], 0.6),
        ([before, last], [983, 983], 0.6),
    ):
        column = Column.from_counts(values, counts, bounds, resolution)
        for seed in range(5):
            rng = np.random.default_rng(seed)
            assert mechanism.release(column, [q], PureDP(1.0), rng).values.tolist() == [told]


@pytest.mark.parametrize(
    ("bounds", "resolution"),
    [(Bounds(2.0**52, 2.0**52 + 100), 2.0), (Bounds(0, 5e-323), 1e-323)],
)
def test_steps_of_too_few_doubles_are_refused_by_declaration(bounds, resolution):
    """Where several records share a double, ways to draw differ: around 1,766 the law changed."""
    said = set()
    for records in (0, 1, 1766, 1767, 2**25, 2**53):
        column = Column.from_counts([bounds.low], [records], bounds, resolution)
        for act in (JointExp().release, QuantilesAround().release):
            with pytest.raises(InvalidData, match="too fine") as refused:
                act(column, [0.5], PureDP(1.0), np.random.default_rng(1))
            said.add(str(refused.value))
        exact = ApproximateQuantiles().release(column, [0.5], PureDP(1.0), np.random.default_rng(1))
        assert bounds.low <= exact.values[0] <= bounds.high
    assert len(said) == 1


CROWDED = [  # value, bounds, resolution, ε, numbers of records
    (100.0, BOUNDS, 1.0, 1e6, [1000, 2**53]),
    (1e9 + 50, Bounds(1e9, 1e9 + 100), 2.5e-3, 1.0, [MOST_APART + 1, 2**40 + 1]),
    (5e299, Bounds(0, 1e300), 1e289, 1.0, [2**31]),
    (0.0, Bounds(0, 1e-310), 1e-311, 1.0, [1766, 2**53]),
]


@pytest.mark.few(4, 9)
@pytest.mark.parametrize(
    "mechanism", [*MECHANISMS[:3], QuantilesAround()], ids=lambda one: one.name
)
@pytest.mark.parametrize(("value", "bounds", "resolution", "epsilon", "numbers"), CROWDED)
def test_records_that_crowd_one_double_end_no_draw(
    mechanism, value, bounds, resolution, epsilon, numbers
):
    """An array of all records was made (and its size, n + 2, said), or no interval was found."""
    for records in numbers:
        column = Column.from_counts([value], [records], bounds, resolution)
        rng = np.random.default_rng(3)
        asked, budget = [0.1, 0.5, 0.9], PureDP(epsilon)
        found = np.array(mechanism.release(column, asked, budget, rng).values)
        many = mechanism.release_many(column, asked, budget, rng, 3)
        assert np.abs(np.append(found, many) - value).max() <= 2 * resolution
