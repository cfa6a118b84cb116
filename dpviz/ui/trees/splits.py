"""How the levels of a tree share its budget, and the queries that this is judged by."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.core.arrays import FloatArray
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.shape import TreeShape
from dpviz.estimators.splits.workloads import all_ranges, listed_ranges, prefixes, single_leaves
from dpviz.ui import visitor
from dpviz.ui.kit import memory, session
from dpviz.ui.visit import state

TEXT = "t_weights"  # the one source: sliders are set from it, and write into it
MOST_SLIDERS = 11  # a height of 10
HIGHEST = 10.0
WIDTH = 145  # pixels: four beside each other on a laptop, two on a phone
OPTIMAL, OWN_RANGES = "workload-optimal", "own ranges"
# how levels share: one name on screen and in links
SPLITS = ("uniform", "geometric", "leaves only", "own weights", OPTIMAL)


@dataclass(frozen=True, slots=True)
class Split:
    """How the levels share the budget, as a person chose it; texts may not be readable yet."""

    name: str
    ratio: float = 1.0
    weights: str = ""
    workload: str = "all ranges"
    ranges: str = ""

    def levels(self) -> LevelBudget:
        """The shares; for the workload-optimal split those that its search starts from.

        Raises: InvalidParameter for weights that cannot be read.
        """
        if self.name == "geometric":
            return LevelBudget.geometric(self.ratio)
        if self.name == "own weights":
            return LevelBudget.own(parse_numbers(self.weights, "Weights"))
        return LevelBudget.leaves_only() if self.name == "leaves only" else LevelBudget.uniform()

    def energies(self, shape: TreeShape) -> FloatArray:
        """What the workload asks of each level, found once.

        Raises: InvalidParameter for unreadable ranges.
        """
        bounds = session.declared("low"), session.declared("high")
        return memory.remembered(
            ("energies", self.workload, self.ranges, shape, bounds),
            lambda: WORKLOADS[self.workload](shape, self.ranges),
        )


def weights_of(written: str) -> LevelBudget:
    """Raises: InvalidParameter for weights that cannot be read."""
    return LevelBudget.own(parse_numbers(written, "Weights"))


def even_weights(height: int) -> str:
    """The same weight for every level."""
    return ", ".join(["1"] * (height + 1))


def adapted(written: str, height: int) -> str:
    """Even weights fit any height; others stay as they are written."""
    return even_weights(height) if re.fullmatch(r"1(, 1)*", written) else written


def first_range() -> str:
    """The lower half of the declared bounds."""
    low, high = (session.declared(name) or 0.0 for name in ("low", "high"))
    return f"{low:g}, {(low + high) / 2:g}"


def _listed(shape: TreeShape, written: str) -> FloatArray:
    ends = ranges_of(written)
    return listed_ranges(ends[:, 0], ends[:, 1], session.declared_bounds(), shape)


def ranges_of(written: str) -> FloatArray:
    """The ends of ranges, (k, 2). Raises: InvalidParameter for a line that is not two numbers."""
    pairs = [parse_numbers(line, "A range") for line in written.splitlines() if line.strip()]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise InvalidParameter("Write one range a line, as low, high: for example 18, 65.")
    return np.array(pairs)


# mean energies (h + 1,) of the queries that matter; own ranges are written down
WORKLOADS: dict[str, Callable[[TreeShape, str], FloatArray]] = {
    "all ranges": lambda shape, _: all_ranges(shape),
    "CDF": lambda shape, _: prefixes(shape),
    "single leaves": lambda shape, _: single_leaves(shape),
    OWN_RANGES: _listed,
}


def weight_sliders(height: int, written: str) -> None:
    """One slider a level, where they are few and can show the weights that are written."""
    weights = parse_numbers(written, "Weights")
    if len(weights) > MOST_SLIDERS or max(weights) > HIGHEST:
        st.caption(
            f"Sliders are offered to height {MOST_SLIDERS - 1} and for weights to {HIGHEST:g}; "
            "beyond, edit the text below the level budgets."
        )
        return
    for level, weight in enumerate(weights):
        visitor.put(_key(level), weight)
    with st.container(horizontal=True):
        for level in range(height + 1):
            st.slider(
                f"Level {level}",
                0.0,
                HIGHEST,
                step=0.1,
                format="%.4g",
                key=_key(level),
                on_change=_write_text,
                args=(height,),
                width=WIDTH,
            )


def parse_numbers(text: str, what: str) -> list[float]:
    """Numbers with commas, semicolons or spaces between them.

    Raises: InvalidParameter that names the first part that is not a number.
    """
    numbers = []
    for part in re.split(r"[\s,;]+", text.strip()):
        try:
            numbers.append(float(part))
        except ValueError:
            raise InvalidParameter(
                f"{what} must be numbers with commas between them; '{part}' is none."
            ) from None
    return numbers


def _write_text(height: int) -> None:
    weights = (visitor.held(_key(level)) for level in range(height + 1))
    state.put(TEXT, ", ".join(f"{weight:g}" for weight in weights))


def _key(level: int) -> str:
    return f"t_weight_{level}"
