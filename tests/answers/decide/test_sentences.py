"""The sentences as they are read: every form, each way round and published."""

from __future__ import annotations

import re

import pytest

from dpviz.answers.decide.sentences import (
    BUDGET,
    CELLS,
    COUNT,
    CURVE,
    HISTOGRAM,
    NEED,
    OFFERS,
    PUBLISHED,
    QUANTILES,
    REHEARSED,
    RUNNING,
    SETS,
    WHAT,
    WHAT_CAN,
    Slot,
    form_of,
    parts,
    slots,
    template,
)

GIVEN = (NEED, BUDGET, PUBLISHED, REHEARSED)
NOUNS = {"people": "workers", "area": "100 × 80 km", "symbol": "ε", "delta": ""}
HELD = {
    "column": "salary",
    "low": "0",
    "high": "250,000",
    "about": "about",
    "people": "5,000",
    "over": "100,000",
    "bins": "25",
    "side": "64 × 64",
    "block": "16 × 16",
    "periods": "365",
    "off": "2",
    "unit": "% of salary",
    "often": "19 times of 20",
    "eps": "0.39",
    "lead": "that takes ",
    "answer": "ε =",
}
BOUNDED = "between 0 and 250,000, of about 5,000 workers"
SUBJECT = {
    "deciles": f"nine deciles of salary, {BOUNDED}",
    "count": "how many have salary over 100,000, of about 5,000 workers",
    "histogram": f"a histogram of salary in 25 bars, {BOUNDED}",
    "curve": f"the whole curve of salary, {BOUNDED}",
    "map": "a map of 64 × 64 cells of salary, in 100 × 80 km, of about 5,000 workers",
    "running": f"running counts of salary at 365 steps, {BOUNDED}",
}
OFF = {
    "deciles": "off by at most 2 % of salary",
    "count": "off by at most 2 % of salary",
    "histogram": "every bar off by at most 2 % of salary",
    "curve": "nowhere off by more than 2 % of salary",
    "map": "a block of 16 × 16 cells off by at most 2 % of salary",
    "running": "never off by more than 2 % of salary",
}


def read(key, given, **others):
    """A sentence as a person reads it, with a word in every slot."""
    held = {**HELD, "what": WHAT[key][0], **others}
    found = ""
    for part in parts(key, given, NOUNS):
        if isinstance(part, str):
            found += part
        else:
            found += ("\N{NO-BREAK SPACE}" if part.joined else "") + held[part.name]
    return found.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("what", SUBJECT)
def test_every_sentence_reads_as_it_should(what):
    start, off = SUBJECT[what], OFF[what]
    often = "19 times of 20"
    assert read(what, NEED) == f"Publish {start}, {off}, {often}: that takes ε = 0.39."
    flipped = read(what, BUDGET, answer="", lead="")
    assert flipped == f"Publish {start}, with ε = 0.39, {often}: {off}."
    about = read(what, BUDGET, answer="", lead="about ")
    assert about == flipped.replace(" 2 % of salary", " about 2 % of salary")
    done = "ε = 0.39 is spent."
    assert read(what, PUBLISHED, answer=done) == (
        f"Published, once: {start}, {off}, {often}. {done}"
    )
    assert read(what, REHEARSED, answer=done) == f"Rehearsed: {start}, {off}, {often}. {done}"


def test_the_question_what_a_budget_can_publish():
    for given in GIVEN:
        said = read("offers", given, what=WHAT_CAN, answer="One of these seven.")
        assert said == (
            "What can ε = 0.39 publish of salary, between 0 and 250,000, of about 5,000 workers, "
            "19 times of 20? One of these seven."
        )


@pytest.mark.few(12)
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("what", WHAT)
def test_no_sentence_has_a_loose_end(what, given):
    said = read(what, given)
    assert said[0].isupper()
    assert not re.search(r"[{}~%]\w|  | [,.:;?]|,,|\.\.|: ?[.,]", said), said
    if given in (NEED, BUDGET) and what != "offers":
        assert said.endswith(".")
    verb = {NEED: "Publish ", BUDGET: "Publish ", PUBLISHED: "Published, once: "}
    if what != "offers":
        assert said.startswith(verb.get(given, "Rehearsed: "))


@pytest.mark.few(12)
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("what", WHAT)
def test_parts_are_the_template_and_nothing_else(what, given):
    written = ""
    for part in parts(what, given, NOUNS):
        if isinstance(part, str):
            assert part
            written += part
        else:
            written += ("~" if part.joined else "") + f"{{{part.name}}}"
    plain = template(what, given).replace("{symbol}", "ε =\N{NO-BREAK SPACE}").replace("%delta", "")
    for name, noun in NOUNS.items():
        plain = plain.replace(f"%{name}", noun)
    assert written == plain


@pytest.mark.parametrize("what", WHAT)
def test_no_word_stands_twice(what):
    for given in GIVEN:
        named = [part.name for part in parts(what, given, NOUNS) if isinstance(part, Slot)]
        assert len(named) == len(set(named))
        assert set(named) <= slots(what) | {"symbol"}


BOTH_WAYS = {"what", "column", "about", "people", "often", "answer", "eps"}
OWN = {
    QUANTILES: {"low", "high", "off", "unit", "lead"},
    COUNT: {"over", "off", "unit", "lead"},
    HISTOGRAM: {"bins", "low", "high", "off", "unit", "lead"},
    CURVE: {"low", "high", "off", "unit", "lead"},
    CELLS: {"side", "block", "off", "unit", "lead"},
    RUNNING: {"periods", "low", "high", "off", "unit", "lead"},
    OFFERS: {"low", "high"},
}


@pytest.mark.parametrize("what", WHAT)
def test_the_words_of_a_sentence(what):
    assert slots(what) - {"symbol"} == BOTH_WAYS | OWN[form_of(what)]


def test_a_number_never_parts_from_its_unit_nor_a_budget_from_its_sign():
    for what in WHAT:
        for given in GIVEN:
            found = parts(what, given, NOUNS)
            by_name = {part.name: part for part in found if isinstance(part, Slot)}
            for name in {"unit", "people"} & set(by_name):
                assert by_name[name].joined, (what, given, name)
            if given == NEED and what != "offers":
                assert by_name["eps"].joined
            elif "eps" in by_name:
                before = found[found.index(by_name["eps"]) - 1]
                assert isinstance(before, str)
                assert before.endswith("ε =\N{NO-BREAK SPACE}")
            loose = {
                part for name, part in by_name.items() if name not in {"unit", "people", "eps"}
            }
            assert not any(part.joined for part in loose)


@pytest.mark.few(12)
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("what", WHAT)
def test_delta_is_said_beside_its_epsilon(what, given):
    nouns = {**NOUNS, "delta": ", at δ = 0.1"}
    texts = [one for one in parts(what, given, nouns) if isinstance(one, str)]
    (found,) = [one for one in texts if ", at δ = 0.1" in one]
    assert found.startswith(", at δ = 0.1")  # right after the budget, or after how often
    assert "δ" not in "".join(one for one in parts(what, given, NOUNS) if isinstance(one, str))


def test_the_symbol_is_that_of_the_budget():
    nouns = {**NOUNS, "symbol": "ρ"}
    assert "with ρ =\N{NO-BREAK SPACE}" in "".join(
        part for part in parts("deciles", BUDGET, nouns) if isinstance(part, str)
    )
    assert "What can" not in template("offers", NEED)  # that is the first word itself


def test_a_set_of_quantiles_is_as_many_as_its_word_says():
    count = {"median": 1, "quartiles": 3, "deciles": 9, "percentiles": 99}
    words = {1: "the median", 3: "three quartiles", 9: "nine deciles", 99: "99 percentiles"}
    assert set(SETS) == set(count)
    for what, shares in SETS.items():
        assert len(shares) == count[what]
        assert WHAT[what] == (words[len(shares)], QUANTILES)
        for at, share in enumerate(shares, 1):
            assert share == pytest.approx(at / (len(shares) + 1))
    assert {what for what in WHAT if form_of(what) == QUANTILES} == {*SETS, "own"}


def test_first_words_differ():
    texts = [text for text, _ in WHAT.values()]
    assert len(set(texts)) == len(texts) == 11
    assert {form_of(what) for what in WHAT} == set(OWN)
