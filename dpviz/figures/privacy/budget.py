"""Private answers to one question, their average, and the tanks that they drain."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpviz.answers.privacy.amounts import epsilon_text, value_text
from dpviz.answers.privacy.budget_said import average_text
from dpviz.experiments.privacy.averaging import MOST
from dpviz.experiments.privacy.budget import Attack, Bill, averages_reach, values_reach
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import translucent
from dpviz.figures.kit.panels import Column, Place, columns
from dpviz.figures.kit.picture import Picture, axis, layout, line, picture, trace, words
from dpviz.figures.privacy.parts import area, big, bold, broken_tint, title
from dpviz.figures.privacy.promise import promise_words
from dpviz.figures.privacy.tank import tank_axes, tank_words, tanks

TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, MOST)
BEFORE = 0.03  # decades left free at the left
AFTER = 0.44, 1.0  # decades for the average at the right, and on a phone
BAND, DOTS = 0.16, 0.28
LEFT = 62
AVERAGES = Column((0.0, 0.655), (0.46, 1.0), narrow=(0.0, 0.61))
LEDGER = Column((0.715, 1.0), (0.0, 0.31), narrow=(0.67, 1.0))
BELOW = 0.17  # of the height, for words below the tanks
BESIDE = 0.42  # where words begin on a phone, at the right of the tanks


def budget_picture(
    attack: Attack | None, spread: float, bill: Bill, look: Look, *, grid: float = 1.0
) -> Picture:
    """What averages tell at the left, what they cost at the right.

    attack holds the answers that were given; without it, where no truth may be shown, the band says
    how far off an average of so many answers is. spread and grid are those of one answer.
    """
    reach = _reach(attack, spread, grid)
    centre = attack.truth if attack else 0.0
    data = [_band(attack, spread, reach, look)]
    if attack:
        data += _answers(attack, bill, look)
    averages, ledger = columns(look, AVERAGES, LEDGER)
    held, said = look.said(
        (Place(ledger.across, (BELOW, 1.0)), (ledger.across[0], 0.0)),
        (Place((0.0, 0.94 * BESIDE), ledger.up), (BESIDE, 0.1)),
    )
    annotations = [
        *_titles(attack, bill, (averages, ledger), look),
        *promise_words(bill, look),
        *_labels(attack, spread, bill, look),
        *tank_words(bill, look, *said),
    ]
    ticks, half = look.said(TICKS, TICKS[::3]), reach / 2
    values = centre + np.array([-reach, -half, half, reach]) if attack else half * np.arange(-2, 3)
    return picture(
        data,
        layout(
            look,
            left=LEFT,
            right=16,
            top=34,
            bottom=36,
            xaxis=axis(
                look,
                domain=averages.across,
                range=[-BEFORE, _right_end(look)],
                tickvals=np.log10(ticks),
                ticktext=["1 answer", *(f"{tick:,}" for tick in ticks[1:])],
                ticks="outside",
            ),
            yaxis=axis(
                look,
                domain=averages.up,
                range=[centre - reach, centre + reach],
                tickvals=values,
                ticktext=[value_text(value, min(grid, reach / 2)) for value in values],
            ),
            shapes=[*_broken(bill, look), *_truth(attack, look), *tanks(bill, look)],
            annotations=annotations,
            **tank_axes(look, bill, held),
        ),
    )


def _reach(attack: Attack | None, spread: float, grid: float) -> float:
    """Half of the upright axis: of nearly all answers, and of what lies between truth and limit."""
    if attack is None or attack.limit == attack.truth:
        return values_reach(attack.spread if attack else spread, grid)
    widest = max(attack.spread, abs(attack.limit - attack.truth) / 2)
    return values_reach(widest, grid if widest > grid else 0.0)


def _band(attack: Attack | None, spread: float, reach: float, look: Look) -> dict[str, Any]:
    """Where 19 averages in 20 lie."""
    ks = np.geomspace(1, MOST, 120)
    half = np.minimum(averages_reach(attack.spread if attack else spread, ks), reach)
    centre = attack.limit if attack else 0.0
    x = np.log10(np.concatenate((ks, ks[::-1])))
    y = np.concatenate((centre + half, (centre - half)[::-1]))
    fill = {"fill": "toself", "fillcolor": translucent(look.ink.private, BAND)}
    return trace("19 averages in 20", x, y, mode="lines", line={"width": 0}, **fill)


def _answers(attack: Attack, bill: Bill, look: Look) -> list[dict[str, Any]]:
    ink, ks = look.ink, np.arange(1, attack.answers.size + 1)
    leaks = attack.gives_away and bill.is_overspent
    x = np.log10(ks)
    dots = {"color": ink.private, "size": look.mark(4), "opacity": DOTS}
    last: dict[str, Any] = {"color": ink.danger if leaks else ink.private, "size": look.mark(16)}
    last["line"] = line(ink.page, look.mark(1.5))
    means = attack.means
    return [
        trace("answers", x, attack.answers, mode="markers", marker=dots),
        trace("average", x, means, mode="lines", line=line(ink.private, look.mark(3))),
        trace("last average", x[-1:], means[-1:], mode="markers", marker=last),
    ]


def _truth(attack: Attack | None, look: Look) -> list[dict[str, Any]]:
    if attack is None:
        return []
    end = np.log10(MOST)
    across = {"type": "line", "xref": "x", "yref": "y", "x0": -BEFORE, "x1": float(end)}
    stroke = line(look.ink.truth, look.mark(2))
    return [across | {"y0": attack.truth, "y1": attack.truth, "line": stroke}]


def _broken(bill: Bill, look: Look) -> list[dict[str, Any]]:
    """From the last answer that is paid for on, the promise is broken."""
    if bill.affordable >= MOST:
        return []
    at = float(np.log10(bill.affordable)) if bill.affordable else -BEFORE
    end = _right_end(look)
    shapes = [area(("x", "y domain"), (at, end, 0, 1), broken_tint(look))]
    if bill.affordable:
        rule = {"type": "line", "xref": "x", "yref": "y domain", "x0": at, "x1": at}
        stroke = line(look.ink.truth, look.mark(1.5), dash="dash")
        shapes.append(rule | {"y0": 0, "y1": 1, "line": stroke})
    return shapes


def _right_end(look: Look) -> float:
    return float(np.log10(MOST)) + look.said(*AFTER)


def _titles(
    attack: Attack | None, bill: Bill, places: tuple[Place, Place], look: Look
) -> list[dict[str, Any]]:
    so_far = "Average of the answers so far"
    left = look.said(f"{so_far}; each small dot is one answer", so_far)
    if attack is None:
        off = "How far off an average"
        left = look.said(f"{off} of so many answers is", f"{off} is")
    promise = f"one tank is the promise, {bill.symbol} = {epsilon_text(bill.promise)}"
    right = look.said(
        f"The ledger: {promise}", promise.replace("one", "One", 1), narrow=True, presenting=True
    )
    return [title(look, left, LEFT, places[0]), title(look, right, LEFT, places[1])]


def _labels(attack: Attack | None, spread: float, bill: Bill, look: Look) -> list[dict[str, Any]]:
    """The truth and the band at the left end, away from the line of averages; the last average."""
    blue = look.ink.private
    if attack is None:
        at = 0.62 * float(averages_reach(spread, np.array([1.0]))[0])
        return [words(look, "19 averages in 20", 0.02, at, colour=blue, shift=(4, 0))]
    first = attack.means[: min(6, attack.means.size)].mean()
    side = -1 if first > attack.truth else 1
    reach = float(averages_reach(attack.spread, np.array([1.3]))[0])
    truth = f"{bold(value_text(attack.truth, attack.grid), look.ink.truth)} true"
    stand = "bottom" if side > 0 else "top"
    placed: dict[str, Any] = {"size": 17, "stand": stand, "shift": (4, side * 3)}
    found = [words(look, truth, 0, attack.truth, **placed)]
    lean = attack.limit - attack.truth
    if abs(lean) > 0.05 * reach:  # averages settle beside the truth: its name is on the other side
        side = 1 if lean > 0 else -1
    band = attack.limit + side * 0.72 * reach
    found += look.full(words(look, "19 averages in 20", 0, band, colour=blue, shift=(4, 0)))
    leaks = attack.gives_away and bill.is_overspent
    colour = look.ink.danger_text if leaks else blue
    place: dict[str, Any] = {
        "size": look.large(28),
        "align": "left",
        "shift": (look.mark(14), 0),
    }
    number = average_text(attack.average, attack.grid, attack.answers.size)
    at = float(np.log10(attack.answers.size))
    return [
        *found,
        big(look, number, at, attack.average, colour=colour, plate=not bill.is_overspent, **place),
    ]
