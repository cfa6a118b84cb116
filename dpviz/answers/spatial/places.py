"""Noise on the counts of named places, before and after least squares, and whom it harms."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from dpviz.answers.spatial.place_list import PlaceList
from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.budgets import Budget, Neighbours, PureDP
from dpviz.core.confidential import confidential
from dpviz.core.randomness.noise import Noise
from dpviz.estimators.trees.ragged_tree import RaggedTree, least_squares
from dpviz.mechanisms.counting.noisy_counts import level_scales

EVEN, BEST, LAST = "evenly", "best for all levels", "last level only"
SPLITS = (EVEN, BEST, LAST)
TWO = 2.0  # standard errors: about 19 of 20 counts are nearer
TENTHS = 10  # the best split is in tenths


@dataclass(frozen=True, slots=True, eq=False)
class PlaceLevel:
    """Places of one level; all is public.

    before and after are two standard errors of a count, as measured and after least squares (the
    root of the mean square over places); ∞ where the level is not measured. For each place there
    are people, and shares_before and shares_after: its two standard errors over its people, at
    least one. The rest is of the reading that was chosen: spread is before or after, share the same
    over the people of the median place (middle), small says which places have fewer people than two
    standard errors, drowned how many, and living how many people those have. removed is the share
    of the variance that least squares remove.
    """

    name: str
    places: int
    names: tuple[str, ...]
    people: FloatArray
    before: float
    after: float
    shares_before: FloatArray
    shares_after: FloatArray
    spread: float
    middle: float
    share: float
    small: BoolArray
    drowned: int
    living: int
    removed: float | None


@dataclass(frozen=True, slots=True)
class PlaceDrawn:
    """A place in one draw of the noise: people, the noisy count, and after least squares."""

    name: str
    people: int
    noisy: float | None
    after: float


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class PlacesNumbers:
    """Levels from the root down, and the places above a smallest one in one draw; all is public.

    harmed is the share of all people who live in places of the last level that are drowned.
    """

    levels: tuple[PlaceLevel, ...]
    drawn: tuple[PlaceDrawn, ...]
    people: int
    harmed: float
    is_after: bool
    budget: Budget
    shares: tuple[float, ...]


def answer(
    places: PlaceList,
    budget: Budget,
    noise: Noise,
    neighbours: Neighbours,
    split: str,
    rng: np.random.Generator,
    *,
    is_after: bool,
) -> PlacesNumbers:
    """Exact variances of every place, and one draw by rng; the numbers of people are public."""
    tree = places.tree
    shares = shares_of(split, tree, is_pure=isinstance(budget, PureDP))
    scales = level_scales(noise, budget, shares, neighbours)
    variances = [noise.variance(scale) for scale in scales]
    people = tree.totals(places.people)
    noisy = [
        one + noise.simulate(scale, one.shape, rng) if np.isfinite(scale) else np.zeros_like(one)
        for one, scale in zip(people, scales, strict=True)
    ]
    best, spread = least_squares(tree, noisy, variances)
    levels = tuple(
        _level(places, at, people[at], variances[at], spread[at], is_after=is_after)
        for at in range(len(people))
    )
    return PlacesNumbers(
        levels,
        _path(places, people, noisy, best, variances),
        int(people[0][0]),
        levels[-1].living / max(int(people[0][0]), 1),
        is_after,
        budget,
        shares,
    )


def _level(
    places: PlaceList, at: int, people: FloatArray, own: float, exact: FloatArray, *, is_after: bool
) -> PlaceLevel:
    before = np.full(people.size, TWO * np.sqrt(own))
    after = TWO * np.sqrt(exact)
    chosen = after if is_after else before
    small = people < chosen
    shares = [one / np.maximum(people, 1.0) for one in (before, after)]
    mean, middle = TWO * float(np.sqrt(exact.mean())), float(np.median(people))
    spread = mean if is_after else float(before[0])
    return PlaceLevel(
        name=places.levels[at],
        places=people.size,
        names=places.names[at],
        people=people,
        before=float(before[0]),
        after=mean,
        shares_before=shares[0],
        shares_after=shares[1],
        spread=spread,
        middle=middle,
        share=spread / max(middle, 1.0),
        small=small,
        drowned=int(small.sum()),
        living=int(people[small].sum()),
        removed=max(0.0, 1 - float(exact.mean()) / own) if np.isfinite(own) else None,
    )


def _path(
    places: PlaceList,
    people: tuple[FloatArray, ...],
    noisy: list[FloatArray],
    best: tuple[FloatArray, ...],
    variances: list[float],
) -> tuple[PlaceDrawn, ...]:
    """From the root to the first place with the fewest people."""
    node, found = int(np.argmin(people[-1])), list[PlaceDrawn]()
    for level in reversed(range(len(people))):
        measured = float(noisy[level][node]) if np.isfinite(variances[level]) else None
        name = places.names[level][node]
        found.insert(
            0, PlaceDrawn(name, int(people[level][node]), measured, float(best[level][node]))
        )
        if level:
            ends = np.cumsum(places.tree.children[level - 1])
            node = int(np.searchsorted(ends, node, side="right"))
    return tuple(found)


def shares_of(split: str, tree: RaggedTree, *, is_pure: bool) -> tuple[float, ...]:
    """Each level's share of the budget, root first."""
    levels = len(tree.nodes)
    if split == LAST:
        return (*(0.0,) * (levels - 1), 1.0)
    if split == BEST:
        return _best(tree, power=2 if is_pure else 1)
    return (1 / levels,) * levels


def _best(tree: RaggedTree, power: int) -> tuple[float, ...]:
    """The shares in tenths with the least sum of the levels' mean variances after least squares.

    Noise of a level has a variance that falls with its share, under pure ε with its square.
    """
    levels = len(tree.nodes)
    blank = [np.zeros(nodes) for nodes in tree.nodes]

    def error(parts: tuple[int, ...]) -> float:
        variances = [(TENTHS / one) ** power if one else np.inf for one in parts]
        return sum(float(one.mean()) for one in least_squares(tree, blank, variances)[1])

    every = (
        (*parts, TENTHS - sum(parts))
        for parts in product(range(TENTHS), repeat=levels - 1)
        if sum(parts) < TENTHS
    )
    return tuple(one / TENTHS for one in min(every, key=error))
