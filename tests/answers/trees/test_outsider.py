"""What an outsider gets: each number worked out anew, slowly; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.trees.names import Names
from dpviz.answers.trees.outsider import BandKind, FullestPart, answer, known_errors
from dpviz.answers.trees.outsider_said import band_text, how_exact, say, to_take_away
from dpviz.estimators.trees.readings import TreeEstimator
from tests.answers.trees.questions import RAW, asked
from tests.answers.trees.test_cdf import slow_below_runs
from tests.answers.trees.test_levels import slow_fit

NAMES = Names("students", "mark", "marks")


@pytest.mark.parametrize("seed", [3, 4, 8])
def test_numbers_of_the_release_alone(seed):
    question = asked(seed=seed)
    found, (fitted, variances) = answer(question), slow_fit(question)
    assert found.errors == pytest.approx([max(level) ** 0.5 for level in variances])
    assert found.noisiest == pytest.approx(max(2**0.5 * b for b in question.release.tree.scales))
    assert found.finest == pytest.approx(np.median(variances[-1]) ** 0.5)
    assert found.counts == 1 + 2 + 4 + 8
    best = 0 if fitted[1][0] > fitted[1][1] else 1
    assert found.parts == 2
    assert found.fullest.ends == ((10.0, 50.0), (50.0, 90.0))[best]
    assert found.fullest.count == pytest.approx(fitted[1][best])
    assert found.fullest.margin == pytest.approx(1.96 * max(variances[1]) ** 0.5)
    np.testing.assert_allclose(found.running.edges, range(10, 91, 10))
    wanted = [sum(fitted[-1][:edge]) for edge in range(9)]
    np.testing.assert_allclose(found.running.counts, wanted, atol=1e-9)


def test_the_truth_is_not_looked_at():
    shown, hidden = answer(asked()), answer(asked(truth=False))
    assert shown.fullest.count == hidden.fullest.count
    np.testing.assert_array_equal(shown.running.counts, hidden.running.counts)
    assert all(row.truth is None for row in shown.rows)


def test_a_small_tree_has_the_band_of_fresh_noise():
    question = asked(RAW)
    running = answer(question).running
    rng, scales = np.random.default_rng(12), question.release.tree.scales
    noise = [rng.laplace(0, scale, (2**level, 20_000)) for level, scale in enumerate(scales)]
    off = np.abs([slow_below_runs(noise, edge) for edge in range(9)])
    np.testing.assert_allclose(running.band, np.quantile(off, 0.95, axis=1), rtol=0.08, atol=1e-9)
    assert running.kind is BandKind.SIMULATED


def test_a_tall_tree_has_two_standard_errors():
    tall = asked(RAW, height=11, weights=(1,) * 12)
    running, scale = answer(tall).running, 12 / 0.5
    assert running.kind is BandKind.NORMAL
    assert running.edges.size == 1025
    for at in (1, 6, 511, 700):  # a leaf edge 2 · at is left of as many nodes as it has bits
        nodes = bin(2 * at).count("1")
        assert running.band[at] == pytest.approx(2 * (nodes * 2) ** 0.5 * scale)
    below = replace(tall, reading=TreeEstimator.FROM_BELOW)
    assert (answer(below).running.band, answer(below).running.kind) == (None, BandKind.NONE)


def test_a_level_that_was_not_measured_is_not_the_fullest():
    question = asked(RAW, weights=(1, 0, 1, 2))
    found, quarters = answer(question), list(question.release.counts[2])
    best = quarters.index(max(quarters))
    assert found.parts == 4
    assert found.fullest.count == quarters[best]
    assert found.fullest.ends == (10 + 20 * best, 30 + 20 * best)
    assert found.fullest.margin == pytest.approx(1.96 * 2**0.5 * question.release.tree.scales[2])
    assert found.counts == 1 + 4 + 8
    assert known_errors(found.errors) == pytest.approx(
        [2**0.5 * question.release.tree.scales[level] for level in (3, 0)]
    )
    alone = answer(asked(RAW, height=0, weights=(1,)))
    assert (alone.parts, alone.counts) == (1, 1)
    assert alone.fullest.ends == (10.0, 90.0)


def test_every_sentence_says_its_own_number():
    part = FullestPart((50.0, 100.0), 4270.4, 119.6)
    shown = replace(
        answer(asked()), fullest=part, counts=127, errors=(70.0, 61.2, 5.5, 44.4), finest=33.3
    )
    said = say(shown, NAMES, "ε = 0.7")
    assert said.headline() == (
        "About :blue[4,270] students lie between 50 and 100 marks, give or take 120."
    )
    assert said.second() == (
        "This is everything an outsider gets: 127 noisy counts, combined, each with its standard "
        "error."
    )
    assert said.strip == [("people on screen", "0"), ("spent", "ε = 0.7")]
    assert "standard errors ± 70, ± 61, ± 5.5, ± 44, and their" in said.alt
    assert how_exact(shown, NAMES) == "± 5.5 to ± 70 students a part"
    assert to_take_away(shown, NAMES) == (
        "127 noisy counts to take away, the finest good to :blue[± 33] students, typically."
    )
    assert band_text(shown, "mark") == ("at each mark the truth lies in the band 19 times in 20")
    raw = say(replace(shown, combined=False), NAMES, "")
    assert "127 noisy counts, each with" in raw.second()
    one = replace(shown, counts=1, parts=1, fullest=FullestPart((0, 1), -3.0, 0.0), errors=(0.0,))
    assert say(one, Names(), "").headline() == "About :blue[0] people are in the data."
    assert "gets: one noisy count, each" in say(one, Names(), "").second()
    assert to_take_away(one, NAMES).startswith("One noisy count to take away, the finest")


def test_names_of_a_file_are_no_markdown():
    names = Names("*x*", "[a](b)", "`u`")
    found = answer(asked())
    said = say(found, names, "")
    assert r"\*x\*" in said.headline()
    assert r"\`u\`" in said.headline()
    assert r"\*x\*" in to_take_away(found, names)
