"""How the levels of a tree share its budget, and the queries that this is judged by."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import DpvizError, InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.trees.workloads import all_ranges, listed_ranges, prefixes, single_leaves
from dpviz.ui.kit import session
from dpviz.ui.kit.choices import menu, number, text
from dpviz.ui.links import readable
from dpviz.ui.trees.weights import parse_numbers, start_weights


def split_picker() -> str:
    """How the levels share the budget, by name."""
    return menu(
        "Level budgets",
        list(SPLITS),
        "t_split",
        "How the levels share the budget: evenly; growing by a ratio towards the leaves; all for "
        "the leaves; your own weights; or the split that answers the workload best.",
    )


def workload_picker() -> str:
    """The queries that matter, by name."""
    return menu(
        "Workload",
        list(WORKLOADS),
        "t_workload",
        "The queries that the tree is judged by, and that the optimal split is made for.",
    )


def _uniform(_: TreeShape) -> LevelBudget:
    return LevelBudget.uniform()


def _leaves_only(_: TreeShape) -> LevelBudget:
    return LevelBudget.leaves_only()


def _geometric(_: TreeShape) -> LevelBudget:
    ratio = number(
        "Ratio from level to level",
        "t_ratio",
        "Above 1 the leaves get more. 2^(1/3) suits a quadtree in ε (Cormode et al. 2012).",
        default=1.2599,
        min_value=0.01,
        max_value=100.0,
        format="%.4f",
    )
    return LevelBudget.geometric(ratio)


def _own_weights(shape: TreeShape) -> LevelBudget:
    start_weights(shape.height)
    written = text(
        "Weights, root first",
        "t_weights",
        "One number a level, h + 1 in all; 0 leaves a level out.",
        is_readable=readable.parsed_by(_weights, DpvizError),
    )
    return _weights(written)


def _weights(written: str) -> LevelBudget:
    return LevelBudget.own(parse_numbers(written, "Weights"))


def _own_ranges(shape: TreeShape) -> FloatArray:
    bounds = session.declared_bounds()

    def ranges(written: str) -> FloatArray:
        ends = _ends(written)
        return listed_ranges(ends[:, 0], ends[:, 1], bounds, shape)

    written = text(
        "Ranges, one a line: low, high",
        "t_ranges",
        "In the column's units, from public interest in them, not from the data.",
        is_readable=readable.parsed_by(ranges, DpvizError),
        lines=True,
        value=f"{bounds.low:g}, {bounds.low + bounds.width / 2:g}",
    )
    return ranges(written)


def _ends(written: str) -> FloatArray:
    """The ends of ranges, (k, 2). Raises: InvalidParameter for a line that is not two numbers."""
    pairs = [parse_numbers(line, "A range") for line in written.splitlines() if line.strip()]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise InvalidParameter("Write one range a line, as low, high: for example 18, 65.")
    return np.array(pairs)


# each asks for what else it needs; raises InvalidParameter for a text that cannot be read
SPLITS: dict[str, Callable[[TreeShape], LevelBudget]] = {
    "uniform": _uniform,
    "geometric": _geometric,
    "leaves only": _leaves_only,
    "own weights": _own_weights,
    "workload-optimal": _uniform,  # where the search for it starts
}
# mean energies (h + 1,) of the queries; own ranges are asked for
WORKLOADS: dict[str, Callable[[TreeShape], FloatArray]] = {
    "all ranges": all_ranges,
    "CDF": prefixes,
    "single leaves": single_leaves,
    "own ranges": _own_ranges,
}
