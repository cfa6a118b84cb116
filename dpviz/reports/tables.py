"""Releases as CSV: private values and declarations only, numbers to the last digit."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.releases import ProfileRelease, QuantileRelease
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.spatial.boxes import SIDES
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels
from dpviz.estimators.spatial.estimate import SpatialEstimate
from dpviz.reports.words import Release, check_told, limits_of


def release_csv(release: Release) -> str:
    """The numbers that were published, one a row, before anything is made of them."""
    check_told(release)
    return _WRITTEN.get(type(release), map_csv)(release)


def quantiles_csv(releases: Iterable[QuantileRelease]) -> str:
    """One row for each private quantile: mechanism, quantile, value."""
    rows = (
        (release.mechanism, repr(quantile), repr(value))
        for release in releases
        for quantile, value in zip(
            release.quantiles.tolist(),
            release.values.tolist(),  # noqa: PD011  a release, no frame
            strict=True,
        )
    )
    return table_csv(("mechanism", "quantile", "value"), rows)


def profile_csv(profile: ProfileRelease) -> str:
    """One row for each private quantile of each column: column, mechanism, quantile, value."""
    rows = (
        (name, release.mechanism, repr(quantile), repr(value))
        for name, release in profile.releases.items()
        for quantile, value in zip(
            release.quantiles.tolist(),
            release.values.tolist(),  # noqa: PD011  a release, no frame
            strict=True,
        )
    )
    return table_csv(("column", "mechanism", "quantile", "value"), rows)


def tree_csv(release: TreeRelease, levels: Levels) -> str:
    """One row a node of a reading: level, node, low, high, count, variance."""
    parts = []
    for level, counts in enumerate(levels.counts):
        edges = release.edges(level)
        part = {"level": level, "node": np.arange(counts.size), "low": edges[:-1]}
        part |= {"high": edges[1:], "count": counts, "variance": levels.node_variances(level)}
        parts.append(pd.DataFrame(part))
    return _written(parts)


def running_csv(release: PrefixRelease) -> str:
    """One row an edge from the first interval's end on: below, count, variance."""
    columns = {"below": release.edges[1:], "count": release.counts}
    return _written([pd.DataFrame(columns | {"variance": release.noise.variances})])


def bins_csv(release: HistogramRelease) -> str:
    """One row a bin: low, high, count, variance."""
    columns = {"low": release.edges[:-1], "high": release.edges[1:], "count": release.counts}
    return _written([pd.DataFrame(columns | {"variance": release.standard_error**2})])


def places_csv(release: PlaceRelease) -> str:
    """One row a place of each level that was measured: level, place, count, variance."""
    rows = release.to_frame()
    return _written([rows.assign(variance=rows.pop("standard_error") ** 2)])


def number_csv(release: NumberRelease) -> str:
    """One row: mechanism, the thresholds of a count, value, variance of the noise."""
    limits = limits_of(release)
    variance = release.noise.variance(release.scale)
    row = (release.mechanism, *limits.values(), release.value, variance)
    return table_csv(("mechanism", *limits, "value", "variance"), [row])


def map_csv(reading: SpatialRelease | SpatialEstimate | Cells) -> str:
    """One row a cell: level, node, x_low, x_high, y_low, y_high, count, variance.

    Cells that were not released, or that pruning dropped, are left out.
    """
    if isinstance(reading, Cells):
        levels = [(reading.boxes, reading.counts, np.square(reading.standard_errors))]
    else:
        found = reading.levels
        levels = [
            (reading.level_boxes(level), counts, found.node_variances(level))
            for level, counts in enumerate(found.counts)
        ]
    pruned = getattr(reading, "kept", None)
    parts = []
    for level, (boxes, counts, variances) in enumerate(levels):
        known = np.isfinite(counts)
        kept = np.flatnonzero(known if pruned is None else known & pruned[level])
        part = pd.DataFrame(boxes[kept], columns=list(SIDES))
        part.insert(0, "level", level)
        part.insert(1, "node", kept)
        parts.append(part.assign(count=counts[kept], variance=variances[kept]))
    return _written(parts)


def _written(parts: Sequence[pd.DataFrame]) -> str:
    return str(pd.concat(parts).to_csv(index=False, lineterminator="\n"))


def table_csv(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Rows below their header; numbers come back to the last digit."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow(header)
    written.writerows(rows)
    return text.getvalue()


_WRITTEN: Mapping[type, Callable[[Any], str]] = {
    QuantileRelease: lambda release: quantiles_csv([release]),
    TreeRelease: lambda release: tree_csv(release, release.levels),
    PrefixRelease: running_csv,
    HistogramRelease: bins_csv,
    PlaceRelease: places_csv,
    NumberRelease: number_csv,
}
