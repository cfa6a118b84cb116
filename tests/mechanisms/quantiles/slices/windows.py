"""The law of SliceQuantiles on a few points, by brute force from windows written out."""

import itertools
import math
from functools import cache

import numpy as np

from dpviz.mechanisms.quantiles.slices.draws import middle_first


def window(column, rank, half):
    """The values at places rank − half .. rank + half from 1; −∞ before the first, ∞ behind."""
    places = range(rank - half, rank + half + 1)
    return tuple(
        -math.inf if place < 1 else math.inf if place > len(column) else column[place - 1]
        for place in places
    )


@cache
def median_law(values, low, high, eta, points):
    """P of every point 0 .. points − 1 for a window, with range [low, high): brute force."""
    law = np.zeros(points)
    if low >= high:
        law[min(low, high, points - 1)] = 1
        return law
    target = len(values) / 2
    for f in range(low, high):
        below = sum(x < f for x in values)
        up_to = below + sum(x == f for x in values if low <= x < high)
        law[f] = math.exp(-eta * max(0, below - target, target - up_to))
    return law / law.sum()


def noise_law(eps_rank, m, most):
    """P of the noise of a node from −most to most; all of the tails at the ends."""
    rate = eps_rank / m.bit_length()
    law = np.tanh(rate / 2) * np.exp(-rate * np.abs(np.arange(-most, most + 1)))
    law[[0, -1]] += np.exp(-rate * (most + 1)) / (1 + np.exp(-rate))
    return law


def pair_law(column, ranks, half, eps_rank, eps_slice, points, most=40):
    """The joint law (points, points) of two medians; windows that meet answer uniformly."""
    first, second = (ranks[i] + np.arange(-most, most + 1) for i in (0, 1))
    mass = noise_law(eps_rank, 2, most)
    # of two ranks, [1, 1] and [1, 2] have one node each
    both = mass[:, None] * mass * (second - first[:, None] >= 2 * half + 1)
    eta = eps_slice / 2
    one = np.stack([median_law(window(column, r, half), 0, points, eta, points) for r in first])
    joint = np.zeros((points, points))
    for v in range(points):
        other = np.stack(
            [median_law(window(column, r, half), v + 1, points, eta, points) for r in second]
        )
        joint[v] = one[:, v] @ both @ other
    bad = 1 - both.sum()
    for v, w in itertools.product(range(points), repeat=2):
        joint[min(v, w), max(v, w)] += bad / points**2
    return joint


def event_probability(column, ranks, half, eta, events, points):
    """P(v_i in events[i] for all i) without noise on the ranks."""
    table = {
        (int(left), int(right)): int(at)
        for nodes in middle_first(len(ranks)).levels
        for left, right, at in zip(nodes.left, nodes.right, nodes.position, strict=True)
    }

    @cache
    def inside(left, right, low, high):
        if (left, right) not in table:
            return 1.0
        at = table[left, right]
        law = median_law(window(column, ranks[at - 1], half), low, high, eta, points)
        return sum(
            law[v] * inside(left, at, low, v) * inside(at, right, v + 1, high)
            for v in events[at - 1]
            if law[v] > 0
        )

    return inside(0, len(ranks) + 1, 0, points)


def excess(law, other, epsilon):
    """The least δ with P ≤ e^ε P' + δ on every set of outputs."""
    return float(np.maximum(law - math.exp(epsilon) * other, 0).sum())
