"""Marks of a picture that a person touches: an edge that is dragged, rows that are tapped.

Both work by keyboard, too: a page lays a slider or a button over them (touch.js).
"""

from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage.places import Mark, Place, Spot, finite, named, spot


def grip(
    name: str,
    axis: str,
    value: float,
    span: tuple[float, float],
    step: float,
    top: Place,
    base: Place,
    *,
    label: str,
    says: str,
    still: bool = False,
) -> Mark:
    """An edge that is dragged along an axis, from step to step within a span.

    Its value becomes that of the state of this name, and stays in the browser. It stands from top
    to base; one that is still is not dragged. says is what the picture shows there, in words that
    end the text alternative.
    Raises: InvalidParameter for a step that does not lead from one end to the other.
    """
    finite(name, value, *span, step)
    low, high = span
    if step <= 0 or low > high or low % step or high % step:
        raise InvalidParameter(f"'{name}' cannot go from {low:g} to {high:g} by {step:g}.")
    return {
        "kind": "grip",
        "id": named("grip", name),
        "axis": named("axis", axis),
        "value": value,
        "low": low,
        "high": high,
        "step": step,
        "top": top.to_json(),
        "base": base.to_json(),
        "label": label,
        "says": says,
        "still": still,
    }


def tap(name: str, start: Spot, end: Spot, part: str, blank: str, says: tuple[str, str]) -> Mark:
    """A part of the picture that is tapped open, and shut again.

    The page's control stands at the parts that are open, joined by "-", or at blank. says is what
    this one is called while it is shut, and while it is open.
    """
    return {
        "kind": "tap",
        "id": named("tap", name),
        "from": spot(start),
        "to": spot(end),
        "part": part,
        "blank": blank,
        "says": list(says),
    }
