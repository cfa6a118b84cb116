"""What is declared of a column, from public knowledge: its bounds, its steps, and how many it holds.

For samples it stands in links where it differs from the sample's own; for files in none.
"""

from typing import cast

from dpviz.core.bounds import LARGEST_AREA, SHORTEST_SIDE, Bounds
from dpviz.core.errors import InvalidBounds
from dpviz.intake.samples import samples
from dpviz.ui.links import arriving
from dpviz.ui.visit import data, state
from dpviz.ui.visit.fields import number, short

NAMES = ("low", "high", "resolution", "size")


def key(scope: str, name: str) -> str:
    """The key of a declaration, in the visit and in links."""
    return f"{scope}_{name}"


def of(scope: str, name: str) -> float | None:
    """A declaration that was made in this visit."""
    return cast("float | None", state.store().get(key(scope, name)))


def drawable(low: float, high: float) -> Bounds:
    """Declared bounds that pictures can be drawn in.

    Raises: InvalidBounds if they are out of order, or their width is none that an axis can say.
    """
    bounds = Bounds(low, high)
    if not SHORTEST_SIDE <= bounds.width <= LARGEST_AREA:
        raise InvalidBounds(
            f"Pictures need bounds from {SHORTEST_SIDE:g} to {LARGEST_AREA:g} apart, got "
            f"({low:g}, {high:g}). Change the unit."
        )
    return bounds


def take_link() -> None:
    """Take over what a link declares of samples."""
    for one in samples():
        for scope in data.sample_scopes(one):
            for name in NAMES:
                _take(key(scope, name), least=-float("inf") if name in {"low", "high"} else 0.0)


def _take(name: str, least: float) -> None:
    texts = arriving.linked(name)
    if not texts:
        return
    try:
        (text,) = texts
        found = number(text)
        if found < least:
            raise ValueError(text)
    except ValueError:
        arriving.refuse(name)
    else:
        state.put(name, found)


def link_texts(in_use: str) -> dict[str, str | None]:
    """What links say of the declarations of all samples: those of the set in use alone."""
    found: dict[str, str | None] = {}
    made = state.store()
    for one in samples():
        for scope in data.sample_scopes(one):
            for name in NAMES:
                value = made.get(key(scope, name)) if one.key == in_use else None
                found[key(scope, name)] = None if value is None else short(value)
    return found
