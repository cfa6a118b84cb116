"""What a class knows before and after: bins of a room, their exact numbers, and what may leave it.

Inside the room numbers are exact. What leaves it is how many passed, with noise, once a half.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpviz.core.arrays import IntArray
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.bits import Randomness
from dpviz.core.randomness.noise import Noise
from dpviz.core.scalars.release import NumberRelease
from dpviz.lessons.stories.inventory import ITEMS, PASS, score
from dpviz.lessons.words import plain, whole
from dpviz.mechanisms.sums.noisy_count import NoisyCount

Half = Literal["before", "after"]
HALVES: tuple[Half, ...] = ("before", "after")
FEWEST = 5  # phones below which nothing is shown
BUDGET = PureDP(1)  # of each half
SHARE = 0.95  # of draws of the noise that the ± covers
LITTLE, USUAL = 0.3, 0.7  # gains below which a course gave little, and usual with active teaching
MOST = len(ITEMS)
KEYS = "abcd"


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What a room keeps of one half: for every question who chose what, and who had which score.

    Shapes: bins (15, 5, 2), of options a to d and no answer, not sure and sure; scores (16,).
    """

    bins: IntArray
    scores: IntArray

    @classmethod
    def empty(cls) -> "Tally":
        """Of nobody yet."""
        return cls(np.zeros((MOST, len(KEYS) + 1, 2), int), np.zeros(MOST + 1, int))

    def with_sheet(self, chosen: Sequence[str | None], sure: Sequence[bool]) -> "Tally":
        """With the answers of one more phone, one a question; None is no answer."""
        bins, scores = self.bins.copy(), self.scores.copy()
        options = [len(KEYS) if one is None else KEYS.index(one) for one in chosen]
        bins[np.arange(MOST), options, np.array(sure, int)] += 1
        scores[score(tuple(chosen))] += 1
        return Tally(bins, scores)

    @property
    def people(self) -> int:
        """How many phones handed in."""
        return int(self.scores.sum())


@dataclass(frozen=True, slots=True)
class Row:
    """One question: per cent of right answers, and how many are sure and wrong in the last half.

    most is the wrong option that most chose there, "" where nobody was wrong.
    """

    number: int
    before: float | None
    after: float | None
    sure_and_wrong: int
    most: str


@dataclass(frozen=True, slots=True)
class Gain:
    """What a room shows: means of right answers, None below five phones, and the gain of them.

    rows: who is sure and wrong first.
    """

    before: float | None
    after: float | None
    gain: float | None
    rows: tuple[Row, ...]


def gain(tallies: Mapping[Half, Tally]) -> Gain:
    """The exact numbers of a room; a half of fewer than five phones counts for nothing."""
    known = {half: one for half, one in tallies.items() if one.people >= FEWEST}
    means = {half: float(one.scores @ np.arange(MOST + 1)) / one.people
             for half, one in known.items()}  # fmt: skip
    before, after = means.get("before"), means.get("after")
    grown = None
    if before is not None and after is not None and before < MOST:
        grown = (after - before) / (MOST - before)
    return Gain(before, after, grown, _rows(known))


def _rows(known: Mapping[Half, Tally]) -> tuple[Row, ...]:
    if not known:
        return ()
    last = known.get("after", known.get("before"))
    assert last is not None
    rows = []
    for place, item in enumerate(ITEMS):
        key = KEYS.index(item.right.key)
        share = {half: 100 * float(one.bins[place, key].sum()) / one.people
                 for half, one in known.items()}  # fmt: skip
        wrong = np.delete(last.bins[place, : len(KEYS)], key, axis=0)
        others = [one.text for one in item.options if not one.right]
        most = others[int(wrong.sum(axis=1).argmax())] if wrong.any() else ""
        sure = int(wrong[:, 1].sum())
        rows.append(Row(place + 1, share.get("before"), share.get("after"), sure, most))
    return tuple(sorted(rows, key=lambda row: -row.sure_and_wrong))


def release(tally: Tally, rng: Randomness | None = None) -> NumberRelease:
    """How many passed, with noise; one student replaced changes it by at most 1.

    Without rng from secure bits. Raises: ValueError below five phones.
    """
    if tally.people < FEWEST:
        raise ValueError(f"Fewer than {FEWEST} phones handed in.")
    scores = Column.from_values(np.repeat(np.arange(MOST + 1.0), tally.scores), Bounds(0, MOST), 1)
    passed = NoisyCount(above=PASS - 1, neighbours=Neighbours.REPLACE_ONE)
    return passed.release(scores, BUDGET, rng)  # spends the budget


def said(found: Gain) -> tuple[str, str]:
    """Headline and second line of a room's exact numbers."""
    if found.gain is not None:
        assert found.before is not None
        assert found.after is not None
        means = f"{plain(found.before, 1)} before, {plain(found.after, 1)} after, of {MOST}"
        return (
            f"The class gained **{plain(found.gain, 2)}** of what it could.",
            f"{means}: gain = (after − before)/({MOST} − before). {_judged(found.gain)}",
        )
    for mean, half in ((found.before, "before"), (found.after, "after")):
        if mean is not None:
            return (
                f"**{plain(mean, 1)}** of {MOST} right, {half} the course.",
                "Read “sure and wrong” first.",
            )
    return "Nothing to see yet.", f"Below {FEWEST} phones a half shows nothing."


def _judged(grown: float) -> str:
    if grown < LITTLE:
        return f"Under {LITTLE:g} is little."
    if grown <= USUAL:
        return f"From {LITTLE:g} to {USUAL:g} is usual with active teaching."
    return f"Above {USUAL:g} is rare."


def released(drawn: Mapping[Half, tuple[NumberRelease, int]]) -> str:
    """What leaves the room: releases, each with its public number of people."""
    told = []
    for half, (one, people) in drawn.items():
        passed = min(max(one.value, 0), people)
        told.append(f"{half} **{whole(passed)} ± {whole(reach(one))}** of {people}")
    each = f"each ε = {BUDGET.epsilon:g}, {len(drawn) * BUDGET.epsilon:g} in all"
    spent = each if len(drawn) > 1 else f"ε = {BUDGET.epsilon:g}"
    return (
        f"Passed ({PASS} of {MOST} or more): {', '.join(told)}; {spent}; one student replaced, "
        "n public."
    )


def reach(one: NumberRelease) -> float:
    """How far the noise of a release goes in 19 of 20 draws, by its law."""
    return one.noise.reach(one.scale, SHARE)


def why_not_the_mean(people: int) -> str:
    """What a private mean of as many students would be worth."""
    off = Noise.LAPLACE.reach(MOST / people / BUDGET.epsilon, SHARE)
    return (
        f"Why not the mean? One student moves a sum of points by up to {MOST}: of {people} "
        f"students a private mean is ± {off:.2g} points at ε = {BUDGET.epsilon:g}. Means "
        "leave rooms only pooled."
    )
