"""Better counts from the release of a noisy tree: post-processing that costs no budget."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.core.arrays import FloatArray
from dpviz.core.card import Card
from dpviz.core.checks import checked_kind
from dpviz.core.releases import Columns, DrawsItself
from dpviz.core.trees.holds_tree import ends_of, node_columns
from dpviz.core.trees.release import TreeRelease
from dpviz.core.trees.shape import Levels, TreeShape
from dpviz.estimators.trees.readings import TreeEstimator

ONE_SIDED = Card(
    key="from_below",
    title="Estimates from below and from above",
    words="from below, from above",
    lead="Combines a count with those inside it, or with all those around it.",
    promises=("free",),
    price="nothing: no new budget",
    use="seeing where the best estimate comes from",
    family="Estimators",
    role="post-processing",
    summary="From below combines a node with its descendants, from above with everything outside "
    "its subtree. Each uses part of what the tree knows.",
    guarantee="post-processing: spends nothing",
    neighbours="as the tree",
    cost="linear in the number of nodes",
    good_for="seeing where the information in the efficient estimate comes from",
    watch_out="children do not sum to their parent",
    source="Honaker 2019, §3.1 and §3.2",
)

EFFICIENT = Card(
    key="efficient",
    title="Efficient estimates of a noisy tree",
    words="all levels combined",
    lead="Combines every count with all the others, each by how sure it is.",
    promises=("free",),
    price="nothing: no new budget",
    use="every reading of a tree",
    family="Estimators",
    role="post-processing",
    summary="Combines the noisy count of a node with all counts below, above and beside it, by "
    "inverse-variance weighting: generalised least squares in linear time.",
    guarantee="post-processing: spends nothing",
    neighbours="as the tree",
    cost="linear in the number of nodes",
    good_for="every reading of a tree; counts become consistent",
    watch_out="only as good as the stated variances",
    source="Honaker 2019, equations 10-13; Cormode et al. 2012, Theorem 5",
)


@dataclass(frozen=True, slots=True, eq=False)
class TreeEstimate(DrawsItself):
    """Counts of all nodes of a release as one reading gives them, each with its variance.

    levels holds them, root first; reading says how they were made. A node that nothing determines
    (below the deepest released level, say) has variance ∞ and count NaN. Units: records, records².
    """

    release: TreeRelease
    levels: Levels
    reading: TreeEstimator

    def _origin(self) -> TreeRelease:
        return self.release

    def _columns(self) -> Columns:
        return node_columns(self.levels, lambda level: ends_of(self.edges(level)))

    @property
    def counts(self) -> tuple[FloatArray, ...]:
        """Estimated counts, root first; level l is (fanout**l,)."""
        return self.levels.counts

    @property
    def variances(self) -> tuple[FloatArray, ...]:
        """Variance of each estimate, shape () where it is constant on a level, else as counts."""
        return self.levels.variances

    @property
    def total(self) -> float | None:
        """N where it is public, else None."""
        return self.release.total

    @property
    def shape(self) -> TreeShape:
        """Fanout and height."""
        return self.levels.shape

    @property
    def level_count(self) -> int:
        """Levels from the root to the leaves, height + 1."""
        return len(self.levels.counts)

    def edges(self, level: int | None = None) -> FloatArray:
        """Node edges of a level (the leaves by default), shape (fanout**level + 1,)."""
        return self.release.edges(level)


Tree = TreeRelease | TreeEstimate


def estimated(release: TreeRelease, reading: TreeEstimator) -> TreeEstimate:
    """A release read in one of the four ways; N is exact where it is public.

    Raises: InvalidParameter for anything but the release of a tree.
    """
    _check_release(release, "estimated")
    return TreeEstimate(release, reading.apply(release.levels, release.total), reading)


def efficient(release: TreeRelease) -> TreeEstimate:
    """Minimum-variance unbiased counts of every node: generalised least squares.

    Children sum to their parent; N is exact where it is public.

    >>> dp.efficient(tree).counts[2].round()
    array([ 320., 1396., 3095., 1183.])

    Units: records, records². Guarantee: post-processing; spends nothing.
    Raises: InvalidParameter for anything but the release of a tree.
    Source: Honaker 2019, eqs. 10-13; Cormode et al. 2012, Theorem 5.
    """
    _check_release(release, "efficient")
    return estimated(release, TreeEstimator.EFFICIENT)


def from_below(release: TreeRelease) -> TreeEstimate:
    """Counts of every node from the node itself and its descendants.

    >>> dp.from_below(tree).counts[2].round()
    array([ 320., 1396., 3097., 1185.])

    Units, guarantee and errors: as efficient. Source: Honaker 2019, §3.1.
    """
    _check_release(release, "from_below")
    return estimated(release, TreeEstimator.FROM_BELOW)


def from_above(release: TreeRelease) -> TreeEstimate:
    """Counts of every node from the node itself and everything outside its subtree.

    >>> dp.from_above(tree).counts[2].round()
    array([ 314., 1394., 3092., 1182.])

    Units, guarantee and errors: as efficient. Source: Honaker 2019, §3.2.
    """
    _check_release(release, "from_above")
    return estimated(release, TreeEstimator.FROM_ABOVE)


def as_estimate(tree: Tree, caller: str) -> TreeEstimate:
    """An estimate as it is; a release with its noisy counts as they are.

    Raises: InvalidParameter, in the caller's name, for anything else.
    """
    wanted = "the release of a tree, or an estimate of it"
    checked_kind(tree, TreeRelease | TreeEstimate, caller, wanted, REMEDY)
    return tree if isinstance(tree, TreeEstimate) else estimated(tree, TreeEstimator.RAW)


REMEDY = "Hand over what CountTree().release(column, budget, rng) returned"


def _check_release(release: object, caller: str) -> None:
    checked_kind(release, TreeRelease, caller, "the release of a tree", REMEDY)
