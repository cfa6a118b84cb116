"""Noisy counts of bins: how far off each is, which may be empty, and what bounds clip."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from dpviz.answers.number_text import place
from dpviz.core.arrays import BoolArray, FloatArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.level_estimates import efficient_levels
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.histogram import Histogram

EQUAL, OWN, TREE = "equal bins", "own edges", "tree bins"
SURE = 0.95  # of a bin's interval: 19 of 20
FAR = 0.1  # of what a bin holds: an error beyond it is counted
MOST_BINS, MOST_GROUPS = 512, 6  # that a screen can show
SEED, SIMULATED = 20210829, 1 << 19  # of a tree's noise: bins, in all simulated trees
Release: TypeAlias = HistogramRelease | TreeRelease


@dataclass(frozen=True, slots=True)
class BinChoice:
    """What is counted, and with which noise: public choices. own are the edges of its own kind.

    Tree bins are read by least squares; their number is a power of 2.
    """

    kind: str
    bins: int
    own: tuple[float, ...]
    budget: Budget
    neighbours: Neighbours

    @property
    def mechanism(self) -> Histogram | CountTree:
        """What releases the bins of a group. Raises: InvalidParameter as Histogram does."""
        if self.kind == TREE:
            height, even = self.bins.bit_length() - 1, LevelBudget.uniform()
            return CountTree(2, height, even, root=Root.SUM, neighbours=self.neighbours)
        if self.own:
            return Histogram(edges=self.own, neighbours=self.neighbours)
        return Histogram(bins=self.bins, neighbours=self.neighbours)

    @property
    def doubled(self) -> "BinChoice":
        """Twice as many bins; edges of one's own stay."""
        return self if self.kind == OWN else replace(self, bins=2 * self.bins, own=())


@dataclass(frozen=True, slots=True)
class BinErrors:
    """The law of a bin's noise. half holds it 19 times in 20; error is its standard error.

    times is how often that of plain noise it is, and times_of_half the same of the lower half of
    all bins added up: both 1 without a tree.
    """

    half: float
    error: float
    times: float = 1.0
    times_of_half: float = 1.0


def errors_of(choice: BinChoice) -> BinErrors:
    """Of the noise alone: it is known before anything is drawn. Raises: as the mechanism does."""
    made = choice.mechanism
    if isinstance(made, Histogram):
        law, scale = made.law(choice.budget), made.scale(choice.budget)
        return BinErrors(law.reach(scale, SURE), math.sqrt(law.variance(scale)))
    noise = made.tree_noise(choice.budget)
    variances = [float(one) for one in efficient_levels(noise.blank()).variances]
    error, plain = math.sqrt(variances[-1]), errors_of(replace(choice, kind=EQUAL)).error
    of_half = math.sqrt(variances[1] / (choice.bins // 2)) / plain
    return BinErrors(tree_half(noise), error, error / plain, of_half)


@lru_cache(maxsize=64)
def tree_half(noise: TreeNoise) -> float:
    """What holds a leaf's error after least squares 19 times in 20; all leaves have one law."""
    leaves = noise.shape.leaves
    drawn = noise.simulate(max(64, SIMULATED // leaves), np.random.default_rng(SEED))
    return float(np.quantile(np.abs(efficient_levels(drawn).counts[-1]), SURE))


@confidential("name")
@dataclass(frozen=True, slots=True, eq=False)
class GroupBins:
    """The bins of a group, (k,) each. empty is how many counts cannot be told from 0.

    truth, errors, parts, how much of what a bin holds its error is, and far, how many are off by
    more than a tenth of it, are None while the truth is hidden.
    """

    name: str
    counts: FloatArray
    empty: int
    truth: FloatArray | None
    errors: FloatArray | None
    parts: FloatArray | None
    far: int | None


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Clipped:
    """What the bounds do to a column, counted on its rows: confidential.

    below and above are rows beyond the bounds, share theirs of all; mean is that of the rows,
    inside the one within bounds. Of the side where more lie, extra rows of the filled ones in the
    end bin lie beyond; None where edges leave out the bound.
    """

    below: int
    above: int
    share: float
    mean: float
    inside: float
    extra: int | None
    filled: int | None


@dataclass(frozen=True, slots=True)
class Beyond:
    """What a declared share beyond a bound would do: rows that are counted in the end bin.

    people is a public number, or else the sum of the published counts; times is how often the rows
    are half of a bin's interval.
    """

    share: float
    people: float
    rows: float
    times: float


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class BinsNumbers:
    """Everything that a view of bins shows. edges (k + 1,).

    empty and far are those of all groups, of counted bins; worst is the largest error. even is what
    a bin would hold if all held the same, part and doubled are how much of it the interval is, now
    and with twice as many bins. steps are the fewest and the most of the column's that a bin holds,
    but for the last edge; None without a resolution.
    """

    choice: BinChoice
    edges: FloatArray
    groups: tuple[GroupBins, ...]
    law: BinErrors
    counted: int
    empty: int
    far: int | None
    worst: float | None
    even: float
    part: float
    doubled: float
    steps: tuple[int, int] | None
    clipped: Clipped | None
    beyond: Beyond | None

    @property
    def uneven(self) -> tuple[int, int] | None:
        """The steps where some bins hold more than a tenth more of them than others."""
        known = self.steps
        return known if known is not None and known[1] > (1 + FAR) * known[0] else None


def answer(
    choice: BinChoice,
    released: Mapping[str, Release],
    truth: Mapping[str, Column] | None = None,
    rows: FloatArray | None = None,
    beyond: float | None = None,
    people: float | None = None,
) -> BinsNumbers:
    """About releases by group. truth are their columns, rows (n,) values before clipping.

    beyond is a declared share beyond a bound, people a public number of them.
    """
    first, law = next(iter(released.values())), errors_of(choice)
    edges = first.edges if isinstance(first, HistogramRelease) else first.edges()
    groups = tuple(
        _group(name, _counts(one), edges, law.half, None if truth is None else truth[name])
        for name, one in released.items()
    )
    found = float(sum(one.counts.sum() for one in groups))
    bins = len(groups) * (edges.size - 1)
    even = max(found / bins, 0.0)
    wider = errors_of(choice.doubled).half
    declared = None
    if beyond is not None and beyond > 0:
        about = max(found, 0.0) if people is None else people
        declared = Beyond(beyond, about, beyond * about, beyond * about / law.half)
    return BinsNumbers(
        choice=choice,
        edges=edges,
        groups=groups,
        law=law,
        counted=bins,
        empty=sum(one.empty for one in groups),
        far=None if truth is None else sum(one.far or 0 for one in groups),
        worst=_worst(groups),
        even=even,
        part=law.half / even if even else math.inf,
        doubled=2 * wider / even if even else math.inf,
        steps=steps_in(edges, first.resolution),
        clipped=None if rows is None else clipped(rows, edges, first.bounds),
        beyond=declared,
    )


def steps_in(edges: FloatArray, resolution: float) -> tuple[int, int] | None:
    """The fewest and the most multiples of a resolution that a bin holds, edges not rounded."""
    if not resolution:
        return None
    held = np.diff(np.ceil(edges / resolution - 1e-9))
    return int(held.min()), int(held.max())


def _counts(one: Release) -> FloatArray:
    if isinstance(one, HistogramRelease):
        return one.counts
    return efficient_levels(one.levels).counts[-1]


def _group(
    name: str, counts: FloatArray, edges: FloatArray, half: float, column: Column | None
) -> GroupBins:
    empty = int((counts <= half).sum())
    if column is None:
        return GroupBins(name, counts, empty, None, None, None, None)
    below = column.count_below(edges)
    below[-1] = column.count_up_to(edges[-1])
    truth = np.diff(below).astype(np.float64)
    errors = counts - truth
    held = np.where(truth > 0, truth, np.nan)
    parts = np.where((truth == 0) & (errors != 0), np.inf, np.nan_to_num(np.abs(errors) / held))
    return GroupBins(name, counts, empty, truth, errors, parts, int((parts > FAR).sum()))


def _worst(groups: tuple[GroupBins, ...]) -> float | None:
    found = [float(np.abs(one.errors).max()) for one in groups if one.errors is not None]
    return max(found) if found else None


def clipped(rows: ArrayLike, edges: FloatArray, bounds: Bounds) -> Clipped | None:
    """What bounds do to rows (n,), of which NaN are missing; None where there is no row."""
    given = np.asarray(rows, dtype=np.float64)
    values = given[~np.isnan(given)]
    if not values.size:
        return None
    below, above = int((values < bounds.low).sum()), int((values > bounds.high).sum())
    inside = np.clip(values, bounds.low, bounds.high)
    is_upper = above >= below
    extra = filled = None
    if is_upper and edges[-1] == bounds.high:
        extra, filled = above, int((inside >= edges[-2]).sum())
    elif not is_upper and edges[0] == bounds.low:
        extra, filled = below, int((inside < edges[1]).sum())
    share = (below + above) / values.size
    return Clipped(below, above, share, float(values.mean()), float(inside.mean()), extra, filled)


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups that were typed: texts, or edges of numbers, of which the last belongs to a group.

    A row with another text, or a number outside, is in no group.
    """

    names: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()

    @property
    def called(self) -> tuple[str, ...]:
        """What each group is called."""
        ends = pairwise(self.edges)
        return self.names or tuple(f"{place(low)} to {place(high)}" for low, high in ends)

    def rows(self, column: FloatArray | Sequence[str]) -> list[BoolArray]:
        """Which rows (n,) of a column are in each group; none is in two."""
        if self.names:
            texts = np.array([str(one).strip() for one in column], dtype=object)
            return [texts == name for name in self.names]
        numbers, last = np.asarray(column, dtype=np.float64), self.edges[-1]
        return [
            (numbers >= low) & ((numbers < high) | ((numbers == high) & (high == last)))
            for low, high in pairwise(self.edges)
        ]


def parse_groups(text: str) -> Groups:
    """Typed groups: names with commas or semicolons between, or edges of numbers with <.

    Raises: InvalidParameter that says what is wrong with what was typed.
    """
    if "<" in text:
        found = Groups(edges=parse_edges(text.replace("<", " ")))
    else:
        found = Groups(tuple(part.strip() for part in re.split(r"[,;\n]", text) if part.strip()))
    count = len(found.called)
    if not 2 <= count <= MOST_GROUPS:
        raise InvalidParameter(
            f"Type 2 to {MOST_GROUPS} groups, got {count}: names such as north, south, or edges "
            "such as 0 < 40 < 80 for two groups of numbers."
        )
    if len(set(found.called)) < count:
        raise InvalidParameter("Each group has a name of its own: two are alike.")
    return found


def parse_edges(text: str) -> tuple[float, ...]:
    """Typed edges that ascend, with commas, semicolons or spaces between.

    Raises: InvalidParameter that names the first part that is no number, or says what is wrong.
    """
    numbers = []
    for part in filter(None, re.split(r"[\s,;]+", text.strip())):
        try:
            number = float(part)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise InvalidParameter(f"'{part}' is not a number. Write edges as 0, 18, 65, 120.")
        numbers.append(number)
    if not 3 <= len(numbers) <= MOST_BINS + 1:
        raise InvalidParameter(
            f"Type 3 to {MOST_BINS + 1} edges, got {len(numbers)}: 0, 18, 65, 120 are three bins."
        )
    if any(one >= other for one, other in pairwise(numbers)):
        raise InvalidParameter("Edges ascend, each above the last: 0, 18, 65, 120.")
    return tuple(numbers)
