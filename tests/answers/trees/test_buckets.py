"""The numbers of buckets from the data, each worked out anew; and what is said of them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.answers.trees.buckets import answer, gains
from dpviz.answers.trees.buckets_said import say, when_it_pays
from dpviz.answers.trees.names import Names
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.experiments.planning.bucket_study import BucketStudy, Errors
from dpviz.mechanisms.counting.dawa import Dawa
from tests.answers.trees.questions import VALUES

NAMES = Names("students", "mark", "marks")
TRUE = [sum(1 for v in VALUES if 10 + 5 * i <= v < 15 + 5 * i) for i in range(16)]


def released(seed=3, epsilon=0.5):
    column = Column.from_values(VALUES, Bounds(10, 90))
    return Dawa(16).release(column, PureDP(epsilon), np.random.default_rng(seed))


@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_numbers_of_a_release(neighbours):
    release, truth = released(), np.array(TRUE, dtype=float)
    found = answer(release, neighbours, truth)
    starts = [*release.starts.tolist(), 16]
    wide = [after - before for before, after in pairwise(starts)]
    even = [
        count / many
        for count, many in zip(release.counts.tolist(), wide, strict=True)
        for _ in range(many)
    ]
    np.testing.assert_allclose(found.spread, even)
    np.testing.assert_allclose(found.edges, np.linspace(10, 90, 17))
    assert (found.bins, found.buckets, found.longest) == (16, len(wide), max(wide))
    assert found.noise == pytest.approx(2**0.5 * release.scale)
    changed = 1 if neighbours is Neighbours.ADD_REMOVE else 2
    assert found.plain == pytest.approx(2**0.5 * changed / 0.5)
    off = (sum((one - true) ** 2 for one, true in zip(even, TRUE, strict=True)) / 16) ** 0.5
    assert found.off == pytest.approx(off)
    assert found.times == pytest.approx(off / found.plain)


def test_without_the_truth_nothing_of_it_is_left():
    found = answer(released(), Neighbours.ADD_REMOVE, None)
    assert (found.truth, found.off, found.times) == (None, None, None)
    said = say(found, NAMES)
    assert said.headline().endswith("buckets.")
    assert said.second() == "Which bins are joined was chosen with a quarter of the budget."


def test_every_sentence_says_its_own_number():
    found = answer(released(), Neighbours.ADD_REMOVE, np.array(TRUE, dtype=float))
    shown = replace(
        found, bins=1024, buckets=37, longest=99, noise=44.4, plain=22.2, off=11.1, times=0.6
    )
    said = say(shown, NAMES)
    assert said.headline() == (
        "1,024 bins are published in :blue[37] buckets; a bin is off by **± 11** students."
    )
    assert said.second() == (
        "Plain noise on every bin would be off by ± 22: joining saves 40 % here."
    )
    assert said.strip == [
        ("buckets", "37 of 1,024 bins"),
        ("longest", "99 bins"),
        ("noise of a bucket", "± 44"),
    ]
    assert (
        say(replace(shown, times=1.2), NAMES)
        .second()
        .endswith("joining costs more than it saves here.")
    )


@pytest.mark.parametrize(
    ("joined", "running", "said"),
    [
        ([0.5, 0.5, 0.5], 1.0, ["up to ε = :blue[10].", "about as far off either way at ε = 1."]),
        ([2, 3, 2], 1.5, ["never errs less than plain noise in a bin of these people; at ε = 1",
                          "it errs 3.0 times as far as plain noise.", "joining errs 1.5 times"]),
        ([0.5, 2, 12], 0.5, ["up to ε = :blue[0.1]; at ε = 10 it errs 12 times",
                             "better read off the buckets: at ε = 1 your tree errs 2.0 times"]),
    ],
)  # fmt: skip
def test_what_is_said_of_when_joining_pays(joined, running, said):
    level = np.ones(3)
    study = BucketStudy(
        np.array([0.1, 1.0, 10.0]),
        Errors(np.array(joined, dtype=float), level, level),
        Errors(running * level, level, level),
    )
    told = when_it_pays(gains(study, 1.2), Names(), 60).replace("\\", "")
    assert told.endswith(" Measured on the true counts, 60 times at each ε.")
    for part in said:
        assert part in told


def test_gains_are_read_about_the_budget_in_use():
    known = np.array([0.1, 1.0, 10.0])
    bins = Errors(np.array([1.0, 4.0, 9.0]), np.array([2.0, 2.0, 3.0]), np.ones(3))
    running = Errors(np.array([5.0, 6.0, 7.0]), np.ones(3), np.array([10.0, 4.0, 2.0]))
    found = gains(BucketStudy(known, bins, running), 0.2)
    assert (found.pays_up_to, found.always, found.worst) == (0.1, False, 10.0)
    assert (found.worst_times, found.near, found.joined_times) == (3.0, 0.1, 0.5)
    assert not found.alike
    assert gains(BucketStudy(known, bins, running), 4.0).joined_times == 3.5
    assert gains(BucketStudy(known, bins, bins), 0.9).alike is False
