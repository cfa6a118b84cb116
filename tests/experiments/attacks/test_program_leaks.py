"""Digits that tell two counts apart, by brute force; exact rational arithmetic; closed forms."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpviz.experiments.attacks import program_leaks
from dpviz.experiments.attacks.program_leaks import (
    STEPS,
    can_come_from,
    exposed,
    telling_answers,
    telling_medians,
    textbook_laplace,
)

FAR = 20_000  # steps to both sides that are tried one by one


def drawn(truth: float, scale: float, runs: int, seed: int = 2) -> np.ndarray:
    steps = np.random.default_rng(seed).integers(1, STEPS, runs).astype(np.float64)
    return textbook_laplace(truth, scale, steps)


def test_the_formula_is_the_inverse_of_the_law():
    steps = np.linspace(0.001, 0.999, 99) * STEPS
    law = stats.laplace(16, 10).ppf(steps / STEPS)
    assert textbook_laplace(16, 10, steps) == pytest.approx(law, abs=1e-9)


@pytest.mark.parametrize("scale", [10.0, 1.0])
def test_brute_force_finds_the_same_answers(scale):
    answers = drawn(16, scale, 60)
    found = can_come_from(answers, 15, scale)
    near = stats.laplace(15, scale).cdf(answers)
    for answer, said, share in zip(answers, found, near, strict=True):
        steps = np.round(share * STEPS) + np.arange(-FAR, FAR + 1)
        steps = steps[(steps > 0) & (steps < STEPS)]
        given = textbook_laplace(15, scale, steps)
        assert given[0] < answer < given[-1]  # the formula grows: nothing lies further away
        assert said == (given == answer).any()
    assert 0 < found.sum() < 60 or scale == 1.0


def test_answers_of_the_same_count_can_always_come_from_it():
    for scale in (10.0, 1.0):
        assert can_come_from(drawn(15, scale, 5_000, seed=3), 15, scale).all()


def test_more_steps_find_no_more(monkeypatch):
    answers = drawn(16, 1.0, 2_000)
    before = can_come_from(answers, 15, 1.0)
    monkeypatch.setattr(program_leaks, "NEAR", 200)
    assert (can_come_from(answers, 15, 1.0) == before).all()


@pytest.mark.law
def test_shares_are_those_of_the_script():
    for scale, share, reach in ((10, 0.468, 0.01), (1, 0.066, 0.005)):  # four deviations of 40,000
        found = telling_answers(16, 15, scale, 40_000, np.random.default_rng(5))
        assert found == pytest.approx(share, abs=reach)
    assert telling_medians(0.3, 200_000, np.random.default_rng(1)) == pytest.approx(0.31, abs=0.005)


def test_medians_tell_by_exact_fractions():
    runs, rng = 3_000, np.random.default_rng(4)
    below, u = rng.random(runs) < 0.3, rng.random(runs)
    odd = sum(
        (Fraction(0.3 * one if low else 0.3 + (1 - 0.3) * one) * STEPS).denominator > 1
        for low, one in zip(below.tolist(), u.tolist(), strict=True)
    )
    assert telling_medians(0.3, runs, np.random.default_rng(4)) == odd / runs


@pytest.mark.parametrize(("delta", "people"), [(1e-3, 40), (0.2, 3), (1e-10, 15_000)])
def test_somebody_is_exposed_unless_nobody_is(delta, people):
    nobody = Fraction(1)
    for _ in range(people):
        nobody = nobody * (1 - Fraction(delta)) if people < 100 else nobody
    law = 1 - nobody if people < 100 else people * Fraction(delta)
    assert exposed(delta, people) == pytest.approx(float(law), rel=1e-5)
