"""How the levels of a tree share its budget, and what each split makes of a workload."""

from collections.abc import Mapping
from dataclasses import dataclass

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.workload_split import workload_variance

CHOSEN = "chosen"
AS_GOOD = 0.99  # of the chosen split's variance: a better one must be below


@dataclass(frozen=True, slots=True)
class SplitError:
    """One split: its share by level, root first, and its error on a query of the workload.

    variance is the mean variance of a query, error its root in people, times how many times the
    least variance it is; ∞ where a level that is needed is left out.
    """

    name: str
    shares: tuple[float, ...]
    variance: float
    error: float
    times: float


@dataclass(frozen=True, slots=True)
class BudgetsNumbers:
    """All splits, the chosen one first; best is the one with the least variance.

    better says whether best is clearly better than the chosen one. certified is None unless the
    chosen split was searched for, else whether nothing better exists. All is public.
    """

    splits: tuple[SplitError, ...]
    best: SplitError
    better: bool
    workload: str
    certified: bool | None

    @property
    def chosen(self) -> SplitError:
        """The split in use."""
        return self.splits[0]


def answer(
    trees: Mapping[str, CountTree],
    budget: Budget,
    energies: FloatArray,
    workload: str,
    *,
    certified: bool | None,
) -> BudgetsNumbers:
    """Every tree on the same workload; energies (levels,) are what it asks of each level."""
    variances = {name: workload_variance(tree, budget, energies) for name, tree in trees.items()}
    least = min(variances.values())
    splits = tuple(
        SplitError(name, tuple(tree.shares()), found, found**0.5, found / least)
        for (name, tree), found in zip(trees.items(), variances.values(), strict=True)
    )
    best = min(splits, key=lambda split: split.variance)
    better = least <= AS_GOOD * variances[CHOSEN]
    return BudgetsNumbers(splits, best, better, workload, certified)
