"""Which fanout suits a CDF: trees read at every prefix, with equal shares; all of it is public."""

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.card import Card
from dpviz.core.checks import checked_whole, found
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.shape import MAX_LEAVES, TreeShape
from dpviz.estimators.splits.workloads import prefixes
from dpviz.estimators.trees.workload import energies_variance, range_energies

CARD = Card(
    key="best_fanout",
    title="A fanout for a CDF",
    words="a fanout for a CDF",
    lead="Gives each node as many children as makes running counts err least.",
    promises=("free",),
    price="nothing: a public choice",
    use="a tree that is read as a CDF, or for quantiles",
    family="Trees",
    role="planning",
    summary="A running count to part t takes $(f_k-1)/2$ nodes of each level on average. Raw, the "
    "best fanout solves $f \\ln f = 3(f-1)$ in ε, 16.8, and $f \\ln f = 2(f-1)$ in ρ, 4.9, for any "
    "number of parts; after least squares it is about 13 in ε, and 2 in ρ.",
    guarantee="a public choice: spends nothing",
    neighbours="as the tree",
    cost="milliseconds",
    good_for="a CDF or many quantiles from one tree",
    watch_out="for single nodes, or ranges of one's own, another tree may be better",
    source="this project, for a question of Rameshwar, Tandon and Sharma 2024",
)

UNITS = ("eps", "rho")
READINGS = ("raw", "efficient")
WIDEST = 64  # fanouts that are tried
EDGES = 1 << 12  # at which a tree with more leaves than bins is judged
GOLDEN = (math.sqrt(5) - 1) / 2


def best_fanout(bins: int, unit: str, reading: str) -> tuple[int, int]:
    """The (fanout, height) with the least mean variance over all prefixes of so many bins.

    Equal shares; the root is released or not, whichever is better; the height is the least that
    holds the bins. unit is "eps" (Laplace noise) or "rho" (Gaussian noise), reading "raw" or
    "efficient".
    Raises: InvalidParameter for anything else, or bins outside 2 … 2^22.
    Source: this project.
    """
    _check_unit(unit)
    if reading not in READINGS:
        raise InvalidParameter(f'reading must be "raw" or "efficient", got {found(reading)}.')
    return _best(checked_whole(bins, "bins", 2, MAX_LEAVES), unit, reading)


def prefix_variance(bins: int, fanout: int, unit: str, reading: str) -> float:
    """The mean variance over prefixes 1 … bins for ε = 1 or ρ = 1, as best_fanout judges it.

    Raises: InvalidParameter as best_fanout.
    """
    _check_unit(unit)
    shape = TreeShape(fanout, _height(bins, fanout))
    if reading == "raw":
        return _raw(bins, shape, unit)
    return min(_efficient(bins, shape, unit, root=root) for root in (False, True))


@lru_cache(maxsize=64)  # of public numbers
def _best(bins: int, unit: str, reading: str) -> tuple[int, int]:
    tried = {fanout: prefix_variance(bins, fanout, unit, reading) for fanout in _candidates(bins)}
    best = min(tried, key=lambda fanout: tried[fanout])
    return best, _height(bins, best)


def _candidates(bins: int) -> Iterator[int]:
    for fanout in range(2, min(WIDEST, max(bins, 2)) + 1):
        if fanout ** _height(bins, fanout) <= MAX_LEAVES:
            yield fanout


def _height(bins: int, fanout: int) -> int:
    height, leaves = 1, fanout
    while leaves < bins:
        height, leaves = height + 1, leaves * fanout
    return height


def _raw(bins: int, shape: TreeShape, unit: str) -> float:
    """The mean number of nodes of a prefix times the variance of each: digits of t in base f."""
    nodes, width = 0.0, 1
    for _ in range(shape.height):
        whole, rest = divmod(bins + 1, width * shape.fanout)  # t = 0 … bins
        partial, left = divmod(rest, width)
        digits = whole * width * shape.fanout * (shape.fanout - 1) / 2
        digits += width * partial * (partial - 1) / 2 + left * partial
        nodes, width = nodes + digits / bins, width * shape.fanout
    if bins == shape.leaves:  # all of them are the whole first level, and no digit
        nodes += shape.fanout / bins
    return nodes * _variance(shape.height, unit)


def _efficient(bins: int, shape: TreeShape, unit: str, *, root: bool) -> float:
    """The mean variance after least squares."""
    each = _variance(shape.height + root, unit)
    variances = [each if root else np.inf, *[each] * shape.height]
    energies = _energies(bins, shape)
    return float(energies_variance(energies, shape.fanout, variances, public_total=False))


@lru_cache(maxsize=4096)  # a number a level, the same for every unit and with or without a root
def _energies(bins: int, shape: TreeShape) -> FloatArray:
    """Of all prefixes; of a tree with more leaves than bins at the edges of the bins alone."""
    if bins == shape.leaves:
        return frozen(prefixes(shape))
    ends = np.arange(1, bins + 1) if bins <= EDGES else _sampled(bins)
    return frozen(range_energies(shape, np.zeros(ends.size), ends))


def _sampled(bins: int) -> FloatArray:
    """EDGES of them, by the golden section: equal steps would fall in with the nodes of a level."""
    places = (np.arange(EDGES) + 0.5) * GOLDEN % 1.0
    return np.unique(np.floor(places * bins)) + 1.0


def _variance(levels: int, unit: str) -> float:
    """Of a node, where so many levels share ε = 1 (Laplace) or ρ = 1 (Gaussian) equally."""
    return 2.0 * levels**2 if unit == "eps" else levels / 2


def _check_unit(unit: str) -> None:
    if unit not in UNITS:
        raise InvalidParameter(f'unit must be "eps" or "rho", got {found(unit)}.')
