"""Bounds declared without looking: any positive number, and what each costs on a stand-in."""

import re
import time

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.figures.kit.look import Look
from dpviz.figures.stage.engine import svg
from dpviz.figures.stage.places import Mark
from dpviz.figures.stage.screen import DESK
from dpviz.intake.samples import load_sample
from dpviz.lessons import one_bound
from dpviz.lessons.try_it import bounds
from dpviz.lessons.try_it.declared_bounds import SCENE
from dpviz.mechanisms.unbounded.propose import propose_bounds
from tests.lessons.boxes import check_pictures, check_sentences, faults, plain

TYPED = (0.5, 7.0, 40_000.0, 123_456.0, 1_500_000.0, 3_000_000.0, 1e9, 2.5e12, 1e15, 1e18, 1e30)


def test_the_start_says_what_the_script_says():
    told = SCENE.numbers(500_000, 1)
    assert plain(SCENE.say(told).headline) == "Declared before looking: 0 to 500,000."
    said = "Upper bound 500,000 declared. How many values lie above is confidential."
    assert SCENE.say(told).sentence == said
    assert told.largest == 2_212_300
    assert told.source == "a public pay scale"
    assert SCENE.right.text.startswith("A law")


def test_the_figures_of_the_public_sample():
    (pay,) = load_sample("salaries")
    assert np.count_nonzero(pay > 500_000) == 40
    assert np.count_nonzero(pay > 100_000) == 865
    assert not np.count_nonzero(pay > 5_000_000)
    for upper in (100_000.0, 500_000.0, 5_000_000.0, 50_000_000.0):
        assert 58 <= bounds.median_error(pay, upper) < 60  # on steps of 100


def test_a_stand_in_with_a_thin_tail_chooses_too_low_a_bound():
    """The slow twin clips both sets of pay, one bound at a time."""

    def off(pay, bound):
        cut, scale = (pay - np.minimum(pay, bound)).mean(), bound / (0.1 * pay.size)
        return cut + scale * np.exp(-cut / scale)

    (pay,) = load_sample("salaries")
    chosen = min(range(100_000, 400_001, 1_000), key=lambda one: off(bounds.made_up(), one))
    best = min(off(pay, one) for one in one_bound.STOPS)
    cost = off(pay, chosen)
    assert SCENE.remark().startswith(
        f"A stand-in with a thin tail would choose {chosen:,}. On the real file that costs "
        f"{cost:,.0f}, {cost / best:.1f} times the best of nine bounds."
    )
    assert "2,212,300" in SCENE.verdict("a")


def test_on_the_stand_in_a_wide_bound_costs_the_average_alone():
    costs = [bounds.cost(upper) for upper in SCENE.control.stops]
    assert max(one.median for one in costs) < 1.01 * min(one.median for one in costs)
    # from the bound that cuts nobody off, the error is the scale of the noise
    assert [round(one.average) for one in costs[2:]] == [333, 667, 3333, 33333]
    assert bounds.cost(30_000.0).median == pytest.approx(15_113, abs=50)  # the median is cut off
    assert "333" in SCENE.second.say(SCENE.numbers(500_000, 1)).headline


@pytest.mark.law
def test_it_says_when_a_proposed_bound_is_better_than_the_declared_one():
    """By runs of the mechanism itself: bounds proposed, then the average released under them."""
    rng, people, pay = np.random.default_rng(5), bounds.about(), bounds.made_up()
    found = [propose_bounds(pay, PureDP(0.1), rng) for _ in range(100)]
    assert {round(one.rest.size, 12) for one in found} == {0.09}
    offs = []
    for one in found:
        top = one.high
        average = np.minimum(pay, top).mean() + rng.laplace(0, top / (people * 0.09), 40)
        offs.append(np.abs(average - pay.mean()).mean())
    assert bounds.proposed() == pytest.approx(np.median(offs), rel=0.15)
    edge = bounds.worth_asking()
    assert bounds.cost(0.99 * edge).average < bounds.proposed() < bounds.cost(1.01 * edge).average
    said = {upper: SCENE.second.say(SCENE.numbers(upper, 1)).sentence
            for upper in (100_000.0, 500_000.0, 0.9 * edge, 1.1 * edge)}  # fmt: skip
    assert ["better: an average off by 900." in one for one in said.values()] == [
        True, False, False, True,
    ]  # fmt: skip
    assert said[500_000.0].endswith("for a tenth of it costs 900: better from about 1.3 M on.")


@pytest.mark.law
def test_a_bound_beyond_all_steps_costs_the_median_too():
    """At most 2^43 steps lie between the bounds; under 1e18 one is longer than the median."""
    truth = np.quantile(bounds.made_up(), 0.5, method="inverted_cdf")
    said = {upper: SCENE.second.say(SCENE.numbers(upper, 1)) for upper in (8e14, 1e17, 1e18)}
    assert [bounds.step(upper) for upper in said] == [100, 1e17 / 2**43, 1e18 / 2**43]
    assert bounds.cost(8e14).median < 30
    off = abs(truth / bounds.step(1e17) - 4) * bounds.step(1e17)  # the fourth step is the nearest
    assert bounds.cost(1e17).median == pytest.approx(off)
    assert bounds.cost(1e18).median == truth  # only the end, 0, is near enough
    assert [one.sentence for one in said.values()] == [
        "A stand-in, ε = 0.1. A bound proposed privately for a tenth of it is better: "
        "an average off by 900.",
        "A stand-in, ε = 0.1: so wide a bound leaves steps of 11,369, and costs medians too.",
        "A stand-in, ε = 0.1: so wide a bound leaves steps of 113,687, and costs medians too.",
    ]


@pytest.mark.law
def test_the_median_is_drawn_flat_up_to_the_last_bound_with_the_steps_of_pay():
    (line,) = [one for one in SCENE.marks(SCENE.numbers(1e18, 1), "second", DESK)
               if one["id"] == "median"]  # fmt: skip
    at = dict(zip(line["x"], line["y"], strict=True))
    flat = [y for x, y in at.items() if 5 <= x <= np.log10(bounds.widest()) + 1e-9]
    assert max(flat) - min(flat) < 0.05
    assert len([x for x in at if x > np.log10(bounds.widest()) + 1e-9]) >= 5
    assert at[18.0] == pytest.approx(np.log10(bounds.cost(1e18).median), abs=1e-4)


@pytest.mark.parametrize(
    ("value", "words"),
    [(500_000.0, "500,000"), (0.5, "0.5"), (1234.5, "1,234.50"), (1e18, "1e+18"), (7.0, "7")],
)
def test_any_bound_is_written_as_it_was_typed(value, words):
    assert bounds.amount(value) == words


@pytest.mark.parametrize("upper", [0.0, -5.0, float("nan"), float("inf"), 1e300])
def test_other_numbers_are_refused(upper):
    with pytest.raises(InvalidParameter, match="positive"):
        SCENE.numbers(upper, 1)


def test_the_axis_is_made_from_the_declaration_alone():
    for upper in TYPED:
        assert 5 <= bounds.round_end(upper) / upper * (1 + 1e-9) <= 7.6


def test_no_grain_stands_for_a_value():
    """The closed file is strewn the same way whatever is in it, and nothing else is strewn."""
    for stop in SCENE.control.stops:
        found = [mark for mark in marks(stop) if mark["kind"] == "grains"]
        assert [(mark["form"], mark["n"]) for mark in found] == [("closed", 5000)]


def test_before_the_guess_no_number_is_drawn():
    words = [mark["text"] for mark in marks(500_000.0, "predict") if mark["kind"] == "label"]
    assert not re.search(r"\d", str(words).replace("15,000", ""))
    assert not [tick for mark in marks(500_000.0, "predict") for tick in mark.get("ticks", [])]


def marks(stop: float, beat: str = "reveal") -> list[Mark]:
    return list(SCENE.marks(SCENE.numbers(stop, 1), beat, DESK))


def test_a_typed_bound_is_quick():
    bounds.median_line()
    started = time.perf_counter()
    SCENE.stage(654_321.0, "second")
    assert time.perf_counter() - started < 0.5


@pytest.mark.law
def test_sentences_fit_their_lines():
    check_sentences(SCENE, [*SCENE.control.stops, *TYPED])


@pytest.mark.law
@pytest.mark.parametrize("typed", [TYPED[::3], pytest.param(TYPED, marks=pytest.mark.thorough)])
def test_words_stay_apart(typed):
    check_pictures(SCENE, [*SCENE.control.stops, *typed], every=typed is TYPED)


def test_nothing_leaks_to_somebody_who_asked_public_knowledge():
    for right, seen in ((True, False), (False, True)):
        drawn = svg(SCENE.stage(500_000.0, "reveal", only=True, right=right), 1184, 490, Look())
        assert ("LEAK" in drawn) is seen
        assert ("2,212,300" in drawn) is seen
    drawn = svg(SCENE.stage(500_000.0, "reveal", only=True, right=True), 1184, 490, Look())
    assert faults(drawn, 1184, 490, 1) == []
