"""When buckets from the data pay: DAWA beside plain noise and a tree, over many budgets."""

import copy
import math
from dataclasses import dataclass

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import PureDP
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.prefix_noise import shape_of
from dpviz.counts.levels import count_below_edges
from dpviz.estimators.splits.workloads import prefixes, single_leaves
from dpviz.estimators.trees.workload import energies_variance
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.dawa import Dawa

EPSILONS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
RUNS = 60
MOST_BINS = 1 << 10  # of a study that is made while somebody waits


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Root mean squares over all parts of a reading, in records, at each budget (k,).

    joined is DAWA's, measured over runs; plain is noise on every bin, tree a tree after the
    efficient estimator, both exact.
    """

    joined: FloatArray
    plain: FloatArray
    tree: FloatArray

    @property
    def pays_below(self) -> int:
        """How many budgets, from the smallest on, joining errs less at than plain noise."""
        worse = np.flatnonzero(self.joined >= self.plain)
        return int(worse[0]) if worse.size else self.joined.size


@confidential("epsilons")
@dataclass(frozen=True, slots=True, eq=False)
class BucketStudy:
    """Errors of single bins and of running counts, at budgets (k,). Confidential."""

    epsilons: FloatArray
    bins: Errors
    running: Errors


def bucket_study(
    column: Column,
    tree: CountTree,
    rng: np.random.Generator,
    runs: int = RUNS,
    epsilons: tuple[float, ...] = EPSILONS,
) -> BucketStudy:
    """DAWA on the leaves of a tree, `runs` releases at each ε, beside the tree itself.

    Every budget sees the same random numbers, so that errors move with ε alone.
    Raises: InvalidParameter for a tree that does not release 2 … MOST_BINS leaves.
    """
    shape = tree.shape
    if not 2 <= shape.leaves <= MOST_BINS:
        raise InvalidParameter(
            f"The study of buckets takes 2 … {MOST_BINS:,} bins, got {shape.leaves:,}."
        )
    exact = np.diff(count_below_edges(column, shape_of(shape.leaves)))
    mechanism = Dawa(shape.leaves, neighbours=tree.neighbours)
    budgets = [PureDP(one) for one in epsilons]
    off = [mechanism.release_many(column, one, copy.deepcopy(rng), runs) - exact for one in budgets]
    law = [tree.tree_noise(one) for one in budgets]
    plain = [math.sqrt(2) * tree.neighbours.counts_changed / one for one in epsilons]
    along = math.sqrt((shape.leaves + 1) / 2)  # root mean square over sums of 1 … K bins

    def errors(energies: FloatArray, found: list[FloatArray], times: float) -> Errors:
        public = tree.total is not None
        variances = [
            energies_variance(energies, shape.fanout, one.variances, public_total=public)
            for one in law
        ]
        return Errors(
            np.array([math.sqrt(float(np.mean(one**2))) for one in found]),
            times * np.array(plain),
            np.sqrt(np.array(variances, dtype=np.float64)),
        )

    return BucketStudy(
        np.array(epsilons),
        errors(single_leaves(shape), off, 1.0),
        errors(prefixes(shape), [np.cumsum(one, axis=1) for one in off], along),
    )
