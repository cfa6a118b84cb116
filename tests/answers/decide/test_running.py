"""Running counts in Decide: their width by dense sums, their numbers by loops, their words."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide.exact.curve import BINARY, HISTOGRAM, ROOT, TWO, nowhere
from dpviz.answers.decide.exact.frame import Names
from dpviz.answers.decide.exact.running import RunningQuestion, buys, release, said
from dpviz.answers.decide.price import Need, price
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.trees.prefix_release import PrefixRelease
from tests.answers.decide.test_curve import kept, slow_errors, slow_gauss, slow_root

BOUNDS = Bounds(0, 12)
DAYS = [0.0, 0, 1, 1, 1, 2, 5, 5, 6, 6, 6, 6, 9, 11, 12]
COLUMN = Column.from_values(DAYS, BOUNDS, 1)
QUESTION = RunningQuestion(ZCDP(1), BOUNDS, 6, people=15)
NAMES = Names("visit", "visits", "day", period="week")
UNTIL = [0, 5, 6, 8, 12, 13, 15]  # of weeks that are two days long; the last one has its end


@pytest.mark.parametrize("size", [0.02, 0.1])
def test_errors_count_until_the_last_step_alone(size):
    """A tree of 8 leaves for 6 steps: the edges behind the last step are nobody's."""
    errors = slow_errors(2, 3, True, slow_gauss(4, size, np.random.default_rng(5)))[:7]
    off = QUESTION.off(BINARY, size, Need(1, "people"))
    assert abs(kept(errors, off) - 0.95) < 0.03
    assert kept(errors, 0.8 * off) < 0.92


def test_leaves_behind_the_last_step_do_not_count():
    question = RunningQuestion(PureDP(1), BOUNDS, 9)
    tree, need = question.mechanism(BINARY), Need(1, "people")
    until, all_leaves = (nowhere(tree, PureDP(0.2), last, 0.95) for last in (9, 16))
    assert question.off(BINARY, 0.2, need) == until < 0.99 * all_leaves


def test_the_square_root_and_the_simple_way():
    need = Need(1, "people")
    off = QUESTION.off(ROOT, 0.1, need)
    assert abs(kept(slow_root(6, 0.1, np.random.default_rng(5)), off) - 0.95) < 0.02
    steps = np.rint(np.random.default_rng(5).normal(0, math.sqrt(5), (6, 20_000)))
    walk = [steps[:k].sum(axis=0) for k in range(7)]
    off = QUESTION.off(HISTOGRAM, 0.1, need)
    assert abs(kept(walk, off) - 0.95) < 0.03
    assert kept(walk, 0.8 * off) < 0.92
    assert QUESTION.off(HISTOGRAM, 0.1, Need(1, "share")) == pytest.approx(100 * off / 15)


@pytest.mark.parametrize("way", QUESTION.ways)
def test_steps_are_leaves_whatever_the_tree(way):
    stepped = QUESTION.stepped(COLUMN, way)
    assert stepped.n == 15
    made = release(QUESTION, COLUMN, way, 1e4, np.random.default_rng(1))
    if isinstance(made, PrefixRelease):
        counts = [0, *made.counts]
        assert made.edges.tolist() == [0, 2, 4, 6, 8, 10, 12]
    else:
        counts = [0, *np.cumsum(made.counts[-1])]
        assert made.edges()[:7].tolist() == pytest.approx([0, 2, 4, 6, 8, 10, 12])
        assert made.bounds.low == 0
        assert made.bounds.high == 2 * (made.edges().size - 1)
    np.testing.assert_allclose(counts[:7], UNTIL, atol=0.2)


def test_every_number_by_loops():
    asked = price(QUESTION, Need(7, "people"))
    found = buys(QUESTION, asked, COLUMN, np.random.default_rng(2))
    truth = [sum(v < 2 * k or k == 6 for v in DAYS) for k in range(7)]
    assert found.truth.tolist() == truth == UNTIL
    assert found.edges.tolist() == pytest.approx([2 * k for k in range(7)])
    errors = [count - true for count, true in zip(found.counts, truth, strict=True)]
    assert found.errors.tolist() == errors
    assert found.off == max(map(abs, errors))
    assert found.last == found.counts[-1] == found.counts[6]
    off = QUESTION.off(asked.chosen.key, asked.size, Need(1, "people"))
    assert found.half == math.ceil(off) <= 7
    assert (found.asked, found.sure) == (7, 0.95)


def test_before_and_after_a_release_and_with_the_truth_hidden():
    asked = price(QUESTION, Need(7, "people"))
    flat = buys(QUESTION, asked, None)
    np.testing.assert_allclose(flat.counts, [2.5 * k for k in range(7)])
    assert flat.is_made_up
    assert buys(QUESTION, asked, None, stand_in=COLUMN).counts.tolist() == UNTIL
    made = release(QUESTION, COLUMN, asked.chosen.key, asked.size, np.random.default_rng(2))
    shown = buys(QUESTION, asked, None, released=made)
    hidden = buys(QUESTION, asked, COLUMN, np.random.default_rng(2), is_true=False)
    assert shown.counts.tolist() == hidden.counts.tolist()
    assert (shown.is_published, hidden.is_published) == (True, False)
    assert (hidden.truth, hidden.errors, hidden.off) == (None, None, None)
    assert "true" not in repr(said(hidden, NAMES))


def test_every_sentence_says_its_own_number():
    found = buys(QUESTION, price(QUESTION, Need(7, "people")), COLUMN, np.random.default_rng(2))
    told = said(replace(found, half=61.0, asked=72.0, sure=0.9, off=83.0, last=94.0), NAMES)
    assert told.headline() == "No week is off by more than :blue[61] visits, 9 times of 10."
    assert told.headline(brief=True) == "No week is off by more than :blue[61]."
    assert "The last week ends with :blue[94]." in told.second()
    assert told.second().endswith("These counts are off by at most **83**.")


def test_ways_and_periods():
    pure = RunningQuestion(PureDP(1), BOUNDS, 365)
    assert (pure.ways[0], pure.ways[1], pure.ways[-1]) == (HISTOGRAM, TWO, BINARY)
    assert RunningQuestion(ZCDP(1), BOUNDS, 365).ways[-1] == ROOT
    assert ROOT not in RunningQuestion(ZCDP(1), BOUNDS, 365, is_secure=True).ways
    with pytest.raises(InvalidParameter, match="steps"):
        RunningQuestion(PureDP(1), BOUNDS, 1)
