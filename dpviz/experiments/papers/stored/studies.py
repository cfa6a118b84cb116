"""The studies behind the stored figures: what each one runs, and how thoroughly."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from dpviz.core.data.points import Points
from dpviz.experiments.engine.plan import Experiment, run_all
from dpviz.experiments.engine.tally import SUMS, summary
from dpviz.experiments.papers import aq_study, psd_figures
from dpviz.experiments.papers.aq_figures import (
    EXAMPLE,
    histograms,
    moved_targets,
    properties,
    recursion_nodes,
)
from dpviz.experiments.papers.poster import POSTERS, poster_curve, poster_trials
from dpviz.experiments.papers.psd_costs import construction_times, median_study, record_matching
from dpviz.experiments.papers.psd_example import example_quadtree
from dpviz.experiments.papers.psd_figures import (
    height_accuracy,
    kd_accuracy,
    quadtree_accuracy,
    worst_case_errors,
)
from dpviz.experiments.papers.psd_points import DRAWS, on_other_points
from dpviz.experiments.papers.psd_settings import settings_accuracy
from dpviz.experiments.papers.sets import DataSet
from dpviz.experiments.papers.tree_figures import Example, example_tree
from dpviz.experiments.papers.tree_study import honaker_simulation
from dpviz.experiments.statements.both_sides import both_sides
from dpviz.experiments.statements.flattening import bounds_beside, flattening
from dpviz.experiments.statements.good_split import good_splits
from dpviz.experiments.statements.made_up_column import RUNS as MADE_UP_RUNS
from dpviz.experiments.statements.made_up_column import made_up_columns
from dpviz.experiments.statements.node_budgets import node_budgets
from dpviz.experiments.statements.psd_medians import laplace_medians, sampling_prices
from dpviz.experiments.statements.selection import selections
from dpviz.experiments.statements.single_steps import RUNS as SINGLE_RUNS
from dpviz.experiments.statements.single_steps import single_steps
from dpviz.experiments.statements.solid import slices, solid_errors
from dpviz.experiments.statements.stream import running_totals
from dpviz.experiments.statements.surveys import two_surveys
from dpviz.experiments.statements.weighing import RUNS as WEIGHED_RUNS
from dpviz.experiments.statements.weighing import weighings

SEED = 2021
# every m of the zoomed figures, and enough of the rest; as many trials as in print
GAPS = aq_study.Settings((1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 35, 50, 60, 80, 100, 120), 100)
TIMES = aq_study.Settings((1, 5, 10, 20, 35, 60, 90, 120), 10)
# as in print but for the releases: 5 for the accuracies of quadtrees, fewer for slower trees
QUADTREES = replace(psd_figures.FULL, runs=5)
KD_TREES = replace(psd_figures.FULL, runs=4)
MEDIANS = replace(psd_figures.FULL, median_runs=10)


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """What the studies are about: the six sets, the points of the maps, and real addresses."""

    sets: Mapping[str, DataSet]
    points: Points
    addresses: Points | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """One study: what builds its rows from the sources and a generator, and how often it runs."""

    build: Callable[[Sources, np.random.Generator], Experiment | pd.DataFrame]
    runs: int = 1

    def rows(self, sources: Sources, rng: np.random.Generator) -> pd.DataFrame:
        """Means with standard errors where it ran more than once, else what it found."""
        found = self.build(sources, rng)
        rows = run_all(found) if isinstance(found, Experiment) else found
        return summary(rows) if set(SUMS) <= set(rows.columns) else rows


def seed(name: str) -> list[int]:
    """The seed of a study: one of its own, so that each can be made again alone."""
    return [SEED, *name.encode()]


def _sets(sources: Sources) -> dict[str, DataSet]:
    return dict(sources.sets)


def _example(_: Sources, rng: np.random.Generator) -> pd.DataFrame:
    return example_frame(example_tree(rng))


def example_frame(example: Example) -> pd.DataFrame:
    """Honaker's example, a row a node from the root: level, truth and noisy."""
    levels = [
        pd.DataFrame({"level": level, "truth": exact, "noisy": noisy})
        for level, (exact, noisy) in enumerate(
            zip(example.truth, example.noisy.counts, strict=True)
        )
    ]
    return pd.concat(levels, ignore_index=True)


def _curve(key: str) -> Stored:
    def build(_: Sources, rng: np.random.Generator) -> pd.DataFrame:
        people, noise, band = rng.spawn(3)
        return poster_curve(POSTERS[key].column(people), noise, band)

    return Stored(build)


def _trials(key: str) -> Stored:
    def build(_: Sources, rng: np.random.Generator) -> pd.DataFrame:
        people, noise = rng.spawn(2)
        return poster_trials(POSTERS[key].column(people), noise)

    return Stored(build, 10)


def _on_points(build: Callable[..., Experiment], settings: Any) -> Stored:
    return Stored(lambda sources, rng: build(sources.points, settings, rng), settings.runs)


STUDIES: dict[str, Stored] = {
    "recursion": Stored(lambda s, rng: recursion_nodes(s.sets["normal"], 15, 1.0, rng)),
    "targets": Stored(lambda _, __: moved_targets(**EXAMPLE)),
    "histograms": Stored(lambda s, _: histograms(_sets(s))),
    "properties": Stored(lambda s, _: properties(_sets(s))),
    "gaps": Stored(lambda s, rng: aq_study.error_study(_sets(s), GAPS, rng), GAPS.trials),
    "times": Stored(lambda s, rng: aq_study.time_study(_sets(s), TIMES, rng), TIMES.trials),
    "quarters": Stored(lambda _, rng: example_quadtree(rng)),
    "worst": Stored(lambda _, __: worst_case_errors()),
    "quadtrees": _on_points(quadtree_accuracy, QUADTREES),
    "medians": Stored(lambda _, rng: median_study(MEDIANS, rng), MEDIANS.median_runs),
    "kdtrees": _on_points(kd_accuracy, KD_TREES),
    "heights": _on_points(height_accuracy, KD_TREES),
    "settings": _on_points(settings_accuracy, replace(psd_figures.FULL, runs=3)),
    "other points": Stored(lambda s, rng: on_other_points(s.addresses, rng), DRAWS),
    "construction": _on_points(construction_times, KD_TREES),
    "matching": _on_points(record_matching, QUADTREES),
    "example": Stored(_example),
    "simulation": Stored(lambda _, rng: honaker_simulation(rng), 10_000),
    "income": _curve("manohar1"),
    "age": _curve("manohar2"),
    "income trials": _trials("manohar1"),
    "age trials": _trials("manohar2"),
    "selection": Stored(lambda _, rng: selections(rng)),
    "single steps": Stored(lambda _, rng: single_steps(rng), SINGLE_RUNS),
    "made-up column": Stored(lambda _, rng: made_up_columns(rng), MADE_UP_RUNS),
    "nodes": Stored(lambda _, rng: node_budgets(rng)),
    "flattening": Stored(lambda _, rng: flattening(rng)),
    "bounds": Stored(lambda _, rng: bounds_beside(rng), 40),
    "laplace median": Stored(lambda _, rng: laplace_medians(rng)),
    "good split": Stored(lambda _, rng: good_splits(rng)),
    "sampling": Stored(lambda _, rng: sampling_prices(rng)),
    "solid": Stored(lambda _, rng: slices(rng)),
    "solid errors": Stored(lambda _, rng: solid_errors(rng), 4),
    "both sides": Stored(lambda s, rng: both_sides(s.points, rng), 4),
    "weighing": Stored(lambda _, rng: weighings(rng), WEIGHED_RUNS),
    "surveys": Stored(lambda _, rng: two_surveys(rng), 4000),
    "stream": Stored(lambda _, rng: running_totals(rng), 100),
}
