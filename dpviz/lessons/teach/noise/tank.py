"""The tank: every answer spends privacy; averaging defeats noise, a budget defeats averaging."""

import math
from typing import Any

import numpy as np

from dpviz.figures.stage import findings, people, pieces
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.drawing import Drawing, Side
from dpviz.figures.stage.frames import Anchor, Tick, label, rule
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import beside
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
    more = "1 more tank is" if over == 1 else f"{over} more tanks are"
    tanks = f", and {more} overdrawn" if over else ""
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
    first_, *others = Tick(1, "1 answer", anchor="start"), Tick(10, "10", "bold"), Tick(100, "100")
    ticks = [first_, *others, Tick(1000, "1,000")]
    axes = pieces.axes_of(AXES, ((1, 1000), SHOWN), (left, right, base, top),
                          (ticks, [Tick(y, str(y)) for y in (0, 20, 40)]),
                          log=(True, False))  # fmt: skip
    line = [pieces.heading(plot, "average", "AVERAGE OF ALL ANSWERS SO FAR"), *axes]
    y, first = On("mean", told.truth), (On("asked", 1, plot.px(16)), On("mean", told.mean(1), -12))
    side = beside(right, 10), pieces.further(y, 9)
    truth = [rule("truth", (left, y), (right, y), width=2.5),
             label("true", side, f"{told.truth} true", weight=700)]  # fmt: skip
    number = pieces.number(plot, "first number", first, whole(told.mean(1)), 24, halo=True)
    begun = [_dot("first", told, 1), number]
    if beat == "predict":
        return [*line, *truth, *begun, *_tank(told, 0, budget)]
    k = told.asked if beat == "reveal" else min(told.asked, told.paid)
    return [*line, *_usual(told), *_cloud(told, k), *truth, *_empty(told, k, top, base),
            *_averages(told, k), _run(told, k), *begun, *_later(told, k, plot),
            *_tank(told, k, budget), _budget(told, k, beat, budget)]  # fmt: skip


def _colour(told: Averaged, k: int, beyond: Colour = "danger") -> Colour:
    return "private" if k <= told.paid else beyond


def _dot(name: str, told: Averaged, k: int, radius: float = 8) -> Mark:
    """A dot on the running mean."""
    return pieces.dot(name, "asked", k, On("mean", told.mean(k)), radius, _colour(told, k))


def _usual(told: Averaged) -> list[Mark]:
    """Where 19 of 20 means lie: two areas on both sides of the truth."""
    ends = {name: [told.truth + side * one for one in told.reach]
            for name, side in (("above", 1), ("below", -1))}  # fmt: skip
    return [after(findings.curve(f"usual {name}", AXES, told.at, ends[name], width=0, area=0.1,
                                 floor=told.truth), 2400, 300) for name in ends]  # fmt: skip


def _cloud(told: Averaged, k: int) -> list[Mark]:
    """The answers of the run in view, if any are: those that the tank pays are large."""
    run = told.answers[told.run][:k]
    at = np.flatnonzero((run >= SHOWN[0]) & (run <= SHOWN[1]))
    sets = (("paid", at[at < told.paid], 5.5, 0.5), ("more", at[at >= told.paid], 2.6, 0.26))
    return [after(one, 0, 2400) for name, x, radius, opacity in sets
            for one in pieces.scatter(f"{name} answers", AXES, (x + 1).tolist(), run[x].tolist(),
                                      radius=radius, opacity=opacity)]  # fmt: skip


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
    place = On("asked", told.paid, 10), beside(top, 16)
    word = label("empty", place, "tank empty", weight=700, halo=True)
    return [after(rule("empty line", (x, top), (x, base), dash="1.6 5"), 2600), after(word, 2600)]


def _averages(told: Averaged, k: int) -> list[Mark]:
    """The averages of all runs, side by side, so that each is seen."""
    if k == 1:
        return []
    values = told.means[:, k - 1].clip(*SHOWN)
    at = k * np.geomspace(0.88, 1.0, values.size)
    dots = people.points("averages", AXES, at.tolist(), values.tolist(), radius=4.5,
                         colour=_colour(told, k), opacity=0.55)  # fmt: skip
    return [after(dots, 2400)]


def _later(told: Averaged, k: int, plot: Panel) -> list[Mark]:
    """How far averages are off where the tank was empty, and now."""
    found = [after(_dot("tenth", told, told.paid), 2600)] * (k > told.paid)
    if k >= 10 * told.paid:
        place = On("asked", told.paid, 14), On("mean", told.truth + reach_of_mean(told.paid), -10)
        words = pieces.number(plot, "tenth number", place, f"off by {about(told.off_paid)}", 24,
                              halo=True)  # fmt: skip
        found += plot.full(after(words, 2600))
    if k > 1:
        early = k < 5 * told.paid
        place = (On("asked", k, 8 if early else -8),
                 On("mean", told.truth - reach_of_mean(k), plot.px(44)))  # fmt: skip
        words = pieces.number(plot, "now number", place, f"off by {about(mean_error(k))}", 33,
                              _colour(told, k, "danger_text"), "start" if early else "end",
                              halo=True)  # fmt: skip
        found += [after(_dot("now", told, k, 9), 0, 2400), after(words, 2400)]
    return found


def _tank(told: Averaged, k: int, panel: Panel) -> list[Mark]:
    """The tank, what is left in it, and every tank that was spent beyond it."""
    pays = f"pays for {told.paid}", f"answers of {EACH:g}"
    tank, heading, *promise = pieces.budget(panel, **_drained(told, k), slots=told.paid,
                                            promise=f"ε = {PROMISED:g}", pays=pays)  # fmt: skip
    tank = stepping(tank, [(ms, tank | _drained(told, some)) for ms, some in _on_the_way(k)])
    return [heading, tank, *promise]


def _drained(told: Averaged, k: int) -> dict[str, Any]:
    """What a tank shows when so many answers were paid, or more than it pays."""
    level, over = max(0.0, round(1 - k / told.paid, 9)), round(max(0, k / told.paid - 1))
    return {"level": level, "over": over}


def _budget(told: Averaged, k: int, beat: Beat, panel: Panel) -> Mark:
    """What was spent, in words."""
    anchor: Anchor = panel.said("start", "end")
    place = panel.said((panel.left, panel.line(6.4)), (panel.right, panel.line(0)))
    colour: Colour = "danger_text" if _drained(told, k)["over"] else "private"
    words = _spent(told, k, told.asked - k if beat == "second" else 0)
    return after(pieces.number(panel, "spent", place, words, 24, colour, anchor), 2400)


def _spent(told: Averaged, k: int, refused: int) -> str:
    """What so many answers cost, and how many were refused for it."""
    over = _drained(told, k)["over"]
    if over:
        return f"{over} tank{'s' * (over > 1)} too many"
    return f"{whole(refused)} refused" if refused else f"{plain(k * EACH, 1)} of {PROMISED:g} spent"


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
