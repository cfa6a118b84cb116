"""How released cells are read and coloured: choices that spend nothing."""

import math
from dataclasses import dataclass

from dpviz.answers.spatial.colours import Colour
from dpviz.core.bounds import Box
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Values
from dpviz.ui.spatial.methods import method_of

FILLED = 1.25  # times as wide as high: a map whose columns share no unit fills its frame


@dataclass(frozen=True, slots=True)
class Reading:
    """aspect is how many units of x make as much ground as one of y.

    sure colours only cells above three standard errors, points draws the true points over the
    cells, answering outlines the cells that an answer is put together from.
    """

    colour: Colour = Colour.DENSITY
    sure: bool = False
    points: bool = False
    answering: bool = False
    aspect: float = 1.0


def reading_of(values: Values, box: Box) -> Reading:
    """As it was chosen; without the truth only what is sure is coloured, and no point is drawn."""
    truth = session.shows_truth()
    aspect = degrees(box) if values["m_earth"] else 1.0
    if not (values["m_earth"] or values["m_share_unit"] or not session.is_upload()):
        aspect = box.x.width / (box.y.width * FILLED)
    return Reading(
        Colour(values["m_colour"]),
        values["m_sure"] or not truth,
        values["m_points"] and truth,
        values["m_behind"],
        aspect,
    )


def follows_points(values: Values) -> bool:
    """Whether the cells of the first method follow the points."""
    return method_of(values["m_method"]).follows_points


def depth_of(values: Values) -> int:
    """The level that is drawn: it is kept for trees of both kinds."""
    return int(values["m_depth_points" if follows_points(values) else "m_depth"])


def degrees(box: Box) -> float:
    """The aspect of a map in degrees, right in its middle."""
    middle = box.y.low + box.y.width / 2
    return 1 / max(math.cos(math.radians(middle)), 0.05)
