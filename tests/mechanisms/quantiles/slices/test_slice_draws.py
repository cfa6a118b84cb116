"""Medians of windows: their law in doubles and on points, and the error that is promised."""

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.errors import NotExact
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import USUAL, Care
from dpviz.mechanisms.exponential.on_points import draw_points
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.exponential.treated_ladders import compressed, run_ladders, treated_ladders
from dpviz.mechanisms.quantiles.slices import draws
from dpviz.mechanisms.quantiles.slices.draws import draw_slices, middle_first, slice_draws
from dpviz.mechanisms.quantiles.slices.on_points import WindowProblems, slices_on_points
from dpviz.mechanisms.quantiles.slices.ranks import tree_noise
from tests.mechanisms.quantiles.slices.windows import median_law, noise_law, pair_law, window
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, clopper_pearson, fits_probabilities

UNIT = Bounds(0, 1)


def cell_masses(values, low, edges, eta):
    """P that the median of a window lies between edges, in the range [low, 1], written out."""
    values = np.clip(values, low, 1)
    cuts = np.unique(np.concatenate((values, edges, [low, 1])))
    cuts = cuts[cuts >= low]
    middle, width = (cuts[1:] + cuts[:-1]) / 2, np.diff(cuts)
    below = (np.asarray(values) < middle[:, None]).sum(axis=1)
    mass = width * np.exp(-eta * np.abs(below - len(values) / 2))
    cell = np.searchsorted(edges, middle, side="right") - 1
    return np.bincount(cell, mass / mass.sum(), len(edges) - 1)


def joint_cells(column, ranks, half, eps_rank, eta, most=30):
    """The joint law of two medians by cells between records; the range of the second begins at
    the first, over which is integrated."""
    edges = np.unique(np.concatenate(([0], column, [1])))
    mass = noise_law(eps_rank, 2, most)
    first, second = (rank + np.arange(-most, most + 1) for rank in ranks)
    both = mass[:, None] * mass * (second - first[:, None] >= 2 * half + 1)
    cells = edges.size - 1
    one = np.array([cell_masses(window(column, r, half), 0, edges, eta) for r in first])
    joint = np.zeros((cells, cells))
    at, weight = np.polynomial.legendre.leggauss(12)
    for cell in range(cells):
        low, high = edges[cell], edges[cell + 1]
        for x, w in zip((low + high + (high - low) * at) / 2, weight / 2, strict=True):
            other = np.array([cell_masses(window(column, r, half), x, edges, eta) for r in second])
            joint[cell] += w * (one[:, cell] @ both @ other)
    bad, width = 1 - both.sum(), np.diff(edges)
    uniform = np.triu(np.outer(width, width), 1) * 2 + np.diag(width**2)
    return joint + bad * uniform


@pytest.mark.law
@pytest.mark.parametrize("column", [[0.05, 0.3, 0.35, 0.5, 0.9], [0.2, 0.2, 0.2, 0.6, 0.6, 1.0]])
def test_the_joint_law_in_doubles_and_no_other(column, rng):
    """Twins: ε_s, and ε_r, 1.5 times as large."""
    half, eps_rank, eps_slice, ranks, runs = 1, 3.0, 6.0, (1, 5), 20_000
    drawn = slice_draws(column, 0, 1, ranks, half, eps_rank, eps_slice, rng, runs)
    edges = np.unique(np.concatenate(([0], column, [1])))
    cell = np.searchsorted(edges, drawn, side="right") - 1
    cells = edges.size - 1
    counts = np.bincount(cell[:, 0] * cells + cell[:, 1], minlength=cells**2)
    kept = np.triu(np.ones((cells, cells), dtype=bool)).ravel()
    assert counts[~kept].sum() == 0

    def law(rank, inside):
        return joint_cells(column, ranks, half, rank, inside / 2).ravel()[kept]

    right = law(eps_rank, eps_slice)
    assert fits_probabilities(counts[kept], right, comparisons=3)
    for wrong in (law(1.5 * eps_rank, eps_slice), law(eps_rank, 1.5 * eps_slice)):
        assert can_tell_probabilities(runs, wrong, right, comparisons=3)
        assert not fits_probabilities(counts[kept], wrong, comparisons=3)


CASES = [
    # column, rank, half, low, high
    ((1, 2, 2, 6), 2, 1, 0, 8),
    ((1, 2, 2, 6), 2, 1, 2, 5),
    ((1, 2, 2, 6), 0, 2, 0, 8),
    ((1, 2, 2, 6), -9, 1, 1, 7),
    ((1, 2, 2, 6), 5, 2, 0, 6),
    ((1, 2, 2, 6), 90, 3, 0, 8),
    ((1, 2, 3, 6), 3, 0, 0, 3),
    ((4, 4, 4, 4), 3, 1, 0, 8),
    ((4, 4, 4, 4), 3, 1, 5, 8),
    ((), 1, 1, 0, 8),
    ((3,), 1, 10**15, 0, 8),
]


@pytest.mark.law
@pytest.mark.parametrize("care", [USUAL, Care(8, 2.0**-4)])
@pytest.mark.parametrize("case", CASES)
def test_the_law_of_a_window_on_points(case, care, rng):
    """Places beyond the column and records outside the range count without being there."""
    column, rank, half, low, high = case
    runs, eta, points = 20_000 if care is USUAL else 3_000, 1.4, 8
    ones = np.ones(runs, dtype=np.int64)
    records = np.array(column, dtype=np.int64)
    problems = WindowProblems.around(records, rank * ones, half, eta, low * ones, high * ones)
    drawn = draw_points(records, problems, points, SeededBits(rng), care)
    counts = np.bincount(drawn, minlength=points)
    short = min(half, 40)  # wider windows hold as many of either side more
    law = median_law(window(column, rank, short), low, high, eta, points)
    assert counts[law == 0].sum() == 0
    assert fits_probabilities(counts, law, comparisons=2 * len(CASES))


@pytest.mark.law
def test_the_joint_law_on_points(rng):
    """Twin: twice the ε_s."""
    column, ranks, half, eps_rank, eps_slice, points = (0, 1, 1, 3, 5), (1, 5), 1, 4.0, 5.0, 6
    runs, bits, steps = 1_200, SeededBits(rng), middle_first(2)
    noisy = np.array(ranks) + tree_noise(2, 2 / eps_rank, bits, runs)
    records = np.array(column)
    counts = np.zeros((points, points))
    for row in noisy:
        drawn = slices_on_points(records, points, row, half, eps_slice / 2, steps, bits)
        assert drawn[0] <= drawn[1]
        counts[drawn[0], drawn[1]] += 1
    law = pair_law(column, ranks, half, eps_rank, eps_slice, points)
    kept = law > 0
    assert counts[~kept].sum() == 0
    assert fits_probabilities(counts[kept], law[kept], comparisons=2)
    twin = pair_law(column, ranks, half, eps_rank, 2 * eps_slice, points)
    assert can_tell_probabilities(runs, twin[kept], law[kept], comparisons=2)
    assert not fits_probabilities(counts[kept], twin[kept], comparisons=2)


@pytest.mark.law
def test_ties_that_are_spread_lazily_have_the_law_of_those_that_are_spread(monkeypatch, rng):
    """Two samples by the distance of their distribution functions, each within its own bound."""
    column = Column.from_values(rng.integers(0, 10, 4000), Bounds(0, 9), resolution=1)
    bounds, runs = Bounds(-0.5, 9.5), 4_000

    def drawn(ladders):
        found = []
        for climbs in ladders:
            ranks = np.tile([900, 2100, 2600], (climbs.first.size, 1))
            found.append(draw_slices(climbs, column.n, bounds, ranks, 40, 0.2, rng))
        return np.concatenate(found)

    lazy = drawn(run_ladders(column, Ties.SPREAD, rng, runs, 1))
    full = drawn(treated_ladders(column, Ties.SPREAD, rng, runs))
    assert lazy.shape == full.shape == (runs, 3)
    radius = 2 * math.sqrt(math.log(2 * 6 / 1e-9) / (2 * runs))
    for one, other in zip(lazy.T, full.T, strict=True):
        at = np.sort(np.concatenate((one, other)))
        shares = (np.searchsorted(np.sort(x), at, side="right") / runs for x in (one, other))
        first, second = shares
        assert np.abs(first - second).max() <= radius
        assert one.std() > 0.01


def test_pieces_of_a_level_have_the_same_law_for_the_same_numbers(monkeypatch):
    def drawn():
        rng = np.random.default_rng(3)
        return slice_draws(np.arange(400) / 400, 0, 1, [80, 200, 300], 9, 2.0, 1.0, rng, 50)

    assert drawn().shape == (50, 3)
    assert (np.diff(drawn(), axis=1) >= 0).all()
    monkeypatch.setattr(draws, "ELEMENTS", 1)
    assert (np.diff(drawn(), axis=1) >= 0).all()


def test_without_noise_each_median_lies_beside_its_place(rng):
    values = np.sort(rng.random(500))
    ranks = np.array([50, 200, 350, 480])
    drawn = slice_draws(values, 0, 1, ranks, 10, 1e6, 1e6, rng, 200)
    assert (drawn >= values[ranks - 2]).all()
    assert (drawn <= values[ranks]).all()


@by_rows("values", [[], [0.5], [0, 0, 1, 1], np.zeros(40), [math.inf, -math.inf]])
@by_rows("ranks", [[1], [0, 0], [-5, 3, 900]])
def test_any_values_and_any_ranks(values, ranks, rng):
    for half in (0, 1, 10**9):
        drawn = slice_draws(values, 0, 1, ranks, half, 1.0, 50.0, rng, 30)
        assert drawn.shape == (30, len(ranks))
        assert ((drawn >= 0) & (drawn <= 1)).all()
        assert (np.diff(drawn, axis=1) >= 0).all()


def test_secure_bits_are_no_matter_of_studies():
    with pytest.raises(NotExact):
        slice_draws([0.5], 0, 1, [1], 1, 1.0, 1.0, SecureBits.fresh(), 2)


@pytest.mark.law
def test_medians_stay_in_their_windows_as_often_as_promised(rng):
    """A column whose values lie a smallest gap apart in one place of very wide bounds.

    Error max|Z| + h with probability 1 − β for h = (2/ε_s) ln(mψ/β). Twin: half of that h.
    """
    n, m, eps_slice, beta, psi, runs = 6_000, 7, 1.0, 0.2, 1e9, 4_000
    values = 0.4 + np.arange(n) / psi
    ranks = np.arange(1, m + 1) * n // (m + 1)
    climbs = compressed(values[None])
    noise = tree_noise(m, 10.0, SeededBits(rng), runs)
    start = np.zeros(runs, dtype=np.int64)
    every = type(climbs)(climbs.ladder, start, start + n)

    def missed(half):
        drawn = draw_slices(every, n, UNIT, ranks + noise, half, eps_slice / 2, rng)
        places = np.searchsorted(values, drawn)
        outside = np.abs(places - ranks) > np.abs(noise).max(axis=1)[:, None] + half
        return clopper_pearson(int(outside.any(axis=1).sum()), runs)

    half = math.ceil(2 / eps_slice * math.log(m * psi / beta))
    assert np.diff(ranks + noise, axis=1).min() >= 2 * half + 1
    assert missed(half)[0] <= beta
    assert missed(half // 2)[0] > beta
