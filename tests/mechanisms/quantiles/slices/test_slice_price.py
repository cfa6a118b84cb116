"""The price of SliceQuantiles: its parts, each by enumeration, and all of it on tiny columns."""

import itertools
import math
from collections import Counter
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from dpviz.core.budgets import Neighbours
from dpviz.core.errors import InvalidBudget
from dpviz.core.grid import as_written
from dpviz.mechanisms.quantiles.slices.price import Division, divided, overlap, slice_cost
from dpviz.mechanisms.quantiles.slices.ranks import slice_delta
from tests.mechanisms.quantiles.slices.windows import (
    event_probability,
    excess,
    median_law,
    pair_law,
    window,
)
from tests.rows import by_rows


def test_the_price_is_that_of_steps_windows_and_overlap():
    assert slice_cost(0.2, 0.3, 4) == pytest.approx(1.0 + math.log(1.1))
    assert slice_cost(0.2, 0.3, 4, "add-remove") == pytest.approx(0.5 + math.log(1.1))
    for half in (0, 1, 7, 10**6, 1 << 60):
        assert float(overlap(half)) == pytest.approx(math.log1p(1 / (2 * half + 2)))
        assert overlap(half) > math.log1p(1 / (2 * half + 2)) * (1 - 1e-16)


def stays_or_moves(rank, half, removed, last):
    """The chance that a window around a rank is moved down by one."""
    if removed + 1 <= rank - half and rank + half <= last:
        return Fraction(1)
    if rank - half <= removed <= rank + half:
        return Fraction(rank - removed + half + 1, 2 * half + 2)
    return Fraction(0)


def moves(n, half):
    """Every (removed place, last place left of the new one) and the moves of two ranks."""
    ranks = range(1 - half, n + half + 1)
    apart = [(a, b) for a, b in itertools.product(ranks, ranks) if b - a >= 2 * half + 2]
    for removed in range(1, n + 1):
        for last in range(removed, n + 1):
            yield (
                removed,
                last,
                [
                    (pair, (pair[0] - i, pair[1] - j), chance)
                    for pair in apart
                    for i, j in itertools.product((0, 1), repeat=2)
                    if (
                        chance := math.prod(
                            p if moved else 1 - p
                            for moved, p in zip(
                                (i, j),
                                (stays_or_moves(r, half, removed, last) for r in pair),
                                strict=True,
                            )
                        )
                    )
                ],
            )


@pytest.mark.law
@pytest.mark.parametrize("half", [0, 1, 2])
def test_no_ranks_are_moved_onto_by_more_than_the_overlap(half):
    """And by that much indeed, so that a move as if one to one (mass 1) is no proof."""
    most = Fraction(0)
    for _, _, found in moves(4 * half + 5, half):
        onto = Counter()
        for _, to, chance in found:
            onto[to] += chance
        most = max(most, *onto.values())
    assert most == 1 + Fraction(1, 2 * half + 2)
    with localcontext(prec=80):
        priced = Decimal(overlap(half).numerator) / Decimal(overlap(half).denominator)
        assert 0 < priced.exp() - Decimal(most.numerator) / Decimal(most.denominator) < 1e-40


@pytest.mark.law
@pytest.mark.parametrize("half", [0, 1, 2])
def test_after_the_move_two_values_of_all_windows_are_others_at_most(half):
    n = 4 * half + 5
    column = [2 * x for x in range(1, n + 1)]
    worst = 0
    for removed, last, found in moves(n, half):
        other = sorted([*column[: removed - 1], *column[removed:], 2 * last + 1])
        for pair, to, _ in found:
            changed = sum(
                (Counter(window(column, r, half)) - Counter(window(other, s, half))).total()
                for r, s in zip(pair, to, strict=True)
            )
            worst = max(worst, changed)
    assert worst == (2 if half else 1)  # one place is left or entered, not both


@pytest.mark.parametrize("size", [1, 3])
def test_a_window_of_which_one_value_is_another_tells_epsilon_at_most(size):
    eps, points = 2.0, 5
    every = list(itertools.combinations_with_replacement((-math.inf, *range(points)), size))
    worst = 0.0
    for one, other in itertools.permutations(every, 2):
        if (Counter(one) - Counter(other)).total() > 1:
            continue
        for low, high in itertools.combinations(range(points + 1), 2):
            a, b = (median_law(x, low, high, eps / 2, points)[low:high] for x in (one, other))
            worst = max(worst, float(np.log(a / b).max()))
    assert worst <= eps
    assert worst > (0.2 if size == 1 else 0.6) * eps


CASES = [
    # points, records, ranks, half, ε_r, ε_s
    (4, 4, (1, 4), 0, 3.0, 2.0),
    (4, 4, (1, 4), 0, 1.0, 4.0),
    (4, 6, (1, 6), 0, 6.0, 6.0),
    (4, 5, (1, 5), 1, 6.0, 2.0),
    (3, 7, (2, 6), 1, 8.0, 8.0),
]


@pytest.mark.few(3)
@pytest.mark.parametrize("relation", Neighbours)
@pytest.mark.parametrize("case", CASES)
def test_no_neighbours_tell_more_than_the_price(case, relation):
    """All columns on a few points and all their neighbours, both ways round.

    Wrong claims: a tenth of the price, where ranks are far enough apart for δ not to hide it.
    """
    points, records, ranks, half, eps_rank, eps_slice = case
    replaced = relation is Neighbours.REPLACE_ONE
    sizes = [records] if replaced else [records - 1, records]
    laws = {
        column: pair_law(column, ranks, half, eps_rank, eps_slice, points)
        for size in sizes
        for column in itertools.combinations_with_replacement(range(points), size)
    }
    pairs = set()
    for column in (one for one in laws if len(one) == records):
        for at in range(records):
            rest = column[:at] + column[at + 1 :]
            others = [tuple(sorted((*rest, x))) for x in range(points)] if replaced else [rest]
            pairs |= {pair for o in others for pair in ((column, o), (o, column))}
    delta = slice_delta(ranks, half, eps_rank)
    price = slice_cost(eps_rank, eps_slice, half, relation)

    def worst(epsilon):
        return max(excess(laws[one], laws[other], epsilon) for one, other in pairs)

    assert worst(price) <= delta
    if delta < 0.05:
        assert worst(price / 10) > delta


def test_without_a_price_for_moving_ranks_many_windows_tell_too_much():
    """Twelve windows whose medians all change when a record goes from the first place to the last.

    Ranks have hardly any noise, so that the right price is high. 2ε_s + ln(1 + 1/(2h + 2)) alone
    is exceeded by far more than δ and all noise together.
    """
    m, half, gap, wide, eps_slice, eps_rank = 12, 1, 6, 4, 8.0, 200.0
    ranks = [3 + gap * i for i in range(m)]
    points = wide * m + 2
    rows = [0]
    for i in range(m):
        first = 1 + wide * i
        rows += [first, first, *([first + wide - 2] * 4)]
    column = tuple(rows)
    other = tuple(sorted([*column[1:], points - 1]))
    events = [[1 + wide * i] for i in range(m)]
    p, q = (
        event_probability(one, ranks, half, eps_slice / 2, events, points)
        for one in (column, other)
    )
    any_noise = 2 * m * math.exp(-eps_rank / m.bit_length())
    delta = slice_delta(ranks, half, eps_rank) + any_noise
    without = slice_cost(1e-140, eps_slice, half)
    right = slice_cost(eps_rank, eps_slice, half)
    assert p - math.exp(without) * q > delta + math.exp(without) * any_noise + 0.04
    assert math.log(p / q) > without + 7
    assert math.log(p / q) < right


DIVISIONS = [
    Division(epsilon, relation, count, rank)
    for epsilon in (1e-9, 0.1, 0.3, 1.0, 7.7, 1e4)
    for relation in Neighbours
    for count, rank in ((0.1, 0.5), (0.01, 0.99), (0.3, 0.07))
]


@by_rows("division", DIVISIONS)
def test_a_budget_is_spent_in_full_and_never_more(division):
    """Twin: ε_s larger by one part in a million million."""
    relation, odds = division.neighbours, 26.4
    for half in (None, 10**12, 10**15):
        shares = divided(division, half, odds)
        whole = as_written(division.epsilon)
        assert whole * (1 - Fraction(1, 10**12)) < shares.spent(relation) <= whole
        more = replace(shares, inside=shares.inside * (1 + 1e-9))
        assert more.spent(relation) > whole
        assert (shares.count > 0) is (relation is Neighbours.ADD_REMOVE)
        if half is None:
            least = shares.half
            assert least * shares.inside >= 2 * odds
            narrower = division.at(least - 1)
            assert narrower is None or (least - 1) * narrower.inside < 2 * odds


def test_what_windows_cost_for_themselves_must_be_left():
    division = Division(0.1, Neighbours.REPLACE_ONE, 0.1, 0.5)
    with pytest.raises(InvalidBudget, match=r"ln\(1 \+ 1/2\) = 0.405"):
        divided(division, 0, 20.0)
    assert divided(division, 5, 20.0).half == 5
