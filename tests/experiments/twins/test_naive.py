"""Naive twins: the law they claim for real numbers, and what their doubles give away."""

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.hard_pairs import counted_pair
from dpviz.experiments.privacy.neighbours import Change, exact_pair
from dpviz.experiments.privacy.privacy_audit import Event, audit
from dpviz.experiments.privacy.quantile_query import QuantileQuery
from dpviz.experiments.twins.naive import lone_pair, naive, only_from
from dpviz.intake.samples import sample_column
from tests.statistics import can_tell, can_tell_probabilities, fits, fits_probabilities

BOUNDS = Bounds(0, 500_000)
COUNT = CountQuery.over(100_000, Noise.DISCRETE_LAPLACE)
ONLY = Event(0.0, below=False, flipped=False)
ONE = PureDP(1.0)


def quantile(relation=Neighbours.ADD_REMOVE, q=0.5):
    return QuantileQuery(q, relation)


def pair_of(query, relation):
    if isinstance(query, CountQuery):
        return counted_pair(query, BOUNDS, relation, 1)
    return lone_pair(BOUNDS, relation)


@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("kind", ["count", "quantile"])
@pytest.mark.parametrize("side", [0, 1])
def test_doubles_give_one_record_away_and_exact_answers_do_not(rng, kind, relation, side):
    query = COUNT if kind == "count" else quantile(relation)
    pair = pair_of(query, relation)
    columns = (pair.one, pair.other)[:: -1 if side else 1]
    assert abs(columns[0].n - columns[1].n) == (relation is Neighbours.ADD_REMOVE)
    twin, told = naive(query), []
    for tried in (query, twin):
        outputs = tried.release_many(columns[0], ONE, rng, 10_000)
        only = only_from(tried, columns, ONE, outputs)
        assert (only >= 0).all()  # every output can come from where it came from
        told.append(int((only > 0).sum()))
    assert told[0] == 0
    assert told[1] > 500
    # although for real numbers the twin keeps its ε
    assert twin.attained(pair, ONE, 0.5) <= 1 + 1e-9


@pytest.mark.law
@pytest.mark.parametrize("kind", ["count", "quantile"])
def test_single_releases_with_secure_bits_pass_the_same_test(kind):
    query = COUNT if kind == "count" else quantile()
    pair, bits = pair_of(query, Neighbours.ADD_REMOVE), SecureBits.fresh()
    columns = pair.one, pair.other
    for column in columns:
        if kind == "count":
            outputs = np.array([query.release(column, ONE, bits) for _ in range(200)])
        else:
            release = query.mechanism.release
            values = [release(column, [0.5], ONE, bits).values[0] for _ in range(200)]
            outputs = np.array(values)
        assert np.unique(outputs).size > 5
        assert (only_from(query, columns, ONE, outputs) == 0).all()


def test_a_single_person_of_thousands_is_given_away_in_some_runs(rng):
    column = sample_column("salaries")
    pair = exact_pair(column, Change(int(column.count_up_to(100_000))))
    assert COUNT.truth(pair.one) == COUNT.truth(pair.other) + 1 == 865
    outputs = naive(COUNT).release_many(pair.one, ONE, rng, 100_000)
    only = only_from(naive(COUNT), (pair.one, pair.other), ONE, outputs)
    assert 50 < (only > 0).sum() < 400
    assert (only >= 0).all()


@pytest.mark.law
def test_the_audit_of_that_event_catches_the_twin_and_passes_the_honest_count(rng):
    pair = pair_of(COUNT, Neighbours.ADD_REMOVE)
    columns, bounds = (pair.one, pair.other), []
    for tried in (COUNT, naive(COUNT)):
        scores = [
            only_from(tried, columns, ONE, tried.release_many(column, ONE, rng, 10_000))
            for column in columns
        ]
        found = audit(*scores, 1 - 1e-9, event=ONLY)
        assert found.event == ONLY
        assert found.runs[-1] == 10_000  # nothing was spent on choosing
        bounds.append(found.bound)
    assert bounds[0] == 0
    assert bounds[1] > 4


@pytest.mark.law
@pytest.mark.parametrize("budget", [PureDP(0.7), ZCDP(0.1), ApproxDP(0.7, 1e-6)])
def test_the_naive_count_has_laplace_noise_of_the_claimed_scale(rng, budget):
    column = Column.from_values([200_000.0] * 7, BOUNDS)
    twin = naive(COUNT)
    sample = twin.release_many(column, budget, rng, 200_000)
    scale = twin.scale(budget)
    if not isinstance(budget, ZCDP):
        assert scale == pytest.approx(1 / 0.7)
    assert fits(sample, stats.laplace(7, scale))
    for wrong in (0.9, 1.1):
        assert can_tell(sample.size, stats.laplace(7, scale), stats.laplace(7, wrong * scale))
        assert not fits(sample, stats.laplace(7, wrong * scale))


@pytest.mark.law
def test_the_naive_quantile_has_the_law_of_the_exponential_mechanism(rng):
    column = Column.from_values([1e4, 5e4, 5e4, 9e4, 4e5], BOUNDS)
    edges = np.array([0, 1e4, 5e4, 9e4, 4e5, 5e5])
    ranks = np.array([0, 1, 3, 4, 5])
    mass = np.exp(-1.0 * np.abs(ranks - 2.5)) * np.diff(edges)  # η = ε / 2Δ, Δ = ½
    sample = naive(quantile()).release_many(column, ONE, rng, 200_000)
    counts = np.histogram(sample, edges)[0]
    assert fits_probabilities(counts, mass / mass.sum())
    wrong = np.exp(-0.9 * np.abs(ranks - 2.5)) * np.diff(edges)
    assert can_tell_probabilities(sample.size, mass / mass.sum(), wrong / wrong.sum())
    assert not fits_probabilities(counts, wrong / wrong.sum())
    inside = sample[(sample > 9e4) & (sample < 4e5)]
    assert fits(inside, stats.uniform(9e4, 3.1e5))


def test_records_that_lie_close_together_hide_each_other(rng):
    column = sample_column("salaries")
    pair = quantile().pair(column, Change(column.n // 2), rng)
    twin = naive(quantile())
    outputs = twin.release_many(pair.one, ONE, rng, 5_000)
    assert (only_from(twin, (pair.one, pair.other), ONE, outputs) == 0).all()
