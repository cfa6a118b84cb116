"""Who wins where: counted place by place; and what is said of it."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dpviz.answers.studies import wins_said as said
from dpviz.answers.studies.names import StudyNames
from dpviz.answers.studies.wins import WinsQuestion, WonPlace, answer

NAMES = StudyNames("nine deciles", "Exam marks")
SIZES, PEOPLE, COUNTS = (0.05, 0.2, 1.0, 5.0), (200.0, 1000.0, 6000.0), (3.0, 9.0, 35.0)
METHODS = ("AggTree", "JointExp", "ApproximateQuantiles", "IndependentExp")


def places():
    rng = np.random.default_rng(12)
    found = []
    for size, n, m in product(SIZES, PEOPLE, COUNTS):
        at = int(rng.integers(0, 3)) if rng.random() < 0.7 else 0
        mean, ratio = float(rng.uniform(0.1, 40)), float(1 + rng.random())
        found.append((size, n, m, METHODS[at], mean, METHODS[at + 1], ratio, rng.random() < 0.6))
    names = ["size", "n", "m", "winner", "mean", "second", "ratio", "clear"]
    return pd.DataFrame(found, columns=names).sample(frac=1.0, random_state=2)


def question(**others):
    asked = WinsQuestion(places(), 0.8, 900.0, 12, "ρ", "largest gap")
    return replace(asked, **others)


def nearest(values, wanted):
    return min(values, key=lambda one: max(one / wanted, wanted / one))


@pytest.mark.parametrize(
    ("size", "people", "quantiles"),
    [(0.8, 900.0, 12), (0.01, 1.0, 1), (2.4, 2_500.0, 18), (90.0, 1e6, 400), (0.2, 430.0, 5)],
)
def test_every_place_and_the_one_nearest_to_ones_own(size, people, quantiles):
    asked = question(budget=size, people=people, quantiles=quantiles)
    found, rows = answer(asked), asked.places.to_dict("records")
    assert len(found.places) == 36
    wins, unsure = {}, 0
    for one, row in zip(found.places, rows, strict=True):
        assert (one.budget, one.people, one.quantiles) == (row["size"], row["n"], int(row["m"]))
        assert (one.winner, one.second) == (row["winner"], row["second"])
        assert (one.error, one.ratio, one.is_clear) == (row["mean"], row["ratio"], row["clear"])
        if row["clear"]:
            wins[row["winner"]] = wins.get(row["winner"], 0) + 1
        else:
            unsure += 1
    assert dict(found.wins) == wins
    counts = [count for _, count in found.wins]
    assert counts == sorted(counts, reverse=True)
    assert found.unsure == unsure
    at = nearest(SIZES, size), nearest(PEOPLE, people), nearest(COUNTS, quantiles)
    assert (found.here.budget, found.here.people, found.here.quantiles) == at
    assert found.panel == at[2]
    assert (found.budgets, found.people, found.quantiles) == (SIZES, PEOPLE, (3, 9, 35))
    assert (found.symbol, found.metric) == ("ρ", "largest gap")


def test_a_map_in_the_making_has_what_there_is():
    asked = question(places=places()[lambda one: one["m"] < 30].head(7))
    found = answer(asked)
    assert found.budgets == tuple(sorted(set(asked.places["size"])))
    assert set(found.quantiles) <= {3, 9}
    assert found.unsure + sum(count for _, count in found.wins) == 7


# words

HERE = WonPlace(0.25, 1_234.0, 17, "AggTree", 8.127, "JointExp", 1.386, True)
FOUND = replace(
    answer(question()),
    wins=(("AggTree", 13), ("IndependentExp", 5), ("JointExp", 2)), unsure=16, here=HERE,
)  # fmt: skip


def test_every_sentence_says_its_own_number():
    told = said.say(FOUND, NAMES, "From here.")
    assert told.headline() == r"Noisy tree wins at 13 of 36 places, one by one at 5\."
    assert told.second().replace("\\", "") == (
        "At ρ = 0.25, 1,234 people, 17 quantiles: noisy tree. 16 places are too close to call. "
        "From here."
    )
    assert told.second(brief=True).replace("\\", "") == (
        "At ρ = 0.25, 1,234 people, 17 quantiles: noisy tree."
    )
    assert told.strip == [("computed on", "Exam marks"), ("error", "largest gap")]
    assert told.chips == ["pale and ?: noise could explain it"]
    assert told.alt == (
        "For 17 uniform quantiles of 1,234 records at ρ = 0.25, take noisy tree: its largest gap "
        "is 8.13 records, that of the next, all at once, 1.39 times as much; of 36 measured "
        "places, clear wins are noisy tree 13, one by one 5, all at once 2, and 16 are undecided."
    )


def test_noise_could_explain_it():
    found = replace(FOUND, here=replace(HERE, is_clear=False), unsure=1)
    assert said.here(found) == (
        "At ρ = 0.25, 1,234 people, 17 quantiles: noisy tree or all at once, noise could explain "
        "it."
    )
    assert " 1 place is too close to call. " in said.say(found, NAMES, "x").second().replace(
        "\\", ""
    )
    assert (
        "noisy tree and all at once cannot be told apart in these runs (a largest gap of about "
        "8.13 records); of 36"
    ) in said.advice(found)


def test_nobody_wins_and_everybody_does():
    none = replace(FOUND, wins=(), unsure=36)
    assert said.tally(none) == "Noise could explain every win at these 36 places."
    assert said.advice(none).endswith("; of 36 measured places, none has a clear winner.")
    sure = replace(FOUND, unsure=0, wins=FOUND.wins[:1])
    assert said.tally(sure) == "Noisy tree wins at 13 of 36 places."
    assert said.advice(sure).endswith("; of 36 measured places, clear wins are noisy tree 13.")


def test_the_median_no_second_and_an_error_of_nothing():
    alone = replace(FOUND, here=replace(HERE, quantiles=1, second="", ratio=math.nan))
    assert said.advice(alone).startswith(
        "For the median of 1,234 records at ρ = 0.25, take noisy tree: its largest gap is 8.13 "
        "records; of 36"
    )
    exact = replace(FOUND, here=replace(HERE, error=0.0, ratio=math.inf))
    assert "is 0 records, and the next, all at once, misses somebody; of 36" in said.advice(exact)


@pytest.mark.parametrize(
    ("place", "after"),
    [
        (HERE, "next: all at once, 1.39 times as far"),
        (replace(HERE, second="", ratio=math.nan), ""),
        (replace(HERE, error=0.0, ratio=math.inf), "next: all at once, which misses somebody"),
        (replace(HERE, error=0.0, ratio=math.inf, is_clear=False), "next: all at once"),
        (replace(HERE, second="Another"), "next: Another, 1.39 times as far"),
    ],
)
def test_what_a_pointer_says_of_a_place(place, after):
    assert said.next_text(place, {"JointExp": "all at once"}) == after
    assert said.off_text(replace(place, error=8.127)) == "8.13 people"
    assert said.off_text(replace(place, error=1.0)) == "1 person"


def test_where_a_map_is_from():
    assert said.beforehand(of_own_data=True, is_own=True, why="") == (
        "Computed beforehand: 40 releases a place, slow methods fewer."
    )
    assert said.beforehand(of_own_data=False, is_own=False, why="Why.") == (
        "Computed beforehand: 40 releases a place, slow methods fewer, on a stand-in of 15,000 "
        "people. Your settings are others: run them. Why."
    )
