"""Release once, and report: one draw, one text."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import DECILES, QuantileSet
from dpviz.core.releases import QuantileRelease
from dpviz.figures.stage import answers, findings, frames, people, pieces, tallies
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import beside, eyebrow, figure
from dpviz.intake.samples import sample, sample_column
from dpviz.lessons import needs
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import whole
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.reports.words import Told, paragraph

SALARIES, EPSILON = "salaries", 0.2
TARGET = 1.0  # per cent of the records that a decile may be off by, as stated in the report
END = 92_000.0  # of the axis
DRAWN = "This release was drawn once; it used all of the budget set aside for this column."
FIRST, EVERY = 700.0, 160.0  # ms until a value crosses, and from one to the next
LAST = FIRST + 9 * EVERY + 400.0  # ms until the second draw is shown


@dataclass(frozen=True, slots=True)
class Released:
    """The nine deciles of one release, and what is public beside them.

    order says which value was drawn when: the median first, those of the last round last. again is
    what a second draw would give; it is never published, and seen because the set is public.
    """

    values: tuple[float, ...]
    order: tuple[int, ...]
    again: tuple[float, ...]
    levels: int
    people: int
    low: float
    high: float
    resolution: float
    stand_in: needs.Need
    release: QuantileRelease

    @property
    def twice(self) -> float:
        """ε of both draws, by adding up."""
        return 2 * EPSILON

    @property
    def listed(self) -> str:
        """The values in words."""
        return ", ".join(whole(one) for one in self.values)


@cache
def numbers(_: str, draw: int = 1) -> Released:
    """One release with ε = 0.2; a seeded draw shows it, and does not guard anybody."""
    known, rng = sample(SALARIES), np.random.default_rng(draw)
    mechanism = ApproximateQuantiles(round_to_grid=True)
    release, again = (
        mechanism.release(sample_column(SALARIES), DECILES, PureDP(EPSILON), rng) for _ in range(2)
    )
    levels = plan(QuantileSet.of(DECILES)).levels
    drawn = np.concatenate([level.position - 1 for level in levels])
    return Released(
        values=tuple(release.values.tolist()),
        order=tuple(np.argsort(drawn).tolist()),
        again=tuple(again.values.tolist()),
        levels=len(levels),
        people=known.about,
        low=known.bounds[0].low,
        high=known.bounds[0].high,
        resolution=known.resolution,
        stand_in=needs.need(needs.STAND_IN, "deciles", TARGET),
        release=release,
    )


def told_of(told: Released) -> Told:
    """What the report says besides the release: all of it is public."""
    accuracy = (
        f"On stand-in data ({whole(told.people)} records, a public guess; log-normal law) the "
        f"largest rank error stays within {TARGET:g} % of the records in {100 * needs.SURE:.0f} % "
        f"of releases at ε = {told.stand_in.epsilon:.2f} ({whole(needs.RUNS)} runs)."
    )
    return Told("yearly pay", accuracy, DRAWN)


def report(told: Released) -> str:
    """The text that is copied with the release: what a reader needs to judge it."""
    return paragraph(told.release, told_of(told))


def ask(told: Released) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "You dislike the draw and press again. The total ε?",
        f"Everything is declared and ε = {EPSILON:g} is set aside. Nobody has seen the "
        f"{whole(told.people)} rows.",
    )


def say(told: Released) -> Sentences:
    """The release itself."""
    return Sentences(
        f"Released once: nine values. :blue[ε = {EPSILON:g} is spent].",
        f"Published: {told.listed}.",
    )


def finding(told: Released) -> str:
    """What two draws spend."""
    return f"ε = {told.twice:g}, of {EPSILON:g} set aside"


def alt(told: Released) -> str:
    """The picture in words."""
    return (
        "A barrier of noise. Left of it the closed file, right of it nine blue values: "
        f"{told.listed}. The budget of ε = {EPSILON:g} is empty; a second draw, hollow and struck "
        f"out, would make it {told.twice:g}."
    )


def marks(told: Released, beat: Beat, screen: Screen) -> list[Mark]:
    """The closed file, the barrier, and the nine values that crossed it; no truth is drawn."""
    closed = beat == "predict"
    inside, public = screen.columns(Column((0, 0.304), (0, 0.265)), Column((0.378, 1), (0.36, 1)))
    wall = inside.wall("barrier", half=answers.half_width(EPSILON), scale=0.8,
                       bar=0 if closed else screen.px(9))  # fmt: skip
    shown = [*_axes(public), *_file(told, inside), after(wall, 0, 500),
             *_tank(told, public, closed)]  # fmt: skip
    return shown if closed else [*shown, *_again(told, public), *_values(told, public)]


def _axes(panel: Panel) -> list[Mark]:
    """Pay, and how many of 100 earn less."""
    inset, step = panel.said((44, 20_000), (97, 40_000))
    left, bottom = panel.x(0, inset), panel.y(0.87)
    said = panel.said("PUBLIC: HOW MANY OF 100 EARN LESS", "OF 100 EARN LESS")
    return [
        frames.axis("pay", "x", (0, END), left, panel.x(1, -12), at=bottom, line=True,
                    ticks=[Tick(one, whole(one)) for one in range(0, 80_001, step)]),
        frames.axis("less", "y", (0, 90), bottom, panel.y(0.15), at=left,
                    ticks=[Tick(10, "10"), Tick(50, "50", "ink"), Tick(90, "90")]),
        eyebrow("public", (panel.left, panel.line(0)), said, colour="private"),
    ]  # fmt: skip


def _file(told: Released, panel: Panel) -> list[Mark]:
    """The closed file: no shape of it is ever drawn."""
    side: Literal["left", "top"] = panel.said("top", "left")
    right, top, bottom = panel.said((panel.x(0.82), panel.y(0.118), panel.y(0.955)),
                                    (panel.right, panel.top, panel.y(0.72)))  # fmt: skip
    first, clear = panel.said((1.7, 0.2), (1.1, 0.5))
    return [
        *panel.full(
            eyebrow("confidential", (panel.left, panel.line(0)), "CONFIDENTIAL"),
            eyebrow("noise", (panel.x(0.905), panel.line(0)), "NOISE"),
        ),
        people.closed("file", (panel.left, top), (right, bottom), 5_000, ramp=True, words=side,
                      clear=clear),
        figure("closed", (At(0, 20), panel.line(first)), "Closed.", colour="on_closed"),
        frames.label("unseen", (At(0, 20), panel.line(first + 1.2)),
                     f"{whole(told.people)} people, unseen", colour="on_closed"),
    ]  # fmt: skip


def _tank(told: Released, panel: Panel, full: bool) -> list[Mark]:
    """The budget: full, then empty; and, over its line, what a second draw spends."""
    wide, high = panel.said((84, 100), (36, 40))
    x, foot, size = panel.x(0.58), panel.y(0.84), panel.size(20)
    top = beside(foot, -high)
    tank = tallies.tank("tank", (x, top), (beside(x, wide), foot), 1 if full else 0)
    words = f"{EPSILON:g} {'left' if full else 'spent'}"
    spent = figure("tank number", (x, beside(top, -10)), words, size=size, colour="private")
    found = [after(tank, FIRST, 9 * EVERY), spent]
    if full:
        return found
    start, end, upper = beside(x, 2.5 * wide), beside(x, 3.5 * wide), beside(top, -high)
    twice = f"{told.twice:g}{panel.said(' drawn twice', '')}"
    again = [
        tallies.tank("tank again", (start, top), (end, foot), 0, over=1, over_at=(start, upper),
                     over_size=(wide, high)),
        frames.rule("budget", (beside(start, -8), top), (beside(end, 8), top), width=3),
        frames.label("budget word", (beside(start, -12), beside(top, 5)), f"{EPSILON:g}",
                     weight=700, anchor="end"),
        figure("again number", (end, beside(upper, -10)), twice, size=size, colour="danger_text",
               anchor="end"),
    ]  # fmt: skip
    return [*found, *(after(one, LAST) for one in again)]


def _values(told: Released, panel: Panel) -> list[Mark]:
    """A dotted staircase through the nine values, which cross in the order of the tree."""
    heights = [100 * q for q in DECILES.tolist()]
    last = FIRST + len(told.values) * EVERY
    way = [0, *told.values, END], [0, *heights, heights[-1]]
    stairs = findings.curve("stairs", ("pay", "less"), *way, width=2.5, steps=True, dotted=True)
    found = [after(stairs, last, 300)]
    for value, height, turn in zip(told.values, heights, told.order, strict=True):
        name, middle = f"{height:.0f}", height == 50
        spot = On("pay", value), On("less", height)
        dot = pieces.point(f"value {name}", spot, panel.px(7.5))
        at = On("pay", value, panel.px(-16)), On("less", height, panel.px(-6))
        words = frames.label(f"number {name}", at, whole(value), anchor="end", weight=600,
                             size=panel.size(23 if middle else 15), colour="private",
                             font="serif" if middle else "sans", halo=True)  # fmt: skip
        start = FIRST + EVERY * turn
        found += [after(dot, start, EVERY), after(words, start + EVERY / 2, EVERY)]
    return found


def _again(told: Released, panel: Panel) -> list[Mark]:
    """The nine values of a second draw, below the first: hollow and struck out."""
    half = panel.px(8)
    top, bottom = panel.y(0.15, 22), panel.y(0.87, 22)
    heights = [100 * q for q in DECILES.tolist()]
    axes = "pay", "less again"
    outer = half * 0.7
    rims = people.points("again rims", axes, told.again, heights, radius=outer, colour="private")
    holes = rims | {"id": "again holes", "radius": outer - 1.5, "colour": "page"}
    strikes = [frames.rule(f"again {y:.0f}", (On("pay", x, -half), On(axes[1], y, half)),
                           (On("pay", x, half), On(axes[1], y, -half)), width=1.5)
               for x, y in zip(told.again, heights, strict=True)]  # fmt: skip
    return [frames.axis(axes[1], "y", (0, 90), bottom, top),
            *(after(one, LAST) for one in (rims, holes, *strikes))]  # fmt: skip


SCENE = Scene(
    story="try",
    name="one_release",
    title="Release once, and report",
    seconds=75,
    goal="One draw, one text.",
    question="You dislike the draw and press again. Total ε?",
    ask=ask,
    options=options(
        ("0.2, only one is published", "M7"),
        ("0.4, both were drawn", None),
        ("0.1 each", "M7"),
        ("0 until somebody sees it", "M7"),
    ),
    about="Two draws, whichever is published",
    finding=finding,
    control=Control("at", "Release", ("once",), "once", lambda _: "Released", kind="button"),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Choosing the nicer of two draws by the truth looks at the file once more, and the "
    "ledger does not cover that. Use the "
    "hardened path (or a hardened library) and fresh randomness for real people; a seeded draw "
    "shows, it does not guard. Keep the release and its declarations together. Anyone may round, "
    "plot and combine it: that costs nothing.",
    full=("quantiles", {"data": SALARIES, "eps": f"{EPSILON:g}", "set": "deciles"}),
    teacher="Check the five things a reader needs: ε, unit, neighbours, method, what was public. "
    "A real release has no seed and no second draw.",
    alt=alt,
    exercise="Strike the sentence that leaks from a bad paragraph: “40 of our 15,000 values were "
    "clipped; the true median is 39,800”.",
    answer="All of it: how many were clipped and the true median are both exact statistics of "
    "the file.",
)
