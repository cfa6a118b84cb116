"""What the pictures of one person, of a budget and of an audit share."""

from typing import Any

from dpviz.figures.kit.look import SERIF, Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Place
from dpviz.figures.kit.picture import coloured, words

WHOLE = Place()
BROKEN = {False: 0.055, True: 0.07}  # tint behind an axis: here a promise is broken
FILL = 0.12  # of a law
SUPPOSED = 0.42  # of what one answer tells


def broken_tint(look: Look) -> str:
    """The faint vermilion behind the part of an axis where a promise is broken."""
    return translucent(look.ink.danger, BROKEN[look.ink.dark])


def title(
    look: Look, text: str, left: float, place: Place = WHOLE, *, lift: float = 0.0
) -> dict[str, Any]:
    """The name of a panel in second ink, above it and whatever is lift px high (before presenting).

    At the left edge of the paper it starts left px of the panel.
    """
    aside = -left if place.across[0] == 0 else 0.0
    return words(
        look,
        text,
        place.across[0],
        place.up[1],
        colour=look.ink.second,
        stand="bottom",
        axes=("paper", "paper"),
        shift=(aside * look.text(1), 6 + lift * look.text(1)),
    )


def big(look: Look, text: str, x: float | str, y: float | str, **others: Any) -> dict[str, Any]:
    """A number in serif: what a picture is about."""
    placed = words(look, f"<b>{text}</b>", x, y, **others)
    placed["font"] = placed["font"] | {"family": SERIF}
    return placed


def bold(text: str, colour: str) -> str:
    """Markup for the number in a label."""
    return coloured(text, colour, bold=True)


def area(
    axes: tuple[str, str],
    ends: tuple[float, float, float, float],
    fill: str,
    *,
    layer: str = "below",
    **others: Any,
) -> dict[str, Any]:
    """A filled rectangle (x0, x1, y0, y1) without an outline unless one is asked for."""
    x0, x1, y0, y1 = ends
    return {
        "type": "rect",
        "xref": axes[0],
        "yref": axes[1],
        "x0": x0,
        "x1": x1,
        "y0": y0,
        "y1": y1,
        "fillcolor": fill,
        "line": {"width": 0},
        "layer": layer,
    } | others


def level(
    look: Look, y: float, axes: tuple[str, str], *, dash: str = "dash", **others: Any
) -> dict[str, Any]:
    """A line across a panel: dashed ink, as a target that somebody chose or promised."""
    return {
        "type": "line",
        "xref": axes[0],
        "yref": axes[1],
        "x0": 0,
        "x1": 1,
        "y0": y,
        "y1": y,
        "line": {"color": look.ink.truth, "width": look.mark(1.5), "dash": dash},
    } | others
