"""How far off a median is that people are asked for one bit each: measured, stored, read again.

The values lie evenly over one half of the bounds, which begins anywhere, so that the search is not
told where to look. An error is the root mean square distance of the answer's rank from the middle
one, over √people. Rare searches end far off, so that few runs tell it roughly; how roughly is
stored beside it. Where people × ε² is 1,000 or more it hardly depends on the people, and all sizes
are taken together. Between stored ε and numbers of people it is interpolated in logarithms. Below
the least ε it is taken to grow as 1/ε, up to half of the people, beyond which no rank is off; above
the largest it stays. `python -m benchmarks.trust store` writes the file.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, PureDP
from dpviz.mechanisms.local.quantiles import LocalQuantiles
from dpviz.mechanisms.local.search import crossing

FILE = "local_median.json"
EPSILONS = (0.1, 0.3, 1.0, 2.0, 4.0, 8.0)  # of a report
SIZES = (100, 1_000, 10_000, 1_000_000, 100_000_000)
RUNS, SEED = 600, 25
ENOUGH = 1_000  # people × ε², from which on the error over √people hardly depends on people
WIDTH = 0.5  # part of the bounds in which the values lie
MOST = 0.5  # share of the people that a rank is off at most
SEARCH = LocalQuantiles()


def measured(
    epsilon: float, people: int, rng: np.random.Generator, runs: int = RUNS
) -> tuple[float, float]:
    """Root mean square error of the rank, over √people, of searches with ε a report.

    Beside it stands its own standard error as a share of it, by the spread of the squares.
    """
    squares = np.square([_searched(epsilon, people, rng) for _ in range(runs)])
    mean = float(squares.mean())
    return math.sqrt(mean * people), float(squares.std(ddof=1)) / (2 * mean * math.sqrt(runs))


def _searched(epsilon: float, people: int, rng: np.random.Generator) -> float:
    """How far one answer's share of the values below it is from a half, as LocalQuantiles asks.

    Nobody is asked twice: people between two cuts are known by how many of them are left.
    """
    low, cells = rng.uniform(0, 1 - WIDTH), 1 << SEARCH.height
    yes, no = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    told = yes - no
    cuts, shares, weights = np.empty(0, np.int64), np.empty(0), np.empty(0)
    ends, left = np.array([0, people]), np.array([people])  # ranks of all cuts, people between

    def place() -> float:
        return crossing(cuts, shares, weights, 0.5, cells) if cuts.size else cells / 2

    def below(at: float) -> float:
        return min(max((at / cells - low) / WIDTH, 0.0), 1.0)

    for asked in rng.multinomial(people, [1 / SEARCH.rounds] * SEARCH.rounds).tolist():
        if not asked:
            continue
        cut = min(max(round(place()), 1), cells - 1)
        rank = round(below(cut) * people)
        at = int(np.searchsorted(ends, rank))
        if ends[at] != rank:  # who is left of the part that the cut halves lies evenly in it
            part = rank - ends[at - 1], ends[at] - rank
            first = rng.hypergeometric(*part, left[at - 1])
            left = np.insert(left, at - 1, first)
            left[at] -= first
            ends = np.insert(ends, at, rank)
        drawn = rng.multivariate_hypergeometric(left, asked, method="marginals")
        left = left - drawn
        inside = int(drawn[:at].sum())
        said = rng.binomial(inside, yes) + rng.binomial(asked - inside, no)
        cuts = np.append(cuts, cut)
        shares = np.append(shares, (said / asked - no) / told)
        weights = np.append(weights, asked * 4 * told * told)
    return below(place()) - 0.5


@cache
def stored() -> dict[str, Any]:
    """The version; errors by people and ε, and the standard error of each as a share of it."""
    text = files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@cache
def _squares() -> tuple[FloatArray, FloatArray]:
    """Squares of errors and their standard errors, of a column together where people are enough."""
    squares = np.square(stored()["errors"])
    spread = 2 * squares * np.array(stored()["standard"])
    many = np.outer(SIZES, np.square(EPSILONS)) >= ENOUGH
    sizes = many.sum(axis=0)
    together = (many * squares).sum(axis=0) / sizes
    apart = np.sqrt((many * spread**2).sum(axis=0)) / sizes
    return np.where(many, together, squares), np.where(many, apart, spread)


def sure(epsilon: float, people: float) -> float:
    """Two standard errors of an error, as a share of it: of the worst stored place that is near."""
    squares, spread = _squares()
    return float((spread / squares)[_near(SIZES, people), _near(EPSILONS, epsilon)].max())


def _near(stored_at: Sequence[float], value: float) -> slice:
    """The stored places around a value: one where it is stored or beyond all, two between."""
    last = len(stored_at) - 1
    start, stop = (int(np.searchsorted(stored_at, value, side)) for side in ("right", "left"))
    return slice(min(max(start - 1, 0), last), min(stop, last) + 1)


def error(epsilon: float, people: float) -> float:
    """Root mean square error of the median's rank, in people, for reports under ε."""
    across, down = np.log(EPSILONS), np.log(SIZES)
    logs = [float(np.interp(math.log(epsilon), across, row)) for row in np.log(_squares()[0]) / 2]
    found = math.exp(float(np.interp(math.log(people), down, logs))) * math.sqrt(people)
    return min(found * max(1.0, EPSILONS[0] / epsilon), MOST * people)


def local_epsilon(budget: PureDP | ApproxDP, people: int) -> float:
    """The ε of each report: that of the budget, or more behind a shuffler of every round."""
    return budget.epsilon if isinstance(budget, PureDP) else SEARCH.randomiser(budget, people)[1]
