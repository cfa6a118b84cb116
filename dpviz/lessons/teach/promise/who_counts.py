"""Who counts as one? The promise is for a unit, and "neighbour" says which."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.stage import answers, findings, pieces
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.frames import Tick, axis, label, rule
from dpviz.figures.stage.places import Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import beside, eyebrow
from dpviz.intake.samples import load_sample, sample_names
from dpviz.lessons.scene import Beat, Control, Scene, Second, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import whole
from dpviz.mechanisms.counting.noisy_counts import noise_scale
from dpviz.mechanisms.sums.noisy_sum import sum_sensitivity

ROW = "row"
STOPS = (ROW, "12", "6", "3")  # what is one: a row, or a person with at most so many rows
NOISE, EPSILON, USUAL = Noise.DISCRETE_LAPLACE, 0.1, 0.95
PEOPLE, SEED, FULL = 40, 112, 12  # who eats, whose lunches these are, and the most of a person
ANA, PRIOR = 0, 0.1
AGES = Bounds(18, 70)
MOVED = 8  # the mark that Ana's is replaced by


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """What is protected, what the count of all lunches is then off by, and the most about Ana.

    lunches (40,) are rows of each person, cap is how many of them count, None for all. sensitivity
    is the most that one unit moves the count, reach how far 19 of 20 answers are off, loss the ε
    that all rows of Ana have, and most the largest belief after the answer from one of 10 in 100.
    bars (10,) are the marks of the staff survey, before that at which Ana's stands; changes says,
    for each kind of answer, the sensitivity with a person added, and with one replaced.
    """

    name: str
    lunches: tuple[int, ...]
    cap: int | None
    sensitivity: int
    reach: int
    loss: float
    most: float
    bars: tuple[int, ...]
    before: int
    changes: tuple[tuple[str, float, float], ...]
    reaches: tuple[int, int]

    @property
    def kept(self) -> tuple[int, ...]:
        """The rows of each person that count."""
        return tuple(min(one, self.cap or FULL) for one in self.lunches)

    @property
    def rows(self) -> int:
        """All lunches."""
        return sum(self.lunches)

    @property
    def cut(self) -> int:
        """The lunches that do not count."""
        return self.rows - sum(self.kept)

    @property
    def counted(self) -> int:
        """Ana's rows that count."""
        return self.kept[ANA]

    @property
    def at_most(self) -> int:
        """The largest belief in 100, rounded up."""
        return math.ceil(round(100 * self.most, 6))

    @property
    def times(self) -> float:
        """The most that the odds about Ana grow."""
        return math.exp(self.loss)


@lru_cache(maxsize=8)
def numbers(stop: str, _: int = 1) -> Unit:
    """The file, and what one unit of it can do; nothing is drawn but the file."""
    lunches = np.random.default_rng(SEED).integers(1, FULL + 1, PEOPLE)
    lunches[ANA] = FULL
    (ratings,) = load_sample("survey")
    cap = None if stop == ROW else int(stop)
    sensitivity = cap or 1
    loss = EPSILON if cap else EPSILON * int(lunches[ANA])
    added, replaced = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
    return Unit(
        name=sample_names("survey")[ANA],
        lunches=tuple(lunches.tolist()),
        cap=cap,
        sensitivity=sensitivity,
        reach=round(NOISE.reach(sensitivity / EPSILON, USUAL)),
        loss=loss,
        most=float(odds_of(PureDP(loss), 0.5).posterior(np.array([PRIOR]))[1][0]),
        bars=tuple(np.bincount(ratings.astype(np.int64), minlength=11)[1:].tolist()),
        before=int(ratings[ANA]),
        changes=(
            ("one count", 1, 1),
            ("ten bars", added.counts_changed, replaced.counts_changed),
            (
                f"ages {AGES.low:g} to {AGES.high:g}, summed",
                sum_sensitivity(AGES, added),
                sum_sensitivity(AGES, replaced),
            ),
        ),
        reaches=(_reach_of_bars(added), _reach_of_bars(replaced)),
    )


def _reach_of_bars(neighbours: Neighbours) -> int:
    """How far 19 of 20 answers of one bar of a histogram are off."""
    return round(NOISE.reach(noise_scale(NOISE, PureDP(EPSILON), 1, neighbours), USUAL))


SHOWN, AXES = (-100.0, 700.0), ("person", "row")  # lunches on the axis; axes of the strips
SUSPECTED = round(100 * PRIOR)


def named(stop: str) -> str:
    """What is protected, at a stop."""
    return "one row" if stop == ROW else f"person, ≤ {stop}"


def ask(told: Unit) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        f"Every row is one lunch, and {told.name} has {told.counted}. Who is protected?",
        f"{whole(told.rows)} lunches of {len(told.lunches)} people. The count is published; “one "
        f"row” is protected with ε = {EPSILON:g}.",
    )


def say(told: Unit) -> Sentences:
    """What is left to suspect, and what the count is off by."""
    if told.cap is None:
        return Sentences(
            f"Protect a row, and {told.name}’s {told.counted} rows add up: "
            f":orange[{told.at_most} in 100].",
            f"Odds × e^{told.loss:g}: {_odds(told)}. The count is ± {told.reach} of {told.rows} "
            "lunches.",
        )
    cut = f"{told.cut} of {told.rows} lunches are cut off. " if told.cut else ""
    share = f", {round(100 * told.reach / told.rows)} % of all {told.rows}" * (not cut)
    return Sentences(
        f"Protect a person: :blue[{told.at_most} in 100], and ± {told.reach} lunches.",
        f"A person moves the count by up to {told.sensitivity}: noise {told.sensitivity}/ε{share}. "
        f"{cut}".rstrip(),
    )


def _odds(told: Unit) -> str:
    """The odds before, times what all rows of Ana allow, as a sum that can be checked."""
    rest = 100 - SUSPECTED
    return f"**{SUSPECTED} : {rest} × {told.times:.3g} = {SUSPECTED * told.times:.3g} : {rest}**"


def finding(told: Unit) -> str:
    """The most that a suspicion becomes, and by which ε."""
    return f"at most {told.at_most} in 100, for {told.name}’s rows add up to ε = {told.loss:g}"


def alt(told: Unit) -> str:
    """The picture in words."""
    unit = "one grain" if told.cap is None else f"one strip of at most {told.cap}"
    return (
        f"{len(told.lunches)} strips of grains, {told.name}’s {told.lunches[ANA]} in ink; {unit} "
        f"is framed. An error bar of {told.reach} lunches to both sides of "
        f"{told.rows - told.cut}, and a hundred figures: {SUSPECTED} filled before, "
        f"{told.at_most - SUSPECTED} more at most after the answer."
    )


def say_replaced(told: Unit) -> Sentences:
    """What another kind of neighbour costs."""
    once, twice = told.reaches
    _, (_, one, two), (_, low, high) = told.changes
    return Sentences(
        f"Replaced, not added: ten bars need :blue[± {twice}], not ± {once}.",
        f"One bar goes down, one up: {two:g} changes, not {one:g}. A sum of ages needs {high:g} "
        f"in place of {low:g}: say which.",
    )


def alt_replaced(told: Unit) -> str:
    """The second beat in words."""
    _, (_, one, two), (_, low, high) = told.changes
    return (
        f"Ten bars of marks twice. {told.name} added: {one:g} bar grows. Her mark replaced: "
        f"{two:g} bars change. A sum of ages changes by {low:g} and {high:g}."
    )


def marks(told: Unit, beat: Beat, screen: Screen) -> list[Mark]:
    """The file and its unit; what the count is off by, and what it tells of Ana."""
    file, answer = screen.columns(Column((0, 0.52), (0, 0.37)), Column((0.58, 1), (0.39, 1)))
    if beat == "second":
        return [*_bars(told, file), *_table(told, answer)]
    seen = beat != "predict"
    return [*_strips(told, file), *_count(told, answer), *_people(told, answer, seen=seen)]


def _strips(told: Unit, panel: Panel) -> list[Mark]:
    """One strip a person, one grain a lunch; the unit is framed, what is cut off is pale."""
    base, cap, rows = panel.y(1, -40), told.cap or FULL, told.lunches
    first = On("person", 0), On("row", 0 if told.cap else FULL - 1)
    words = "unit: one row" if told.cap is None else f"unit: one person, ≤ {cap} rows"
    line = rule("cap", (panel.left, On("row", cap)), (panel.right, On("row", cap)), dash="2 6")
    head = On("row", FULL, -panel.px(16))
    grains = [(person, row) for person, many in enumerate(rows) for row in range(many)]
    kept = [one for one in grains if one[1] < cap]
    return [
        eyebrow("file", (panel.left, panel.line(0)), "ONE STRIP A PERSON, ONE GRAIN A LUNCH"),
        axis("person", "x", (0, len(rows)), panel.left, panel.right),
        axis("row", "y", (0, FULL), base, panel.y(0, 96), most=("person", 1.7)),
        *_grains("cut", AXES, [one for one in grains if one[1] >= cap], panel, "grain", 0.4),
        *_grains("kept", AXES, [one for one in kept if one[0] != ANA], panel, "second"),
        *_grains("own", AXES, [one for one in kept if one[0] == ANA], panel, "ink"),
        findings.frame("unit", first, (On("person", 1), On("row", cap)), colour="private"),
        label("unit word", (panel.left, head), words, weight=700, colour="private"),
        label("name", (panel.left, beside(base, panel.px(30))), told.name, weight=700),
        *([line, label("cut off", (panel.right, head), f"{told.cut} cut off", anchor="end")]
          * (told.cut > 0)),
    ]  # fmt: skip


def _grains(
    name: str, axes: tuple[str, str], spots: list[tuple[int, int]], panel: Panel,
    colour: Colour, opacity: float = 1.0,
) -> list[Mark]:  # fmt: skip
    """A grain in the middle of each of these cells, if there are any."""
    x, y = ([one[side] + 0.5 for one in spots] for side in (0, 1))
    return pieces.scatter(name, axes, x, y, radius=panel.px(5), colour=colour, opacity=opacity)


def _count(told: Unit, panel: Panel) -> list[Mark]:
    """The count of all lunches, and how far it is off."""
    base = panel.y(0.27)
    ticks = [Tick(0, "0"), Tick(told.rows, f"{told.rows} true", "bold"), Tick(600, "600")]
    return [
        eyebrow("answer", (panel.left, panel.line(0)), "LUNCHES IN ALL", colour="private"),
        pieces.number(panel, "reach", (panel.right, panel.line(0)), f"± {told.reach}", 26,
                      anchor="end"),
        axis("lunches", "x", SHOWN, panel.left, panel.right, at=base, ticks=ticks, line=True),
        answers.errorbar("count", "lunches", panel.y(0.27, -32), told.rows - told.cut, told.reach,
                         height=panel.px(20)),
    ]  # fmt: skip


def _people(told: Unit, panel: Panel, *, seen: bool) -> list[Mark]:
    """A hundred people: suspected before, and the most that an answer adds."""
    words, numbers_ = panel.y(0.47), panel.y(0.47, 36)
    added, room = (told.at_most - SUSPECTED) * seen, (20, panel.said((24.8, 38), (17.9, 21)))
    top = words, numbers_, panel.y(0.47, 52)
    *said, people_ = pieces.suspects(panel, told.name, top, SUSPECTED, added, room)
    most = after(pieces.at_most(panel, numbers_, told.at_most), 800)
    return [*said, after(people_, 200, 600), *[most] * seen]


def _bars(told: Unit, panel: Panel) -> list[Mark]:
    """The marks of the staff as ten bars of grains: with Ana added, and with hers replaced."""
    old = (told.before - 1, told.bars[told.before - 1] - 1)
    new = (MOVED - 1, told.bars[MOVED - 1])
    others = [(mark, row) for mark, many in enumerate(told.bars) for row in range(many)]
    others.remove(old)
    found = []
    for name, half, own, left in zip(
        ("added", "replaced"), panel.halves(0.06), (old, new), ([], [old]), strict=True
    ):
        axes = f"{name} mark", f"{name} row"
        (x, y), head = axes, f"{told.name} {name}".upper()
        found += [
            eyebrow(f"{name} head", (half.left, half.line(0)), head),
            axis(x, "x", (0, len(told.bars)), half.left, half.right, at=half.y(1, -34), line=True,
                 ticks=[Tick(one - 0.5, str(one)) for one in (1, 5, 10)]),
            axis(y, "y", (0, max(told.bars) + 1), half.y(1, -38), half.y(0, 54)),
            *_grains(f"{name} others", axes, others, half, "second"),
            *_grains(f"{name} left", axes, left, half, "grain", 0.4),
            *_grains(f"{name} own", axes, [own], half, "ink"),
            *(findings.frame(f"{name} bar {mark}", (On(x, mark), On(y, 0)),
                             (On(x, mark + 1), On(y, row + 1)), colour="private")
              for mark, row in (own, *left)),
        ]  # fmt: skip
    return found


def _table(told: Unit, panel: Panel) -> list[Mark]:
    """The most that one person changes each kind of answer, added or replaced."""
    columns = (panel.x(0.68), "added"), (panel.right, "replaced")
    found = [pieces.heading(panel, "most", "MOST THAT ONE PERSON CHANGES")]
    found += [label(f"{word} column", (x, panel.y(0.26)), word, anchor="end", colour="second")
              for x, word in columns]  # fmt: skip
    for i, (kind, *numbers_) in enumerate(told.changes):
        y = panel.y(0.42 + 0.18 * i)
        found.append(label(f"{kind} kind", (panel.left, y), kind))
        found += [pieces.number(panel, f"{kind} {word}", (x, y), f"{one:g}", 26, anchor="end")
                  for (x, word), one in zip(columns, numbers_, strict=True)]  # fmt: skip
    return found


SCENE = Scene(
    story="teach",
    name="who_counts",
    title="Who counts as one?",
    seconds=75,
    goal="The promise is for a unit, and “neighbour” says which.",
    question="“One row” is protected, with ε = 0.1. Ana has 12 rows. A suspicion of 10 in 100 "
    "about her can become …",
    ask=ask,
    options=options(
        ("10.1 in 100", "M6", "ε is no per cent: it multiplies odds, by e^ε."),
        ("11 in 100", "M15", "That is the limit for one of her rows."),
        ("27 in 100", None),
        ("100 in 100: rows are not people", "M12", "Twelve small limits are still a limit."),
    ),
    about="With one row protected at ε = 0.1",
    finding=finding,
    control=Control("at", "Protected", STOPS, ROW, named),
    numbers=numbers,
    say=say,
    marks=marks,
    second=Second("Added or replaced?", say_replaced, alt_replaced),
    explanation="Neighbours differ in one unit: say whether row, day or person, and whether it "
    "comes and goes or changes its value. A person with k rows moves a count by k: sensitivity k, "
    "noise k/ε. Fewer rows a person: less noise, more cut off.",
    full=("data", {"data": "office"}),
    teacher="± 359 of 302: 40 people are too few for that promise; at 40,000 it is 0.1 %. A family "
    "of four in one count, ε = 0.1 each: at most 14.3 in 100.",
    alt=alt,
    exercise="Trips of taxis, up to 30 a driver and day. The unit is driver and day. A count at "
    "ε = 1: what is the scale of its noise?",
    answer="30: one unit moves the count by up to 30, so 30/1.",
    term="Sensitivity",
    formula="noise ~ :blue[sensitivity]/ε",
)
