"""What the two panels show of quantiles: which rows, which stretch of values, how much enlarged."""

import math
from dataclasses import dataclass

import numpy as np

from dpviz.answers.decide.quantile_buys import QuantileBuys
from dpviz.answers.quantiles.answers import MANY, ticks_of, view_of
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential

FEW, SIGNPOSTS = 5, (0.1, 0.3, 0.5, 0.7, 0.9)  # rows where room is scarce
APART, FAR_APART = (
    0.045,
    0.11,
)  # of the height, between rows with words; the latter on small screens
# of the axis: what is published lies left of it, so that its words have room; where room is scarce
FULL, FULL_FEW = 0.765, 0.68
ALONE, BLURRED = 0.45, 4.0  # of the axis, for a single value; half-widths that blur all values
NEARLY = 0.93  # of the bounds: an axis that is so long may as well show all of them
ROOM = 1.15  # of the errors axis, beyond the largest need
BELOW, ABOVE = 0.08, 0.065  # of the height, beyond the first row and the last one
MADE_UP_AT = 0.635  # share at which the made-up curve has its name
TICKS = 6


@confidential("view", "ticks", "share", "rows", "labelled", "middle", "reach", "enlarged")
@dataclass(frozen=True, slots=True, eq=False)
class Panels:
    """Shapes: rows (r,) of the quantiles, given (m,); curve_x, curve_share (k,), or None.

    view is the stretch of values that is shown, and is_cut says that the bounds go on; ticks lie in
    it. share is the stretch of shares. rows are drawn, at least gap of the height apart; labelled
    have words, and middle is the row nearest to the median. The axis of errors goes from −reach to
    reach, and is enlarged so many times. given are half-widths as they are written, rounded up.
    errors are this draw's, clipped to the axis; None while the truth is hidden. name_at is where
    the made-up curve has its name.
    """

    view: tuple[float, float]
    is_cut: bool
    ticks: tuple[float, ...]
    share: tuple[float, float]
    rows: tuple[int, ...]
    labelled: tuple[int, ...]
    middle: int
    is_many: bool
    gap: float
    reach: float
    enlarged: float
    given: FloatArray
    errors: FloatArray | None
    curve_x: FloatArray | None
    curve_share: FloatArray | None
    name_at: tuple[float, float] | None

    def position(self, value: float) -> float:
        """Where a value stands, from 0 at the left end of the view to 1 at the right one."""
        return (value - self.view[0]) / (self.view[1] - self.view[0])

    def inside(self, value: float) -> float:
        """A value moved into the view."""
        return min(max(value, self.view[0]), self.view[1])


def panels(found: QuantileBuys, ratio: float, *, few: bool = False) -> Panels:
    """What is shown. The first panel is ratio times as wide as that of the errors."""
    view = _view(found, FULL_FEW if few else FULL)
    rows = _few(found.quantiles) if few else tuple(range(found.quantiles.size))
    middle = nearest(found.quantiles, 0.5)
    labelled = _labelled(found.quantiles, rows, middle, FAR_APART if few else APART)
    reach, share = _reach(found, rows), _share(found.quantiles)
    curve_x, curve_share = _curve(found, view)
    errors = None if found.truth is None else found.published - found.truth
    return Panels(
        view=view,
        is_cut=view[1] < found.bounds.high,
        ticks=tuple(ticks_of(*view, most=3 if few else TICKS).tolist()),
        share=share,
        rows=rows,
        labelled=labelled,
        middle=middle,
        is_many=len(rows) > MANY,
        gap=_gap(found.quantiles, rows, share),
        reach=reach,
        enlarged=(view[1] - view[0]) / (2 * reach) / ratio,
        given=given(found),
        errors=None if errors is None else np.clip(errors, -reach, reach),
        curve_x=curve_x,
        curve_share=curve_share,
        name_at=_name_at(found, view),
    )


def nearest(quantiles: FloatArray, wanted: float) -> int:
    """The row nearest to a quantile."""
    return int(np.abs(quantiles - wanted).argmin())


def given(found: QuantileBuys) -> FloatArray:
    """Half-widths as they are written: rounded up to the resolution, or else to two digits.

    One that keeps its need is written with more digits, if two would break it.
    """
    return np.array(
        [
            _written(float(give), float(need), found.resolution)
            for give, need in zip(found.give, found.need, strict=True)
        ]
    )


def _written(give: float, need: float, resolution: float) -> float:
    if not 0 < give < math.inf:
        return give
    shown = give
    for digits in (2, 3, 4):
        step = max(resolution, 10.0 ** (math.floor(math.log10(give)) - digits + 1))
        shown = float(f"{math.ceil(give / step - 1e-9) * step:.12g}")
        if shown <= need or give > need or step == resolution:
            break
    return shown


def _view(found: QuantileBuys, full: float) -> tuple[float, float]:
    """From public numbers alone: all of the bounds, or a stretch in which words have room."""
    bounds, last = found.bounds, float(found.published.max())
    span = last - float(found.published.min())
    off = found.give[np.isfinite(found.give)]
    if found.quantiles.size < 3 or span < BLURRED * float(off.max(initial=0.0)):
        low, full = bounds.low, ALONE  # a value by itself, somewhere in its bounds
    else:
        low, _ = view_of(found.published, bounds)
    high = low + float(f"{(last - low) / full:.3g}")
    if not low < high < low + NEARLY * (bounds.high - low):
        high = bounds.high
    return low, high


def _gap(quantiles: FloatArray, rows: tuple[int, ...], share: tuple[float, float]) -> float:
    """The least distance of two rows, as a share of the height; 1 for a single row."""
    if len(rows) < 2:
        return 1.0
    return float(np.diff(quantiles[list(rows)]).min()) / (share[1] - share[0])


def _share(quantiles: FloatArray) -> tuple[float, float]:
    """The stretch of shares: all of them, but for the ends that no quantile is near."""
    low = min(max(float(quantiles.min()) - BELOW, 0.0), 0.02)
    high = max(min(float(quantiles.max()) + ABOVE, 1.0), 0.965)
    return low, high


def _few(quantiles: FloatArray) -> tuple[int, ...]:
    """Five rows: those near the signposts, or evenly from the first to the last."""
    if quantiles.size <= FEW:
        return tuple(range(quantiles.size))
    found = sorted({nearest(quantiles, one) for one in SIGNPOSTS})
    if len(found) < FEW:
        found = sorted({round(one) for one in np.linspace(0, quantiles.size - 1, FEW)})
        middle = nearest(quantiles, 0.5)
        closest = min(found, key=lambda row: abs(row - middle))
        found = sorted({middle, *found} - ({closest} - {middle}))
    return tuple(found)


def _labelled(
    quantiles: FloatArray, rows: tuple[int, ...], middle: int, apart: float
) -> tuple[int, ...]:
    """Rows that have room for words, chosen from the middle outwards; of many five."""
    wanted = rows if len(rows) <= MANY else _few(quantiles)
    kept = [middle]
    for row in sorted(wanted, key=lambda row: abs(quantiles[row] - quantiles[middle])):
        if min(abs(quantiles[row] - quantiles[one]) for one in kept) > apart:
            kept.append(row)
    return tuple(sorted(kept))


def _reach(found: QuantileBuys, rows: tuple[int, ...]) -> float:
    both = np.concatenate((found.give[list(rows)], found.need[list(rows)]))
    known = both[np.isfinite(both) & (both > 0)]
    return ROOM * float(known.max()) if known.size else 1.0


def _curve(
    found: QuantileBuys, view: tuple[float, float]
) -> tuple[FloatArray | None, FloatArray | None]:
    """The curve inside the view; after a release without one, straight pieces through it."""
    if found.curve_x is None or found.curve_share is None:
        return (found.published, found.quantiles) if found.is_published else (None, None)
    inside = (found.curve_x >= view[0]) & (found.curve_x <= view[1])
    x, share = found.curve_x[inside], found.curve_share[inside]
    if not found.is_true_curve:
        return x, share
    # the steps go on to both ends of the view
    before = found.curve_share[found.curve_x < view[0]]
    start = float(before[-1]) if before.size else 0.0
    end = float(share[-1]) if share.size else start
    return np.concatenate(([view[0]], x, [view[1]])), np.concatenate(([start], share, [end]))


def _name_at(found: QuantileBuys, view: tuple[float, float]) -> tuple[float, float] | None:
    if found.curve_x is None or found.curve_share is None or found.is_true_curve:
        return None
    x = float(np.interp(MADE_UP_AT, found.curve_share, found.curve_x))
    return (x, MADE_UP_AT) if view[0] < x < view[1] else None
