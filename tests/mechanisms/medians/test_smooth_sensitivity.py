"""σ_s against its definition, and the property that makes it a smooth sensitivity."""

import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.medians.smooth_sensitivity import middle_values, smooth_sensitivities
from tests.rows import by_rows


def by_definition(values, low, high, xi):
    n = len(values)
    m = math.ceil(n / 2)

    def x(i):
        return low if i < 1 else high if i > n else values[i - 1]

    widest = [max(x(m + t) - x(m + t - k - 1) for t in range(k + 2)) for k in range(n + 1)]
    return max(math.exp(-k * xi) * width for k, width in enumerate(widest))


def groups_of(columns, low, high):
    starts = np.concatenate(([0], np.cumsum([len(column) for column in columns]))).astype(np.int64)
    values = np.concatenate([np.sort(np.asarray(c, dtype=float)) for c in columns])
    bounds = Bounds(float(np.min(low)) - 1, float(np.max(high)) + 1)
    return Groups(values, starts, np.asarray(low, float), np.asarray(high, float), bounds)


@by_rows("seed", range(40))
def test_all_nodes_at_once_equal_the_definition(seed):
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(1, 14))
    low = rng.normal(size=nodes)
    high = low + rng.exponential(size=nodes) * (rng.random(nodes) < 0.9)  # some have no width
    columns = [
        np.clip(a + (b - a) * rng.beta(0.3, 0.5, rng.integers(0, 45)), a, b)
        for a, b in zip(low, high, strict=True)
    ]
    if seed % 3 == 0:  # ties
        columns = [
            np.clip(np.round(c, 1), a, b) for c, a, b in zip(columns, low, high, strict=True)
        ]
    xi = 10 ** rng.uniform(-6, 0.3)
    found = smooth_sensitivities(groups_of(columns, low, high), xi)
    wanted = [
        by_definition(np.sort(c), a, b, xi) for c, a, b in zip(columns, low, high, strict=True)
    ]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@by_rows("xi", [1e-4, 3e-3, 0.05, 1.0])
@by_rows("law", ["uniform", "skewed", "two towns"])
def test_a_large_node_equals_all_windows(law, xi, rng):
    n = 1500
    values = {
        "uniform": rng.random(n),
        "skewed": rng.beta(0.2, 3, n),
        "two towns": np.concatenate((rng.normal(0.2, 0.01, n // 2), rng.normal(0.9, 0.01, n // 2))),
    }[law]
    values = np.sort(np.clip(values, 0, 1))
    padded = np.concatenate(([0.0], values, [1.0]))
    m = math.ceil(n / 2)
    left, right = np.arange(m + 1)[:, None], np.arange(n + 2 - m)[None, :]
    windows = np.exp(-(left + right - 1) * xi) * (padded[m + right] - padded[m - left])
    found = smooth_sensitivities(groups_of([values], [0], [1]), xi)
    np.testing.assert_allclose(found, [windows.max()], rtol=1e-12)


def test_edges():
    columns = [[], [0.0], [1.0], [0.3], [0.5] * 50, [0.0] * 3 + [1.0] * 3, []]
    low, high = [0.0] * 6 + [2.0], [1.0] * 6 + [2.0]
    found = smooth_sensitivities(groups_of(columns, low, high), 0.1)
    wanted = [by_definition(c, a, b, 0.1) for c, a, b in zip(columns, low, high, strict=True)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert found[-1] == 0
    empty = groups_of([[], []], [0, 3], [1, 4])
    np.testing.assert_allclose(smooth_sensitivities(empty, 1.25), [1, 1])
    assert middle_values(empty).tolist() == [0, 3]  # low, as the definition has it
    assert middle_values(groups_of([[1, 2], [1, 2, 3]], [0, 0], [9, 9])).tolist() == [1, 2]
    ties = groups_of([[0.5] * 3000], [0], [1])
    assert smooth_sensitivities(ties, 1.25)[0] < 1e-300  # e^{−3750} is 0 in floating point


def neighbours_of(values, rng):
    new = float(rng.choice([0.0, 1.0, rng.random(), *values[:1], *values[-1:]]))
    yield np.append(values, new)
    if len(values):
        at = int(rng.integers(len(values)))
        yield np.delete(values, at)
        replaced = values.copy()
        replaced[at] = new
        yield replaced


def broken(values, xi):  # forgets the windows that reach past the records
    padded = np.concatenate(([values[0]], values, [values[-1]])) if len(values) else np.zeros(2)
    inner = (padded - padded[0]) / max(padded[-1] - padded[0], 1e-9)
    return by_definition(np.sort(inner[1:-1]), 0, 1, xi) * (padded[-1] - padded[0])


@pytest.mark.law
def test_one_record_changes_it_by_a_factor_of_at_most_e_to_the_xi():
    rng = np.random.default_rng(7)
    worst, worst_broken = 0.0, 0.0
    for _ in range(250):
        values = np.sort(rng.beta(0.3, 0.3, rng.integers(0, 12)))
        xi = 10 ** rng.uniform(-3, 0)
        here = smooth_sensitivities(groups_of([values], [0], [1]), xi)[0]
        median = middle_values(groups_of([values], [0], [1]))[0]
        for other in neighbours_of(values, rng):
            there = groups_of([other], [0], [1])
            ratio = abs(math.log(smooth_sensitivities(there, xi)[0] / here))
            worst = max(worst, ratio / xi)
            # and it bounds how far the median moves
            assert abs(middle_values(there)[0] - median) <= here * (1 + 1e-12)
            pair = broken(values, xi), broken(np.sort(other), xi)
            if min(pair) > 0:
                worst_broken = max(worst_broken, abs(math.log(pair[0] / pair[1])) / xi)
    assert 0.99 < worst <= 1 + 1e-9
    assert worst_broken > 2  # the wrong twin is caught
