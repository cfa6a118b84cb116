"""What quantiles buy: which rows and values the panels show, and what is said of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.decide.quantile_buys import QuantileBuys
from dpviz.answers.decide.quantile_buys_said import (
    BuysNames,
    StandIn,
    headline,
    in_each,
    of_columns,
    say,
    texts,
)
from dpviz.answers.decide.quantile_panels import given, nearest, panels
from dpviz.core.bounds import Bounds
from dpviz.core.quantiles import DECILES, PERCENTILES
from dpviz.intake.samples import Noun

GIVE = np.array([310.0, 290, 400, 400, 487.5, 500, 600, 800, 1300])
PAY = QuantileBuys(
    quantiles=np.asarray(DECILES),
    published=np.array([24100.0, 29600, 34800, 40000, 45300, 51100, 58900, 69500, 85600]),
    give=GIVE,
    need=np.array([482.0, 592, 696, 800, 906, 1022, 1178, 1390, 1712]),
    truth=None,
    curve_x=np.array([10_000.0, 30_000, 45_000, 60_000, 90_000, 130_000]),
    curve_share=np.array([0.0, 0.2, 0.5, 0.75, 0.9, 1.0]),
    is_true_curve=False,
    is_published=False,
    bounds=Bounds(0, 250_000),
    resolution=100,
)
TRUTH = np.array([24000.0, 29700, 34800, 40100, 45250, 51100, 58000, 69500, 90000])
TRUE = replace(PAY, truth=TRUTH, is_true_curve=True)
RELEASED = replace(PAY, is_published=True, curve_x=None, curve_share=None)
MARKS = QuantileBuys(
    quantiles=np.array([0.1, 0.5, 0.9]),
    published=np.array([32.0, 59, 82]),
    give=np.array([1.0, 1, 0]),
    need=np.ones(3),
    truth=np.array([31.0, 59, 82]),
    curve_x=np.array([20.0, 40, 60, 80, 95]),
    curve_share=np.array([0.05, 0.2, 0.5, 0.9, 1.0]),
    is_true_curve=True,
    is_published=False,
    bounds=Bounds(0, 100),
    resolution=1,
)
FILE = BuysNames(
    Noun("person", "people"),
    Noun("", ""),
    "earn at most {}",
    "pay",
    "2 %",
    stand_in=StandIn(45_000, 85_400, "national statistics"),
)
EXAM = BuysNames(
    Noun("student", "students"),
    Noun("mark", "marks"),
    "have at most {}",
    "exam marks",
    "1 mark",
    is_sample=True,
)


def percentiles():
    values = np.linspace(20, 80, 99)
    return replace(
        MARKS,
        quantiles=np.asarray(PERCENTILES),
        published=values,
        give=np.ones(99),
        need=np.ones(99),
        truth=values,
    )


def rounded_up(give, need, step):
    """By trying every multiple of ever finer steps."""
    if give == 0:
        return 0
    for digits in (2, 3, 4):
        unit = max(step, 10.0 ** (math.floor(math.log10(give)) + 1 - digits))
        shown = next(k * unit for k in range(1, 100_000) if k * unit >= give - 1e-9)
        if shown <= need or give > need:
            return shown
    return shown


@pytest.mark.parametrize("resolution", [0.0, 1.0, 100.0, 250.0])
def test_widths_are_written_no_smaller_than_they_are(resolution):
    found = replace(PAY, resolution=resolution)
    expected = [rounded_up(*one, resolution) for one in zip(PAY.give, PAY.need, strict=True)]
    assert given(found) == pytest.approx(expected)
    assert np.all(given(found) >= PAY.give)


def test_a_width_that_keeps_its_need_is_written_so():
    tight = replace(MARKS, give=np.array([904.0, 9.041, 2.0]), need=np.array([905.0, 9.05, 1.0]))
    assert given(replace(tight, resolution=0.0)) == pytest.approx([904, 9.05, 2])
    assert given(PAY).tolist() == [400, 300, 400, 400, 500, 500, 600, 800, 1300]
    unknown = replace(MARKS, give=np.array([math.inf, 0.0, 1.0]))
    assert given(unknown).tolist() == [math.inf, 0, 1]


def test_the_panels_of_a_file():
    found = panels(PAY, 2.5)
    assert found.view == (0, 112_000)  # 85,600 is at 0.765 of it
    assert found.position(85_600) == pytest.approx(0.765, abs=0.002)
    assert found.is_cut
    assert found.ticks == (0, 20_000, 40_000, 60_000, 80_000, 100_000)
    assert found.share == pytest.approx((0.02, 0.965))
    assert found.rows == found.labelled == tuple(range(9))
    assert (found.middle, found.is_many) == (4, False)
    assert found.gap == pytest.approx(0.1 / 0.945)
    assert found.reach == pytest.approx(1.15 * 1712)
    # px of a value in the panel of errors, over px of a value in the wide one
    assert found.enlarged == pytest.approx((1 / (2 * 1.15 * 1712)) / (2.5 / 112_000))
    assert found.errors is None
    assert found.given.tolist() == given(PAY).tolist()
    assert found.position(28_000) == 0.25
    assert [found.inside(one) for one in (-1, 5, 1e9)] == [0, 5, 112_000]


def test_the_made_up_curve_inside_the_view():
    found = panels(PAY, 2.5)
    assert found.curve_x.tolist() == [10_000, 30_000, 45_000, 60_000, 90_000]
    assert found.curve_share.tolist() == [0, 0.2, 0.5, 0.75, 0.9]
    share = 0.635
    x = 45_000 + (share - 0.5) / 0.25 * 15_000
    assert found.name_at == pytest.approx((x, share))


def test_the_true_curve_goes_on_to_both_ends():
    found = panels(TRUE, 2.5)
    assert found.curve_x.tolist() == [0, 10_000, 30_000, 45_000, 60_000, 90_000, 112_000]
    assert found.curve_share.tolist() == [0, 0, 0.2, 0.5, 0.75, 0.9, 0.9]
    assert found.name_at is None
    reach = found.reach
    expected = [
        max(-reach, min(reach, one - true)) for one, true in zip(TRUE.published, TRUTH, strict=True)
    ]
    assert found.errors.tolist() == pytest.approx(expected)
    assert expected[-1] == -reach  # far off: at the end of the axis


def test_the_curve_of_a_release_runs_through_it():
    found = panels(RELEASED, 2.5)
    assert found.curve_x.tolist() == RELEASED.published.tolist()
    assert found.curve_share.tolist() == RELEASED.quantiles.tolist()
    none = panels(replace(RELEASED, is_published=False), 2.5)
    assert none.curve_x is None


def test_the_truth_moves_nothing():
    hidden, shown = panels(PAY, 2.5), panels(TRUE, 2.5)
    for field in ("view", "ticks", "share", "rows", "labelled", "reach", "enlarged"):
        assert getattr(hidden, field) == getattr(shown, field)


def test_five_rows_where_room_is_scarce():
    found = panels(PAY, 2.5, few=True)
    assert found.rows == found.labelled == (0, 2, 4, 6, 8)
    assert found.view == (0, 126_000)
    assert found.ticks == (0, 50_000, 100_000)
    assert panels(MARKS, 2.5, few=True).rows == (0, 1, 2)
    many = panels(percentiles(), 2.5, few=True)
    assert [round(PERCENTILES[row], 2) for row in many.rows] == [0.1, 0.3, 0.5, 0.7, 0.9]


def test_five_rows_of_quantiles_that_lie_at_one_end():
    q = np.array([0.5, 0.9, 0.95, 0.96, 0.97, 0.98, 0.99])
    found = replace(
        PAY,
        quantiles=q,
        published=np.linspace(10_000, 90_000, 7),
        give=np.ones(7),
        need=np.ones(7),
    )
    rows = panels(found, 2.5, few=True)
    assert rows.rows == (0, 2, 3, 4, 6)
    assert rows.labelled == (0, 2)  # the others lie too near to the second one
    assert panels(found, 2.5).gap == pytest.approx(0.01 / (1 - 0.02))


def test_many_rows_have_five_words():
    found = panels(percentiles(), 2.5)
    assert found.is_many
    assert len(found.rows) == 99
    assert [round(PERCENTILES[row], 2) for row in found.labelled] == [0.1, 0.3, 0.5, 0.7, 0.9]
    assert found.share == (0.0, 1.0)


def test_a_single_value_stands_in_the_middle():
    one = replace(
        PAY,
        quantiles=np.array([0.5]),
        published=np.array([45_300.0]),
        give=np.array([500.0]),
        need=np.array([906.0]),
    )
    found = panels(one, 2.5)
    assert found.view == (0, 101_000)
    assert (found.rows, found.middle, found.gap) == ((0,), 0, 1)


def test_values_that_run_together():
    same = replace(PAY, published=np.full(9, 45_300.0), give=np.full(9, 9e4))
    found = panels(same, 2.5)
    assert found.view[0] < 45_300 < found.view[1]
    blind = replace(PAY, give=np.full(9, math.inf), need=np.full(9, math.inf))
    assert panels(blind, 2.5).reach == 1


def test_an_axis_that_nearly_holds_the_bounds_holds_them():
    assert panels(MARKS, 2.5).view == (0, 100)
    assert not panels(MARKS, 2.5).is_cut
    low = replace(PAY, published=np.zeros(9))
    assert panels(low, 2.5).view == (0, 250_000)


def test_the_nearest_row():
    assert nearest(np.array([0.1, 0.45, 0.9]), 0.5) == 1


def test_a_median_before_it_is_published():
    assert headline(PAY, FILE) == "A median like :blue[45,300], give or take 500."
    halves = replace(PAY, give=np.full(9, 0.5), resolution=0.5)
    assert headline(halves, FILE).endswith(r"give or take 0\.5.")  # and no digit more
    thousands = replace(PAY, give=np.full(9, 1_234_500.0))
    assert headline(thousands, FILE).endswith("give or take 1,300,000.")
    other = replace(PAY, published=PAY.published + 111.0, give=np.full(9, 730.0))
    assert headline(other, FILE) == "A median like :blue[45,411], give or take 800."


def test_a_median_of_a_sample_and_of_a_release():
    assert headline(MARKS, EXAM) == (
        "Half of the students have at most :blue[59] marks, give or take 1."
    )
    one = replace(MARKS, published=np.array([0.0, 1, 2]), give=np.array([5.0, 4, 3]))
    assert headline(one, EXAM) == (
        "Half of the students have at most :blue[1] mark, give or take 4."
    )
    assert headline(RELEASED, FILE) == "Half earn at most :blue[45,300], give or take 500."
    old = replace(EXAM, at_most="are at most {} old", unit=Noun("year", "years"))
    assert headline(MARKS, old) == (
        "Half of the students are at most :blue[59] years old, give or take 1."
    )


@pytest.mark.parametrize(
    ("quantile", "before", "after"),
    [
        (0.25, "A first quartile like", "A quarter of the students have"),
        (0.75, "A third quartile like", "Three quarters of the students have"),
        (0.8, "An 80 % point like", "80 of 100 students have"),
        (0.11, "An 11 % point like", "11 of 100 students have"),
        (0.9, "A 90 % point like", "90 of 100 students have"),
        (0.999, r"A 99\.9 % point like", r"99\.9 of 100 students have"),
    ],
)
def test_without_a_median_the_middle_most_is_said(quantile, before, after):
    found = replace(
        MARKS,
        quantiles=np.array([quantile]),
        published=np.array([59.0]),
        give=np.array([1.0]),
        need=np.array([1.0]),
    )
    assert headline(found, replace(EXAM, is_sample=False)).startswith(before)
    assert headline(found, EXAM).startswith(after)


def test_second_lines():
    assert say(PAY, FILE).second() == (
        "Made-up pay: half below **45,000**, one in ten above **85,400** (from **national "
        "statistics**). Hollow: not published."
    )
    other = replace(FILE, stand_in=StandIn(33_000, 66_600, "a guess"))
    assert (
        say(PAY, other)
        .second()
        .startswith(
            "Made-up pay: half below **33,000**, one in ten above **66,600** (from **a guess**)."
        )
    )
    assert "made-up people" in say(PAY, replace(FILE, stand_in=None)).second()
    assert say(MARKS, EXAM).second() == (
        "One release as it could be, hollow until it is published, beside the truth in black."
    )
    assert say(replace(MARKS, truth=None), EXAM).second() == (
        "One release as it could be, hollow until it is published."
    )
    house = "Every number here may leave the house."
    nine = (
        f"{house} Widths: the wider of rehearsed and of publishing these nine anew, a quarter "
        "more, and half at both ends"
    )
    heaps = "too small where people lie in heaps or beside a gap"
    assert say(RELEASED, FILE).second() == f"{nine}; {heaps}."
    assert say(RELEASED, EXAM).second() == f"{nine}."
    alone = {
        name: getattr(RELEASED, name)[4:5] for name in ("quantiles", "published", "give", "need")
    }
    one = replace(RELEASED, **alone)
    assert say(one, FILE).second() == (
        f"{house} Width: as rehearsed, and half more; how densely people lie there is assumed."
    )
    assert say(one, EXAM).second() == f"{house} Width: as rehearsed, and half more."
    for found, names in ((PAY, FILE), (MARKS, EXAM), (RELEASED, FILE)):
        assert 0 < len(say(found, names).second(brief=True)) < 45


def test_the_picture_in_words():
    assert say(MARKS, EXAM).alt == (
        "Half of the students have at most 59 marks, give or take 1. Three quantiles, not "
        "published, 19 times of 20: 10 %: 32 ± 1; 50 %: 59 ± 1; 90 %: 82 ± 0."
    )
    assert "Nine deciles, published, 19 times of 20: 10 %: 24,100 ± 400;" in say(RELEASED, FILE).alt
    assert say(percentiles(), EXAM).alt.endswith("each with how far off it is, 19 times of 20.")


def test_nothing_true_is_said_while_it_is_hidden():
    hidden = replace(MARKS, truth=None)
    assert "true" not in repr(say(hidden, EXAM))
    shown = panels(hidden, 2.5)
    assert shown.errors is None
    assert texts(hidden, shown, EXAM).truths == ()


def test_words_of_the_panels():
    shown = replace(panels(TRUE, 2.5), enlarged=7.4, given=GIVE * 2)
    said = texts(TRUE, shown, FILE)
    assert (said.less, said.off) == ("How many of 100 earn less", "Off by at most, 19 of 20")
    assert said.shares == ("10", "20", "30", "40", "50", "60", "70", "80", "90")
    assert said.values[4] == "45,300"
    assert said.truths[4] == "45,250"
    assert said.offs[4] == "± 975"
    assert said.ticks[:2] == ("0", "20,000")
    assert (said.end, said.enlarged, said.need) == (
        "on to 250,000 ›",
        "7 times enlarged",
        "your need: 2 %",
    )
    assert said.made_up == "made-up pay"
    assert "45,250" not in repr(said)
    assert texts(TRUE, replace(shown, enlarged=1.2), FILE).enlarged == "on a scale of its own"
    long = texts(TRUE, shown, replace(FILE, need="2 % of the students", line="your ε"))
    assert (long.need, long.enlarged) == ("your ε: 2 % of the students", "")  # no room for both
    assert texts(MARKS, panels(MARKS, 2.5), EXAM).end == "100 marks"


def test_fewer_words_where_room_is_scarce():
    shown = panels(PAY, 2.5, few=True)
    said = texts(PAY, shown, FILE, "large")
    assert (said.less, said.off) == ("Of 100 people, earn less", "Off by")
    assert (said.end, said.enlarged, said.made_up) == ("", "", "")
    assert texts(PAY, shown, FILE, "small").less == "Of 100, earn less"
    assert texts(MARKS, panels(MARKS, 2.5), EXAM, "small").end == "100"
    old = replace(EXAM, at_most="are at most {} old")
    assert texts(MARKS, panels(MARKS, 2.5), old).less == "How many of 100 are below"


def test_texts_of_a_file_are_not_trusted():
    names = replace(FILE, made_up="<b>*pay*", need="<i>2 %")
    assert "\\*pay\\*" in say(PAY, names).second()
    said = texts(PAY, panels(PAY, 2.5), names)
    assert "<" not in said.made_up + said.need


def test_a_release_of_several_columns_says_a_number_of_each():
    bonus = replace(RELEASED, published=RELEASED.published / 10, give=GIVE / 5)
    two = of_columns({"pay": RELEASED, "bonus_*": bonus})
    assert two.headline() == (
        "Medians: pay :blue[45,300] ± 500 and bonus\\_\\* :blue[4,530] ± 100."
    )
    assert two.second() == (
        "Every number here may leave the house. Widths: the wider of rehearsed and of publishing "
        "these nine anew, a quarter more, and half at both ends; too small where people lie in "
        "heaps or beside a gap. The picture is of pay."
    )
    assert two.second(brief=True) == "The picture is of pay."
    assert two.alt == ("Medians: pay 45,300 ± 500 and bonus_* 4,530 ± 100. The picture is of pay.")
    first = replace(RELEASED, quantiles=np.asarray(DECILES) / 2)
    three = of_columns({"pay": first, "b": bonus, "c": RELEASED}).headline()
    assert three.startswith("45 % points: pay :blue[85,600] ± 1,300, b :blue[")
    assert three.count("±") == 3
    four = of_columns(dict.fromkeys(("a", "b", "c", "d"), RELEASED)).headline()
    assert four.endswith(", b :blue[45,300] ± 500 and two more columns.")
    assert " c " not in four
    said = in_each("A median like x.", 3)
    assert said() == "In each of three columns: a median like x."
    assert said(brief=True) == "In each: a median like x."
