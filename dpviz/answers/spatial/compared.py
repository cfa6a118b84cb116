"""Methods compared by the errors of many rectangles: which of them is best, and by how much."""

from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.counts.grid_index import Index
from dpviz.estimators.spatial.boxes import Readable, range_counts
from dpviz.metrics.spatial import relative_errors

LEAST = 1e-3  # per cent: less has no place on a scale of powers


@confidential("shapes")
@dataclass(frozen=True, slots=True, eq=False)
class ComparedQuestion:
    """What methods are read as, by name, and the rectangles that they are asked about.

    shapes are widths and heights, queries (q, 4) rectangles of each shape that hold somebody;
    index counts the true points. Confidential.
    """

    readings: tuple[tuple[str, Readable], ...]
    shapes: tuple[tuple[float, float], ...]
    queries: tuple[FloatArray, ...]
    index: Index


@confidential("methods", "shapes")
@dataclass(frozen=True, slots=True, eq=False)
class ComparedNumbers:
    """Median relative errors in per cent: of methods (rows) on shapes of rectangles (columns).

    errors is (methods, shapes). order are the rows, best first, by the mean of their logarithms, so
    that no shape outweighs others; factors (methods,) says how many times the best one's geometric
    mean a method's is; best is the best row of each shape, queries how many rectangles there are of
    each. Confidential.
    """

    methods: tuple[str, ...]
    shapes: tuple[tuple[float, float], ...]
    errors: FloatArray
    order: tuple[int, ...]
    factors: tuple[float, ...]
    best: tuple[int, ...]
    queries: int

    @classmethod
    def of(
        cls,
        methods: tuple[str, ...],
        shapes: tuple[tuple[float, float], ...],
        errors: FloatArray,
        queries: int,
    ) -> "ComparedNumbers":
        """From the errors alone; below LEAST they are taken as LEAST."""
        overall = np.log(np.maximum(errors, LEAST)).mean(axis=1)
        order = tuple(int(row) for row in np.argsort(overall, kind="stable"))
        factors = tuple(float(factor) for factor in np.exp(overall - overall.min()))
        best = tuple(int(row) for row in errors.argmin(axis=0))
        return cls(methods, shapes, errors, order, factors, best, queries)


def answer(asked: ComparedQuestion) -> ComparedNumbers:
    """One draw of each method. Raises: InvalidParameter for a rectangle that holds nobody."""
    truth = [asked.index.count(boxes) for boxes in asked.queries]
    errors = [
        [
            100 * float(np.median(relative_errors(range_counts(reading, boxes)[0], true)))
            for boxes, true in zip(asked.queries, truth, strict=True)
        ]
        for _, reading in asked.readings
    ]
    names = tuple(name for name, _ in asked.readings)
    return ComparedNumbers.of(names, asked.shapes, np.array(errors), asked.queries[0].shape[0])
