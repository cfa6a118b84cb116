"""What suits a column's declaration: its bounds, a public line in them, and a column of nobody's."""

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.ui.kit import session

FIRST_DATA = "salaries"  # Ida is one of them
# public lines, chosen by what the numbers are: high pay, a very good mark, the age of retirement
LINES = {
    "salaries": 100_000.0,
    "exam": 89.0,
    "ages": 64.0,
    "hours": 48.0,
    "ratings": 4.0,
    "waiting": 90.0,
    "uniform": 3.0,
    "normal": 5.0,
}
MADE_UP = 1_001  # values of the column that stands for the data while the truth is off
SHARE = 0.8  # of the bounds: the line of any other column


def bounds_or_unit() -> Bounds:
    """The declared bounds, or 0 to 1 while there are none: for what is made up."""
    low, high = session.declared("low"), session.declared("high")
    try:
        return Bounds(0.0, 1.0) if low is None or high is None else Bounds(low, high)
    except DpvizError:
        return Bounds(0.0, 1.0)


def middle() -> float:
    """The value in the middle of the bounds."""
    bounds = bounds_or_unit()
    return bounds.low + bounds.width / 2


def line(*, is_middle: bool) -> float:
    """The public line of a count: in the middle, or where few lie over it."""
    if is_middle:
        return middle()
    bounds = bounds_or_unit()
    found = LINES.get(session.scope(), bounds.low + SHARE * bounds.width)
    return found if bounds.low < found < bounds.high else bounds.low + SHARE * bounds.width


def made_up_column() -> Column:
    """Values spread evenly over the declared bounds: whoever sees it sees no data."""
    bounds = bounds_or_unit()
    return Column.from_values(np.linspace(bounds.low, bounds.high, MADE_UP + 2)[1:-1], bounds)
