"""SignedDigits: running counts from the nodes that its digits name, their law, and their price."""

import numpy as np
import pytest
from scipy.stats import kstest

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.errors import DpvizError, InvalidData, InvalidParameter
from dpviz.core.randomness.bits import SecureBits
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.signed_digits import (
    BASES,
    SignedDigits,
    best_base,
    digits,
    levels,
    node_counts,
)
from tests.rows import by_rows

TREES = [(40, 3), (62, 5), (13, 7), (4, 9), (1, 3), (200, 3)]  # steps and fanouts


def written_out(steps, base):
    """Which nodes answers add and subtract (steps, nodes), and which steps each node holds."""
    signs: list[dict[tuple[int, int], int]] = []
    for step in range(1, steps + 1):
        row, rest, width = {}, step, 1
        while rest:
            digit = (rest + base // 2) % base - base // 2
            rest = (rest - digit) // base
            for place in range(rest * base + min(digit, 0), rest * base + max(digit, 0)):
                row[width, place] = 1 if digit > 0 else -1
            width *= base
        signs.append(row)
    nodes = sorted({node for row in signs for node in row})
    left = np.array([[row.get(node, 0) for node in nodes] for row in signs], dtype=float)
    right = np.array(
        [[w * p <= step < w * (p + 1) for step in range(steps)] for w, p in nodes], dtype=float
    )
    return left, right


@by_rows(("steps", "base"), TREES)
def test_its_nodes_add_up_to_running_counts_and_a_record_lies_in_one_of_each_level(steps, base):
    left, right = written_out(steps, base)
    np.testing.assert_array_equal(left @ right, np.tri(steps))
    assert right.sum(axis=0).max() <= levels(steps, base)
    np.testing.assert_array_equal(node_counts(steps, base), np.abs(left).sum(axis=1))
    every = digits(np.arange(steps + 1), base, levels(steps, base))
    assert np.abs(every).max() <= base // 2
    np.testing.assert_array_equal(base ** np.arange(len(every)) @ every, np.arange(steps + 1))


@pytest.mark.parametrize(("steps", "base"), [(40, 3), (13, 7)])
def test_the_noise_of_all_answers_is_that_of_shared_nodes(steps, base):
    runs = 20_000
    stream = SignedDigits(
        steps, ZCDP(0.5), np.random.default_rng(2), base, runs, noise=Noise.GAUSSIAN
    )
    errors, variances = [], []
    for step in range(1, steps + 1):
        counts, variance = stream.add(step)
        errors.append(counts - step * (step + 1) / 2)
        variances.append(variance)
    left, _ = written_out(steps, base)
    nodes = left @ left.T
    np.testing.assert_allclose(variances, np.diag(nodes) * stream.node_variance)
    found = np.cov(errors) / stream.node_variance
    largest = 6 * nodes.max() / runs**0.5  # of an entry, six standard errors
    assert np.abs(found - nodes).max() < largest
    unshared = np.diag(np.diag(nodes))  # every answer with noise of its own
    assert np.abs(found - unshared).max() > largest


@pytest.mark.parametrize("budget", [PureDP(0.8), ZCDP(0.3)])
def test_a_record_pays_for_one_node_of_each_level(budget):
    stream = SignedDigits(
        1000, budget, np.random.default_rng(0), 9, noise=Noise.continuous_for(budget)
    )
    needed = 4  # 9³ = 729 < 2001 ≤ 9⁴
    is_pure = isinstance(budget, PureDP)
    paid = (
        needed / (stream.node_variance / 2) ** 0.5
        if is_pure
        else needed / (2 * stream.node_variance)
    )
    assert paid == pytest.approx(budget.size)


def test_noise_follows_its_law_and_another_variance_is_rejected():
    stream = SignedDigits(9, ZCDP(0.2), np.random.default_rng(3), 3, 10_000, Noise.GAUSSIAN)
    for exact in range(1, 9):
        counts, variance = stream.add(1)
        errors = (counts - exact) / variance**0.5
        assert kstest(errors, "norm").pvalue > 1e-9 / 8
        assert kstest(errors * 1.25, "norm").pvalue < 1e-9


def test_counts_are_whole_and_may_be_drawn_from_secure_bits():
    for budget in (PureDP(1), ZCDP(0.5), ApproxDP(1, 1e-6)):
        stream = SignedDigits(20, budget, SecureBits.fresh())
        assert all(float(stream.add(7)[0][0]).is_integer() for _ in range(20))


@pytest.mark.parametrize("steps", [1, 2, 5, 20, 64, 130])
@pytest.mark.parametrize("is_pure", [True, False])
def test_the_best_fanout_has_the_least_mean_variance(steps, is_pure):
    def mean(base):
        left, right = written_out(steps, base)
        shares = int(right.sum(axis=0).max()) if steps > 70 else levels(steps, base)
        return (left**2).sum() * shares ** (2 if is_pure else 1)

    few = range(3, min(2 * steps + 4, 44), 2)
    best = best_base(steps, is_pure=is_pure)
    assert best in BASES
    assert mean(best) <= min(map(mean, few)) * (1 + 1e-9)
    assert SignedDigits(steps, PureDP(1), np.random.default_rng(0)).base == best_base(
        steps, is_pure=True
    )


def test_steps_are_counted_and_wrong_ones_refused():
    stream = SignedDigits(2, PureDP(1), np.random.default_rng(0))
    for wrong in (-1, np.nan, np.inf, "many", None):
        with pytest.raises(InvalidData, match="records"):
            stream.add(wrong)
    assert stream.steps == 0
    assert [stream.add(1), stream.add(1)]
    with pytest.raises(InvalidParameter, match="planned for 2 steps"):
        stream.add(1)
    for planned, base in ((0, 3), (2**22 + 1, 3), (2.5, 3), (9, 4), (9, 1), (9, 67)):
        with pytest.raises(DpvizError):
            SignedDigits(planned, PureDP(1), np.random.default_rng(0), base)
