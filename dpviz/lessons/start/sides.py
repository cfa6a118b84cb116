"""Where the marks of Start stand: side by side on a wide screen, one below the other on a phone."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dpviz.figures.stage import answers, frames, people
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On, Place, Spot
from dpviz.lessons.start import numbers

KEY_COLOURS: tuple[Colour, Colour] = ("private", "ink")
TICKS = {5e3: "5k", 1e4: "10k", 2e4: "20k", 5e4: "50k", 1e5: "100k", 2e5: "200k", 5e5: "500k"}
FEWER = {1e4: "10k", 3e4: "30k", 1e5: "100k", 3e5: "300k"}
HEADING, CAPTION = At(0, 13), At(0, 36)  # baselines
WAY = At(0, 84)  # how far down answers fly to the barrier
BASE = At(1, -34)  # the line that grains and dots stand on


@dataclass(frozen=True, slots=True)
class Sides:
    """What differs between a wide and a narrow picture; the rest is the same in both."""

    salary: Mark  # the axis of salaries
    people: tuple[Mark, ...]
    words: tuple[Mark, ...]
    ida: Place  # how far down she stands
    leader: float  # up to her name
    beside: float  # px from her to her name
    public: tuple[Place, Place]  # ends of the axis of answers
    floor: Place  # what the dots stand on
    ceiling: Place  # up to where they may be stacked
    barrier: Callable[[float], Mark]
    count: Callable[[str], Mark]


def side_by_side(*, short: bool = False) -> Sides:
    """Confidential at the left, public at the right of an upright barrier."""
    left, right = At(0.465), At(0.55)
    thirty = "30 answers that could be published. Only one ever is."
    caption = "30 answers, one is published" if short else thirty
    over = "over 100,000" if short else "earn over 100,000"
    return Sides(
        salary=_salary((At(0), left), BASE, FEWER if short else TICKS),
        people=(
            _heap(BASE, At(0, 36)),
            _threshold(At(0, 66), BASE),
            frames.rule("way", (_beside(77), WAY), (At(0.448), WAY), dash="1.6 5.4"),
        ),
        words=(
            frames.label("over", (_beside(12), At(0, 116)), over, halo=True),
            *_confidential(CAPTION),
            _eyebrow("noise", "NOISE", (At(0.505), HEADING), anchor="middle"),
            _eyebrow("public", "PUBLIC", (right, HEADING), colour="private"),
            _caption("thirty", (right, CAPTION), caption),
            *_key(((At(1, -116), At(0, 14)), (At(1, -116), At(0, 36)))),
        ),
        ida=At(1, -47),
        leader=57,
        beside=-1,
        public=(right, At(1)),
        floor=BASE,
        ceiling=At(0, 52),
        barrier=partial(_upright, At(0.505), 0.6 if short else 1.0),
        count=partial(_count, (_beside(12), At(0, 95))),
    )


def stacked() -> Sides:
    """Confidential above, public below a barrier that lies; 452 px high."""
    floor = At(0, 168)
    return Sides(
        salary=_salary((At(0), At(1)), floor, FEWER),
        people=(_heap(floor, At(0, 46)), _threshold(At(0, 76), floor)),
        words=(
            frames.label("over", (_beside(12), At(0, 118)), "over 100k", halo=True),
            *_confidential(At(0, 33)),
            _eyebrow("public", "PUBLIC", (At(0), At(0, 270)), colour="private"),
            _caption("thirty", (At(0, 68), At(0, 270)), "answers that could be published"),
            *_key(((At(0), At(0, 300)), (At(1, -116), At(0, 300)))),
        ),
        ida=At(0, 158),
        leader=-2,
        beside=12,
        public=(At(0), At(1)),
        floor=At(0, 422),
        ceiling=At(0, 284),
        barrier=partial(_lying, At(0, 229)),
        count=partial(_count, (_beside(12), At(0, 98))),
    )


def _beside(px: float) -> Place:
    """So many px to the right of the threshold."""
    return On("salary", numbers.THRESHOLD, px)


def _salary(ends: tuple[Place, Place], at: Place, ticks: dict[float, str]) -> Mark:
    named = [Tick(value, text) for value, text in ticks.items()]
    return frames.axis("salary", "x", numbers.HEAP, *ends, at=at, ticks=named, log=True, line=True)


def _heap(base: Place, top: Place) -> Mark:
    counts, split = numbers.people().heap, numbers.BELOW
    return people.heap("heap", "salary", counts, numbers.HEAP, base=base, top=top, split=split)


def _threshold(top: Place, base: Place) -> Mark:
    return frames.rule("threshold", (_beside(0), top), (_beside(0), base))


def _count(at: Spot, text: str) -> Mark:
    return frames.label("count", at, text, size=30, font="serif", weight=600, halo=True)


def _upright(at: Place, scale: float, half: float) -> Mark:
    return answers.barrier("barrier", at, At(0, 23), At(1, -8), half=half, scale=scale)


def _lying(at: Place, half: float) -> Mark:
    return answers.barrier(
        "barrier", at, At(0), At(1), direction="horizontal", half=half, scale=0.5
    )


def _confidential(caption: Place) -> tuple[Mark, ...]:
    crowd = f"{numbers.people().everybody:,} salaries, one grain each"
    return (
        _eyebrow("confidential", "CONFIDENTIAL", (At(0), HEADING)),
        _caption("salaries", (At(0), caption), crowd),
    )


def _eyebrow(
    name: str, text: str, at: Spot, colour: Colour = "ink", anchor: frames.Anchor = "start"
) -> Mark:
    return frames.label(
        name, at, text, size=14, weight=700, spaced=True, colour=colour, anchor=anchor
    )


def _caption(name: str, at: Spot, text: str) -> Mark:
    return frames.label(name, at, text, colour="second", halo=True)


def _key(spots: tuple[tuple[At, At], tuple[At, At]]) -> tuple[Mark, ...]:
    """What the two laws are; each row is 116 px wide."""
    rows: list[Mark] = []
    for (x, y), name, colour, dash in zip(
        spots, ("with", "without"), KEY_COLOURS, (None, "1.6 3.4"), strict=True
    ):
        (start, end, words), line = (_moved(x, px) for px in (0, 28, 38)), _moved(y, -5)
        rows += [
            frames.rule(
                f"{name} key", (start, line), (end, line), width=2, colour=colour, dash=dash
            ),
            frames.label(f"{name} words", (words, y), f"{name} Ida", colour=colour, halo=True),
        ]
    return tuple(rows)


def _moved(place: At, px: float) -> At:
    return At(place.share, place.px + px)
