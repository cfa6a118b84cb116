"""The words of all scenes fit: sentences on their lines, marks beside each other, at every stop."""

from importlib import import_module

import pytest

from dpviz.lessons.course import SCENES, module
from tests.lessons.boxes import check_pictures, check_sentences

# scenes whose pictures take long
SLOW = {"same_noise", "largest_value", "why_tree", "combined_levels", "what_breaks", "promised"}
EVERY = {
    name: import_module(module(story, name)).SCENE
    for story, rows in SCENES.items()
    for name in (row.rpartition(".")[2] for row in rows)
    if name != "declared_bounds"  # whose own test types bounds, too
}


@pytest.mark.few(5)
@pytest.mark.parametrize("name", EVERY)
def test_sentences_fit_their_lines(name):
    check_sentences(EVERY[name])


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.law] * (one in SLOW)) for one in EVERY]
)
def test_words_stay_apart(name):
    check_pictures(EVERY[name], every=False)


@pytest.mark.thorough
@pytest.mark.parametrize("name", EVERY)
def test_words_stay_apart_in_every_state_and_size(name):
    check_pictures(EVERY[name])
