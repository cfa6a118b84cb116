"""Two laws above, and below on the same axis how many times likelier one makes each answer."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import times
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.figures.kit.labels import width
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Place
from dpviz.figures.kit.picture import axis, coloured, layout, line, trace, words
from dpviz.figures.privacy.parts import FILL, area, broken_tint, level, title

UPPER, LOWER = (0.385, 1.0), (0.0, 0.27)  # the two floors, shares of the picture's height
HEADROOM = 1.14  # over the higher peak
ROOM, MOST_ROOM = 1.25, 2.4  # times ε: half the height of the lower floor
LEFT, AFTER = 58, 8  # px at least for the words beside the lower floor, and between the two


@confidential("epsilon")
@dataclass(frozen=True, slots=True, eq=False)
class Floors:
    """What both floors show. Shapes: x, one, other (k,), ratio_x, ratio (r,).

    steps says that each height holds up to the next x. epsilon is the limit of the log ratio, which
    whatever is beyond breaks; who is the person, in words that follow "with".
    """

    x: FloatArray
    one: FloatArray
    other: FloatArray
    ratio_x: FloatArray
    ratio: FloatArray
    steps: bool
    view: tuple[float, float]
    epsilon: float
    who: str

    @property
    def top(self) -> float:
        """The higher peak of the two laws."""
        return float(max(self.one.max(), self.other.max()))


def laws(floors: Floors, look: Look) -> list[dict[str, Any]]:
    """Both laws: with the person a blue line over a fill, without a dotted one in ink."""
    ink, shape = look.ink, "hv" if floors.steps else "linear"
    one = line(ink.private, look.mark(2.5), shape=shape)
    other = line(ink.truth, look.mark(2), dash="dot", shape=shape)
    fill = {"fill": "tozeroy", "fillcolor": translucent(ink.private, FILL)}
    return [
        trace("with", floors.x, floors.one, mode="lines", line=one, **fill),
        trace("without", floors.x, floors.other, mode="lines", line=other),
    ]


def ratios(floors: Floors, look: Look) -> list[dict[str, Any]]:
    """The lower floor's curve, and again in vermilion where it is beyond the limits."""
    shape = "hv" if floors.steps else "linear"
    beyond = np.abs(floors.ratio) > floors.epsilon * (1 + 1e-9)
    drawn = [
        trace(
            "ratio",
            floors.ratio_x,
            floors.ratio,
            yaxis="y2",
            mode="lines",
            line=line(look.ink.private, look.mark(3), shape=shape),
        )
    ]
    if beyond.any():
        drawn.append(
            trace(
                "beyond",
                floors.ratio_x,
                np.where(beyond, floors.ratio, np.nan),
                yaxis="y2",
                mode="lines",
                line=line(look.ink.danger, look.mark(3), shape=shape),
            )
        )
    return drawn


def limits(floors: Floors, look: Look) -> list[dict[str, Any]]:
    """The stretch that the promise allows, its two ends, and a tint where it is broken."""
    ink, epsilon, across = look.ink, floors.epsilon, ("x domain", "y2")
    shapes = [area(across, (0, 1, -epsilon, epsilon), translucent(ink.private, 0.08))]
    shapes += [level(look, sign * epsilon, across) for sign in (1, -1)]
    for low, high in _broken_stretches(floors):
        shapes.append(area(("x", "paper"), (low, high, 0, 1), broken_tint(look)))
    return shapes


def _broken_stretches(floors: Floors) -> list[tuple[float, float]]:
    """Where in view the ratio is beyond the limits: at an end each, as Gaussian noise has it."""
    beyond = np.abs(floors.ratio) > floors.epsilon * (1 + 1e-9)
    found = []
    for sign in (1, -1):
        at = floors.ratio_x[beyond & (np.sign(floors.ratio) == sign)]
        if at.size:
            found.append((float(at.min()), float(at.max())))
    return found


def labels(floors: Floors, look: Look, upper: str) -> list[dict[str, Any]]:
    """The names of both floors, and of the limit."""
    left = margin_left(floors, look)
    limit = f"the limit, e<sup>ε</sup> = {times(floors.epsilon)}"
    named = [
        title(look, upper, left),
        title(look, f"How many times likelier with {floors.who}", left, Place(up=LOWER)),
    ]
    rises = floors.ratio[-1] > floors.epsilon * (1 + 1e-9)  # past the limit at the right
    place: dict[str, Any] = {
        "align": "left" if rises else "right",
        "stand": "bottom",
        "shift": (0, 1),
    }
    at = (0.12 if rises else 1, floors.epsilon)
    return named + look.full(words(look, limit, *at, axes=("x domain", "y2"), **place))


def arranged(
    floors: Floors, look: Look, ticks: tuple[FloatArray, list[str]], **others: Any
) -> dict[str, Any]:
    """The layout of both floors over one axis, with ticks that the caller writes."""
    ratio = float(np.abs(floors.ratio).max(initial=0.0))
    half = min(max(ROOM * floors.epsilon, 1.05 * ratio), MOST_ROOM * floors.epsilon)
    return layout(
        look,
        left=margin_left(floors, look),
        right=look.said(32, 24),
        top=34,
        bottom=36,
        xaxis=axis(
            look,
            range=list(floors.view),
            anchor="y2",
            tickvals=ticks[0],
            ticktext=ticks[1],
            ticks="outside",
            ticklen=6,
        ),
        yaxis=axis(
            look,
            domain=list(UPPER),
            range=[0, HEADROOM * floors.top],
            showticklabels=False,
            zeroline=True,
            zerolinecolor=look.ink.second,
            zerolinewidth=1,
        ),
        yaxis2=axis(
            look,
            domain=list(LOWER),
            range=[-half, half],
            tickvals=[-floors.epsilon, 0, floors.epsilon],
            ticktext=list(_wording(floors, look)),
            showgrid=True,
            ticks="outside",  # room between the words and the curve
            ticklen=8,
            tickcolor="rgba(0,0,0,0)",
        ),
        **others,
    )


def margin_left(floors: Floors, look: Look) -> float:
    """The px before presenting that the words beside the lower floor need."""
    return max(LEFT, width(*_wording(floors, look)) + AFTER)


def _wording(floors: Floors, look: Look) -> tuple[str, str, str]:
    limit = times(floors.epsilon)
    full = f"{limit} × less likely", "equally likely", f"{limit} × likelier"
    return look.said(full, (f"1/{limit}", "same", f"{limit} ×"))


def tick_words(at: FloatArray, special: float, look: Look, written: list[str]) -> list[str]:
    """Tick labels, the special one bold in blue."""
    blue = look.ink.private
    return [
        coloured(text, blue, bold=True) if where == special else text
        for where, text in zip(at, written, strict=True)
    ]
