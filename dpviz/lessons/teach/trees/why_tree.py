"""Why a tree? Few nodes in place of many cells, which pays once there are many cells."""

from dpviz.figures.stage import answers, findings, frames, tallies, touched
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.lessons.prefix_counts import (
    BARS,
    EDGE,
    EDGES,
    EPSILON,
    STOPS,
    YEARS,
    PrefixCounts,
    numbers,
)
from dpviz.lessons.scene import Beat, Control, Dragged, Scene, Second, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import plain, whole

OFF = 2.5, 400.0  # errors on the axis
GRID = 10, 100
REVEAL = 900  # ms that a curve takes
DOWN = 0.66  # of the left half: where the boxes end


def about(number: float) -> str:
    """A number of which two digits are known."""
    return whole(float(f"{number:.2g}"))


def error(people: float) -> str:
    """An error in people: with a decimal below twenty."""
    return plain(people, 1) if people < 19.95 else whole(people)


def total(counts: tuple[int, ...]) -> str:
    """Counts and their sum."""
    if len(counts) == 1:
        return whole(counts[0])
    return f"{' + '.join(map(whole, counts))} = {whole(sum(counts))}"


def ask(told: PrefixCounts) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "Noisy cells, or a noisy tree over them?",
        f"Ages of {whole(told.ages.sum())} people, ε = {EPSILON:g}. “Under {told.edge}” is the sum "
        f"of {told.below} cells, or of {len(told.nodes)} nodes.",
    )


def say(told: PrefixCounts) -> Sentences:
    """How many cells there must be for few nodes to win, and both errors over so many cells."""
    flat, drawn, _ = told.errors
    return Sentences(
        f":blue[A few nodes] for many cells: a win above {about(told.laws.wins)} cells.",
        f"Everyone is in {told.levels} nodes, each gets ε/{told.levels}. Over all edges of "
        f"{whole(told.stop)} cells: off by {error(flat)}, by the tree {error(drawn)}.",
    )


def finding(told: PrefixCounts) -> str:
    """Where the tree wins, and by how much at the end."""
    laws = told.laws
    return (
        f"smaller above about {about(laws.wins)} cells; over {whole(laws.cells[-1])} it is "
        f"{error(laws.drawn[-1])} in place of {error(laws.flat[-1])}"
    )


def say_combined(told: PrefixCounts) -> Sentences:
    """The same once the levels are combined."""
    flat, drawn, combined = told.errors
    return Sentences(
        f"The same tree, :blue[combined]: a win above {about(told.laws.combined_wins)} cells.",
        f"All edges of {whole(told.stop)} cells: off by {error(flat)}, by the tree "
        f"{error(combined)} in place of {error(drawn)}. What does it cost? Next scene.",
    )


def alt(told: PrefixCounts) -> str:
    """The picture in words."""
    laws = told.laws
    return (
        f"A tree of boxes over {whole(told.stop)} cells. "
        f"Two rising curves of errors cross at about {about(laws.wins)} cells; over "
        f"{whole(laws.cells[-1])} cells they are {error(laws.flat[-1])} and "
        f"{error(laws.drawn[-1])}."
    )


def alt_combined(told: PrefixCounts) -> str:
    """The second picture in words."""
    laws = told.laws
    return (
        f"The same boxes, combined. A third curve, lower than the tree's "
        f"own, crosses that of the cells at about {about(laws.combined_wins)} and ends at "
        f"{error(laws.combined[-1])}."
    )


def says(told: PrefixCounts, counts: tuple[int, ...]) -> str:
    """The edge in words."""
    return (
        f"Under {told.edge} years: nodes of {total(counts)} people, in place of "
        f"{whole(told.below)} cells. True: {whole(told.truth)}."
    )


def marks(told: PrefixCounts, beat: Beat, screen: Screen) -> list[Mark]:
    """A tree over a histogram, and errors over the number of cells."""
    tree, errors = screen.columns(Column((0, 0.565), (0, 0.56)), Column((0.635, 1), (0.58, 1)))
    return [*_tree(told, beat, tree), *_errors(told, beat, errors)]


def _tree(told: PrefixCounts, beat: Beat, panel: Panel) -> list[Mark]:
    """The nodes by level, those of the sum lit, and the cells below them in ink."""
    counts = told.combined if beat == "second" else told.published
    rows = [2**level for level in range(told.levels)]
    base, top = At(panel.bottom.share, -34), panel.y(DOWN)
    bars = round(BARS * told.edge / YEARS)
    heights = told.ages.tolist()
    ticks = [Tick(0, "0", anchor="start"), Tick(YEARS, f"{YEARS} years", anchor="end")]
    return [
        frames.axis("age", "x", (0, YEARS), panel.left, panel.right, at=base, ticks=ticks,
                    line=True),
        frames.axis("people", "y", (0, max(heights)), base, panel.y(DOWN, 48)),
        *panel.full(eyebrow("asked", (panel.left, panel.line(0)),
                            f"UNDER {told.edge} YEARS")),
        figure("sum", (panel.said(panel.right, panel.left), panel.line(0)), total(counts),
               colour="private", size=panel.size(22), anchor=panel.said("end", "start")),
        tallies.boxes("nodes", (panel.left, panel.y(0, 54)), (panel.right, top), rows, told.nodes,
                      tuple(map(whole, counts)), gap=panel.px(min(10, 70 / len(rows)))),
        answers.law("ages", ("age", "people"), 0, heights, step=YEARS / BARS, form="bars", fill=1,
                    colour="grain"),
        answers.law("below", ("age", "people"), 0, heights, step=YEARS / BARS, form="bars", fill=1,
                    colour="ink", first=bars),
        touched.grip("edge", "age", told.edge, (EDGES[0], EDGES[-1]), max(4, YEARS // told.stop),
                     top, base, label="The edge, in years", still=beat == "predict",
                     says="" if beat == "predict" else says(told, counts)),
        *panel.full(frames.label("cells", (panel.left, panel.y(DOWN, 30)),
                                 f"{whole(told.below)} cells. True: {whole(told.truth)}",
                                 weight=600, halo=True)),
    ]  # fmt: skip


def _errors(told: PrefixCounts, beat: Beat, panel: Panel) -> list[Mark]:
    """Both errors over the number of cells, and in the second beat that of the combined tree."""
    laws, base, left = told.laws, At(panel.bottom.share, -34), At(panel.left.share, 56)
    wins = laws.combined_wins if beat == "second" else laws.wins
    won = [] if beat == "predict" else [Tick(wins, about(wins), "bold", name="wins")]
    first, last = laws.cells[0], laws.cells[-1]
    ticks = [Tick(first, whole(first), anchor="start"), *won,
             Tick(last, whole(last), anchor="end")]  # fmt: skip
    found = [
        frames.axis("cells over", "x", (first, last), left, panel.x(1, -14),
                    at=base, ticks=ticks, log=True, line=True),
        frames.axis("off", "y", OFF, base, panel.y(0, 44), at=At(panel.left.share, 46), log=True,
                    ticks=[Tick(one, str(one)) for one in GRID]),
        *[frames.rule(f"grid {one}", (left, On("off", one)), (panel.right, On("off", one)),
                      width=1, colour="hairline") for one in GRID],
        *panel.full(eyebrow("error", (panel.left, panel.line(0)),
                            f"ERROR BY NUMBER OF CELLS, ε = {EPSILON:g}")),
        *_line(told, panel, "cells", laws.flat, (-20, -4)),
    ]  # fmt: skip
    if beat == "predict":
        return found
    tree = _line(told, panel, "tree", laws.drawn, panel.said((-4, -16), (-4, 30)))
    if beat == "second":  # on a phone there is no room between two curves
        tree = [tree[0], *panel.full(*tree[1:])]
    place = On("cells over", wins)
    found += [
        frames.rule("crossing", (place, base), (place, panel.y(0.3)), dash="2 5", width=2),
        *panel.full(frames.label("tree name", (left, On("off", 30)), "tree, as drawn",
                                 colour="private", weight=600, halo=True)),
        *(after(one, 0, REVEAL) for one in tree),
    ]  # fmt: skip
    if beat == "second":
        free = _line(told, panel, "combined", laws.combined, (-4, 46))
        found += [after(one, 0, REVEAL) for one in free]
        found += panel.full(
            frames.label("combined name", (panel.x(1, -18), On("off", laws.combined[-1], 80)),
                         "tree, combined", colour="private", weight=600, anchor="end", halo=True)
        )  # fmt: skip
    return found


def _line(
    told: PrefixCounts, panel: Panel, name: str, errors: tuple[float, ...], px: tuple[int, int]
) -> list[Mark]:
    """An error over the number of cells, with a dot at the chosen one and a number at its end."""
    laws, flat = told.laws, name == "cells"
    colour: Colour = "ink" if flat else "private"
    x, y = px
    end = On("cells over", laws.cells[-1], panel.px(x)), On("off", errors[-1], panel.px(y))
    words = [("cells ", ""), (error(errors[-1]), "")] if flat else error(errors[-1])
    return [
        findings.curve(f"{name} line", ("cells over", "off"), laws.cells, errors, colour=colour,
                       width=3 if name == "tree" else 5, dotted=name == "tree",
                       chosen=laws.cells.index(told.stop)),
        figure(f"{name} end", end, words, size=panel.size(26), colour=colour, anchor="end",
               halo=True),
    ]  # fmt: skip


SCENE = Scene(
    story="teach",
    name="why_tree",
    title="Why a tree?",
    seconds=75,
    goal="log₂ K noisy terms in place of K, paid for by log₂ K + 1 levels that share ε: a win for "
    "many cells.",
    question="Running counts over K noisy cells, or from a tree over them, ε = 1 for both. The "
    "tree has the smaller error …",
    ask=ask,
    options=options(
        ("Always, it adds fewer terms", "M13", "Each of its nodes carries more noise."),
        ("Never, its nodes are noisier", "M13", "It adds far fewer of them."),
        ("For few cells", "M13", "There the cells win: few terms, and little noise on each."),
        ("For many cells", None),
    ),
    about="The tree's error, as drawn",
    finding=finding,
    control=Control("at", "Cells", STOPS, 32, whole),
    numbers=numbers,
    say=say,
    marks=marks,
    second=Second("Combine them", say_combined, alt_combined),
    dragged=Dragged("edge", EDGES, EDGE, numbers),
    explanation="Fewer terms, each noisier. A running count adds at most log₂ K nodes instead of "
    "thousands of cells: with many cells that wins.",
    full=("trees", {"data": "ages", "t_height": "5", "eps": "1", "seed": "1"}),
    teacher="Ask first for 16 cells: the tree loses, and that is no mistake. Then 65,536: "
    "a node has 17 levels to share ε with, a cell none, and still the sum of 22,528 cells is worse "
    "than that of three nodes. Errors are roots of the mean variance of all running counts.",
    alt=alt,
    term="Sensitivity",
    formula=":blue[√nodes · levels]/ε",
    exercise="Nodes for the first 13 of 16 cells?",
    answer="8 + 4 + 1: 3.",
    sources=("Hay et al. 2010", "Chan, Shi and Song 2011"),
)
