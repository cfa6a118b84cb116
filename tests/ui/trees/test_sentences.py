"""What the Trees page says, computed from standard errors and counts."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.estimators.trees.readings import TreeEstimator
from dpviz.figures.trees.names import Names
from dpviz.ui.trees import sentences
from dpviz.ui.trees.sentences import LevelErrors

NAMES = Names("students", "mark", "marks")
EFFICIENT = TreeEstimator.EFFICIENT


def errors(scales=(70.0,) * 7, reading=EFFICIENT, root=Root.RELEASED):
    blank = TreeNoise(2, Noise.LAPLACE, scales, root).blank()
    return LevelErrors.of(TreeEstimator.RAW.apply(blank), reading.apply(blank))


def test_the_headline_says_how_much_of_the_variance_goes():
    found = errors()
    variances = EFFICIENT.apply(TreeNoise(2, Noise.LAPLACE, (1.0,) * 7, Root.RELEASED).blank())
    share = 1 - float(variances.variances[3]) / 2
    assert found.removed == pytest.approx(share)
    assert sentences.headline(found, EFFICIENT, NAMES) == (
        "Combining the levels removes :blue[65\u00a0%] of the variance in mid-tree, at no cost in "
        "privacy."
    )
    assert sentences.headline(found, EFFICIENT, NAMES, short=True).endswith("mid-tree, for free.")


def test_the_second_line_names_errors_before_and_after():
    line = sentences.second_line(errors(), (461.2, -185.4), NAMES)
    assert line == (
        "Standard errors fall from ± 99 to ± 59 students in mid-tree. This draw's worst CDF error "
        "goes from 461 to 185. Fainter blue is noisier."
    )
    assert len(line) < 150  # more would wrap at 1280 px
    assert "CDF" not in sentences.second_line(errors(), None, NAMES)


@pytest.mark.parametrize(
    ("scales", "reading", "wanted"),
    [
        ((1.0,), EFFICIENT, "nothing to combine"),
        ((1.0, np.inf, 1.0), EFFICIENT, "was not measured"),
        ((1.0,) * 5, TreeEstimator.RAW, "As measured"),
        ((1.0,) * 5, TreeEstimator.FROM_BELOW, "Adding what lies below removes"),
        ((1.0,) * 5, TreeEstimator.FROM_ABOVE, "Adding what lies above and beside removes"),
        ((1e9, 1e9, 1e-3), EFFICIENT, r":blue[99\.9"),
    ],
)
def test_a_tree_of_another_kind_is_said_to_be_one(scales, reading, wanted):
    said = sentences.headline(errors(scales, reading), reading, NAMES)
    assert wanted in said
    assert "nan" not in said + sentences.second_line(errors(scales, reading), (0, 0), NAMES)


def test_an_outsider_reads_the_fullest_part_and_its_margin():
    said = sentences.released_headline(np.array([900.0, 4270.4]), (70.0, 61.2), (0, 100), NAMES)
    assert said == "About :blue[4,270] students lie between 50 and 100 marks, give or take 120."
    root = sentences.released_headline(np.array([-3.0]), (0.0,), (0, 1), Names())
    assert root == "About :blue[0] people are in the data."
    unknown = sentences.released_headline(np.array([np.nan]), (np.inf,), (0, 1), Names())
    assert unknown == "Nothing tells how many people there are."


def test_names_of_a_file_are_no_markdown():
    names = Names("*x*", "[a](b)", "`u`")
    said = [
        sentences.headline(errors(), TreeEstimator.RAW, names),
        sentences.second_line(errors(), None, names),
        sentences.released_headline(np.ones(2), (1.0, 1.0), (0, 1), names),
    ]
    assert all(r"\*x\*" in one for one in said)
    assert r"\`u\`" in said[-1]
