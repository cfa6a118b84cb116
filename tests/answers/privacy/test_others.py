"""A budget beside those of others: counts by hand, statements in both notions, and words."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.privacy.deployments import (
    CENSUS_HOMES,
    CENSUS_PEOPLE,
    CENSUS_RHOS,
    DEPLOYMENTS,
    NAMED,
)
from dpviz.answers.privacy.others import Beside, answer, beside
from dpviz.answers.privacy.others_said import say
from dpviz.answers.said import unmarked
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP
from dpviz.core.conversions import zcdp_to_approx
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK
from dpviz.figures.privacy.others import others_picture

STATED = {  # written down from the sources, apart from the package
    "Facebook": (0.45, 0.45, 1e-5),
    "Gboard": (0.994, 13.69, 1e-10),
    "Wikipedia": (1, 1, 1e-7),
    "Windows": (1.672, 1.672, None),
    "Google symptoms": (1.68, 1.68, None),
    "Apple": (2, 16, None),
    "Google vaccination": (2.19, 2.19, 1e-5),
    "Google mobility": (2.64, 2.64, None),
    "LinkedIn hiring": (4.8, 4.8, 4e-10),
    "Births in Israel": (9.98, 9.98, None),
    "2020 US census": (19.61, 19.61, 1e-10),
    "LinkedIn audiences": (34.9, 34.9, 7e-9),
}
WHOLE = {"Gboard", "Births in Israel", "2020 US census"}
ON_DEVICE = {"Windows", "Apple"}


def test_what_others_state():
    assert {one.name: (one.low, one.high, one.delta) for one in DEPLOYMENTS} == STATED
    assert {one.name for one in DEPLOYMENTS if one.whole} == WHOLE
    assert {one.name for one in DEPLOYMENTS if one.on_device} == ON_DEVICE
    assert [one.name for one in NAMED] == ["Wikipedia", "Apple", "2020 US census"]
    assert all(one.source and 2015 < one.year < 2026 and one.protects for one in DEPLOYMENTS)


@pytest.mark.parametrize(
    ("rho", "delta", "stated", "share"),
    [
        (CENSUS_RHOS[0], 1e-10, CENSUS_PEOPLE, 0.002),
        (CENSUS_RHOS[1], 1e-10, CENSUS_HOMES, 0.04),  # its ρ is given with one digit
        (0.015, 1e-7, 1.0, 0.15),  # "roughly equivalent"
    ],
)
def test_what_is_stated_in_both_notions_agrees(rho, delta, stated, share):
    assert zcdp_to_approx(ZCDP(rho), delta).epsilon == pytest.approx(stated, rel=share)


@pytest.mark.parametrize("epsilon", [0.1, 0.45, 0.5, 1.0, 3.0, 9.98, 16.0, 20.0, 34.9, 50.0])
def test_every_other_is_below_around_or_above(epsilon):
    lows, highs = ([one[at] for one in STATED.values()] for at in (0, 1))
    below = sum(high < epsilon for high in highs)
    above = sum(low > epsilon for low in lows)
    assert beside(epsilon) == Beside(epsilon, below, 12 - below - above, above)


def test_every_number():
    found = answer(PureDP(0.25), 20, 1e-6)
    assert (found.one.epsilon, found.total.epsilon, found.delta) == (0.25, 5.0, 0.0)
    assert found.total == Beside(5.0, 7, 2, 3)
    assert (found.whole, found.parts) == ((0.994, 19.61), (0.45, 34.9))
    assert (found.answers, found.others, found.budget) == (20, DEPLOYMENTS, PureDP(0.25))


def test_other_notions_are_read_at_their_delta():
    found = answer(ApproxDP(0.25, 1e-7), 4, 1e-6)
    assert (found.total.epsilon, found.delta) == (1.0, pytest.approx(4e-7))
    odd = answer(ZCDP(0.02), 5, 1e-6)
    assert odd.total.epsilon == zcdp_to_approx(ZCDP(0.1), 1e-6).epsilon
    assert odd.one.epsilon == zcdp_to_approx(ZCDP(0.02), 1e-6).epsilon
    assert odd.delta == 1e-6


SHOWN = replace(
    answer(PureDP(0.25), 20, 1e-6),
    one=Beside(0.33, 0, 0, 12),
    total=Beside(6.6, 7, 2, 3),
    whole=(1.5, 2.5),
    parts=(3.5, 4.5),
)


def headline(found):
    return unmarked(say(found).headline())


def test_the_headline_says_where_both_stand():
    assert headline(SHOWN) == (
        "ε = 0.33 is below all twelve budgets of others; 20 such answers, ε = 6.6, are above seven."
    )
    once = replace(SHOWN, answers=1, one=Beside(0.33, 0, 1, 11))
    assert headline(once) == "ε = 0.33 is below eleven of twelve budgets of others."
    many = replace(SHOWN, total=Beside(99.0, 12, 0, 0))
    assert headline(many).endswith("are above all.")
    few = replace(SHOWN, total=Beside(0.9, 0, 2, 10))
    assert headline(few).endswith("are below ten.")


def test_the_second_line_says_that_units_differ():
    said = unmarked(say(SHOWN).second())
    assert "all of a person or a device at 1.5 to 2.5, " in said
    assert "a day, a month or one action at 3.5 to 4.5" in said
    odd = replace(SHOWN, budget=ZCDP(0.02), delta=2e-6)
    assert unmarked(say(odd).second()).endswith(
        "Ours is ρ = 0.02 an answer, read at δ = 2.0 × 10⁻⁶."
    )


def test_the_strip_and_the_table():
    said = say(SHOWN)
    assert list(said.strip) == [
        ("one answer", "ε = 0.33"),
        ("20 added up", "ε = 6.6"),
        ("budgets of others", "12"),
    ]
    assert [label for label, _ in say(replace(SHOWN, answers=1)).strip] == [
        "one answer",
        "budgets of others",
    ]
    (table,) = said.tables
    known = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert known["Apple"]["ε"] == "2 to 16"
    assert known["Apple"]["noise added"] == "on the device"
    assert known["2020 US census"]["noise added"] == "by a server"
    assert known["LinkedIn hiring"]["δ"] == "4.0 × 10⁻¹⁰"
    assert known["Births in Israel"]["δ"] == "0"
    assert known["Wikipedia"]["ε"] == "about 1, from ρ = 0.015"
    assert known["2020 US census"]["ε"] == "19.61, from ρ = 2.63"
    assert all(one.source in known[one.name]["source"] for one in DEPLOYMENTS)


@pytest.mark.parametrize("look", [Look(), Look(ink=DARK, presenting=True), Look(screen="phone")])
def test_the_picture_holds_every_other(look):
    made = others_picture(SHOWN, look)
    lows = []
    for name, on_device in (("server", False), ("device", True)):
        (trace,) = [one for one in made["data"] if one["name"] == name]
        ends = [10**x for x in trace["x"] if x is not None]
        found = np.array(sorted(zip(ends[::2], ends[1::2], strict=True)))
        stated = [STATED[one.name][:2] for one in DEPLOYMENTS if one.on_device == on_device]
        assert found == pytest.approx(np.array(sorted(stated)))
        lows += ends[::2]
    assert len(lows) == len(DEPLOYMENTS)
    rules = [10 ** shape["x0"] for shape in made["layout"]["shapes"]]
    assert rules == pytest.approx([0.33, 6.6])
    texts = [note["text"] for note in made["layout"]["annotations"]]
    assert "one answer: <b>0.33</b>" in texts
    assert "20 answers: <b>6.6</b>" in texts
    ticks = made["layout"]["yaxis"]
    heights = dict(zip(ticks["ticktext"], ticks["tickvals"], strict=True))
    assert len(heights) == len(DEPLOYMENTS)
    server = next(one for one in made["data"] if one["name"] == "server")
    for one in DEPLOYMENTS:
        (at,) = [y for text, y in heights.items() if f"<b>{one.name}</b>" in text]
        if not one.on_device:
            spots = [10**x for x, y in zip(server["x"], server["y"], strict=True) if y == at]
            assert spots == pytest.approx([one.low, one.high])


def test_ours_at_the_ends_stays_on_the_axis():
    far = replace(SHOWN, one=Beside(0.001, 0, 0, 12), total=Beside(4000.0, 12, 0, 0))
    low, high = others_picture(far, Look())["layout"]["xaxis"]["range"]
    assert 10**low < 0.001
    assert 10**high > 4000
    alone = others_picture(replace(SHOWN, answers=1), Look())
    assert len(alone["layout"]["shapes"]) == 1
