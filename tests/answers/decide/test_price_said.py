"""What a price says: every number in the ending and in the line of the method is its own."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import pytest

from dpviz.answers.decide.needs import UNITS, NeedNames
from dpviz.answers.decide.price import MOST, Need, Price, Way
from dpviz.answers.decide.price_said import (
    amount_text,
    answer,
    asked,
    basis_for_any,
    drawn,
    instead,
    method,
    missing_text,
    per_people,
    rounded_off,
    spent,
    too_low,
    within,
)
from dpviz.answers.said import unmarked
from dpviz.intake.samples import Noun
from tests.rows import by_rows

NAMES = NeedNames("salary", Noun("dollar", "dollars"), Noun("worker", "workers"))
FOUND = Price(
    (Way("tree", 0.37), Way("all", 0.385), Way("halving", 0.54), Way("one", 1.2)),
    Need(2.0, "value"),
    0.37,
    1.93,
)
WORDS = {
    "tree": "noisy tree",
    "all": "all at once",
    "halving": "recursive halving",
    "one": "one by one",
    "even": "even grid",
    "joint": "JointExp",
}


def said(found, **others):
    asked = {"symbol": "ε", "missing": (), "problem": "", "names": NAMES}
    return answer(found, **(asked | others))


# where the number of people is missing


@pytest.mark.parametrize("unit", ["value", "unit", "share"])
@pytest.mark.parametrize(
    ("symbol", "size", "people", "said_so"),
    [
        ("ε", 0.39, 5_000, "about ε = 1,950 / workers"),
        ("ε", 0.012, 5_000, "about ε = 60 / workers"),
        ("ε", 0.39, 20_000, "about ε = 7,800 / workers"),
        ("ρ", 0.025, 5_000, "about ρ = 625,000 / workers²"),
    ],
)
def test_an_answer_for_any_number_of_people(unit, symbol, size, people, said_so):
    found = replace(FOUND, size=size, need=Need(2.0, unit))
    ending = per_people(found, people, symbol, NAMES)
    assert (ending.lead, ending.text, ending.spoken) == ("that takes ", said_so, said_so)
    assert dict(ending.computed) == {"eps": ""}
    twice = {"ε": "half", "ρ": "a quarter"}[symbol]
    assert basis_for_any(found, people, symbol, NAMES) == (
        f"reckoned on {people:,} made-up workers; twice as many take about {twice}"
    )


def test_places_take_the_same_whatever_the_number_of_people():
    found = replace(FOUND, size=0.39, need=Need(47.0, "places"))
    assert per_people(found, 5_000, "ε", NAMES).text == "about ε = 0.39"
    assert basis_for_any(found, 5_000, "ε", NAMES).endswith("twice as many take as much")


def test_what_so_many_people_cannot_have_more_may():
    none = replace(FOUND, size=None)
    assert per_people(none, 5_000, "ε", NAMES).text == "a number of people is missing"
    assert per_people(replace(none, is_about=True), 5_000, "ε", NAMES).text == "being worked out"


def test_a_budget_that_was_typed_stays_where_a_word_is_missing():
    ending = said(None, missing=("people",), is_given=True)
    assert (ending.text, dict(ending.computed)) == ("a number of people is missing: ", {"off": ""})


def test_what_is_missing():
    assert missing_text(("people",)) == "a number of people is missing"
    assert missing_text(("bounds",)) == "two bounds are missing"
    assert missing_text(("column",)) == "a column of numbers is missing"
    assert missing_text(("bounds", "people")) == "two bounds and a number of people are missing"


# the ending


@pytest.mark.parametrize("symbol", ["ε", "ρ"])
@pytest.mark.parametrize("size", [0.0001, 0.23, 0.77, 4.5, 10.0])  # of two digits
def test_a_need_is_answered_by_its_budget(size, symbol):
    found = said(replace(FOUND, size=size), symbol=symbol)
    assert found.lead == "that takes "
    assert found.text == f"{symbol} ="
    assert dict(found.computed) == {"eps": f"{size:g}"}
    assert found.spoken == f"{symbol} = {size:g}"


def test_an_answer_that_was_not_checked_says_about():
    found = said(replace(FOUND, is_about=True))
    assert (found.text, found.spoken) == ("about ε =", "about ε = 0.37")
    assert dict(found.computed) == {"eps": "0.37"}


def test_neither_the_amount_nor_another_method_moves_the_budget_that_is_said():
    first = said(FOUND)
    others = (Way("tree", 0.37), Way("all", 5.0))
    for changed in ({"off": 9.0}, {"ways": others}, {"need": Need(7.0, "people", 0.5)}):
        assert said(replace(FOUND, **changed)) == first


@pytest.mark.parametrize(
    ("off", "unit", "sent", "spoken"),
    [
        (1.374, "value", "1.4", "off by at most 1.4 % of salary"),
        (1.31, "value", "1.4", "off by at most 1.4 % of salary"),  # up: no promise is made smaller
        (1_301.0, "unit", "1400", "off by at most 1,400 dollars"),
        (0.031, "share", "0.031", "off by at most 0.031 % of the workers"),
        (46.01, "people", "47", "off by at most 47 workers"),
        (46.0, "people", "46", "off by at most 46 workers"),
        (1_234.2, "places", "1235", "off by at most 1,235 places"),
        (0.0, "unit", "0", "off by at most 0 dollars"),
        (1.0, "people", "1", "off by at most 1 worker"),
    ],
)
def test_a_budget_is_answered_by_what_it_keeps(off, unit, sent, spoken):
    given = replace(FOUND, size=0.5, off=off, need=Need(off, unit), is_given=True)
    found = said(given)
    assert dict(found.computed) == {"off": sent}
    assert found.spoken == spoken
    assert (found.text, found.lead) == ("", "")  # the template says it, the budget is a word
    assert said(replace(given, size=3.0)) == found
    assert f"{asked(given):.10g}" == sent  # in the picture, the card and the report, too
    assert asked(replace(given, is_given=False)) == off  # what was typed stays as it is
    about = said(replace(given, is_about=True))
    assert (about.lead, dict(about.computed)) == ("about ", {"off": sent})
    assert about.spoken == spoken.replace("at most ", "at most about ")


def test_a_budget_that_no_curve_reaches_is_answered_by_no_number():
    given = replace(FOUND, size=0.5, off=math.inf, need=Need(math.inf, "people"), is_given=True)
    found = said(replace(given, is_about=True))
    assert (found.text, found.spoken) == ("being worked out: ", "being worked out")
    assert dict(found.computed) == {"off": ""}
    assert asked(given) == math.inf
    checked = said(given)
    assert checked.spoken == "no method can answer at this budget"
    assert dict(checked.computed) == {"off": ""}


def test_what_no_budget_keeps():
    none = replace(FOUND, ways=(Way("tree", None), Way("all", None)), size=None, off=None)
    found = said(none, symbol="ρ")
    assert found.text == found.spoken == f"no ρ up to {MOST:g} does that"
    assert found.lead == ""
    assert dict(found.computed) == {"eps": ""}
    waiting = said(replace(none, is_about=True))
    assert (waiting.text, waiting.spoken, waiting.lead) == (
        "being worked out",
        "being worked out",
        "",
    )
    assert dict(waiting.computed) == {"eps": ""}


@pytest.mark.parametrize(
    ("missing", "text"),
    [
        (("bounds",), "two bounds are missing"),
        (("people",), "a number of people is missing"),
        (("bounds", "people"), "two bounds and a number of people are missing"),
    ],
)
def test_words_that_are_missing(missing, text):
    crossed = "The lower end lies above the upper one"
    assert said(None, missing=missing, problem=crossed).text == f"t{crossed[1:]}"
    found = said(None, missing=missing)
    assert found.text == found.spoken == text
    assert dict(found.computed) == {"eps": ""}
    assert found.lead == ""


def test_a_problem_ends_once():
    found = said(None, problem="Values are 100 apart: ask for 50 or more.")
    assert found.text == found.spoken == "values are 100 apart: ask for 50 or more"


def test_what_cannot_be_asked_says_why():
    found = said(None, problem="The lower end lies above the upper one")
    assert found.text == found.spoken == "the lower end lies above the upper one"
    assert dict(found.computed) == {"eps": ""}
    assert found.is_note
    assert not said(FOUND).is_note


def test_only_one_of_two_numbers_is_computed():
    """What a person has said stays a word of the sentence."""
    assert set(said(FOUND).computed) == {"eps"}
    assert set(said(replace(FOUND, is_given=True)).computed) == {"off"}


# rounding


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_kept_is_rounded_up(unit):
    for off in (0.0004567, 0.0301, 0.5, 0.991, 1.0, 3.3333, 9.91, 12.0, 46.5, 123.4, 98_765.4):
        shown = rounded_off(off, unit)
        assert shown >= off * (1 - 1e-6)
        if unit in ("people", "places"):
            assert shown == int(shown)
            assert shown < off + 1
            continue
        step = 10.0 ** (math.floor(math.log10(off)) - 1)
        assert shown < off + step
        assert float(f"{shown:.2g}") == shown
    assert rounded_off(0.0, unit) == 0.0


def test_dust_of_arithmetic_adds_no_person():
    assert rounded_off(47.0000000001, "people") == 47
    assert rounded_off(0.1 + 0.2, "value") == 0.3
    assert rounded_off(47.001, "places") == 48


def test_an_amount_has_the_digits_that_it_has():
    amounts = (0.5, 1.4, 0.031, 12.5, 2.0, 1_234.5, 250_000.0, 1e-4)
    texts = ["0.5", "1.4", "0.031", "12.5", "2", "1,234.5", "250,000", "0.0001"]
    assert [amount_text(one) for one in amounts] == texts


# the method


def line(found, **others):
    return unmarked(method(found, WORDS.__getitem__, "Computed on the sample.", **others))


def test_the_method_with_those_level_and_the_next_one():
    assert line(FOUND) == (
        "By a noisy tree, level with all at once; recursive halving would take 0.54. "
        "Computed on the sample."
    )
    assert method(FOUND, WORDS.__getitem__, "x").count("**") == 6  # three methods in bold


@pytest.mark.parametrize("other", [0.41, 0.77, 9.9])
def test_the_next_method_says_its_own_budget(other):
    ways = (Way("tree", 0.37), Way("halving", other), Way("all", 10.0))
    said = line(replace(FOUND, ways=ways))
    assert said.startswith(f"By a noisy tree, the thriftiest of three methods; recursive halving would take {other:g}.")  # fmt: skip  # noqa: E501
    assert "0.37" not in said  # that stands in the sentence
    assert "10" not in said


def test_several_that_are_level_are_all_named():
    ways = (Way("one", 0.37), Way("tree", 0.38), Way("all", 0.39), Way("halving", None))
    assert line(replace(FOUND, ways=ways)) == (
        "By one by one, level with noisy tree and all at once. Computed on the sample."
    )


def test_nothing_is_compared_where_nothing_is_beside_it():
    assert (
        line(replace(FOUND, ways=(Way("all", 0.37),))) == "By all at once. Computed on the sample."
    )
    ways = (Way("tree", 0.37), Way("all", None))
    assert line(replace(FOUND, ways=ways)) == (
        "By a noisy tree, the thriftiest of two methods. Computed on the sample."
    )


def test_a_phone_gets_the_method_and_on_what_it_is_reckoned():
    brief = unmarked(method(FOUND, WORDS.__getitem__, "on the sample", brief=True))
    assert brief == "By a noisy tree, on the sample."
    assert not {"0.54", "0.37", "halving"} & set(brief.split())


@pytest.mark.parametrize(
    ("key", "spoken"),
    [
        ("tree", "a noisy tree"),
        ("even", "an even grid"),
        ("all", "all at once"),
        ("halving", "recursive halving"),
        ("one", "one by one"),
        ("joint", "JointExp"),
    ],
)
def test_a_method_is_spoken_of_as_people_do(key, spoken):
    alone = replace(FOUND, ways=(Way(key, 0.37),))
    assert line(alone).startswith(f"By {spoken}. ")
    for is_secret in (True, False):
        assert unmarked(drawn(WORDS[key], is_secret=is_secret)).startswith(f"By {spoken}, ")


def test_thrift_is_claimed_only_where_no_other_is_level():
    """Whatever the sizes: "the thriftiest" beside a method as thrifty would be false."""
    for sizes in product((0.37, 0.39, 0.8, None), repeat=3):
        ways = (
            Way("tree", 0.37),
            *(Way(key, one) for key, one in zip(("all", "halving", "one"), sizes, strict=True)),
        )
        found = replace(FOUND, ways=ways)
        text = line(found)
        is_level = any(one is not None and one <= 1.08 * 0.37 for one in sizes)
        assert ("the thriftiest of four methods" in text) is not is_level
        assert ("level with" in text) is is_level
        above = [one for one in sizes if one is not None and one > 1.08 * 0.37]
        assert ("would take" in text) is bool(above)


# published


def test_what_was_spent_and_what_would_have_been():
    found = replace(FOUND, size=0.77)
    assert spent(found, "ε", is_rehearsal=False) == "ε = 0.77 is spent."
    assert spent(found, "ρ", is_rehearsal=True) == "ρ = 0.77 would be spent."
    assert "0.37" not in spent(found, "ε", is_rehearsal=False)
    typed = replace(FOUND, size=0.12345)  # no digit of what was typed is lost
    assert spent(typed, "ε", is_rehearsal=False) == "ε = 0.12345 is spent."


def test_a_rehearsal_never_claims_to_protect_and_a_release_never_a_second_draw():
    secret, seeded = (drawn("noisy tree", is_secret=one) for one in (True, False))
    assert "random bits under a key that nobody keeps" in secret
    assert "no second draw" in secret
    assert "seed" not in secret
    assert "seed that anybody can repeat" in seeded
    assert "protects nobody" in seeded
    assert "nobody keeps" not in seeded


def test_more_than_is_left():
    assert too_low(0.2, 0.39) == "0.39 is more than the 0.2 left of the promise."
    assert too_low(0.0, 2.5) == "2.5 is more than the 0 left of the promise."


@by_rows(
    ("size", "symbol", "is_about", "said"),
    [
        (0.2, "ε", False, "three quartiles, for ε = 0.2"),
        (0.61, "ρ", True, "three quartiles, for about ρ = 0.61"),
        (1_234.5, "ε", False, "three quartiles, for ε = 1,234.5"),
    ],
)
def test_what_could_be_asked_instead(size, symbol, is_about, said):
    assert instead("three quartiles", size, symbol, is_about=is_about) == said


@by_rows(
    ("problem", "said"),
    [
        ("Values are 1 apart.", "values are 1 apart"),
        ("A map needs two columns. Choose.", "a map needs two columns. Choose"),
        ("SliceQuantiles needs δ.", "SliceQuantiles needs δ"),
        ("ε must be 1.", "ε must be 1"),
        ("", ""),
    ],
)
def test_a_sentence_within_another_has_a_small_letter(problem, said):
    assert within(problem) == said
