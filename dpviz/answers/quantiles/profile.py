"""All columns of a table under one budget: what was published of each, and its share."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz.answers.quantiles.answers import Writing
from dpviz.core.grid import as_written
from dpviz.core.releases import ProfileRelease, QuantileRelease


@dataclass(frozen=True, slots=True)
class ColumnQuantiles:
    """A column's published quantiles, its share of the budget, and the place of its middle one."""

    name: str
    share: float
    quantiles: tuple[float, ...]
    values: tuple[float, ...]
    middle: int
    writing: Writing


@dataclass(frozen=True, slots=True)
class ProfileNumbers:
    """The columns, one at least; each is the size of a column's budget where all are equal."""

    columns: tuple[ColumnQuantiles, ...]
    each: float | None


def answer(release: ProfileRelease, weights: Mapping[str, float]) -> ProfileNumbers:
    """About the release alone; weights are those of its columns, by name."""
    written = {name: as_written(weights[name]) for name in release.releases}
    total = sum(written.values(), Fraction(0))
    columns = tuple(
        _column(name, one, float(written[name] / total)) for name, one in release.releases.items()
    )
    spent = {one.spent.size for one in release.releases.values()}
    equal = len(set(written.values())) == 1
    return ProfileNumbers(columns, float(as_written(min(spent))) if equal else None)


def _column(name: str, one: QuantileRelease, share: float) -> ColumnQuantiles:
    quantiles, values = one.quantiles, one.values
    return ColumnQuantiles(
        name,
        share,
        tuple(quantiles.tolist()),
        tuple(values.tolist()),
        int(np.abs(quantiles - 0.5).argmin()),
        Writing.of(one.bounds, one.resolution),
    )
