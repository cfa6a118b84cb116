"""The tank: every answer spends privacy; averaging defeats noise, a budget defeats averaging."""

from __future__ import annotations

import math

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.figures.stage import answers, findings, people, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.drawing import Drawing, Side
from dpviz.figures.stage.frames import Anchor, Tick, axis, label, rule
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.lessons.averaged import (
    EACH,
    PRIOR,
    PROMISED,
    Averaged,
    mean_error,
    numbers,
    places,
    reach_of_mean,
)
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after, stepping
from dpviz.lessons.words import at_most, plain, whole
from dpviz.lessons.written import beside, eyebrow, figure

SHOWN = (-16.0, 48.0)  # the answers in view
NEAR, CLOSE = 1.0, 0.05  # people: where averages are told by how many hit the truth
AXES = ("asked", "mean")
PLAY, STEPS = 2400, 49  # ms of all answers, and the steps that are shown of them


def ask(told: Averaged) -> Sentences:
    """What is known before the guess."""
    first = told.reach[0]
    return Sentences(
        "Ask again and again, and average: is the noise gone?",
        f"One answer with ε = {EACH:g}: {whole(told.mean(1))}; 19 of 20 are within {whole(first)} "
        "of the truth. Somebody gets 100.",
    )


def about(error: float) -> str:
    """A mean error as it is spoken of: 10, 3.5, 1, 0.36."""
    nearest = round(error)
    return str(nearest) if abs(error - nearest) < 0.12 * error else f"{error:.2g}"


def say(told: Averaged) -> Sentences:
    """How far averages of so many answers are off, and what they spent."""
    k, off, first = told.asked, about(told.off), about(told.off_first)
    if k == 1:
        return Sentences(
            f"One answer: off by :blue[about {off}].",
            f"This one is {whole(told.mean(1))}. ε = {told.spent:g} of {PROMISED:g} is spent.",
        )
    colour = "blue" if k <= told.paid else "orange"
    answers = "A hundred answers" if k == 100 else _answers(k)
    of = f" of {PROMISED:g}" if k <= told.paid else ""
    found = f"{told.near} of {len(told.averages)} averages are within 1 of {told.truth}"
    if told.off < NEAR:
        found = f"Within {CLOSE:g} of the truth: {whole(100 * told.very_near)} in 100"
    return Sentences(
        f"{answers}, averaged: off by :{colour}[about {off}], not {first}.",
        f"Four times the answers, half the error. {found}; ε = {told.spent:g}{of} is spent.",
    )


def finding(told: Averaged) -> str:
    """How far averages are off by their law."""
    return f"off by {told.off:.2f} on average, 19 of 20 within {_reach(told.asked)}"


def say_refused(told: Averaged) -> Sentences:
    """What is left to see where the tank is kept."""
    given = min(told.asked, told.paid)
    off = about(told.off_paid if given == told.paid else told.off)
    return Sentences(
        f"{whole(told.asked)} asked, {given} answered: off by :blue[about {off}].",
        f"The tank pays {told.paid} answers. {round(100 * PRIOR)} in 100 becomes at most "
        f"{at_most(told.most)}, whoever asks, however often.",
    )


def alt(told: Averaged) -> str:
    """The picture in words."""
    over = round(told.over)
    tanks = f", and {over} more are overdrawn" if over else ""
    low, high = told.span
    return (
        f"Averages of noisy answers close in on the black line at {told.truth}: "
        f"{len(told.averages)} averages of {_answers(told.asked)} lie from "
        f"{plain(low, 1)} to {plain(high, 1)}. A tank of "
        f"ε = {PROMISED:g} is empty after {told.paid} answers{tanks}."
    )


def alt_refused(told: Averaged) -> str:
    """The picture of the second beat in words."""
    given = min(told.asked, told.paid)
    where = f"stops after {_answers(given)}, where the tank is empty"
    if given < told.paid:
        where = f"stands after {_answers(given)}, of {told.paid} that the tank pays"
    return (
        f"The average of noisy answers starts at {whole(told.mean(1))} and {where}; 19 of 20 "
        f"averages are then within {_reach(given)} of the truth."
    )


def _reach(k: int) -> str:
    """Where 19 of 20 averages of so many answers lie; rounded up, for it is a limit."""
    return f"{math.ceil(10 * reach_of_mean(k) - 1e-9) / 10:g}"


def _answers(k: int) -> str:
    return "1 answer" if k == 1 else f"{whole(k)} answers"


def marks(told: Averaged, beat: Beat, screen: Screen) -> list[Mark]:
    """The mean of more and more answers, and the tank that they drain."""
    plot, budget = screen.columns(Column((0, 0.72), (0, 0.6)), Column((0.72, 1), (0.6, 1)))
    left, right, top, base = plot.x(0, 50), plot.x(1, -118), plot.y(0, 56), plot.y(1, -50)
    line = [
        eyebrow("average", (plot.left, plot.line(0)), "AVERAGE OF ALL ANSWERS SO FAR"),
        axis("asked", "x", (1, 1000), left, right, at=base, log=True, line=True,
             ticks=[Tick(1, "1 answer", anchor="start"), Tick(10, "10", "bold"), Tick(100, "100"),
                    Tick(1000, "1,000")]),
        axis("mean", "y", SHOWN, base, top, at=left, ticks=[Tick(y, str(y)) for y in (0, 20, 40)]),
    ]  # fmt: skip
    truth = [
        rule("truth", (left, On("mean", told.truth)), (right, On("mean", told.truth)), width=2.5),
        label("true", (beside(right, 10), On("mean", told.truth, 9)), f"{told.truth} true",
              weight=700),
    ]  # fmt: skip
    place = On("asked", 1, plot.px(16)), On("mean", told.mean(1), -12)
    number = figure("first number", place, whole(told.mean(1)), size=plot.size(24),
                    colour="private", halo=True)  # fmt: skip
    first = [_dot("first", told, 1), number]
    if beat == "predict":
        return [*line, *truth, *first, *_tank(told, 0, budget)]
    k = told.asked if beat == "reveal" else min(told.asked, told.paid)
    found = [*line, *_usual(told), *_cloud(told, k), *truth, *_empty(told, k, top, base),
             *_averages(told, k)]  # fmt: skip
    return [*found, _run(told, k), *first, *_later(told, k, plot), *_tank(told, k, budget),
            _budget(told, k, beat, budget)]  # fmt: skip


def _dot(name: str, told: Averaged, k: int, radius: float = 8) -> Mark:
    """A dot on the running mean."""
    colour: Colour = "private" if k <= told.paid else "danger"
    return answers.errorbar(name, "asked", On("mean", told.mean(k)), k, 0, height=0, radius=radius,
                            colour=colour)  # fmt: skip


def _usual(told: Averaged) -> list[Mark]:
    """Where 19 of 20 means lie: two areas on both sides of the truth."""
    found = []
    for name, side in (("above", 1), ("below", -1)):
        ends = [told.truth + side * one for one in told.reach]
        found.append(findings.curve(f"usual {name}", AXES, told.at, ends, width=0, area=0.1,
                                    floor=told.truth))  # fmt: skip
    return [after(one, 2400, 300) for one in found]


def _cloud(told: Averaged, k: int) -> list[Mark]:
    """The answers of the run in view, if any are: those that the tank pays are large."""
    run = told.answers[told.run]
    paid, rest = run[: min(k, told.paid)], run[told.paid : k]
    return [
        *_points("paid answers", paid, 1, 5.5, 0.5),
        *_points("more answers", rest, told.paid + 1, 2.6, 0.26),
    ]


def _points(name: str, values: FloatArray, first: int, radius: float, opacity: float) -> list[Mark]:
    seen = (values >= SHOWN[0]) & (values <= SHOWN[1])
    if not seen.any():
        return []
    x, y = (first + np.flatnonzero(seen)).tolist(), values[seen].tolist()
    dots = people.points(name, AXES, x, y, radius=radius, colour="private", opacity=opacity)
    return [after(dots, 0, 2400)]


def _run(told: Averaged, k: int) -> Mark:
    """The running mean, in another colour from where the tank is empty."""
    at = sorted({*places(), *SCENE.control.stops})
    curve = findings.curve("run", AXES, at, [told.mean(one) for one in at], width=4.5, until=k,
                           split=(told.paid, "danger"))  # fmt: skip
    return stepping(curve, [(ms, curve | {"until": some}) for ms, some in _on_the_way(k)])


def _on_the_way(k: int) -> list[tuple[float, int]]:
    """How many answers are seen after so many ms: time is on a logarithm, as the axis is."""
    shares = np.linspace(0, 1, STEPS)
    return [(round(PLAY * share), max(1, round(k**share))) for share in shares.tolist() if k > 1]


def _empty(told: Averaged, k: int, top: At, base: At) -> list[Mark]:
    if k < told.paid:
        return []
    x = On("asked", told.paid)
    word = label("empty", (On("asked", told.paid, 10), At(top.share, top.px + 16)), "tank empty",
                 weight=700, halo=True)  # fmt: skip
    return [after(rule("empty line", (x, top), (x, base), dash="1.6 5"), 2600), after(word, 2600)]


def _averages(told: Averaged, k: int) -> list[Mark]:
    """The averages of all runs, side by side, so that each is seen."""
    if k == 1:
        return []
    values = told.means[:, k - 1].clip(*SHOWN)
    at = k * np.geomspace(0.88, 1.0, values.size)
    colour: Colour = "private" if k <= told.paid else "danger"
    dots = people.points("averages", AXES, at.tolist(), values.tolist(), radius=4.5, colour=colour,
                         opacity=0.55)  # fmt: skip
    return [after(dots, 2400)]


def _later(told: Averaged, k: int, plot: Panel) -> list[Mark]:
    """How far averages are off where the tank was empty, and now."""
    found = []
    if k > told.paid:
        found.append(after(_dot("tenth", told, told.paid), 2600))
    if k >= 10 * told.paid:
        place = On("asked", told.paid, 14), On("mean", told.truth + reach_of_mean(told.paid), -10)
        words = figure("tenth number", place, f"off by {about(told.off_paid)}", size=24,
                       colour="private", halo=True)  # fmt: skip
        found += plot.full(after(words, 2600))
    if k > 1:
        early = k < 5 * told.paid
        place = (On("asked", k, 8 if early else -8),
                 On("mean", told.truth - reach_of_mean(k), plot.px(44)))  # fmt: skip
        colour: Colour = "private" if k <= told.paid else "danger_text"
        words = figure("now number", place, f"off by {about(mean_error(k))}", size=plot.size(33),
                       colour=colour, halo=True, anchor="start" if early else "end")  # fmt: skip
        found += [after(_dot("now", told, k, 9), 0, 2400), after(words, 2400)]
    return found


def _tank(told: Averaged, k: int, panel: Panel) -> list[Mark]:
    """The tank, what is left in it, and every tank that was spent beyond it."""
    over = _drained(told, k)["over"]
    corner, far, rest, (wide, high) = panel.said(
        ((panel.left, panel.line(0.45)), (panel.x(0, 96), panel.line(4.4)),
         (panel.left, panel.line(7.2)), (33.0, 38.0)),
        ((panel.left, panel.line(1.5)), (At(0, 56), panel.y(1, -20)),
         (At(0, 76), panel.line(1.5)), (28.0, 21.5)),
    )  # fmt: skip
    if over > 50:
        wide /= 2
    tank = tallies.tank(
        "tank", corner, far, max(0.0, round(1 - k / told.paid, 9)), slots=told.paid, over=over,
        over_at=rest, over_size=(wide, high), over_row=20 if over > 50 else 10,
    )  # fmt: skip
    tank = stepping(tank, [(ms, tank | _drained(told, some)) for ms, some in _on_the_way(k)])
    beside_tank = panel.x(0, 114)
    return [
        eyebrow("budget", (panel.left, panel.line(0)), "PRIVACY BUDGET"),
        tank,
        *panel.full(
            figure("promise", (beside_tank, panel.line(1.6)), f"ε = {PROMISED:g}", size=24),
            label("pays", (beside_tank, panel.line(2.9)), f"pays for {told.paid}"),
            label("each", (beside_tank, panel.line(3.9)), f"answers of {EACH:g}"),
        ),
    ]


def _drained(told: Averaged, k: int) -> Mark:
    """What a tank shows when so many answers were paid, or more than it pays."""
    level, over = max(0.0, round(1 - k / told.paid, 9)), round(max(0, k / told.paid - 1))
    return {"level": level, "over": over}


def _budget(told: Averaged, k: int, beat: Beat, panel: Panel) -> Mark:
    """What was spent, in words."""
    over, refused = round(max(0, k / told.paid - 1)), told.asked - k
    colour: Colour = "danger_text" if over else "private"
    if over:
        words = f"{over} tank{'s' * (over > 1)} too many"
    elif beat == "second" and refused:
        words = f"{whole(refused)} refused"
    else:
        words = f"{plain(k * EACH, 1)} of {PROMISED:g} spent"
    anchor: Anchor = panel.said("start", "end")
    place = panel.said((panel.left, panel.line(6.4)), (panel.right, panel.line(0)))
    return after(figure("spent", place, words, size=panel.size(24), colour=colour, anchor=anchor),
                 2400)  # fmt: skip


SCENE = Scene(
    story="teach",
    name="tank",
    title="The tank",
    seconds=90,
    goal="Each answer spends privacy; the losses add; averaging defeats noise, a budget defeats "
    "averaging.",
    question="One answer with ε = 0.1 is on average off by 10 people. Somebody gets 100 answers "
    "and averages them. The average of the 100 is off by about …",
    ask=ask,
    options=options(
        ("10: noise stays noise", "M7"),
        ("1", None),
        ("0.1: a hundred times better", "M7"),
        ("Something else", "M12"),
    ),
    about="An average of 100 answers",
    finding=finding,
    control=Control(
        "at", "Answers", (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000), 1, _answers, revealed=100
    ),
    numbers=numbers,
    say=say,
    marks=marks,
    drawing=Drawing(
        "v",
        "HOW FAR OFF IS THE AVERAGE?",
        "people off",
        across=Side(1, 100, ((1, "1 answer"), (10, "10"), (100, "100 answers"))),
        up=Side(0.05, 25, ((0.1, "0.1"), (1, "1"), (10, "10"))),
        at=(100,),
        names=("off after 100 answers",),
        given=lambda: ((1, mean_error(1)),),
        truth=lambda: (mean_error(100),),
        regions=((5, 20, "a"), (0.5, 2.5, "b"), (0.05, 0.3, "c")),
        other="d",
        leak=True,
    ),
    explanation="Noise averages out: four times the answers, half the error. So answers must be "
    "counted. Each one drains its ε from the tank; when it is empty, no more answers. The tank "
    "belongs to the people in the data, not to the analyst.",
    full=(
        "budget",
        {"data": "survey", "n_noise": "discrete-laplace", "n_side": "up to",
         "n_line": "4", "b_eps": "0.1", "b_k": "100"},
    ),
    teacher="Never use a quantile here: its mean stays biased and the attack seems to fail. Honest "
    "detail: the account is a worst case; after 1,000 answers the mean tells Ana's presence in 87 "
    "of 100 tries, a vote “how many were ≥ 16” in 94 of 100. Asked “Store the first answer and "
    "repeat it?”: yes, that is free.",
    alt=alt,
    exercise="ε = 1 to spend: ten answers of 0.1 and their mean, or one of 1?",
    answer="One: standard deviation 1.36 against 4.47, 3.3 times better. Ask once, ask well.",
    second=Second("Refuse when the tank is empty", say_refused, alt_refused, start=100),
    term="Budget, composition",
    formula=":blue[ε₁ + ε₂ + …]",
)  # fmt: skip
