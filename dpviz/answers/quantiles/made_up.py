"""A made-up column in place of the real one: its values, and how far its ranks are off."""

from dataclasses import dataclass

from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.releases import QuantileRelease
from dpviz.metrics.quantiles import gaps


@confidential()
@dataclass(frozen=True, slots=True)
class BesideReal:
    """The real values, counted, and by which shares of them made-up ranks are off: confidential."""

    people: int
    typical: float
    most: float


@confidential("count")
@dataclass(frozen=True, slots=True)
class MadeUpNumbers:
    """How many values were made up; real is confidential, and None while the truth is hidden."""

    count: int
    real: BesideReal | None


def answer(release: QuantileRelease, column: Column | None) -> MadeUpNumbers:
    """About the release alone, or beside a column that holds somebody."""
    values = release.values
    real = None
    if column is not None and column.n > 0:
        off = gaps(column, release.quantiles, values) / column.n
        real = BesideReal(column.n, float(off.mean()), float(off.max()))
    return MadeUpNumbers(values.size, real)
