"""JointExp's tables made block by block, against the whole tables and against enumeration."""

import tracemalloc

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import uniform_quantiles
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.joint_exp import mechanism as joint_exp
from dpviz.mechanisms.quantiles.joint_exp.block_sampler import (
    Past,
    filled,
    past_of,
    sample_intervals_in_blocks,
)
from dpviz.mechanisms.quantiles.joint_exp.forward import forward
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.joint_exp.window import JointProblem, Windows
from tests.mechanisms.quantiles.test_joint_exp import BOUNDS, check_law, medium_problem


def block_tables(problem, windows, length):
    """ln f and ln G of the whole column as dense arrays, joined from blocks."""
    f = np.full((problem.m, problem.rank.size), -np.inf)
    g, past, begin = f.copy(), Past.none(problem.m), 0
    while begin < problem.rank.size:
        end = min(begin + length, problem.rank.size)
        block = filled(problem, windows, past, end)
        rows = slice(block.rows.start, block.rows.stop)
        f[rows, begin:end], g[rows, begin:end] = block.f, block.g
        begin = end
        if end < problem.rank.size:
            past = past_of(problem, windows, block)
    return f, g


@pytest.mark.few(3, 11)
@pytest.mark.parametrize("length", [pytest.param(1, marks=pytest.mark.law), 7, 50, 10_000])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(
    ("n", "m", "c"), [(5, 3, 0.3), (100, 12, 0.3), (120, 12, 3.0), (60, 40, 1)]
)
def test_blocks_hold_the_whole_tables(rng, n, m, c, tied, length):
    problem = medium_problem(rng, n, m, tied, c)
    for windows in (Windows.everything(problem), Windows.certified(problem)):
        tables = forward(problem, windows)
        f, g = block_tables(problem, windows, length)
        for j in range(m):
            first, stop = int(windows.first[j]), int(windows.stop[j])
            begin = int(tables.start[j])
            np.testing.assert_allclose(f[j, first:stop], tables.f_of(j), rtol=1e-12, atol=1e-9)
            whole = tables.g[begin : begin + stop - first]
            np.testing.assert_allclose(g[j, first:stop], whole, rtol=1e-12, atol=1e-9)
            assert np.isneginf(f[j, :first]).all()
            assert np.isneginf(f[j, stop:]).all()


@pytest.mark.law
@pytest.mark.parametrize("length", [1, 2, 3])
def test_draws_have_the_exact_law_and_a_wrong_sensitivity_is_rejected(length):
    rng = np.random.default_rng(11)
    quantiles = np.array([0.3, 0.35, 0.7])
    values = np.array([-3.0, -1.0, -1.0, -0.4, 0.2, 0.2, 2.0])
    problem = JointProblem.of(values, BOUNDS, quantiles, 0.5)
    windows = Windows.everything(problem)
    drawn = sample_intervals_in_blocks(problem, windows, rng, 20_000, length)
    check_law(drawn, values, quantiles, comparisons=3)


@pytest.mark.law
def test_a_table_that_is_too_long_to_keep_is_drawn_in_blocks(rng, monkeypatch):
    column = Column.from_values(rng.normal(0, 0.7, 3_000), BOUNDS)
    quantiles, mechanism = uniform_quantiles(40), JointExp(ties=Ties.KEEP)
    whole = mechanism.release_many(column, quantiles, PureDP(0.5), rng, 300)
    monkeypatch.setattr(joint_exp, "WHOLE", 0)
    tracemalloc.start()
    blocks = mechanism.release_many(column, quantiles, PureDP(0.5), rng, 300)
    tracemalloc.stop()
    spread = np.hypot(whole.std(axis=0), blocks.std(axis=0)) / np.sqrt(300)
    assert (np.abs(whole.mean(axis=0) - blocks.mean(axis=0)) < 6 * spread).all()


@pytest.mark.law
def test_blocks_need_less_memory_than_the_whole_tables(monkeypatch):
    rng = np.random.default_rng(5)
    values = np.sort(rng.uniform(-3, 3, 4_000))
    problem = JointProblem.of(values, Bounds(-3, 3), uniform_quantiles(60), 1e-4)
    windows = Windows.everything(problem)
    tracemalloc.start()
    sample_intervals_in_blocks(problem, windows, rng, 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.4 * 8 * 2 * windows.size  # f and G alone would need all of it
