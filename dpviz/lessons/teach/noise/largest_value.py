"""What may the largest value be? Bounds too tight cut off, bounds too wide drown in noise."""

import numpy as np

from dpviz.figures.stage import findings, frames, people, pieces
from dpviz.figures.stage.drawing import Drawing, Side
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import beside, eyebrow, figure
from dpviz.lessons.one_bound import EPSILON, LEAST, STOPS, OneBound, numbers, piled
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import listed, whole

MILLION = 1_000_000
SHOWN = LEAST, 800_000_000.0  # bounds on the axis
OFF = 20.0, 900_000.0  # errors on the axis
FOOT = 100.0  # the parts of the error are drawn down to here
GRID = (100, 1_000, 10_000, 100_000)
START, FAR = 500_000, 500_000_000
BASE = At(1, -40)
NUMBERS = {9: "nine"}  # of bounds to choose from
LEFT = range(3)  # stops on the left arm
TIGHT = "too tight: high pay is cut off"
WALK = 1_200  # ms that the bound takes


def spelled(bound: float) -> str:
    """A bound in a sentence: 50,000 or 5 million."""
    return whole(bound) if bound < MILLION else f"{bound / MILLION:g} million"


def short(bound: float) -> str:
    """A bound on an axis: 50,000 or 5 M."""
    return whole(bound) if bound < MILLION else f"{bound / MILLION:g} M"


def shortest(bound: float) -> str:
    """A bound where there is little room: 50k or 5 M."""
    return f"{bound / 1_000:g}k" if 1_000 <= bound < MILLION else short(bound)


def ask(told: OneBound) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"To be safe: raise the bound to {spelled(FAR)}?",
        f"Higher pay counts as the bound. {whole(told.pay.size)} people, a public number; "
        f"ε = {EPSILON:g}. Under {spelled(told.bound)}: off by {whole(told.error)}.",
    )


def say(told: OneBound) -> Sentences:
    """What the bound costs, and three averages that were published under it."""
    off, bound = f":blue[{whole(told.error)}]", spelled(told.bound)
    if told.at == told.best:
        headline = f"Of these {NUMBERS[len(STOPS)]} bounds {bound} is best: off by {off}."
    elif told.bound > told.pay.max():
        headline = f"Nobody earns {bound}. The bound costs {off}."
    elif told.at > told.best:
        headline = f"A bound of {bound} is too wide: off by {off}."
    else:
        headline = f"A bound of {bound} cuts pay off: off by {off}."
    if told.at == told.best:
        upper, error = told.foot
        return Sentences(
            headline,
            f"The curve’s foot is {whole(error)} at {whole(round(upper, -4))}. No one may look "
            "for it in "
            "the file: that would leak.",
        )
    drawn = listed([whole(one) for one in told.averages])
    precise = ": precise, and wrong" if told.is_precise else ""
    published = "Three averages" if precise else "Three averages published"
    return Sentences(
        headline,
        f"{published} under that bound: {drawn}{precise}. The true one is {whole(told.truth)}.",
    )


def finding(told: OneBound) -> str:
    """How far the average is off, beside the average itself."""
    return f"off by {whole(told.error)} on average; the true one is {whole(told.truth)}"


def alt(told: OneBound) -> str:
    """The picture in words."""
    return (
        f"A V-shaped error curve over the upper bound, of the stops lowest at "
        f"{spelled(STOPS[told.best])}; a flat line for the median. Left arm: clipping, right "
        "arm: noise. At a bound of "
        f"{spelled(told.bound)} the average is off by {whole(told.error)}."
    )


# where the number stands beside its dot: behind it, in front of it on the right arm, or below
ASIDE: dict[bool | None, tuple[int, int, Anchor]]
ASIDE = {None: (18, 0, "start"), True: (-24, -4, "end"), False: (0, 28, "middle")}
SIDES: dict[str, Anchor] = {"tight": "start", "best": "middle", "wide": "end"}


def marks(told: OneBound, beat: Beat, screen: Screen) -> list[Mark]:
    """Errors over bounds, and on the same axis the people that the bound is for."""
    left, written = screen.said((At(0, 100), short), (At(0, 46), shortest))
    bound = frames.axis("bound", "x", SHOWN, left, At(1, -10), at=BASE,
                        ticks=_ticks(told.bound, screen), log=True, line=True)  # fmt: skip
    off = frames.axis("off", "y", OFF, At(1, -80), At(0, 44), at=beside(left, -4), log=True,
                      ticks=[Tick(one, written(one)) for one in GRID])  # fmt: skip
    staff = frames.label("people", (At(0, 108), At(1, -58)), f"{whole(told.pay.size)} people")
    found = [
        bound, off,
        *pieces.grid("off", GRID, On("bound", SHOWN[0]), At(1)),
        eyebrow("eyebrow", (At(), At(0, 22)), "OFF BY, PER HEAD"),
        _crowd(told, screen),
        *screen.full(staff),
    ]  # fmt: skip
    chosen = _chosen(told, screen)
    return (
        [*found, *chosen]
        if beat == "predict"
        else [*found, *_parts(told), *_curves(told), *chosen, *_others(told, screen)]
    )


def _ticks(bound: int, screen: Screen) -> list[Tick]:
    """The chosen bound in bold, and the others that leave it room, in powers of ten."""
    every = (STOPS[0], *screen.said((START,), ()), 5 * MILLION, 50 * MILLION, FAR)
    room, written = screen.said((0.45, short), (0.95, shortest))
    others = [Tick(one, written(one)) for one in every if abs(np.log10(one / bound)) > room]
    return [*others, Tick(bound, written(bound), "bold", name="bound")]


def _crowd(told: OneBound, screen: Screen) -> Mark:
    """Everybody at their pay, those above the bound piled up against it."""
    columns, high = screen.said(170, 120), 2_300_000.0
    heights = piled(told.pay, told.bound, columns, high)
    return people.heap("staff", "bound", heights, (LEAST, high), base=BASE, top=At(1, -100))


def _parts(told: OneBound) -> list[Mark]:
    """What clipping cuts off, and what noise adds, where they meet."""
    upper, cut, noise = told.errors.upper, told.errors.cut, told.errors.noise
    low, high = START * 0.9, STOPS[told.best] * 1.05
    arms = (("cut", (upper >= low) & (cut >= FOOT), cut),
            ("noise", (upper <= high) & (noise >= FOOT), noise))  # fmt: skip
    return [
        findings.curve(name, ("bound", "off"), upper[seen].tolist(), arm[seen].tolist(), width=2.5,
                       colour="ink" if name == "cut" else "private", dotted=True)
        for name, seen, arm in arms
    ]  # fmt: skip


def _curves(told: OneBound) -> list[Mark]:
    """The error of the average, and that of the median."""
    errors, off = told.errors, ("bound", "off")
    average = findings.curve("average", off, errors.upper.tolist(), errors.error.tolist(),
                             width=5, stops=told.stops)  # fmt: skip
    median = findings.curve("median", off, list(STOPS), list(told.medians), width=3,
                            stops=range(len(STOPS)), chosen=told.at)  # fmt: skip
    return [after(median, WALK + 400), after(average, 0, WALK)]


def _chosen(told: OneBound, screen: Screen) -> list[Mark]:
    """The bound that holds, and how far off the average is under it."""
    x, y = On("bound", told.bound), On("off", told.error)
    wall = frames.rule("wall", (x, BASE), (x, On("off", told.median)), width=3)
    dot = pieces.dot("chosen", "bound", told.bound, y, 9)
    line, words, size = screen.said((46, "the average is off by", 32), (30, "off by", 30))
    behind, off = told.at in LEFT, screen.said(TIGHT, words)
    px, up, anchor = ASIDE[None if behind else told.at > told.best + 1]
    place, top = On("bound", told.bound, screen.px(px)), On("off", told.error, -up)
    number = figure("number", (place, top), whole(told.error), size=size, colour="private",
                    anchor=anchor, halo=True)  # fmt: skip
    below = frames.label("number words", (place, pieces.further(top, -line)),
                         off if behind else words, anchor=anchor, halo=True)  # fmt: skip
    moved = [after(one, 0, WALK) for one in (wall, dot)]
    return [*moved, after(number, WALK), after(below, WALK + 200)]


def _others(told: OneBound, screen: Screen) -> list[Mark]:
    """What the other stops stand for, where the chosen one leaves room."""
    best, last = told.best, len(STOPS) - 1
    said = whole(told.error_at(best)) + screen.said(" at best", "")
    tight = told.at not in LEFT and screen.said(True, told.at >= last)
    kept = {
        "tight": (0, whole(told.error_at(0)), (12, -12), tight),
        "best": (best, said, (0, -26), abs(told.at - best) >= 3),
        "wide": (last, whole(told.error_at(last)), (-20, 0), told.at < last - 1),
    }
    found = [
        figure(f"{name} number", (On("bound", STOPS[stop], x), On("off", told.error_at(stop), y)),
               text, colour="private", anchor=SIDES[name], halo=True)
        for name, (stop, text, (x, y), shown) in kept.items() if shown
    ]  # fmt: skip
    words = [("median off by ", ""), (whole(told.median), "private")]
    place = On("bound", FAR, -16), On("off", told.median, -18)
    found.append(frames.label("median words", place, words, weight=600, anchor="end", halo=True))
    return [after(one, WALK + 400) for one in (*found, *screen.full(*_reasons(told)))]


def _reasons(told: OneBound) -> list[Mark]:
    """Why the arms rise, and that nobody is where the right one does."""
    right, start = On("bound", FAR), (On("bound", STOPS[0], 12), On("off", told.error_at(0), -46))
    wide = {"wide": "too wide: noise for", "wide too": "pay that nobody has"}
    divided = f"{short(told.bound)}/({EPSILON:g} × {whole(told.pay.size)}) = {whole(told.noise)}"
    return [
        *[frames.label("tight", start, TIGHT, halo=True)] * (told.at not in LEFT),
        *pieces.lines((right, On("off", 9_000)), 27, wide, anchor="end"),
        *[frames.label("wide sum", (right, On("off", 9_000, 54)), divided, anchor="end",
                       colour="private", weight=600)] * (told.at > told.best),
        frames.label("nobody", (On("bound", 16 * MILLION), At(1, -54)), "nobody out here",
                     colour="second", anchor="middle"),
    ]  # fmt: skip


SCENE = Scene(
    story="teach",
    name="largest_value",
    title="What may the largest value be?",
    seconds=75,
    goal="A private average needs public bounds; both too tight and too wide cost; a median "
    "forgives.",
    question="Yearly pay of 15,000 people, ε = 0.1. To be safe, a colleague raises the upper bound "
    "from 500,000 to 500 million. The published average (true 49,146) will be …",
    ask=ask,
    options=options(
        ("The same, nobody earns that much", "M9"),
        ("A little worse", "M9"),
        ("Useless", None),
        ("Better, nobody is clipped", "M9"),
        (
            "Useless, but another way there",
            "M9",
            "Right at that bound, not at the others: a tight bound cuts off high pay, and noise "
            "grows in step with a wide one.",
        ),
    ),
    drawing=Drawing(
        "c",
        "HOW FAR OFF UNDER EACH BOUND?",
        "off",
        across=Side(
            20_000, 800_000_000, ((50_000, "50k"), (707_000, "500k · 1 M"), (FAR, "500 M"))
        ),
        up=Side(*OFF, tuple((one, whole(one)) for one in GRID)),
        at=(50_000, MILLION, FAR),
        names=("50,000", "1 million", "500 million"),
        given=lambda: ((START, numbers(START).error),),
        truth=lambda: tuple(numbers(one).error for one in (50_000, MILLION, FAR)),
        regions=((500, 1_200, "a"), (1_200, 111_111, "b"), (111_111, OFF[1], "c")),
        other="d",
        astray="e",
    ),
    about="A bound of 500 million",
    finding=finding,
    control=Control("at", "Upper bound", STOPS, START, short, revealed=FAR),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Noise must cover the most that one person could add: the bound. Too wide, and "
    "noise drowns the answer; too tight, and large values are clipped: moved to the bound. Take it "
    "from a law or a public pay scale, not from the file: its largest value is one person’s "
    "pay. A median asks who is in the middle, so the bound hardly matters while people are "
    "many.",
    full=("data", {"data": "salaries"}),
    teacher="Ask “who knows the largest salary?” Nobody may look: it is one person's record "
    "(2,212,300). Asked “May I try some bounds and take the best?”: on public data, or "
    "by a search that ε pays for. Limits of the forgiving median: office of 40, ε = 0.5: 1 median "
    "in 1,000 falls below or above all salaries under a bound of 200,000, 49 in 1,000 under 5 M, "
    "840 in 1,000 under 500 M.",
    alt=alt,
    term="Bounds, clipping",
    formula=":blue[bound]/(ε·n)",
    exercise="Office, 40 people, ε = 1, bound 80,000: noise per head?",
    answer="80,000/(1 × 40) = 2,000; with the clipped director (1,700) the typical error is "
    "2,555; at 200,000 it is 5,000.",
)
