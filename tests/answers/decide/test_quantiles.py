"""Quantiles as a form of the sentence: each number worked out anew, and what may go into it."""

from __future__ import annotations

import inspect
import itertools
import math
import re
import time
import typing
from dataclasses import fields, replace

import numpy as np
import pytest
from scipy.stats import beta

from dpviz.answers.decide import quantile_buys, quantiles
from dpviz.answers.decide.price import MOST, Need, price, two_digits
from dpviz.answers.decide.quantile_buys import (
    curve_column,
    curve_through,
    published_again,
    rehearsed,
    released,
)
from dpviz.answers.decide.quantiles import (
    QuantilesQuestion,
    Rehearsal,
    Sampled,
    by_spread,
    check,
    first,
    in_places,
    question,
    refused,
    rehearse,
)
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidData
from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES, QuantileSet
from dpviz.experiments.planning.beforehand import with_settings
from dpviz.experiments.planning.decide_curves import key_of, stored
from dpviz.experiments.planning.pooled_errors import SURES, UNITS, OffCurve
from dpviz.experiments.planning.shaped import Shape
from dpviz.intake.samples import sample_column
from dpviz.metrics.quantiles import true_quantiles

PURE = PureDP(1.0)
PAY = Shape("money", Bounds(0, 250_000), 100.0, 45_000, 85_400)
MARKS = Shape("mark", Bounds(0, 100), 1.0, 60, 83)
NINE, THREE, ONE = (QuantileSet.of(some) for some in (DECILES, QUARTILES, [0.5]))
EXAM = Sampled("exam", Bounds(0, 100), 1.0)
QUICK = ("ApproximateQuantiles", "AggTree")


def line_curve(*offs, step=0.0, people=1_000, checked=()):
    """A curve whose errors are the same in every unit and for every probability."""
    sizes = np.array([0.1, 0.2, 0.4, 0.8])
    lines = np.broadcast_to(np.array(offs, dtype=np.float64), (3, 5, 4))
    return OffCurve(sizes, lines, step, people, frozenset(checked))


def asked(**others):
    curves = {
        "ApproximateQuantiles": line_curve(9, 5, 2, 1.2),
        "AggTree": line_curve(8, 4.6, 1.9, 1.1),
        "JointExp": line_curve(6, 3, 1.5, 0.7),
    }
    plain = {"quantiles": THREE, "people": 1_000, "source": PAY, "budget": PURE, "curves": curves}
    return QuantilesQuestion(**(plain | others))


# the form


def test_each_quantile_is_asked_for_once_the_lowest_first():
    found = question(QuantileSet.of([0.9, 0.1, 0.5, 0.1]), 1_000, PAY, PURE)
    assert found.quantiles.asked.tolist() == found.quantiles.distinct.tolist() == [0.1, 0.5, 0.9]
    with pytest.raises(InvalidData, match="into 10,000,000,000,000,001 steps"):
        question(NINE, 1_000, replace(EXAM, bounds=Bounds(0, 1e16), resolution=1.0), PURE)


def test_a_form_says_how_far_off_a_method_is():
    form = asked()
    for size in (0.1, 0.17, 0.55):
        offs = {0.1: 9, 0.2: 5, 0.4: 2, 0.8: 1.2}
        low = max(one for one in offs if one <= size)
        high = min(one for one in offs if one >= size)
        share = 0 if low == high else math.log(size / low) / math.log(high / low)
        expected = offs[low] ** (1 - share) * offs[high] ** share
        assert form.off("ApproximateQuantiles", size, Need(2, "value")) == pytest.approx(expected)
        share_off = form.off("ApproximateQuantiles", size, Need(2, "share"))
        least = math.ceil(expected / 0.1 - 1 - 1e-9) * 0.1  # whole places of 1,000 people
        assert share_off == pytest.approx(least)
        places = form.off("ApproximateQuantiles", size, Need(2, "places"))
        assert places == round(least * 10)
    assert form.off("IndependentExp", 1.0, Need(2, "value")) == math.inf


def test_a_price_comes_of_any_curves():
    found = price(asked(), Need(2, "value"))
    sizes = {one.key: one.size for one in found.ways}
    for way, (above, below, low, high) in {
        "ApproximateQuantiles": (5, 2, 0.2, 0.4),
        "AggTree": (4.6, 1.9, 0.2, 0.4),
        "JointExp": (3, 1.5, 0.2, 0.4),
    }.items():
        crossed = low * (high / low) ** (math.log(above / 2) / math.log(above / below))
        assert sizes[way] == min(one for one in two_digits() if one >= crossed - 1e-9)
    assert found.chosen.key == "JointExp"
    assert sizes["IndependentExp"] is None


def test_the_simplest_method_comes_first():
    assert asked().ways == ("ApproximateQuantiles", "IndependentExp", "AggTree", "JointExp")
    for some in (PERCENTILES, [0.5]):
        assert "JointExp" not in asked(quantiles=QuantileSet.of(some)).ways
    large = asked(people=20_001, budget=ApproxDP(1.0, 1e-6))
    assert "JointExp" not in large.ways
    assert "JointExp" in replace(large, people=20_000).ways
    assert "JointExp" not in asked(only_exact=True).ways
    assert "PrefixQuantiles" in asked(budget=ZCDP(0.1)).ways
    assert "SliceQuantiles" in asked(budget=ApproxDP(1.0, 1e-6)).ways


def test_a_price_is_about_until_its_very_size_was_measured():
    form = asked()
    found = first(form, Need(2, "value"))
    assert found.is_about
    at = found.size
    curves = dict(form.curves)
    curves["JointExp"] = line_curve(6, 3, 1.5, 0.7, checked=[at])
    assert not first(replace(form, curves=curves), Need(2, "value")).is_about
    curves["JointExp"] = line_curve(6, 3, 1.5, 0.7, checked=[at + 0.01])
    assert first(replace(form, curves=curves), Need(2, "value")).is_about
    given = first(form, Need(2, "value"), 0.4)
    assert given.is_given
    assert given.need.amount == pytest.approx(1.5)


# nothing of a file


def test_nothing_of_a_file_can_go_into_an_answer():
    """No argument takes a column; a sample is named by its key, which a file has not."""
    for function in (question, first, check, rehearse, in_places, by_spread, refused):
        hints = typing.get_type_hints(function)
        assert hints
        for name in inspect.signature(function).parameters:
            assert "Column" not in str(hints[name]), (function.__name__, name)
            assert "ndarray" not in str(hints[name])
    kinds = typing.get_type_hints(QuantilesQuestion)
    assert kinds.keys() == {field.name for field in fields(QuantilesQuestion)}
    assert not [name for name, kind in kinds.items() if re.search("Column|ndarray", str(kind))]
    assert set(typing.get_type_hints(Sampled).values()) == {str, Bounds, float, int}


def test_an_answer_is_a_function_of_what_is_public():
    asks = [question(THREE, 300, MARKS, PURE) for _ in range(2)]
    assert asks[0].seed == asks[1].seed
    found = [rehearse(one, first(one, Need(3, "unit"))) for one in asks]
    assert found[0].published.tolist() == found[1].published.tolist()
    assert found[0].give.tolist() == found[1].give.tolist()
    others = [
        question(NINE, 300, MARKS, PURE),
        question(THREE, 301, MARKS, PURE),
        question(THREE, 300, replace(MARKS, half=61), PURE),
        question(THREE, 300, MARKS, ZCDP(0.5)),
        question(THREE, 300, MARKS, PURE, Neighbours.REPLACE_ONE),
        question(THREE, 300, EXAM, PURE),
    ]
    assert len({tuple(one.seed) for one in [asks[0], *others]}) == 7
    resized = question(THREE, 300, MARKS, PureDP(7.0))
    assert resized.seed == asks[0].seed


def test_a_question_prints_nothing_but_what_is_declared():
    text = repr(question(THREE, 300, EXAM, PURE))
    assert "people=300" in text
    assert "array" not in text


# the first answer


def test_the_first_answer_comes_at_once():
    stored()
    begin = time.perf_counter()
    form = question(NINE, 5_000, PAY, PURE)
    found = first(form, Need(2, "value"))
    assert time.perf_counter() - begin < 0.5  # 5 ms on a machine that does nothing else
    assert found.is_about
    assert found.size == pytest.approx(0.385, rel=0.12)
    by_key = {one.key: one.size for one in found.ways}
    assert by_key["ApproximateQuantiles"] == pytest.approx(0.54, rel=0.12)
    assert by_key["AggTree"] == pytest.approx(0.869, rel=0.12)


def test_an_exact_number_of_people_takes_more():
    plain, exact = (question(NINE, 5_000, PAY, PURE, neighbours) for neighbours in Neighbours)
    ratios = {way: exact.curves[way].sizes[0] / plain.curves[way].sizes[0] for way in plain.curves}
    assert ratios["AggTree"] == 2
    assert ratios["JointExp"] == pytest.approx(1 / 0.9)
    assert 1 < ratios["ApproximateQuantiles"] <= 2
    assert 1 < ratios["IndependentExp"] <= 2


@pytest.mark.parametrize("budget", [ZCDP(0.5), ApproxDP(1.0, 1e-6)])
def test_other_notions_have_no_first_number(budget):
    form = question(NINE, 5_000, PAY, budget)
    assert form.curves == {}
    assert first(form, Need(2, "value")).size is None


def test_the_exam_is_checked_beforehand():
    found = first(question(NINE, 6_000, EXAM, PURE), Need(1, "unit"))
    assert not found.is_about
    by_key = {one.key: one.size for one in found.ways}
    assert found.chosen.key == "JointExp"
    assert by_key["JointExp"] == pytest.approx(0.21, abs=0.011)  # 3,200 releases: 95.3 %
    assert by_key["AggTree"] == pytest.approx(0.23, abs=0.011)  # 8,000 releases: 95.4 %
    assert by_key["ApproximateQuantiles"] == pytest.approx(0.31, abs=0.021)
    wider = replace(EXAM, bounds=Bounds(0, 200))
    assert first(question(NINE, 6_000, wider, PURE), Need(1, "unit")).is_about


# the check


def fresh_rate(source, people, way, size, need, quantiles_=THREE, *, columns=250, budget=PURE):
    """How many of fresh releases keep a need: other columns, other random numbers, by loops."""
    mechanism = with_settings(Neighbours.ADD_REMOVE, budget, None, None)[way]
    generator, kept = np.random.default_rng(99), 0
    for column in source.columns(generator, people, columns):
        spent = budget.resized(size)
        drawn = mechanism.release_many(column, quantiles_, spent, generator, 1)[0]
        truth = true_quantiles(column, quantiles_)
        worst = 0.0
        for published, true in zip(drawn.tolist(), truth.tolist(), strict=True):
            off = abs(published - true)
            worst = max(worst, 100 * off / true if need.unit == "value" else off)
        kept += worst <= need.amount
    return kept, columns


def at_most(kept, columns):
    """The largest rate that may well give so few (one in a million)."""
    return float(beta.ppf(1 - 1e-6, kept + 1, columns - kept)) if kept < columns else 1.0


def at_least(kept, columns):
    return float(beta.ppf(1e-6, kept, columns - kept + 1)) if kept else 0.0


@pytest.fixture(scope="module")
def checked_marks():
    told = []
    need = Need(4, "unit")
    form = question(THREE, 400, MARKS, PURE)
    return form, need, check(form, need, progress=told.append), told


@pytest.mark.law
def test_a_checked_answer_keeps_its_need_and_half_of_it_does_not(checked_marks):
    _, need, found, _ = checked_marks
    assert not found.price.is_about
    way, size = found.price.chosen.key, found.price.size
    kept, columns = fresh_rate(MARKS, 400, way, size, need)
    assert at_least(kept, columns) < 0.95 < at_most(kept, columns)
    kept, columns = fresh_rate(MARKS, 400, way, size / 2, need)
    assert at_most(kept, columns) < 0.93


def surely(errors, sure=0.95):
    """What other columns are off by as often as sure, 19 times of 20: by loops over columns."""
    off = errors.tolist()
    limit = sorted(off)[math.ceil(sure * 800) - 1]
    each = [sum(one <= limit for one in off[at : at + 4]) / 4 for at in range(0, 800, 4)]
    mean = sum(each) / 200
    error = math.sqrt(sum((one - mean) ** 2 for one in each) / 199 / 200)
    return sorted(off)[math.ceil((sure + 1.645 * error) * 800) - 1]


@pytest.mark.law
def test_a_check_measures_what_it_says(checked_marks):
    form, need, found, told = checked_marks
    bench = quantiles._Bench(form)
    assert len(bench.columns) * bench.releases == 800
    errors = bench.measure(found.price.chosen.key, found.price.size)
    worst = sorted(errors.unit.tolist())[math.ceil(0.95 * 800) - 1]
    assert worst == found.rehearsal.off
    assert worst <= found.price.off == surely(errors.unit) <= need.amount
    each = [sorted(line)[math.ceil(0.95 * 800) - 1] for line in errors.each.T.tolist()]
    assert found.rehearsal.give.tolist() == each
    assert found.rehearsal.published.tolist() == errors.drawn[0].tolist()
    assert in_places(found.question, found.price) == surely(errors.places)
    smaller = max(one for one in two_digits() if one * 1.04 <= found.price.size)
    measured = found.question.curves[found.price.chosen.key].checked
    assert any(smaller <= one < found.price.size for one in measured)
    for one in measured:  # each was measured, and no smaller one keeps the need
        off = surely(bench.measure(found.price.chosen.key, one).unit)
        assert (off <= need.amount) == (one >= found.price.size)
    assert told == sorted(told)
    assert told[-1] == 1.0


class Measures:
    """A bench on which errors are a function of the size alone; it keeps the sizes asked for."""

    def __init__(self, off):
        self.asked, self.off, self.sizes = asked(), off, []

    def measure(self, _, size, *, rough):
        self.sizes.append(size)
        found = np.full((3, 5), self.off(size))
        return type("Found", (), {"table": lambda *_: found})()


def test_a_check_looks_below_its_answer():
    """Errors that hardly fall beyond the answer pull a line between two sizes far above it."""

    def off(size):
        return 2 * (0.23 / size) ** (3 if size < 0.23 else 0.02)

    bench = Measures(off)
    known = np.array([0.0725, 0.13, 0.27, 0.5])
    lines = np.broadcast_to([off(one) for one in known.tolist()], (3, 5, 4))
    curve = OffCurve(known, lines, 0.0, 1_000)
    need = Need(2, "value")
    assert quantiles._least(asked(), "AggTree", curve, need) == 0.27
    found = quantiles._settled(bench, "AggTree", curve, need, None)
    assert quantiles._least(asked(), "AggTree", found, need) == 0.23
    assert 0.22 in bench.sizes
    assert found.checked == set(bench.sizes)
    assert len(bench.sizes) <= 8


@pytest.mark.parametrize("at", [0.041, 0.058, 0.092, 0.1, 0.25])
@pytest.mark.parametrize("kept", [1.999, 1.2, 0.01])
def test_a_check_finds_the_size_at_which_errors_jump(at, kept):
    """People with one value are missed together: lines through a jump go on by small steps."""
    bench = Measures(lambda size: kept if size >= at else 2.0001)
    sizes = np.array([0.03, 0.1, 3.0])
    curve = OffCurve(sizes, np.broadcast_to(0.2 / sizes, (3, 5, 3)), 0.0, 1_000)
    found = quantiles._settled(bench, "AggTree", curve, Need(2, "value"), None)
    assert quantiles._least(asked(), "AggTree", found, Need(2, "value")) == at
    assert at in bench.sizes
    assert found.checked == set(bench.sizes)
    assert len(bench.sizes) < quantiles.STEPS


@pytest.mark.law
def test_a_check_can_be_ended(checked_marks):
    class Ended(Exception):
        pass

    def end(share):
        raise Ended

    form, need, _, _ = checked_marks
    with pytest.raises(Ended):
        check(form, need, progress=end)


@pytest.mark.law
def test_a_check_that_cannot_settle_ends_with_about(monkeypatch):
    """Steps that run out before the last answer was measured: it is said with "about"."""
    monkeypatch.setattr(quantiles, "COLUMNS", 20)
    form, need = question(THREE, 400, MARKS, PURE), Need(4, "unit")
    assert not check(form, need).price.is_about
    monkeypatch.setattr(quantiles, "STEPS", 1)
    monkeypatch.setattr(quantiles, "LOOKS", 1)
    moved = {way: replace(one, smooth=3 * one.smooth) for way, one in form.curves.items()}
    found = check(replace(form, curves=moved), need)
    assert found.price.is_about
    assert found.price.size not in found.question.curves[found.price.chosen.key].checked
    assert found.rehearsal is not None


@pytest.mark.law
def test_a_check_begins_without_a_stored_curve(monkeypatch):
    monkeypatch.setattr(quantiles, "COLUMNS", 80)
    form = replace(question(ONE, 200, MARKS, ZCDP(0.5)), only_exact=True)
    assert not form.curves
    found = check(form, Need(5, "unit"))
    assert not found.price.is_about
    kept, columns = fresh_rate(
        MARKS, 200, found.price.chosen.key, found.price.size, Need(5, "unit"), ONE,
        budget=ZCDP(1.0),
    )  # fmt: skip
    assert at_least(kept, columns) < 0.95 < at_most(kept, columns)


@pytest.mark.law
def test_a_typed_size_is_checked_itself():
    form = question(ONE, 400, MARKS, PURE)
    found = check(form, Need(1, "unit"), 0.37)
    assert found.price.is_given
    assert not found.price.is_about
    assert found.price.size == 0.37
    errors = quantiles._Bench(form).measure(found.price.chosen.key, 0.37)
    assert found.price.need.amount == surely(errors.unit)
    assert surely(errors.unit) >= sorted(errors.unit.tolist())[math.ceil(0.95 * 800) - 1]


@pytest.mark.law
def test_what_nothing_keeps_has_no_answer():
    form = question(NINE, 9, MARKS, PURE, only_exact=True)
    assert first(form, Need(0.5, "unit")).is_about
    found = check(form, Need(0.5, "unit"))
    assert found.price.size is found.rehearsal is None
    assert not found.price.is_about
    assert in_places(found.question, found.price) is None
    form = asked(curves={way: line_curve(900, 800, 700, 600) for way in QUICK})
    none = first(form, Need(2, "value"))
    assert none.size is None
    assert rehearse(form, none) is None
    assert by_spread(form, none) == (None, None)


@pytest.mark.law
def test_many_people_are_measured_as_fewer_with_more_budget():
    at = quantiles.drawn_at
    assert at(question(NINE, 20_000, PAY, PURE)) == (20_000, 1.0, 200)
    assert at(question(NINE, 1_000_000, PAY, PURE)) == (20_000, 50.0, 200)
    assert at(question(NINE, 1_000_000, PAY, ZCDP(0.5))) == (20_000, 2_500.0, 200)
    assert at(question(NINE, 100_000, PAY, ApproxDP(1.0, 1e-6))) == (100_000, 1.0, 40)
    assert at(question(NINE, 10**15, PAY, ApproxDP(1.0, 1e-6))) == (200_000, 5e9, 20)
    assert at(question(NINE, 10**15, EXAM, PURE)) == (20_000, 5e10, 200)
    bench, small = (quantiles._Bench(question(THREE, n, PAY, PURE), 40) for n in (40_000, 20_000))
    bench.columns, bench.releasing = small.columns, small.releasing
    large, fewer = bench.measure("AggTree", 0.05), small.measure("AggTree", 0.1)
    assert large.each.tolist() == fewer.each.tolist()


def test_the_truth_of_a_sample_does_not_move_its_answer():
    """The switch is no argument: the same question, whether the truth is shown or not."""
    form = question(THREE, 6_000, EXAM, PURE)
    found = first(form, Need(1, "unit"))
    rehearsal = rehearse(form, found)
    shown = rehearsed(form, found, rehearsal, sample_column("exam"))
    hidden = rehearsed(form, found, rehearsal)
    assert shown.published.tolist() == hidden.published.tolist()
    assert shown.give.tolist() == hidden.give.tolist()
    assert (hidden.truth, hidden.curve_x, hidden.curve_share) == (None, None, None)
    assert not hidden.is_true_curve


# beside the answer


def test_the_answers_for_other_spreads():
    form = question(NINE, 5_000, PAY, PURE)
    found = first(form, Need(2, "value"))
    way, sizes = found.chosen.key, []
    for factor in (0.7, 1.4):
        other = question(NINE, 5_000, PAY.widened(factor), PURE)
        kept = (one for one in two_digits() if other.off(way, one, Need(2, "value")) <= 2)
        sizes.append(next(kept))
    for size in (found.size, 0.39, 0.78):
        more = size / math.sqrt(sizes[0] * sizes[1])
        up = [min(one for one in two_digits() if one >= more * own - 1e-9) for own in sizes]
        assert by_spread(form, replace(found, size=size)) == tuple(up)
    equal, unequal = by_spread(form, replace(found, size=0.385))
    assert equal == pytest.approx(0.273, rel=0.08)
    assert unequal == pytest.approx(0.562, rel=0.08)
    assert by_spread(form, replace(found, size=9.0))[1] is None
    exam = question(NINE, 6_000, EXAM, PURE)
    assert by_spread(exam, first(exam, Need(1, "unit"))) == (None, None)


def test_which_needs_are_refused():
    spent = Shape("spending", Bounds(0, 5_000), 1.0, 35, 175)
    said = refused(Need(49.9, "unit"), PAY, NINE)
    assert said == "Values are 100 apart: ask for 50 or more."
    assert refused(Need(0.2, "unit"), Shape("stars", Bounds(0.5, 5), 0.5), NINE) == (
        "Values are 0.5 apart: ask for 0.25 or more."
    )
    for amount in (0, 50, 1_000):
        assert refused(Need(amount, "unit"), PAY, NINE) == ""
    assert refused(Need(2, "value"), PAY, NINE) == ""
    assert "is 0 for the made-up people" in refused(Need(2, "value"), spent, NINE)
    assert refused(Need(2, "value"), spent, QuantileSet.of([0.5])) == ""
    assert "as low as -9" in refused(Need(2, "value"), Shape("flat", Bounds(-9, 9)), NINE)
    assert refused(Need(2, "share"), Shape("flat", Bounds(-9, 9)), NINE) == ""


# what it buys


VALUES = np.array([24_000.0, 45_000.0, 62_000.0])
REHEARSAL = Rehearsal(VALUES, np.array([300.0, 500.0, 700.0]), 1.8, 1_000)


def test_what_a_budget_buys_before_a_release():
    form = asked()
    found = first(form, Need(2, "value"))
    buys = rehearsed(form, found, REHEARSAL)
    assert buys.quantiles.tolist() == [0.25, 0.5, 0.75]
    assert buys.published.tolist() == VALUES.tolist()
    assert buys.give.tolist() == [300, 500, 700]
    assert buys.need == pytest.approx([480, 900, 1_240])
    assert buys.truth is None
    assert (buys.is_published, buys.is_true_curve) == (False, False)
    assert (buys.bounds, buys.resolution) == (PAY.bounds, 100)
    for x, share in zip(buys.curve_x, buys.curve_share, strict=True):
        assert PAY.below(np.array([x]))[0] == pytest.approx(share)
    assert buys.curve_share.tolist() == pytest.approx([one / 100 for one in range(1, 100)])


def slow_curve(values, qs, x):
    """The value at a share, along straight lines, the last ratio continued at both ends."""
    d_low, d_high = qs[1] - qs[0], qs[-1] - qs[-2]
    low = values[0] * (values[0] / values[1]) ** (qs[0] / d_low)
    high = values[-1] * (values[-1] / values[-2]) ** ((1 - qs[-1]) / d_high)
    knots = [(0.0, low), *zip(qs, values, strict=True), (1.0, high)]
    if x <= 0:
        return low
    for (q0, v0), (q1, v1) in itertools.pairwise(knots):
        if x <= q1:
            return v0 + (v1 - v0) * (x - q0) / (q1 - q0)
    return high


@pytest.mark.parametrize(
    ("need", "share"),
    [(Need(3, "share"), 0.03), (Need(40, "places"), 0.04), (Need(60, "share"), 0.6)],
)
def test_a_need_in_people_as_widths_of_values(need, share):
    form, qs = asked(), [0.25, 0.5, 0.75]
    buys = rehearsed(form, replace(first(form, need), need=need), REHEARSAL)
    for value, q, width in zip(VALUES, qs, buys.need, strict=True):
        up = slow_curve(VALUES.tolist(), qs, min(q + share, 1.0)) - value
        down = value - slow_curve(VALUES.tolist(), qs, q - share)
        assert width == pytest.approx(max(up, down))


def test_a_need_in_the_unit_and_of_a_single_quantile():
    form = asked()
    found = first(form, Need(2, "value"))
    same = rehearsed(form, replace(found, need=Need(700, "unit")), REHEARSAL)
    assert same.need.tolist() == [700, 700, 700]
    alone = asked(quantiles=ONE)
    one = Rehearsal(np.array([45_300.0]), np.array([500.0]), 1.1, 1_000)
    buys = rehearsed(alone, replace(found, need=Need(5, "share")), one)
    expected = PAY.at(np.array([0.55]))[0] - 45_000
    assert buys.need == pytest.approx([expected])
    sampled = question(ONE, 6_000, EXAM, PURE)
    buys = rehearsed(sampled, replace(found, need=Need(60, "places")), one)
    marks = np.sort(sample_column("exam").values)
    far = max(marks[3_060] - marks[3_000], marks[3_000] - marks[2_939])
    assert buys.need.tolist() == [far]


def test_the_truth_of_a_sample_while_it_is_shown():
    form = question(THREE, 6_000, EXAM, PURE)
    found = first(form, Need(1, "unit"))
    rehearsal = replace(REHEARSAL, published=np.array([45.0, 59.0, 71.0]))
    buys = rehearsed(form, found, rehearsal, sample_column("exam"))
    marks = sorted(sample_column("exam").values.tolist())
    assert buys.truth.tolist() == [marks[1_500], marks[3_000], marks[4_500]]
    assert buys.is_true_curve
    for x, share in zip(buys.curve_x, buys.curve_share, strict=True):
        assert share == pytest.approx(sum(mark <= x for mark in marks) / 6_000)
    assert buys.curve_share[-1] == 1
    assert "array" not in repr(buys)
    many = Column.from_values(np.arange(5_000.0), Bounds(0, 5_000))
    drawn = quantile_buys._true_curve(many)
    assert drawn[0].size == quantile_buys.MOST_STEPS
    assert drawn[0][[0, -1]].tolist() == [0, 4_999]


def test_a_curve_goes_on_beyond_a_release():
    shares, knots = curve_through(VALUES, THREE.distinct, Bounds(0, 1e6))
    assert shares.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert knots[0] == pytest.approx(24_000 * 24 / 45)
    assert knots[-1] == pytest.approx(62_000 * 62 / 45)
    assert curve_through(VALUES, THREE.distinct, Bounds(20_000, 70_000))[1][[0, -1]].tolist() == [
        20_000, 70_000,
    ]  # fmt: skip
    falling = curve_through(np.array([-4.0, 0.0, 3.0]), THREE.distinct, Bounds(-9, 9))[1]
    assert falling[[0, -1]].tolist() == [-8, 6]
    people = curve_column(VALUES, asked(), 8)
    expected = [
        100 * round(slow_curve(VALUES.tolist(), [0.25, 0.5, 0.75], (i + 0.5) / 8) / 100)
        for i in range(8)
    ]
    assert people.values.tolist() == expected


def a_release(form, seed=3):
    column = PAY.columns(np.random.default_rng(seed), 1_000, 1)[0]
    mechanism = with_settings(Neighbours.ADD_REMOVE, PURE, None, None)["ApproximateQuantiles"]
    asked_for = form.quantiles.asked[::-1]
    return column, mechanism.release(column, asked_for, PureDP(0.9), np.random.default_rng(seed))


def test_after_a_release_each_value_has_the_wider_of_two_widths_and_more():
    form = asked(curves={"ApproximateQuantiles": line_curve(9, 5, 2, 1.2)})
    found = first(form, Need(2, "value"))
    column, release = a_release(form, 8)
    again = published_again(form, found, release)
    narrow = released(form, found, replace(REHEARSAL, give=np.full(3, 1.0)), release, column)
    wide = released(form, found, replace(REHEARSAL, give=np.full(3, 9e4)), release)
    values = release.values[::-1].tolist()
    assert narrow.buys.published.tolist() == values
    assert narrow.buys.is_published
    assert narrow.buys.is_true_curve
    assert narrow.buys.truth.tolist() == true_quantiles(column, THREE).tolist()
    assert narrow.buys.need == pytest.approx([0.02 * one for one in values])
    order = math.ceil(0.95 * quantile_buys.AGAIN) - 1
    widths, came, factor = slow_again(form, values)
    assert again.widths.tolist() == widths
    more = zip((150, 125, 150), widths, strict=True)  # per cent, then in whole steps of 100
    assert narrow.buys.give.tolist() == [100 * -(-share * one // 10_000) for share, one in more]
    assert factor > 1
    assert wide.buys.give.tolist() == [135_000, 112_500, 135_000]
    assert (wide.buys.truth, wide.buys.curve_x, wide.buys.curve_share) == (None, None, None)
    assert narrow.came == wide.came == came == sorted(again.errors.value.tolist())[order]


def slow_again(form, values):
    """Widths, what came, and how many times wider they are: by a loop over curves and releases."""
    mechanism = with_settings(Neighbours.ADD_REMOVE, PURE, None, None)["ApproximateQuantiles"]
    first_rng, second_rng = np.random.default_rng(form.seed).spawn(2)
    true = true_quantiles(curve_column(np.array(values), form, 1_000), THREE).tolist()

    def again(people, generator, count):
        own = generator.spawn(1)[0]
        return mechanism.release_many(people, THREE, PureDP(0.9), own, count).tolist()

    def ordered(numbers):
        return sorted(numbers)[math.ceil(0.95 * len(numbers) - 1e-9) - 1]

    drawn = again(curve_column(np.array(values), form, 1_000), first_rng, quantile_buys.AGAIN)
    off = [[abs(v - t) for v, t in zip(row, true, strict=True)] for row in drawn]
    half = [ordered([row[at] for row in off]) for at in range(3)]
    missed = []
    for row, generator in zip(drawn, second_rng.spawn(quantile_buys.SECOND), strict=False):
        people = curve_column(np.array(row), form, 1_000)
        own_true = true_quantiles(people, THREE).tolist()
        twice = again(people, generator, quantile_buys.EACH)
        for at in range(3):
            own = ordered([abs(one[at] - own_true[at]) for one in twice])
            missed.append(abs(row[at] - true[at]) / max(own, 100))
    factor = max(1.0, ordered(missed))
    widths = [100 * max(math.ceil(factor * one / 100 - 1e-9), 1) for one in half]
    worst = [max(100 * o / t for o, t in zip(row, true, strict=True)) for row in off]
    return widths, ordered(worst), factor


def test_no_curve_goes_through_a_single_value():
    form = asked(quantiles=ONE, curves={"ApproximateQuantiles": line_curve(9, 5, 2, 1.2)})
    found = first(form, Need(2, "value"))
    _, release = a_release(form)
    alone = replace(REHEARSAL, published=VALUES[:1], give=np.array([400.0]))
    after = released(form, found, alone, release)
    assert after.came is None
    assert after.buys.give.tolist() == [600]


def test_units_and_probabilities_are_those_of_needs():
    assert set(UNITS) == {"value", "unit", "share"}
    assert 0.95 in SURES
    assert key_of("money", 0.5, 5_000) in stored()["families"]
    assert MOST == 10
