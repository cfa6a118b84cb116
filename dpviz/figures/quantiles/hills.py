"""Where other draws fall, as hills of equal area that stand on the rows of their quantiles."""

import numpy as np

from dpviz.answers.quantiles.answers import Answers, nice_range
from dpviz.core.arrays import FloatArray

POINTS = 141  # of one hill
TALLEST, TYPICAL = 1.25, 0.8  # of hills, in rows
INSIDE, FAR_ENDS = 0.985, 0.93  # share of the errors that the range holds


def error_range(errors: FloatArray, inside: float = INSIDE) -> float:
    """R: errors are drawn from −R to R. It jumps from one round number to the next."""
    sizes = np.abs(errors)
    return nice_range(float(np.quantile(sizes, inside))) if sizes.size else 1.0


def reach_of(answers: Answers, resolution: float, inside: float = INSIDE) -> float:
    """R of one release: two steps of the grid at least; a ribbon may leave more outside."""
    if answers.draws is None:
        return max(error_range(answers.errors, 1.0), 2 * resolution)
    inside = FAR_ENDS if answers.are_many else inside
    return max(error_range(answers.other_errors, inside), 2 * resolution)


def hills(
    errors: FloatArray, rows: FloatArray, reach: float, spacing: float, resolution: float
) -> tuple[FloatArray, FloatArray]:
    """Outlines of one hill a row, separated by NaN: x and y, flat.

    Shapes: errors (r, k), rows (k,) where they stand. All hills have one area; the typical one is
    0.8 rows high, and one that would be higher than 1.25 rows is smoothed until it is not.
    """
    at = np.linspace(-reach, reach, POINTS)
    width = _bandwidths(errors, reach, resolution)
    density = _densities(errors, width, at)
    area = _area(density, spacing)
    wider = np.maximum(width, area / (TALLEST * spacing * np.sqrt(2 * np.pi)))
    tall = wider > width
    density[tall] = _densities(errors[:, tall], wider[tall], at)
    height = rows[:, None] + area * density
    flat = np.full((rows.size, 1), np.nan)
    base = np.broadcast_to(rows[:, None], (rows.size, 1))
    x = np.concatenate((at[:1], at, at[-1:], [np.nan]))
    y = np.concatenate((base, height, base, flat), axis=1)
    return np.tile(x, rows.size), y.ravel()


def _bandwidths(errors: FloatArray, reach: float, resolution: float) -> FloatArray:
    """Silverman's, wide enough to be seen and to melt the steps of the grid into one hill."""
    low, high = np.quantile(errors, [0.25, 0.75], axis=0)
    spread = np.minimum(errors.std(axis=0), np.where(high > low, (high - low) / 1.34, np.inf))
    smooth = 0.9 * spread * errors.shape[0] ** -0.2
    return np.asarray(np.maximum(smooth, max(0.45 * resolution, reach / 70)))


def _area(density: FloatArray, spacing: float) -> float:
    typical = float(np.median(density.max(axis=1)))
    return TYPICAL * spacing / typical if typical > 0 else 0.0


def _densities(errors: FloatArray, width: FloatArray, at: FloatArray) -> FloatArray:
    """Kernel estimates (k, points) of the errors (r, k) of each row."""
    scale = np.sqrt(0.5) / width  # in place of a division for each point and each draw
    z = at * scale[:, None] - (errors * scale)[..., None]
    z *= z
    np.negative(z, out=z)
    found: FloatArray = np.exp(z, out=z).sum(axis=0)
    found /= errors.shape[0] * width[:, None] * np.sqrt(2 * np.pi)
    return found
