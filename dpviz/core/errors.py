"""One exception type a cause; every message says what was wrong, what was found and what to do."""


class DpvizError(ValueError):
    """The root of all errors that dpviz raises on bad input.

    >>> dp.PureDP(-1)
    Traceback (most recent call last):
    dpviz.core.errors.InvalidBudget: ε must be a positive finite number, got -1.0.
    """


class InvalidBounds(DpvizError):
    """Bounds that are not two finite numbers in order."""


class InvalidBudget(DpvizError):
    """A privacy parameter outside its range."""


class Overspent(InvalidBudget):
    """A release that an account has no budget for; nothing was drawn."""


class InvalidQuantiles(DpvizError):
    """A quantile set that is empty, unreadable or reaches 0 or 1."""


class InvalidData(DpvizError):
    """Values that cannot become a column."""


class UnreadableFile(InvalidData):
    """A file that is not a table, or not one that can be read."""


class UnreadableColumn(InvalidData):
    """A column of which nothing can be read as a number, whatever is dropped."""


class UnreadableValues(InvalidData):
    """A column of numbers that holds values which cannot be read as numbers, too."""


class InvalidParameter(DpvizError):
    """A mechanism parameter outside its range."""


class NotExact(InvalidParameter):
    """Secure bits were given to a mechanism whose promise holds up to rounding only."""


class UnsupportedBudget(DpvizError):
    """A mechanism was asked for a notion of privacy that it does not give."""


class InvalidRelease(DpvizError):
    """A stored release that cannot be read back."""


class TooMuchWork(DpvizError):
    """A request that would take more memory or time than an interactive tool can give."""


class CannotServe(DpvizError):
    """A host, a port or an incomplete install that the app cannot be started with."""
