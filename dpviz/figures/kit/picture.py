"""The grammar of all pictures: plain dicts of traces and a layout, with every font and colour set.

Axes are second ink, rows are hairlines, words stand at their marks and never in a legend. Labels
are annotations; those over curves or maps lie on a plate of the page's colour.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from dpviz.figures.kit.look import FONT, TICK, WORDS, Look
from dpviz.figures.kit.palette import translucent

Picture = dict[str, Any]  # {"data": [...], "layout": {...}}, as plotly.js takes it
AXIS = 0.55  # opacity of an axis line in second ink


def layout(
    look: Look,
    *,
    left: float = 56,
    right: float = 24,
    top: float = 30,
    bottom: float = 34,
    **others: Any,
) -> dict[str, Any]:
    """The layout that all pictures share; margins in px before presenting makes them larger."""
    size = look.text(1)
    margin = {"l": left * size, "r": right * size, "t": top * size, "b": bottom * size}
    return {
        "template": None,
        "autosize": True,
        "paper_bgcolor": look.ink.page,
        "plot_bgcolor": look.ink.page,
        "font": {"family": FONT, "size": look.text(WORDS), "color": look.ink.truth},
        "margin": margin | {"pad": 0, "autoexpand": False},
        "showlegend": False,
        "hovermode": "closest",
        "hoverlabel": {
            "namelength": -1,
            "bgcolor": look.ink.panel,
            "bordercolor": look.ink.hairline,
            "font": {"family": FONT, "size": look.text(WORDS), "color": look.ink.truth},
        },
        "dragmode": False,
        "modebar": {
            "orientation": "v",
            "bgcolor": "rgba(0,0,0,0)",
            "color": look.ink.second,
            "activecolor": look.ink.truth,
        },
    } | others


def axis(look: Look, **others: Any) -> dict[str, Any]:
    """An axis: ticks in second ink, hairlines for rows, no line of its own unless asked for."""
    return {
        "showgrid": False,
        "gridcolor": look.ink.hairline,
        "gridwidth": 1,
        "zeroline": False,
        "showline": False,
        "linecolor": translucent(look.ink.second, AXIS),
        "linewidth": 1,
        "ticks": "",
        "tickcolor": translucent(look.ink.second, AXIS),
        "tickfont": {"family": FONT, "size": look.text(TICK), "color": look.ink.second},
        "ticklabeloverflow": "allow",
        "automargin": False,
        "fixedrange": True,
    } | others


def words(
    look: Look,
    text: str,
    x: float | str,
    y: float | str,
    *,
    colour: str | None = None,
    size: float = WORDS,
    align: str = "left",
    stand: str = "middle",
    axes: tuple[str, str] = ("x", "y"),
    plate: bool = False,
    shift: tuple[float, float] = (0, 0),
    **others: Any,
) -> dict[str, Any]:
    """Words at a mark. align says which side of the text lies at x: left, center or right.

    axes are plotly's references ("x2", "y domain", "paper"); on a log axis x and y are log10.
    plate puts the page's colour behind the words. text may hold markup of ours: texts from a
    visitor's file go through layout.plain first.
    """
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": axes[0],
        "yref": axes[1],
        "xanchor": align,
        "yanchor": stand,
        "xshift": shift[0],
        "yshift": shift[1],
        "showarrow": False,
        "align": align,
        "borderpad": 2 if plate else 0,
        "bgcolor": look.ink.page if plate else "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": look.text(size), "color": colour or look.ink.truth},
    } | others


def measured(look: Look, text: str, left: float, lift: float) -> dict[str, Any]:
    """What the axis up measures, in second ink: left px beside and lift px above its upper end."""
    shift = (-look.text(left), look.text(lift))
    return words(
        look, text, 0, 1, axes=("paper", "paper"), stand="bottom", colour=look.ink.second,
        shift=shift,
    )  # fmt: skip


def below(text: str, look: Look, standoff: float = 8) -> dict[str, Any]:
    """The title of an axis, in second ink."""
    font = {"family": FONT, "size": look.text(WORDS), "color": look.ink.second}
    return {"text": text, "standoff": standoff, "font": font}


def line(colour: str, width: float, **others: Any) -> dict[str, Any]:
    """How a line is drawn."""
    return {"color": colour, "width": width} | others


def trace(name: str, x: Any, y: Any, **others: Any) -> dict[str, Any]:
    """One trace of marks or lines without hover; arrays go as they are."""
    return {"type": "scatter", "name": name, "x": x, "y": y, "hoverinfo": "skip"} | others


def rule(look: Look, x: float, *, axes: tuple[str, str] = ("x", "y domain"), **others: Any) -> Any:
    """An ink line straight up through a panel, as the truth is drawn."""
    return {
        "type": "line",
        "xref": axes[0],
        "yref": axes[1],
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": 1,
        "line": line(look.ink.truth, look.mark(2)),
    } | others


def coloured(text: str, colour: str, *, bold: bool = False) -> str:
    """Markup for a coloured part of a tick or of words."""
    inner = f"<b>{text}</b>" if bold else text
    return f'<span style="color:{colour}">{inner}</span>'


def picture(data: Sequence[Mapping[str, Any]], arranged: Mapping[str, Any]) -> Picture:
    """Traces and a layout as one figure."""
    return {"data": list(data), "layout": dict(arranged)}
