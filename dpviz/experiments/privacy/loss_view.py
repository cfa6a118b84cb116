"""Two exact laws and their log ratio, thinned to what a screen can show."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.loss import Loss, Shape

POINTS = 1_500  # more than the picture has pixels for
OUT_OF_SIGHT = 1e-3  # share of either law's outputs that a view of the outputs leaves out
SAME = 1e-6  # differences of log ratios, against the largest, that are rounding


@confidential("shape")
@dataclass(frozen=True, slots=True, eq=False)
class LossCurves:
    """What is drawn: densities (or chances of atoms) of both laws, and their log ratio.

    Shapes: x, one, other (k,) and ratio_x, ratio (r,); of steps the last height stands twice.
    """

    shape: Shape
    x: FloatArray
    one: FloatArray
    other: FloatArray
    ratio_x: FloatArray
    ratio: FloatArray


def outputs_span(loss: Loss) -> tuple[float, float]:
    """A range that holds all but a small share of both laws' outputs, with some room."""
    if loss.shape is not Shape.STEPS:
        return float(loss.at[0]), float(loss.at[-1])
    ends = []
    for log_law in (loss.log_one, loss.log_other):
        up_to = _cdf(loss, log_law)
        ends.append(np.interp([OUT_OF_SIGHT / 2, 1 - OUT_OF_SIGHT / 2], up_to, loss.at))
    low, high = float(min(end[0] for end in ends)), float(max(end[1] for end in ends))
    room = (high - low) / 20
    return max(low - room, float(loss.at[0])), min(high + room, float(loss.at[-1]))


def loss_curves(loss: Loss, view: tuple[float, float]) -> LossCurves:
    """The curves inside a view: exact where they are short, else averages that keep the mass."""
    if loss.shape is not Shape.STEPS:
        laws = np.exp(loss.log_one), np.exp(loss.log_other)
        return LossCurves(loss.shape, loss.at, *laws, loss.at, loss.log_ratio)
    first = max(int(np.searchsorted(loss.at, view[0], side="right")) - 1, 0)
    last = max(int(np.searchsorted(loss.at, view[1])), first + 1)
    if last - first <= POINTS:
        x, inside = loss.at[first : last + 1], slice(first, last)
        laws = np.exp(loss.log_one[inside]), np.exp(loss.log_other[inside])
    else:
        x = np.linspace(*view, POINTS + 1)
        laws = _averages(loss, loss.log_one, x), _averages(loss, loss.log_other, x)
    ratio_x, ratio = _jumps(loss.at[first : last + 1], loss.log_ratio[first:last])
    return LossCurves(loss.shape, x, _closed(laws[0]), _closed(laws[1]), ratio_x, _closed(ratio))


def _cdf(loss: Loss, log_law: FloatArray) -> FloatArray:
    return np.concatenate(([0.0], np.cumsum(np.exp(log_law) * np.diff(loss.at))))


def _averages(loss: Loss, log_law: FloatArray, x: FloatArray) -> FloatArray:
    heights: FloatArray = np.diff(np.interp(x, loss.at, _cdf(loss, log_law))) / np.diff(x)
    return heights


def _jumps(edges: FloatArray, ratio: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Neighbouring steps of one height joined: the log ratio has few heights, all of them kept."""
    same = SAME * float(np.abs(ratio).max()) + 1e-12
    starts = np.flatnonzero(np.append(True, np.abs(np.diff(ratio)) > same))
    stride = -(-starts.size // (2 * POINTS))  # 1, unless rounding made the heights differ
    starts = starts[::stride]
    return np.append(edges[starts], edges[-1]), ratio[starts]


def _closed(heights: FloatArray) -> FloatArray:
    return np.append(heights, heights[-1])
