"""What combining the levels leaves of the variance: in theory, and in Honaker's simulation."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dpviz.answers.number_text import percent
from dpviz.answers.said import Line, Said, private
from dpviz.core.trees.tree_noise import TreeNoise
from dpviz.experiments.papers.tree_study import (
    honaker_simulation,
    simulated_by_level,
    variances_by_level,
)

SIMULATED_LEAVES = 4096  # above this nothing is simulated
RUNS = 500
HONAKERS = {"trees": 10_000, "height": 4, "mean": 10.0, "sigma": 3.0}


@dataclass(frozen=True, slots=True, eq=False)
class LevelErrors:
    """Errors of a tree's nodes by level, all public, as variances_by_level and its twin give them.

    simulated is None for a tree that is too large. left is what left_over reads in the theory.
    """

    theory: pd.DataFrame
    simulated: pd.DataFrame | None
    left: tuple[float, float] | None


@dataclass(frozen=True, slots=True, eq=False)
class HonakersErrors:
    """Errors by node as honaker_simulation gives, and what left_over reads in them."""

    errors: pd.DataFrame
    left: tuple[float, float] | None


def by_level(noise: TreeNoise, rng: np.random.Generator) -> LevelErrors:
    """Exact errors of a tree's noise, beside those of simulated trees."""
    theory, simulated = variances_by_level(noise), None
    if noise.shape.leaves <= SIMULATED_LEAVES:
        simulated = simulated_by_level(noise, rng, runs=RUNS)
    return LevelErrors(theory, simulated, left_over(theory))


def honaker(rng: np.random.Generator) -> HonakersErrors:
    """His Figure 4, simulated anew."""
    errors = honaker_simulation(rng, **HONAKERS)  # type: ignore[arg-type]
    return HonakersErrors(errors, left_over(errors))


def left_over(by_level: pd.DataFrame) -> tuple[float, float] | None:
    """The least and the largest share that the efficient reading leaves, below the root.

    by_level has the columns estimator, level and ratio, of the raw variance or squared error. None
    where no level below the root was measured.
    """
    efficient = (by_level["estimator"] == "efficient") & (by_level["level"] > 0)
    known = [ratio for ratio in by_level.loc[efficient, "ratio"].tolist() if not math.isnan(ratio)]
    return (min(known), max(known)) if known else None


def say_by_level(found: LevelErrors) -> Said:
    """What is left on a level of one's own tree."""
    strip = [("lines", "theory")]
    if found.simulated is not None:
        strip.append(("points", f"{RUNS} simulated trees, ± 2 errors"))
    return Said(
        Line(_theory(found.left)),
        Line("Standard errors depend on public choices alone."),
        strip,
        "Standard error of a node by level for the four readings, theory and simulation",
    )


def _theory(shares: tuple[float, float] | None) -> str:
    if shares is None:
        return "Nothing is left to combine in this tree."
    least, most = map(percent, shares)
    said = private(least) if least == most else f"between {private(least)} and {private(most)}"
    return f"Below the root, least squares leaves {said} of the raw variance on a level."


def say_honaker(found: HonakersErrors) -> Said:
    """What is left in Honaker's Figure 4."""
    assert found.left is not None
    least, most = map(percent, found.left)
    trees, leaves = f"{HONAKERS['trees']:,}", f"{2 ** HONAKERS['height']}"
    return Said(
        Line(
            f"In Honaker's simulation combining leaves {private(least)} to {private(most)} of the "
            "squared error."
        ),
        Line(
            f"His Fig. 4: {trees} trees with {leaves} leaves, Poisson({HONAKERS['mean']:g}) people "
            f"each, noise of deviation {HONAKERS['sigma']:g}, N known. No data of yours is used."
        ),
        [("trees", trees), ("leaves", leaves)],
        "Mean squared errors of every node, raw against efficient",
    )
