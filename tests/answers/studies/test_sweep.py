"""A sweep: lines and ends worked out row by row; and what is said of them."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dpviz.answers.studies import sweep_said as said
from dpviz.answers.studies.names import StudyNames
from dpviz.answers.studies.sweep import BestShape, Ends, SweepQuestion, answer
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP
from dpviz.experiments.planning.sweeps import Axis
from tests.rows import by_rows

NAMES = StudyNames("nine deciles", "Exam marks")
METHODS = ["SliceQuantiles", "Zeta", "AggTree", "JointExp", "IndependentExp"]  # not in their order
PLACES = [0.01, 0.1, 0.5, 1.0, 3.0]
MEANS = {  # people; 0 where nobody was missed, NaN where nothing could be run
    "SliceQuantiles": [math.nan, math.nan, 3.2, 0.7, 0.0],
    "Zeta": [410.0, 52.0, 6.1, 0.9, 0.3],
    "AggTree": [352.0, 41.0, 7.7, 0.61, 0.2],
    "JointExp": [518.0, 37.5, 2.9, 0.62, 0.1],
    "IndependentExp": [633.0, 88.0, 9.4, 2.2, 0.45],
}


def rows(sizes=(100, 400, 6_000, 700, 15_000)):
    """In no order; each metric has its own errors, each place another number of people."""
    found = []
    for (at, x), key in product(enumerate(PLACES), METHODS):
        for metric, factor in ((MEAN_GAP, 1.0), (LARGEST_GAP, 3.7)):
            mean = MEANS[key][at] * factor
            runs = 0 if math.isnan(mean) else 40 + at
            error = math.nan if runs == 0 or (key, at) == ("Zeta", 1) else mean / (7 + at)
            found.append((x, float(sizes[at]), key, metric, runs, mean, error))
    names = ["x", "n", "mechanism", "metric", "runs", "mean", "standard_error"]
    frame = pd.DataFrame(found, columns=names)
    return frame.sample(frac=1.0, random_state=4)


def question(axis=Axis.BUDGET, metric=MEAN_GAP, **others):
    return SweepQuestion(others.pop("frame", rows()), axis, metric, **others)


def slowly(asked):
    """{method: [(place, mean, spread, runs, people)]} of errors above nothing."""
    order = ["JointExp", "IndependentExp", "AggTree", "SliceQuantiles", "Zeta"]
    found = {key: [] for key in order}
    for row in asked.rows.to_dict("records"):
        if row["metric"] != asked.metric or not row["mean"] > 0:
            continue
        scale = 100 / row["n"] if asked.is_share else 1
        error = row["standard_error"]
        spread = 0.0 if math.isnan(error) else error * scale
        found[row["mechanism"]].append(
            (row["x"], row["mean"] * scale, spread, row["runs"], row["n"])
        )
    return {key: sorted(each) for key, each in found.items() if each}


@pytest.mark.parametrize("metric", [MEAN_GAP, LARGEST_GAP])
@pytest.mark.parametrize("is_share", [True, False])
def test_lines_are_those_of_the_rows(metric, is_share):
    asked = question(metric=metric, is_share=is_share, places=(20.0, 0.3))
    found, twin = answer(asked), slowly(asked)
    assert [one.key for one in found.lines] == list(twin)
    for one in found.lines:
        x, mean, spread, runs, people = zip(*twin[one.key], strict=True)
        np.testing.assert_array_equal(one.places, x)
        np.testing.assert_allclose(one.means, mean)
        np.testing.assert_allclose(one.spreads, spread)
        np.testing.assert_allclose(one.bars, [2 * error for error in spread])
        np.testing.assert_array_equal(one.runs, runs)
        np.testing.assert_array_equal(one.people, people)
    assert found.places.tolist() == [0.01, 0.1, 0.3, 0.5, 1.0, 3.0, 20.0]
    assert found.has_releases
    assert (found.axis, found.metric, found.is_share) == (Axis.BUDGET, metric, is_share)


def told(twin, *, is_share):
    """Where most methods still miss half a person: the ends of the best one there."""
    felt = {}
    for key, line in twin.items():
        kept = [one for one in line if one[1] >= (100 * 0.5 / one[4] if is_share else 0.5)]
        if kept:
            felt[key] = kept
    felt = felt or twin
    counts = {}
    for line in felt.values():
        for one in line:
            counts[one[0]] = counts.get(one[0], 0) + 1
    place = max(x for x, count in counts.items() if count >= 0.75 * max(counts.values()))
    at = {key: one[1] for key, line in felt.items() for one in line if one[0] == place}
    key = min(at, key=at.get)
    first, last = felt[key][0], felt[key][-1]
    return Ends(key, first[0], first[1], last[0], last[1])


@by_rows("axis", [Axis.BUDGET, Axis.RECORDS, Axis.QUANTILES])
@by_rows("is_share", [True, False])
@by_rows("scale", [1.0, 0.001, 0.02, 30.0])
def test_the_best_method_is_told_where_most_still_miss_somebody(axis, is_share, scale):
    frame = rows()
    frame = frame.assign(mean=frame["mean"] * scale)
    asked = question(axis, frame=frame, is_share=is_share)
    found, twin = answer(asked).ends, told(slowly(asked), is_share=is_share)
    assert (found.key, found.first, found.last) == (twin.key, twin.first, twin.last)
    assert (found.first_error, found.last_error) == pytest.approx(
        (twin.first_error, twin.last_error)
    )


def test_other_methods_are_told_where_other_places_are_felt():
    keys = set()
    for scale in (1.0, 0.02, 30.0):
        frame = rows()
        keys.add(answer(question(frame=frame.assign(mean=frame["mean"] * scale))).ends.key)
    assert len(keys) > 1


@pytest.mark.parametrize("axis", [Axis.HEIGHT, Axis.FANOUT])
@pytest.mark.parametrize("means", [[9.0, 3.1, 4.0, 5.0, 8.0], [2.0, 3.1, 0.0, math.nan, 8.0]])
def test_the_best_tree(axis, means):
    frame = rows()
    for x, mean in zip(PLACES, means, strict=True):
        frame.loc[(frame["x"] == x) & (frame["mechanism"] == "AggTree"), "mean"] = mean
    found = answer(question(axis, frame=frame))
    known = [(mean, x) for mean, x in zip(means, PLACES, strict=True) if mean > 0]
    error, value = min(known)
    assert found.shape == BestShape(value, error)
    assert found.ends is None


def test_no_tree_no_rows_and_no_releases():
    frame = rows()
    others = answer(question(Axis.HEIGHT, frame=frame[frame["mechanism"] != "AggTree"]))
    assert (others.shape, others.ends) == (None, None)
    assert said.finding(others) == (
        "None of these methods has a tree: its height moves nothing but chance."
    )
    empty = answer(question(frame=pd.DataFrame(), places=(2.0, 1.0)))
    assert (empty.lines, empty.ends, empty.places.tolist()) == ((), None, [1.0, 2.0])
    assert said.finding(empty) == ""
    large = answer(question(frame=frame[frame["mean"].isna()]))
    assert not large.has_releases
    assert said.say(large, NAMES, "").alt == (
        "Every release would be too much work: there is no error to draw."
    )
    exact = answer(question(frame=frame.assign(mean=0.0)))
    assert said.say(exact, NAMES, "").alt == (
        "No release missed by a person: no error is left to draw."
    )


# words

FOUND = replace(
    answer(question(symbol="ρ", chosen=0.25)), ends=Ends("AggTree", 0.013, 412.7, 2.5, 0.0817)
)


def test_every_sentence_says_its_own_number():
    told = said.say(FOUND, NAMES, "From *here*.")
    assert told.alt == "Noisy tree is off by 413 people at ρ = 0.013, by 0.082 people at ρ = 2.5."
    assert told.headline().replace("\\", "") == told.alt
    assert told.second() == r"From \*here\*\."
    assert told.strip == [("computed on", "Exam marks"), ("error", "mean gap")]
    assert (FOUND.chosen, FOUND.letter) == (0.25, "ρ")


@pytest.mark.parametrize(
    ("axis", "ends"),
    [
        (Axis.RECORDS, "by 413 % with 1 person, by 0.082 % with 12,500 people."),
        (Axis.QUANTILES, "by 413 % with 1 quantile, by 0.082 % with 12,500 quantiles."),
    ],
)
def test_other_axes_and_units(axis, ends):
    others = replace(FOUND.ends, first=1.0, last=12_500.0)
    found = replace(FOUND, axis=axis, is_share=True, ends=others)
    assert said.finding(found).endswith(ends)
    assert found.letter == ""


def test_the_best_shape_is_said():
    found = replace(FOUND, axis=Axis.FANOUT, shape=BestShape(16.0, 3.456), ends=None)
    assert said.finding(found) == "A noisy tree comes closest with fanout 16: off by 3.5 people."
    share = replace(found, axis=Axis.HEIGHT, is_share=True)
    assert said.finding(share) == "A noisy tree comes closest with height 16: off by 3.5 %."


def test_where_numbers_are_from():
    assert said.beforehand(Axis.RECORDS, of_own_data=True, is_own=True, why="") == (
        "Computed beforehand: nine deciles at ε = 1, 50 releases at each place."
    )
    assert said.beforehand(Axis.HEIGHT, of_own_data=False, is_own=False, why="Why.") == (
        "Computed beforehand: noisy trees of fanout 2, nine deciles at ε = 1, 50 releases at each "
        "place, on a stand-in of 15,000 people. Your settings are others: run them. Why."
    )
    assert said.of_run("error of it", is_own=True) == "Error of it."
    assert said.of_run("error of it", is_own=False) == "For other settings: Error of it."


def test_titles_of_the_axes():
    assert said.titles(FOUND) == ("", "Mean error of a release, in people")
    largest = replace(FOUND, metric=LARGEST_GAP, is_share=True, axis=Axis.RECORDS)
    assert said.titles(largest) == (
        "number of people", "Largest error of a release, in % of the people",
    )  # fmt: skip
