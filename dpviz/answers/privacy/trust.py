"""What trust costs: the error of one question under one ε, by who is trusted. No data is read."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import ApproxDP, Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.estimators.splits.workloads import prefixes
from dpviz.estimators.trees.cdf_errors import CdfErrors
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.estimators.trees.workload import range_variances
from dpviz.experiments.privacy import local_median
from dpviz.experiments.privacy.randomised_response import RandomisedResponse
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_optimal
from dpviz.mechanisms.local.counts import LocalCounts, level_variance
from dpviz.mechanisms.local.shuffling import local_epsilon

Question = Literal["count", "median", "cdf"]
Local = PureDP | ApproxDP  # what reports promise, without a shuffler or with one
BINS = 1024  # of a CDF, equal and with as many people in each
TREES = ((2, 10), (4, 5), (32, 2))  # fanouts and heights with so many leaves; the best is taken
PEOPLE = tuple(round(10 ** (2 + i / 2)) for i in range(15))  # 100 … 10^9
SERVER, TWO, SHUFFLER, NOBODY = "one server", "two servers", "a shuffler", "nobody"
NOISE = Noise.DISCRETE_LAPLACE


@dataclass(frozen=True, slots=True)
class CountLaws:
    """One count under ε, twice: with the noise of one server, and by everybody's own coins.

    Errors are root mean squares in people; a share of the answers is within a reach.
    """

    coins: RandomisedResponse

    @property
    def scale(self) -> float:
        """Of the server's NOISE."""
        return 1 / self.coins.epsilon

    @property
    def server_error(self) -> float:
        """Of the server, however many people there are."""
        return math.sqrt(NOISE.variance(self.scale))

    def server_reach(self, share: float) -> float:
        """How far the server is off at most."""
        return NOISE.reach(self.scale, share)

    def coins_error(self, people: float) -> float:
        """Of coins, however many of the people are counted."""
        return self.coins.deviation(0, people)

    def coins_reach(self, count: int, people: int, share: float) -> float:
        """How far coins are off at most where so many are counted."""
        return self.coins.reach(count, people, share)


@dataclass(frozen=True, slots=True, eq=False)
class TrustLine:
    """Root mean square errors, in people, of whom these are trusted: for all PEOPLE, and at n."""

    trusted: str
    errors: FloatArray
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class TrustNumbers:
    """One question under each trust, most trusted first; all is public.

    times is the error of nobody over that of one server, at n people; more times as many people
    make the share of people that nobody's answer is off as small as the server's, at n.
    local is the ε of a report before the shuffler, at n people. searched are those of whom, at n
    people, a median is asked for by LocalQuantiles, which errs less there than a CDF of reports.
    sure is within what share of itself the error of theirs that is known worst was measured.
    own is how many people the data set in use has, where that may be shown.
    """

    question: Question
    epsilon: float
    delta: float
    people: int
    lines: tuple[TrustLine, ...]
    times: float
    more: float
    local: float
    searched: tuple[str, ...]
    sure: float
    own: int | None


def answer(
    question: Question, epsilon: float, delta: float, people: int, own: int | None = None
) -> TrustNumbers:
    """Under ε, and (ε, δ) with a shuffler, one person's value replaced by another.

    Raises: InvalidBudget for ε or δ that no report keeps to.
    """
    shuffled = ApproxDP(epsilon, delta)
    budgets: dict[str, Local] = {SHUFFLER: shuffled, NOBODY: PureDP(epsilon)}
    at = (*PEOPLE, people)
    trusted = _trusted(question, epsilon)
    reports = {
        who: np.array([_reported(question, budget, n) for n in at])
        for who, budget in budgets.items()
    }  # (n, 2): by counts, by a search
    twice = np.full((len(at), 1), math.sqrt(2) * _added(question, epsilon))
    reports[TWO] = np.hstack((twice, reports[NOBODY][:, 1:]))  # they can ask as nobody does
    errors = {SERVER: np.full(len(at), trusted)}
    errors |= {who: reports[who].min(axis=1) for who in (TWO, SHUFFLER, NOBODY)}
    lines = tuple(TrustLine(who, each[:-1], float(each[-1])) for who, each in errors.items())
    times = lines[-1].error / lines[0].error
    more = _people_for(question, epsilon, lines[0].error / people) / people
    at_n = {who: reports[who][-1] for who in (TWO, SHUFFLER, NOBODY)}
    searched = tuple(who for who, (counted, bits) in at_n.items() if bits < counted)
    local = local_epsilon(shuffled, people, 2 if question == "count" else None)
    if SHUFFLER in searched:
        local = local_median.local_epsilon(shuffled, people)
    asked = {TWO: epsilon, SHUFFLER: local, NOBODY: epsilon}
    sure = max((local_median.sure(asked[who], people) for who in searched), default=0.0)
    return TrustNumbers(
        question, epsilon, delta, people, lines, times, more, local, searched, sure, own
    )


def _people_for(question: Question, epsilon: float, share: float) -> float:
    """How many people nobody needs, so that the error is such a share of them."""
    people = float(PEOPLE[-1])
    for _ in range(60):  # the error over the root of the people hardly changes, at last not at all
        a_person = min(_reported(question, PureDP(epsilon), people)) / math.sqrt(people)
        people = max((a_person / share) ** 2, 1.0)
    return people


def _trusted(question: Question, epsilon: float) -> float:
    """One server: noise on a count, the exponential mechanism, or noise on a tree of counts."""
    if question == "median":  # ranks k off with chance ∝ e^(−ε |k|/2), where records do not tie
        return math.sqrt(NOISE.variance(2 / epsilon))
    return _added(question, epsilon)


def _added(question: Question, epsilon: float) -> float:
    """Noise that is added once, on a count or on the best tree: what two servers do, too."""
    if question == "count":
        return CountLaws(RandomisedResponse(2, epsilon)).server_error
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


def _reported(question: Question, budget: Local, people: float) -> tuple[float, float]:
    """Errors of reports by counts and, of a median, by a search; ∞ where there is none.

    Behind a shuffler they tell as much as it hides again, of a search round by round.
    """
    local = budget.epsilon
    if isinstance(budget, ApproxDP):
        local = local_epsilon(budget, round(people), 2 if question == "count" else None)
    if question == "count":
        return CountLaws(RandomisedResponse(2, local)).coins_error(people), math.inf
    counted = _a_cdf(local) * math.sqrt(people)
    if question == "cdf":
        return counted, math.inf
    return counted, local_median.error(local_median.local_epsilon(budget, round(people)), people)


@lru_cache(maxsize=4096)  # public parameters only
def _a_cdf(epsilon: float) -> float:
    """The root of a person's part in the variance of running counts at the inner edges.

    Of reports under ε, by the tree that errs least.
    """
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
