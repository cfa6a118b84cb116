"""A machine that asks for random groups: 22 exact counts prove 40 marks, noisy ones none."""

from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.randomness.noise import Noise
from dpviz.figures.stage import answers, findings, frames, pieces, tallies
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Panel
from dpviz.intake.samples import sample_names
from dpviz.lessons import survey
from dpviz.lessons.scene import Sentences
from dpviz.lessons.staged import after, entering, stepping
from dpviz.lessons.words import plain, whole

START, ALL, SOME = 10, 22, 14  # counts that prove nothing yet, every mark, and some
FALL = 2500.0  # ms until all counts are published
TILE: dict[str, tallies.Tile] = {"?": "open", "+": "bad", "-": "good"}
MARK = {"?": "?", "+": "bad", "-": "good"}
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
def numbers(counts: int = ALL) -> ManyCounts:
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


def proved(told: ManyCounts, panel: Panel, chart: Panel) -> list[Mark]:
    """What a reader knows of each mark: they fall like dominoes as counts come in."""
    steps = [(ms, _tiles_of(numbers(stop), panel)) for ms, stop in _way(told)]
    return [stepping(_tiles_of(told, panel), steps), *_proofs(told, chart)]


def _way(told: ManyCounts) -> list[tuple[float, int]]:
    """The counts on the way from those that prove nothing, and when each of them is published."""
    stops = [stop for stop in survey.STOPS if START <= stop <= told.counts]
    return [(FALL * place / len(stops), stop) for place, stop in enumerate(stops)]


def _tiles_of(told: ManyCounts, panel: Panel) -> Mark:
    words = [MARK[sign] for sign in told.marks]
    return pieces.named_tiles(panel, told.names, [TILE[sign] for sign in told.marks], words)


def guessed(told: ManyCounts, panel: Panel, chart: Panel) -> list[Mark]:
    """What a reader guesses from noisy counts, wrong guesses struck out, and how many are right."""
    states: list[tallies.Tile] = ["guessed" if right else "wrong" for right in told.right]
    words = [MARK[sign] + panel.said("?", "") for sign in told.guesses]
    said = f"This draw: {sum(told.right)} right. Struck out: wrong."
    place = panel.left, panel.said(panel.y(0, 468), panel.line(0.2))
    return [
        after(pieces.named_tiles(panel, told.names, states, words), 0, 600),
        after(frames.label("draw", place, said, colour="second"), 2600),
        *_guesses(told, chart),
    ]


def _proofs(told: ManyCounts, chart: Panel) -> list[Mark]:
    """How many people are proved by so many counts, drawn as far as they are published."""
    now, left, foot = told.counts, chart.x(0, 50), chart.y(1, -52)
    ends = [Tick(0, "0"), Tick(told.people, "40 counts", anchor="end")]
    ticks = [*ends, Tick(START, whole(START)), Tick(now, whole(now), "bold", name="now")]
    axes, span, everybody = ("counts", "people"), (0, told.people), On("people", told.people)
    curve = findings.curve("proved", axes, range(told.people + 1), told.curve, steps=True,
                           until=now, colour="danger", area=0.08, chosen=now,
                           width=5)  # fmt: skip
    return [
        *pieces.axes_of(axes, (span, span), (left, chart.x(1, -14), foot, chart.y(0, 62)),
                        (ticks, [Tick(20, "20"), Tick(40, "40")])),
        pieces.heading(chart, "people head", "PEOPLE PROVED"),
        pieces.heading(chart, "wall head", "NO NOISE", "danger_text", "end"),
        frames.rule("all", (On("counts", 0), everybody), (On("counts", told.people), everybody),
                    colour="second", dash="1.5 5"),
        stepping(curve, [(ms, curve | {"until": stop}) for ms, stop in _way(told)]),
        *chart.full(*_nobody(chart)),
        *_proved(told, chart),
    ]  # fmt: skip


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
    now, place, up = told.counts, On("counts", told.counts, 16), chart.px(44)
    earlier, some = On("counts", SOME, -20), told.curve[SOME]
    found = pieces.number(chart, "found", (place, On("people", told.proved, up)),
                          f"all {told.proved}", 30, "danger_text", halo=True)  # fmt: skip
    words = frames.label("found after", (place, On("people", told.proved, up + chart.px(30))),
                         f"after {now}", colour="second", halo=True)  # fmt: skip
    least = frames.label("some", (earlier, On("people", some)), f"at least {some}", weight=700,
                         anchor="end")  # fmt: skip
    below = frames.label("some after", (earlier, On("people", some, 26)), f"after {SOME}",
                         colour="second", anchor="end")  # fmt: skip
    later = [after(one, 2700) for one in (words, *chart.full(least, below))]
    return [after(found, 2500), *later]


def _guesses(told: ManyCounts, chart: Panel) -> list[Mark]:
    """Sixty draws by the marks that they get right, beside what a guess without data gets."""
    foot, draws = chart.said(chart.y(1, -52), chart.y(1, -88)), Counter(told.noisy)
    upper = chart.said(chart.line(4.3), chart.line(1))
    ticks = [Tick(one, whole(one)) for one in (10, 20, 30, 40)]
    ticks.append(Tick(told.content, whole(told.content), "bold", name="content"))
    dots = answers.dots("guesses", ("right", "draws"), told.noisy)
    content, draws_ = On("right", told.content), len(told.noisy)
    average = chart.said(f"on average of {draws_} draws", f"mean of {draws_}")
    return [
        pieces.heading(chart, "guesses head", "MARKS GUESSED RIGHT", "private"),
        pieces.heading(chart, "epsilon head", f"NOISE, ε = {survey.EPSILON:g}", anchor="end"),
        frames.axis("right", "x", GUESSES, chart.x(0, 14), chart.x(1, -16), at=foot, ticks=ticks,
                    line=True),
        frames.axis("draws", "y", (0, max(9, *draws.values())), foot, chart.y(0, 62),
                    most=("right", 1)),
        frames.rule("content", (content, foot), (content, upper), width=2, dash="2 4"),
        entering(dots, (At(0.8), At(0, 10)), 25, 700),
        after(pieces.number(chart, "mean", (chart.right, chart.line(1)),
                            f"{whole(told.noisy_mean)} right", 30, anchor="end"), 2400),
        after(frames.label("mean of", (chart.right, chart.line(2)), average, anchor="end",
                           colour="second"), 2600),
        *chart.full(*(after(one, 2600) for one in _references(told, chart))),
    ]  # fmt: skip


def _references(told: ManyCounts, chart: Panel) -> list[Mark]:
    """What no data at all get right, and what exact counts proved."""
    proved = On("right", told.proved)
    said = (f"{told.content}: everyone is content", f"{told.proved}: all proved, without noise")
    content, exact = ((chart.right, chart.line(one)) for one in (4, 5))
    return [
        frames.label("content word", content, said[0], weight=700, anchor="end", halo=True),
        frames.rule("exact", (proved, chart.line(5.3)), (proved, chart.y(1, -52)), width=4,
                    colour="danger"),
        frames.label("exact word", exact, said[1], colour="second", anchor="end", halo=True),
    ]  # fmt: skip
