"""The cell of a record as an Ibis expression: the doubles that NumPy computes, in any engine.

A number is written into a query as a text that the engine casts to a double. Written as it is, it
may be read as a decimal and lose its last digit on the way: DuckDB does so to one in six.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpviz.core.bounds import Bounds

if TYPE_CHECKING:
    import ibis.expr.types as ir

# the keys of records without a cell of their own; cells count from 0 up
BELOW, ABOVE, MISSING = -1, -2, -3


def double(number: float) -> ir.FloatingScalar:
    """A number as the double it is."""
    import ibis  # noqa: PLC0415  an extra, and slow to import

    return ibis.literal(repr(float(number))).cast("float64")


def absent(values: ir.FloatingValue) -> ir.BooleanValue:
    """Whether there is no number: NULL and NaN, which some engines order above all numbers."""
    return values.isnull() | values.isnan()


def nearest(values: ir.FloatingValue, low: float, step: float) -> ir.IntegerValue:
    """The j whose low + j·step is nearest, upwards if two are: ⌊(x − low)/step + ½⌋."""
    return ((values - double(low)) / double(step) + double(0.5)).floor()


def equal_part(values: ir.FloatingValue, bounds: Bounds, parts: int) -> ir.IntegerValue:
    """The part [edge, next edge) of bounds cut into equal ones; parts itself for the upper bound.

    The nearest edge is found by a product, which may be rounded; then the value is compared with
    that edge as `edges_at` rounds it. parts is a power of two, so one over it is exact.
    """
    low, width = double(bounds.low), bounds.width
    edge = ((values - low) * double(parts / width) + double(0.5)).floor()
    return edge - (values < low + double(width) * (edge * double(1 / parts))).cast("int64")


def sorted_out(values: ir.FloatingValue, bounds: Bounds, cell: ir.IntegerValue) -> ir.IntegerValue:
    """The cell of values inside bounds; BELOW, ABOVE or MISSING for all others.

    The inside comes first: an engine that stops at the first case that holds does little else.
    """
    import ibis  # noqa: PLC0415  an extra, and slow to import

    low, high = double(bounds.low), double(bounds.high)
    return ibis.cases(
        ((values >= low) & (values <= high), cell),
        (absent(values), ibis.literal(MISSING, "int64")),
        (values < low, ibis.literal(BELOW, "int64")),
        else_=ibis.literal(ABOVE, "int64"),
    )
