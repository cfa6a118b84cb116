"""The same question to OpenDP, as Python: where OpenDP can be asked it, and why not elsewhere.

OpenDP answers with mechanisms of its own: under the same budget and neighbours, with other noise.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.core.releases import QuantileRelease
from dpviz.core.scalars.release import NumberRelease
from dpviz.core.spatial.cells import Cells
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.core.trees.prefix_release import PrefixRelease
from dpviz.core.trees.release import TreeRelease
from dpviz.reports.words import COUNT as COUNTED
from dpviz.reports.words import LIMITS, Release, limits_of, spent

CANDIDATES = 1_000  # values that OpenDP chooses from where a column has no resolution
MOST_CANDIDATES = 100_000
NO_MAP = (
    "OpenDP has no private partition of the plane (version 0.16), so the question cannot be put "
    "to it."
)
NO_LEVELS = (
    "OpenDP has no tree of counts whose nodes have any number of children (version 0.16), so the "
    "question cannot be put to it."
)
NO_ROOT = (
    "OpenDP has no running counts by a square root (version 0.16), so the question cannot be put "
    "to it; its tree of counts is the nearest that it has."
)
NO_SUM = "Of single numbers there are lines for counts between public thresholds alone."
NO_APPROX = (
    "These lines need a budget in ε or in ρ: OpenDP's counts, quantiles and trees have no (ε, δ) "
    "of their own (version 0.16)."
)
NO_SPLIT = (
    "This tree gives its levels different shares of the budget; OpenDP's tree gives all levels the "
    "same noise (version 0.16)."
)
LARGE = "The declared grid has too many values for OpenDP's list of candidates (version 0.16)."

HEAD = """\
# The same question to OpenDP (0.16): other mechanisms and other noise under the same promise,
# {promise}. Running it is a further release: its budget adds to what is spent.
import opendp.prelude as dp

dp.enable_features("contrib")
values = [...]  # your column: a list of floats without missing ones
low, high = {low!r}, {high!r}  # declared before access

space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
d_in = {distance}  # {relation}
"""

QUANTILES = """\
candidates = {candidates}
measure = dp.{measure}()


def one(alpha, size):
    \"\"\"A private quantile whose budget is at most `size`.\"\"\"
    def at(scale):
        return dp.m.make_private_quantile(*space, measure, candidates, alpha, scale)

    return at(dp.binary_search_param(at, d_in, size))


quantiles = {quantiles}
size = {size!r} / len(quantiles)  # equal shares add up to the budget
release = sorted(one(alpha, size)(values) for alpha in quantiles)
print(dict(zip(quantiles, release)))
"""

TREE = """\
from fractions import Fraction

bins, fanout = {bins}, {fanout}
ends = Fraction(repr(low)), Fraction(repr(high))  # so that 55 is an edge, not 55.00000000000001
edges = [float(ends[0] + (ends[1] - ends[0]) * i / bins) for i in range(bins + 1)]
counts = (
    space
    >> dp.t.then_find_bin(edges[1:-1])
    >> dp.t.then_count_by_categories(list(range(bins)), null_category=False{distances})
    >> dp.t.then_b_ary_tree(leaf_count=bins, branching_factor=fanout)
)


def at(scale):
    \"\"\"All nodes of the tree with {noise} noise of one scale.\"\"\"
    return counts >> dp.m.then_{noise}(scale)


scale = dp.binary_search_param(at, d_in, {size!r})
tree = at(scale)(values)  # all nodes, the root first, level by level
leaves = dp.t.make_consistent_b_ary_tree(branching_factor=fanout)(tree)  # least squares
print(leaves)
"""

BINS = """\
edges = {edges}
counts = (
    space
    >> dp.t.then_find_bin(edges)
    >> dp.t.then_count_by_categories({inside}, null_category=False{distances})
)


def at(scale):
    \"\"\"Counts of the bins with {noise} noise of one scale.\"\"\"
    return counts >> dp.m.then_{noise}(scale)


scale = dp.binary_search_param(at, d_in, {size!r})
release = at(scale)(values)
print(release)
"""

COUNT = """\
counted = {counted}  # a record is judged by itself alone
counts = space >> dp.t.then_count(){twice}


def at(scale):
    \"\"\"How many there are, with {noise} noise of one scale.\"\"\"
    return counts >> dp.m.then_{noise}(scale)


scale = dp.binary_search_param(at, d_in, {size!r})
release = at(scale)(counted)
print(release)
"""
TWICE = "  # a replaced record moves it by 1, and OpenDP reckons with 2"


@dataclass(frozen=True, slots=True)
class Asked:
    """Python lines for OpenDP, or the reason why there are none: one of the two is empty."""

    lines: str = ""
    reason: str = ""


def opendp(release: Release) -> Asked:
    """The question behind a release, put to OpenDP.

    Raises: InvalidRelease for a reference that is not private.
    """
    budget = spent(release)
    if isinstance(release, SpatialRelease | Cells):
        return Asked(reason=NO_MAP)
    if isinstance(release, PlaceRelease):
        return Asked(reason=NO_LEVELS)
    if isinstance(release, PrefixRelease):
        return Asked(reason=NO_ROOT)
    if isinstance(budget, ApproxDP):
        return Asked(reason=NO_APPROX)
    if isinstance(release, QuantileRelease):
        asked = _quantiles(release, budget)
    elif isinstance(release, TreeRelease):
        asked = _tree(release, budget)
    elif isinstance(release, HistogramRelease):
        asked = _bins(release, budget)
    else:
        asked = _count(release, budget)
    if asked.reason:
        return asked
    replaces = release.neighbours is Neighbours.REPLACE_ONE
    head = HEAD.format(
        promise=str(budget),
        low=release.bounds.low,
        high=release.bounds.high,
        distance=2 if replaces else 1,
        relation="one record replaced: one goes, one comes"
        if replaces
        else "one record joins or leaves",
    )
    return Asked(f"{head}\n{asked.lines}")


def _quantiles(release: QuantileRelease, budget: PureDP | ZCDP) -> Asked:
    step = release.resolution
    many = round(release.bounds.width / step) + 1 if step else CANDIDATES + 1
    if many > MOST_CANDIDATES:
        return Asked(reason=LARGE)
    apart = repr(step) if step else f"(high - low) / {CANDIDATES}"
    return Asked(
        QUANTILES.format(
            candidates=f"[low + i * {apart} for i in range({many})]",
            measure="zero_concentrated_divergence" if _is_zcdp(budget) else "max_divergence",
            quantiles=[float(one) for one in np.sort(release.quantiles)],
            size=budget.size,
        )
    )


def _tree(release: TreeRelease, budget: PureDP | ZCDP) -> Asked:
    scales = np.array(release.scales)
    known = scales[np.isfinite(scales)]
    if known.size and not np.allclose(known, known[0]):
        return Asked(reason=NO_SPLIT)
    gaussian = _is_zcdp(budget)  # in OpenDP Laplace noise promises ε alone
    return Asked(
        TREE.format(
            bins=release.shape.leaves,
            fanout=release.fanout,
            size=budget.size,
            noise="gaussian" if gaussian else "laplace",
            distances=', MO="L2Distance<i32>"' if gaussian else "",
        )
    )


def _bins(release: HistogramRelease, budget: PureDP | ZCDP) -> Asked:
    """Values beyond an edge at a bound are clipped into its bin, as here; others are in none."""
    edges: list[float] = release.edges.tolist()
    low, high = edges[0] == release.bounds.low, edges[-1] == release.bounds.high
    asked = edges[low : len(edges) - high]
    first = 0 if low else 1
    gaussian = _is_zcdp(budget)
    return Asked(
        BINS.format(
            edges=asked,
            inside=f"list(range({first}, {first + release.counts.size}))",
            size=budget.size,
            noise="gaussian" if gaussian else "laplace",
            distances=', MO="L2Distance<i32>"' if gaussian else "",
        )
    )


def _count(release: NumberRelease, budget: PureDP | ZCDP) -> Asked:
    if release.mechanism != COUNTED or not release.parameters.keys() >= set(LIMITS):
        return Asked(reason=NO_SUM)
    limits = limits_of(release)
    tests = [f"one {'>' if word == 'above' else '<'} {at!r}" for word, at in limits.items()]
    return Asked(
        COUNT.format(
            counted=f"[one for one in values if {' and '.join(tests)}]" if tests else "values",
            noise="gaussian" if _is_zcdp(budget) else "laplace",
            size=budget.size,
            twice=TWICE if release.neighbours is Neighbours.REPLACE_ONE else "",
        )
    )


def _is_zcdp(budget: Budget) -> bool:
    return isinstance(budget, ZCDP)
