"""Exact draws from tables (tables.py, symmetric_laws.py).

Every one of the 2^16 words is compared with thresholds P(|k| ≥ j) worked out anew by decimal; words
that do not decide are followed to the doubles and the whole numbers that do. Tables of a slightly
other law, and words that decide alone, must be caught.
"""

import decimal
import math
import operator
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, repeat

import numpy as np
import pytest

from dpviz.core.randomness import tables
from dpviz.core.randomness.bits import SecureBits, SeededBits
from dpviz.core.randomness.coins import Care
from dpviz.core.randomness.discrete_gaussian import WIDEST_TABLE as WIDEST_GAUSSIAN
from dpviz.core.randomness.discrete_gaussian import discrete_gaussian
from dpviz.core.randomness.discrete_laplace import WIDEST_TABLE as WIDEST_LAPLACE
from dpviz.core.randomness.discrete_laplace import discrete_laplace, discrete_laplace_whole
from dpviz.core.randomness.symmetric_laws import GROUP, Digits, Gaussian, Laplace
from dpviz.core.randomness.tables import (
    CELLS,
    MARGIN,
    OPEN,
    Table,
    decided_size,
    enclosed_sums,
    looked_up,
    table_of,
)  # fmt: skip
from tests.core.randomness.test_noise import gaussian_probabilities, histogram, probabilities
from tests.rows import by_rows
from tests.statistics import can_tell_probabilities, fits_probabilities

QUICK = [
    Laplace(1e-12), Laplace(0.05), Laplace(1.0), Laplace(1 / 3), Laplace(5.5),
    Gaussian(1e-12), Gaussian(0.05), Gaussian(1.0), Gaussian(math.sqrt(21)), Gaussian(33.0),
    Digits(129.0), Digits(5000.0), Digits(2.0**40),
]  # fmt: skip
WIDE = [Laplace(21.0), Laplace(WIDEST_LAPLACE), Gaussian(200.0), Gaussian(WIDEST_GAUSSIAN)]
LAWS = [*QUICK, *(pytest.param(law, marks=pytest.mark.law) for law in WIDE)]
FORCED = Care(8, 2.0**-4)


class Scripted:
    """Bits that say given words, one array a call, then those of a seed."""

    def __init__(self, *answers):
        self.answers, self.rest = list(answers), SeededBits(np.random.default_rng(1))

    def words(self, count, dtype):
        if not self.answers:
            return self.rest.words(count, dtype)
        words = np.asarray(self.answers.pop(0), dtype=dtype)
        assert words.shape == (count,)
        return words


def seeded(seed):
    return SeededBits(np.random.default_rng(seed))


def exponent(law, k):
    """The x of a weight e^−x."""
    if isinstance(law, Gaussian):
        return Fraction(k) ** 2 / (2 * Fraction(law.scale) ** 2)
    return Fraction(k) / Fraction(law.scale)


def power(law, k):
    x = exponent(law, k)
    if x > 10**6:
        return decimal.Decimal(0)
    return (-decimal.Decimal(x.numerator) / decimal.Decimal(x.denominator)).exp()


@lru_cache(maxsize=32)
def thresholds(law):
    """P(|k| ≥ j) for j = 0, 1, …, by decimal to 80 digits, until less than 2^-190 is left.

    Differences of digits are convolved from their law, not by the closed sum that is tested.
    """
    with decimal.localcontext(prec=80):
        if isinstance(law, Digits):
            each = [power(law, j) for j in range(GROUP)]
            ratio = power(law, 2)
            sums = list(accumulate(ratio**n for n in range(GROUP)))
            weights = [each[k] * sums[GROUP - 1 - k] for k in range(GROUP)]
        elif isinstance(law, Gaussian):
            weights = [power(law, k) for k in range(math.ceil(math.sqrt(280) * law.scale) + 2)]
        else:  # of 1e5 factors, 75 digits are left: as many exponentials take a second
            each = repeat(power(law, 1), math.ceil(140 * law.scale) + 1)
            weights = list(accumulate(each, operator.mul, initial=decimal.Decimal(1)))
        tails = list(accumulate(weights[:0:-1]))[::-1]
        whole = weights[0] + 2 * tails[0]
        return [Fraction(1), *(Fraction(2 * tail / whole) for tail in tails), Fraction(0)]


def is_right(law, table):
    """Whether each word that decides lies wholly in its number, and no number is left out."""
    right = thresholds(law)
    half, other = table.words[:CELLS].astype(int), table.words[CELLS:].astype(int)
    closed = half != OPEN
    if not (np.array_equal(other == OPEN, ~closed) and (other[closed] == -half[closed]).all()):
        return False
    for k in np.unique(half[closed]):
        cells = np.flatnonzero(half == k)
        if k + 1 >= len(right):
            return False
        if not right[k + 1] * CELLS <= int(cells[0]) < int(cells[-1]) + 1 <= right[k] * CELLS:
            return False
    return True


@pytest.mark.few(6, 11)
@pytest.mark.parametrize("law", LAWS)
@by_rows("margin", [MARGIN, 2.0**-4])
def test_every_word_that_decides_is_right(law, margin):
    assert is_right(law, table_of(law, margin))


@pytest.mark.parametrize("law", [law for law in QUICK if law.scale > 0.3])
def test_a_table_of_a_slightly_other_law_is_caught(law):
    """The twin's scale is off by a hundredth; of digits that are nearly flat, by more."""
    scale = 1000.0 if law.scale > 1000 else law.scale * 1.01
    assert not is_right(law, table_of(type(law)(scale), MARGIN))


@pytest.mark.parametrize("law", LAWS)
def test_words_are_open_only_where_a_threshold_lies(law):
    """And the shares of all numbers, closed and open words together, contain the law."""
    table, right = table_of(law, MARGIN), thresholds(law)
    half = table.words[:CELLS]
    close = [1 + Fraction(sign, 2**37) for sign in (-1, 1)]
    holding = {math.floor(threshold * off * CELLS) for threshold in right[1:] for off in close}
    assert set(np.flatnonzero(half == OPEN).tolist()) <= holding
    for k in range(min(len(right) - 1, 40)):
        share = Fraction(int(np.count_nonzero(half == k)), CELLS)
        chance = right[k] - right[k + 1]
        assert (
            share <= chance <= share + Fraction(4, CELLS)
        )  # an open cell on either side of two thresholds


@pytest.mark.parametrize("law", LAWS)
def test_doubles_lie_well_within_their_proven_margin(law):
    """Bounds enclose each threshold; without the margin, errors stay below 2^-46 of it."""
    right, table, bare = thresholds(law), table_of(law, MARGIN), table_of(law, 0.0)
    count = table.low.size
    assert table.high.size == count + 1
    for j in range(1, count + 1):
        threshold = right[j] if j < len(right) else Fraction(0)
        assert Fraction(table.low[-j]) <= threshold <= Fraction(table.high[-j])
        off = Fraction(bare.high[-j]) - Fraction(tables.LEFT_OUT) - threshold
        assert abs(off) <= threshold / 2**46 + Fraction(1, 2**62)
    beyond = right[count + 1] if count + 1 < len(right) else 0
    assert beyond <= Fraction(table.high[0])
    assert law.weights().size <= 1 << 13


@pytest.mark.law
@by_rows("law", QUICK)
@by_rows("digits", [30, 50])
def test_sums_are_enclosed(law, digits):
    low, high = enclosed_sums(law, digits)
    right = thresholds(law)
    least, most = low[0] + low[1], high[0] + high[1]
    for j in range(1, min(len(low), len(right))):
        bottom, top = Fraction(2 * low[j], most), Fraction(2 * high[j], least)
        assert bottom <= right[j] + Fraction(1, 2**95)
        assert top >= right[j] - Fraction(1, 2**95)
        assert top - bottom <= Fraction(10_000, 10**digits) * max(1, int(low[0] < most // 2**20))


CLOSE = [Laplace(0.7), Laplace(5.5), Gaussian(0.6), Gaussian(4.6), Digits(300.0)]


@pytest.mark.few(2)
@pytest.mark.parametrize("law", CLOSE)
def test_a_tie_of_79_bits_is_decided_by_more(law):
    """V agrees with a threshold on all bits of the table and the search; the next 64 decide."""
    right = thresholds(law)
    for j in range(1, 6):
        first = math.floor(right[j] * 2**79)
        rest = math.floor((right[j] * 2**79 - first) * 2**64)
        for last, size in ((rest - 1, j), (rest + 1, j - 1)):
            cell, more = divmod(first, 2**64)
            for sign in (0, 1):
                bits = Scripted([cell | sign << 15], [more], [last])
                assert looked_up(law, 1, bits).tolist() == [-size if sign else size]
                assert not bits.answers


@pytest.mark.parametrize("law", CLOSE)
def test_doubles_decide_what_lies_beyond_their_margin(law):
    """A little above and below each threshold: right, and without a further word."""
    right = thresholds(law)
    for j in range(1, 6):
        for away, size in ((-1, j), (1, j - 1)):
            off = away * (right[j] / 2**36 + Fraction(1, 2**52))
            number = math.floor(max(right[j] + off, Fraction(1, 2**52)) * 2**79)
            cell, more = divmod(number, 2**64)
            bits = Scripted(
                [cell], *([[more]] if table_of(law, MARGIN).words[cell] == OPEN else [])
            )
            bits.rest = None
            assert looked_up(law, 1, bits).tolist() == [size]


@pytest.mark.few(2)
@pytest.mark.parametrize("law", CLOSE)
def test_whole_numbers_decide_as_fractions_do(law):
    """Random numbers V of 79 bits, against a plain search among the thresholds."""
    right = thresholds(law)
    words = seeded(2).words(60, np.uint64)
    for word in words.tolist():
        drawn = word << 15
        size = sum(Fraction(drawn, 2**79) < threshold for threshold in right[1:])
        assert decided_size(law, drawn, 79, seeded(3)) == size


def test_the_tail_has_no_end():
    """V below all thresholds of the table: further bits find its place."""
    law, zeros = Laplace(1.5), [[0]] * 4
    drawn = looked_up(law, 1, Scripted([0], *zeros))
    bits = 15 + 4 * 64  # of V that are 0, and at most 64 more
    assert drawn[0] > 2 * table_of(law, MARGIN).low.size
    assert bits * math.log(2) - 1 <= drawn[0] / law.scale <= (bits + 64) * math.log(2) + 1
    assert looked_up(law, 1, Scripted([1 << 15], *zeros)) == -drawn


@pytest.mark.parametrize("sign", [0, 1])
def test_numbers_beyond_16_bits_are_kept_whole(monkeypatch, sign):
    """They are e^−256 rare and rarer, so whole numbers are made to decide on one."""
    monkeypatch.setattr(tables, "decided_size", lambda *_: 40_000)
    found = -40_000 if sign else 40_000
    drawn = looked_up(Laplace(WIDEST_LAPLACE), 2, Scripted([sign << 15, 30_000], [0]))
    assert drawn.dtype == np.int64
    assert drawn[0] == found
    words = [[sign << 15, 30_000], [0], [1 << 14, 1 << 14]]
    wide = discrete_laplace_whole(WIDEST_LAPLACE * GROUP, 2, Scripted(*words))
    assert wide.dtype == np.int64
    assert abs(int(wide[0]) - GROUP * found) < GROUP


@pytest.mark.parametrize("scale", [2.0, 200.0, 2.0**16, 2.0**22, 2.0**40])
def test_groups_are_put_together_without_wrapping(scale):
    """The largest numbers of all tables, against Python's whole numbers."""

    class Ones:
        """The first cell of all that decides, with either sign."""

        def __init__(self):
            self.found = []

        def words(self, count, dtype):
            return np.full(count, 1 << 15 | 1, dtype=dtype)

    right, unit = 0, 1
    while scale > WIDEST_LAPLACE * unit:
        law = Digits(scale / unit)
        right += unit * int(looked_up(law, 1, Ones())[0])
        unit *= GROUP
    right += unit * int(looked_up(Laplace(scale / unit), 1, Ones())[0])
    assert discrete_laplace_whole(scale, 3, Ones()).tolist() == [right] * 3
    assert right < 0


def chances(law):
    """P(k) by k, for k ≥ 0 of a symmetric law."""
    at_least = thresholds(law)
    exactly = [first - then for first, then in pairwise(at_least)]
    return [exactly[0], *(chance / 2 for chance in exactly[1:])]


@pytest.mark.parametrize("scale", [129.0, 300.0, 777.7])
def test_a_group_and_what_is_above_it_make_the_law(scale):
    """P(k) as the sum over both ways to write k, against the closed form; a twin is caught."""
    above = chances(Laplace(scale / GROUP))
    with decimal.localcontext(prec=80):
        p = power(Laplace(scale), 1)
        zero = Fraction((1 - p) / (1 + p))

    def together(k, group):
        high, low = divmod(k, GROUP)
        ways = ((high, low), (high + 1, GROUP - low)) if low else ((high, 0),)
        return sum(above[i] * group[j] for i, j in ways)

    right, wrong = chances(Digits(scale)), chances(Digits(1.001 * scale))
    for k in (0, 1, 2, 100, 255, 256, 257, 511, 512, 1000):
        exact = zero * Fraction(power(Laplace(scale), k))
        assert abs(together(k, right) / exact - 1) < Fraction(1, 10**25)
        assert abs(together(k, wrong) / exact - 1) > Fraction(1, 10**9)


@by_rows("scale", [5e-324, 1e-300, 1e-12, WIDEST_LAPLACE, WIDEST_GAUSSIAN, 2.0**39])
@by_rows("draw", [discrete_laplace, discrete_gaussian])
def test_scales_at_the_ends_and_at_the_borders_of_tables(draw, scale):
    for at in (scale, np.nextafter(scale, math.inf)):
        drawn = np.abs(draw(float(at), (1000,), seeded(10)))
        assert scale / 20 <= drawn.mean() <= 2 * scale if scale > 1 else not drawn.any()
    assert draw(scale, (0,), seeded(10)).shape == (0,)
    assert draw(scale, (2, 3), seeded(10)).shape == (2, 3)


SCALES = [0.05, 1.0, 21.0, 200.0]


@pytest.mark.law
@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("draw", "law"),
    [(discrete_laplace, probabilities), (discrete_gaussian, gaussian_probabilities)],
)
def test_laws_number_by_number(draw, law, scale, secure):
    size, reach = 500_000, math.ceil(14 * max(scale, 1))
    bits = SecureBits(bytes(range(32))) if secure else seeded(4)
    counts, right = histogram(draw(scale, (size,), bits), reach), law(scale, reach)
    assert fits_probabilities(counts, right, comparisons=16)
    for factor in (0.8, 1.25) if scale > 0.1 else (10.0,):
        wrong = law(factor * scale, reach)
        assert can_tell_probabilities(size, wrong, right, comparisons=16)
        assert not fits_probabilities(counts, wrong, comparisons=16)


def between(scale, edges, gaussian):
    """P(edge ≤ k < next) for whole edges, and both tails, without cancelling."""
    if gaussian:  # by Euler and Maclaurin the sum is the integral, at these scales
        above = np.array([math.erfc((e - 0.5) / scale / math.sqrt(2)) / 2 for e in edges])
    else:
        p = math.exp(-1 / scale)
        one_side = np.exp(-np.abs(np.where(edges > 0, edges, 1 - edges)) / scale) / (1 + p)
        above = np.where(edges > 0, one_side, 1 - one_side)
    return -np.diff(np.concatenate([[1.0], above, [0.0]]))


@pytest.mark.few(6)
@pytest.mark.law
@pytest.mark.parametrize("scale", [150.0, 700.0, 800.0, 5000.0, 2.0**20])
@pytest.mark.parametrize("gaussian", [False, True])
def test_wide_laws_in_bins_and_their_lowest_digits(scale, gaussian):
    """Narrow bins around 0 and wide ones beyond; a digit or a group that is off shows in either."""
    size, draw = 400_000, discrete_gaussian if gaussian else discrete_laplace
    sample = draw(scale, (size,), seeded(5))
    edges = np.unique(np.rint(np.linspace(-4, 4, 400) * scale))

    def counted(sample):
        return np.bincount(np.searchsorted(edges, sample, "right"), minlength=edges.size + 1)

    right = between(scale, edges, gaussian)
    assert fits_probabilities(counted(sample), right, comparisons=20)
    for factor in (0.9, 1.1):
        wrong = between(factor * scale, edges, gaussian)
        assert can_tell_probabilities(size, wrong, right, comparisons=20)
        assert not fits_probabilities(counted(sample), wrong, comparisons=20)
    modulus = 16
    residues = np.bincount(sample.astype(np.int64) % modulus, minlength=modulus)
    reach = math.ceil(40 * scale) if scale < 1000 else 0
    exact = np.full(modulus, 1 / modulus)
    if reach:
        at = np.arange(-reach, reach + 1)
        weight = np.exp(-((at / scale) ** 2) / 2) if gaussian else np.exp(-np.abs(at) / scale)
        exact = np.bincount(at % modulus, weight / weight.sum(), modulus)
    assert fits_probabilities(residues, exact, comparisons=20)
    doubled = np.bincount((sample.astype(np.int64) // 2 * 2) % modulus, minlength=modulus)
    assert not fits_probabilities(doubled, exact, comparisons=20)


@pytest.mark.law
@pytest.mark.parametrize("scale", [0.5, 4.5, 150.0])
def test_forced_to_decide_in_whole_numbers_laplace_keeps_its_law(scale):
    """Numbers of 8 bits and thresholds known to a sixteenth leave many draws to whole numbers."""
    sample = discrete_laplace(scale, (30_000,), seeded(6), FORCED)
    reach = math.ceil(14 * scale)
    counts, right = histogram(sample, reach), probabilities(scale, reach)
    assert fits_probabilities(counts, right, comparisons=3)
    wrong = probabilities(1.5 * scale, reach)
    assert can_tell_probabilities(30_000, wrong, right)
    assert not fits_probabilities(counts, wrong)


@pytest.mark.few(2)
@pytest.mark.parametrize("law", CLOSE)
def test_open_words_have_the_law_that_is_left_to_them(law):
    """Given that a word does not decide; the twin reads on from zero bits alone."""
    table, right, size = table_of(law, MARGIN), thresholds(law), 40_000
    cells = np.flatnonzero(table.words[:CELLS] == OPEN)
    ends = np.clip(np.array([float(end) for end in right]) * CELLS - cells[:, None], 0, 1)
    chances = -np.diff(ends).sum(axis=0)
    chances /= cells.size
    words = cells[np.random.default_rng(7).integers(cells.size, size=size)]

    def counted(drawn):
        return np.bincount(drawn, minlength=chances.size)[: chances.size]

    drawn = looked_up(law, size, Scripted(words))
    assert fits_probabilities(counted(drawn), chances, comparisons=len(CLOSE))
    twin = looked_up(law, size, Scripted(words, np.ones(size, dtype=np.uint64)))
    assert not fits_probabilities(counted(twin), chances)


@pytest.mark.law
def test_the_same_words_give_the_same_draws_however_they_are_decided():
    """Doubles and whole numbers agree draw for draw: V is the same number to both."""
    words = np.arange(1 << 16)
    more = seeded(8).words(1 << 16, np.uint64)
    for law in CLOSE:

        class Paired:
            """16 bits, then the 64 that belong to each word asked about."""

            def __init__(self, table: Table):
                self.open = table.words == OPEN

            def words(self, count, dtype):
                if dtype is np.uint16:
                    return words.astype(np.uint16)
                return more[self.open] if count > 1 else seeded(9).words(1, np.uint64)

        usual = looked_up(law, 1 << 16, Paired(table_of(law, MARGIN)))
        forced = looked_up(law, 1 << 16, Paired(table_of(law, FORCED.margin)), FORCED)
        assert np.array_equal(usual, forced)
