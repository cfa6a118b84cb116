"""Marks made of people, one grain each: heaps, scattered points, crowds, a closed place."""

from collections.abc import Sequence
from typing import Literal

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import Mark, Place, Spot, finite, named, numbers, spot


def heap(
    name: str,
    axis: str,
    counts: Sequence[int],
    span: tuple[float, float],
    *,
    base: Place,
    top: Place,
    split: int = 0,
) -> Mark:
    """People in equal columns between two values of an axis; the first `split` are out of focus.

    The fullest column reaches from base to top. On a log axis columns are equal in its logarithm.
    """
    finite(name, *span)
    if not span[0] < span[1]:
        raise InvalidParameter(f"The columns of '{name}' must go from a smaller value to a larger.")
    if not 0 <= split <= len(counts):
        raise InvalidParameter(f"'{name}' has {len(counts)} columns, none of them {split}.")
    return {
        "kind": "grains",
        "form": "heap",
        "id": named("heap", name),
        "axis": named("axis", axis),
        "counts": numbers(name, counts, least=0),
        "low": span[0],
        "high": span[1],
        "base": base.to_json(),
        "top": top.to_json(),
        "split": split,
    }


def points(
    name: str,
    axes: tuple[str, str],
    x: Sequence[float],
    y: Sequence[float],
    *,
    radius: float = 1.1,
    colour: Colour = "grain",
    opacity: float = 1.0,
) -> Mark:
    """People at values of two axes. Raises: InvalidParameter for x and y of unequal length."""
    if len(x) != len(y):
        raise InvalidParameter(f"'{name}' has {len(x)} values of x and {len(y)} of y.")
    return {
        "kind": "grains",
        "form": "points",
        "id": named("points", name),
        "axes": [named("axis", one) for one in axes],
        "x": numbers(name, x),
        "y": numbers(name, y),
        "radius": radius,
        "colour": colour,
        "opacity": opacity,
    }


def crowd(
    name: str, at: Spot, n: int, on: int = 0, *, spacing: float = 2.62, above: bool = False,
    hangs: bool = False,
) -> Mark:  # fmt: skip
    """A round crowd, so that area is people; the first `on`, in its middle, are in ink.

    In a page large crowds lie below everything else; above keeps one in its place among the marks,
    for one that stands on a box. at is its middle, or its top where it hangs from there. In a low
    picture the stage draws all crowds smaller by one factor, so that no edge cuts one.
    """
    if not 0 <= on <= n:
        raise InvalidParameter(f"'{name}' has {n} people, of whom {on} cannot be in ink.")
    finite(name, spacing)
    return {
        "kind": "grains",
        "form": "crowd",
        "id": named("crowd", name),
        "at": spot(at),
        "n": n,
        "on": on,
        "spacing": spacing,
        "above": above,
        "hangs": hangs,
    }


def closed(
    name: str,
    start: Spot,
    end: Spot,
    n: int,
    *,
    ramp: bool = False,
    words: Literal["left", "top"] = "left",
    clear: float = 0.0,
) -> Mark:
    """A place that nobody looks into: grains without any shape, thinner towards words on a ramp.

    n says how many grains are strewn, which is a matter of looks: it must not come from data.
    words says at which side of the place they stand, clear which share of it has no grains there.
    """
    finite(name, clear)
    return {
        "kind": "grains",
        "form": "closed",
        "id": named("place", name),
        "from": spot(start),
        "to": spot(end),
        "n": n,
        "ramp": ramp,
        "words": words,
        "clear": clear,
    }


def person(
    name: str, at: Spot, text: str, *, leader: float = 50, beside: float = 0, out: bool = False
) -> Mark:
    """A person with a name at the end of a leader; out leaves a dashed ring."""
    finite(name, leader, beside)
    return {
        "kind": "person",
        "id": named("person", name),
        "at": spot(at),
        "text": text,
        "leader": leader,
        "beside": beside,
        "out": out,
    }
