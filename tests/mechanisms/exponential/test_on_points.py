"""The exponential mechanism on points: its law, its blocks and its whole numbers, exactly."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.data.checks import MOST_COUNTED
from dpviz.core.data.column import Column
from dpviz.core.point_grid import crowded
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import USUAL, Care
from dpviz.mechanisms.exponential import on_points
from dpviz.mechanisms.exponential.lazy_points import LazyPoints
from dpviz.mechanisms.exponential.occupied_cells import KnownCells
from dpviz.mechanisms.exponential.on_points import (
    BEYOND,
    Blocks,
    _left_ranks,
    _right_ranks,
    blocks_for,
    blocks_within_reach,
    cuts,
    draw_points,
)
from dpviz.mechanisms.exponential.point_columns import put_in_order, spread_points
from dpviz.mechanisms.exponential.point_problems import UNITS, PointProblems, Rank, quantile_units
from tests.mechanisms.exponential.exact_points import probabilities, problems
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

COLUMNS = ([], [3], [3, 3, 3, 3], [0, 0, 7, 7], [1, 2, 5], [0], [7, 7, 7])
DOMAIN = 8
FORCED = (Care(5, 2.0**-4), Care(8, 2.0**-4))


def drawn(records, quantile, eta, count, rng, care=USUAL):
    asked = problems(records, 0, DOMAIN, quantile, eta, count)
    points = draw_points(np.array(records, dtype=np.int64), asked, DOMAIN, SeededBits(rng), care)
    return np.bincount(points, minlength=DOMAIN)


def law(records, quantile, eta):
    return probabilities(records, 0, DOMAIN, int(quantile_units(np.array([quantile]))[0]), eta)


@pytest.mark.law
@by_rows("records", COLUMNS)
@by_rows("eta", [1e-6, 0.1, 1.3, 20.0, 1e9])
def test_the_law_is_the_declared_one(records, eta, rng):
    for quantile in (0.3, 0.5, 1e-12):
        counts = drawn(records, quantile, eta, 8_000, rng)
        assert fits_probabilities(counts, law(records, quantile, eta), comparisons=105)


@pytest.mark.few(3)
@pytest.mark.parametrize("care", FORCED)
@pytest.mark.parametrize("records", [[], [3, 3, 3, 3], [1, 2, 5]])
def test_whole_numbers_decide_with_the_same_law(records, care, rng):
    for eta in (0.4, 1.3):
        counts = drawn(records, 0.3, eta, 1_500, rng, care)
        assert fits_probabilities(counts, law(records, 0.3, eta), comparisons=12)


@pytest.mark.law
def test_another_eta_is_rejected(rng):
    counts = drawn([1, 2, 5], 0.3, 1.1, 160_000, rng)
    right, wrong = law([1, 2, 5], 0.3, 1.1), law([1, 2, 5], 0.3, 1.0)
    assert fits_probabilities(counts, right)
    assert can_tell_probabilities(160_000, wrong, right)
    assert not fits_probabilities(counts, wrong)


@pytest.mark.parametrize("care", [USUAL, FORCED[0]])
def test_a_bound_rounded_down_is_caught(care, monkeypatch, rng):
    """Where a cut is too near, a weight lies above its bound and is drawn too rarely."""

    def too_near(eta, blocks):
        exact = np.arange(1, blocks + 1) * (0.5 * np.log(2) * UNITS) / eta[:, None]
        units = np.maximum(np.minimum(exact, 2.0**62).astype(np.int64), 1)
        return Rank(units // UNITS, units % UNITS)

    monkeypatch.setattr(on_points, "cuts", too_near)
    count = 40_000 if care is USUAL else 4_000
    counts = drawn([1, 2, 5], 0.3, 1.3, count, rng, care)
    assert not fits_probabilities(counts, law([1, 2, 5], 0.3, 1.3))


def test_every_border_is_the_least_unit_at_its_bound():
    """η d ≥ i ln 2 in 60 digits; cut at the whole number below, some are not."""
    missed, slack = 0, Decimal(1 + 2.0**-38)
    with localcontext(prec=60):
        two = Decimal(2).ln()
        for eta in np.concatenate((np.logspace(-12, 16, 84), [0.1, 1.0, np.pi])):
            cut = in_units(cuts(np.array([eta]), 66))
            assert cut == sorted(cut)
            for i, distance in enumerate(cut, start=1):
                if distance < BEYOND:
                    assert Decimal(float(eta)) * distance >= i * two * UNITS
                    assert Decimal(float(eta)) * (distance - 1) < i * two * UNITS * slack
                floor = int(i * two * UNITS / Decimal(float(eta)))
                missed += Decimal(float(eta)) * floor < i * two * UNITS
    assert missed > 1000


def test_doubles_and_whole_numbers_choose_the_same_block(rng):
    records = np.sort(rng.integers(0, 1 << 48, 5000))
    asked = PointProblems(
        *(np.full(60, at, dtype=np.int64) for at in (0, 5000, 0, 1 << 48)),
        quantile_units(rng.random(60)),
        np.exp(rng.uniform(-9, 3, 60)),
        np.zeros(60, dtype=np.int64),
    )
    around = Blocks.around(records, asked, blocks_for(1 << 48))
    rows = np.repeat(np.arange(60), 25)
    words = rng.integers(0, 1 << 53, rows.size)
    chosen, certain = around.by_doubles(rows, words.astype(np.float64), USUAL)
    assert certain.all()
    exact = [
        around.by_integers(int(row), int(word), SeededBits(rng), 53)
        for row, word in zip(rows, words, strict=True)
    ]
    assert chosen.tolist() == exact


def test_blocks_bound_their_points_and_cover_the_range(rng):
    for records in COLUMNS:
        for eta in (0.01, 0.7, 9.0, 1e9):
            asked = problems(records, 0, DOMAIN, 0.4, eta, 1)
            blocks = blocks_for(DOMAIN)
            around = Blocks.around(np.array(records, dtype=np.int64), asked, blocks)
            edge = around.edge[0].tolist()
            assert edge[0] == 0
            assert edge[-1] == DOMAIN
            assert edge == sorted(edge)
            below, up_to = asked.take(np.zeros(DOMAIN, dtype=np.int64)).ranks(
                np.array(records, dtype=np.int64), np.arange(DOMAIN)
            )
            distance = asked.distance(below, up_to).rounded
            for block, i in enumerate(around.exponents.tolist()):
                inside = distance[edge[block] : edge[block + 1]]
                assert (np.exp(-eta * inside) <= 2.0**-i).all()


def neighbours_of_many_sizes(rng, eta):
    """Problems side by side on one axis, whole passes without a record first; and their cells."""
    held = np.concatenate((np.zeros(60, int), [20_000, 0, 1, 2, 3], rng.integers(0, 90, 90)))
    last, place = np.cumsum(held), np.arange(held.size)
    units = quantile_units(rng.choice([0, 0.3, 0.5, 1], held.size))
    low, eta = place << 20, np.broadcast_to(eta, held.size)
    asked = PointProblems(last - held, last, low, low + (1 << 20), units, eta, 0 * held)
    return asked, (place.repeat(held) << 12) + rng.integers(0, 1 << 8, last[-1])


@pytest.mark.parametrize("eta", [5e-324, 1e-9, 0.0075, 0.3, 40.0, 1e308])
def test_blocks_out_of_reach_are_left_out_and_empty(eta, rng):
    """Twin: all blocks. Those that are left out hold no point; the last that stays is beyond."""
    asked, cells = neighbours_of_many_sizes(rng, eta)
    records, blocks = np.sort(cells << 8), blocks_for(int(asked.high[-1]))
    near = blocks_within_reach(asked, blocks)
    assert 1 <= near <= blocks
    few, every = (Blocks.around(records, asked, count) for count in (near, blocks))
    out = blocks - near
    np.testing.assert_array_equal(few.widths, every.widths[:, out : every.widths.shape[1] - out])
    assert every.widths.sum() == few.widths.sum()
    filled = np.flatnonzero(every.widths.any(axis=0))
    furthest = np.abs(filled - blocks).max()
    assert near <= furthest + 2
    assert near == blocks or near > furthest


@pytest.mark.few(4)
@pytest.mark.law
@pytest.mark.parametrize("eta", [1e-9, 0.0075, 0.3, 40.0])
@pytest.mark.parametrize("lazily", [False, True])
def test_the_draws_are_those_of_all_blocks(eta, lazily, monkeypatch, rng):
    """The same bits are asked for in the same order, those of lazily drawn places included."""
    asked, cells = neighbours_of_many_sizes(rng, eta)
    domain = int(asked.high[-1])

    def drawn():
        source = SeededBits(np.random.default_rng(9))
        known = KnownCells(*np.unique(cells, return_counts=True))
        records = LazyPoints(known, 8, source, 4) if lazily else np.sort(cells << 8)
        points = draw_points(records, asked, domain, source)
        return points.tolist(), source.words(4, np.uint64).tolist()

    monkeypatch.setattr(on_points, "ELEMENTS", 1 << 12)  # several passes
    found = drawn()
    monkeypatch.setattr(on_points, "blocks_within_reach", lambda _, blocks: blocks)
    assert drawn() == found


@by_rows("quantile", [0, 1, 12345, UNITS // 2, UNITS - 1, UNITS])
@by_rows("n", [0, 1, 2**30, 2**31 - 1, 2**31, 2**31 + 1, 2**53 - 1, MOST_COUNTED])
def test_nothing_wraps_with_the_most_records(quantile, n):
    """Up to 2^53 records, compared with Python's whole numbers."""
    eta = np.array([1e-15, 1e-9, 1.0, 1e9])
    one = np.ones(4, dtype=np.int64)
    asked = PointProblems(0 * one, n * one, 0 * one, one << 60, quantile * one, eta, 0 * one)
    assert in_units(asked.target) == [quantile * n] * 4
    near = quantile * n // UNITS
    for a, b in ((0, 0), (n, n), (0, n), (near, near), (near, near + 1), (near + 1, near + 1)):
        wanted = max(0, a * UNITS - quantile * n, quantile * n - b * UNITS)
        found = asked.distance(a * one, b * one)
        assert in_units(found) == [wanted] * 4
        assert found.rounded.tolist() == [wanted / UNITS] * 4
        assert found.exactly(3) == Fraction(wanted, UNITS)
    distance = cuts(eta, 66)
    left = _left_ranks(asked.target.column, distance)
    right = _right_ranks(asked.target.column, distance)
    for row in range(4):
        for i, d in enumerate(in_units(Rank(distance.whole[row], distance.part[row]))):
            assert left[row, i] == (quantile * n - d) // UNITS
            assert right[row, i] == -((-quantile * n - d) // UNITS)


def in_units(rank):
    """The numbers in units of 2^-30 as Python's whole numbers."""
    parts = zip(rank.whole.ravel().tolist(), rank.part.ravel().tolist(), strict=True)
    return [whole * UNITS + part for whole, part in parts]


def test_points_of_sixty_bits_are_drawn_inside(rng):
    top = 1 << 60
    records = np.array([0, 5, top // 3, top - 1, top - 1])
    for quantile in (0.0, 1.0, 0.5):
        for eta in (1e-6, 1.0, 1e9):
            asked = problems(records, 0, top, quantile, eta, 500)
            points = draw_points(records, asked, top, SecureBits.fresh())
            assert ((points >= 0) & (points < top)).all()
            around = Blocks.around(records, asked.take(slice(0, 1)), blocks_for(top))
            assert sum(around.widths[0].tolist()) == top
            if eta == 1e9:
                wanted = {0.0: 0, 1.0: top - 1}.get(quantile)
                below, up_to = asked.ranks(records, points)
                assert (asked.distance(below, up_to).rounded == 0).all()
                assert wanted is None or (points == wanted).all() or quantile == 1.0


def test_an_empty_range_returns_its_end(rng):
    one = np.ones(3, dtype=np.int64)
    low, high = np.array([4, 8, 5]), np.array([4, 8, 4])
    asked = PointProblems(0 * one, 0 * one, low, high, one, one.astype(float), 0 * one)
    drawn_points = draw_points(np.empty(0, dtype=np.int64), asked, 8, SeededBits(rng))
    assert drawn_points.tolist() == [4, 7, 4]


def test_the_proposals_are_few(rng, monkeypatch):
    asked_for = []
    real = on_points._kept
    monkeypatch.setattr(
        on_points, "_kept", lambda p, *rest: asked_for.append(p.low.size) or real(p, *rest)
    )
    records = np.sort(rng.integers(0, 1 << 48, 1000))
    for eta in (1e-6, 0.01, 1.0, 50.0, 1e9):
        asked_for.clear()
        asked = problems(records, 0, 1 << 48, 0.5, eta, 2000)
        draw_points(records, asked, 1 << 48, SeededBits(rng))
        assert sum(asked_for) < 2.2 * 2000


@pytest.mark.parametrize("eta", [1e9, 1e10, 2e10, 1e11, 5e12, 1e16])
@pytest.mark.parametrize("unit", [1, 2, 3])
def test_the_proposals_are_few_of_any_data_and_budget(eta, unit, rng, monkeypatch):
    """Where a unit of distance costs more than ln 2 the next points weigh next to nothing."""
    asked_for = []
    real = on_points._kept
    monkeypatch.setattr(
        on_points, "_kept", lambda p, *rest: asked_for.append(p.low.size) or real(p, *rest)
    )
    for records in ([], [1 << 47], [0, (1 << 48) - 1], [5, 5, 5]):
        data = np.array(records, dtype=np.int64)
        asked = problems(data, 0, 1 << 48, unit / UNITS, eta, 100)
        draw_points(data, asked, 1 << 48, SeededBits(rng))
    assert sum(asked_for) < 2.2 * 400


def test_points_of_a_column_are_uniform_in_their_cells_and_sorted(rng):
    column = Column.from_values(rng.integers(0, 4, 20_000), Bounds(0, 3), resolution=1)
    points = spread_points(column, SeededBits(rng))
    assert (np.diff(points) >= 0).all()
    np.testing.assert_array_equal(points >> column.grid.shift, column.cells)
    inside = points & ((1 << column.grid.shift) - 1)
    part = np.bincount(inside >> (column.grid.shift - 4), minlength=16)
    assert fits_probabilities(part, np.full(16, 1 / 16))


@pytest.mark.parametrize("largest", [20, 2_000, 30_000, 10**9])
def test_putting_in_order_is_a_sort(largest, rng):
    cells = np.sort(rng.integers(0, largest, 3000)) << 8
    points = cells | rng.integers(0, 256, 3000)
    wanted = np.sort(points)
    places = crowded(cells, 8)
    assert (places is None) == (largest < 10_000)
    put_in_order(points, places)
    np.testing.assert_array_equal(points, wanted)


@pytest.mark.law
def test_a_sensitivity_is_one_of_whole_numbers(rng):
    """d moves by at most max(q, 1 − q) with a record more, by 1 with one replaced."""
    for units in (1, UNITS // 3, UNITS // 2, UNITS - 5):
        moves, replaced = [], []
        for _ in range(300):
            records = sorted(rng.integers(0, DOMAIN, rng.integers(0, 6)).tolist())
            more = sorted([*records, int(rng.integers(0, DOMAIN))])
            moves.append(_moved(records, more, units))
            if records:
                other = sorted([*records[1:], int(rng.integers(0, DOMAIN))])
                replaced.append(_moved(records, other, units))
        assert max(moves) <= Fraction(max(units, UNITS - units), UNITS)
        assert max(replaced) <= 1


def _moved(one, other, units):
    def whole(records):
        at = np.array(records, dtype=np.int64)
        asked = problems(records, 0, DOMAIN, 0.5, 1.0, DOMAIN)
        asked = PointProblems(
            *(getattr(asked, name) for name in ("first", "last", "low", "high")),
            np.full(DOMAIN, units),
            asked.eta,
            asked.offset,
        )
        return in_units(asked.distance(*asked.ranks(at, np.arange(DOMAIN))))

    return max(Fraction(abs(d - e), UNITS) for d, e in zip(whole(one), whole(other), strict=True))
