from __future__ import annotations

import math

import numpy as np
import pytest

from dpviz.lessons.glossary import GLOSSARY, MEANING
from dpviz.ui.kit.glossary import LABEL, panel

LESSONS = (
    "Record", "Neighbours", "Differential privacy", "ε (epsilon)", "δ, ρ", "Mechanism", "Noise",
    "Sensitivity", "Bounds, clipping", "Budget, composition", "Post-processing", "Reconstruction",
)  # fmt: skip


def test_the_words_of_the_lessons_come_first_and_are_short():
    assert tuple(term for term, _ in GLOSSARY)[: len(LESSONS)] == LESSONS
    assert all(len(MEANING[term].split()) <= 33 for term in LESSONS)
    assert len(MEANING) == len(GLOSSARY)
    assert f"{len(GLOSSARY)} words" in LABEL


def test_numbers_in_the_entry_on_epsilon_are_true():
    meaning = MEANING["ε (epsilon)"]
    for epsilon, said in ((0.1, "1.11"), (1, "2.72"), (10, "22,027")):
        exact = 2.718281828459045**epsilon
        assert said in meaning
        assert 0 <= float(said.replace(",", "")) - exact < 0.6  # rounded up


def test_rho_and_delta_are_read_as_their_entries_say():
    rho, delta = 0.5, 1e-6
    read = rho + 2 * math.sqrt(rho * math.log(1 / delta))
    assert f"ρ = ½ allows ε = {read:.1f} at δ = 10⁻⁶" in MEANING["ρ (rho), zCDP"]
    assert "roughly comparable" not in MEANING["ρ (rho), zCDP"]
    # each record in full with chance 1/100: the chance to speak more than e^ε is δ, not above it
    excess = max(0.01 - math.e * 0, 0) + max(0.99 - math.e, 0)
    assert excess == 0.01
    assert "often larger" in MEANING["δ (delta), exactly"]


def test_the_most_that_a_unit_changes_is_that_of_all_its_rows():
    rows = [[1] * 5, [1] * 3, [1]]
    most = max(sum(map(len, rows)) - sum(map(len, rows[:k] + rows[k + 1 :])) for k in range(3))
    assert most == 5
    assert "k where it may have k rows" in MEANING["Sensitivity"]
    assert abs(np.array([3, 4]) - np.array([2, 5])).sum() == 2  # groups, one person replaced
    assert "(two do where people are replaced)" in (MEANING["Budget, composition"])


def test_an_unknown_word_is_an_error():
    with pytest.raises(KeyError):
        panel("Magic")
