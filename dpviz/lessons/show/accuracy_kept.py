"""The accuracy we keep: large questions survive a strong setting, greedy ones pay for it."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import DECILES
from dpviz.core.randomness.noise import Noise
from dpviz.figures.stage import frames
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On, Place
from dpviz.figures.stage.screen import Screen
from dpviz.figures.stage.written import eyebrow, figure
from dpviz.intake.samples import sample_column
from dpviz.lessons.drawn_errors import stored
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import STRENGTH, epsilon, whole
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.quantiles import true_quantiles

STOPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 10.0)
LINE = 60_000.0  # how many earn more
OFTEN = 0.95  # 19 times of 20
DRAWS, DRAWS_OF_NINE, SEED = 1000, 300, 1
SPAN = 0.0, 8.0  # per cent, on the axis; longer bars end in an arrow
ROWS = ("count", "median", "deciles")


@dataclass(frozen=True, slots=True)
class Kept:
    """How far three private numbers are off, 19 times of 20, each alone at this setting.

    count and median are as published, deciles the worst of nine relative to its own true value.
    Units: people, pay, shares.
    """

    epsilon: float
    people: int
    above: int
    true_median: float
    rounding: float
    count: float
    median: float
    deciles: float

    @property
    def shares(self) -> dict[str, float]:
        """The three errors in per cent of the true values, by the row that shows them."""
        return {
            "count": 100 * self.count / self.above,
            "median": 100 * self.median / self.true_median,
            "deciles": 100 * self.deciles,
        }


@cache
def numbers(setting: float, _: int = 1) -> Kept:
    """The count by its law, the median and the deciles by many releases."""
    column = sample_column("salaries")
    middle = np.array([0.5])
    median, deciles = stored("setting", setting) or drawn(setting)
    return Kept(
        epsilon=setting,
        people=column.n,
        above=int(np.count_nonzero(column.values > LINE)),
        true_median=float(true_quantiles(column, middle)[0]),
        rounding=column.resolution,
        count=Noise.DISCRETE_LAPLACE.reach(1 / setting, OFTEN),
        median=median,
        deciles=deciles,
    )


def drawn(setting: float) -> tuple[float, float]:
    """What the median and the deciles stay within, by many releases."""
    nine = _off(setting, DECILES, DRAWS_OF_NINE)
    truth = true_quantiles(sample_column("salaries"), DECILES)
    return _often(np.abs(_off(setting, np.array([0.5]), DRAWS))), _often(np.abs(nine / truth))


def _off(setting: float, quantiles: FloatArray, draws: int) -> FloatArray:
    """How far releases are from the truth, shape (draws, k)."""
    column = sample_column("salaries")
    rng = np.random.default_rng(SEED)
    found = ApproximateQuantiles(round_to_grid=True).release_many(
        column, quantiles, PureDP(setting), rng, draws
    )
    return np.asarray(found - true_quantiles(column, quantiles))


def _often(errors: FloatArray) -> float:
    """What the worst error of a release stays within, 19 times of 20."""
    return float(np.quantile(errors.max(axis=1), OFTEN))


def percent(share: float) -> str:
    """Per cents with a decimal below ten, or a digit that counts."""
    if share >= 10:
        return f"{share:.0f} %"
    return f"{share:.1f} %" if share >= 0.05 else f"{share:.1g} %"


def within(size: float, words: str = "") -> str:
    """± so much, or exact."""
    return f"± {whole(size)} {words}".rstrip() if size else "exact"


def setting_of(told: Kept) -> str:
    """The setting as a sentence begins with it."""
    word = STRENGTH.get(told.epsilon)
    return f"{word.capitalize()} setting" if word else f"ε = {told.epsilon:g}"


def ask(told: Kept) -> Sentences:
    """What is asked of the file, before the guess."""
    return Sentences(
        f"{setting_of(told)}: how far off is the median pay?",
        f"{whole(told.people)} people, true median {whole(told.true_median)}. Three questions, "
        f"each answered alone with ε = {told.epsilon:g}.",
    )


def say(told: Kept) -> Sentences:
    """The median's error, and all three."""
    if not told.median:
        found = "pay comes out :blue[exact]"
    elif told.median <= told.rounding:
        found = f":blue[off by {whole(told.median)}], the rounding itself"
    else:
        found = f"pay is :blue[off by {whole(told.median)}]"
    return Sentences(
        f"{setting_of(told)}: median {found}.",
        f"{setting_of(told)}: count {whole(told.above)} {beside(told, 'count')}, median "
        f"{beside(told, 'median')}, worst decile {percent(told.shares['deciles'])}, each alone.",
    )


def beside(told: Kept, row: str) -> str:
    """An error as it stands beside its true value, and what share of it that is."""
    size = {"count": told.count, "median": told.median}[row]
    return f"{within(size)} ({percent(told.shares[row])})" if size else "exact"


def finding(told: Kept) -> str:
    """How far the median is off."""
    return f"{within(told.median)} of {whole(told.true_median)}, 19 times of 20"


def alt(told: Kept) -> str:
    """The picture in words."""
    count, median, deciles = (percent(told.shares[row]) for row in ROWS)
    return (
        f"Three bars of error at {epsilon(told.epsilon)}: a count {count}, the median {median}, "
        f"the worst of nine deciles {deciles}. They shrink as ε grows."
    )


def marks(told: Kept, beat: Beat, screen: Screen) -> list[Mark]:
    """Three rows on one scale: what is asked, and how far the private answer is off."""
    ticks = [Tick(one, f"{one:g} %", anchor=None if one else "start") for one in (0, 2, 4, 6, 8)]
    off = frames.axis("off", "x", SPAN, At(), screen.said(At(0.9), At(1, -28)), at=At(1, -40),
                      ticks=ticks, line=True, marks=True)  # fmt: skip
    head = eyebrow("head", (At(), At(0, 30)), "OFF BY AT MOST, 19 TIMES OF 20")  # fmt: skip
    who = screen.said("How many earn", "Earn")
    said = {
        "count": (f"{who} over {whole(LINE)}: ", whole(told.above)),
        "median": ("Median pay: ", whole(told.true_median)),
        "deciles": ("All nine deciles, the worst of them", ""),
    }
    names = [
        frames.label(f"{row} name", (At(), _at(row, screen.px(-28))),
                     [(words, "ink"), (truth, "bold")])
        for row, (words, truth) in said.items()
    ]  # fmt: skip
    reach = screen.px(20)
    names += [
        frames.rule(f"{row} true", (At(0, 1.5), _at(row, -reach)),
                    (At(0, 1.5), _at(row, reach)), width=3)
        for row in ROWS
    ]  # fmt: skip
    found = [off, head, *names]
    return [*found, *_errors(told, screen)] if beat == "reveal" else found


def _at(row: str, px: float = 0) -> Place:
    """A height in a row, px from the middle of its bar."""
    return At(0.26 + 0.265 * ROWS.index(row), px)


def _errors(told: Kept, screen: Screen) -> list[Mark]:
    """A bar a row with its number at its end; the one that was asked for is largest.

    A bar that is longer than the axis ends there, and its number in an arrow.
    """
    texts = {row: beside(told, row) for row in ("count", "median")}
    texts["deciles"] = percent(told.shares["deciles"])
    found = []
    for row in ROWS:
        asked, share = row == "median", min(told.shares[row], SPAN[1])
        start, beyond = 0 if asked else 900, told.shares[row] > SPAN[1]
        if share:
            ends = (At(0, 3), _at(row)), (On("off", share), _at(row))
            found.append(after(frames.rule(f"{row} bar", *ends, width=screen.px(26),
                                           colour="private"), start, 700))  # fmt: skip
        anchor: Anchor = screen.said("end" if beyond else "start", "end")
        x = screen.said(On("off", share, 0 if beyond else 16), At(1))
        y = _at(row, screen.said(-24 if beyond else 13 if asked else 10, -16))
        words = f"{texts[row]} →" if beyond else texts[row]
        number = figure(f"{row} number", (x, y), words, size=screen.size(26 if asked else 22),
                        colour="private", anchor=anchor)  # fmt: skip
        found.append(after(number, start + 700))
    return [*found, *_rounding(told, screen)]


def _rounding(told: Kept, screen: Screen) -> list[Mark]:
    """How coarse pay itself is written down."""
    x = 100 * told.rounding / told.true_median
    high, low = _at("median", screen.px(-13)), _at("median", screen.px(42))
    return [
        after(frames.rule("rounding", (On("off", x), high),
                          (On("off", x), low), width=2), 1600),
        after(frames.label("rounding word", (On("off", x, 8), low),
                           f"pay is rounded to {whole(told.rounding)}", colour="second"), 1600),
    ]  # fmt: skip


SCENE = Scene(
    story="show",
    name="accuracy_kept",
    title="The accuracy we keep",
    seconds=60,
    goal="Large questions survive; greedy ones do not.",
    question="Strong setting (0.1), 15,000 people. How far off is the median pay of 39,800?",
    ask=ask,
    options=options(
        ("By 10 %, noise is noise", "M12"),
        ("By 3 %", "M12"),
        ("By 100, the rounding of pay itself", None),
        ("Exact, so not private", "M5"),
    ),
    about="At ε = 0.1",
    finding=finding,
    control=Control("eps", "Privacy setting", STOPS, 0.1, epsilon),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="The more people stand behind a number, the less the noise matters. The more "
    "numbers we ask for, the less each one gets. So decide what you need before you choose the "
    "setting, and leave out what nobody reads.",
    full=("quantiles", {"data": "salaries", "eps": "0.1", "set": "deciles"}),
    teacher="The price in accuracy is no larger than the rounding here. Show 0.01 to "
    "prove that the price exists. Each number stands alone at this ε; all three together cost "
    "three times as much.",
    alt=alt,
    exercise="Which three numbers of your dashboard are used in decisions?",
    answer="Those stay; whatever nobody reads takes budget from them.",
)
