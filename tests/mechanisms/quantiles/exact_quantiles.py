"""Slow twins of Algorithm 1 in plain Python: its exact law and density on tiny columns."""

import itertools
import math

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)


def interval_masses(values, low, high, target, eta):
    """Edges and P(I_k) ∝ w_k exp(−η |k − t|) of one exponential mechanism."""
    edges = [low, *values, high]
    widths = [right - left for left, right in itertools.pairwise(edges)]
    nearest = min((abs(k - target) for k, w in enumerate(widths) if w > 0), default=0.0)
    weights = [
        w * math.exp(-eta * (abs(k - target) - nearest)) if w > 0 else 0.0
        for k, w in enumerate(widths)
    ]
    total = sum(weights)
    return edges, [weight / total for weight in weights]


def median_first(values, low, high, quantiles, etas, depth=0):
    """One call of Algorithm 1: position, and a node's masses and edges."""
    middle = math.ceil(len(quantiles) / 2) - 1
    p = quantiles[middle]
    eta = etas(depth, p)
    return middle, p, *interval_masses(values, low, high, p * len(values), eta)


def halves(values, low, high, quantiles, middle, p, v):
    """The two sub-problems below a drawn value v."""
    lower = [x for x in values if x < v], low, v, [q / p for q in quantiles[:middle]]
    upper = (
        [x for x in values if x > v],
        v,
        high,
        [(q - p) / (1 - p) for q in quantiles[middle + 1 :]],
    )
    return lower, upper


def density(values, low, high, quantiles, outputs, etas, depth=0):
    """Joint log-density of all outputs, by the recursion itself."""
    if not quantiles:
        return 0.0
    middle, p, edges, masses = median_first(values, low, high, quantiles, etas, depth)
    v = outputs[middle]
    k = sum(x < v for x in values)
    own = math.log(masses[k]) - math.log(edges[k + 1] - edges[k])
    lower, upper = halves(values, low, high, quantiles, middle, p, v)
    return (
        own
        + density(*lower, outputs[:middle], etas, depth + 1)
        + density(*upper, outputs[middle + 1 :], etas, depth + 1)
    )


def cells(values, low, high, quantiles, etas, below=0, depth=0):
    """Exact P of the records below each output, as {(count, …): probability}."""
    if not quantiles:
        return {(): 1.0}
    middle, p, edges, masses = median_first(values, low, high, quantiles, etas, depth)
    law = {}
    for k, mass in enumerate(masses):
        if mass == 0:
            continue
        left, right = edges[k], edges[k + 1]
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            v = left + (right - left) * (node + 1) / 2
            lower, upper = halves(values, low, high, quantiles, middle, p, v)
            under = cells(*lower, etas, below, depth + 1)
            over = cells(*upper, etas, below + k, depth + 1)
            for (a, x), (b, y) in itertools.product(under.items(), over.items()):
                key = (*a, below + k, *b)
                law[key] = law.get(key, 0.0) + mass * weight / 2 * x * y
    return law


def renyi_moment(one, other, quantiles, etas, order, low=0.0, high=1.0, depth=0):
    """∫ p^α q^(1−α) over all outputs, for two neighbouring columns; one or several orders α."""
    if not quantiles:
        return 1.0
    middle, p, edges, masses = median_first(one, low, high, quantiles, etas, depth)
    _, _, other_edges, other_masses = median_first(other, low, high, quantiles, etas, depth)
    cuts = sorted({*edges, *other_edges})
    total = 0.0
    for left, right in itertools.pairwise(cuts):
        centre = (left + right) / 2
        k, j = sum(x < centre for x in one), sum(x < centre for x in other)
        f = masses[k] / (edges[k + 1] - edges[k])
        g = other_masses[j] / (other_edges[j + 1] - other_edges[j])
        scale = (right - left) * np.exp(order * math.log(f) + (1 - order) * math.log(g))
        if len(quantiles) == 1:
            total += scale
            continue
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            v = left + (right - left) * (node + 1) / 2
            lower, upper = halves(one, low, high, quantiles, middle, p, v)
            lower_other, upper_other = halves(other, low, high, quantiles, middle, p, v)
            inner = 1.0
            for (x, a, b, below), (y, *_) in ((lower, lower_other), (upper, upper_other)):
                if x != y:  # of equal records it is one, the integral of their density
                    inner *= renyi_moment(x, y, below, etas, order, a, b, depth + 1)
            total += scale * weight / 2 * inner
    return total
