"""What an audit proves: ε by the number of runs beside the claim, and the event it counted.

The evidence is how often one event fell on either side of a pair: two bars for each mechanism.

One audit, as both pictures take it, is its name, what was counted, and its colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import epsilon_text, least
from dpviz.answers.privacy.audit_said import ratio_text
from dpviz.experiments.privacy.privacy_audit import Audit
from dpviz.figures.kit.labels import End, Named, named
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Column, Place, columns
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.privacy.parts import area, bold, broken_tint, level, title

LEFT = 56
PROOF = Column((0.0, 0.655), (0.52, 1.0), narrow=(0.0, 0.59))
EVIDENCE = Column((0.715, 1.0), (0.0, 0.35), narrow=(0.65, 1.0))
LEAST_TOP = 1e-3  # of the axis, where nothing was claimed and nothing found
RUNS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
# shares of the runs' decades with room for names: on a wide screen, a narrow one, above on a phone
AFTER, TIGHT_AFTER, NO_AFTER = 1.36, 1.75, 1.05
APART = 0.07  # of the height, between names
AXES = ("x2", "y2")
LONG_EVENT = 24  # letters for which a phone, or large words, have no room
ASKED, TELLS = 0.76, 0.12  # of a unit, where there is room for the words


def audit_picture(
    found: list[Audited], claimed: float, names: tuple[str, str], look: Look
) -> Picture:
    """Proven ε against runs at the left, and at the right how often the event fell on each side.

    names are those of both sides, such as "with Ida" and "without".
    """
    proof, beside = columns(look, PROOF, EVIDENCE)
    top, end = _top(found, claimed, look), _right_end(found, look)
    first, last = (float(np.log10(found[0].audit.runs[at])) for at in (0, -1))
    called = _names(found, claimed, top, look)
    data = [one for audited in found for one in _curve(audited, claimed, look)]
    annotations = [
        title(look, "ε that the runs prove to be lost, at least", LEFT, proof, lift=called.above),
        title(look, "The evidence: one event, counted", LEFT, beside),
        _refutes(top, look),
        *called.notes,
        *look.full(*(_first(one, claimed, found, look) for one in found if one.is_twin)),
    ]
    bars, counted = evidence(found, claimed, names, look)
    ticks = look.said(RUNS, RUNS[::3])
    shown = [tick for tick in ticks if first - 0.02 <= np.log10(tick) <= end]
    written = [f"{shown[0]:,} runs", *(f"{tick:,}" for tick in shown[1:])] if shown else []
    heights = [height for height in _heights(top) if height <= top]
    return picture(
        [*data, *bars],
        layout(
            look,
            left=LEFT,
            right=16,
            top=34 + called.above,
            bottom=36,
            xaxis=axis(
                look,
                domain=proof.across,
                range=[first - 0.04, end],
                tickvals=np.log10(shown),
                ticktext=written,
                ticks="outside",
            ),
            yaxis=axis(
                look,
                domain=proof.up,
                range=[0, top],
                tickvals=heights,
                ticktext=[f"{height:g}" for height in heights],
                zeroline=True,
                zerolinecolor=look.ink.hairline,
            ),
            shapes=[
                area(("x domain", "y"), (0, 1, claimed, top), broken_tint(look)),
                level(look, claimed, ("x", "y"), x0=first - 0.04, x1=last),
            ],
            annotations=[one for one in annotations if one] + counted,
            **evidence_axes(look, len(found), beside),
        ),
    )


def _top(found: list[Audited], claimed: float, look: Look) -> float:
    highest = max(float(one.audit.bounds.max()) for one in found)
    room = look.said(1.15, 1.45)  # words stand above the curve, which reaches below them on a phone
    return max(1.45 * claimed, room * highest, LEAST_TOP)


def _heights(top: float) -> list[float]:
    power = 10.0 ** np.floor(np.log10(top / 4))
    step = next(size * power for size in (1, 2, 5, 10) if top / (size * power) <= 6)
    return [float(height) for height in step * np.arange(0, 8)]


def _right_end(found: list[Audited], look: Look) -> float:
    runs = found[0].audit.runs
    first, last = np.log10(runs[0]), np.log10(runs[-1])
    beside = look.said(AFTER, TIGHT_AFTER, narrow=True, presenting=True)
    return float(first + (last - first) * look.said(beside, NO_AFTER))


def _curve(audited: Audited, claimed: float, look: Look) -> list[dict[str, Any]]:
    colour, _ = audited.hue(claimed, look)
    audit = audited.audit
    x, y = np.log10(audit.runs), audit.bounds
    fill = {"fill": "tozeroy", "fillcolor": translucent(colour, 0.1)} if not audited.is_twin else {}
    stroke = line(colour, look.mark(3))
    last = {"color": colour, "size": look.mark(14), "line": line(look.ink.page, look.mark(1.5))}
    drawn = [
        trace(audited.name, x, y, mode="lines", line=stroke, **fill),
        trace(
            f"{audited.name}: all runs",
            x[-1:],
            y[-1:],
            mode="markers",
            marker=last,
            cliponaxis=False,
        ),
    ]
    at = audit.first_above(claimed)
    if audited.is_twin and at is not None:
        ring = {"color": look.ink.page, "size": look.mark(12), "line": line(colour, look.mark(2.5))}
        drawn.append(trace("first above the claim", x[[at]], y[[at]], mode="markers", marker=ring))
    return drawn


def _first(audited: Audited, claimed: float, found: list[Audited], look: Look) -> dict[str, Any]:
    """Where the twin's curve first passes the claim: found by looking, so it is no proof."""
    at = audited.audit.first_above(claimed)
    if at is None:
        return {}
    runs, first = int(audited.audit.runs[at]), float(np.log10(found[0].audit.runs[0]))
    x = float(np.log10(runs))
    text = (
        f"first above{look.said(' the claim', '', narrow=True, presenting=True)} at {runs:,} runs"
    )
    share = (x - first) / (_right_end(found, look) - first)
    away = look.mark(12)
    if share > (0.4 if look.presenting else 0.36):  # room on the side where the curve is lower
        y, place = float(audited.audit.bounds[at]), {"align": "right", "stand": "bottom"}
        shift = (-away, 2.0)
    else:
        later = audited.audit.bounds[at + 1 :][np.log10(audited.audit.runs[at + 1 :]) < x + 0.6]
        room = 0.1 * float(_top(found, claimed, look))  # between the claim and the curve
        above = later.size > 0 and bool((later > claimed + room).all())
        y, place = claimed, {"align": "left", "stand": "bottom" if above else "top"}
        shift = (away + look.mark(4), 3.0 if above else -6.0)
    colour = look.ink.danger_text
    return words(look, text, x, y, colour=colour, shift=shift, **place)  # type: ignore[arg-type]


def _names(found: list[Audited], claimed: float, top: float, look: Look) -> Named:
    """What all runs prove, at the end of each curve, and what was claimed."""
    ends = []
    for one in found:
        colour = one.hue(claimed, look)[1]
        ends.append(
            End(f"{bold(least(one.audit.bound), colour)} {one.name}", one.audit.bound, colour)
        )
    claim = bold(f"claimed: ε = {epsilon_text(claimed)}", look.ink.truth)
    ends.append(End(claim, claimed, look.ink.truth))
    at = float(np.log10(found[0].audit.runs[-1]))
    return named(
        look, ends, (0.0, top), apart=APART, x=at, axes=("x", "y domain"), left=LEFT, size=17
    )


def _refutes(top: float, look: Look) -> dict[str, Any]:
    text, colour = "a proof up here refutes the claim", look.ink.danger_text
    return words(
        look, text, 0, top, colour=colour, stand="top", shift=(8, -8), axes=("x domain", "y")
    )


@dataclass(frozen=True, slots=True)
class Unit:
    """One mechanism in a unit of height: its heading, both bars, how thick they are.

    room is the whole width in shares of the widest bar, for the words at its end; least how many
    units the height is divided into at least.
    """

    room: float
    head: float
    bars: tuple[float, float]
    thick: float
    least: int


FULL = Unit(1.42, 0.92, (0.58, 0.34), 0.16, 2)


DENSE = Unit(1.6, 0.83, (0.52, 0.2), 0.24, 1)


def evidence_axes(look: Look, mechanisms: int, place: Place) -> dict[str, Any]:
    """Both axes of the bars: shares to the right, one unit of height for each mechanism."""
    unit = look.said(FULL, DENSE)
    across, up = [0, unit.room], [-max(mechanisms, unit.least), 0]
    hidden = {"showticklabels": False}
    return {
        "xaxis2": axis(look, domain=place.across, range=across, anchor="y2", **hidden),
        "yaxis2": axis(look, domain=place.up, range=up, anchor="x2", **hidden),
    }


def evidence(
    found: list[Audited], claimed: float, names: tuple[str, str], look: Look
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The bars and their words, the first mechanism that leaks most on top."""
    bars: list[dict[str, Any]] = []
    beside: list[dict[str, Any]] = []
    heights = look.said(FULL, DENSE).bars
    ordered = sorted(found, key=lambda one: not one.is_twin)
    for row, audited in enumerate(ordered):
        base = -row - 1.0
        shares = (audited.audit.one, audited.audit.other)
        fills = (audited.hue(claimed, look)[0], look.ink.truth)
        inks = (audited.hue(claimed, look)[1], look.ink.truth)
        for share, fill, ink, name, height in zip(shares, fills, inks, names, heights, strict=True):
            bars.append(_bar(f"{audited.name} {name}", share, base + height, fill, look))
            text = f"{bold(_percent(share), ink)} {name}"
            place: dict[str, Any] = {"axes": AXES, "colour": ink, "shift": (look.mark(8), 0)}
            beside.append(words(look, text, share, base + height, size=16, **place))
        beside += _around(audited, claimed, base, look)
    return bars, beside


def _bar(name: str, share: float, y: float, fill: str, look: Look) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": name,
        "orientation": "h",
        "x": [share],
        "y": [y],
        "width": [look.said(FULL, DENSE).thick],
        "marker": {"color": translucent(fill, 0.85), "line": {"width": 0}},
        "hoverinfo": "skip",
        "xaxis": "x2",
        "yaxis": "y2",
    }


def _around(audited: Audited, claimed: float, base: float, look: Look) -> list[dict[str, Any]]:
    _, ink = audited.hue(claimed, look)
    name = audited.name[0].upper() + audited.name[1:]
    head = bold(f"{name}: {audited.fault}" if audited.is_twin else name, look.ink.truth)
    is_long = len(audited.event) > LONG_EVENT
    asked = audited.event if is_long and look.presenting else f"how often it says {audited.event}"
    said = look.said(head, head if is_long else f"{head}, {audited.event}")
    place: dict[str, Any] = {"axes": AXES}
    ratio = ratio_text(audited.audit, claimed, brief=look.presenting)
    return [
        words(look, said, 0, base + look.said(FULL, DENSE).head, size=look.large(16), **place),
        *look.full(
            words(look, asked, 0, base + ASKED, colour=look.ink.second, **place),
            words(look, ratio, 0, base + TELLS, colour=ink, **place),
        ),
    ]


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{percent:.0f} %" if percent >= 0.95 or share == 0 else f"{percent:.1g} %"


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """One mechanism's audit; event says in words what was counted, such as "more than 864".

    fault is what is wrong with a twin.
    """

    name: str
    audit: Audit
    event: str
    is_twin: bool = False
    fault: str = "half the noise"

    def hue(self, claimed: float, look: Look) -> tuple[str, str]:
        """Colours of marks and words: vermilion for the twin, and for a proof above a claim."""
        ink = look.ink
        if self.is_twin or self.audit.bound > claimed:
            return ink.danger, ink.danger_text
        return ink.private, ink.private
