"""What an audit proves: ε by the number of runs beside the claim, and the event it counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import epsilon_text, least
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.privacy.audited import Audited
from dpviz.figures.privacy.evidence import evidence, evidence_axes
from dpviz.figures.privacy.parts import area, bold, broken_tint, level, title

LEFT = 56
SPLIT, NARROW_SPLIT = (0.655, 0.715), (0.59, 0.65)  # where the left ends and the right begins
LEAST_TOP = 1e-3  # of the axis, where nothing was claimed and nothing found
STACKED = 0.52, 0.35  # the same on a phone, from below
RUNS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
PHONE_RUNS = (10, 100, 1_000, 10_000)
AFTER, TIGHT_AFTER = 1.36, 1.75  # shares of the runs' decades, with room for names at the right


def audit_picture(
    found: list[Audited], claimed: float, names: tuple[str, str], look: Look
) -> Picture:
    """Proven ε against runs at the left, and at the right how often the event fell on each side.

    names are those of both sides, such as "with Ida" and "without".
    """
    top = _top(found, claimed) * (1.2 if look.phone else 1)
    end = _right_end(found, look)
    data = [one for audited in found for one in _curve(audited, claimed, look)]
    annotations = [
        *_titles(look),
        *_words(claimed, top, look),
        *(_end(audited, claimed, found, top, look) for audited in found),
        *(_first(audited, claimed, found, look) for audited in found if audited.is_twin),
    ]
    bars, beside = evidence(found, claimed, names, look)
    across, up = ([0, 1], [STACKED[0], 1]) if look.phone else ([0, _split(look)[0]], [0, 1])
    ticks = PHONE_RUNS if look.phone else RUNS
    first = float(np.log10(found[0].audit.runs[0]))
    shown = [tick for tick in ticks if first - 0.02 <= np.log10(tick) <= end]
    written = [f"{shown[0]:,} runs", *(f"{tick:,}" for tick in shown[1:])] if shown else []
    heights = [height for height in _heights(top) if height <= top]
    return picture(
        [*data, *bars],
        layout(
            look,
            left=LEFT,
            right=16,
            top=34,
            bottom=36,
            xaxis=axis(
                look,
                domain=across,
                range=[first - 0.04, end],
                tickvals=np.log10(shown),
                ticktext=written,
                ticks="outside",
            ),
            yaxis=axis(
                look,
                domain=up,
                range=[0, top],
                tickvals=heights,
                ticktext=[f"{height:g}" for height in heights],
                zeroline=True,
                zerolinecolor=look.ink.hairline,
            ),
            shapes=[
                area(("x domain", "y"), (0, 1, claimed, top), broken_tint(look)),
                level(look, claimed, ("x domain", "y")),
            ],
            annotations=[one for one in annotations if one] + beside,
            **evidence_axes(
                look,
                len(found),
                ([0, 1], [0, STACKED[1]]) if look.phone else ([_split(look)[1], 1], [0, 1]),
            ),
        ),
    )


def _split(look: Look) -> tuple[float, float]:
    return NARROW_SPLIT if look.screen == "narrow" else SPLIT


def _top(found: list[Audited], claimed: float) -> float:
    highest = max(float(one.audit.bounds.max()) for one in found)
    return max(1.45 * claimed, 1.15 * highest, LEAST_TOP)


def _heights(top: float) -> list[float]:
    power = 10.0 ** np.floor(np.log10(top / 4))
    step = next(size * power for size in (1, 2, 5, 10) if top / (size * power) <= 6)
    return [float(height) for height in step * np.arange(0, 8)]


def _right_end(found: list[Audited], look: Look) -> float:
    runs = found[0].audit.runs
    first, last = np.log10(runs[0]), np.log10(runs[-1])
    is_tight = look.presenting or look.screen in {"phone", "narrow"}
    return float(first + (last - first) * (TIGHT_AFTER if is_tight else AFTER))


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
    if at is None or look.phone:
        return {}
    runs, first = int(audited.audit.runs[at]), float(np.log10(found[0].audit.runs[0]))
    x, text = float(np.log10(runs)), f"first above the claim at {runs:,} runs"
    share = (x - first) / (_right_end(found, look) - first)
    away = look.mark(12)
    if share > (0.4 if look.presenting else 0.36):  # room on the side where the curve is lower
        y, place = float(audited.audit.bounds[at]), {"align": "right", "stand": "bottom"}
        shift = (-away, 2.0)
    else:
        later = audited.audit.bounds[at + 1 :][np.log10(audited.audit.runs[at + 1 :]) < x + 0.6]
        room = 0.1 * float(_top(found, claimed))  # between the claim and the curve
        above = later.size > 0 and bool((later > claimed + room).all())
        y, place = claimed, {"align": "left", "stand": "bottom" if above else "top"}
        shift = (away + look.mark(4), 3.0 if above else -6.0)
    colour = look.ink.danger_text
    return words(look, text, x, y, colour=colour, shift=shift, **place)  # type: ignore[arg-type]


def _end(
    audited: Audited, claimed: float, found: list[Audited], top: float, look: Look
) -> dict[str, Any]:
    """What all runs prove, at the end of the curve; two ends that meet are kept apart."""
    _, colour = audited.hue(claimed, look)
    bounds = [one.audit.bound for one in found]
    shift = 0.0
    if len(bounds) == 2 and abs(bounds[0] - bounds[1]) < 0.07 * top:
        upper = max(bounds) == audited.audit.bound and (audited.is_twin or bounds[0] != bounds[1])
        shift = look.text(13) if upper else -look.text(13)
    if 0 <= audited.audit.bound - claimed < 0.06 * top:  # the words of the claim end on its line
        shift = max(shift, look.text(17))
    name = audited.name.split()[0] if look.phone else audited.name
    text = f"{bold(least(audited.audit.bound), colour)} {name}"
    at = float(np.log10(audited.audit.runs[-1]))
    stand = "bottom" if audited.audit.bound < 0.04 * top else "middle"
    place: dict[str, Any] = {"align": "left", "shift": (look.mark(14), shift), "stand": stand}
    return words(look, text, at, audited.audit.bound, colour=colour, size=17, **place)


def _titles(look: Look) -> list[dict[str, Any]]:
    place = {"x": 0, "y": STACKED[1]} if look.phone else {"x": _split(look)[1], "y": 1.0}
    return [
        title(look, "ε that the runs prove to be lost, at least", LEFT),
        title(look, "The evidence: one event, counted", LEFT if look.phone else 0, **place),
    ]


def _words(claimed: float, top: float, look: Look) -> list[dict[str, Any]]:
    claim = bold(f"claimed: ε = {epsilon_text(claimed)}", look.ink.truth)
    axes = ("x domain", "y")
    colour = look.ink.danger_text
    shift = (8, -8)
    text = "a proof up here refutes the claim"
    return [
        words(look, text, 0, top, colour=colour, stand="top", shift=shift, axes=axes),
        words(look, claim, 1, claimed, align="right", stand="bottom", shift=(-8, 3), axes=axes),
    ]
