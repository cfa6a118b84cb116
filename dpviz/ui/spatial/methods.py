"""How a choice on the Map page becomes a mechanism: by the catalogue's rows."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpviz import catalogue
from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.experiments.planning.spatial_queries import paper_shapes, random_boxes, workload_levels
from dpviz.mechanisms.medians.protocol import PrivateMedian
from dpviz.mechanisms.spatial.method import SpatialChoice, SpatialMethod
from dpviz.mechanisms.spatial.protocol import SpatialMechanism
from dpviz.ui.kit import memory, session
from dpviz.ui.model.fields import Values
from dpviz.ui.spatial.cuts.settings import Cuts


def names() -> list[str]:
    """The methods that the page offers, in the catalogue's order."""
    return [row.name for row in catalogue.SPATIAL]


def method_of(name: str) -> SpatialMethod:
    """The catalogue's row of a name in the list.

    Raises: KeyError for a name without a row.
    """
    return {row.name: row for row in catalogue.SPATIAL}[name]


def medians() -> dict[str, PrivateMedian]:
    """The private medians that the page offers, by their names in the list."""
    return {row.name: row.median for row in catalogue.MEDIANS}


def chosen(values: Values) -> tuple[str, ...]:
    """The method, and a second one beside it."""
    first, second = values["m_method"], values["m_second"]
    return (first,) if second in {"none", first} else (first, second)


def takes(values: Values, knob: str) -> bool:
    """Whether a chosen method lets a person set this."""
    return any(knob in method_of(name).knobs for name in chosen(values))


@dataclass(frozen=True, slots=True)
class MapChoice:
    """What is drawn and how it is read."""

    methods: tuple[str, ...]
    height: int
    median: str
    prune: float | None
    budget: Budget
    cuts: Cuts = field(default_factory=Cuts)

    @classmethod
    def of(cls, values: Values, budget: Budget) -> "MapChoice":
        """As the fields of the page say; budget is what a record may spend."""
        height = values["m_height"]
        cuts = Cuts(
            switch=min(values["m_switch"], height),
            share=values["m_share"],
            order=max(values["m_order"], height),
            columns=values["m_columns"],
            tested=values["m_tested"],
            levels=values["m_levels"],
            shares=values["m_shares"],
        )
        prune = values["m_threshold"] if values["m_prune"] else None
        return cls(chosen(values), height, values["m_median"], prune, budget, cuts)

    def mechanism(self, name: str, box: Box) -> SpatialMechanism:
        """A mechanism by its name in the list.

        Raises: InvalidParameter or UnsupportedBudget for choices that do not fit together.
        """
        row, noise = method_of(name), Noise.for_budget(self.budget)
        settled: dict[str, Any] = self.cuts.chosen(row, box)
        needs_workload = row.for_workload and settled["levels"] is None
        return row.build(
            SpatialChoice(
                box,
                self.height,
                median=medians()[self.median],
                noise=noise,
                neighbours=session.neighbours(),
                workload=self._workload(box, noise) if needs_workload else None,
                **settled,
            )
        )

    def _workload(self, box: Box, noise: Noise) -> LevelBudget:
        boxes = workload_boxes(box)
        return memory.remembered(
            ("map workload", box, self.height, self.budget, noise),
            lambda: workload_levels(box, self.height, boxes, self.budget, noise=noise),
        )


def workload_boxes(box: Box) -> FloatArray:
    """Rectangles of the paper's three shapes anywhere in the box: a public workload."""
    rng = np.random.default_rng(2012)
    return np.concatenate([random_boxes(box, shape, 200, rng) for shape in paper_shapes(box)])
