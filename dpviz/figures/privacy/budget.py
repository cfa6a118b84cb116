"""Private answers to one question, their average, and the tanks that they drain."""

import math
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

TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, MOST)
BEFORE = 0.03  # decades left free at the left
AFTER = 0.44, 1.0  # decades for the average at the right, and on a phone
BAND, DOTS = 0.16, 0.28
LEFT = 62
AVERAGES = Column((0.0, 0.655), (0.46, 1.0), narrow=(0.0, 0.61))
LEDGER = Column((0.715, 1.0), (0.0, 0.31), narrow=(0.67, 1.0))
BELOW = 0.17  # of the height, for words below the tanks
BESIDE = 0.42  # where words begin on a phone, at the right of the tanks
AXES = ("x2", "y2")
FEW, MANY = 4, 10  # tanks in a row
MOST_DRAWN = MANY * MANY
SIDE = 0.78  # of a tank, where one stands on each unit
SINGLE = (2.8, 3.96)  # width and height of the one tank, in a square of FEW
MARKS = 60  # answers that get a mark of their own


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
    place: dict[str, Any] = {"size": look.large(28), "align": "left", "shift": (look.mark(14), 0)}
    number = average_text(attack.average, attack.grid, attack.answers.size)
    at = float(np.log10(attack.answers.size))
    return [
        *found,
        big(look, number, at, attack.average, colour=colour, plate=not bill.is_overspent, **place),
    ]


def promise_words(bill: Bill, look: Look) -> list[dict[str, Any]]:
    """Both sides of the line, each named where there is room for it."""
    if bill.affordable >= MOST:
        return []
    at = float(np.log10(max(bill.affordable, 1)))
    spent = bold(_spent(bill, look), look.ink.truth)
    broken = look.said("every answer from here on breaks the promise", "from here on it breaks")
    room = look.said(0.9, 1.6, presenting=True)  # decades for the words
    place: dict[str, Any] = {"stand": "top", "axes": ("x", "y domain")}
    after = place | {"align": "left", "shift": (8, -8)}
    before = place | {"align": "right", "shift": (-8, -8)}
    below = after | {"shift": (8, -look.text(30)), "colour": look.ink.danger_text}
    if at < room:
        return [words(look, spent, at, 1, **after), words(look, broken, at, 1, **below)]
    found = [words(look, spent, at, 1, **before)]
    if at <= 2:  # else there is no room to the right of the line
        found += look.full(words(look, broken, at, 1, **after | {"colour": look.ink.danger_text}))
    return found


def _spent(bill: Bill, look: Look) -> str:
    if bill.affordable == 0:
        return look.said("one answer is more than was promised", "one is too many")
    answers = "1 answer" if bill.affordable == 1 else f"{bill.affordable:,} answers"
    return look.said(f"{answers}: the budget is spent", f"{answers}: all spent")


def tank_axes(look: Look, bill: Bill, place: Place) -> dict[str, Any]:
    """Both axes of the tanks in a part of the picture: units are square, rows start at the top."""
    row = in_row(bill)
    rows = max(math.ceil(_squares(bill)[0] / row), 1) if bill.is_overspent else FEW
    aspect = {"scaleanchor": "x2", "scaleratio": 1, "constrain": "domain", "constraintoward": "top"}
    hidden = {"showticklabels": False}
    shown = max(rows, row)
    return {
        "xaxis2": axis(
            look,
            domain=place.across,
            range=[0, row],
            anchor="y2",
            constrain="domain",
            constraintoward="left",
            **hidden,
        ),
        "yaxis2": axis(
            look, domain=place.up, range=[-shown, 0.02], anchor="x2", **aspect, **hidden
        ),
    }


def in_row(bill: Bill) -> int:
    """How many tanks stand in a row."""
    return FEW if not bill.is_overspent or bill.tanks <= FEW * FEW else MANY


def tanks(bill: Bill, look: Look) -> list[dict[str, Any]]:
    """The one tank as full as it is, or all tanks that were taken, to scale."""
    return _all_taken(bill, look) if bill.is_overspent else _one(bill, look)


def _one(bill: Bill, look: Look) -> list[dict[str, Any]]:
    """The promise: what is left stands blue in it, what was taken has a mark for each answer."""
    ink, (width, height) = look.ink, SINGLE
    left = height * max(1 - bill.tanks, 0.0)
    shapes = [
        area(AXES, (0.04, width, -height, -height + left), translucent(ink.private, 0.5)),
        area(AXES, (0.04, width, -height + left, 0), ink.band),
    ]
    if bill.answers <= MARKS:
        drop = height * bill.size / bill.promise
        shapes += [
            _stroke((0.04, width), (-taken * drop, -taken * drop), ink.page, look.mark(2))
            for taken in range(1, bill.answers + 1)
        ]
    sides = [((0.04, 0.04), (0, -height)), ((0.04, width), (-height, -height))]
    sides.append(((width, width), (-height, 0)))
    return shapes + [_stroke(x, y, ink.truth, look.mark(2)) for x, y in sides]


def _squares(bill: Bill) -> tuple[int, float]:
    """How many squares are drawn, and how many tanks one of them stands for."""
    worth = 1.0
    while bill.tanks / worth > MOST_DRAWN:
        worth *= 10
    return math.ceil(bill.tanks / worth - 1e-9), worth


def _all_taken(bill: Bill, look: Look) -> list[dict[str, Any]]:
    row, ink = in_row(bill), look.ink
    squares, worth = _squares(bill)
    shapes = []
    for number in range(squares):
        x, y = number % row + 0.04, -(number // row) - SIDE
        full = min(bill.tanks / worth - number, 1.0)
        ends = (x, x + SIDE, y, y + SIDE * full)
        shapes.append(area(AXES, ends, ink.danger))
    blue = (0.04, 0.04 + SIDE / worth, -SIDE, 0)  # one tank, to scale
    shapes += [area(AXES, blue, ink.page), area(AXES, blue, translucent(ink.private, 0.5))]
    if worth == 1:
        shapes += [
            _stroke((x, x), (-SIDE, 0), ink.truth, look.mark(2)) for x in (0.04, 0.04 + SIDE)
        ]
        shapes.append(_stroke((0.04, 0.04 + SIDE), (-SIDE, -SIDE), ink.truth, look.mark(2)))
    return shapes


def _stroke(
    x: tuple[float, float], y: tuple[float, float], colour: str, width: float
) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": AXES[0],
        "yref": AXES[1],
        "x0": x[0],
        "x1": x[1],
        "y0": y[0],
        "y1": y[1],
        "line": {"color": colour, "width": width},
    }


def tank_words(bill: Bill, look: Look, x: float, y: float) -> list[dict[str, Any]]:
    """What the tanks say, below them: a large line and a small one, from a corner of the paper."""
    ink = look.ink
    place: dict[str, Any] = {"axes": ("paper", "paper"), "stand": "bottom"}
    head, colour, below = _wording(bill, look)
    lift = (0, look.text(26))
    return [
        big(look, head, x, y, size=look.large(26), colour=colour, shift=lift, **place),
        words(look, below, x, y, colour=ink.second, **place),
    ]


def _wording(bill: Bill, look: Look) -> tuple[str, str, str]:
    ink, symbol = look.ink, bill.symbol
    if bill.is_overspent:
        number = f"{bill.tanks:,.{0 if bill.tanks >= 100 else 1}f}".removesuffix(".0")
        worth = _squares(bill)[1]
        below = look.said("one had been promised, in blue", "one was promised, in blue")
        if worth > 1:
            below = f"one was promised; a square is {worth:,.0f}"
        head = look.said(f"{number} tanks were taken", f"{number} tanks taken", presenting=True)
        return head, ink.danger_text, below
    left = bill.promise - bill.spent
    if left <= 1e-9 * bill.promise:
        return "The tank is empty", ink.truth, "as promised; the next answer breaks it"
    text = bold(f"{symbol} = {epsilon_text(left)} is left", ink.private)
    return text, ink.private, f"of {symbol} = {epsilon_text(bill.promise)} promised"
