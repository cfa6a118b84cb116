"""Running counts by a square root, worked out anew; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.trees.names import Names
from dpviz.answers.trees.running import BEST, ROOT, YOURS, EdgeErrors, answer, curve
from dpviz.answers.trees.running_said import drawn_off, say
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.trees.level_budget import LevelBudget
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.counting.prefix_sums import PrefixSums
from tests.answers.trees.questions import VALUES
from tests.answers.trees.test_cdf import slow_rising

NAMES = Names("students", "mark", "marks")
RHO = 0.125
SMOOTHED = 2  # the seed of a draw whose smoothed curve has another worst error than the one as read
ENDS = (10.0, 90.0)


def tree(height=4, **others):
    return CountTree(fanout=2, height=height, **others)


def slow_tree(shares, leaves):
    """Standard errors of running counts by least squares over all nodes, written out."""
    rows, weights = [], []
    for level, share in enumerate(shares):
        width = leaves >> level
        for place in range(2**level):
            inside = range(place * width, (place + 1) * width)
            rows.append([1.0 if leaf in inside else 0.0 for leaf in range(leaves)])
            weights.append(2 * RHO * share)  # 1 / σ² of a count at sensitivity 1
    design = np.array(rows)
    spread = np.linalg.inv(design.T @ np.diag(weights) @ design)
    lower = np.tri(leaves)
    return [0.0, *np.sqrt(np.diag(lower @ spread @ lower.T))]


def slow_root(leaves):
    """Standard errors by the square root of the running sum: coefficients of (1 − x)^(−1/2)."""
    terms = [1.0]
    for k in range(1, leaves):
        terms.append(terms[-1] * (2 * k - 1) / (2 * k))
    squares = [term**2 for term in terms]
    scale = sum(squares) / (2 * RHO)  # the first record moves every sum behind it
    return [0.0, *[(scale * sum(squares[: edge + 1])) ** 0.5 for edge in range(leaves)]]


def test_errors_are_those_of_both_ways_written_out():
    found = answer(tree(), 16, ZCDP(RHO), ENDS)
    root, yours, best = found.every
    assert [one.name for one in found.every] == [ROOT, YOURS, BEST]
    assert [one.is_first for one in found.every] == [True, False, False]
    np.testing.assert_allclose(root.edges, np.linspace(10, 90, 17))
    wanted = slow_tree([0.2] * 5, 16)
    np.testing.assert_allclose(yours.errors, wanted, rtol=0.01)  # discrete noise is a little less
    assert yours.typical == pytest.approx((sum(e**2 for e in yours.errors[1:]) / 16) ** 0.5)
    assert root.typical == pytest.approx((sum(e**2 for e in root.errors[1:]) / 16) ** 0.5)
    assert (found.root, found.tree) == (root.typical, yours.typical)
    assert found.less == pytest.approx(1 - (root.typical / best.typical) ** 2)
    assert best.typical <= yours.typical * (1 + 1e-9)
    assert found.above == pytest.approx((root.typical / found.bound) ** 2 - 1)
    nuclear = float(np.linalg.svd(np.tri(16), compute_uv=False).sum())
    assert found.bound == pytest.approx(nuclear / 16 / (2 * RHO) ** 0.5)
    assert found.alike == (abs(yours.typical / root.typical - 1) < 0.005)


@pytest.mark.parametrize("relation", list(Neighbours))
def test_under_pure_epsilon_laplace_noise_pays_for_what_one_record_moves_in_all(relation):
    found = answer(tree(neighbours=relation), 16, PureDP(0.5), ENDS)
    terms = [1.0]
    for k in range(1, 16):
        terms.append(terms[-1] * (2 * k - 1) / (2 * k))
    columns = [[0.0] * at + terms[: 16 - at] for at in range(16)]
    if relation is not Neighbours.ADD_REMOVE:
        columns = [
            [one - other for one, other in zip(left, right, strict=True)]
            for left in columns
            for right in columns
        ]
    whole = max(sum(map(abs, column)) for column in columns)
    squares = max(sum(one**2 for one in column) for column in columns) ** 0.5
    assert found.moved == pytest.approx((whole, squares))
    each = 2 * (whole / 0.5) ** 2  # of a Laplace number
    wanted = [(each * sum(term**2 for term in terms[:edge])) ** 0.5 for edge in range(17)]
    np.testing.assert_allclose(found.every[0].errors, wanted)
    assert (found.bound, found.above) == (None, None)
    said = say(replace(found, moved=(12.34, 5.678), tree=found.root / 2), NAMES)
    assert said.headline().endswith(", which is better.")
    assert said.second().startswith(
        "That is with Laplace noise, since one person moves the sums by 12.3 in all. Gaussian "
        "noise, in ρ or (ε, δ), pays for the root of the squares alone, 5.68: a square root is "
    )


def test_the_square_root_is_the_one_of_its_series():
    root = answer(tree(), 16, ZCDP(RHO), ENDS).every[0]
    np.testing.assert_allclose(root.errors, slow_root(16), rtol=0.02)


def test_a_tree_of_larger_parts_has_no_line_of_its_own():
    coarse = tree(levels=LevelBudget.own((1, 1, 1, 1, 0)))
    found = answer(coarse, 16, ZCDP(RHO), ENDS)
    assert [one.name for one in found.every] == [ROOT, BEST]
    assert found.tree == float("inf")
    assert "your tree tells larger parts alone." in say(found, NAMES).headline()


def test_no_bound_is_known_where_records_are_replaced():
    found = answer(tree(neighbours=Neighbours.REPLACE_ONE), 16, ZCDP(RHO), ENDS)
    assert (found.bound, found.above) == (None, None)
    said = say(found, NAMES)
    assert len(said.strip) == 3
    assert said.second().endswith("best binary tree. For single parts a tree is better.")


def test_a_public_number_of_records_is_known_at_the_last_edge():
    public = tree(root=Root.PUBLIC, neighbours=Neighbours.REPLACE_ONE, records=len(VALUES))
    root, yours, _ = answer(public, 16, ZCDP(RHO), ENDS).every
    assert root.errors[-1] == yours.errors[-1] == 0
    assert root.errors[-2] > 0


@pytest.mark.parametrize("truth", [True, False])
def test_the_curve_of_a_release(truth):
    column = Column.from_values(VALUES, Bounds(*ENDS))
    release = PrefixSums(8).release(column, ZCDP(0.001), np.random.default_rng(SMOOTHED))
    exact = [float(sum(1 for v in VALUES if v < 10 + 10 * e or e == 8)) for e in range(9)]
    found = curve(release, np.array(exact) if truth else None)
    np.testing.assert_allclose(found.edges, range(10, 91, 10))
    np.testing.assert_allclose(found.counts[1:], release.counts)
    smooth = slow_rising([0.0, *release.counts.tolist()])
    np.testing.assert_allclose(found.smooth, smooth)
    np.testing.assert_allclose(found.errors[1:], release.noise.standard_errors)
    np.testing.assert_allclose(found.band, 1.96 * found.errors)
    if truth:
        off = max(abs(one - true) for one, true in zip(smooth, exact, strict=True))
        assert found.off == pytest.approx(off)
        assert off != pytest.approx(max(abs(np.subtract(found.counts, exact))))
        assert drawn_off(replace(found, off=77.7)).endswith("off by at most **78**.")
    else:
        assert (found.off, found.truth, drawn_off(found)) == (None, None, "")


def test_every_sentence_says_its_own_number():
    found = answer(tree(), 16, ZCDP(RHO), ENDS)
    every = [
        EdgeErrors(name, found.every[0].edges, found.every[0].errors, typical)
        for name, typical in ((ROOT, 11.0), (YOURS, 22.0), (BEST, 33.0))
    ]
    shown = replace(
        found, every=tuple(every), root=44.0, tree=55.0, alike=False, less=0.66, bound=77.0,
        above=0.0811,
    )  # fmt: skip
    said = say(shown, NAMES)
    assert said.headline() == (
        "By a square root a running count is good to :blue[± 44] students, by your tree to ± 55."
    )
    assert said.headline(brief=True) == (
        "A square root is good to :blue[± 44] students, your tree to ± 55."
    )
    assert said.second().startswith(
        "That is 66 % less variance than the best binary tree, within 9 % of the least mean "
        "variance that any unbiased Gaussian way has. For single parts a tree is better. The"
    )
    assert said.strip == [
        (ROOT, "± 11"),
        (YOURS, "± 22"),
        (BEST, "± 33"),
        ("least possible (mean variance)", "± 77"),
    ]
    assert said.second(brief=True).endswith("has. For single parts a tree is better.")
    pure = say(replace(shown, moved=(12.3, 4.56)), NAMES).second
    assert "one person moves the sums by 12.3 in all" in pure()
    assert pure().endswith("squares alone, 4.56: a square root is published with that.")
    assert pure(brief=True) == (
        "Laplace noise pays for 12.3, Gaussian noise in ρ or (ε, δ) for 4.56."
    )
    better = say(replace(shown, tree=33.3), NAMES).headline()
    assert better.endswith("by your tree to ± 33, which is better.")
    assert (
        say(replace(shown, alike=True), NAMES).headline().endswith(", and so it is by your tree.")
    )
    worse = say(replace(shown, less=-0.1), NAMES).second()
    assert worse.startswith(
        "The best binary tree does no worse here; a square root is within 9 % of the least"
    )
