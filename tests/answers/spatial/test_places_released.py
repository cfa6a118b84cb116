"""What was released of named places: each number by loops and dense matrices, each sentence."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.number_text import significant
from dpviz.answers.said import unmarked
from dpviz.answers.spatial.place_list import read
from dpviz.answers.spatial.places import answer as by_list
from dpviz.answers.spatial.places_released import MOST_ROWS, answer, before, rows, say
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.randomness.noise import Noise
from dpviz.intake.samples import Noun
from dpviz.mechanisms.counting.place_counts import PlaceCounts
from tests.estimators.trees.test_ragged_tree import dense

LIST = read("state,county,people\nN,a,50\nS,a,10\nS,b,20\nS,c,0")
TRUTH, ROWS = [3, 40, 7, 0], Noun("row", "rows")
COLUMN = Column.from_values(np.repeat(np.arange(4.0), TRUTH), Bounds(0, 4), 1.0)


def released(shares=(0.25, 0.25, 0.5)):
    made = PlaceCounts(LIST.listed.levels, LIST.listed.places, shares)
    return made.release(COLUMN, PureDP(1), np.random.default_rng(4))


@pytest.mark.parametrize("shares", [(0.25, 0.25, 0.5), (0, 0, 1)])
@pytest.mark.parametrize("is_after", [True, False])
def test_every_number_is_that_of_matrices_and_loops(shares, is_after):
    release = released(shares)
    found = answer(LIST, release, COLUMN, is_after=is_after)
    variances = [Noise.DISCRETE_LAPLACE.variance(one) for one in release.scales]
    blank = [np.nan_to_num(one) for one in release.counts]
    best, spread = dense(LIST.tree, blank, variances)
    np.testing.assert_allclose(np.concatenate(found.after), best)
    np.testing.assert_allclose(np.concatenate(found.errors), np.sqrt(spread))
    truth = [[50], [3, 47], TRUTH]
    at = 0
    for level, held in enumerate(truth):
        then = [best[at + one] - count for one, count in enumerate(held)]
        at += len(held)
        wanted = math.sqrt(sum(one**2 for one in then) / len(held))
        assert found.errors_after[level] == pytest.approx(wanted)
        if math.isinf(release.scales[level]):
            assert found.errors_before[level] is None
            continue
        off = [one - count for one, count in zip(release.counts[level], held, strict=True)]
        wanted = math.sqrt(sum(one**2 for one in off) / len(held))
        assert found.errors_before[level] == pytest.approx(wanted)
        assert found.own[level] == pytest.approx(math.sqrt(variances[level]))
    half = [2 * math.sqrt(one) for one in (spread[-4:] if is_after else [variances[-1]] * 4)]
    small = [count for count, one in zip(TRUTH, half, strict=True) if count < one]
    assert (found.drowned, found.living) == (len(small), sum(small))
    assert found.share == pytest.approx(sum(small) / 50)


def test_without_the_truth_nothing_is_compared():
    found = answer(LIST, released(), None, is_after=True)
    hidden = (found.truth, found.errors_before, found.errors_after, found.drowned, found.living)
    assert (*hidden, found.share) == (None,) * 6
    said = say(found, "ε = 1", ROWS)
    assert unmarked(said.second()) == (
        "7 counts of your file for ε = 1 in all; what is of a place outside the list is in none."
    )
    (table,) = said.tables
    assert "true" not in repr(said)
    assert len(table.rows) == 7
    other = answer(LIST, released(), COLUMN, is_after=True)
    assert [row[:-1] for row in say(other, "", ROWS).tables[1].rows] == list(table.rows)


def test_every_sentence_says_its_own_number():
    found = replace(
        answer(LIST, released(), COLUMN, is_after=True),
        errors_before=(11.0, None, 13.0), errors_after=(21.0, 22.0, 23.0), drowned=3, living=1_234,
        share=0.44,
    )  # fmt: skip
    said = say(found, "ε = 0.7", ROWS)
    assert unmarked(said.second()) == (
        "7 counts of your file for ε = 0.7 in all. Whom does noise harm, by the true counts, which "
        "are confidential? Those in 3 small counties: 1,234 rows, 44 % of all in the list."
    )
    one = say(replace(found, drowned=1, living=1), "ε = 0.7", ROWS).second()
    assert "Those in 1 small county: 1 row," in unmarked(one)
    errors, every = said.tables
    assert errors.rows == (
        ("whole", "1", "11", "21"), ("state", "2", "–", "22"), ("county", "4", "13", "23"),
    )  # fmt: skip
    assert [row[-1] for row in every.rows] == ["50", "3", "47", "3", "40", "7", "0"]
    assert [row[1] for row in every.rows][3:] == ["N, a", "S, a", "S, b", "S, c"]
    errors = np.concatenate(found.errors)
    assert [row[4] for row in every.rows] == [f"± {significant(2 * one)}" for one in errors]
    best = np.concatenate(found.after)
    assert [float(row[3].replace("−", "-")) for row in every.rows] == pytest.approx(best, abs=0.05)


def test_a_long_table_says_that_the_files_hold_all():
    many = read("state,people\n" + "\n".join(f"s{at},1" for at in range(300)))
    made = PlaceCounts(many.listed.levels, many.listed.places, (0, 1))
    nobody = Column.from_values([], Bounds(0, 300), 1.0)
    found = answer(many, made.release(nobody, PureDP(1)), nobody, is_after=True)
    (_, every) = say(found, "", ROWS).tables
    assert len(every.rows) == MOST_ROWS
    assert "the files hold all" in every.notes[0]
    listed = list(rows(found))
    assert len(listed) == 301
    assert listed[0][2:4] == ("", "")
    assert listed[5][2] == found.release.counts[1][4]
    assert found.share == 0


def test_before_a_draw_the_noise_alone_is_said():
    rng = np.random.default_rng(1)
    noise, add = Noise.DISCRETE_LAPLACE, Neighbours.ADD_REMOVE
    found = by_list(LIST, PureDP(0.5), noise, add, "last level only", rng, is_after=False)
    assert before(found) == "The count of a county will be within ± 5.60, about 19 times in 20."
