"""The words of a picture as every scene writes them: small headings, and numbers that count."""

from collections.abc import Sequence

from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor, Run, label
from dpviz.figures.stage.places import At, Mark, Place, Spot


def eyebrow(
    name: str, at: Spot, text: str, *, colour: Colour = "ink", anchor: Anchor = "start"
) -> Mark:
    """A small heading in spaced capitals."""
    return label(
        name, at, text, size=14.5, weight=700, spaced=True, colour=colour, anchor=anchor
    )  # fmt: skip


def figure(
    name: str,
    at: Spot,
    text: str | Sequence[Run],
    *,
    size: float = 20,
    colour: Colour = "ink",
    anchor: Anchor = "start",
    halo: bool = False,
) -> Mark:
    """A number in the serif that findings are set in."""
    return label(
        name, at, text, size=size, font="serif", weight=600, colour=colour, anchor=anchor, halo=halo
    )


def beside(place: Place, px: float) -> At:
    """A place so many px further. A share of the picture, not a value on an axis."""
    assert isinstance(place, At)
    return At(place.share, place.px + px)
