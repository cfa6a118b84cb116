"""Writes the errors of the course that are drawn beforehand: dpviz/lessons/drawn_errors.json."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from dpviz.lessons import one_bound
from dpviz.lessons.drawn_errors import TABLE, Kind, named
from dpviz.lessons.show import accuracy_kept
from dpviz.lessons.try_it import bounds, declared_bounds
from dpviz.lessons.try_it.playground import ends_of
from dpviz.version import __version__


def by_setting(epsilon: float) -> tuple[float, ...]:
    """The median and the deciles of salaries at one ε."""
    return accuracy_kept.drawn(epsilon)


def by_bound(bound: float) -> tuple[float, ...]:
    """A median of salaries under a bound."""
    return (one_bound.drawn_median_error(bound, 1),)


def by_stand_in(upper: float) -> tuple[float, ...]:
    """A median of the stand-in under a bound."""
    return (bounds.median_error(bounds.made_up(), upper),)


def under() -> Iterable[float]:
    """The bounds of the stand-in that are in view, whichever example is declared."""
    ends = {10**end for stop in declared_bounds.STOPS for end in ends_of(stop)}
    return sorted({*bounds.FALL, *bounds.coarse(), *declared_bounds.STOPS, *ends})


KINDS: dict[Kind, tuple[Callable[[float], tuple[float, ...]], Callable[[], Iterable[float]]]] = {
    "setting": (by_setting, lambda: accuracy_kept.STOPS),
    "bound": (by_bound, lambda: one_bound.STOPS),
    "stand-in": (by_stand_in, under),
}


def write() -> None:
    """Draw all of them and write the table."""
    found = {
        kind: {named(at): list(drawn(at)) for at in places()}
        for kind, (drawn, places) in KINDS.items()
    }
    TABLE.write_text(json.dumps({"dpviz": __version__, **found}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    write()
