"""Every multiset of few records over four guesses, with the exact law of its search."""

from itertools import combinations_with_replacement, product

import numpy as np

from dpviz.core.budgets import Neighbours
from dpviz.mechanisms.unbounded.guesses import Guesses, Stretches
from dpviz.mechanisms.unbounded.stops import Search, stop_law

GUESSES = Guesses(base=2, count=4, lower=0, unit=1)  # 0, 1, 3, 7
CELLS = np.array([-0.5, 0.5, 2, 5, 9])  # below, between and above the guesses
MOST = 4


def search(values, q, first, second) -> Search:
    """The search of an array of records."""
    return Search(Stretches.of(values, GUESSES), q * values.size, first, second)


def all_laws(q, first, second, law=stop_law):
    """The law of every multiset of at most four records, by the numbers of their cells."""
    return {
        cells: law(search(CELLS[list(cells)], q, first, second))
        for size in range(MOST + 1)
        for cells in combinations_with_replacement(range(CELLS.size), size)
    }


def neighbour_pairs(laws, neighbours):
    """Laws of all neighbours, (p, 2, 5): smaller and larger data, or either order."""
    if neighbours is Neighbours.ADD_REMOVE:
        known = [(cells, ()) for cells in laws if len(cells) < MOST]
    else:
        known = [(cells, (at,)) for cells in laws for at in range(len(cells))]
    found = []
    for (cells, gone), new in product(known, range(CELLS.size)):
        kept = [cell for at, cell in enumerate(cells) if at not in gone]
        found.append((laws[cells], laws[tuple(sorted((*kept, new)))]))
    return np.array(found)


def losses(pairs):
    """The log ratios of all neighbours, larger over smaller data, (p, 5)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(pairs[:, 1]) - np.log(pairs[:, 0])
