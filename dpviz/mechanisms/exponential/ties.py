"""What is done about tied values before an exponential mechanism sees a column."""

from itertools import pairwise

import numpy as np

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.card import BOTH, Card
from dpviz.core.choices import Choice
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.grid import nearest_on_grid

SPREADING = Card(
    key="spread",
    title="Spreading ties",
    words="spreading ties",
    lead="Spreads every value a little inside its own step before a choice is made.",
    promises=("same",),
    price="nothing: each person is moved alone",
    use="ages, ratings, prices: anything with ties",
    family="Building blocks",
    role="per-record map",
    summary="Each value is spread uniformly over ± half the declared resolution before an "
    "exponential mechanism sees it; a release is a step of that grid again.",
    guarantee="a map of single records: the budget is unchanged",
    neighbours=BOTH,
    cost="$n$ draws and a sort",
    good_for="integers, ratings, prices: anything with ties",
    watch_out="without it the mechanism drifts away from heavy ties",
    source="this project; the AQ authors add a Gaussian of scale 1e-5 instead",
    holds="exact",
)


FINEST = 2.0**-40  # of the bounds: the grid of outputs where no other is declared
FINE = 2.0**-20  # of a resolution
COUNTED_FINEST = 2.0**14  # doubles in a step over which counted values are spread
JITTER_SCALE = 1e-5  # the standard deviation that the AQ authors' code adds
PIECE = 128  # records; so few are sorted in a fifth of the time a record that thousands take
NEARLY = 1 - 1e-9  # of a step: how far apart values lie that one step separates, in doubles


class Ties(Choice):
    """How tied values are treated; each choice maps records one by one, so budgets are unchanged.

    SPREAD spreads every value uniformly over ± resolution/2 (at resolution 0 over 2^-40 of the
    bounds) and is what exact releases take; the others are teaching choices in doubles. JITTER
    adds a Gaussian of scale 1e-5 as the AQ authors do, KEEP leaves ties: they make zero-width
    intervals, and the mechanism drifts away from them.
    """

    SPREAD = "spread"
    JITTER = "jitter"
    KEEP = "keep"


def is_randomised(column: Column, ties: Ties) -> bool:
    """Whether the treatment draws anything, so that every run needs values of its own."""
    return ties is Ties.JITTER or (ties is Ties.SPREAD and column.resolution > 0)


def exponential_bounds(column: Column, ties: Ties) -> Bounds:
    """The public interval an exponential mechanism works in: widened by half a resolution."""
    if ties is Ties.SPREAD and column.resolution > 0:
        return column.bounds.widened(column.resolution / 2)
    return column.bounds


def untied_values(column: Column, ties: Ties, rng: np.random.Generator) -> FloatArray:
    """The column's values (n,) after the treatment, ascending, inside exponential_bounds."""
    if not is_randomised(column, ties):
        return column.values
    values: FloatArray = untied_runs(column, ties, rng, 1)[0]
    return values


def untied_runs(column: Column, ties: Ties, rng: np.random.Generator, runs: int) -> FloatArray:
    """Independent treatments, shape (runs, n), each row ascending inside exponential_bounds."""
    shape = (runs, column.n)
    bounds = exponential_bounds(column, ties)
    apart = np.empty(0, dtype=np.bool_)
    if ties is Ties.SPREAD and column.counted:
        low, high = counted_ranges(column, column.cells)
        moved = low + rng.random(shape) * (high - low)
        apart = np.diff(column.cells) > 0
    elif ties is Ties.SPREAD:
        moved = rng.random(shape)
        moved -= 0.5
        moved *= column.resolution
        moved += column.values
        apart = np.diff(column.values) >= NEARLY * column.resolution
    elif column.counted:
        raise InvalidData(
            "Ties.JITTER moves every record by itself, and this column was made of counts. Take "
            "Ties.SPREAD, which exact releases take, or Ties.KEEP."
        )
    else:
        moved = rng.normal(scale=JITTER_SCALE, size=shape)
        moved += column.values
        # reflect at the bounds: clipping would tie again what was just untied; values inside
        # must come out untouched, for the jitter may be near the rounding of wide bounds
        with np.errstate(over="ignore"):  # of very wide bounds: infinite, so nothing is reflected
            np.maximum(moved, bounds.low + (bounds.low - moved), out=moved)
            np.minimum(moved, bounds.high + (bounds.high - moved), out=moved)
    _sort_rows(moved, np.flatnonzero(apart) + 1)
    return np.clip(moved, bounds.low, bounds.high, out=moved)


def _sort_rows(moved: FloatArray, seams: IntArray) -> None:
    """Sort each row (runs, n) in place, by pieces: records hardly ever change places over a seam.

    A row that is still out of order at the end of a piece is sorted as a whole.
    """
    wanted = np.arange(PIECE, moved.shape[1], PIECE)
    kept = np.searchsorted(seams, wanted)
    cuts = np.unique(seams[kept[kept < seams.size]])
    for start, stop in pairwise([0, *cuts.tolist(), moved.shape[1]]):
        moved[:, start:stop].sort(axis=1)
    crossed = (moved[:, cuts - 1] > moved[:, cuts]).any(axis=1)
    if crossed.any():
        moved[crossed] = np.sort(moved[crossed], axis=1)


def counted_ranges(column: Column, cells: IntArray) -> tuple[FloatArray, FloatArray]:
    """The ranges (k,) and (k,) that records in cells (k,) of a counted column are spread over.

    Values made of counts stand on the declared grid, as in an exact release: very many of them are
    only ever looked at there, and how many they are must not decide the law.
    Raises: InvalidData where a step holds too few doubles to spread records over, whatever they
    are: where several share a double it would matter which way they are drawn.
    """
    reach, resolution = column.grid.reach, column.resolution
    if resolution < COUNTED_FINEST * np.spacing(max(abs(reach.low), abs(reach.high))):
        raise InvalidData(
            f"Resolution {resolution:g} is too fine beside bounds ({column.bounds.low:g}, "
            f"{column.bounds.high:g}) for what spreads counted values in doubles. Declare a "
            "coarser resolution, or 0."
        )
    return column.grid.ranges(cells)


def declared_outputs(
    values: FloatArray, column: Column, round_to_grid: bool, bounds: Bounds | None = None
) -> FloatArray:
    """Post-processing: outputs on a declared grid, inside the declared bounds.

    The grid is that of the resolution if wished, else that of on_fine_grid over bounds, which are
    the column's unless the mechanism worked in wider ones.
    """
    values = on_fine_grid(values, bounds or column.bounds, column.resolution)
    if round_to_grid and column.resolution > 0:
        values = nearest_on_grid(values, column.resolution)
    return np.clip(values, column.bounds.low, column.bounds.high)


def on_fine_grid(values: FloatArray, bounds: Bounds, resolution: float) -> FloatArray:
    """Each value moved to the nearest low + j · width · 2^-40; the ends stay exact.

    The last bits of a drawn double tell which records it lies between, so none of them leaves.
    Steps are shorter where a declared resolution would otherwise drown in them.
    """
    step = bounds.width * FINEST
    if resolution > 0:
        step = min(step, resolution * FINE)
    if step == 0:  # denormal bounds: every double is a place of the grid
        return np.clip(values, bounds.low, bounds.high)
    place = np.round((values - bounds.low) / step)
    inside = np.clip(bounds.low + place * step, bounds.low, bounds.high)
    return np.where(values >= bounds.high, bounds.high, inside)
