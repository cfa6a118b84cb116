"""The cell of a record as an Ibis expression: the doubles that NumPy computes, in any SQL engine.

A number is written into a query as a text that the engine casts to a double. Written as it is, it
may be read as a decimal and lose its last digit on the way: DuckDB does so to one in six.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from dpviz.core.bounds import Bounds
from dpviz.core.edges import EqualParts

if TYPE_CHECKING:
    import ibis.expr.types as ir

    Edges: TypeAlias = Callable[[ir.FloatingValue], ir.FloatingValue]


def double(number: float) -> ir.FloatingScalar:
    """A number as the double it is."""
    import ibis  # noqa: PLC0415  an extra, and slow to import

    return ibis.literal(repr(float(number))).cast("float64")


def whole(number: int) -> ir.IntegerScalar:
    """A whole number of 64 bits."""
    import ibis  # noqa: PLC0415  an extra, and slow to import

    return ibis.literal(number, "int64")


def absent(values: ir.FloatingValue) -> ir.BooleanValue:
    """Whether there is no number: NULL and NaN, which some engines order above all numbers."""
    return values.isnull() | values.isnan()


def inside(values: ir.FloatingValue, bounds: Bounds) -> ir.BooleanValue:
    """Whether bounds hold a value; never true of NULL and NaN.

    NaN is asked for: Parquet leaves it out of a column's least and greatest value, and where these
    lie within bounds, DuckDB takes every value to do so.
    """
    return values.between(double(bounds.low), double(bounds.high)) & ~values.isnan()


def clamped(values: ir.FloatingValue, bounds: Bounds) -> ir.FloatingValue:
    """Values outside bounds moved to them."""
    import ibis  # noqa: PLC0415  an extra, and slow to import

    return ibis.least(ibis.greatest(values, double(bounds.low)), double(bounds.high))


def nearest(values: ir.FloatingValue, low: float, step: float) -> ir.FloatingValue:
    """The j whose low + j·step is nearest, upwards if two are: ⌊(x − low)/step + ½⌋.

    What changes no double, to subtract 0 or to divide by 1, is left out: no engine does so itself.
    """
    above = values - double(low) if low else values
    return _floor((above / double(step) if step != 1 else above) + double(0.5))


def equal_part(
    values: ir.FloatingValue, bounds: Bounds, parts: int, edge_of: Edges
) -> ir.FloatingValue:
    """The part [edge, next edge) of bounds cut into equal ones; parts itself for the upper bound.

    The nearest edge is found by a product, which may be rounded; then the value is compared with
    that edge, the double that edge_of finds of its number. parts is a power of two.
    Needs 8 doubles in a part at the ends, so that what is nearest is at most one edge away.
    """
    scale = parts / bounds.width
    edge = _floor(values * double(scale) + double(0.5 - bounds.low * scale))
    return edge - (values < edge_of(edge)).cast("float64")


def cell_edge(number: ir.FloatingValue, bounds: Bounds, parts: int) -> ir.FloatingValue:
    """As `edges_at` of maps rounds it: parts is a power of two, so width/parts is exact."""
    at = number * double(bounds.width / parts)
    return double(bounds.low) + at if bounds.low else at


def edge_numbered(number: ir.FloatingValue, parts: EqualParts) -> ir.FloatingValue:
    """The edge of a number, by the very operations of `EqualParts`."""
    import ibis  # noqa: PLC0415  an extra, and slow to import

    if parts.is_short:
        at = number * double(parts.step) if parts.step != 1 else number
        at = at + double(parts.first) if parts.first else at
        return at / double(parts.under) if parts.under != 1 else at
    product = number * double(parts.pieces[0])
    high = double(parts.start) + product
    moved = high - double(parts.start)
    low = (double(parts.start) - (high - moved)) + (product - moved)
    more: ir.FloatingValue = double(parts.rest)
    for piece in reversed(parts.pieces[1:]):
        more = number * double(piece) + more
    found = high + (low + more)
    known = [(number == double(at), double(edge)) for at, edge in parts.unlike().items()]
    return ibis.cases(*known, else_=found) if known else found


def _floor(values: ir.FloatingValue) -> ir.FloatingValue:
    """The engine's own floor, a double as yet: Ibis would cast it, which takes most of the time.

    A cast of what lies far outside would also end the query; so cells are cast when all is sorted.
    """
    import ibis  # noqa: PLC0415  an extra, and slow to import

    @ibis.udf.scalar.builtin(name="floor", signature=(("float64",), "float64"))
    def floor(x):  # type: ignore[no-untyped-def]
        ...

    return floor(values)
