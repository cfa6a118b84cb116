from __future__ import annotations

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


def test_an_unknown_word_is_an_error():
    with pytest.raises(KeyError):
        panel("Magic")
