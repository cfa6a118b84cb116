"""What was clicked or drawn in a picture; a node of a tree, of intervals or of rectangles."""

from __future__ import annotations

from typing import Any

from dpviz.ui import visitor


def selection(chart: str) -> Any:
    """What was clicked or drawn in a picture: its points and boxes, told to the call that asks."""
    return visitor.held(chart).picked or {"points": [], "boxes": []}


def clicked(chart: str) -> tuple[int, int] | None:
    """Level and number of the node whose mark was clicked in a chart; None where none was."""
    for point in selection(chart)["points"][:1]:
        carried = point.get("customdata")
        if carried:
            return int(carried[0]), int(carried[1])
    return None
