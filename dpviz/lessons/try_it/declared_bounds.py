"""Declare the bounds without looking: they come from public knowledge, never from the file."""

from dataclasses import dataclass, replace

from dpviz.core.checks import found
from dpviz.core.errors import InvalidParameter
from dpviz.figures.stage import answers, findings, frames, people
from dpviz.figures.stage.frames import Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import sample
from dpviz.lessons import one_bound
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.try_it import bounds
from dpviz.lessons.try_it.bounds import amount, near, short
from dpviz.lessons.try_it.playground import playground
from dpviz.lessons.words import whole

STOPS = (100_000.0, 200_000.0, 500_000.0, 1_000_000.0, 5_000_000.0, 50_000_000.0)
LEAST, MOST = 1e-9, 1e100  # what can be drawn
FILE, BARRIER = (0.03, 0.185), 0.245  # shares of the picture's height
AXIS = 0.66
GRAINS = 5_000  # on the closed file: a matter of looks


@dataclass(frozen=True, slots=True)
class Declared:
    """An upper bound that was declared, and what the file's own maximum would have said.

    people is public knowledge; largest is known here because the sample is public. peeked says
    that a source was chosen that looks into the file.
    """

    upper: float
    people: int
    largest: float
    source: str
    cost: bounds.Cost
    peeked: bool = True

    @property
    def end(self) -> float:
        """Where the axis ends, in upper bounds: from the declaration, never from the file."""
        return bounds.round_end(self.upper) / self.upper

    @property
    def step(self) -> float:
        """How far apart private quantiles can be under this bound."""
        return bounds.step(self.upper)

    @property
    def coarse(self) -> bool:
        """Whether those steps are wider than the steps of pay."""
        return self.upper > bounds.widest()

    @property
    def leak(self) -> float:
        """Where the file's maximum falls, in upper bounds."""
        return self.largest / self.upper


def numbers(upper: float, _: int = 1) -> Declared:
    """What is declared, and what it costs on a stand-in.

    Raises: InvalidParameter for a bound that is no positive number.
    """
    if not LEAST <= upper <= MOST:  # NaN too
        raise InvalidParameter(f"The upper bound must be a positive number, got {found(upper)}.")
    known = sample(bounds.SALARIES).bounds[0].high
    source = "a public pay scale" if upper == known else "from public knowledge"
    return Declared(upper, bounds.about(), bounds.largest(), source, bounds.cost(float(upper)))


def ask(told: Declared) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "Bounds for pay, declared unseen: which source is allowed?",
        f"Your file has about {whole(told.people)} rows. Before any release its values need "
        "bounds: from 0 to … what?",
    )


def say(told: Declared) -> Sentences:
    """The bounds that were declared, and what stays confidential."""
    upper = amount(told.upper)
    return Sentences(
        f"Declared before looking: :blue[0 to {upper}].",
        f"Upper bound {upper} declared. How many values lie above is confidential.",
    )


def alt(told: Declared) -> str:
    """The picture in words."""
    given = f"An axis with two handles at 0 and {amount(told.upper)}, and no data. The file stays "
    if not told.peeked:
        return f"{given}closed."
    return f"{given}closed; its maximum, {whole(told.largest)}, falls through the barrier: a leak."


def spared(told: Declared) -> Declared:
    """Nothing leaks to somebody who asked public knowledge."""
    return replace(told, peeked=False)


def say_cost(told: Declared) -> Sentences:
    """What the bound costs, on a stand-in."""
    cost = told.cost
    headline = f"Off by {near(cost.average)} as an average, :blue[{near(cost.median)}] as a median."
    if told.coarse:
        return Sentences(
            headline,
            f"A stand-in, ε = {bounds.EPSILON:g}: so wide a bound leaves steps of "
            f"{near(told.step)}, and costs medians too.",
        )
    asked = f"A stand-in, ε = {bounds.EPSILON:g}. A bound proposed privately for a tenth of it"
    off = _two(bounds.proposed())
    if cost.average > bounds.proposed():
        return Sentences(headline, f"{asked} is better: an average off by {off}.")
    edge = _two(bounds.worth_asking())
    return Sentences(headline, f"{asked} costs {off}: better from about {edge} on.")


def _two(value: float) -> str:
    """Two digits of it, for it is measured in runs."""
    return short(float(f"{value:.2g}"))


def alt_cost(told: Declared) -> str:
    """The second picture in words."""
    rise = ", and rises where its steps grow" if told.coarse else ""
    return (
        "Typical error over the upper bound, on made-up data: a V for the average, a line that "
        f"soon lies flat for the median{rise}. At {amount(told.upper)} they are "
        f"{near(told.cost.average)} and {near(told.cost.median)}."
    )


def marks(told: Declared, beat: Beat, screen: Screen) -> list[Mark]:
    """The file, the barrier and an axis; then the handles from below, and the leak from above."""
    if beat == "second":
        return playground(told.upper, screen)
    pay = frames.axis(
        "pay", "x", (0, told.end), At(0, 16), At(1, -18), at=At(AXIS), line=True,
        ticks=[] if beat == "predict" else _ticks(told, screen),
    )  # fmt: skip
    up = frames.axis("up", "y", (0, 1), At(AXIS), At(AXIS - 0.15))
    leak = [_fall(told)] if told.peeked and beat != "predict" else []
    aside = any(x < told.end / 2 for x in leak)  # words leave the way of the beam
    rows = f"about {whole(told.people)} rows, "
    unseen = f"   {screen.said(rows, '')}nobody has looked"
    words: list[frames.Run] = [("YOUR FILE", "bold"), (unseen, "on_closed")]
    shown = [
        pay,
        up,
        people.closed("file", (At(), At(FILE[0])), (At(1), At(FILE[1])), GRAINS, ramp=True,
                      clear=screen.said(0.42, 0.5)),
        frames.label("file words", (At(0, 22), At(sum(FILE) / 2, 6)), words, colour="on_closed"),
        answers.barrier("barrier", At(BARRIER), At(), At(1), direction="horizontal", half=17,
                        gaps=[(On("pay", x, -16), On("pay", x, 16)) for x in leak]),
        eyebrow("public", (At(aside), At(0.36)), "PUBLIC KNOWLEDGE", colour="private",
                anchor="end" if aside else "start"),
    ]  # fmt: skip
    if beat == "predict":
        return shown
    return [*shown, *_declared(told, screen), *(_leak(told, screen) if told.peeked else [])]


def _ticks(told: Declared, screen: Screen) -> list[Tick]:
    """Round values, but none beside the declared one."""
    step = told.end / screen.said(5, 2.5)
    places = [step * i for i in range(1, 6) if step * i <= told.end * 1.001]
    return [
        Tick(x, short(float(f"{x * told.upper:.6g}")), anchor="end" if x == places[-1] else None)
        for x in places
        if abs(x - 1) > 0.12 * told.end
    ]


def _fall(told: Declared) -> float:
    """Where the leak falls; a maximum beyond the axis falls at its end."""
    return min(told.leak, told.end)


def _declared(told: Declared, screen: Screen) -> list[Mark]:
    """The stretch that was declared, held by two handles with their public sources."""
    stretch = answers.law("stretch", ("pay", "up"), 0, [1], fill=0.1)
    stem = screen.px(40)
    handles = [
        findings.handle("low", "pay", 0, At(AXIS), "0", "by law", stem=stem, anchor="start",
                        colour="private"),
        findings.handle("high", "pay", 1, At(AXIS), amount(told.upper), told.source,
                        stem=stem, anchor="start", colour="private"),
    ]  # fmt: skip
    beside = _fall(told) if 1 < _fall(told) < 0.6 * told.end else 1
    at = screen.said((On("pay", beside, 40), At(0.54)), (At(), At(0.95)))
    said = figure("none", at, "No histogram here, on purpose.", size=screen.size(20),
                  colour="second")  # fmt: skip
    then = frames.label("above", (at[0], At(0.605)),
                        f"How many lie above {amount(told.upper)} is confidential.",
                        colour="second")  # fmt: skip
    words = [said, *screen.full(then)]
    return [after(one, 0, 400) for one in (stretch, *handles)] + [after(w, 600) for w in words]


def _leak(told: Declared, screen: Screen) -> list[Mark]:
    """The file's maximum, as it would fall through the barrier onto the axis."""
    x = _fall(told)
    right = x < 0.5 * told.end
    anchor: frames.Anchor = "start" if right else "end"
    high = 0.42
    place = On("pay", x, 18 if right else -18)
    far = told.leak > told.end
    words = screen.said(
        "LEAK: the file’s maximum, one person’s pay" + ", beyond this axis" * far,
        "LEAK: far beyond this axis" if far else "LEAK: the maximum",
    )
    end = On("pay", x), At(AXIS)
    beam = findings.beam("beam", (On("pay", x), At(FILE[1])), [end], head=10)
    number = figure("largest", (place, At(high, -7)), whole(told.largest), size=screen.size(30),
                    colour="danger_text", anchor=anchor, halo=True)  # fmt: skip
    whose = frames.label("whose", (place, At(high + 0.065)), words, anchor=anchor, halo=True,
                         colour="danger_text")  # fmt: skip
    return [after(beam, 900, 700), after(number, 1600), after(whose, 1800)]


def finding(told: Declared) -> str:
    """Whose value any source inside the file gives away."""
    return f"its maximum, {whole(told.largest)}, is one person’s pay"


def remark() -> str:
    """What a stand-in whose tail is too thin would have cost."""
    upper, off = bounds.chosen(), bounds.on_the_file()
    told = one_bound.numbers(one_bound.STOPS[0])
    times = off / told.error_at(told.best)
    return (
        f"A stand-in with a thin tail would choose {whole(upper)}. On the real file that costs "
        f"{whole(off)}, {times:.1f} times the best of nine bounds. Prefer a law’s limit to a "
        "fitted "
        "shape."
    )


SCENE = Scene(
    story="try",
    name="declared_bounds",
    title="Declare the bounds without looking",
    seconds=60,
    goal="Bounds come from public knowledge.",
    question="Which source is allowed?",
    ask=ask,
    options=options(
        ("Minimum and maximum of the file", "M9"),
        ("The same, rounded up", "M9"),
        ("A law, or a public pay scale", None),
        (
            "Any, for a median",
            "M9",
            "A bound from the file leaks for a median, too; and of few people a wide one costs.",
        ),
    ),
    about="A source in the file leaks",
    finding=finding,
    control=Control("at", "Upper bound", STOPS, 500_000.0, amount, kind="typed"),
    numbers=numbers,
    say=say,
    marks=marks,
    spared=spared,
    explanation="A bound taken from the file is a statistic without noise: it is somebody's value. "
    "Choose what everyone could know. Slightly too wide is cheap for quantiles and dear for sums; "
    "too tight cuts people off. Where nobody knows any, a private search can propose them; that "
    "costs a part of the budget, and now and then it stops far too late.",
    full=("data", {}),
    teacher="Watch for a default bound that a tool takes from the data, behind a "
    "warning. Rounding the maximum up is still taken from the file, and “any, for a median” is "
    "true only with many people.",
    alt=alt,
    exercise="Bounds for age, hours per week, commute in km?",
    answer="0–120, 0–168, 0–200, and say why.",
    remark=remark,
    second=Second("What it costs", say_cost, alt_cost),
)
