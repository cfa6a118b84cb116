"""Running counts step by step, every error worked out from matrices; and what is said of them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.trees.names import Names
from dpviz.answers.trees.online import BINARY, DIGITS, ROOT, WAITED, answer, binary_tree
from dpviz.answers.trees.online_said import lower_bound_words, say
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.mechanisms.counting.running_counts import RunningCounts
from tests.answers.trees.test_running import slow_root
from tests.mechanisms.counting.test_signed_digits import written_out

NAMES = Names("students", "mark", "marks", "student")
STEPS = 40


def slow_tree(shares, epsilon):
    """Variances of running counts by least squares over a binary tree at Laplace noise."""
    rows, weights, leaves = [], [], 2 ** (len(shares) - 1)
    for level, share in enumerate(shares):
        width = leaves >> level
        for place in range(2**level):
            rows.append([float(leaf // width == place) for leaf in range(leaves)])
            weights.append((share * epsilon) ** 2 / 2)
    design, kept = np.array(rows), np.array(weights)
    spread = np.linalg.inv(design.T @ (kept[:, None] * design))
    lower = np.tri(leaves)
    return np.diag(lower @ spread @ lower.T)


def over_time(variances):
    """The root of the mean, and of the largest, after every step."""
    steps = range(1, len(variances) + 1)
    means = [math.sqrt(sum(variances[:step]) / step) for step in steps]
    return means, [math.sqrt(max(variances[:step])) for step in steps]


def test_errors_under_pure_epsilon_are_those_of_matrices():
    found = answer(STEPS, PureDP(0.5), Noise.LAPLACE)
    left, _ = written_out(STEPS, found.base)
    needed = 2 if found.base**2 >= 2 * STEPS + 1 else 3
    digits = (left**2).sum(axis=1) * 2 * (needed / 0.5) ** 2
    stream = RunningCounts(6, PureDP(0.5), np.random.default_rng(0), noise=Noise.LAPLACE)
    binary = np.array([stream.add(1)[1] for _ in range(STEPS)])
    assert [one.name for one in found.every] == [DIGITS, BINARY, WAITED]
    for way, most, wanted in zip(found.every, found.largest, (digits, binary), strict=False):
        means, largest = over_time(wanted.tolist())
        np.testing.assert_allclose(way.errors, means)
        np.testing.assert_allclose(most.errors, largest)
        np.testing.assert_allclose(way.edges, range(1, STEPS + 1))
        assert (way.typical, most.typical) == (pytest.approx(means[-1]), pytest.approx(largest[-1]))
    assert found.best == DIGITS
    assert [one.is_first for one in found.every] == [True, False, False]
    assert found.saves == pytest.approx(1 - digits.mean() / binary.mean())
    waited = found.every[2].typical ** 2
    assert found.waiting == pytest.approx(1 - waited / digits.mean())
    even = slow_tree([1 / 7] * 7, 0.5)[:STEPS].mean()
    assert waited < even  # no worse than with even shares


def test_in_rho_a_square_root_publishes_step_by_step():
    found = answer(STEPS, ZCDP(0.125), Noise.GAUSSIAN)
    root = next(one for one in found.every if one.name == ROOT)
    scale = slow_root(STEPS)
    means, largest = over_time([error**2 for error in scale[1:]])
    np.testing.assert_allclose(root.errors, means, rtol=1e-6)
    assert found.largest[2].typical == pytest.approx(largest[-1])
    assert (found.best, found.is_pure) == (ROOT, False)
    means = {one.name: one.typical**2 for one in found.every}
    assert found.saves == pytest.approx(1 - means[ROOT] / means[BINARY])
    assert found.waiting == pytest.approx(1 - means[WAITED] / means[ROOT])


@pytest.mark.parametrize("steps", [2, 3, 64, 100])
def test_a_binary_tree_is_read_as_its_stream_is(steps):
    height = max(1, math.ceil(math.log2(steps)))
    stream = RunningCounts(height, ZCDP(0.3), np.random.default_rng(0))
    wanted = [stream.add(1)[1] for _ in range(steps)]
    np.testing.assert_allclose(binary_tree(steps, ZCDP(0.3), Noise.DISCRETE_GAUSSIAN), wanted)


@pytest.mark.law
def test_figures_of_the_card_and_of_many_steps():
    """65,536 steps at ε = 1: mean variances 611, 2,543 and, once all steps are over, 413."""
    found = answer(2**16, PureDP(1), Noise.DISCRETE_LAPLACE)
    means = [one.typical**2 for one in found.every]
    assert found.base == 21
    assert [round(mean) for mean in means] == [611, 2543, 413]
    assert found.saves > 3 / 4


def test_every_sentence_says_its_own_number():
    found = answer(STEPS, PureDP(0.5), Noise.LAPLACE)
    every = tuple(
        replace(one, typical=typical)
        for one, typical in zip(found.every, (11.0, 22.0, 33.0), strict=True)
    )
    largest = tuple(replace(one, typical=44.0 + i) for i, one in enumerate(found.largest))
    shown = replace(
        found, steps=1234, every=every, largest=largest, base=55, saves=0.66, waiting=0.77
    )
    said = say(shown, NAMES)
    assert said.headline() == (
        "After each of 1,234 steps a count is good to :blue[± 11] students; published at the end, "
        "to ± 33."
    )
    assert said.headline(brief=True).endswith(":blue[± 11] students; at the end, ± 33.")
    assert said.second() == (
        "Signed digits of fanout 55 save 66 % of a binary tree's variance; least squares at the "
        "end 77 % of the rest, for they use what came later."
    )
    assert said.strip == [
        ("steps", "1,234"), (DIGITS, "± 11"), (BINARY, "± 22"), (WAITED, "± 33"),
        ("largest", "± 44"),
    ]  # fmt: skip
    assert "order of log n" in lower_bound_words(shown)
    rho = replace(answer(STEPS, ZCDP(0.125), Noise.GAUSSIAN), saves=0.5, waiting=-0.2)
    said = say(rho, NAMES)
    assert said.headline().endswith("students; to wait for the end gains nothing.")
    assert said.second() == (
        "A square root saves 50 % of a binary tree's variance, and a tree with all steps at hand "
        "is no better."
    )
    assert "log^1.5 n" in lower_bound_words(rho)
