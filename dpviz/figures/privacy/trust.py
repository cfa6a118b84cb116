"""The error of one question over the number of people, a line for each trust. Nothing is data."""

from typing import Any

import numpy as np

from dpviz.answers.privacy.trust import NOBODY, PEOPLE, TrustNumbers
from dpviz.answers.privacy.trust_said import off_by
from dpviz.figures.kit.labels import End, named
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, rule, trace, words
from dpviz.figures.privacy.parts import title

LEFT, APART = 62, 0.075
POWERS = {2: "100", 3: "1,000", 4: "10,000", 5: "100,000", 6: "10⁶", 7: "10⁷", 8: "10⁸", 9: "10⁹"}
DASHES = ("solid", "dash", "dot", "solid")


def trust_picture(found: TrustNumbers, look: Look) -> Picture:
    """Both axes are logarithmic; the chosen n is dotted, and the data set's own a tick above."""
    x, now = np.log10(PEOPLE), float(np.log10(found.people))
    heights = [np.log10(one.errors) for one in found.lines]
    low, high = (float(f([f(one) for one in heights])) for f in (np.min, np.max))
    room = 0.06 * (high - low)
    data: list[dict[str, Any]] = []
    ends = []
    for one, height, dash in zip(found.lines, heights, DASHES, strict=True):
        colour = look.ink.truth if one.trusted == NOBODY else look.ink.private
        stroke = line(colour, look.mark(3), dash=dash)
        data.append(trace(one.trusted, x, height, mode="lines", line=stroke))
        marker = {"color": colour, "size": look.mark(10)}
        data.append(trace(f"{one.trusted} now", [now], [float(np.log10(one.error))],
                          mode="markers", marker=marker, cliponaxis=False))  # fmt: skip
        text = f"trust {one.trusted}  <b>{off_by(one.error)}</b>"
        ends.append(End(text, float(height[-1]), colour))
    span = low - room, high + room
    names = named(look, ends, span, left=LEFT, apart=APART)
    shown = rule(look, now)
    shown["line"] |= {"dash": "dot", "width": look.mark(1.5)}
    notes = [title(look, "Off by, in people", LEFT, lift=names.above), *names.notes]
    if found.own is not None and PEOPLE[0] <= found.own <= PEOPLE[-1]:
        own = float(np.log10(found.own))
        tick = line(look.ink.second, look.mark(2))
        head = [span[1] - room, span[1]]
        data.append(trace("this data set", [own, own], head, mode="lines", line=tick))
        align, aside = ("left", 6) if own >= now else ("right", -6)  # away from the upright
        notes.append(
            words(look, f"here: {found.own:,}", own, span[1], colour=look.ink.second,
                  axes=("x", "y"), stand="top", align=align, shift=(aside, 0))
        )  # fmt: skip
    ticks = look.said(tuple(POWERS), (2, 5, 9))
    return picture(
        data,
        layout(
            look,
            left=LEFT,
            right=names.right,
            top=34 + names.above,
            bottom=36,
            xaxis=axis(
                look, range=[2, 9], tickvals=ticks, ticks="outside",
                ticktext=[POWERS[tick] + " people" * (tick == 2) for tick in ticks],
            ),
            yaxis=axis(look, range=list(span), showgrid=True, **_powers(*span)),
            shapes=[shown],
            annotations=notes,
        ),
    )  # fmt: skip


def _powers(low: float, high: float) -> dict[str, Any]:
    """Ticks at powers of ten, or of hundred where they are many."""
    powers = np.arange(np.ceil(low), np.floor(high) + 1)
    powers = powers[:: 1 + (powers.size - 1) // 7]
    return {"tickvals": powers, "ticktext": [f"{10.0**one:,.10g}" for one in powers]}
