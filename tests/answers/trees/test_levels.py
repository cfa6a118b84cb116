"""Numbers of a tree before and after: each worked out anew, slowly; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.trees.levels import answer
from dpviz.answers.trees.levels_said import say
from dpviz.answers.trees.names import Names
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from tests.answers.trees.questions import EFFICIENT, RAW, VALUES, asked

NAMES = Names("students", "mark", "marks")


def slow_fit(question):
    """Every node's estimate and variance by least squares over the leaves, written out."""
    release = question.release
    leaves = release.fanout ** (len(release.counts) - 1)
    rows, measured, weights = [], [], []
    for level, counts in enumerate(release.counts):
        width = leaves // counts.size
        for index, count in enumerate(counts):
            rows.append(
                [
                    1.0 if index * width <= leaf < (index + 1) * width else 0.0
                    for leaf in range(leaves)
                ]
            )
            measured.append(float(count))
            weights.append(1 / (2 * release.tree.scales[level] ** 2))
    design, weight = np.array(rows), np.diag(weights)
    spread = np.linalg.inv(design.T @ weight @ design)
    fitted = design @ spread @ design.T @ weight @ np.array(measured)
    variances = np.diag(design @ spread @ design.T)
    cuts = np.cumsum([counts.size for counts in release.counts])[:-1]
    return np.split(fitted, cuts), np.split(variances, cuts)


def slow_below(counts, edge):
    """The running count at an edge: the largest nodes that lie before it, one after the other."""
    leaves, at, found = len(counts[-1]), 0, 0.0
    for level in counts:
        width = leaves // len(level)
        while at + width <= edge:
            found, at = found + float(level[at // width]), at + width
    return found


def slow_off(counts, low=10.0, high=90.0):
    """The worst error of running counts and where it lies, edge by edge."""
    worst, where, leaves = 0.0, low, len(counts[-1])
    for edge in range(leaves + 1):
        at = low + edge * (high - low) / leaves
        below = sum(1 for value in VALUES if value < at) if edge < leaves else len(VALUES)
        off = slow_below(counts, edge) - below
        if abs(off) > abs(worst):
            worst, where = off, at
    return worst, where


@pytest.fixture(params=[3, 4, 8])
def question(request):
    return asked(seed=request.param)


def test_errors_are_those_of_least_squares_written_out(question):
    found, (_, variances) = answer(question), slow_fit(question)
    assert found.after.errors == pytest.approx([np.sqrt(max(one)) for one in variances])
    assert found.before.errors == pytest.approx([2**0.5 * b for b in question.release.tree.scales])
    assert found.middle == (found.before.errors[1], found.after.errors[1])
    assert found.removed == pytest.approx(1 - max(variances[1]) / found.before.errors[1] ** 2)


def test_the_root_and_the_true_total(question):
    found, (fitted, _) = answer(question), slow_fit(question)
    assert found.after.root == pytest.approx(float(fitted[0][0]))
    assert found.before.root == float(question.release.counts[0][0])
    assert found.total == len(VALUES)


def test_the_worst_errors_of_both_curves(question):
    found, (fitted, _) = answer(question), slow_fit(question)
    for read, counts in ((found.before, question.release.counts), (found.after, fitted)):
        worst, where = slow_off(counts)
        assert (read.off.worst, read.off.at) == pytest.approx((worst, where))
        assert read.off.worst in read.off.errors
    assert found.worst == (found.before.off.worst, found.after.off.worst)


def test_rows_carry_counts_errors_and_the_truth_of_their_level(question):
    found, (fitted, _) = answer(question), slow_fit(question)
    for level, row in enumerate(found.after.rows):
        np.testing.assert_allclose(row.counts, fitted[level])
        width = 80 / row.nodes
        inside = [
            sum(1 for v in VALUES if 10 + i * width <= v < 10 + (i + 1) * width)
            for i in range(row.nodes)
        ]
        inside[-1] += sum(1 for v in VALUES if v == 90)
        np.testing.assert_array_equal(row.truth, inside)
        assert row.error == found.after.errors[level]


def test_shares_and_scales_are_those_of_the_noised_levels():
    found = answer(asked())
    assert found.shares == pytest.approx((1 / 7, 2 / 7, 1 / 7, 3 / 7))
    assert found.scales == pytest.approx([1 / (0.5 * share) for share in found.shares])
    left_out = answer(asked(weights=(0, 2, 1, 3)))
    assert left_out.shares == pytest.approx((2 / 6, 1 / 6, 3 / 6))
    assert (len(left_out.scales), left_out.levels) == (3, 4)


def test_settings_are_those_of_the_tree():
    found = answer(asked())
    assert found.noisiest == max(found.before.errors) > max(found.after.errors)
    assert (found.fanout, found.symbol, found.root) == (2, "ε", Root.RELEASED)
    assert (found.noise, found.is_usual) == (Noise.LAPLACE, False)
    assert found.ends == (10.0, 90.0)
    question = asked()
    usual = replace(question, tree=replace(question.tree, noise=None))
    assert answer(usual).is_usual


def test_without_the_truth_nothing_of_it_is_left():
    found = answer(asked(truth=False))
    assert (found.total, found.worst) == (None, None)
    assert all(row.truth is None for row in (*found.before.rows, *found.after.rows))
    said = say(found, NAMES)
    assert "true" not in repr(said)


def test_every_sentence_says_its_own_number():
    """Each number on screen is told from all others by its size."""
    found = answer(asked())
    off = found.before.off
    shown = replace(
        found,
        before=replace(
            found.before, errors=(70.0, 71.0, 72.0, 73.0), off=replace(off, worst=-461.2)
        ),
        after=replace(
            found.after, errors=(50.0, 41.0, 42.0, 43.0), root=5918.4, off=replace(off, worst=185.4)
        ),
        removed=0.654,
        total=6000.0,
    )
    said = say(shown, NAMES)
    assert said.headline() == (
        "Combining the levels removes :blue[65\u00a0%] of the variance in mid-tree, at no cost in "
        "privacy."
    )
    assert said.headline(brief=True).endswith(
        "removes :blue[65\u00a0%] of the variance in mid-tree, for free."
    )
    assert said.second() == (
        "Standard errors fall from ± 71 to ± 41 students in mid-tree. This draw's worst CDF error "
        "goes from 461 to 185. Fainter blue is noisier."
    )
    assert (
        said.second(brief=True)
        == "In mid-tree ± 71, then ± 41 students. Worst CDF error: 461, then 185."
    )
    assert dict(said.strip) == {
        "root": "5,918 ± 50, true 6,000",
        "levels": "4, 14 to 43 % each",
        "noise scale": "4.7 to 14",
    }
    assert said.alt == (
        "Noisy counts by level from the root to the leaves; standard errors in students: "
        "± 70 to ± 50, ± 71 to ± 41, ± 72 to ± 42, ± 73 to ± 43. The CDF is off "
        "by at most −461 and +185."
    )
    assert say(replace(shown, shares=(0.25,) * 4), NAMES).strip[1] == ("levels", "4, ε/4 each")
    assert say(replace(shown, shares=(1.0,)), NAMES).strip[1] == ("levels", "4, one noised")


def test_settings_that_are_not_as_at_first_are_named():
    found = replace(answer(asked()), is_usual=True)
    assert say(found, NAMES).chips == []
    other = replace(
        found, fanout=3, noise=Noise.GAUSSIAN, is_usual=False, root=Root.SUM, reading=RAW
    )
    assert say(other, NAMES).chips == ["fanout 3", "Gaussian noise", "N summed", "as measured"]
    for height, wanted in ((8, []), (14, ["9 of 15 levels drawn"])):
        tall = replace(answer(asked(height=height, weights=(1,) * (height + 1))), is_usual=True)
        assert say(tall, NAMES).chips == wanted


@pytest.mark.parametrize(
    ("weights", "reading", "wanted"),
    [
        ((1,), EFFICIENT, "nothing to combine"),
        ((1, 0, 1), EFFICIENT, "was not measured"),
        ((1, 1, 1, 1), RAW, "As measured, a count in mid-tree is off by :blue[± 11]"),
    ],
)
def test_a_tree_of_another_kind_is_said_to_be_one(weights, reading, wanted):
    said = say(answer(asked(reading, height=len(weights) - 1, weights=weights)), NAMES)
    assert wanted in said.headline()
    assert "nan" not in repr(said)
