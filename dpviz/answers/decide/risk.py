"""What a budget risks: how far a suspicion about one person can grow, in people of a hundred."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from dpviz.answers.privacy.amounts import tiny, up
from dpviz.answers.privacy.promise import DELTA
from dpviz.answers.said import Line, Size, plain, unmarked
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.experiments.privacy.odds import Odds, odds_of
from dpviz.people.spending import Loss

BEFORE, HUNDRED = 10, 100  # a suspicion before the release, of so many
ROW = 10  # people
LEAST_ROWS = 2  # of the small picture

Run = tuple[str, str]  # a text, and how it is written: one of the following
INK, STRONG, SECOND, DANGER, STRONG_DANGER = "ink", "strong", "second", "danger", "strong danger"


@dataclass(frozen=True, slots=True)
class RiskNumbers:
    """People of a hundred, rounded up. Nothing here is data.

    A suspicion that somebody is in the file is right for before of a hundred; after the release for
    at most after, which are added more. A suspicion about a value grows from before to at most
    guessed: under add/remove another value is two steps away. Both hold but for a chance of
    failure. exact is what becomes of it if exact numbers are published: anything up to all.
    """

    before: int
    after: int
    added: int
    guessed: int
    failure: float
    exact: int = HUNDRED

    @property
    def rows(self) -> int:
        """Rows of ten that hold everybody who is suspected: of the small picture."""
        return max(-(-self.after // ROW), LEAST_ROWS)


# a suspicion may become certain: where δ adds up to 1 or more
NO_PROMISE = RiskNumbers(BEFORE, HUNDRED, HUNDRED - BEFORE, guessed=HUNDRED, failure=1.0)


def answer(
    budget: Budget, neighbours: Neighbours, before: int = BEFORE, delta: float = DELTA
) -> RiskNumbers:
    """What a suspicion grows to. A budget in ρ is read at delta.

    After: 100 p / (p + (1 − p) e^−ε). For (ε, δ) and ρ, ε is what odds move by but for a failure.
    """
    steps = 1 if neighbours is Neighbours.REPLACE_ONE else 2
    member, value = _odds(budget, 1, delta), _odds(budget, steps, delta)
    after, guessed = (_most(before, one) for one in (member, value))
    failure = max(member.failure, value.failure)
    return RiskNumbers(before, after, after - before, guessed, failure)


def _odds(budget: Budget, steps: int, delta: float) -> Odds:
    """The odds over one or two steps from one data set to another: kε, (1 + e^ε) δ, k² ρ."""
    loss = Loss.of(budget, steps)
    if isinstance(budget, ZCDP):
        return odds_of(ZCDP(float(loss.rho)), delta)
    epsilon = min(float(loss.epsilon), 1e300)
    if isinstance(budget, ApproxDP):
        if loss.delta >= 1:
            return Odds(math.inf, 1.0)  # it promises nothing
        return odds_of(ApproxDP(epsilon, float(loss.delta)), delta)
    return odds_of(PureDP(epsilon), delta)


def _most(before: int, odds: Odds) -> int:
    if odds.failure >= 1:
        return HUNDRED
    _, most = odds.posterior(np.array(before / HUNDRED))
    return min(int(up(HUNDRED * float(most), 0)), HUNDRED)


@dataclass(frozen=True, slots=True)
class RiskNames:
    """What the person, her value and all people are called, plain: "Ida", "her", "salary"."""

    who: str = "Ida"
    whose: str = "her"
    value: str = "value"
    people: str = "people"


@dataclass(frozen=True, slots=True)
class RiskSaid:
    """Sentences in Markdown; small is the headline on a phone, released that of the small picture.

    notes stand beside the figures, plain, by what has room there; each is a paragraph of texts and
    how they are written. The first two belong to the first two rows.
    """

    headline: Line
    small: str
    second: Line
    released: str
    notes: Mapping[Size, tuple[tuple[Run, ...], ...]] = field(default_factory=dict)
    small_note: tuple[Run, ...] = ()
    alt: str = ""
    small_alt: str = ""


def say(found: RiskNumbers, names: RiskNames) -> RiskSaid:
    """Everything that is said of a risk."""
    before, after = f"{found.before} in {HUNDRED}", f"at most {found.after}"
    full, brief = _thought(found, names)
    return RiskSaid(
        headline=Line(f"A suspicion of {before} grows to {after}.", f"{before} grow to {after}."),
        small=f"Suspected: {before}, then {after}.",
        second=Line(full, brief),
        released=f"A suspicion of {before} has grown to **{after}**.",
        notes=_notes(found, names),
        small_note=(
            (f"A suspicion of {before} has grown to ", INK),
            (after, STRONG_DANGER),
            (".", INK),
        ),
        alt=_alt(found, names),
        small_alt=unmarked(
            f"{found.before} filled figures of people, and {found.added} more in orange: "
            f"a suspicion of {before} has grown to {after}."
        ),
    )


def _thought(found: RiskNumbers, names: RiskNames) -> tuple[str, str]:
    """Who suspects what, and how often the limit may fail."""
    full = (
        f"Somebody thinks {plain(names.who)} is in the file, and is right in {found.before} of "
        f"{HUNDRED} cases."
    )
    if not found.failure:
        return full, ""
    rare = plain(tiny(found.failure))
    if found.failure >= 1:
        return f"{full} This budget sets no limit.", "This budget sets no limit."
    return f"{full} The limits hold but for a chance of {rare}.", f"But for a chance of {rare}."


def _notes(found: RiskNumbers, names: RiskNames) -> dict[Size, tuple[tuple[Run, ...], ...]]:
    first, more = (str(found.before), STRONG), (f"+ {found.added}", STRONG_DANGER)
    grows = f"{found.before} grows to at most "
    limit, everybody = (str(found.guessed), STRONG), (str(found.exact), STRONG)
    end = (".", SECOND)
    return {
        "full": (
            (first, (" before", INK)),
            (more, (", at most, after reading the release", DANGER)),
            ((f"Guessing {names.whose} {names.value} instead: {grows}", SECOND), limit, end),
            (("Exact numbers: no such limit, up to ", SECOND), everybody, end),
        ),
        "small": (
            (first, (" before", INK)),
            (more, (", at most, after", DANGER)),
            ((f"Guessing {names.who}’s {names.value}: {grows}", SECOND), limit, end),
            (("Exact numbers: up to ", SECOND), everybody, end),
        ),
        "large": ((first, (" before", INK)), (more, (" after", DANGER))),
    }


def _alt(found: RiskNumbers, names: RiskNames) -> str:
    rest = HUNDRED - found.after
    return (
        f"A hundred figures of {names.people}: {found.before} in ink are suspected before, "
        f"{found.added} in orange are added at most after the release, {rest} are outlines. "
        f"Guessing {names.whose} {names.value} instead: {found.before} grows to at most "
        f"{found.guessed}. Exact numbers: no such limit, up to {found.exact}."
    )
