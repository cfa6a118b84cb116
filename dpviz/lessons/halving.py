"""Many quantiles by halving: how far off they are, and the tree of rounds as a picture."""

from functools import cache

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import PERCENTILES, QuantileSet
from dpviz.figures.stage import answers, frames
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import sample_column
from dpviz.lessons.staged import after
from dpviz.lessons.words import whole
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.metrics.quantiles import gaps

ASKED = QuantileSet.of(PERCENTILES)
RUNS = 50
RADII = 11.0, 10.0, 9.0, 8.0, 7.0, 5.5, 4.5  # px of the answers of each round
CUT = 4.5, 2.2  # px of a cut, while answers are few and when they are many
EVERY = 350.0  # ms between two rounds


@cache
def people() -> Column:
    """Whose percentiles are asked for."""
    return sample_column("salaries")


@cache
def missed(epsilon: float, draw: int) -> tuple[float, float]:
    """Mean gap in people of the percentiles, by halving and one by one, from 50 runs each."""
    column, budget = people(), PureDP(epsilon)
    by_halving, one_by_one = (
        mechanism.release_many(column, PERCENTILES, budget, np.random.default_rng(draw), RUNS)
        for mechanism in (ApproximateQuantiles(), IndependentExp())
    )
    return (
        float(gaps(column, PERCENTILES, by_halving).mean()),
        float(gaps(column, PERCENTILES, one_by_one).mean()),
    )


def tree(screen: Screen) -> list[Mark]:
    """All people as a line a round, cut where an answer fell in an earlier one."""
    first, last = screen.said((At(0, 72), At(1, -104)), (At(0, 26), At(1, -40)))
    ticks: list[tuple[float, str, Anchor | None]]
    ticks = [(0.0, "lowest", "start"), (0.25, "25 %", None), (0.5, "median", None),
             (0.75, "75 %", None), (1.0, "highest", "end")]  # fmt: skip
    base = frames.axis(
        "share", "x", (0, 1), first, last, at=At(1, -40), line=True,
        ticks=[Tick(value, text, "bold" if value == 0.5 else "", anchor)
               for value, text, anchor in ticks],
    )  # fmt: skip
    found = [
        base,
        eyebrow("rounds", (At(), At(0, 22)), "ROUNDS"),
        eyebrow("new", (At(1), At(0, 22)), "NEW ANSWERS", anchor="end", colour="private"),
        frames.label("all", (first, At(0.165, -18)), f"all {whole(people().n)} people"),
    ]  # fmt: skip
    levels = plan(ASKED).levels
    earlier: list[float] = []
    for number, level in enumerate(levels):
        new = [position / (ASKED.count + 1) for position in level.position.tolist()]
        found += _round(number, new, earlier, screen)
        earlier += new
    return found


def _round(number: int, new: list[float], earlier: list[float], screen: Screen) -> list[Mark]:
    """One line: the cuts of earlier rounds, then the answers of this one."""
    share = 0.165 + 0.103 * number
    middle, start = At(share), EVERY * number
    radius, cut = (screen.said(1.0, 0.4) * one for one in (RADII[number], CUT[number > 4]))
    line = frames.rule(f"round {number}", (On("share", 0), middle), (On("share", 1), middle),
                       width=3, colour="grain")  # fmt: skip
    cuts = _circles(f"cuts {number}", earlier, share, cut, "page") if earlier else []
    drops = _circles(f"answers {number}", new, share, radius, "private")
    return [
        after(line, start),
        *[after(one, start) for one in cuts],
        *[after(one, start + 150) for one in drops],
        after(frames.label(f"number {number}", (At(), At(share, 7)), str(number + 1), weight=700),
              start),
        after(figure(f"count {number}", (At(1), At(share, 8)), str(len(new)), colour="private",
                     anchor="end"), start + 200),
    ]  # fmt: skip


def _circles(
    name: str, values: list[float], share: float, radius: float, colour: Colour
) -> list[Mark]:
    """Dots of a radius in px on a line across the picture, with the axis that they need."""
    up = frames.axis(f"{name} up", "y", (0, 1), At(share, radius), At(share, -radius))
    return [up, answers.dots(name, ("share", f"{name} up"), values, step=1.0, size=1.0,
                             colour=colour)]  # fmt: skip
