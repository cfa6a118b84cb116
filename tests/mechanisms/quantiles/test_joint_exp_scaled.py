"""JointExp's tables from scaled weights: against enumeration, the tables in logarithms, dense sums.

Wherever the check calls a column sound, every entry must be that of the logarithms, however small.
"""

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.quantiles.joint_exp import mechanism as joint_exp
from dpviz.mechanisms.quantiles.joint_exp import scaled
from dpviz.mechanisms.quantiles.joint_exp.forward import forward
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.joint_exp.sampler import sample_intervals
from dpviz.mechanisms.quantiles.joint_exp.scaled import (
    MOST,
    scaled_tables,
    shifted,
    sums_before,
    tables_of,
    window_sums,
)
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows
from tests.mechanisms.quantiles.test_joint_exp import (
    BOUNDS,
    check_law,
    check_mass_and_last_marginal,
)

SMALL = 40


def untied_problems():
    rng = np.random.default_rng(17)
    for _ in range(SMALL):
        n, m = int(rng.integers(0, 7)), int(rng.integers(1, 5))
        values = np.sort(rng.uniform(-3, 3, n))
        yield values, np.sort(rng.uniform(0, 1, m)), float(rng.choice([0.01, 0.3, 5.0]))


def problem_of(rng, n, m, c, even=True, low=-3.0):
    quantiles = uniform_quantiles(m) if even else np.sort(rng.beta(0.5, 0.5, m))
    return JointProblem.of(np.sort(rng.uniform(-3, 3, n)), Bounds(low, 3), quantiles, c)


def sound_tables(problem, windows):
    """Tables from scaled weights if the check passes, else None."""
    found = scaled_tables(problem, windows, problem.width[None])
    return found if found is not None and found.sound[0] else None


def same_tables(found, tables, atol=1e-9):
    """Whether both rows agree, unreachable entries included."""
    for row, whole in ((found.f[0], tables.f), (found.g[0], tables.g)):
        if not np.allclose(row, whole, rtol=1e-12, atol=atol):  # equal infinities agree
            return False
    return True


def test_mass_and_last_marginal_equal_enumeration():
    def sound(problem, windows):
        assert sound_tables(problem, windows)
        return tables_of(problem, windows)

    check_mass_and_last_marginal(untied_problems(), sound)


@pytest.mark.law
def test_sampled_tuples_have_the_exact_law_and_a_wrong_sensitivity_is_rejected():
    rng = np.random.default_rng(19)
    values, quantiles = np.array([-2.5, -1.0, 0.2, 0.3, 1.9]), np.array([0.2, 0.25, 0.9])
    problem = JointProblem.of(values, BOUNDS, quantiles, 0.5)
    windows = Windows.everything(problem)
    assert sound_tables(problem, windows)
    check_law(sample_intervals(tables_of(problem, windows), rng, 20_000), values, quantiles)


@pytest.mark.few(2, 7)
@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize(
    ("n", "m", "c"),
    [(1, 1, 0.3), (40, 60, 0.1), (200, 20, 0.3), (900, 20, 1), (1000, 120, 0.25), (3000, 60, 3)],
)
def test_every_entry_is_that_of_the_logarithms(rng, n, m, c, even):
    for low in (-3.0, -1e4):
        problem = problem_of(rng, n, m, c, even, low)
        windows = Windows.certified(problem)
        found = sound_tables(problem, windows)
        assert found
        tables = forward(problem, windows)
        assert same_tables(found, tables)
        assert tables_of(problem, windows).log_mass == pytest.approx(tables.log_mass, rel=1e-12)


def test_quantiles_closer_than_a_record_and_windows_that_move_on(rng):
    quantiles = np.array([0.1, 0.1 + 1e-5, 0.3, 0.3 + 1e-9, 0.6, 0.6001, 0.95, 0.99999])
    values = np.sort(rng.uniform(-3, 3, 4_000))
    problem = JointProblem.of(values, BOUNDS, quantiles, 2.0)
    windows = Windows.certified(problem)
    assert windows.first.max() > windows.stop.min()
    found = sound_tables(problem, windows)
    assert found
    assert same_tables(found, forward(problem, windows))


def hard_problem(rng, decades):
    """Gaps between records over so many orders of magnitude, and a random sharpness."""
    n, m = int(rng.integers(20, 150)), int(rng.integers(2, 60))
    gaps = 10 ** rng.uniform(-decades, 0, n + 1)
    values = np.cumsum(gaps)[:-1] / gaps.sum()
    values = np.unique(values[(values > 0) & (values < 1)])
    even = rng.uniform() < 0.5
    quantiles = uniform_quantiles(m) if even else np.unique(rng.beta(0.3, 0.3, m))
    quantiles = quantiles[(quantiles > 1e-9) & (quantiles < 1 - 1e-9)]
    c = 10 ** rng.uniform(-3, 2)
    problem = JointProblem.of(values, Bounds(0, 1), quantiles, c)
    # widths that subtraction of edges could not hold
    width = 10 ** rng.uniform(-decades, 0, problem.width.size)
    return JointProblem(
        problem.low, width, problem.rank, problem.gaps, problem.targets, c, problem.span
    )


@pytest.mark.law
def test_what_is_sound_is_exact_and_what_is_not_is_left_to_logarithms():
    rng = np.random.default_rng(23)
    sound = {10: 0, 300: 0}
    for decades in sound:
        for _ in range(40):
            problem = hard_problem(rng, decades)
            windows = Windows.everything(problem)
            tables, found = forward(problem, windows), sound_tables(problem, windows)
            assert np.isfinite(tables.f).all()  # every interval can be reached
            if found:
                sound[decades] += 1
                assert same_tables(found, tables)
            else:
                np.testing.assert_array_equal(tables_of(problem, windows).f, tables.f)
    assert sound[10] > 15
    assert sound[300] < 15


@pytest.mark.law
def test_without_the_check_reachable_intervals_would_be_lost(monkeypatch):
    """The wrong twin: the same sums, unchecked."""
    rng, lost = np.random.default_rng(23), 0
    monkeypatch.setattr(scaled, "LEAST", np.full((4, 1, 1), -np.inf))
    for _ in range(40):
        problem = hard_problem(rng, 300)
        windows = Windows.everything(problem)
        found = scaled_tables(problem, windows, problem.width[None])
        if found is not None:
            with np.errstate(invalid="ignore"):
                lost += not same_tables(found, forward(problem, windows))
    assert lost > 3


@pytest.mark.parametrize(
    "problem",
    [
        JointProblem.of(np.arange(1.0, 9), Bounds(0, 9), np.array([0.3, 0.7]), 1e4),
        JointProblem.of(np.array([1.0, 1, 2]), Bounds(0, 9), np.array([0.3, 0.7]), 0.3),
        JointProblem.of(np.arange(1.0, 9), Bounds(0, 9), uniform_quantiles(MOST + 1), 0.3),
        JointProblem.of(np.arange(1.0, 5000), Bounds(0, 9e9), uniform_quantiles(3), 1.0),
    ],
    ids=["steep", "tied", "many quantiles", "far from their targets"],
)
def test_what_plain_numbers_cannot_hold_is_not_begun(problem):
    windows = Windows.everything(problem)
    assert scaled_tables(problem, windows, problem.width[None]) is None
    np.testing.assert_array_equal(tables_of(problem, windows).f, forward(problem, windows).f)


def test_several_columns_at_once_are_each_alone(rng):
    problem = problem_of(rng, 150, 30, 0.4)
    width = rng.uniform(0.1, 1, (5, problem.width.size)) ** 8
    width[3] = 10 ** rng.uniform(-300, 0, problem.width.size)  # not sound, and no one else's harm
    windows = Windows.certified(problem)
    together = scaled_tables(problem, windows, width)
    assert together.sound.tolist() == [True, True, True, False, True]
    for column in np.flatnonzero(together.sound):
        alone = scaled_tables(problem, windows, width[column, None])
        np.testing.assert_allclose(together.f[column], alone.f[0], rtol=1e-12, atol=1e-10)
        np.testing.assert_allclose(together.g[column], alone.g[0], rtol=1e-12, atol=1e-10)


@pytest.mark.law
def test_the_draws_of_a_seed_are_those_of_the_logarithms(rng, monkeypatch):
    column = Column.from_values(rng.uniform(-3, 3, 400), BOUNDS)
    quantiles = uniform_quantiles(25)

    def drawn(seed):
        generator = np.random.default_rng(seed)
        return JointExp().release(column, quantiles, PureDP(1.0), generator).values

    found = [drawn(seed) for seed in range(30)]
    monkeypatch.setattr(joint_exp, "tables_of", forward)
    for seed, values in enumerate(found):
        np.testing.assert_array_equal(values, drawn(seed))


def test_window_sums_equal_the_dense_sums(rng):
    for _ in range(300):
        rows = rng.uniform(size=(2, int(rng.integers(1, 20))))
        size, by = int(rng.integers(1, 45)), int(rng.integers(-60, 40))
        length = int(rng.integers(1, 30))
        dense = [
            [math.fsum(row[max(0, i + by) : max(0, i + by + size)]) for i in range(length)]
            for row in rows
        ]
        np.testing.assert_allclose(window_sums(rows, size, by, length), dense, rtol=1e-14)
        before = np.empty((2, length))
        sums_before(rows, by, before)
        dense = [[math.fsum(row[: max(0, i + by)]) for i in range(length)] for row in rows]
        np.testing.assert_allclose(before, dense, rtol=1e-14)
        held = np.concatenate((np.zeros((2, 100)), rows, np.repeat(rows[:, -1:], 100, axis=1)), 1)
        places = np.arange(length) + by + 100
        np.testing.assert_array_equal(shifted(rows, by, length, hold=True), held[:, places])
        held[:, 100 + rows.shape[1] :] = 0
        np.testing.assert_array_equal(shifted(rows, by, length), held[:, places])
