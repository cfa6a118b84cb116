"""What small pictures are made of: a box and shapes in it, as plain data for the browser.

A picture is {"box": [width, height], "shapes": [...]}; x runs right and y runs down, in the box's
own units, which are px where the picture is shown at its own size. Inks are names, so that one
picture fits both papers: truth, second, grain, hairline, band, panel, page, blue, amber, pink,
green, violet, brown, teal, olive.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

Shape = dict[str, Any]
Still = dict[str, Any]  # {"box": [width, height], "shapes": [shape, ...]}
Place = tuple[float, float]


def still(width: float, height: float, shapes: Iterable[Shape]) -> Still:
    """A picture of the given shapes, drawn one over the other."""
    return {"box": [width, height], "shapes": list(shapes)}


def stroke(
    x: ArrayLike,
    y: ArrayLike,
    ink: str,
    width: float = 2,
    *,
    dash: str = "",
    steps: bool = False,
    opacity: float = 1,
) -> Shape:
    """A line through points; NaN breaks it; steps go right first, then up or down."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    path = stepped(across, up) if steps else through(across, up)
    return _seen({"d": path, "ink": ink, "width": width, "dash": dash}, opacity)


def area(x: ArrayLike, y: ArrayLike, floor: float, ink: str, opacity: float = 0.25) -> Shape:
    """The area between a line and a level."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    ends = f"L{_number(across[-1])} {_number(floor)}L{_number(across[0])} {_number(floor)}Z"
    return _seen({"d": through(across, up) + ends, "fill": ink}, opacity)


def bars(boxes: Iterable[Sequence[float]], ink: str, opacity: float = 1) -> Shape:
    """Rectangles, each as (x, y, width, height), in one ink."""
    path = "".join(
        f"M{_number(x)} {_number(y)}h{_number(w)}v{_number(h)}h{_number(-w)}Z"
        for x, y, w, h in boxes
    )
    return _seen({"d": path, "fill": ink}, opacity)


def dots(places: Iterable[Place], ink: str, size: float = 6, mark: str = "circle") -> Shape:
    """Marks of one kind: circle, diamond, triangle-up or square; size is their width."""
    path = "".join(_mark(x, y, size / 2, mark) for x, y in places)
    return {"d": path, "fill": ink, "rim": 1}


def grains(x: ArrayLike, y: ArrayLike, ink: str = "truth", size: float = 1.75) -> Shape:
    """People: one small round grain each; the browser joins the rounded numbers to one path."""
    pairs = np.column_stack((np.asarray(x, np.float64), np.asarray(y, np.float64)))
    tenths = np.rint(pairs * 10).astype(int).ravel().tolist()
    return {"grains": tenths, "ink": ink, "width": size, "opacity": 0.72}


def words(
    text: str, x: float, y: float, *, ink: str = "second", size: float = 13.5, align: str = "start"
) -> Shape:
    """Words on a base line; align is start, middle or end. Drawn as text, never as markup."""
    return {"text": text, "x": x, "y": y, "ink": ink, "size": size, "align": align}


def through(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> str:
    """The path of a line through points, broken at NaN."""
    path, pen = [], "M"
    for across, up in zip(x.tolist(), y.tolist(), strict=True):
        if np.isfinite(across) and np.isfinite(up):
            path.append(f"{pen}{_number(across)} {_number(up)}")
            pen = "L"
        else:
            pen = "M"
    return "".join(path)


def stepped(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> str:
    """The path of steps through points: right first, then up or down."""
    corners = zip(x[1:].tolist(), y[1:].tolist(), strict=True)
    path = "".join(f"H{_number(across)}V{_number(up)}" for across, up in corners)
    return f"M{_number(x[0])} {_number(y[0])}{path}"


def scaled(
    values: ArrayLike, ends: tuple[float, float], onto: tuple[float, float], *, log: bool = False
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Values of an axis that runs between its ends, as places between two others."""
    found, (low, high) = np.asarray(values, np.float64), ends
    if log:
        found, low, high = np.log(np.maximum(found, low)), float(np.log(low)), float(np.log(high))
    share = (found - low) / (high - low) if high > low else np.full_like(found, 0.5)
    return onto[0] + share * (onto[1] - onto[0])


def _mark(x: float, y: float, r: float, mark: str) -> str:
    if mark == "circle":
        across = _number(2 * r)
        arcs = f"a{_number(r)} {_number(r)} 0 1 0 {across} 0a{_number(r)} {_number(r)} 0 1 0 -{across} 0Z"
        return f"M{_number(x - r)} {_number(y)}{arcs}"
    corners: Mapping[str, Sequence[Place]] = {
        "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
        "triangle-up": ((0, -1.25), (1.15, 0.85), (-1.15, 0.85)),
        "square": ((-0.95, -0.95), (0.95, -0.95), (0.95, 0.95), (-0.95, 0.95)),
    }
    places = [f"{_number(x + r * dx)} {_number(y + r * dy)}" for dx, dy in corners[mark]]
    return "M" + "L".join(places) + "Z"


def _seen(shape: Shape, opacity: float) -> Shape:
    kept = {name: value for name, value in shape.items() if value != ""}
    return kept | ({"opacity": opacity} if opacity < 1 else {})


def _number(value: float) -> str:
    return f"{round(value, 1) + 0.0:g}"  # the sum turns -0 into 0
