"""The quiz: five sentences hold and five do not, and the figures of the reasons are recomputed."""

import math

import numpy as np
import pytest

from dpviz.intake.samples import load_sample
from dpviz.lessons import survey
from dpviz.lessons.stories.quiz import QUESTIONS, agreeing

HOLDS = {
    "3 answers at 0.1 cost 0.3.",
    "A million records need no more noise on a count than a thousand.",
    "Rounding a private answer is free.",
    "Two private tables of the same people may contradict each other.",
    "Coins on phones protect even from the server.",
}
WHY = {question.statement: question.why() for question in QUESTIONS}


def test_five_hold_and_they_are_mixed():
    assert {question.statement for question in QUESTIONS if question.holds} == HOLDS
    assert len(WHY) == 10
    signs = [question.holds for question in QUESTIONS]
    assert all(len(set(signs[i : i + 4])) == 2 for i in range(7))


def test_each_belongs_to_a_scene():
    for question in QUESTIONS:
        assert question.scene.name == question.name


@pytest.mark.parametrize("scale", [0.5, 1.0, 5.0])
def test_two_tables_agree_as_often_as_their_law_says(scale):
    p = math.exp(-1 / scale)
    law = (1 - p) / (1 + p) * p ** np.abs(np.arange(-400.0, 401))
    assert agreeing(scale) == pytest.approx((law**2).sum())


def test_the_reasons_carry_recomputed_figures():
    p = math.exp(-1)
    agree = 100 * (((1 - p) / (1 + p) * p ** np.abs(np.arange(-200.0, 201))) ** 2).sum()
    assert (
        f"agree in {agree:.0f} of 100 pairs"
        in WHY["Two private tables of the same people may contradict each other."]
    )
    odds = math.e / 9
    most = math.ceil(1_000 * odds / (1 + odds)) / 10
    assert f"10 in 100 becomes at most {most:g}." in WHY["ε = 1 is a risk of 1 %."]
    assert f"3 × 0.1 = {3 * 0.1:.1f}" in WHY["3 answers at 0.1 cost 0.3."]
    sizes = survey.groups(22).sum(axis=1)
    averages = WHY["Large averages are anonymous."]
    assert f"22 counts over groups of {sizes.min()} to {sizes.max()} gave 40 marks" in averages
    assert f"{load_sample('office')[0][0]:,.0f}" in averages
    wide = WHY["Very wide bounds are the careful choice for a sum."]
    assert f"under 500 million is off by {500e6 / (0.1 * 15_000):,.0f}" in wide
    assert "both are within 3, of 40 people and of 6,000" in " ".join(WHY.values())
