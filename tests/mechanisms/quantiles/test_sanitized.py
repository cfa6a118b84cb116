from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP, compose
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.grid import as_written
from dpviz.core.quantiles import uniform_quantiles
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.sanitized import LARGEST, SanitizedColumn
from tests.statistics import can_tell_probabilities, fits_probabilities

COLUMN = Column.from_values(np.linspace(-1, 1, 200), Bounds(-2, 2))


class Spy:
    """Stands in for the quantile mechanism, notes what it was asked for, always answers alike."""

    def __init__(self, neighbours=Neighbours.ADD_REMOVE):
        self.neighbours, self.asked = neighbours, []
        real = ApproximateQuantiles(neighbours=neighbours)
        self.answer = real.release(COLUMN, [0.5], PureDP(1.0), np.random.default_rng(3))

    def release(self, column, quantiles, budget, rng):
        self.asked.append((len(quantiles), budget))
        return self.answer


def sizes(budget, rng, draws, share=0.1, neighbours=Neighbours.ADD_REMOVE):
    spy = Spy(neighbours)
    mechanism = SanitizedColumn(count_share=share, quantiles=spy)
    for _ in range(draws):
        mechanism.release(COLUMN, budget, rng)
    return np.array([size for size, _ in spy.asked]), spy.asked[0][1]


def whole_law(log_weight, spread):
    """P(noise = j) for |j| < spread, and the two tails in the end cells."""
    whole = np.arange(-300, 301)
    chance = np.exp(log_weight(whole))
    cells = np.clip(whole, -spread, spread) + spread
    return np.bincount(cells, chance / chance.sum(), minlength=2 * spread + 1)


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("budget", [PureDP(2.0), ZCDP(0.5), ApproxDP(2.0, 1e-6)])
def test_the_count_is_noised_for_its_share_and_no_less(rng, budget, relation):
    share, draws, spread = 0.2, 4000, 12
    found, rest = sizes(budget, rng, draws, share, relation)
    if isinstance(budget, ZCDP):
        paid = ZCDP(share * 0.5)
        laws = [lambda k, f=f: -(k**2) * share * 0.5 / f**2 for f in (1.0, 0.7, 1.4)]
    else:
        paid = PureDP(share * 2.0)
        laws = [lambda k, f=f: -np.abs(k) * share * 2.0 / f for f in (1.0, 0.7, 1.4)]
    cells = np.clip(found - COLUMN.n, -spread, spread) + spread
    counts = np.bincount(cells, minlength=2 * spread + 1)
    right, *wrongs = (whole_law(law, spread) for law in laws)
    assert fits_probabilities(counts, right, comparisons=3)
    for other in wrongs:
        assert can_tell_probabilities(draws, other, right)
        assert not fits_probabilities(counts, other)
    if isinstance(budget, ApproxDP):
        assert rest.delta == budget.delta
        assert rest.epsilon + paid.epsilon == pytest.approx(budget.epsilon, rel=1e-12)
    else:
        total = compose([rest, paid])
        assert tuple(vars_of(total)) == pytest.approx(tuple(vars_of(budget)), rel=1e-12)


def vars_of(budget):
    return [getattr(budget, name) for name in budget.__slots__]


@pytest.mark.parametrize("relation", Neighbours)
def test_the_true_n_never_shows(rng, relation):
    found, _ = sizes(PureDP(1.0), rng, 200, neighbours=relation)
    assert np.unique(found).size > 20


def test_a_declared_size_costs_nothing_and_is_kept(rng):
    spy = Spy()
    SanitizedColumn(size=7, quantiles=spy).release(COLUMN, PureDP(1.0), rng)
    assert spy.asked == [(7, PureDP(1.0))]
    release = SanitizedColumn(size=7).release(COLUMN, PureDP(1.0), rng)
    np.testing.assert_array_equal(release.quantiles, uniform_quantiles(7))
    assert release.parameters["size"] == 7
    assert release.parameters["count_share"] is None


def test_the_release_states_the_whole_budget_and_round_trips(rng):
    release = SanitizedColumn().release(COLUMN, PureDP(1.0), rng)
    assert release.spent == PureDP(1.0)
    assert release.parameters["size"] is None
    assert release.parameters["count_share"] == 0.1
    assert release.mechanism == "SanitizedColumn"
    assert (np.diff(release.values) >= 0).all()
    assert ((release.values >= -2) & (release.values <= 2)).all()
    assert QuantileRelease.from_json(release.to_json()) == release


def test_an_empty_column_and_a_tiny_budget_stay_within_limits(rng):
    empty = Column.from_values([], Bounds(0, 1))
    for _ in range(20):
        assert SanitizedColumn().release(empty, PureDP(1.0), rng).values.size >= 1
    spy = Spy()
    for _ in range(50):
        SanitizedColumn(quantiles=spy).release(empty, PureDP(1e-9), rng)
    found = [size for size, _ in spy.asked]
    assert min(found) == 1
    assert max(found) == LARGEST


@pytest.mark.parametrize(
    "parameters",
    [{"size": 0}, {"size": LARGEST + 1}, {"count_share": 0.0}, {"count_share": 1.0}, {"size": -3}],
)
def test_parameters_are_validated(parameters):
    with pytest.raises(InvalidParameter, match=r"synthetic column|share"):
        SanitizedColumn(**parameters)


def test_a_generous_budget_gives_back_the_column(rng):
    release = SanitizedColumn(size=199).release(COLUMN, PureDP(1e7), rng)
    targets = uniform_quantiles(199) * 200
    below = COLUMN.count_below(release.values)
    assert np.abs(below - targets).max() <= 1


def test_the_count_and_the_points_take_secure_bits_and_add_up_to_the_budget():
    secure = SanitizedColumn().release(COLUMN, PureDP(1.0), SecureBits(bytes(32)))
    assert secure == SanitizedColumn().release(COLUMN, PureDP(1.0), SecureBits(bytes(32)))
    assert secure.randomness == "secure"
    for share in (0.1, 0.3, 1 / 3):
        for size in (0.1, 0.7, 1.0, 7.7):
            mechanism = SanitizedColumn(count_share=share)
            _, rest = mechanism._size_and_rest(COLUMN, PureDP(size), SecureBits.fresh())
            paid = as_written(share) * as_written(size)
            assert paid + as_written(rest.epsilon) <= as_written(size)
