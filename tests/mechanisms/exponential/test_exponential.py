from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.mechanisms.exponential import one_quantile as exponential
from dpviz.mechanisms.exponential.ladder import Ladder, Problems
from dpviz.mechanisms.exponential.one_quantile import Envelope, density_of, sample
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits, fits_probabilities

DRAWS = 20_000


def problem(first, last, low, high, target, eta, copies=1):
    return Problems(
        np.full(copies, first),
        np.full(copies, last),
        np.full(copies, float(low)),
        np.full(copies, float(high)),
        np.full(copies, float(target)),
        np.full(copies, float(eta)),
    )


def plain(values, low, high, target=None, eta=1.0, copies=1):
    """One problem over a whole untied column."""
    target = 0.5 * len(values) if target is None else target
    return Ladder(np.array(values, dtype=float)), problem(
        0, len(values), low, high, target, eta, copies
    )


def tied(values, low, high, target, eta, copies=1):
    """One problem over a column whose ties are compressed into jumps of the rank."""
    distinct = sorted(set(values))
    ranks = [0] + [sum(x <= d for x in values) for d in distinct]
    ladder = Ladder(np.array(distinct, dtype=float), np.array(ranks))
    return ladder, problem(0, len(distinct), low, high, target, eta, copies)


def slow_law(ladder, one):
    """Plain Python: intervals as (low, high) and P(I_k) ∝ w_k exp(−η |k − t|)."""
    first, last = int(one.first[0]), int(one.last[0])
    edges = [float(one.low[0])]
    edges += [float(v) for v in ladder.values[first:last]]
    edges += [float(one.high[0])]
    ranks = range(first, last + 1)
    if ladder.ranks is not None:
        ranks = [int(ladder.ranks[k]) for k in range(first, last + 1)]
    target, eta = float(one.target[0]), float(one.eta[0])
    logs = []
    for low, high, rank in zip(edges, edges[1:], ranks, strict=False):
        width = high - low
        logs.append(math.log(width) - eta * abs(rank - target) if width > 0 else -math.inf)
    top = max(logs)
    weights = [math.exp(x - top) for x in logs]
    total = sum(weights)
    return np.array(edges), np.array([w / total for w in weights])


def tally(ladder, problems, rng):
    """Counts per interval, and where in its interval each draw lies, in (0, 1)."""
    edges, law = slow_law(ladder, problems)
    values, intervals = sample(ladder, problems, rng)
    at = intervals - problems.first[0]
    low, high = edges[at], edges[at + 1]
    assert ((values >= low) & (values <= high)).all()
    inside = (values - low) / np.where(high > low, high - low, 1.0)
    return np.bincount(at, minlength=law.size), inside, law


SPACED = np.linspace(-3, 4, 15) ** 3
HEAVY = [0] * 30 + [1] * 3 + [2] * 40 + [7] + [9] * 26
CASES = {
    "continuous": plain(SPACED, -50, 100, eta=0.7),
    "one of each side": plain([0.0, 1.0], -1, 2, target=1, eta=0.3),
    "empty": plain([], -1, 3, target=0, eta=1.0),
    "single record": plain([0.25], 0, 1, target=0.5, eta=2.0),
    "lowest target": plain(SPACED, -50, 100, target=0.0, eta=0.5),
    "highest target": plain(SPACED, -50, 100, target=15.0, eta=0.5),
    "unfloored target": plain(SPACED, -50, 100, target=7.3, eta=0.4),
    "tiny eta": plain(SPACED, -50, 100, eta=1e-6),
    "huge eta": plain(SPACED, -50, 100, target=7.3, eta=1e4),
    "huge eta, two nearest": plain(SPACED, -50, 100, target=6.5, eta=1e4),
    "outlier range": plain(np.linspace(0, 1, 31), -1e9, 1e9, eta=1.5),
    "absurd outlier range": plain(np.linspace(0, 1, 31), -1e200, 1e200, eta=20.0),
    "record on both bounds": plain([0.0, 0.2, 0.7, 1.0], 0, 1, eta=0.5),
    "zero-width end at the target": plain([0.0, 0.2, 0.7], 0, 1, target=0.0, eta=2.0),
    "zero-width ends, huge eta": plain([0.0, 0.4, 1.0], 0, 1, target=3.0, eta=500.0),
    "one record on the bound": plain([1.0], 0, 1, target=1.0, eta=3.0),
    "two records, both bounds": plain([0.0, 1.0], 0, 1, target=0.1, eta=3.0),
    "ties": tied(HEAVY, -1, 12, 50.0, 0.05),
    "ties, strong": tied(HEAVY, -1, 12, 53.0, 3.0),
    "ties on the bounds": tied(HEAVY, 0, 9, 10.0, 0.1),
    "all tied on a bound": tied([0] * 50, 0, 9, 25.0, 0.2),
    "all tied inside": tied([4] * 50, 0, 9, 10.0, 0.2),
    "narrow nearest interval": plain([0.3, 0.3 + 1e-13, 0.9], -1e6, 1e6, target=1.0, eta=9.0),
}


@pytest.mark.few(10)
@pytest.mark.law
@pytest.mark.parametrize("name", CASES)
def test_the_sampler_follows_the_exact_law(rng, name):
    ladder, one = CASES[name]
    many = one.take(np.zeros(DRAWS, dtype=np.int64))
    counts, inside, law = tally(ladder, many, rng)
    assert fits_probabilities(counts, law, comparisons=2 * len(CASES))
    if not name.startswith(("narrow", "absurd")):  # a double has no room to be uniform there
        assert fits(inside, stats.uniform(), comparisons=2 * len(CASES))


@pytest.mark.few(3)
@pytest.mark.law
@pytest.mark.parametrize("factor", [0.8, 1.25])
@pytest.mark.parametrize("name", ["continuous", "ties", "ties on the bounds", "outlier range"])
def test_another_eta_is_rejected(rng, name, factor):
    ladder, one = CASES[name]
    wrong = Problems(one.first, one.last, one.low, one.high, one.target, one.eta * factor)
    right_law, wrong_law = slow_law(ladder, one)[1], slow_law(ladder, wrong)[1]
    draws = 3 * DRAWS if name == "ties" else DRAWS
    assert can_tell_probabilities(draws, right_law, wrong_law)
    counts, _, _ = tally(ladder, wrong.take(np.zeros(draws, dtype=np.int64)), rng)
    assert not fits_probabilities(counts, right_law)


@pytest.mark.law
def test_a_shifted_target_is_rejected(rng):
    ladder, one = plain(SPACED, -50, 100, target=7.0, eta=0.4, copies=DRAWS)
    counts, _, _ = tally(ladder, one, rng)
    shifted = slow_law(*plain(SPACED, -50, 100, target=7.5, eta=0.4))[1]
    assert can_tell_probabilities(DRAWS, shifted, slow_law(ladder, one)[1])
    assert not fits_probabilities(counts, shifted)


@pytest.mark.law
def test_sub_ranges_see_only_their_own_records(rng):
    values = np.sort(rng.normal(size=40))
    low, high = (values[9] + values[10]) / 2, (values[29] + values[30]) / 2
    ladder, one = Ladder(values), problem(10, 30, low, high, 17.5, 0.3, DRAWS)
    counts, inside, law = tally(ladder, one, rng)
    assert law.size == 21
    assert fits_probabilities(counts, law, comparisons=2)
    assert fits(inside, stats.uniform(), comparisons=2)


@pytest.mark.law
def test_a_tied_sub_range(rng):
    ladder, _ = tied(HEAVY, -1, 12, 0, 1)
    one = problem(1, 4, 0.4, 8.5, 60.0, 0.04, DRAWS)  # ranks 30, 33, 73, 74
    counts, _, law = tally(ladder, one, rng)
    assert fits_probabilities(counts, law)


@pytest.mark.law
def test_runs_one_behind_the_other_do_not_mix(rng):
    runs, n = 2000, 12
    columns = np.sort(rng.random((runs, n)), axis=1)
    starts = np.arange(runs) * n
    repeats = 20
    first = np.repeat(starts, repeats)
    ones = np.ones(first.size)
    problems = Problems(first, first + n, 0 * ones, ones, first + 4.6, 0.8 * ones)
    values, intervals = sample(Ladder(columns.ravel()), problems, rng)
    at = intervals - first
    assert ((at >= 0) & (at <= n)).all()
    rows = np.repeat(columns, repeats, axis=0)
    assert (np.sum(rows < values[:, None], axis=1) == at).all()
    # exact law averaged over the columns
    edges = np.pad(columns, ((0, 0), (1, 1)), constant_values=(0.0, 1.0))
    weights = np.diff(edges, axis=1) * np.exp(-0.8 * np.abs(np.arange(n + 1) - 4.6))
    law = (weights / weights.sum(axis=1, keepdims=True)).mean(axis=0)
    assert fits_probabilities(np.bincount(at, minlength=n + 1), law)


def test_many_different_problems_in_one_call_keep_their_order(rng):
    values = np.sort(rng.random(1000))
    targets = np.arange(1000.0)
    ones = np.ones(1000)
    problems = Problems(
        np.zeros(1000, dtype=int), np.full(1000, 1000), 0 * ones, ones, targets, 50 * ones
    )
    drawn, intervals = sample(Ladder(values), problems, rng)
    assert (np.abs(intervals - targets) <= 2).all()
    assert (np.searchsorted(values, drawn) == intervals).all()


def test_a_range_without_width_returns_its_end(rng):
    for ladder, one in (
        plain([], 2, 2, target=0, copies=5),
        plain([2.0, 2.0], 2, 2, target=1, copies=5),
    ):
        values, _ = sample(ladder, one, rng)
        assert values.tolist() == [2.0] * 5
    assert sample(Ladder(np.empty(0)), problem(0, 0, 0, 1, 0, 1, copies=0), rng)[0].size == 0


@pytest.mark.law
def test_every_path_of_the_sampler_gives_the_law(rng, monkeypatch):
    ladder, one = CASES["outlier range"]
    many = one.take(np.zeros(8_000, dtype=np.int64))
    calls = []
    drawn = exponential._sample_part

    def counting(ladder, problems, blocks, rng):
        calls.append(blocks)
        return drawn(ladder, problems, blocks, rng)

    monkeypatch.setattr(exponential, "_sample_part", counting)
    monkeypatch.setattr(exponential, "_blocks_needed", lambda ladder, problems: 1)
    counts, _, law = tally(ladder, many, rng)
    assert set(calls) > {1, 4}, "the longer envelopes were not needed"
    assert fits_probabilities(counts, law, comparisons=3)

    calls.clear()
    monkeypatch.setattr(exponential, "ELEMENTS", 1000)
    counts, _, law = tally(ladder, many, rng)
    assert max(b for b in calls) > 1
    assert len(calls) > 8_000 / 1000
    assert fits_probabilities(counts, law, comparisons=3)

    monkeypatch.undo()
    monkeypatch.setattr(exponential, "ROUNDS", 0)
    few = one.take(np.zeros(2_000, dtype=np.int64))
    counts, _, law = tally(ladder, few, rng)
    assert fits_probabilities(counts, law, comparisons=3)


def test_the_envelope_bounds_the_density_and_is_tight(rng):
    for ladder, one in CASES.values():
        envelope = Envelope.around(ladder, one, exponential._blocks_needed(ladder, one))
        edges, _ = slow_law(ladder, one)
        interval, bound = envelope.interval[0], envelope.log_bound[0]
        assert interval[0] == one.first[0]
        assert interval[-1] == one.last[0] + 1
        assert (np.diff(interval) >= 0).all()
        ranks = ladder.rank(np.arange(one.first[0], one.last[0] + 1))
        weight = -one.eta[0] * (np.abs(ranks - one.target[0]) - envelope.nearest[0])
        wide = np.diff(edges) > 0
        for block, top in enumerate(bound):
            inside = slice(interval[block], interval[block + 1])
            logs = weight[inside][wide[inside]]
            assert (logs <= top + 1e-9).all()
        # what is accepted: true mass over the envelope's
        true = np.diff(edges)[wide] @ np.exp(weight[wide])
        if envelope.tail_share[0] <= exponential.TAIL:
            assert true / envelope.mass[0, -1] > 0.55


def test_the_number_of_blocks_grows_with_the_log_of_n_only():
    def blocks(n, eta):
        return exponential._blocks_needed(Ladder(np.empty(0)), problem(0, n, 0, 1, n / 2, eta))

    for n in (0, 1, 10, 10**4, 10**7, 10**12):
        for eta in (1e-6, 1e-3, 1.0, 1e4):
            assert 1 <= blocks(n, eta) <= 2 * (12 + math.log(n + 1)) + 1
    assert blocks(10, 1e-6) <= 2


@pytest.mark.parametrize("eta", [1e6, 1e12, 1e100])
def test_an_absurd_eta_still_ends_and_picks_the_nearest(rng, eta):
    values = np.sort(rng.random(10_000))
    _, intervals = sample(Ladder(values), problem(0, 10_000, 0, 1, 4000.3, eta, 50), rng)
    assert set(intervals.tolist()) == {4000}


@by_rows("name", CASES)
def test_the_density_equals_the_slow_twin_and_integrates_to_one(name):
    ladder, one = CASES[name]
    edges, law = slow_law(ladder, one)
    density = density_of(ladder, one.take(slice(0, 1)))
    widths = np.diff(density.edges)
    np.testing.assert_array_equal(density.edges, edges)
    np.testing.assert_allclose(np.exp(density.log_density) * widths, law, rtol=1e-9, atol=1e-300)
    assert math.isclose(float(np.exp(density.log_density) @ widths), 1, rel_tol=1e-12)


def test_a_range_without_width_has_no_density():
    with pytest.raises(ValueError, match="no width"):
        density_of(*plain([2.0], 2, 2, target=1))


def test_edges_of_intervals():
    ladder, one = plain([1.0, 2.0, 5.0], 0, 9)
    np.testing.assert_array_equal(ladder.edge_below(one, np.arange(5)[None])[0], [0, 1, 2, 5, 9])
