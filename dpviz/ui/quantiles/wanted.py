"""The quantiles that are asked for, as the fields of the page say."""

from contextlib import suppress

from dpviz.core.errors import DpvizError
from dpviz.core.quantiles import QuantileSet, parse_quantiles, uniform_quantiles
from dpviz.ui.kit.pickers import OWN, SETS, UNIFORM
from dpviz.ui.model.fields import Values


def quantiles(values: Values) -> QuantileSet:
    """The set that is asked for.

    Raises: InvalidQuantiles with the part that cannot be read.
    """
    chosen = values["set"]
    if chosen == UNIFORM:
        return QuantileSet.of(uniform_quantiles(values["m"]))
    return QuantileSet.of(SETS[chosen] if chosen in SETS else parse_quantiles(values["own"]))


def count(values: Values) -> int:
    """How many different ones they are; 1 while they cannot be read."""
    with suppress(DpvizError):
        return quantiles(values).count
    return 1


def named(values: Values) -> str:
    """What they are called in short."""
    chosen = values["set"]
    return {UNIFORM: "Quantiles", OWN: "Own quantiles"}.get(chosen, str(chosen).capitalize())
