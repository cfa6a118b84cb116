"""The rail: its ends and places by hand, what others chose, and the words for each state."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dpviz.answers.decide.budget.rail import (
    RailNumbers,
    answer,
    height,
    mound,
    say,
    scatter,
    ticks,
)
from dpviz.answers.decide.price import Need, Price, Way
from dpviz.answers.privacy.deployments import (
    CENSUS,
    CENSUS_HOMES,
    CENSUS_PEOPLE,
    DEPLOYMENTS,
    NAMED,
    Deployment,
)
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.figures.stage import screen
from dpviz.lessons.show import decision

NEED = Need(2, "value")
DESK = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)


def priced(size, **more):
    return Price((Way("all", size),), NEED, size, None if size is None else 1.5, **more)


def test_every_number_of_an_answer():
    found = answer(priced(0.39), PureDP(1), (0.57, 0.28))
    assert (found.low, found.high, found.symbol) == (0.01, 30, "ε")
    assert (found.size, found.spread, found.state) == (0.39, (0.28, 0.57), "least")
    assert found.ticks == DESK
    assert found.few == (0.01, 0.1, 1, 10)
    assert (found.is_about, found.most, found.others) == (False, 10, NAMED)
    assert {*found.others, *found.further} == set(DEPLOYMENTS)
    assert not {*found.others} & {*found.further}


def test_places_are_in_logs():
    found = answer(priced(0.39), PureDP(1))
    decades = math.log10(30) + 2
    for size in (0.01, 0.05, 0.39, 1, 16, 30):
        assert found.share(size) == pytest.approx((math.log10(size) + 2) / decades)
    assert (found.share(1e-9), found.share(1e9)) == (0, 1)


@pytest.mark.parametrize(
    ("size", "budget", "ends"),
    [
        (0.0003, PureDP(1), (0.0001, 30)),
        (0.001, PureDP(1), (0.001, 30)),
        (250, PureDP(1), (0.01, 1000)),
        (100, PureDP(1), (0.01, 100)),
        (0.02, ZCDP(1), (0.0001, 10)),
        (None, PureDP(1), (0.01, 30)),
    ],
)
def test_the_axis_holds_its_answer(size, budget, ends):
    found = answer(priced(size), budget)
    assert (found.low, found.high) == pytest.approx(ends)
    if size is not None:
        assert found.low <= size <= found.high
    assert all(found.low * 0.999 <= one <= found.high * 1.001 for one in found.ticks)
    assert len(found.ticks) <= 12


def test_a_long_axis_has_fewer_ticks():
    found = answer(priced(0.02), ZCDP(1))
    assert found.ticks == (0.0001, 0.001, 0.01, 0.1, 1, 10)
    assert found.few == (0.0001, 0.01, 1)


def test_ticks_lie_between_the_ends():
    assert ticks(0.02, 1, (1, 2, 5)) == (0.02, 0.05, 0.1, 0.2, 0.5, 1)
    assert ticks(0.003, 0.2, (1,)) == (0.01, 0.1)


@pytest.mark.parametrize(
    ("found", "is_spent", "state"),
    [
        (None, False, "missing"),
        (priced(None), False, "impossible"),
        (priced(None, is_about=True), False, "missing"),  # until it was checked, nothing is said
        (priced(0.5), False, "least"),
        (priced(0.5, is_given=True), False, "budget"),
        (priced(0.5), True, "spent"),
    ],
)
def test_states(found, is_spent, state):
    assert answer(found, PureDP(1), (0.1, 0.2), is_spent=is_spent).state == state


def test_what_is_spent_is_not_about_other_shapes():
    found = answer(priced(0.39, is_about=True), PureDP(1), (0.28, 0.57), is_spent=True)
    assert (found.spread, found.is_about) == (None, False)
    assert answer(priced(None), PureDP(1), (0.28, 0.57)).spread is None
    assert answer(priced(0.39, is_about=True), ApproxDP(1, 1e-6)).is_about


def test_others_state_theirs_in_epsilon():
    assert answer(priced(0.02), ZCDP(1)).others == answer(priced(0.02), ZCDP(1)).further == ()
    assert answer(priced(0.02), ApproxDP(1, 1e-6)).others == NAMED


def test_others_are_those_of_the_decision_card_of_show():
    known = {one.name: (one.low, one.high) for one in NAMED}
    assert known == {"Wikipedia": (1, 1), "Apple": (2, 16), "2020 US census": (19.61, 19.61)}
    assert (CENSUS_PEOPLE, CENSUS_HOMES, CENSUS) == (17.14, 2.47, 19.61)
    told = decision.SCENE.numbers(0.1, 1)
    for size in (screen.DESK, screen.PHONE):
        marks = decision.SCENE.marks(told, "reveal", size)
        texts = " ".join(str(one.get("text", "")) for one in marks).replace(",", "")
        for one in ("Wikipedia about 1", "Apple 2 to 16", "19.61"):
            assert one in texts


def test_others_in_words():
    assert [one.text for one in NAMED] == [
        "Wikipedia, about 1",
        "Apple, 2 to 16",
        "2020 US census, 19.61",
    ]
    assert not Deployment("A", "b", 2020, 1.5, 1.5, "a week", "c").is_range


def test_noise_lies_below_one_over_the_root():
    found = mound(0.01, 30.0, 500)
    assert len(found.bare) + len(found.private) == 500
    for at, high in (*found.bare, *found.private):
        size = 0.01 * 3000**at
        assert 0 <= high <= 0.07 + 0.93 * math.sqrt(0.01 / size) + 1e-12
        assert 0 <= at <= 1
    assert height(0, 0.01, 30) == 1
    assert height(1, 0.01, 30) == pytest.approx(math.sqrt(0.01 / 30))
    left = [at for at, _ in found.bare]
    right = [at for at, _ in found.private]
    bare, private = (sum(one) / len(one) for one in (left, right))
    assert bare < 0.3
    assert private > 0.45
    assert mound(0.01, 30.0, 500) is found


def test_grains_are_the_same_everywhere_and_evenly_spread():
    assert scatter(0, 1) == scatter(0, 1) != scatter(1, 1)
    counts = [0] * 10
    for number in range(10_000):
        counts[int(10 * scatter(number, 2))] += 1
    # each bin has a standard deviation of 30: a miss of 200 never happens by chance
    assert max(abs(count - 1000) for count in counts) < 200


SHOWN = RailNumbers(
    symbol="ε",
    low=0.02,
    high=40.0,
    ticks=(0.1,),
    few=(0.1,),
    size=0.37,
    spread=(0.26, 0.58),
    state="least",
    is_about=False,
    most=7.5,
    others=(
        Deployment("A", "a", 2020, 1.5, 2.5, "a week", "s"),
        Deployment("B", "b", 2020, 3.0, 3.0, "a year", "s", about=True),
    ),
    further=(),
)


def test_every_sentence_says_its_own_number():
    said = say(SHOWN, "pay")
    assert said.answer == "ε = 0.37"
    assert said.note == "0.26 if pay is more equal than that, 0.58 if it is less"
    assert said.others == (("A, 1.5 to 2.5", "a week"), ("B, about 3", "a year"))
    assert said.title == ("Chosen by others,", "for different units of protection: not a ranking")
    assert said.alt == (
        "An axis of ε from 0.02 to 40, with less noise to the right. The answer: ε = 0.37, 0.26 if "
        "pay is more equal than that, 0.58 if it is less. Chosen by others, for different units of "
        "protection: not a ranking: A, 1.5 to 2.5, a week; B, about 3, a year."
    )


def test_notes():
    alone = replace(SHOWN, spread=None)
    assert say(alone).note == "the least that keeps the promise of the sentence"
    assert say(replace(alone, state="budget")).note == "your budget"
    assert say(replace(alone, state="spent")).note == "spent, for good"
    assert say(replace(alone, is_about=True)).answer == "about ε = 0.37"
    assert say(replace(alone, symbol="ρ")).answer == "ρ = 0.37"
    assert say(alone, note="0.13 for 300 people").note == "0.13 for 300 people"


def test_without_an_answer():
    none = replace(SHOWN, size=None, spread=None)
    said = say(replace(none, state="impossible"))
    assert (said.answer, said.note) == ("", "No ε up to 7.5 does that.")
    assert "right. No ε up to 7.5 does that." in said.alt
    said = say(replace(none, state="missing", is_about=True))
    assert (said.answer, said.note) == ("", "")
    assert "No answer yet." in said.alt
