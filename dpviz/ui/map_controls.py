"""The choices of the Map page: method, height, medians, level budgets, pruning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpviz.core.bounds import Box
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.experiments.spatial_queries import paper_shapes, random_boxes, workload_levels
from dpviz.mechanisms.adaptive_grid import AdaptiveGrid
from dpviz.mechanisms.height import suggest_height
from dpviz.mechanisms.hilbert_tree import HilbertTree
from dpviz.mechanisms.kd_cell import KdCell
from dpviz.mechanisms.kd_references import KdPure, KdTrue
from dpviz.mechanisms.kd_tree import KdTree
from dpviz.mechanisms.median_cell import CellMedian
from dpviz.mechanisms.median_exponential import ExponentialMedian
from dpviz.mechanisms.median_noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.median_sampled import SampledMedian
from dpviz.mechanisms.median_smooth import SmoothMedian
from dpviz.mechanisms.private_median import PrivateMedian
from dpviz.mechanisms.privtree import PrivTree
from dpviz.mechanisms.quadtree import QuadtreeSetting
from dpviz.mechanisms.spatial_protocol import SpatialMechanism
from dpviz.mechanisms.uniform_grid import UniformGrid
from dpviz.ui import memory, session

QUADTREES = {
    "quadtree, optimal": QuadtreeSetting.OPT,
    "quadtree, baseline": QuadtreeSetting.BASELINE,
    "quadtree, geometric": QuadtreeSetting.GEO,
    "quadtree, estimated": QuadtreeSetting.POST,
    "quadtree, workload": QuadtreeSetting.WORKLOAD,
}
METHODS = (
    *QUADTREES,
    "kd-tree",
    "kd-hybrid",
    "kd-noisymean",
    "Hilbert R-tree",
    "kd-cell",
    "uniform grid",
    "adaptive grid",
    "PrivTree",
    "kd-true (not private)",
    "kd-pure (not private)",
)
RAW = {"quadtree, baseline", "quadtree, geometric"}  # read without the estimator
MEDIANS: dict[str, PrivateMedian] = {
    "exponential": ExponentialMedian(),
    "smooth sensitivity": SmoothMedian(),
    "noisy mean": NoisyMeanMedian(),
    "cell": CellMedian(),
    "exponential, 1 % sample": SampledMedian(ExponentialMedian()),
    "smooth, 1 % sample": SampledMedian(SmoothMedian()),
}
HIGHEST = 10


@dataclass(frozen=True, slots=True)
class MapChoice:
    """What is drawn and how it is read."""

    methods: tuple[str, ...]
    height: int
    median: str
    prune: float | None
    budget: Budget

    def mechanism(self, name: str, box: Box) -> SpatialMechanism:
        """A mechanism by its name in the list.

        Raises: InvalidParameter or UnsupportedBudget for choices that do not fit together.
        """
        relation, noise = session.neighbours(), _noise(self.budget)
        if name in QUADTREES:
            return self._quadtree(QUADTREES[name], box, relation, noise)
        median = MEDIANS[self.median]
        build: dict[str, Callable[[], SpatialMechanism]] = {
            "kd-tree": lambda: KdTree(self.height, median, noise=noise, neighbours=relation),
            "kd-hybrid": lambda: KdTree.hybrid(
                self.height, median=median, noise=noise, neighbours=relation
            ),
            "kd-noisymean": lambda: KdTree(
                self.height, NoisyMeanMedian(), noise=noise, neighbours=relation
            ),
            "Hilbert R-tree": lambda: HilbertTree(
                self.height, median=median, noise=noise, neighbours=relation
            ),
            "kd-cell": lambda: KdCell.of_size(
                box, box.x.width / 256, height=self.height, noise=noise, neighbours=relation
            ),
            "uniform grid": lambda: UniformGrid(noise=noise, neighbours=relation),
            "adaptive grid": lambda: AdaptiveGrid(noise=noise, neighbours=relation),
            "PrivTree": lambda: PrivTree(neighbours=relation),
            "kd-true (not private)": lambda: KdTrue(self.height, noise=noise, neighbours=relation),
            "kd-pure (not private)": lambda: KdPure(self.height),
        }
        return build[name]()

    def _quadtree(
        self, setting: QuadtreeSetting, box: Box, relation: Neighbours, noise: Noise
    ) -> SpatialMechanism:
        workload = None
        if setting is QuadtreeSetting.WORKLOAD:
            workload = memory.remembered(
                ("map workload", box, self.height, self.budget, noise),
                lambda: workload_levels(
                    box, self.height, workload_boxes(box), self.budget, noise=noise
                ),
            )
        return setting.mechanism(self.height, workload, noise=noise, neighbours=relation)


def workload_boxes(box: Box) -> np.ndarray:
    """Rectangles of the paper's three shapes anywhere in the box: a public workload."""
    rng = np.random.default_rng(2012)
    return np.concatenate([random_boxes(box, shape, 200, rng) for shape in paper_shapes(box)])


def _noise(budget: Budget) -> Noise:
    return Noise.LAPLACE if isinstance(budget, PureDP) else Noise.GAUSSIAN


def map_picker(budget: Budget, box: Box) -> MapChoice:
    """Methods, height, medians and pruning."""
    first = st.selectbox(
        "Method",
        METHODS,
        key="m_method",
        bind="query-params",
        persist_state="session",
        help="How the plane is cut into cells. The two marked ones show what privacy costs.",
    )
    second = st.selectbox(
        "Beside it",
        ("none", *METHODS),
        key="m_second",
        bind="query-params",
        persist_state="session",
        help="A second method on the same points and budget.",
    )
    height = int(
        st.number_input(
            "Height",
            0,
            HIGHEST,
            value=6,
            key="m_height",
            bind="query-params",
            persist_state="session",
            help="h, levels below the root; 4^h leaves.",
        )
    )
    _suggestion(budget, box)
    median = st.selectbox(
        "Private medians",
        list(MEDIANS),
        key="m_median",
        bind="query-params",
        persist_state="session",
        help="How kd-trees and Hilbert R-trees find their splits. Smooth sensitivity needs (ε, δ).",
    )
    prune = None
    if st.toggle(
        "Prune",
        key="m_prune",
        bind="query-params",
        persist_state="session",
        help="Drop what lies below a node whose estimate is under the threshold "
        "(Cormode et al. 2012, §7). Post-processing.",
    ):
        prune = float(
            st.number_input(
                "Threshold",
                value=32.0,
                key="m_threshold",
                bind="query-params",
                persist_state="session",
                format="%.6g",
            )
        )
    methods = (first,) if second in {"none", first} else (first, second)
    return MapChoice(methods, height, median, prune, budget)


def _suggestion(budget: Budget, box: Box) -> None:
    with st.popover("Which height?", icon=":material/height:", width="stretch"):
        expected = st.number_input(
            "Records expected",
            min_value=1,
            value=100_000,
            key="m_expected",
            bind="query-params",
            persist_state="session",
            format="%d",
            help="A public guess or a number of records that was paid for; not the true one.",
        )
        suggestion = suggest_height(float(expected), budget, box)
        st.markdown(f"**{suggestion.height}**: {suggestion.reason}")
