"""The picture of Start: salaries, the barrier, and 30 answers over the law that they come from."""

from collections.abc import Sequence
from functools import lru_cache

from dpviz.figures.stage import answers, frames, people
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import Mark, On
from dpviz.figures.stage.stage import Stage, View, layer
from dpviz.lessons.start import numbers, words
from dpviz.lessons.start.sides import Sides, side_by_side, stacked

SHORT, STACKED = 1000, 640  # px of width up to which words are shorter, and halves lie one below
WORLDS = ("in", "out")  # whether Ida is in the data
STACK = 0.6  # dots of air above the highest stack


def stage(epsilon: float, stops: Sequence[float], seed: int) -> Stage:
    """The picture in all its states: every stop of ε, Ida in or out, every set of draws."""
    return _prepared(tuple(stops), seed).at(epsilon=f"{epsilon:g}")


@lru_cache(maxsize=16)  # of a public sample, the same for everybody
def _prepared(stops: tuple[float, ...], seed: int) -> Stage:
    first = stops[0]  # whatever is drawn first, so that views are the same at every ε
    views = (
        View(_marks(stacked(), first, "in", seed), until=STACKED),
        View(_marks(side_by_side(short=True), first, "in", seed), until=SHORT),
        View(_marks(side_by_side(), first, "in", seed)),
    )
    every = [(one, world) for one in stops for world in WORLDS]
    sides = side_by_side()
    follows = {(f"{one:g}", world): _moving(sides, one, world, seed) for one, world in every}
    draws = {
        (f"{one:g}", world, str(number)): [_dots(one, world, seed, number)]
        for one, world in every
        for number in range(numbers.SETS)
    }
    state = {"epsilon": f"{first:g}", "ida": "in", "draw": "0"}
    return Stage(
        views, state, (layer(("epsilon", "ida"), follows), layer(("epsilon", "ida", "draw"), draws))
    )


def _marks(sides: Sides, epsilon: float, world: str, seed: int) -> tuple[Mark, ...]:
    """All marks, back to front."""
    moving = {mark["id"]: mark for mark in _moving(sides, epsilon, world, seed)}
    back = [moving.pop(name) for name in ("answers", "stack")]
    return (
        sides.salary,
        *back,
        *sides.people,
        moving.pop("ida"),
        *moving.values(),
        _dots(epsilon, world, seed, 0),
        *sides.words,
    )


def _moving(sides: Sides, epsilon: float, world: str, seed: int) -> list[Mark]:
    """The marks that change with ε, or with Ida."""
    inside = world == "in"
    crowd = numbers.people()
    return [
        _axis(sides, crowd.count(inside)),
        _stack(sides, epsilon, seed),
        people.person(
            "ida",
            (On("salary", numbers.IDA), sides.ida),
            "Ida" if inside else "Ida is out",
            leader=sides.leader,
            beside=sides.beside,
            out=not inside,
        ),
        sides.barrier(answers.half_width(epsilon)),
        _law("without", epsilon, crowd.count(False), dotted=True, filled=not inside),
        _law("with", epsilon, crowd.count(True), dotted=False, filled=inside),
        sides.count(f"{crowd.count(inside):,}"),
        frames.alternative(words.alternative(epsilon, inside)),
    ]


def _axis(sides: Sides, count: int) -> Mark:
    low, high = numbers.people().over - numbers.REACH, numbers.people().over + numbers.REACH
    middle = Tick(count, f"{count:,} true", "bold", name="true")
    ticks = (
        Tick(low - 0.5, f"≤ {low:,}", anchor="start"),
        Tick(low + numbers.REACH // 2, f"{low + numbers.REACH // 2:,}"),
        middle,
        Tick(high - numbers.REACH // 2, f"{high - numbers.REACH // 2:,}"),
        Tick(high + 0.5, f"≥ {high:,}", anchor="end"),
    )
    start, end = sides.public
    return frames.axis(
        "answers", "x", (low - 0.5, high + 0.5), start, end, at=sides.floor, ticks=ticks, line=True
    )


def _stack(sides: Sides, epsilon: float, seed: int) -> Mark:
    """The axis that dots are stacked on: the highest stack of any state of this ε has room."""
    crowd = numbers.people()
    peak = numbers.DRAWS * float(numbers.law(epsilon, crowd.over, crowd.over).max())
    stacks = [
        max(drawn.count(value) for value in drawn)
        for number in range(numbers.SETS)
        for ida in (True, False)
        if (drawn := numbers.answers(epsilon, ida, seed, number, crowd.over))
    ]
    most = round(max(peak, *stacks) + STACK, 2)
    return frames.axis("stack", "y", (0, most), sides.floor, sides.ceiling, most=("answers", 1))


def _law(name: str, epsilon: float, centre: int, *, dotted: bool, filled: bool) -> Mark:
    around = numbers.people().over
    heights = numbers.DRAWS * numbers.law(epsilon, centre, around)
    return answers.law(
        name,
        ("answers", "stack"),
        around - numbers.REACH - 0.5,
        heights.tolist(),
        dotted=dotted,
        fill=0.1 if filled else 0.0,
        line="ink" if dotted else "private",
    )


def _dots(epsilon: float, world: str, seed: int, number: int) -> Mark:
    around = numbers.people().over
    drawn = numbers.answers(epsilon, world == "in", seed, number, around)
    return answers.dots("dots", ("answers", "stack"), drawn)
