"""LocalQuantiles: the law of its search by enumeration, its errors, who is asked what."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError, InvalidParameter, InvalidRelease, UnsupportedBudget
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.trees.local_release import LocalQuantileRelease
from dpviz.mechanisms.local.quantiles import LocalQuantiles
from dpviz.mechanisms.local.search import _misfits, crossing
from dpviz.mechanisms.local.shuffling import local_epsilon

BOUNDS = Bounds(0, 4)
SEED = np.random.default_rng
ONE = PureDP(1)


def release(column, quantiles, budget=ONE, seed=1, **settings):
    return LocalQuantiles(**settings).release(column, quantiles, budget, SEED(seed))


def isotonic(means, weights, low, high):
    """The best ascending fit within bounds, by averages of all stretches."""
    size = range(len(means))
    fits = [
        max(
            min(
                np.average(means[a : b + 1], weights=weights[a : b + 1])
                for b in size if b >= place
            )
            for a in size if a <= place
        )
        for place in size
    ]  # fmt: skip
    return np.clip(fits, low, high)


def slow_crossing(cuts, shares, weights, quantile, cells):
    """Cell by cell: the likelihood of the best curve that crosses there, then the median."""
    at = sorted(set(cuts))
    total = np.array([sum(w for c, w in zip(cuts, weights, strict=True) if c == one)
                      for one in at])  # fmt: skip
    means = np.array([sum(w * s for c, s, w in zip(cuts, shares, weights, strict=True) if c == one)
                      for one in at]) / total  # fmt: skip
    chances = []
    for cell in range(cells):
        lost = 0.0
        for side, ends in (([c <= cell for c in at], (-np.inf, quantile)),
                           ([c > cell for c in at], (quantile, np.inf))):  # fmt: skip
            if any(side):
                fit = isotonic(means[side], total[side], *ends)
                lost += float(total[side] @ (means[side] - fit) ** 2)
        chances.append(math.exp(-lost / 2))
    sums = np.concatenate(([0.0], np.cumsum(chances)))
    half = sums[-1] / 2
    place = int(np.flatnonzero(sums > half)[0]) - 1
    return place + (half - sums[place]) / chances[place]


@pytest.mark.few(8)
@pytest.mark.parametrize("seed", range(30))
def test_where_the_quantile_lies_is_that_of_all_cells_one_by_one(seed):
    rng, cells = SEED(seed), 24
    size = 1 + seed % 9
    cuts, shares = rng.integers(1, cells, size), rng.normal(0.5, 0.4, size)
    weights, quantile = rng.uniform(0.5, 40, size), (0.5, 0.2, 0.9)[seed % 3]
    found = crossing(cuts, shares, weights, quantile, cells)
    assert found == pytest.approx(slow_crossing(cuts, shares, weights, quantile, cells))


def test_what_fits_loses_nothing_and_pools_lose_their_spread():
    np.testing.assert_allclose(_misfits(np.array([0.1, 0.2]), np.ones(2), 0.5), 0, atol=1e-15)
    found = _misfits(np.array([0.4, 0.2, 0.9]), np.array([1.0, 1, 2]), 0.5)
    np.testing.assert_allclose(found, [0, 0, 0.02, 0.02 + 2 * 0.4**2])


def law(cells_of_people, quantile, epsilon, rounds, cells):
    """The chance of every value by all ways that people draw rounds and coins."""
    lie, people, found = 1 / (1 + math.exp(epsilon)), len(cells_of_people), {}
    for drawn in itertools.product(range(rounds), repeat=people):
        ways = [(1.0, [])]
        for one in range(rounds):
            own = [cells_of_people[i] for i in range(people) if drawn[i] == one]
            after = []
            for chance, told in ways:
                at = asked_at(told, quantile, lie, cells)
                cut = min(max(round(at), 1), cells - 1)
                for said in itertools.product((0, 1), repeat=len(own)):
                    each = [1 - lie if (c < cut) == bool(s) else lie
                            for c, s in zip(own, said, strict=True)]  # fmt: skip
                    more = [*told, (cut, len(own), sum(said))] if own else told
                    after.append((chance * math.prod(each), more))
            ways = after
        for chance, told in ways:
            value = round(asked_at(told, quantile, lie, cells), 9)
            found[value] = found.get(value, 0.0) + chance / rounds**people
    return found


def asked_at(told, quantile, lie, cells):
    if not told:
        return cells / 2
    cuts, people, yes = np.array(told, dtype=float).T
    shares = (yes / people - lie) / (1 - 2 * lie)
    return slow_crossing(list(cuts), shares, people * 4 * (1 - 2 * lie) ** 2, quantile, cells)


def drawn(column, runs, rounds=2, epsilon=1.0):
    rng, one = SEED(4), LocalQuantiles(rounds, 2)
    return np.array([one.release(column, 0.4, PureDP(epsilon), rng).values[0]
                     for _ in range(runs)]).round(9)  # fmt: skip


def fits(sample, wanted):
    """Within 6 standard deviations everywhere: 1e-8 or so by chance for these 40 values."""
    if set(sample.tolist()) - set(wanted):
        return False
    shares = {value: float(np.mean(np.isclose(sample, value, atol=1e-8))) for value in wanted}
    return all(
        abs(shares[value] - p) < 6 * math.sqrt(p * (1 - p) / sample.size) + 1 / sample.size
        for value, p in wanted.items()
    )


@pytest.mark.law
def test_values_have_the_law_of_all_draws_of_rounds_and_coins():
    """Three people, two rounds, four cells; wrong odds, people and targets are told apart."""
    column = Column.from_values([0.5, 1.5, 3.5], BOUNDS)
    sample = drawn(column, 1000)
    exact = law([0, 1, 3], 0.4, 1.0, 2, 4)
    assert sum(exact.values()) == pytest.approx(1)
    rounded = {round(value, 6): 0.0 for value in exact}
    for value, p in exact.items():
        rounded[round(value, 6)] += p
    assert fits(sample.round(6), rounded)
    for wrong in (law([0, 1, 3], 0.4, 1.6, 2, 4), law([0, 2, 3], 0.4, 1.0, 2, 4),
                  law([0, 1, 3], 0.6, 1.0, 2, 4)):  # fmt: skip
        assert not fits(sample.round(6), {round(v, 6): p for v, p in wrong.items()})


def curves(people):
    """Even people, a hump at 1/200 of the bounds, and all within a part in 2,500 of them."""
    from scipy.special import ndtri  # noqa: PLC0415

    share = (np.arange(people) + 0.5) / people
    return {
        "even": share,
        "skew": np.clip(np.exp(ndtri(share)) / 200, 0, 1),
        "peak": 0.3712 + 1e-4 * ndtri(share),
    }


@pytest.mark.thorough
@pytest.mark.parametrize(("epsilon", "most"), [(1.0, 2.4), (3.0, 1.2)])
def test_ranks_err_less_than_those_of_halving(epsilon, most):
    """24 runs a curve at 2,500 people; 20 plain halvings err by 3.3 √n at ε = 1, 1.6 √n at 3."""
    people, rng = 2_500, SEED(7)
    for values in curves(people).values():
        column, off = Column.from_values(values, Bounds(0, 1)), []
        for quantile in rng.uniform(0.2, 0.8, 24):
            found = LocalQuantiles(height=20).release(column, quantile, PureDP(epsilon), rng).values
            off.append(np.searchsorted(values, found[0]) - quantile * people)
        assert math.sqrt(np.mean(np.square(off)) / people) < most
        assert abs(np.mean(off)) < 6 * np.std(off) / 24**0.5


@pytest.mark.law
def test_with_hardly_any_noise_the_quantile_is_found():
    column = Column.from_values(np.arange(4096) / 1024, BOUNDS)
    for quantile in (0.1, 0.5, 0.93):
        found = release(column, quantile, PureDP(30))
        assert found.values[0] == pytest.approx(4 * quantile, abs=0.12)


def test_everybody_is_asked_once_and_each_round_and_quantile_is_as_likely():
    people = 60_000
    column = Column.from_values(np.linspace(0, 4, people), BOUNDS)
    found = release(column, [0.2, 0.7, 0.2], rounds=8)
    assert found.quantiles.tolist() == [0.2, 0.7, 0.2]
    assert found.asked.shape == found.cuts.shape == found.yes.shape == (3, 8)
    assert found.asked[:2].sum() == people
    np.testing.assert_array_equal(found.asked[0], found.asked[2])
    assert np.abs(found.asked - people / 16).max() < 6 * math.sqrt(people / 16)
    assert (found.cuts[:, 0] == 2).all()  # the middle comes first
    assert found.values[0] == found.values[2] < found.values[1]
    assert (found.people, found.local, found.spent) == (people, 1.0, PureDP(1))
    assert found.parameters == {"rounds": 8, "height": 16}


def test_every_cut_and_value_follows_from_the_answers_before():
    found = release(
        Column.from_values(np.arange(500) % 4, BOUNDS),
        [0.7, 0.2, 0.2],
        PureDP(2),
        rounds=8,
        height=4,
    )
    lie = 1 / (1 + math.exp(2))
    for row, quantile in enumerate((0.7, 0.2, 0.2)):
        told, cuts = [], found.cuts[row] * 4  # in cells
        for cut, people, yes in zip(cuts, found.asked[row], found.yes[row], strict=True):
            assert cut == min(max(round(asked_at(told, quantile, lie, 16)), 1), 15)
            told.append((cut, people, yes))
        assert found.values[row] == pytest.approx(asked_at(told, quantile, lie, 16) / 4)


def test_a_value_on_a_cut_does_not_lie_below_it():
    found = release(Column.from_values(np.full(640, 2.5), BOUNDS), 0.5, PureDP(30), height=3)
    says = found.cuts[0] > 2.5
    assert 0 < says.sum() < says.size
    np.testing.assert_array_equal(found.yes[0], np.where(says, found.asked[0], 0))


def test_odds_of_a_report_are_at_most_e_to_the_epsilon_and_hardly_less():
    for epsilon in (1e-9, 0.3, 1.0, 30.0):
        response, local = LocalQuantiles().randomiser(PureDP(epsilon), 1000)
        lie = response.any / 2
        odds = (1 - lie) / lie
        assert local == epsilon
        assert math.log1p(float(odds - 1)) == pytest.approx(epsilon, rel=1e-4)
        assert odds <= Fraction(math.exp(epsilon)) * (1 + Fraction(1, 1 << 45))


def test_behind_a_shuffler_a_round_is_shuffled_by_itself():
    budget, people = ApproxDP(1, 1e-6), 64_000
    mechanism = LocalQuantiles()
    least = mechanism.smallest_round(budget, people)
    assert least == math.floor(1000 - 6 * math.sqrt(1000))
    _, local = mechanism.randomiser(budget, people)
    assert local == pytest.approx(local_epsilon(budget, least, 2), rel=1e-6)
    assert local <= local_epsilon(budget, least, 2) < local_epsilon(budget, people, 2)
    assert mechanism.randomiser(budget, people, 4)[1] < local  # people are split
    column = Column.from_values(np.arange(people) % 4, BOUNDS)
    found = release(column, 0.5, budget)
    assert found.local == local
    assert found.asked.min() >= least
    assert mechanism.smallest_round(PureDP(1), people) == 1
    few = release(Column.from_values([1.0, 2.0], BOUNDS), 0.5, budget)
    assert few.local == pytest.approx(1.0, rel=1e-4)  # nobody to hide among: the budget's own


def test_a_round_with_too_few_people_is_not_asked(monkeypatch):
    monkeypatch.setattr(LocalQuantiles, "smallest_round", lambda *_: 130)
    column = Column.from_values(np.arange(1024) / 256, BOUNDS)
    found = release(column, 0.5, rounds=8)
    assert set(found.asked[found.asked < 130].tolist()) == {0}
    assert 0 < (found.asked == 0).sum() < 8
    assert (found.yes[found.asked == 0] == 0).all()


@pytest.mark.parametrize("people", [0, 1, 3])
def test_few_people_and_none_report(people):
    column = Column.from_values(np.arange(people) * 1.0, BOUNDS)
    for budget in (PureDP(1), ApproxDP(1, 1e-6)):
        found = LocalQuantiles().release(column, [0.5, 0.9], budget, SecureBits.fresh())
        assert ((found.values >= 0) & (found.values <= 4)).all()
        assert found.randomness == "secure"
        assert (found.values == 2).all() == (people == 0)


@pytest.mark.law
def test_without_a_generator_every_release_is_drawn_anew_from_secure_bits():
    column = Column.from_values(np.arange(100) / 25, BOUNDS)
    found = [LocalQuantiles().release(column, 0.5, PureDP(1)) for _ in range(10)]
    assert {one.randomness for one in found} == {"secure"}
    assert len({one.values[0] for one in found}) == 10


def test_text_comes_back_and_what_was_changed_in_it_is_refused():
    column = Column.from_values(np.arange(100) / 25, BOUNDS)
    one = release(column, [0.5, 0.2, 0.5], rounds=4)
    assert LocalQuantileRelease.from_json(one.to_json()) == one
    stored = json.loads(one.to_json())
    many = [[99] * 4] * 3
    for key, wrong in (
        ("values", [1.0, 2]), ("values", [1.0, 2, 5]), ("values", [1.0, 2, math.nan]),
        ("cuts", many), ("asked", many), ("yes", many), ("asked", [[1] * 3] * 3),
        ("quantiles", [0.5, 0.2, 1.5]), ("local", 2.0), ("local", 0.5), ("people", -1),
        ("people", 3), ("neighbours", "add-remove"), ("spent", ZCDP(1).to_dict()),
        ("bounds", [4, 0]), ("randomness", "x"), ("yes", [[-1] * 4] * 3),
        ("asked", [[1.5] * 4] * 3),
        ("values", []), ("kind", "quantiles"),
    ):  # fmt: skip
        with pytest.raises(InvalidRelease):
            LocalQuantileRelease.from_json(json.dumps({**stored, key: wrong}))
    for key in stored:
        with pytest.raises(InvalidRelease):
            LocalQuantileRelease.from_json(json.dumps({k: stored[k] for k in stored if k != key}))
    for wrong in ((0, 4), None, "0 to 4"):  # a text has none of these
        with pytest.raises(InvalidRelease, match="not a release of local quantiles: bounds"):
            replace(one, bounds=wrong)


def test_wrong_requests_are_refused():
    for wrong in ({"rounds": 3}, {"rounds": 0}, {"rounds": 512}, {"height": 0}, {"height": 21},
                  {"rounds": 2.0}):  # fmt: skip
        with pytest.raises(InvalidParameter):
            LocalQuantiles(**wrong)
    with pytest.raises(UnsupportedBudget):
        LocalQuantiles().check(ZCDP(1))
    column = Column.from_values([1.0], BOUNDS)
    for budget in (PureDP(1e-12), PureDP(31), 1.0):
        with pytest.raises(DpvizError):
            release(column, 0.5, budget)
    with pytest.raises(DpvizError):
        release(column, 1.5)
