"""kd-trees against a plain recursion, their ledger, and the exact loss of their structure."""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.points import Points
from dpviz.core.errors import InvalidBudget, InvalidParameter, UnsupportedBudget
from dpviz.core.randomness.noise import Noise
from dpviz.core.spatial.release import SpatialRelease
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.exponential.one_quantile import density_of
from dpviz.mechanisms.medians.cell import CellMedian
from dpviz.mechanisms.medians.exponential import ExponentialMedian
from dpviz.mechanisms.medians.noisy_mean import NoisyMeanMedian
from dpviz.mechanisms.medians.protocol import Cost, Groups
from dpviz.mechanisms.medians.sampled import SampledMedian
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.spatial.grown_tree import grow
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue, exact_medians
from dpviz.mechanisms.spatial.kd_tree import KdTree
from tests.estimators.spatial.spending import path_spending
from tests.mechanisms.medians.continuous import median_problems
from tests.mechanisms.spatial.path_costs import audit, path_costs
from tests.rows import by_rows
from tests.statistics import can_tell, fits

ADD, REPLACE = Neighbours.ADD_REMOVE, Neighbours.REPLACE_ONE
BOX = Box(Bounds(-2, 6), Bounds(10, 14))


def point_sets():
    rng = np.random.default_rng(11)
    x, y = rng.uniform(-2, 6, 300), 10 + 4 * rng.beta(0.4, 0.9, 300)
    ties = np.round(x), np.round(y)
    corners = np.array([-2.0, -2, 6, 6, 6]), np.array([10.0, 14, 10, 14, 14])
    sets = {
        "spread": (x, y),
        "ties": ties,
        "corners": corners,
        "no points": ([], []),
        "one point": ([1.0], [11.0]),
        "one on the far corner": ([6.0], [14.0]),
        "all equal": (np.full(50, 2.0), np.full(50, 12.0)),
        "all on the high sides": (np.full(9, 6.0), np.full(9, 14.0)),
    }
    return {name: Points.from_xy(*xy, BOX) for name, xy in sets.items()}


POINTS = point_sets()


def plain_median(values, low, high):
    return sorted(values)[len(values) // 2] if values else (low + high) / 2


def plain_tree(points, box, height, upper):
    """Rectangles and counts of a kd-tree, root first, one node after the other."""
    levels = [[(box, points)]]
    for level in range(height):
        children = []
        for (x_low, x_high, y_low, y_high), inside in levels[-1]:
            private = level < upper
            x = plain_median([p[0] for p in inside], x_low, x_high) if private else None
            x = (x_low + x_high) / 2 if x is None else x
            for a, b, half in (
                (x_low, x, [p for p in inside if p[0] < x]),
                (x, x_high, [p for p in inside if p[0] >= x]),
            ):
                y = plain_median([p[1] for p in half], y_low, y_high) if private else None
                y = (y_low + y_high) / 2 if y is None else y
                children.append(((a, b, y_low, y), [p for p in half if p[1] < y]))
                children.append(((a, b, y, y_high), [p for p in half if p[1] >= y]))
        levels.append(children)
    boxes = [np.array([node[0] for node in level], dtype=float) for level in levels]
    return boxes, [np.array([len(node[1]) for node in level], float) for level in levels]


@by_rows("upper", [0, 1, 3])
@by_rows("which", POINTS)
def test_growing_equals_a_plain_recursion(which, upper):
    points = POINTS[which]
    grown = grow(points, 3, exact_medians, upper_levels=upper, ordered=True)
    rows = list(zip(points.x.tolist(), points.y.tolist(), strict=True))
    boxes, counts = plain_tree(rows, (-2.0, 6.0, 10.0, 14.0), 3, upper)
    for level in range(4):
        assert np.array_equal(grown.boxes[level], boxes[level])
        assert np.array_equal(grown.counts[level], counts[level])


def test_a_loose_arrangement_grows_the_same_tree():
    def loose_medians(groups: Groups):
        assert not groups.ordered
        return exact_medians(groups.in_order())

    for points in POINTS.values():
        ordered = grow(points, 3, exact_medians, upper_levels=2, ordered=True)
        loose = grow(points, 3, loose_medians, upper_levels=2, ordered=False)
        for level in range(4):
            assert np.array_equal(ordered.boxes[level], loose.boxes[level])
            assert np.array_equal(ordered.counts[level], loose.counts[level])


MEDIANS = [
    ExponentialMedian(),
    NoisyMeanMedian(),
    CellMedian(32),
    SmoothMedian(),
    SampledMedian(ExponentialMedian(), 0.2),
    SampledMedian(SmoothMedian(), 0.2),
]


def walk(points, boxes):
    """Points of every node, level by level, sent down by the splits that the rectangles show."""
    rows = np.stack((points.x, points.y), axis=1)
    levels = [[rows]]
    for level in boxes[1:]:
        children = []
        for here, four in zip(levels[-1], level.reshape(-1, 4, 4), strict=True):
            low, high = here[here[:, 0] < four[0, 1]], here[here[:, 0] >= four[0, 1]]
            for half, y in ((low, four[0, 3]), (high, four[2, 3])):
                children += [half[half[:, 1] < y], half[half[:, 1] >= y]]
        levels.append(children)
    return [np.array([len(node) for node in level]) for level in levels]


@pytest.mark.law
@by_rows("median", MEDIANS, ids=lambda m: m.name)
@by_rows("which", POINTS)
def test_counts_belong_to_the_released_rectangles(median, which, rng):
    """With next to no noise on counts, every count is that of its rectangle."""
    points = POINTS[which]
    budget = ApproxDP(1e6, 1e-4) if median.takes_delta else PureDP(1e6)
    tree = KdTree(3, median, private_levels=2, median_share=1e-6)
    release = tree.release(points, budget, rng)
    sides = [release.level_boxes(level) for level in range(4)]
    wanted = walk(points, sides)
    for level, boxes in enumerate(sides):
        np.testing.assert_allclose(release.counts[level], wanted[level], atol=0.01)
        if level:
            parents = np.repeat(sides[level - 1], 4, axis=0).reshape(-1, 4, 4)
            four = boxes.reshape(-1, 4, 4)
            x, y = four[:, 0, 1], four[:, 0, 3]
            assert np.array_equal(four[:, 1, 2], y)  # (low x, high y) begins at the split in y
            assert np.array_equal(four[:, 2, 0], x)
            assert np.array_equal(four[:, :2, 0], parents[:, :2, 0])
            assert np.array_equal(four[:, 2:, 1], parents[:, 2:, 1])
            if level == 3:  # below the switch: midpoints
                middle = parents[:, 0, 0] + (parents[:, 0, 1] - parents[:, 0, 0]) / 2
                assert np.array_equal(x, middle)
    assert SpatialRelease.from_json(release.to_json()) == release


def test_accurate_medians_give_the_tree_of_kd_pure(rng):
    points = POINTS["spread"]
    release = KdTree(2, median_share=0.5).release(points, PureDP(1e6), rng)
    pure = KdPure(2).release(points, PureDP(1e6), rng)
    assert np.abs(release.counts[2] - pure.counts[2]).max() < 3
    assert pure.counts[2].min() >= 300 // 16 - 1


CASES = [
    (KdTree(3), PureDP(0.7)),
    (KdTree(3), ZCDP(0.1)),
    (KdTree.hybrid(5), PureDP(0.7)),
    (KdTree(3, noise=Noise.GAUSSIAN), ZCDP(0.1)),
    (KdTree(3, noise=Noise.GAUSSIAN), ApproxDP(0.7, 1e-6)),
    (KdTree(3, noise=Noise.DISCRETE_LAPLACE), PureDP(0.7)),
    (KdTree(3, NoisyMeanMedian()), PureDP(0.7)),
    (KdTree(3, NoisyMeanMedian()), ZCDP(0.1)),
    (KdTree(3, CellMedian(8)), PureDP(0.7)),
    (KdTree(3, CellMedian(8)), ZCDP(0.1)),
    (KdTree(3, SmoothMedian()), ApproxDP(0.7, 1e-4)),
    (KdTree(3, SmoothMedian(), noise=Noise.GAUSSIAN), ApproxDP(0.7, 1e-4)),
    (KdTree(3, private_levels=0), PureDP(0.7)),
    (KdTree(0), PureDP(0.7)),
    (KdTree(3, levels=LevelBudget.own([1, 0, 2, 0])), PureDP(0.7)),
    (KdTree(3, levels=LevelBudget.leaves_only()), PureDP(0.7)),
    (KdTree(3, root=Root.SUM), PureDP(0.7)),
    (KdTree(3, median_share=0.01), PureDP(1e-6)),
    (KdTree(3), PureDP(1e4)),
]
SAMPLED = [
    (KdTree(3, SampledMedian()), PureDP(0.7)),
    (KdTree(3, SampledMedian(SmoothMedian())), ApproxDP(0.7, 1e-4)),
    (KdTree(3, SampledMedian()), PureDP(1e4)),
]
REPLACED = [(dataclasses.replace(tree, neighbours=REPLACE), budget) for tree, budget in CASES]
PUBLIC = [(KdTree(3, root=Root.PUBLIC, neighbours=REPLACE, records=50), PureDP(0.7))]
ALL = [*CASES, *SAMPLED, *REPLACED, *PUBLIC]


@pytest.mark.law
@by_rows("case", range(len(ALL)))
def test_every_path_spends_exactly_the_budget(case, rng):
    tree, budget = ALL[case]
    found = audit(tree, budget)
    if isinstance(budget, ZCDP):
        assert found.rho == pytest.approx(budget.rho, rel=1e-9)
        assert found.epsilon == found.delta == 0
    else:
        assert found.epsilon == pytest.approx(budget.epsilon, rel=1e-9)
        assert found.rho == 0
    if isinstance(budget, ApproxDP):
        assert found.delta == pytest.approx(budget.delta, rel=1e-9)
    release = tree.release(POINTS["spread"], budget, rng)
    steps = [charge for charge in path_costs(tree, budget) if charge.what != "counts"]
    assert len(release.structure.steps) == len(steps) == 2 * tree.upper_levels
    assert release.structure.private_levels == tree.upper_levels
    assert [(c.level, c.what) for c in steps] == [
        (level, f"{axis} median") for level in range(tree.upper_levels) for axis in "xy"
    ]
    assert release.shape.height == tree.shape.height
    assert release.spent == budget
    if not (isinstance(budget, ApproxDP) and tree.law(budget).gaussian):
        seen = path_spending(release)  # from the release alone
        assert dataclasses.astuple(seen) == pytest.approx(dataclasses.astuple(budget), rel=1e-9)
    assert release.non_private == ()
    # every split that is not private is a midpoint
    for level in range(tree.upper_levels, tree.shape.height):
        parents, children = release.level_boxes(level), release.level_boxes(level + 1)
        middle = parents[:, 0] + (parents[:, 1] - parents[:, 0]) / 2
        assert np.array_equal(children[::4, 1], middle)


@dataclass(frozen=True)
class Greedy(ExponentialMedian):
    """A wrong twin: twice the ε that the step allows."""

    def eta(self, budget, neighbours):
        return 2 * ExponentialMedian.eta(self, budget, neighbours)


def test_the_audit_catches_a_median_that_takes_too_much():
    for budget in (PureDP(1.0), ZCDP(0.1)):
        with pytest.raises(InvalidBudget, match="A path costs"):
            audit(KdTree(3, Greedy()), budget)
    charges = path_costs(KdTree(2), PureDP(1.0))
    assert [(c.level, c.what) for c in charges] == [
        *((level, what) for level in (0, 1) for what in ("x median", "y median", "counts")),
        (2, "counts"),
    ]
    assert charges[0].cost == Cost(pytest.approx(0.3 / 4))
    assert sum(c.cost.epsilon for c in charges if c.what == "counts") == pytest.approx(0.7)


def test_gaussian_counts_under_epsilon_delta_meet_their_delta():
    """The exact δ(ε) of Gaussian counts of all levels together (Balle and Wang 2018)."""
    tree, budget = KdTree(3, SmoothMedian(), noise=Noise.GAUSSIAN), ApproxDP(0.7, 1e-4)
    counts = tree.division(budget).counts
    assert isinstance(counts, ApproxDP)
    scales = tree.counter(counts).level_scales(counts)
    mu = math.sqrt(sum(1 / scale**2 for scale in scales))
    law = stats.norm.cdf
    delta = law(mu / 2 - counts.epsilon / mu) - math.exp(counts.epsilon) * law(
        -mu / 2 - counts.epsilon / mu
    )
    assert delta == pytest.approx(counts.delta, rel=1e-4)
    assert delta <= counts.delta


def structure_loss(points, other, boxes, eta, height):
    """The log-ratio of the exact densities of all splits of a released structure."""
    return sum(
        log_density_of_splits(points, boxes, level, eta)
        - log_density_of_splits(other, boxes, level, eta)
        for level in range(height)
    )


def log_density_of_splits(points, boxes, level, eta):
    parents, children = boxes[level], boxes[level + 1].reshape(-1, 4, 4)
    total = 0.0
    for parent, four in zip(parents, children, strict=True):
        here = members(points, parent)
        x = four[0, 1]
        total += log_density(here[:, 0], parent[0], parent[1], x, eta)
        for half, y in (
            (here[here[:, 0] < x], four[0, 3]),
            (here[here[:, 0] >= x], four[2, 3]),
        ):
            total += log_density(half[:, 1], parent[2], parent[3], y, eta)
    return total


def members(points, row):
    keep = (points[:, 0] >= row[0]) & ((points[:, 0] < row[1]) | (row[1] == 6))
    keep &= (points[:, 1] >= row[2]) & ((points[:, 1] < row[3]) | (row[3] == 14))
    return points[keep]


def log_density(values, low, high, at, eta):
    values = np.sort(values)
    groups = Groups(
        values, np.array([0, values.size]), np.array([low]), np.array([high]), Bounds(low, high)
    )
    density = density_of(*median_problems(groups, eta))
    return float(density.log_density[np.searchsorted(density.edges[1:-1], at, side="right")])


def unlikely_structure():
    """Splits just below a crowd at (−1.99, 10.01) wherever it can be: each costs most of a step."""
    boxes = [np.array([[-2.0, 6.0, 10.0, 14.0]])]
    for _ in range(2):
        rows = boxes[-1]
        for axis, crowd in ((0, -1.99), (1, 10.01)):
            low, high = rows[:, 2 * axis], rows[:, 2 * axis + 1]
            at = np.where((low < crowd) & (crowd < high), (low + crowd) / 2, (low + high) / 2)
            rows = np.repeat(rows, 2, axis=0)
            rows[::2, 2 * axis + 1] = rows[1::2, 2 * axis] = at
        boxes.append(rows)
    return boxes


@pytest.mark.law
@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_the_structure_loses_at_most_its_share(neighbours):
    """Exact densities of whole structures on neighbouring points; twice the η is caught."""
    rng = np.random.default_rng(5)
    epsilon, worst, worst_twin = 4.0, 0.0, 0.0
    tree = KdTree(2, median_share=0.5, neighbours=neighbours)
    eta = ExponentialMedian().eta(tree.division(PureDP(epsilon)).step, neighbours)
    crowd = np.array([[-1.99, 10.01]] * 5)
    first = np.vstack(([[-1.999, 10.001]], crowd)) if neighbours is REPLACE else crowd
    cases = [(first, np.vstack((crowd, [[5.99, 13.99]])), unlikely_structure())]
    for _ in range(20):
        n = int(rng.integers(1, 9))
        rows = np.stack((rng.choice([-1.9, 0, 5.5], n), rng.choice([10.1, 12, 13.9], n)), axis=1)
        rows = rows + rng.uniform(0, 0.05, rows.shape)
        new = rng.choice([-1.95, 5.95]), rng.choice([10.05, 13.95])
        other = np.vstack((rows[1:] if neighbours is REPLACE else rows, new))
        for source in (rows, other):
            points = Points.from_xy(source[:, 0], source[:, 1], BOX)
            cases.append((rows, other, tree.release(points, PureDP(epsilon), rng).geometry.boxes))
    for case in cases:
        worst = max(worst, abs(structure_loss(*case, eta, 2)))
        worst_twin = max(worst_twin, abs(structure_loss(*case, 2 * eta, 2)))
    assert 0.6 * epsilon / 2 < worst <= epsilon / 2
    assert worst_twin > epsilon / 2


@pytest.mark.law
@pytest.mark.parametrize(("neighbours", "changed"), [(ADD, 1), (REPLACE, 2)])
def test_the_law_of_the_counts(neighbours, changed):
    """Noise of all counts of one release, scaled by what 70 % of the budget gives each level.

    Twins with half and with twice this noise are caught.
    """
    tree = KdTree(6, noise=Noise.LAPLACE, neighbours=neighbours)
    release = tree.release(POINTS["no points"], PureDP(2.0), np.random.default_rng(1))
    shares = LevelBudget.geometric(2 ** (1 / 3)).shares(6)
    noise = np.concatenate(
        [
            level / (changed / (0.7 * 2.0 * share))
            for level, share in zip(release.counts, shares, strict=True)
        ]
    )
    assert noise.size == (4**7 - 1) / 3
    right = stats.laplace()
    assert fits(noise, right, comparisons=3)
    for factor in (0.5, 2):
        wrong = stats.laplace(scale=factor)
        assert can_tell(noise.size, wrong, right, comparisons=3)
        assert not fits(noise, wrong, comparisons=3)


def test_the_same_seed_gives_the_same_release_and_another_does_not():
    tree, points = KdTree(3), POINTS["spread"]
    first, again = (tree.release(points, PureDP(1), np.random.default_rng(1)) for _ in range(2))
    assert first == again
    assert first != tree.release(points, PureDP(1), np.random.default_rng(2))


@pytest.mark.law
@by_rows("budget", [PureDP(1e-6), PureDP(1e4)])
@by_rows(
    "tree",
    [
        KdTree(2),
        KdTree(0),
        KdTree.hybrid(3),
        KdTree(2, NoisyMeanMedian()),
        KdTree(2, CellMedian(4)),
    ],
)
def test_extreme_budgets_on_hard_points(tree, budget, rng):
    for points in POINTS.values():
        release = tree.release(points, budget, rng)
        assert all(np.isfinite(level).all() for level in release.counts)


def test_what_is_refused():
    for arguments, message in [
        ({"height": 12}, "smaller fanout or height"),
        ({"height": -1}, "at least 0"),
        ({"private_levels": 9}, "private_levels"),
        ({"private_levels": -1}, "private_levels"),
        ({"median_share": 0}, "median_share"),
        ({"median_share": 1}, "median_share"),
        ({"median_share": math.nan}, "median_share"),
        ({"noise": "cauchy"}, "noise"),
        ({"root": "public"}, "public N"),
    ]:
        with pytest.raises(InvalidParameter, match=message):
            KdTree(**arguments)
    for tree, budget, message in [
        (KdTree(2, noise=Noise.LAPLACE), ApproxDP(1, 1e-6), "Neither"),
        (KdTree(2, SmoothMedian()), PureDP(1), "only"),
        (KdTree(2, SmoothMedian()), ZCDP(1), "only"),
        (KdTree(2, noise=Noise.GAUSSIAN), PureDP(1), "pure"),
        (KdTree(2, SampledMedian()), ZCDP(1), "zCDP"),
        (KdTrue(2, noise=Noise.LAPLACE), ApproxDP(1, 1e-6), "no use of δ"),
    ]:
        with pytest.raises(UnsupportedBudget, match=message):
            tree.check(budget)
        with pytest.raises(UnsupportedBudget, match=message):
            tree.release(POINTS["spread"], budget, np.random.default_rng(0))
    with pytest.raises(InvalidParameter, match="added or removed"):
        KdTree(2, SampledMedian(), neighbours=REPLACE).check(PureDP(1))


def test_a_hybrid_splits_half_of_its_levels_at_medians_unless_told():
    assert KdTree.hybrid(5).upper_levels == 2
    assert KdTree.hybrid(5, 4).upper_levels == 4


def test_the_cards_of_references_say_that_they_are_not_private():
    assert "not private" in KdTrue.card.role
    assert "not private" in KdPure.card.role


def test_references_are_marked(rng):
    points = POINTS["spread"]
    pure = KdPure(3).release(points, PureDP(1), rng)
    true = KdTrue(3, root="sum").release(points, PureDP(1), rng)
    assert pure.non_private == ("structure", "counts")
    assert true.non_private == ("structure",)
    assert pure.spent is None
    assert true.spent == PureDP(1)
    assert all((variance == 0).all() for variance in pure.variances)
    for level in range(4):
        assert np.array_equal(pure.level_boxes(level), true.level_boxes(level))
    for release in (pure, true):
        assert SpatialRelease.from_json(release.to_json()) == release
        assert release.structure.steps == ()
    for which in POINTS:
        KdTrue(2).release(POINTS[which], PureDP(1), rng)
        counts = KdPure(2).release(POINTS[which], PureDP(1), rng).counts
        assert counts[0][0] == counts[2].sum() == POINTS[which].n
    with pytest.raises(InvalidParameter, match="smaller fanout or height"):
        KdPure(12)
