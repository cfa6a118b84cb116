"""The picture of what bounds cost: errors of an average and a median over the upper bound."""

import math
from collections.abc import Iterable

import numpy as np

from dpviz.figures.stage import findings, frames
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.lessons.staged import after
from dpviz.lessons.try_it import bounds
from dpviz.lessons.try_it.bounds import amount, near, short

WIDEST = 1e9  # of the bounds that are drawn, unless a wider one was declared
LEAST = 1e-9  # errors are drawn in powers of ten
AXES, FLOOR = ("bound", "error"), 0.84  # share of the height


def ends_of(upper: float) -> tuple[float, float]:
    """From where to where the bounds in view go, in powers of ten."""
    here = math.log10(upper)
    return min(math.log10(3e4), here - 0.4), max(math.log10(WIDEST), here + 0.4)


def playground(upper: float, screen: Screen) -> list[Mark]:
    """Typical errors over the upper bound, in powers of ten; two of them as dots."""
    here, (low, high) = math.log10(upper), ends_of(upper)
    x = np.linspace(low, high, 121)
    average = _logs(bounds.averages(10**x).error)
    ends = [(10**end, bounds.cost(float(10**end)).median) for end in (low, high)]
    coarse = bounds.coarse_line() if 10**high > bounds.widest() else ()
    beyond = [point for point in coarse if point[0] < 10**high]
    declared = upper, bounds.cost(upper).median
    median = sorted([*bounds.median_line(), *beyond, *ends, declared])
    top = max(6.0, *average) + 0.3
    bottom = min(0.7, *average, _logs([bounds.cost(upper).median])[0] - 0.15 * top)
    edge = screen.px(107)
    lines = [
        findings.curve("average", AXES, x.tolist(), average),
        findings.curve("median", AXES, _logs([one for one, _ in median]),
                       _logs([error for _, error in median]), width=3),
    ]  # fmt: skip
    return [
        frames.axis("bound", "x", (low, high), At(0, edge), At(1, -36), at=At(FLOOR), line=True,
                    ticks=_powers(low, high, here, upper, screen)),
        frames.axis("error", "y", (bottom, top), At(FLOOR), At(0.1), at=At(0, edge - 8),
                    ticks=_heights(bottom, top)),
        eyebrow("off by", (At(), At(0.05)), "OFF BY, ON AVERAGE"),
        frames.label("bound name", (At(1), At(0.985)), "upper bound", colour="second",
                     anchor="end"),
        frames.rule("here", (On("bound", here), At(0.1)), (On("bound", here), At(FLOOR)),
                    colour="second", dash="2 5"),
        *(after(line, 0, 500) for line in lines),
        *_errors(upper, here > (low + high) / 2, screen.size(20)),
    ]  # fmt: skip


def _errors(upper: float, left: bool, size: float) -> list[Mark]:
    """The two errors under the declared bound, in words where no line runs."""
    here, cost = On("bound", math.log10(upper)), bounds.cost(upper)
    now, wider = bounds.averages(np.array([upper, 1.1 * upper])).error
    anchor: frames.Anchor = "end" if left else "start"
    found: list[Mark] = []
    for name, value, lower in (
        ("an average", cost.average, wider > now and not left),
        ("a median", cost.median, upper <= bounds.widest()),  # else over the line that rises
    ):
        (height,) = _logs([value])
        spot = here, On("error", height)
        text = [(near(value), "bold"), (f"  {name}", "private")]
        at = On("bound", here.value, -16 if left else 16), On("error", height, 36 if lower else -14)
        dot = findings.beam(f"{name} dot", spot, [spot], head=9, colour="private")
        words = figure(
            f"{name} number", at, text, size=size, colour="private", anchor=anchor, halo=True
        )
        found += [after(dot, 500), after(words, 700)]
    return found


def _logs(values: Iterable[float]) -> list[float]:
    """Their powers of ten."""
    return [math.log10(max(float(one), LEAST)) for one in values]


def _powers(low: float, high: float, here: float, upper: float, screen: Screen) -> list[Tick]:
    """The declared bound, and powers of ten that leave it room."""
    share, most = screen.said((0.13, 6), (0.32, 3))
    room, every = share * (high - low), max(1, math.ceil((high - low) / most))
    powers = [p for p in range(math.ceil(low), math.floor(high) + 1, every) if abs(p - here) > room]
    ticks = [Tick(p, short(10.0**p)) for p in powers]
    return [
        *ticks,
        Tick(
            here, amount(upper) if upper < bounds.LARGE else short(upper), "bold", name="declared"
        ),
    ]


def _heights(bottom: float, top: float) -> list[Tick]:
    """About five powers of ten."""
    every = max(1, round((top - bottom) / 5))
    return [Tick(p, short(10.0**p)) for p in range(math.ceil(bottom), math.floor(top) + 1, every)]
