"""How far off releases are at most, over many made-up columns at once, at each size of a budget.

Only pooled does an answer say something about a file that nobody looked at: single columns of 5,000
people answer one sentence with ε from 0.33 to 0.42, two hundred together with 0.37.
"""

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import QuantileSet
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.metrics.quantiles import gaps, true_quantiles

UNITS = ("value", "unit", "share")  # per cent of the value, the column's own, per cent of people
SURES = (0.5, 0.8, 0.9, 0.95, 0.99)  # of the releases
COLUMNS, RELEASES = 200, 4  # of a checked answer: releases of each column
ALIKE = 4  # releases of one spread, which hardly hang together
LUCK = 1.645  # standard errors: 19 times of 20 a share kept on some columns is not further above
LEAST, MOST = 1e-7, 1e7  # errors that a curve holds; beyond they are nothing, and infinite
SLACK = 1e-9

Table = FloatArray  # (units, sures): one error for each


@confidential("step")
@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """What releases of several columns missed by.

    Shapes: value, unit, places (r,): the largest over all quantiles of a release, in per cent of
    the true value, in the column's unit, and in the ranking; each (r, m): of every quantile, in the
    column's unit; drawn (r, m): the releases. Confidential, unless the columns are public or made
    up.
    """

    value: FloatArray
    unit: FloatArray
    places: FloatArray
    each: FloatArray
    drawn: FloatArray
    people: int
    step: float
    columns: int

    def table(self, luck: float = 0.0) -> Table:
        """What the releases are off by at most, in each unit and as often as each of SURES.

        Made smooth, as smooth says, where errors come in steps. With luck it holds as often on
        other columns of the shape, unless these here were kinder by so many standard errors.
        """
        share = 100 / self.people
        lines = ((self.value, 0.0, 1.0), (self.unit, self.step, 1.0), (self.places, 1.0, share))
        return np.array(
            [
                [factor * smooth(off, step, self._raised(off, sure, luck)) for sure in SURES]
                for off, step, factor in lines
            ]
        )

    def _raised(self, off: FloatArray, sure: float, luck: float) -> float:
        """The share that errors (r,) must keep so that it is sure on other columns, too.

        Releases of a column hang together, as where a quantile lies at the edge of many equal
        values: its standard error is that of so many columns, and not of so many releases.
        """
        if luck == 0 or self.columns == 1:
            return sure
        kept = (off <= within(off, sure)).reshape(self.columns, -1).mean(axis=1)
        return min(sure + luck * float(kept.std(ddof=1)) / math.sqrt(self.columns), 1.0)

    def widths(self, sure: float) -> FloatArray:
        """What each quantile is off by at most in so many of the releases, (m,)."""
        return within(self.each, sure)


def within(errors: FloatArray, sure: float) -> FloatArray:
    """The least numbers that at least so many of the errors (r, …) stay within, (…)."""
    last = min(math.ceil(sure * len(errors) - SLACK), len(errors)) - 1
    ordered: FloatArray = np.sort(errors, axis=0)[last]
    return ordered


def smooth(errors: FloatArray, step: float, sure: float) -> float:
    """The size that a share of the errors (r,) stays within, moved on between two steps.

    Without steps it is the order statistic. Errors of whole steps would jump, and a curve through
    jumps crosses a need anywhere. So where k is the least number of steps that errors stay within
    as often as sure, the answer is k + f steps: f is how far 1 − sure lies between the shares of
    errors beyond k − 1 and beyond k steps, on a log scale, for tails fall as exponentials do. It is
    at most k + 1 exactly if errors stay within k steps that often, and steps() gives k.
    """
    middle = float(within(errors, sure))
    if step <= 0 or not math.isfinite(middle):
        return middle
    k, ordered = round(middle / step), np.sort(errors)
    up_to = np.searchsorted(ordered, [(k - 0.5) * step, (k + 0.5) * step])
    fewest = 0.5  # errors beyond the largest that was seen
    beyond, after = np.log(np.maximum(errors.size - up_to, fewest) / errors.size)
    wanted = math.log(max(1 - sure, fewest / errors.size))
    among = beyond - after  # nothing where a double has no room for half a step
    share = (beyond - wanted) / among if among > 0 else 1.0
    return float(step * (k + min(max(share, LEAST), 1.0)))


def steps(smoothed: float, step: float) -> float:
    """The error in whole steps that stands behind a smooth one."""
    if step <= 0 or not math.isfinite(smoothed):
        return smoothed
    return step * max(math.ceil(smoothed / step - 1 - SLACK), 0)


def measured(
    columns: Sequence[Column],
    quantiles: QuantileSet,
    mechanism: QuantileMechanism,
    budget: Budget,
    rng: np.random.Generator,
    releases: int,
    alike: int = ALIKE,
) -> Errors:
    """So many releases of each column; where ties are spread, some are alike: of one spread.

    rng is left as it was, and each column has random numbers of its own: at every size of the
    budget they are the same ones, so that errors move with the size alone.
    Raises: TooMuchWork as the mechanism does; InvalidParameter without columns.
    """
    if not columns:
        raise InvalidParameter("Errors need at least one column.")
    value, unit, places, each, released = [], [], [], [], []
    own = copy.deepcopy(rng).spawn(len(columns))
    for column, generator in zip(columns, own, strict=True):
        asked = column, quantiles, budget, generator, releases
        if isinstance(mechanism, JointExp):
            drawn = mechanism.release_alike(*asked, alike)
        else:
            drawn = mechanism.release_many(*asked)
        truth = true_quantiles(column, quantiles)
        off = np.abs(drawn - truth)
        each.append(off)
        unit.append(off.max(axis=1))
        value.append(_of_value(off, truth))
        places.append(gaps(column, quantiles, drawn).max(axis=1))
        released.append(drawn)
    return Errors(
        value=np.concatenate(value),
        unit=np.concatenate(unit),
        places=np.concatenate(places),
        each=np.concatenate(each),
        drawn=np.concatenate(released),
        people=columns[0].n,
        step=columns[0].resolution,
        columns=len(columns),
    )


def _of_value(off: FloatArray, truth: FloatArray) -> FloatArray:
    """Largest errors in per cent of the true value; infinite where one that is missed is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        percent = 100 * off / np.abs(truth)
    worst: FloatArray = np.where(off > 0, percent, 0.0).max(axis=1)
    return worst


@confidential("sizes", "step", "people", "checked")
@dataclass(frozen=True, slots=True, eq=False)
class OffCurve:
    """How far off the releases of one method are at most, at sizes of the budget.

    Shapes: sizes (k,), ascending; smooth (units, sures, k). checked are sizes at which COLUMNS ×
    RELEASES releases of this very question were measured. Confidential, unless the columns are
    public or made up.
    """

    sizes: FloatArray
    smooth: FloatArray
    step: float
    people: int
    checked: frozenset[float] = frozenset()
    _logs: dict[tuple[str, int], tuple[FloatArray, FloatArray]] = field(
        default_factory=dict, init=False, repr=False
    )

    def at(self, unit: str, sure: float, size: float) -> float:
        """What releases are off by at most; it never grows with size.

        Infinite below the first size, and for a probability above the last of SURES; one between
        two of them counts as the next. Beyond the last size errors shrink as 1 / size.
        """
        if size < self.sizes[0] * (1 - SLACK) or sure > SURES[-1] + SLACK:
            return math.inf
        log_off = np.interp(math.log(size), *self._line(unit, sure))
        beyond = min(float(self.sizes[-1]) / size, 1.0)
        found = float(f"{math.exp(log_off) * beyond:.12g}")  # 2 itself, and not the double above
        return math.inf if found >= MOST * (1 - SLACK) else steps(found, self._step(unit))

    def _line(self, unit: str, sure: float) -> tuple[FloatArray, FloatArray]:
        """Logarithms of the sizes and of one line of the table, kept for whoever looks for a size.

        The line is raised where a larger budget was measured to be worse.
        """
        row = next(at for at, one in enumerate(SURES) if sure <= one + SLACK)
        if (unit, row) not in self._logs:
            line = np.clip(self.smooth[UNITS.index(unit), row], LEAST, MOST)
            raised = np.maximum.accumulate(line[::-1])[::-1]
            self._logs[unit, row] = np.log(self.sizes), np.log(raised)
        return self._logs[unit, row]

    def _step(self, unit: str) -> float:
        return {"value": 0.0, "unit": self.step, "share": 100 / self.people}[unit]

    def corrected(self, tables: Mapping[float, Table], checked: frozenset[float]) -> "OffCurve":
        """The curve moved to what was measured: exact there, in between by the same factors."""
        at = np.array(sorted(tables))
        known = np.log(self._between(at))
        exact = np.log(np.clip([tables[one] for one in at.tolist()], LEAST, MOST))
        moved = np.moveaxis(exact, 0, -1) - known
        every = np.union1d(self.sizes, at)
        factors = np.apply_along_axis(
            lambda line: np.interp(np.log(every), np.log(at), line), -1, moved
        )
        smooth = np.clip(self._between(every) * np.exp(factors), LEAST, MOST)
        return OffCurve(every, smooth, self.step, self.people, checked)

    def _between(self, sizes: FloatArray) -> FloatArray:
        """Every line at other sizes (units, sures, k); beyond both ends errors go as 1 / size."""
        inside = np.clip(sizes, self.sizes[0], self.sizes[-1])
        lines = np.log(np.clip(self.smooth, LEAST, MOST))
        found = np.apply_along_axis(
            lambda line: np.interp(np.log(inside), np.log(self.sizes), line), -1, lines
        )
        between: FloatArray = np.exp(found) * inside / sizes
        return between


def unit_of(unit: str) -> str:
    """The unit of a curve in which a need is reckoned. Raises: InvalidParameter for another."""
    found = {"places": "share"}.get(unit, unit)
    if found not in UNITS:
        raise InvalidParameter(
            f"Quantiles are off by {', '.join(UNITS)} or places, and not by '{unit}'. Choose one."
        )
    return found
