"""One question answered again and again: what all answers take, and what their average tells."""

from dataclasses import dataclass

from dpviz.core.budgets import Budget
from dpviz.core.confidential import confidential
from dpviz.experiments.privacy.budget import Attack, Bill, best_account
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.single_queries import Query


@confidential()
@dataclass(frozen=True, slots=True)
class Averages:
    """The average of all answers beside the truth, both on a grid (0: any value): confidential.

    one_is_off and average_is_off are how far one answer, on average, and the average are off; limit
    is where averages settle. gives_away: the average rounds to the truth.
    """

    average: float
    truth: float
    grid: float
    one_is_off: float
    average_is_off: float
    limit: float
    gives_away: bool


@dataclass(frozen=True, slots=True)
class BudgetNumbers:
    """What answers take of a promise; averages are None where nothing true may be shown.

    best is the total ε of the best account at delta. is_count: the question is a count, whose
    averages settle on the truth.
    """

    bill: Bill
    best: float
    delta: float
    is_count: bool
    averages: Averages | None


def answer(
    bill: Bill, attack: Attack | None, query: Query, budget: Budget, delta: float
) -> BudgetNumbers:
    """The budget is that of one answer."""
    return BudgetNumbers(
        bill=bill,
        best=best_account(query, budget, delta, bill.answers)[1],
        delta=delta,
        is_count=isinstance(query, CountQuery),
        averages=None if attack is None else _averages(attack),
    )


def _averages(attack: Attack) -> Averages:
    return Averages(
        average=attack.average,
        truth=attack.truth,
        grid=attack.grid,
        one_is_off=attack.one_is_off,
        average_is_off=attack.average_is_off,
        limit=attack.limit,
        gives_away=attack.gives_away,
    )
