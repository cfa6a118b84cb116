"""Twenty-two counts, forty secrets: large groups do not protect, a budget of noise does."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.randomness.noise import Noise
from dpviz.figures.stage import answers, findings, frames, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.intake.samples import sample_names
from dpviz.lessons import survey
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after, entering, stepping
from dpviz.lessons.words import plain, whole
from dpviz.lessons.written import eyebrow, figure

START, ALL, SOME = 10, 22, 14  # counts that prove nothing yet, every mark, and some
FALL = 2500.0  # ms until all counts are published
TILE: dict[str, tallies.Tile] = {"?": "open", "+": "bad", "-": "good"}
MARK = {"?": "?", "+": "bad", "-": "good"}
WORKED_OUT, GUESSED = "WORKED OUT BY A READER", "GUESSED BY A READER"
GUESSES = 10, 40  # marks guessed right, as the second beat's axis shows them
USUAL = 0.95


@dataclass(frozen=True, slots=True, eq=False)
class ManyCounts:
    """What so many exact counts prove, and what is left of it with noise.

    marks has one sign a person: "?" open, "-" a good mark proved, "+" a bad one; sizes are those of
    the smallest and the largest group. curve has how many marks 0, 1, 2 … 40 counts prove. With
    noise: within how much of the truth 19 of 20 counts are, how many marks each of 60 draws gets
    right, and the guesses of the first, with those that are right.
    """

    counts: int
    names: tuple[str, ...]
    marks: str
    sizes: tuple[int, int]
    content: int
    curve: tuple[int, ...]
    reach: int
    noisy: tuple[int, ...]
    guesses: str
    right: tuple[bool, ...]

    @property
    def people(self) -> int:
        """How many marks there are to prove."""
        return len(self.names)

    @property
    def proved(self) -> int:
        """How many marks the equations prove."""
        return self.people - self.marks.count("?")

    @property
    def noisy_mean(self) -> float:
        """How many marks are guessed right from noisy counts, on average."""
        return float(np.mean(self.noisy))


@cache
def numbers(counts: int, _: int = 1) -> ManyCounts:
    """The stored attack at this number of counts, without and with noise."""
    found, noisy = survey.stored()[counts], survey.stored_noisy()[counts]
    sizes, secrets = survey.groups(counts).sum(axis=1), survey.secrets()
    return ManyCounts(
        counts=counts,
        names=sample_names("survey"),
        marks="".join(survey.SIGNS[mark + 1] for mark in found.proved.tolist()),
        sizes=(int(sizes.min()), int(sizes.max())),
        content=int(np.count_nonzero(~secrets)),
        curve=survey.stored_proved(),
        reach=int(Noise.DISCRETE_LAPLACE.reach(counts / survey.EPSILON, USUAL)),
        noisy=tuple(noisy.right.tolist()),
        guesses="".join("+" if bad else "-" for bad in noisy.guessed.tolist()),
        right=tuple((noisy.guessed == secrets).tolist()),
    )


def ask(told: ManyCounts) -> Sentences:
    """What is known before the guess."""
    least, most = numbers(ALL).sizes
    return Sentences(
        f"How many counts prove all {told.people} marks?",
        f"Each counts the bad marks in a group of {least} to {most} people. {told.counts} counts "
        "prove nothing about anybody.",
    )


def say(told: ManyCounts) -> Sentences:
    """How many marks are proved."""
    least, most = told.sizes
    counts = whole(told.counts)
    every = f"all {told.people}" if told.proved == told.people else whole(told.proved)
    proof = f"prove :orange[{every} marks]" if told.proved else "prove nothing yet"
    return Sentences(
        f"{counts} counts {proof}.",
        f"{counts} exact counts over groups of {least} to {most} people: "
        + (f":orange[{every} marks are proved]." if told.proved else "nobody's mark is proved."),
    )


def finding(told: ManyCounts) -> str:
    """How many marks are proved."""
    least, most = told.sizes
    return f"{told.proved} of {told.people} marks proved, from groups of {least} to {most} people"


def say_with_noise(told: ManyCounts) -> Sentences:
    """How large the noise is, and how many marks a reader still guesses right."""
    return Sentences(
        f"With noise, the same {whole(told.counts)} counts prove :blue[nobody].",
        f"Each count is now ± {told.reach}. This attack gets :blue[{whole(told.noisy_mean)} of "
        f"{told.people}]; whoever guesses “content” for all gets {told.content}.",
    )


def alt(told: ManyCounts) -> str:
    """The picture in words."""
    return (
        f"Forty named tiles; with {told.counts} counts {told.proved} of them are vermilion. A "
        f"curve of people proved reaches {plain(told.proved, 0)} at {told.counts} counts."
    )


def alt_with_noise(told: ManyCounts) -> str:
    """The second picture in words."""
    return (
        f"Forty named tiles with guesses, {told.people - sum(told.right)} of them wrong. "
        f"{len(told.noisy)} blue dots, guesses right a draw, lie around {whole(told.noisy_mean)}; "
        f"a line at {told.content} marks what “everyone is content” gets right."
    )


def marks(told: ManyCounts, beat: Beat, screen: Screen) -> list[Mark]:
    """Forty named tiles, and beside them how many are proved, or guessed right with noise."""
    tiles, chart = screen.columns(Column((0, 0.56), (0.33, 1)), Column((0.615, 1), (0.04, 0.4)))
    noisy, seen = beat == "second", beat == "reveal"
    wall = answers.barrier(
        "noise", At(0, 10), At(), At(1), direction="horizontal", none=not noisy,
        half=answers.half_width(survey.EPSILON), scale=0.4,
    )  # fmt: skip
    leaks = told.proved and seen
    colour: Colour = "private" if noisy else "danger_text" if leaks else "ink"
    words = GUESSED if noisy else WORKED_OUT
    return [
        wall,
        *tiles.full(eyebrow("reader head", (tiles.left, tiles.line(0)), words, colour=colour)),
        _tiles(told, beat, tiles),
        *(_guesses(told, chart) if noisy else _proofs(told, seen, chart)),
        *(_draw(told, tiles) if noisy else []),
    ]


def _tiles(told: ManyCounts, beat: Beat, panel: Panel) -> Mark:
    """What a reader knows of each mark; revealed, they fall like dominoes as counts come in."""
    tiles = _tiles_of(told, beat, panel)
    if beat != "reveal":
        return after(tiles, 0, 600)
    return stepping(tiles, [(ms, _tiles_of(numbers(stop), beat, panel)) for ms, stop in _way(told)])


def _way(told: ManyCounts) -> list[tuple[float, int]]:
    """The counts on the way from those that prove nothing, and when each of them is published."""
    stops = [stop for stop in survey.STOPS if START <= stop <= told.counts]
    return [(FALL * place / len(stops), stop) for place, stop in enumerate(stops)]


def _tiles_of(told: ManyCounts, beat: Beat, panel: Panel) -> Mark:
    """What a reader knows of each mark: nothing, the proved ones, or a guess."""
    signs = "?" * told.people if beat == "predict" else told.marks
    states: list[tallies.Tile] = [TILE[sign] for sign in signs]
    words = [MARK[sign] for sign in signs]
    if beat == "second":
        states = ["guessed" if right else "wrong" for right in told.right]
        words = [MARK[sign] + panel.said("?", "") for sign in told.guesses]
    place = panel.left, panel.y(0, 56)
    return panel.said(
        tallies.tiles("tiles", place, told.names, states, words),
        tallies.tiles("tiles", place, told.names, states, words, columns=4, size=(87.25, 21.6),
                      gap=3, text=14.5, inline=True),
    )  # fmt: skip


def _draw(told: ManyCounts, panel: Panel) -> list[Mark]:
    """How many guesses are right in the draw whose tiles are seen."""
    words = f"This draw: {sum(told.right)} right. Struck out: wrong."
    place = panel.left, panel.said(panel.y(0, 468), panel.line(0.2))
    return [after(frames.label("draw", place, words, colour="second"), 2600)]


def _proofs(told: ManyCounts, seen: bool, chart: Panel) -> list[Mark]:
    """How many people are proved by so many counts, drawn as far as they are published."""
    now, left, foot = told.counts, chart.x(0, 50), chart.y(1, -52)
    ends = [Tick(0, "0"), Tick(told.people, "40 counts" if now <= 25 else "40", anchor="end")]
    ticks = [one for one in ends if one.value != now]
    ticks += [Tick(START, whole(START))] * (seen and now > 12)
    ticks.append(Tick(now, whole(now), "bold", "end" if now == told.people else None, "now"))
    counts = frames.axis("counts", "x", (0, told.people), left, chart.x(1, -14), at=foot,
                         ticks=ticks, line=True)  # fmt: skip
    people = frames.axis("people", "y", (0, told.people), foot, chart.y(0, 62), at=left,
                         ticks=[Tick(20, "20"), Tick(40, "40")])  # fmt: skip
    curve = findings.curve(
        "proved", ("counts", "people"), range(told.people + 1), told.curve, steps=True, until=now,
        colour="danger", area=0.08, chosen=now, width=5,
    )  # fmt: skip
    found = [
        counts,
        people,
        eyebrow("people head", (chart.left, chart.line(0)), "PEOPLE PROVED"),
        eyebrow("wall head", (chart.right, chart.line(0)), "NO NOISE", colour="danger_text",
                anchor="end"),
        frames.rule("all", (On("counts", 0), On("people", told.people)),
                    (On("counts", told.people), On("people", told.people)),
                    colour="second", dash="1.5 5"),
        stepping(curve, [(ms, curve | {"until": stop}) for ms, stop in _way(told)])
        if seen
        else curve,
    ]  # fmt: skip
    if not seen:
        return [*found, *_nobody(chart)]
    return [*found, *chart.full(*_nobody(chart) * (now > START)), *_proved(told, chart)]


def _nobody(chart: Panel) -> list[Mark]:
    """What is given: the first counts prove nothing."""
    place, high = On("counts", START / 2), chart.px(-16)
    text = chart.said(f"after {START}", f"nobody after {START}")
    words = frames.label("nobody after", (place, On("people", 0, high)), text, colour="second",
                         anchor="middle")  # fmt: skip
    name = frames.label("nobody", (place, On("people", 0, high - 26)), "nobody", weight=700,
                        anchor="middle")  # fmt: skip
    return [*chart.full(name), words]


def _proved(told: ManyCounts, chart: Panel) -> list[Mark]:
    """The finding at the curve's end, and how far a few counts less had come."""
    now, share = told.counts, told.proved / told.people
    every = f"all {told.people}" if told.proved == told.people else whole(told.proved)
    text = every if told.proved else "nobody"
    ends = now > 25
    up = chart.px(-46 + 90 * share)
    place = chart.right if ends else On("counts", now, 16)
    anchor: Anchor = "end" if ends else "start"
    colour: Colour = "danger_text" if told.proved else "ink"
    found = [
        after(figure("found", (place, On("people", told.proved, up)), text, size=chart.size(30),
                     anchor=anchor, halo=True, colour=colour), 2500),
        after(frames.label("found after", (place, On("people", told.proved, up + chart.px(30))),
                           f"after {now}", colour="second", anchor=anchor, halo=True), 2700),
    ]  # fmt: skip
    if now <= SOME:
        return found
    earlier, some = On("counts", SOME, -20), told.curve[SOME]
    return [
        *found,
        *chart.full(
            after(frames.label("some", (earlier, On("people", some)), f"at least {some}",
                               weight=700, anchor="end"), 2700),
            after(frames.label("some after", (earlier, On("people", some, 26)), f"after {SOME}",
                               colour="second", anchor="end"), 2700)),
    ]  # fmt: skip


def _guesses(told: ManyCounts, chart: Panel) -> list[Mark]:
    """Sixty draws by the marks that they get right, beside what a guess without data gets."""
    foot, draws = chart.said(chart.y(1, -52), chart.y(1, -88)), Counter(told.noisy)
    upper = chart.said(chart.line(4.3), chart.line(1))
    ticks = [Tick(one, whole(one)) for one in (10, 20, 30, 40)]
    ticks.append(Tick(told.content, whole(told.content), "bold", name="content"))
    dots = answers.dots("guesses", ("right", "draws"), told.noisy)
    content = On("right", told.content)
    return [
        eyebrow("guesses head", (chart.left, chart.line(0)), "MARKS GUESSED RIGHT",
                colour="private"),
        eyebrow("epsilon head", (chart.right, chart.line(0)), f"NOISE, ε = {survey.EPSILON:g}",
                anchor="end"),
        frames.axis("right", "x", GUESSES, chart.x(0, 14), chart.x(1, -16), at=foot, ticks=ticks,
                    line=True),
        frames.axis("draws", "y", (0, max(9, *draws.values())), foot, chart.y(0, 62),
                    most=("right", 1)),
        frames.rule("content", (content, foot), (content, upper), width=2, dash="2 4"),
        entering(dots, (At(0.8), At(0, 10)), 25, 700),
        after(figure("mean", (chart.right, chart.line(1)), f"{whole(told.noisy_mean)} right",
                     size=chart.size(30), colour="private", anchor="end"), 2400),
        after(frames.label("mean of", (chart.right, chart.line(2)),
                           chart.said(f"on average of {len(told.noisy)} draws",
                                      f"mean of {len(told.noisy)}"),
                           anchor="end", colour="second"), 2600),
        *chart.full(*(after(one, 2600) for one in _references(told, chart))),
    ]  # fmt: skip


def _references(told: ManyCounts, chart: Panel) -> list[Mark]:
    """What no data at all get right, and what exact counts proved."""
    found = [
        frames.label("content word", (chart.right, chart.line(4)),
                     f"{told.content}: everyone is content", weight=700, anchor="end", halo=True)
    ]  # fmt: skip
    if told.proved <= GUESSES[0]:
        return found
    every, proved = (
        "all proved" if told.proved == told.people else "proved",
        On("right", told.proved),
    )
    return [
        *found,
        frames.rule("exact", (proved, chart.line(5.3)), (proved, chart.y(1, -52)), width=4,
                    colour="danger"),
        frames.label("exact word", (chart.right, chart.line(5)),
                     f"{told.proved}: {every}, without noise", colour="second", anchor="end",
                     halo=True),
    ]  # fmt: skip


SCENE = Scene(
    story="teach",
    name="many_counts",
    title="Twenty-two counts, forty secrets",
    seconds=90,
    goal="Large groups do not protect; enough exact counts determine every record. Noise paid "
    "from one budget stops it.",
    question="Each count is over a group of 14 to 28 people: “in this group 8 gave a bad "
    "mark”. Ten counts prove nothing about anybody. How many does it take to prove all 40 marks?",
    ask=ask,
    options=options(
        ("No number does: no group is small", "M2"),
        ("No more than 22", None),
        ("40, one for each person", "M3"),
        ("Hundreds", "M3"),
    ),
    about="22 exact counts",
    finding=finding,
    control=Control("at", "Counts published", survey.STOPS, START, whole, revealed=ALL),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="Every count is an equation about 40 unknown yes-or-no values. Ten equations leave "
    "many solutions; 22 leave one, and 14 do for a reader who tries only yes and no. Group size "
    "never entered. With noise, the equations contradict each other. One weak attack is no proof: "
    "the proof is scene 4.",
    full=("learn", {"story": "teach", "scene": "2"}),
    teacher="Drag slowly from 10 to 22: nothing, nothing, then the tiles fall like dominoes. Asked "
    "“Round the counts to 5?”: least squares still gets 28, 33, 37, 40 right from 22, 40, "
    "80, 160 counts. “Real?”: 34 tables of the 2010 US census let researchers of the Census "
    "Bureau reconstruct every record (five traits each) in 70 % of blocks, 97 million people; how "
    "much harm follows is disputed.",
    alt=alt,
    exercise="Cyra + Femi: 1 bad mark; Femi + Hana: 2; Cyra + Hana: 1. Who?",
    answer="Femi and Hana.",
    second=Second("Add noise", say_with_noise, alt_with_noise, start=ALL),
    sources=("Dinur and Nissim 2003", "Abowd et al. 2023", "Muralidhar 2022"),
)
