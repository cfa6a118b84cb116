"""Many noisy pieces, one good answer: the levels of a tree are combined, and nobody pays."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.budgets import PureDP
from dpviz.core.data.points import Points
from dpviz.core.spatial.boxes import grid_places
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.counts.point_index import PointIndex
from dpviz.estimators.spatial.boxes import range_counts
from dpviz.estimators.spatial.estimate import SpatialEstimate, estimate
from dpviz.figures.stage import answers, findings, frames, people, pieces
from dpviz.figures.stage.answers import half_width
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import eyebrow
from dpviz.intake.samples import sample_points
from dpviz.lessons import one_cell
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import whole
from dpviz.mechanisms.spatial.quadtree import Quadtree

EPSILON, HEIGHT = 0.5, 8
FRAME = 10.0, 90.0, 10.0, 70.0  # km: west, east, south, north
LEVEL = 6  # that the picture shows
SIDE = 2**LEVEL
SHADES = 8
STOPS = 1, 2, 3, 4
CELLS, DRAWN, COMBINED, SPLIT = STOPS
Tree = SpatialRelease | SpatialEstimate


@dataclass(frozen=True, slots=True)
class Answer:
    """People in the frame, and how far from the truth the answer is 19 times of 20."""

    private: float
    reach: float


@dataclass(frozen=True, slots=True, eq=False)
class OneMap:
    """Points, their number in the frame, all answers, and the cells of the chosen one.

    shades are whole numbers (64, 64), row 0 in the south. Points and truth are confidential.
    """

    stop: int
    points: Points
    truth: float
    answers: dict[int, Answer]
    shades: IntArray

    @property
    def answer(self) -> Answer:
        """The chosen answer."""
        return self.answers[self.stop]


@cache
def numbers(stop: int, draw: int = 1) -> OneMap:
    """The four answers and the chosen map. Stops 2 and 3 read one release in two ways."""
    answers = {one: _answered(one, draw) for one in STOPS}
    points, index = _index()
    truth = float(index.count([FRAME])[0])
    return OneMap(stop, points, truth, answers, _shades(_read(stop, draw)))


@cache
def _index() -> tuple[Points, PointIndex]:
    points = sample_points("towns")
    return points, PointIndex.of(points)


@cache
def _released(levels: LevelBudget | None, draw: int) -> SpatialRelease:
    points, _ = _index()
    return Quadtree(HEIGHT, levels).release(points, PureDP(EPSILON), np.random.default_rng(draw))


READ: dict[int, Callable[[int], Tree]] = {
    CELLS: lambda draw: estimate(_released(LevelBudget.leaves_only(), draw)),
    DRAWN: lambda draw: _released(LevelBudget.uniform(), draw),
    COMBINED: lambda draw: estimate(_released(LevelBudget.uniform(), draw)),
    SPLIT: lambda draw: estimate(_released(None, draw)),
}


@cache
def _read(stop: int, draw: int) -> Tree:
    return READ[stop](draw)


@cache
def _answered(stop: int, draw: int) -> Answer:
    private, variance = range_counts(_read(stop, draw), [FRAME])
    return Answer(float(private[0]), 2 * math.sqrt(float(variance[0])))


def _shades(tree: Tree) -> IntArray:
    """The counts of a level on a scale of roots, which shows towns and villages alike."""
    roots = np.sqrt(np.maximum(tree.levels.counts[LEVEL], 0.0))
    shades = np.ceil(SHADES * roots / np.quantile(roots, 0.999)).clip(0, SHADES).astype(np.int64)
    placed = np.zeros((SIDE, SIDE), dtype=np.int64)
    column, row = grid_places(LEVEL)
    placed[row, column] = shades
    return placed


NAMES = {
    CELLS: "Only small cells",
    DRAWN: "Tree, as drawn",
    COMBINED: "Same tree, combined",
    SPLIT: "Another split of ε",
}
RING: tuple[tuple[str, float, Colour], ...] = (("ring", 8.0, "page"), ("dot", 5.5, "private"))
HEAD = "PEOPLE IN THE FRAME, ± 19 TIMES OF 20"
MARGIN = 50.0  # people, of the band around the two bars of one release


def ask(told: OneMap) -> Sentences:
    """What is known before the guess."""
    reach = whole(told.answers[DRAWN].reach)
    return Sentences(
        "We combine the levels of a noisy tree. Who pays?",
        f"People in the frame: ± {reach} from the tree as drawn, 19 times of 20. Now its levels "
        "are combined.",
    )


def say(told: OneMap) -> Sentences:
    """How far off the frame's answer is, and what that costs."""
    reach = {stop: whole(one.reach) for stop, one in told.answers.items()}
    headline = {
        CELLS: f"Only small cells: :blue[± {reach[CELLS]}] people.",
        DRAWN: f"The tree as drawn: :blue[± {reach[DRAWN]}] people.",
        COMBINED: "The same tree, combined: :blue[nearly half the error, free].",
        SPLIT: f"The same ε, split better: :blue[± {reach[SPLIT]}] people.",
    }[told.stop]
    if told.stop == COMBINED:
        return Sentences(
            headline,
            f"± {reach[DRAWN]} from the tree as drawn, ± {reach[COMBINED]} from the same tree "
            "combined: one release, so nobody pays.",
        )
    return Sentences(
        headline,
        f"{whole(told.truth)} people in the frame; published {whole(told.answer.private)} "
        f"± {reach[told.stop]}, 19 times of 20, with ε = {EPSILON:g}.",
    )


def finding(told: OneMap) -> str:
    """Both reaches, and what was spent on them."""
    drawn, combined = (whole(told.answers[stop].reach) for stop in (DRAWN, COMBINED))
    return f"± {combined} in place of ± {drawn}, from one release with ε = {EPSILON:g}"


def alt(told: OneMap) -> str:
    """The picture in words."""
    reaches = ", ".join(f"± {whole(told.answers[stop].reach)}" for stop in STOPS)
    return (
        "A region's towns as black points and as blue cells. A frame holds "
        f"{whole(told.truth)} people; the private answer's error bar shrinks to a third in four "
        f"steps: {reaches}."
    )


def marks(told: OneMap, beat: Beat, screen: Screen) -> list[Mark]:
    """A map split by the barrier, and what four ways of making it say about a frame."""
    region, bars = screen.columns(Column((0, 0.4527), (0, 0.6)), Column((0.535, 1), (0.6, 1)))
    return [*_split_map(told, region), *_bars(told, beat, bars)]


def _split_map(told: OneMap, panel: Panel) -> list[Mark]:
    """Points on this side of the barrier, published cells on the other."""
    box, points = told.points.box, told.points
    side = panel.said(box.x, box.y)
    middle = side.low + side.width / 2
    cut = On(panel.said("east", "north"), middle)
    west, north = On("east", box.x.low), On("north", box.y.high)
    east, south = On("east", box.x.high), On("north", box.y.low)
    left, right = panel.said((0.0, 1.0), (0.12, 0.88))
    seen = panel.said(points.x < middle, points.y > middle)
    direction: Literal["vertical", "horizontal"] = panel.said("vertical", "horizontal")
    barrier = answers.barrier("barrier", cut, panel.said(north, west), panel.said(south, east),
                              half=half_width(EPSILON), scale=panel.px(0.6),
                              direction=direction)  # fmt: skip
    return [
        frames.axis("east", "x", (box.x.low, box.x.high), panel.x(left), panel.x(right)),
        frames.axis("north", "y", (box.y.low, box.y.high), panel.y(1, -10), panel.y(0, 48),
                    most=("east", 1)),
        eyebrow("confidential", (west, panel.y(0, 30)), "CONFIDENTIAL"),
        eyebrow("public", (east, panel.said(panel.y(0, 30), panel.y(1, 23))), "PUBLIC",
                anchor="end", colour="private"),
        people.points("points", ("east", "north"), np.round(points.x[seen], 1).tolist(),
                      np.round(points.y[seen], 1).tolist(), radius=panel.px(0.8), colour="ink"),
        _cells(told, middle, panel),
        barrier,
        *_frame(told, cut, panel),
    ]  # fmt: skip


def _cells(told: OneMap, middle: float, panel: Panel) -> Mark:
    """The public half of the chosen map."""
    box, half = told.points.box, SIDE // 2
    shown = panel.said(told.shades[:, half:], told.shades[:half])
    x, y = (box.x.low, box.x.high), (box.y.low, box.y.high)
    x, y = panel.said(((middle, x[1]), y), (x, (y[0], middle)))
    return answers.cells("cells", ("east", "north"), x, y, shown.shape[1], shown.ravel().tolist(),
                         deepest=SHADES)  # fmt: skip


def _frame(told: OneMap, cut: On, panel: Panel) -> list[Mark]:
    """One frame, black on this side and blue on the other, with its number on both."""
    west, east, south, north = FRAME
    start, end = (On("east", west), On("north", north)), (On("east", east), On("north", south))
    inner, outer = panel.said(((cut, end[1]), (cut, start[1])), ((end[0], cut), (start[0], cut)))
    here, there = panel.said(((47, 16), (53, 16)), ((50, 46), (50, 18)))
    anchors: tuple[Anchor, Anchor] = panel.said(("end", "start"), ("middle", "middle"))
    numbers_: list[tuple[str, tuple[int, int], float, Anchor, Colour]]
    numbers_ = [("true", here, told.truth, anchors[0], "ink"),
                ("private", there, told.answer.private, anchors[1], "private")]  # fmt: skip
    return [
        findings.frame("inside", start, inner),
        findings.frame("outside", outer, end, colour="private"),
        *(frames.label(f"{name} number", (On("east", x), On("north", y)), whole(value),
                       size=panel.size(24), font="serif", weight=600, anchor=anchor,
                       colour=colour, plate=True)
          for name, (x, y), value, anchor, colour in numbers_),
    ]  # fmt: skip


def _bars(told: OneMap, beat: Beat, panel: Panel) -> list[Mark]:
    """Four answers on one scale; before the guess the last two lie unseen on the second."""
    ends = [one.private + side * one.reach for one in told.answers.values() for side in (-1.0, 1.0)]
    left, right = panel.said((panel.left, panel.x(1, -10)), (panel.x(0.37), panel.x(0.8)))
    foot = At(1, -36)
    found = [
        frames.axis("homes", "x", (min(ends), max(ends)), left, right, at=foot,
                    ticks=[Tick(told.truth, f"{whole(told.truth)} true", "bold")]),
        *panel.full(eyebrow("head", (panel.left, panel.y(0, 30)), HEAD)),
    ]  # fmt: skip
    if beat != "predict":
        wide, (top, low) = (min(ends) - MARGIN, max(ends) + MARGIN), map(panel.y, (0.28, 0.64))
        found += panel.full(after(findings.band("one release", "homes", wide, top, low), 0))
    truth, top = On("homes", told.truth), panel.y(0.06, 27)
    found.append(frames.rule("truth", (truth, top), (truth, foot), width=2, dash="2 6"))
    return [*found, *(one for stop in STOPS for one in _bar(told, stop, beat, panel))]


def _bar(told: OneMap, stop: int, beat: Beat, panel: Panel) -> list[Mark]:
    """An answer with its reach: name, bar, number."""
    unseen = beat == "predict" and stop in {COMBINED, SPLIT}
    shown = DRAWN if unseen else stop
    answer = told.answers[shown]
    y = panel.y(0.14 + 0.18 * STOPS.index(shown), panel.px(28))  # below a heading in a low picture
    strong = stop == told.stop and beat != "predict"
    low, high = (On("homes", answer.private + side * answer.reach) for side in (-1.0, 1.0))
    start = 0 if stop == COMBINED else 900
    bar = findings.beam(f"bar {stop}", (low, y), [(high, y)], width=panel.px(13), head=0,
                        opacity=0.0 if unseen else 1.0 if strong else 0.32,
                        colour="private")  # fmt: skip
    if unseen:
        return [bar]
    ring, dot = (pieces.dot(f"{name} {stop}", "homes", answer.private, y, radius, colour)
                 for name, radius, colour in RING)  # fmt: skip
    words = At(y.share, y.px + panel.said(-20, 6))
    name = frames.label(f"name {stop}", (panel.left, words), NAMES[stop],
                        weight=700 if strong else 400)  # fmt: skip
    number = pieces.number(panel, f"reach {stop}", (panel.right, words), f"± {whole(answer.reach)}",
                           30 if strong else 20, anchor="end", halo=True)  # fmt: skip
    return [*(after(one, start, 700) for one in (bar, ring, dot)),
            *(after(one, start + 700) for one in (number, name))]  # fmt: skip


SCENE = Scene(
    story="teach",
    name="combined_levels",
    title="Many noisy pieces, one good answer",
    seconds=60,
    goal="Combining noisy counts costs no privacy and nearly halves the error here (± 984 to ± "
    "526).",
    question="A tree of cells is published, noise and all. Now we only combine its levels "
    "cleverly, and the error falls. Who pays?",
    ask=ask,
    options=options(
        ("The reader, in time", "M12"), ("Privacy", "M11"), ("Nobody", None), ("A second ε", "M11")
    ),
    about="The same tree, combined",
    finding=finding,
    control=Control(
        "at", "How the map is made", STOPS, DRAWN, NAMES.__getitem__, revealed=COMBINED
    ),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Parent and children count the same people twice, with separate noise. Weighing "
    "both gives one better answer. It uses only what was published, so it costs nothing: what is "
    "safe stays safe, however cleverly it is processed. Rounding, smoothing, cutting at zero: "
    "the promise stays as it was, neither used up nor made stronger.",
    full=(
        "map",
        {
            "data": "towns",
            "m_method": "quadtree, baseline",
            "m_second": "quadtree, optimal",
            "m_height": "8",
            "eps": "0.5",
            "seed": "1",
            **dict(zip(("m_x0", "m_x1", "m_y0", "m_y1"), (f"{km:g}" for km in FRAME), strict=True)),
        },
    ),
    teacher="Return to Ana's two "
    "averages: released with ε = 1 together under the bound 200,000 (40 and 39 are public), the "
    "subtraction gives 296,881, 2,558,891, 168,094; standard deviation 800,000. Asked “Is it still "
    "useful?”: the average of 40 is not, the map of 30,000 is.",
    alt=alt,
    remark=lambda: one_cell.said(one_cell.combined(*one_cell.DRAWN)),
    exercise="Parent says 30, its two children 10 and 14, equal noise. Best values?",
    answer="Parent (30 + 24/2)/(1 + 1/2) = 28, then each child + 2: 12 and 16.",
    sources=("Hay et al. 2010", "Honaker 2019"),
    term="Post-processing",
)
