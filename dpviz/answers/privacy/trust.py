"""What trust costs: the error of one question under one ε, by who is trusted. No data is read."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.workloads import prefixes
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.estimators.trees.workload import range_variances
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.mechanisms.local.counts import LocalCounts, level_variance
from dpviz.mechanisms.local.shuffling import local_epsilon

Question = Literal["count", "median", "cdf"]
BINS = 1024  # of a CDF, equal and with as many people in each
TREES = ((2, 10), (4, 5), (32, 2))  # fanouts and heights with so many leaves; the best is taken
PEOPLE = tuple(round(10 ** (2 + i / 2)) for i in range(15))  # 100 … 10^9
SERVER, TWO, SHUFFLER, NOBODY = "one server", "two servers", "a shuffler", "nobody"
NOISE = Noise.DISCRETE_LAPLACE


@dataclass(frozen=True, slots=True, eq=False)
class TrustLine:
    """Root mean square errors, in people, of whom these are trusted: for all PEOPLE, and at n."""

    trusted: str
    errors: FloatArray
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class TrustNumbers:
    """One question under each trust, most trusted first; all is public.

    times is the error of nobody over that of one server, at n people; as many times more people,
    squared, make the share of people that nobody's answer is off as small as the server's: more.
    local is the ε of a report before the shuffler, at n people. own is how many people the data
    set in use has, where that may be shown.
    """

    question: Question
    epsilon: float
    delta: float
    people: int
    lines: tuple[TrustLine, ...]
    times: float
    more: float
    local: float
    own: int | None


def answer(
    question: Question, epsilon: float, delta: float, people: int, own: int | None = None
) -> TrustNumbers:
    """Under ε, and (ε, δ) with a shuffler, one person's value replaced by another.

    Raises: InvalidBudget for ε or δ that no report keeps to.
    """
    shuffled = ApproxDP(epsilon, delta)
    at = (*PEOPLE, people)
    trusted = _trusted(question, epsilon)
    errors = {
        SERVER: np.full(len(at), trusted),
        TWO: np.full(len(at), math.sqrt(2) * _added(question, epsilon)),
        SHUFFLER: np.array([_behind_shuffler(question, shuffled, n) for n in at]),
        NOBODY: _a_person(question, epsilon) * np.sqrt(at),
    }
    lines = tuple(TrustLine(who, each[:-1], float(each[-1])) for who, each in errors.items())
    times = lines[-1].error / lines[0].error
    local = local_epsilon(shuffled, people, 2 if question == "count" else None)
    return TrustNumbers(question, epsilon, delta, people, lines, times, times**2, local, own)


def _trusted(question: Question, epsilon: float) -> float:
    """One server: noise on a count, the exponential mechanism, or noise on a tree of counts."""
    if question == "median":  # ranks k off with chance ∝ e^(−ε |k|/2), where records do not tie
        return math.sqrt(NOISE.variance(2 / epsilon))
    return _added(question, epsilon)


def _added(question: Question, epsilon: float) -> float:
    """Noise that is added once, on a count or on the best tree: what two servers do, too."""
    if question == "count":
        return math.sqrt(NOISE.variance(1 / epsilon))
    return _tree(epsilon)


@lru_cache(maxsize=256)  # public parameters only
def _tree(epsilon: float) -> float:
    """Of running counts at the inner edges, by the tree and its split that err least."""
    budget, found = PureDP(epsilon), []
    for fanout, height in TREES:
        tree = CountTree(
            fanout, height, noise=NOISE, neighbours=Neighbours.REPLACE_ONE, root=Root.PUBLIC,
            records=BINS,
        )  # fmt: skip
        best, _ = workload_optimal(tree, budget, prefixes(tree.shape))
        errors = CdfErrors(best.tree_noise(budget), TreeEstimator.EFFICIENT).running_errors()
        found.append(float(np.mean(errors[1:-1] ** 2)))
    return math.sqrt(min(found))


def _behind_shuffler(question: Question, budget: ApproxDP, people: int) -> float:
    """Reports that tell as much as the shuffler hides again; never fewer than nobody's."""
    local = local_epsilon(budget, people, 2 if question == "count" else None)
    return _a_person(question, local) * math.sqrt(people)


def _a_person(question: Question, epsilon: float) -> float:
    """The root of a person's part in the variance, for reports under ε."""
    return math.exp(epsilon / 2) / math.expm1(epsilon) if question == "count" else _a_cdf(epsilon)


@lru_cache(maxsize=4096)  # public parameters only
def _a_cdf(epsilon: float) -> float:
    """The same of running counts at the inner edges, by the tree of reports that errs least."""
    return math.sqrt(min(_local_tree(fanout, height, epsilon) for fanout, height in TREES))


def _local_tree(fanout: int, height: int, epsilon: float) -> float:
    """Mean variance of running counts at the inner edges, a person, of a tree of reports."""
    mechanism = LocalCounts(fanout=fanout, height=height)
    levels, _ = mechanism.randomisers(PureDP(epsilon), 1)
    variances = [0.0, *(level_variance(one, 1.0, height) for one in levels)]
    ends = np.arange(1.0, BINS)
    found = range_variances(
        mechanism.shape(), variances, np.zeros(ends.size), ends, public_total=True
    )
    shares = ends / BINS
    return float(np.mean(found - shares * (1 - shares)))  # everybody draws exactly one level
