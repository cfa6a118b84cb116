"""The decision card: one page to leave with, of six rows with words and a small picture each."""

import textwrap
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.answers.decide import quantiles, tank
from dpviz.answers.decide.budget import card
from dpviz.answers.decide.exact.count import CountQuestion
from dpviz.answers.decide.needs import PEOPLE, UNIT
from dpviz.answers.decide.price import Need, bought
from dpviz.answers.decide.risk import HUNDRED
from dpviz.answers.privacy.deployments import CENSUS, CENSUS_HOMES, CENSUS_PEOPLE, NAMED
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.quantiles import QuantileSet
from dpviz.figures.stage import answers, findings, frames, people, pieces, tallies
from dpviz.figures.stage.colours import Colour
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import beside, eyebrow, figure
from dpviz.intake.samples import sample, sample_column
from dpviz.lessons import towns
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.show.accuracy_kept import LINE
from dpviz.lessons.staged import after
from dpviz.lessons.words import epsilon, whole
from dpviz.metrics.quantiles import true_quantiles

ROW, TOP = 62.0, 4.0  # px
LEFT = At(0.745)  # of the small pictures
TOPS = (0.0, 58.0, 116.0, 174.0, 232.0, 310.0)
Rows = tuple[tuple[str, str], ...]  # names and words
SPAN = (0.05, 30.0)  # of ε, where others stand
WIKIPEDIA, APPLE = ((one.low, one.high) for one in NAMED[:2])  # ε as they state it
SHORT = "Units differ: no ranking."
NOTE = "Different units of protection; not a ranking."
PARTS = f"{CENSUS_PEOPLE:g} + {CENSUS_HOMES:g}"
OTHERS = f"Census: {PARTS}, ρ-DP at δ = 10⁻¹⁰. Apple: local, noise on phones."
WIDEST = 2.0  # per cent, of the two error bars
LONGEST = 46  # characters of a line on a phone


@dataclass(frozen=True, slots=True)
class Card:
    """What one ε means, as Decide's own card and sentences say it, and a smallest group.

    The errors hold 19 times of 20.
    """

    card: card.CardNumbers
    median_off: float
    median: float
    count_off: float
    count: float
    smallest: int

    @property
    def epsilon(self) -> float:
        """The budget of one release."""
        return self.card.budget.size

    @property
    def grows(self) -> str:
        """How a suspicion grows."""
        return f"{self.card.risk.before} in {HUNDRED} becomes at most {self.card.risk.after}"

    @property
    def rows(self) -> Rows:
        """Names and words of all rows; the last has a picture only."""
        off = f"median pay ± {whole(self.median_off)}, or a count ± {whole(self.count_off)}"
        return (
            ("RISK", self.grows),
            ("ACCURACY", off),
            ("SMALLEST GROUP", f"{whole(self.smallest)} people"),
            ("COST", card.cost(self.card)),
            ("NOT PROMISED", card.NOT_PROMISED),
            ("COMPARED WITH", ""),
        )

    @property
    def errors(self) -> tuple[tuple[str, float], ...]:
        """Both errors in per cent of what they are about."""
        return (
            ("median", 100 * self.median_off / self.median),
            ("count", 100 * self.count_off / self.count),
        )


@cache
def numbers(eps: float, _: int = 1) -> Card:
    """Every row of the card at one ε: of Decide's sentences about a median and a count."""
    budget, relation = PureDP(eps), Neighbours.ADD_REMOVE
    column, about = sample_column(towns.SALARIES), sample(towns.SALARIES).about
    source = quantiles.Sampled(towns.SALARIES, column.bounds, column.resolution)
    half = QuantileSet.of((0.5,))
    median = quantiles.first(quantiles.question(half, about, source, budget), Need(0, UNIT), eps)
    count = bought(CountQuestion(budget, LINE, neighbours=relation), eps, Need(0, PEOPLE))
    assert median.off is not None
    assert count.off is not None
    return Card(
        card=card.answer(budget, relation, tank.answer(eps, 0, eps)),
        median_off=median.off,
        median=float(true_quantiles(column, half.distinct)[0]),
        count_off=count.off,
        count=int(np.count_nonzero(column.values > LINE)),
        smallest=towns.stored(eps).smallest,
    )


def ask(_: Card) -> Sentences:
    """What is known before the guess."""
    return Sentences(
        "Which of these changes the protection people get?",
        "One page to decide on: risk, accuracy, smallest group, cost, and what is not promised.",
    )


def say(told: Card) -> Sentences:
    """The proposal that follows from the card, and on what condition."""
    return Sentences(
        f"Proposal: :blue[ε = {told.epsilon:g}, once a year], groups from {whole(told.smallest)} "
        "on.",
        f"If at most {told.card.risk.after} in 100 (from {told.card.risk.before}) and "
        f"{towns.ENOUGH:g} % off are acceptable. A policy: somebody decides.",
    )


def finding(told: Card) -> str:
    """What twelve releases in place of one do to the promise."""
    return f"{told.grows} once a year, {told.card.monthly.after} every month"


def alt(told: Card) -> str:
    """The picture in words."""
    rows = "; ".join(f"{name.lower()}: {words}" for name, words in told.rows if words)
    return f"A card with rows of risk, accuracy, smallest group, cost, not promised. {rows}."


def marks(told: Card, beat: Beat, screen: Screen) -> list[Mark]:
    """The card; before the guess it has the names of its rows alone."""
    shown = told.rows if beat != "predict" else tuple((name, "") for name, _ in told.rows)
    found = screen.said(_card, _lines)(shown)
    if beat == "predict":
        return found
    small = [_risk(told, screen), *_errors(told, screen), _group(told, screen), *_tanks(screen)]
    every = 300.0
    others = screen.said(_others, _others_in_words)(told)
    return [*found, *(after(one, every) for one in small), *others]


def _card(rows: Rows) -> list[Mark]:
    """On a desk words stand beside the name of their row."""
    return [findings.card("card", (At(), At(0, TOP)), (At(1), At(1)), rows, row=ROW, indent=252)]


def _lines(rows: Rows) -> list[Mark]:
    """On a phone words stand under the name of their row."""
    found: list[Mark] = []
    for i, ((name, words), top) in enumerate(zip(rows, TOPS, strict=True)):
        lines = textwrap.wrap(words, LONGEST)
        found += [
            frames.rule(f"rule {i}", (At(), At(0, top)), (At(1), At(0, top)), width=1,
                        colour="hairline"),
            eyebrow(f"name {i}", (At(), At(0, top + 20)), name, colour="second"),
            *(figure(f"words {i} {j}", (At(), At(0, top + 44 + 20 * j)), line, size=15.5)
              for j, line in enumerate(lines)),
        ]  # fmt: skip
    return found


def _middle(row: int, screen: Screen) -> float:
    """Px of the middle of a row's small picture."""
    return screen.said(TOP + (row + 0.5) * ROW, TOPS[row] + 18)


def _risk(told: Card, screen: Screen) -> Mark:
    """A hundred people: suspected before, and added by the answers."""
    risk = told.card.risk
    left, size = screen.said((LEFT, (14.0, 10.5)), (At(1, -122), (6.0, 5.5)))
    at = left, At(0, _middle(0, screen) - 2.5 * size[1])
    return tallies.people("risk", at, risk.before, risk.added, columns=20, form="dot", size=size)


def _errors(told: Card, screen: Screen) -> list[Mark]:
    """Both errors as bars of one scale, in per cent."""
    ends = screen.said((At(0.82), At(0.92)), (At(1, -160), At(1, -2)))
    found = [frames.axis("off", "x", (-WIDEST, WIDEST), *ends)]
    for i, (name, value) in enumerate(told.errors):
        y = _middle(1, screen) + (i - 0.5) * screen.said(32, 14)
        found.append(answers.errorbar(f"{name} bar", "off", At(0, y), 0, min(value, WIDEST),
                                      height=screen.px(14), radius=screen.px(5)))  # fmt: skip
        found += screen.full(
            frames.label(f"{name} name", (LEFT, At(0, y + 7)), name, colour="second"),
            frames.label(f"{name} share", (At(0.988), At(0, y + 7)), share(value), anchor="end",
                         colour="second"),
        )  # fmt: skip
    return found


def share(value: float) -> str:
    """A per cent with two digits at most."""
    return f"{float(f'{value:.2g}'):g} %"


def _group(told: Card, screen: Screen) -> Mark:
    """The smallest group, a grain a person."""
    left, down, spacing = screen.said((beside(LEFT, 32), 0, 1.02), (At(1, -26), 11, 0.95))
    return people.crowd("group", (left, At(0, _middle(2, screen) + down)), told.smallest,
                        told.smallest, spacing=spacing, above=True)  # fmt: skip


def _tanks(screen: Screen) -> list[Mark]:
    """A year of twelve budgets, of which one is used."""
    first, wide, step, high = screen.said((LEFT, 17, 23.4, 30), (At(1, -156), 9, 13, 20))
    top = At(0, _middle(3, screen) - high / 2)
    lefts = [beside(first, i * step) for i in range(12)]
    foot = beside(top, high)
    return [tallies.tank(f"month {i}", (left, top), (beside(left, wide), foot), int(i == 0))
            for i, left in enumerate(lefts)]  # fmt: skip


def _others(told: Card) -> list[Mark]:
    """Where others stand, who protect something else."""
    y = TOP + 5.5 * ROW - 4
    return [
        frames.axis("budgets", "x", SPAN, At(0, 252), At(1, -24), at=At(0, y), log=True, line=True),
        frames.rule("Apple", *((On("budgets", one), At(0, y)) for one in APPLE), width=6),
        _dot("census", CENSUS, y + 8),
        _dot("Wikipedia", WIKIPEDIA[0], y),
        _dot("ours", told.epsilon, y, 8.5, "private"),
        _named("ours", told.epsilon, y - 16, f"ours {told.epsilon:g}", "private"),
        _named("Apple", (APPLE[0] * APPLE[1]) ** 0.5, y - 16, NAMED[1].text),
        _named("Wikipedia", WIKIPEDIA[0], y + 27, NAMED[0].text),
        frames.label("census words", (At(1, -24), At(0, y + 29)),
                     f"2020 US census, final file: {CENSUS:.2f}", anchor="end"),
        frames.label("note", (At(), At(0, TOP + 6 * ROW + 24)), f"{OTHERS} {SHORT}",
                     colour="second"),
    ]  # fmt: skip


def _dot(name: str, value: float, y: float, head: float = 5.5, colour: Colour = "ink") -> Mark:
    """A budget on the axis."""
    return pieces.point(f"{name} dot", (On("budgets", value), At(0, y)), head, colour)


def _named(name: str, value: float, y: float, text: str, colour: Colour = "ink") -> Mark:
    """Whose budget it is."""
    weight = 700 if colour == "private" else 400
    return frames.label(f"{name} words", (On("budgets", value), At(0, y)), text, anchor="middle",
                        colour=colour, weight=weight)  # fmt: skip


def _others_in_words(told: Card) -> list[Mark]:
    """The same in three lines, where there is no room for an axis."""
    wikipedia, apple = (one.text.replace(",", "") for one in NAMED[:2])
    lines = (
        f"ours {told.epsilon:g}; {wikipedia}; {apple};",
        f"2020 census, final: {CENSUS:.2f}; Apple: on phones.",
        NOTE,
    )
    return [
        frames.label(f"other {i}", (At(), At(0, TOPS[-1] + 44 + 22 * i)), line, size=14.5,
                     colour="second" if line == NOTE else "ink")
        for i, line in enumerate(lines)
    ]  # fmt: skip


SCENE = Scene(
    story="show",
    name="decision",
    title="The decision card",
    seconds=60,
    goal="Leave with one page.",
    question="Which of these changes the protection that our people get?",
    ask=ask,
    options=options(
        ("More staff", "M4"),
        ("How often we publish", None),
        ("The attacker’s computer", "M3"),
        ("A clever evaluation", "M11"),
    ),
    about="At ε = 0.1",
    finding=finding,
    control=Control("eps", "Setting", towns.EPSILONS, 0.1, epsilon),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="The setting is a policy, not a technical detail. Name who decides, what a "
    "person's record is, how often we publish, and when the budget is used up. Then write it "
    "down where everyone can read it.",
    full=("decide", {"data": towns.SALARIES}),
    teacher="Stop talking; let them argue over the cap of the second scene.",
    alt=alt,
    exercise="Fill the card for one report of yours.",
    answer="There is no right card; there is a card that somebody signs.",
    sources=(
        "Wikimedia, page views by country: ρ = 0.015 a day and device, stated as about ε = 1",
        "Apple: 2 to 16 a user and day, noise on the phone (list of deployments by Desfontaines)",
        f"US Census Bureau 2021: final redistricting file of 2020, {CENSUS_PEOPLE:g} for people "
        f"and {CENSUS_HOMES:g} for homes",
    ),
)
