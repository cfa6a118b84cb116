"""What decides three statements of PSD that do not hold on our points: read off the controls.

Each is a ratio of errors and a limit, computed alike on every set: the geometric mean of the draws
of points and rectangles. Student's t of the draws decides at 95 %; nearer to the limit it stays
open.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from dpviz.core.arrays import FloatArray
from dpviz.experiments.papers.psd_figures import EPSILON
from dpviz.experiments.papers.psd_methods import HILBERT, KD_CELL
from dpviz.experiments.papers.psd_points import ENDS, HYBRID, LOW, PAIRS, QUADTREE, TALL, USUAL
from dpviz.experiments.papers.stored import tables
from dpviz.experiments.papers.stored.findings import word
from dpviz.experiments.papers.stored.record import record

LEVEL, UNEVEN = 1.1, 3.0  # a ratio up to LEVEL is level, above UNEVEN much worse
SURE = 0.95
Errors = Mapping[tuple[str, int, float, str], FloatArray]  # a mean for each draw


@dataclass(frozen=True, slots=True)
class Ratio:
    """One error over another, geometric mean of the draws, and the ends of its 95 %."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, one: FloatArray, other: FloatArray) -> "Ratio":
        """From the errors of both in each draw (k,), k > 1, asked the same rectangles."""
        logs = np.log(one / other)
        middle, draws = float(logs.mean()), logs.size
        reach = float(stdtrit(draws - 1, (1 + SURE) / 2) * logs.std(ddof=1) / np.sqrt(draws))
        low, value, high = (float(np.exp(middle + one)) for one in (-reach, 0.0, reach))
        return cls(value, low, high)


@dataclass(frozen=True, slots=True)
class Asked:
    """A statement: the ratios that must all, or not all, pass a limit, and what they are.

    above: the least of them (every) or the most (any of them) must lie above the limit; else the
    most of them must not.
    """

    said: str
    ratios: Callable[[Errors, list[str]], Iterator[Ratio]]
    decisive: Callable[[list[Ratio]], Ratio]
    limit: float
    above: bool

    def ratio(self, rows: pd.DataFrame) -> Ratio:
        """The ratio that decides, on these points."""
        return self.decisive(list(self.ratios(_errors(rows), tables.shapes(rows))))

    def holds(self, ratio: Ratio) -> bool | None:
        """Whether the statement holds; None where the draws do not tell."""
        if ratio.low <= self.limit <= ratio.high:
            return None
        return (ratio.value > self.limit) is self.above


def _errors(rows: pd.DataFrame) -> Errors:
    """Errors of the draws, in their order, by method, height, ε and shape."""
    found: dict[tuple[str, int, float, str], list[float]] = {}
    columns = ("method", "height", "epsilon", "shape", "mean")
    for m, h, e, s, mean in zip(*(rows[name] for name in columns), strict=True):
        found.setdefault((str(m), int(h), float(e), str(s)), []).append(float(mean))
    return {place: np.array(means) for place, means in found.items()}


def _cell_on_thin(errors: Errors, shapes: list[str]) -> Iterator[Ratio]:
    for one in ENDS:
        cell, hybrid = (errors[name, USUAL, one, shapes[2]] for name in (KD_CELL, HYBRID))
        yield Ratio.of(cell, hybrid)


def _hybrid_on_larger(errors: Errors, shapes: list[str]) -> Iterator[Ratio]:
    for one in shapes[1:]:
        hybrid, quad = errors[HYBRID, USUAL, EPSILON, one], errors[QUADTREE, TALL, EPSILON, one]
        yield Ratio.of(hybrid, quad)


def _hilbert_at_worst(errors: Errors, shapes: list[str]) -> Iterator[Ratio]:
    for height in (LOW, USUAL):
        for one in shapes:
            own = errors[HILBERT, height, EPSILON, one]
            others = (errors[name, height, EPSILON, one] for name in (QUADTREE, HYBRID))
            yield _most([Ratio.of(own, other) for other in others])  # over the better of the two


def _least(ratios: list[Ratio]) -> Ratio:
    return min(ratios, key=lambda one: one.value)


def _most(ratios: list[Ratio]) -> Ratio:
    return max(ratios, key=lambda one: one.value)


CELL_LOSES, HYBRID_LEVEL, HILBERT_WORSE = "cell", "hybrid", "hilbert"
STATED: Mapping[str, str] = {
    CELL_LOSES: "kd-cell clearly loses on long thin rectangles, at every ε",
    HYBRID_LEVEL: "kd-hybrid does as well on larger shapes",
    HILBERT_WORSE: "Hilbert-R is much worse on some shape",
}
ASKED: Mapping[str, Asked] = {
    CELL_LOSES: Asked(
        "kd-cell / kd-hybrid on thin rectangles, the lesser of ε = 0.1 and 1, holds above 1",
        _cell_on_thin, _least, 1.0, above=True,
    ),
    HYBRID_LEVEL: Asked(
        "kd-hybrid / quad-opt, the worse of both larger shapes, holds up to 1.1",
        _hybrid_on_larger, _most, LEVEL, above=False,
    ),
    HILBERT_WORSE: Asked(
        "Hilbert-R / the better of quad-opt and kd-hybrid at height 6 or 8, most, holds above 3",
        _hilbert_at_worst, _most, UNEVEN, above=True,
    ),
}  # fmt: skip


@cache
def ratios(key: str) -> Mapping[str, Ratio]:
    """The ratio that decides a statement, on every set of points."""
    parts = record().rows["other points"].groupby("points", sort=False)
    return {str(name): ASKED[key].ratio(part) for name, part in parts}


def verdicts(key: str) -> Mapping[str, bool | None]:
    """On which points the statement holds, does not, or stays open."""
    return {name: ASKED[key].holds(one) for name, one in ratios(key).items()}


def turning(held: Mapping[str, bool | None]) -> list[str]:
    """The properties whose change alone turns a statement in one of their pairs or more."""
    return [
        name
        for name, pairs in PAIRS.items()
        if any({held[one], held[other]} == {True, False} for one, other in pairs)
    ]


def reason(key: str) -> str:
    """For the table: where a statement holds, where it does not, and what turns it."""
    found, held = ratios(key), verdicts(key)
    parts = [
        f"{words} {'; '.join(f'{n} {_with_range(found[n])}' for n in held if held[n] is verdict)}"
        for verdict, words in ((True, "holds on"), (False, "not on"), (None, "open on"))
        if verdict in held.values()
    ]
    return f"{ASKED[key].said}: {', '.join(parts)}. {turned(key)}"


def told_short(key: str) -> str:
    """For a caption: on how many sets a statement holds, and what change of them turns it."""
    held = verdicts(key)
    holding, failing, unclear = (
        [name for name in held if held[name] is verdict] for verdict in (True, False, None)
    )
    named = f" ({', '.join(holding)})" if holding else ""
    said = (
        f"On {word(len(holding))} of {word(len(held))} sets of points tried {STATED[key]}{named}, "
        f"on {word(len(failing))} clearly not"
    )
    if unclear:
        said += f", {word(len(unclear))} leave{'s' * (len(unclear) == 1)} it open"
    turns = turning(held)
    change = (
        f"changing only {' or only '.join(turns)} turned the answer"
        if turns
        else "no single change tried turned it"
    )
    return f"{said}; {change}."


def moving(found: Mapping[str, Ratio]) -> list[str]:
    """The properties whose change alone moves a ratio: ranges of one of their pairs lie apart."""
    return [
        name
        for name, pairs in PAIRS.items()
        if any(_apart(found[one], found[other]) for one, other in pairs)
    ]


def _apart(one: Ratio, other: Ratio) -> bool:
    return one.high < other.low or other.high < one.low


def turned(key: str) -> str:
    """Which single properties turn a statement, and which others move its ratio."""
    turns = turning(verdicts(key))
    moves = [name for name in moving(ratios(key)) if name not in turns]
    if not turns + moves:
        return "No single property moves it clearly."
    parts = [f"{how} by {_listed(names)}" for how, names in (("turned", turns), ("moved", moves))
             if names]  # fmt: skip
    said = "; ".join(parts)
    return f"{said[0].upper()}{said[1:]}."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _with_range(one: Ratio) -> str:
    return f"{one.value:.2f} ({one.low:.2f} to {one.high:.2f})"
