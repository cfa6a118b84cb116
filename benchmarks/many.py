"""Many quantiles or one curve: the number of quantiles from which a curve errs less, measured anew.

Beside it the column on which a library's median was reported to crash, by HSJointExp and by ours.
"""

from __future__ import annotations

import numpy as np

from benchmarks.results import Table
from dpviz.answers.studies.many_said import crossing_text
from dpviz.core.budgets import PureDP
from dpviz.core.quantiles import QuantileSet
from dpviz.experiments.statements import many
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp

CROSSES = "Quantiles from which one curve errs less than asking for each"
TIED = "Quartiles of a million values, eight in ten of them 65,000, at ε = 0.5"
PLACES = (("normal", 10_000, 1.0), ("uniform", 10_000, 1.0), ("log-normal", 10_000, 1.0))


MEASURES = (CROSSES, TIED)


def run() -> list[Table]:
    """Crossings at three places, stored and anew; quartiles of tied values."""
    return [
        Table(CROSSES, ("column", "stored", "anew"), [_crossing(*one) for one in PLACES],
              f"10,000 people, ε = 1, {many.RUNS} releases a number of quantiles."),
        Table(TIED, ("method", "quartiles"), _tied(), "One release each."),
    ]  # fmt: skip


def _crossing(shape: str, people: int, epsilon: float) -> tuple[str, str, str]:
    asked = (shape, people, epsilon)
    (known,) = [one for one in many.places() if (one.shape, one.people, one.epsilon) == asked]
    anew = many.measured(*asked, np.random.default_rng(1))
    errors = {name: np.array(one, dtype=np.float64) for name, one in anew.items()}
    found = many.crossing(many.best(errors, many.ASKING), many.best(errors, many.CURVES))
    return shape, crossing_text(known.crosses), crossing_text(found)


def _tied() -> list[tuple[str, str]]:
    rng, asked, budget = np.random.default_rng(0), QuantileSet.of([0.25, 0.5, 0.75]), PureDP(0.5)
    column = many.tied_column(rng)
    rows = [
        ("JointExp, declared resolution", JointExp().release(column, asked, budget, rng).values)
    ]
    for width in (1.0, 100.0):
        drawn = many.smoothed_joint(column, asked, budget, width, rng)
        rows.append((f"HSJointExp, moved by up to {width:g}", drawn))
    return [(name, " · ".join(f"{one:,.1f}" for one in values)) for name, values in rows]
