"""The second scene of Teach: its sentences at every stop, and pictures whose words fit."""

from __future__ import annotations

import math
import re

import pytest

from dpviz.lessons import survey
from dpviz.lessons.show import leavers
from dpviz.lessons.teach.attacks.many_counts import SCENE
from tests.lessons.boxes import PICTURES, check_pictures, check_sentences, drawn, plain, said

PROVED = dict(zip(survey.STOPS, (0, 0, 0, 5, 21, 26, 31, 35, 40, 40, 40, 40), strict=True))


def test_it_asks_what_the_script_asks():
    asked = said(SCENE, 10, "predict")
    assert asked.headline == "How many counts prove all 40 marks?"
    assert asked.sentence == (
        "Each counts the bad marks in a group of 14 to 28 people. 10 counts prove nothing about "
        "anybody."
    )
    assert SCENE.right.text == "No more than 22"


@pytest.mark.parametrize("counts", survey.STOPS)
def test_so_many_counts_prove_so_many_marks(counts):
    found = SCENE.numbers(counts, 1)
    assert found.proved == PROVED[counts]
    sizes = survey.groups(counts).sum(axis=1)
    assert found.sizes == (sizes.min(), sizes.max())
    assert (found.people, found.content) == (40, 24)
    assert found.curve[counts] == found.proved


def test_the_sentences_at_the_start_and_at_both_ends():
    texts = {stop: said(SCENE, stop, "reveal") for stop in (2, 10, 22, 40)}
    assert texts[10].headline == "10 counts prove nothing yet."
    assert texts[2].sentence == (
        "2 exact counts over groups of 14 to 20 people: nobody's mark is proved."
    )
    assert plain(texts[22].headline) == "22 counts prove all 40 marks."
    for stop, least in ((22, 14), (40, 13)):  # 13 people only among all 40 groups
        assert plain(texts[stop].sentence) == (
            f"{stop} exact counts over groups of {least} to 28 people: all 40 marks are proved."
        )
    assert SCENE.verdict("a").endswith(
        "22 exact counts: **40 of 40 marks proved, from groups of 14 to 28 people**."
    )


def test_every_group_that_is_spoken_of_has_the_sizes_of_the_first_22():
    sizes = survey.groups(22).sum(axis=1)
    words = f"{sizes.min()} to {sizes.max()}"
    assert f"a group of {words} people" in SCENE.question
    assert f"groups of {words} proved" in leavers.SCENE.teacher


@pytest.mark.parametrize("counts", survey.STOPS)
def test_the_noise_of_a_count_is_that_of_one_budget_for_all(counts):
    """The slow twin adds up the law of a count whose ε is a part of 1."""
    p = math.exp(-survey.EPSILON / counts)
    chance, reach = (1 - p) / (1 + p), 0
    while chance < 0.95:
        reach += 1
        chance += 2 * (1 - p) / (1 + p) * p**reach
    assert SCENE.numbers(counts, 1).reach == reach


def test_with_noise_a_reader_does_worse_than_a_guess_without_data():
    assert plain(said(SCENE, 22, "second").headline) == (
        "With noise, the same 22 counts prove nobody."
    )
    assert plain(said(SCENE, 22, "second").sentence) == (
        "Each count is now ± 66. This attack gets 21 of 40; whoever guesses “content” for all gets "
        "24."
    )
    means = [SCENE.numbers(counts, 1).noisy_mean for counts in (10, 20, 22, 40)]
    assert means == pytest.approx([21.87, 20.82, 21.17, 20.92], abs=0.06)
    assert sum(SCENE.numbers(22, 1).right) == 23


def test_what_carries_the_finding_is_absent_before_the_guess():
    for size in PICTURES:
        text = drawn(SCENE, 10, "predict", size)
        assert "url(#hatch)" not in text
        assert not re.search(">(good|bad|all 40)<", text)


def test_words_fit():
    check_sentences(SCENE)
    check_pictures(SCENE)
