"""What the privacy setting buys: ε as a cap on what one person's line adds to a suspicion."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz.core.budgets import PureDP
from dpviz.experiments.privacy.odds import odds_of
from dpviz.figures.stage import findings, frames, tallies
from dpviz.figures.stage.frames import Anchor, Tick
from dpviz.figures.stage.places import At, Mark, On
from dpviz.figures.stage.screen import Column, Panel, Screen
from dpviz.figures.stage.written import beside, eyebrow, figure
from dpviz.lessons.scene import Beat, Control, Scene, Sentences, options
from dpviz.lessons.staged import after
from dpviz.lessons.words import STRENGTH, at_most, epsilon, whole

STOPS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
NAMED = {one: word for one, word in STRENGTH.items() if one in STOPS}
BEFORE, BASE = 10, 100  # the suspicion before: 10 in 100
FINE = np.geomspace(STOPS[0], STOPS[-1], 81)  # of the curve


@dataclass(frozen=True, slots=True, eq=False)
class Cap:
    """The most that a suspicion can become, at this setting, at the named ones, and along a curve.

    Shapes: curve (81,) like FINE. Units: shares of one.
    """

    epsilon: float
    most: float
    named: tuple[tuple[str, float], ...]
    curve: tuple[float, ...]

    @property
    def odds(self) -> str:
        """The odds before, times e^ε, as a sum that can be checked."""
        after = digits(BEFORE * math.exp(self.epsilon))
        times = digits(math.exp(self.epsilon))
        return f"{BEFORE} : {BASE - BEFORE} × {times} = {after} : {BASE - BEFORE}"

    @property
    def people(self) -> int:
        """The cap in whole figures out of a hundred."""
        return round(self.most * BASE)


def cap(setting: float) -> float:
    """The most that a suspicion of 10 in 100 can become."""
    (most,) = odds_of(PureDP(setting), 0.5).posterior(np.array([BEFORE / BASE]))[1]
    return float(most)


@cache
def numbers(setting: float, _: int = 1) -> Cap:
    """The cap at a setting, beside those of all others."""
    named = tuple((word, cap(one)) for one, word in NAMED.items())
    return Cap(setting, cap(setting), named, tuple(cap(one) for one in FINE.tolist()))


def digits(number: float) -> str:
    """A number with three digits that count, or all of its whole ones."""
    return f"{number:.3g}" if number < BASE else whole(number)


def short(share: float) -> str:
    """So many in a hundred, rounded up, without a decimal that says nothing."""
    return at_most(share, BASE).removesuffix(".0")


def setting_of(told: Cap) -> str:
    """The setting as a sentence begins with it."""
    return STRENGTH.get(told.epsilon, f"ε = {told.epsilon:g}").capitalize().replace("Ε", "ε")


def ask(told: Cap) -> Sentences:
    """What is suspected before the guess."""
    return Sentences(
        "How far may our publication raise a suspicion?",
        f"Someone thinks it {BEFORE} in {BASE} likely that a colleague is in our file. We publish "
        f"with {epsilon(told.epsilon)}.",
    )


def say(told: Cap) -> Sentences:
    """The cap at this setting, and at the three that have a name."""
    caps = " ".join(f"{word.capitalize()}: {short(most)}." for word, most in told.named)
    return Sentences(
        f"{setting_of(told)}: {BEFORE} in {BASE} becomes :orange[at most {short(told.most)}].",
        f"Odds {told.odds}. {caps.removesuffix('.')}, hardly a cap.",
    )


def finding(told: Cap) -> str:
    """The cap, by its odds."""
    return f"at most {short(told.most)} in {BASE}, for the odds are {told.odds}"


def alt(told: Cap) -> str:
    """The picture in words."""
    return (
        f"A hundred figures, {BEFORE} black; {told.people - BEFORE} more in vermilion for "
        f"{epsilon(told.epsilon)}: at most {short(told.most)} in {BASE}. A curve of the cap rises "
        "with ε."
    )


def marks(told: Cap, beat: Beat, screen: Screen) -> list[Mark]:
    """A hundred figures, and the cap at every setting beside them."""
    seen = beat == "reveal"
    people, caps = screen.columns(Column((0, 0.54), (0.03, 0.53)), Column((0.62, 1), (0.54, 1)))
    columns, size = people.said((10, (64, 38.5)), (20, (17.9, 27)))
    figures = tallies.people("figures", (people.left, people.line(1.65)), BEFORE,
                             (told.people - BEFORE) * seen, columns=columns, size=size)  # fmt: skip
    most = figure("after", (people.right, people.line(1)), f"at most {short(told.most)} after",
                  size=people.size(30), colour="danger_text", anchor="end")  # fmt: skip
    return [
        eyebrow("suspicion head", (people.left, people.line(0)), "IS SHE IN OUR FILE?"),
        figure("before", (people.left, people.line(1)), f"{BEFORE} in {BASE} before",
               size=people.size(20)),
        after(figures, 0, 1200),
        *([after(most, 1200)] * seen),
        *_settings(told, seen, caps),
    ]  # fmt: skip


def _settings(told: Cap, seen: bool, panel: Panel) -> list[Mark]:
    """The cap as a curve over all settings, with this one on it."""
    left, foot = panel.x(0, 74), panel.y(1, -52)
    ends: dict[float, Anchor] = {STOPS[0]: "start", STOPS[-1]: "end"}
    ticks = [Tick(one, f"{one:g} {word}", "bold" if one == told.epsilon else "ink",
                  ends.get(one, "middle"))
             for one, word in NAMED.items()]  # fmt: skip
    level = On("share", BEFORE)
    found = [
        eyebrow("settings head", (panel.left, panel.line(0)), "AT MOST, BY SETTING ε"),
        frames.axis("setting", "x", (STOPS[0], STOPS[-1]), left, At(1, -12), at=foot, ticks=ticks,
                    log=True, line=True),
        frames.axis("share", "y", (0, BASE), foot, panel.line(1.2), at=beside(left, -8),
                    ticks=[Tick(BEFORE, whole(BEFORE), "ink"), Tick(50, "50"), Tick(BASE, "100")]),
        frames.rule("level", (left, level), (At(1, -12), level), width=2, dash="2 4"),
    ]  # fmt: skip
    if not seen:
        return found
    heights = [BASE * one for one in told.curve]
    chosen = int(np.abs(np.log(FINE / told.epsilon)).argmin())
    curve = findings.curve("cap", ("setting", "share"), FINE.tolist(), heights, colour="danger",
                           width=5, chosen=chosen)  # fmt: skip
    return [*found, after(curve, 1400, 900), after(_at_setting(told, panel), 2300)]


def _at_setting(told: Cap, screen: Screen) -> Mark:
    """The cap beside its place on the curve: above it, or left of it where the curve is steep."""
    steep = 1 < told.epsilon < STOPS[-1]
    place = On("setting", told.epsilon, -16 if steep else -6 * (told.epsilon > STOPS[0]))
    height = On("share", BASE * told.most, 4 if steep else -14)
    anchor: Anchor = "end" if told.epsilon > STOPS[0] else "start"
    return figure("cap number", (place, height), short(told.most), size=screen.size(22),
                  colour="danger_text", anchor=anchor, halo=True)  # fmt: skip


SCENE = Scene(
    story="show",
    name="suspicion",
    title="What the privacy setting buys",
    seconds=60,
    goal="ε is a cap on what one person's line adds to a suspicion.",
    question="Someone thinks it 10 in 100 likely that a colleague is in our file. Setting "
    "“moderate” (ε = 1). Her line can raise this, after our publication, to at most?",
    ask=ask,
    options=options(
        ("11 in 100", "M6"),
        ("23.2 in 100", None),
        ("27.2 in 100", "M6", "27.2 : 90 are odds; as a chance that is 27.2 of 117.2."),
        ("100 in 100", "M12"),
    ),
    about="At ε = 1",
    finding=finding,
    control=Control("eps", "Privacy setting", STOPS, 1.0, epsilon),
    numbers=numbers,
    say=say,
    marks=marks,
    explanation="No method can promise that nothing is learnt and still publish something. This "
    "one caps what a person's own line adds, against everybody, whatever they know about the "
    "others. The setting ε is the cap. Each publication about the same people uses it again.",
    full=("neighbours", {"view": "meaning", "eps": "1", "n_prior": "10"}),
    teacher="Monthly at 0.1 is 1.2 a year: 10 becomes at most 27. A cap, not a forecast, and not "
    "on what is learnt about people in general. A suspicion about a value of somebody who surely "
    "is in the file: as it stands under replace-one neighbours, and for one count; in general "
    "twice ε under add/remove (0.1: 12, 1: 45.1).",
    alt=alt,
    exercise="Which cap would you accept for pay, for a survey, for illness?",
    answer="There is no right answer; write down who decides, and the cap that was chosen.",
)
