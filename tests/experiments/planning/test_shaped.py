"""Columns shaped by two public numbers, the errors pooled over them, and the stored curves."""

import bisect
import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import get_type_hints

import numpy as np
import pytest
from scipy.special import erf
from scipy.stats import lognorm, norm

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.quantiles import DECILES, PERCENTILES, QuantileSet
from dpviz.experiments.planning import decide_curves
from dpviz.experiments.planning.beforehand import PURE, planned
from dpviz.experiments.planning.pooled_errors import (
    MOST,
    SURES,
    UNITS,
    OffCurve,
    measured,
    smooth,
    steps,
    unit_of,
)
from dpviz.experiments.planning.shaped import BY_KIND, LAWS, STARS, ZEROS, Shape, usual
from dpviz.version import __version__
from scripts import decide_curves as script
from tests.rows import by_rows
from tests.statistics import can_tell, fits

PAY = Shape("money", Bounds(0, 250_000), 100.0, 45_000, 85_400)
MARKS = Shape("mark", Bounds(0, 100), 1.0, 60, 83)
SPENT = Shape("spending", Bounds(0, 5_000), 1.0, 35, 175)
STARRED = Shape("stars", Bounds(1, 5), 1.0)
FLAT = Shape("flat", Bounds(-20, 30), 0.0)
SHAPES = (PAY, MARKS, SPENT, STARRED, FLAT)
QUARTERS = QuantileSet.of([0.25, 0.5, 0.75])


def rng(seed=7):
    return np.random.default_rng(seed)


# the law


def bell(x):
    return 0.5 * (1 + erf(x / math.sqrt(2)))


def ninth_decile():
    """Of the bell, by bisection."""
    return bisect_root(lambda x: bell(x) - 0.9, 0, 5)


def bisect_root(rising, low, high):
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def share_below(shape, x):
    """The slow twin: the share of the people with at most x, before rounding, from the bell."""
    low, high = shape.bounds.low, shape.bounds.high
    if not low <= x < high:
        return float(x >= high)
    if shape.law == "flat":
        return (x - low) / (high - low)
    if shape.law == "stars":
        place = (x - (low - 0.5)) / (high - low + 1) * 5
        return sum(STARS[: int(place)]) + (place - int(place)) * STARS[min(int(place), 4)]
    if shape.law == "mark":
        return bell((x - shape.half) / ((shape.tenth - shape.half) / ninth_decile()))
    if x <= 0:
        return ZEROS if shape.law == "spending" else 0.0
    nothing = ZEROS if shape.law == "spending" else 0.0
    middle = bisect_root(lambda z: nothing + (1 - nothing) * bell(z) - 0.5, -6, 6)
    upper = bisect_root(lambda z: nothing + (1 - nothing) * bell(z) - 0.9, -6, 6)
    sigma = math.log(shape.tenth / shape.half) / (upper - middle)
    return nothing + (1 - nothing) * bell(middle + math.log(x / shape.half) / sigma)


@pytest.mark.few(2)
@pytest.mark.law
@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.law)
def test_a_column_is_its_law_turned_round_cut_and_rounded(shape):
    people, columns = 5, 2
    drawn = shape.draw(rng(), people, columns)
    uniform = rng().random((columns, people))
    assert drawn.shape == (columns, people)
    for own, shares in zip(drawn, uniform, strict=True):
        for value, share in zip(own, shares, strict=True):
            low, high = shape.bounds.low - 1, shape.bounds.high + 1
            at = bisect_root(lambda x, share=share: share_below(shape, x) - share, low, high)
            at = min(max(at, shape.bounds.low), shape.bounds.high)
            if shape.resolution:
                at = float(round(Fraction(at) / Fraction(shape.resolution))) * shape.resolution
            assert value == pytest.approx(at, abs=1e-6 * shape.bounds.width)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda one: one.law)
def test_shares_and_values_turn_into_each_other(shape):
    inside = np.linspace(shape.bounds.low, shape.bounds.high, 53)[1:-1]
    expected = [share_below(shape, x) for x in inside]
    np.testing.assert_allclose(shape.below(inside), expected, atol=1e-9)
    shares = np.linspace(ZEROS + 0.01, 0.92, 30)
    at = shape.at(shares)
    free = (at > shape.bounds.low) & (at < shape.bounds.high)
    assert free.sum() > 15
    np.testing.assert_allclose(shape.below(at[free]), shares[free], atol=1e-9)
    assert (np.diff(at) >= 0).all()
    assert shape.below(np.array([shape.bounds.low - 1, shape.bounds.high])).tolist() == [0, 1]


@pytest.mark.parametrize("shape", [PAY, MARKS, SPENT], ids=lambda one: one.law)
def test_half_lie_below_the_one_number_and_a_tenth_above_the_other(shape):
    assert shape.below(np.array([shape.half]))[0] == pytest.approx(0.5, abs=1e-12)
    assert shape.below(np.array([shape.tenth]))[0] == pytest.approx(0.9, abs=1e-12)
    assert shape.at(np.array([0.5, 0.9])) == pytest.approx([shape.half, shape.tenth])


def test_pay_is_log_normal_with_a_spread_of_a_half_and_no_other():
    pay = Shape("money", Bounds(0, 1e9), 0.0, 45_000, 85_400)
    sample = pay.draw(rng(), 20_000, 1)[0]
    right = lognorm(0.5, scale=45_000)
    assert pay.spread == pytest.approx(0.5, rel=1e-3)
    assert fits(sample, right, comparisons=3)
    for wrong in (lognorm(0.4, scale=45_000), lognorm(0.5, scale=50_000)):
        assert can_tell(20_000, right, wrong, comparisons=3)
        assert not fits(sample, wrong, comparisons=3)


def test_marks_are_a_bell_that_is_cut_at_the_bounds():
    marks = Shape("mark", Bounds(0, 100), 0.0, 60, 60 + 18 * norm.ppf(0.9))
    drawn = marks.draw(rng(), 100_000, 1)[0]
    assert marks.spread == pytest.approx(0.18)
    assert drawn.max() == 100
    for end, sign in ((0, 1), (100, -1)):
        expected = norm.cdf(sign * (end - 60) / 18)
        assert np.mean(drawn == end) == pytest.approx(expected, abs=5e-3)
    inside = drawn[(drawn > 0) & (drawn < 100)]
    assert inside.mean() == pytest.approx(60, abs=1)


def test_spending_has_zeros_and_stars_five_shares():
    spent = SPENT.draw(rng(), 100_000, 1)[0]
    assert np.mean(spent == 0) == pytest.approx(ZEROS, abs=0.01)
    stars = STARRED.draw(rng(), 100_000, 1)[0]
    shares = [np.mean(stars == one) for one in range(1, 6)]
    assert shares == pytest.approx(STARS, abs=0.01)


def test_a_wider_shape_has_the_same_middle():
    for shape in (PAY, MARKS, SPENT):
        wider = shape.widened(1.25)
        assert wider.spread == pytest.approx(1.25 * shape.spread)
        assert wider.half == shape.half
    assert PAY.widened(0.7).tenth == pytest.approx(45_000 * (85_400 / 45_000) ** 0.7)
    assert MARKS.widened(9).tenth == 100  # no wider than the bounds
    assert FLAT.widened(3) is FLAT
    assert (PAY.scale, MARKS.scale, FLAT.scale) == (45_000, 100, 50)


@by_rows(
    ("asked", "said"),
    [
        (("pay", PAY.bounds, 100), "There is no law 'pay'. Choose one of money, mark, spending"),
        (("flat", PAY.bounds, 100, 3, 4), "The law 'flat' takes no numbers"),
        (("money", PAY.bounds, 100), "half"),
        (("money", PAY.bounds, 100, 0, 10), "values lie between 0 and 250,000"),
        (("money", PAY.bounds, 100, 300_000, 310_000), "Half below 300,000 does not fit"),
        (("money", PAY.bounds, 100, 45_000, 45_000), "One in ten above 45,000 does not fit"),
        (("money", PAY.bounds, 100, 45_000, 250_001), "no value lies above 250,000"),
        (("money", Bounds(-9, 9), 1, -1, 4), "amounts are positive"),
        (("mark", MARKS.bounds, 1, math.nan, 4), "must be finite"),
        (("mark", MARKS.bounds, 1, "a", 4), "half"),
        (("mark", None, 1, 3, 4), "bounds"),
    ],
)
def test_a_shape_that_cannot_be_is_refused_in_words(asked, said):
    with pytest.raises(InvalidParameter, match=said):
        Shape(*asked)


def test_draws_have_a_limit():
    for people, columns in ((0, 1), (1, 0), (40_000_001, 1), (20_000_001, 2)):
        with pytest.raises(InvalidParameter):
            PAY.draw(rng(), people, columns)


def test_the_numbers_to_begin_with_are_public_and_fit_the_bounds():
    assert usual("money", Bounds(0, 250_000), 100) == (PAY, "national statistics")
    guessed, source = usual("money", Bounds(0, 50_000), 100)
    assert source == "a guess"
    assert (guessed.half, guessed.tenth) == pytest.approx((9_000, 17_080))
    grades, source = usual("mark", Bounds(0, 20), 0.5)
    assert (grades.half, grades.tenth, source) == (12, pytest.approx(16.6), "a guess")
    assert usual("money", Bounds(-9e5, -5), 1)[0].law == "flat"
    assert usual("stars", Bounds(1, 5), 1) == (STARRED, "")
    assert set(BY_KIND.values()) <= set(LAWS)
    assert set(get_type_hints(Shape).values()) == {str, Bounds, float, float | None}


# errors


def releases_of(mechanism, *asked):
    """Four of one spread where each has tables of its own."""
    joint = getattr(mechanism, "release_alike", None)
    return mechanism.release_many(*asked) if joint is None else joint(*asked, 4)


def slow_errors(columns, quantiles, mechanism, budget, seed, releases):
    """Every release's largest errors, by loops."""
    own = rng(seed).spawn(len(columns))
    found = {unit: [] for unit in ("value", "unit", "places", "each")}
    for column, generator in zip(columns, own, strict=True):
        drawn = releases_of(mechanism, column, quantiles, budget, generator, releases)
        records = np.repeat(*[one.tolist() for one in _steps(column)]).tolist()
        for release in drawn.tolist():
            value = unit = places = 0.0
            each = []
            for q, published in zip(quantiles.distinct.tolist(), release, strict=True):
                rank = math.floor(q * len(records) + 1e-9)
                true = records[min(rank, len(records) - 1)]
                off = abs(published - true)
                each.append(off)
                unit = max(unit, off)
                value = max(value, 0 if off == 0 else 100 * off / abs(true) if true else math.inf)
                half = 0.499 * column.resolution
                before = bisect.bisect_left(records, published - half)
                up_to = bisect.bisect_right(records, published + half)
                places = max(places, before - rank, rank - up_to)
            found["value"].append(value)
            found["unit"].append(unit)
            found["places"].append(places)
            found["each"].append(each)
    return found


def _steps(column):
    values, up_to = column.steps
    return values, np.diff(up_to, prepend=0)


@pytest.mark.parametrize("shape", [PAY, SPENT, STARRED], ids=lambda one: one.law)
@pytest.mark.parametrize("way", ["ApproximateQuantiles", "AggTree", "JointExp"])
def test_errors_are_the_largest_of_each_release(shape, way):
    columns = shape.columns(rng(3), 90, 3)
    method, budget = planned()[way], PureDP(0.8)
    found = measured(columns, QUARTERS, method, budget, rng(5), 4)
    slow = slow_errors(columns, QUARTERS, method, budget, 5, 4)
    assert len(slow["value"]) == 12
    for name, own in slow.items():
        np.testing.assert_allclose(getattr(found, name), own, rtol=1e-9, err_msg=name)
    again = releases_of(method, columns[1], QUARTERS, budget, rng(5).spawn(3)[1], 4)
    assert found.drawn[4:8].tolist() == again.tolist()
    table = found.table()
    for sure, place in zip(SURES, range(5), strict=True):
        for unit, row, step in (("unit", 1, shape.resolution), ("places", 2, 1.0)):
            factor = 100 / 90 if unit == "places" else 1.0
            order = sorted(slow[unit])[math.ceil(sure * 12 - 1e-9) - 1]
            assert steps(table[row, place] / factor, step) == pytest.approx(order)
        order = sorted(slow["value"])[math.ceil(sure * 12 - 1e-9) - 1]
        assert table[0, place] == pytest.approx(order)
        wide = [
            sorted(line)[math.ceil(sure * 12 - 1e-9) - 1]
            for line in zip(*slow["each"], strict=True)
        ]
        assert found.widths(sure).tolist() == wide


def test_half_the_noise_would_be_seen():
    """The wrong twin: an answer on twice the budget errs by clearly less."""
    columns = PAY.columns(rng(3), 400, 20)
    right, half = (
        measured(columns, QUARTERS, planned()["ApproximateQuantiles"], PureDP(one), rng(5), 4)
        for one in (0.5, 1.0)
    )
    assert (half.table()[:, 3] < 0.75 * right.table()[:, 3]).all()


def test_what_some_columns_keep_is_lowered_by_their_luck():
    """Releases of a column hang together: a quantile at the edge of the zeros is missed by all."""
    columns = SPENT.columns(rng(3), 300, 60)
    found = measured(columns, QUARTERS, planned()["ApproximateQuantiles"], PureDP(0.8), rng(5), 4)
    for sure in (0.8, 0.9, 0.95):
        for unit in ("value", "unit", "places"):
            off = getattr(found, unit).tolist()
            limit = sorted(off)[math.ceil(sure * 240 - 1e-9) - 1]
            each = [sum(one <= limit for one in off[at : at + 4]) / 4 for at in range(0, 240, 4)]
            mean = sum(each) / 60
            error = math.sqrt(sum((one - mean) ** 2 for one in each) / 59 / 60)
            raised = sure + 1.5 * error
            assert found._raised(np.array(off), sure, 1.5) == pytest.approx(min(raised, 1.0))
    table, lucky = found.table(), found.table(1.5)
    for at, sure in enumerate(SURES):
        raised = found._raised(found.value, sure, 1.5)
        order = sorted(found.value.tolist())[min(math.ceil(raised * 240 - 1e-9), 240) - 1]
        assert lucky[0, at] == order
    assert (lucky >= table).all()
    assert (lucky[1:, 2] > table[1:, 2]).all()
    assert found.table(0.0).tolist() == table.tolist()
    alone = measured(columns[:1], QUARTERS, planned()["AggTree"], PureDP(0.8), rng(5), 40)
    assert alone.table(1.5).tolist() == alone.table().tolist()  # there is no other column
    together = replace(found, unit=np.repeat(found.unit[::4], 4))  # all of a column, or none
    apart = replace(together, unit=np.tile(found.unit[::4], 4))
    together, apart = (one._raised(one.unit, 0.9, 1.0) - 0.9 for one in (together, apart))
    assert together > 1.3 * apart > 0


def test_errors_move_with_the_budget_alone():
    columns, state = PAY.columns(rng(3), 200, 4), rng(5)
    first, second = (
        measured(columns, QUARTERS, planned()["AggTree"], PURE, state, 3) for _ in range(2)
    )
    assert first.each.tolist() == second.each.tolist()
    with pytest.raises(InvalidParameter, match="at least one column"):
        measured([], QUARTERS, planned()["AggTree"], PURE, state, 3)


@by_rows("step", [1.0, 0.1, 250.0])
@by_rows("sure", [0.5, 0.9, 0.95, 0.99])
def test_a_smooth_error_stands_for_whole_steps(step, sure):
    drawn = rng(2)
    for size in (1, 7, 40, 800):
        counts = drawn.geometric(drawn.uniform(0.05, 0.9), size) - 1
        errors = counts * step
        smoothed = smooth(errors, step, sure)
        least = next(k for k in range(99_999) if np.mean(counts <= k) >= sure - 1e-12)
        assert steps(smoothed, step) == pytest.approx(least * step)
        beyond = max(sum(counts > least - 1), 0.5) / size
        after = max(sum(counts > least), 0.5) / size
        wanted = max(1 - sure, 0.5 / size)
        share = math.log(beyond / wanted) / math.log(beyond / after)
        assert smoothed == pytest.approx(step * (least + min(max(share, 1e-7), 1)))
    assert smooth(np.array([1.0, 5.0, 3.0]), 0.0, 0.5) == 3.0
    assert smooth(np.array([1.0, math.inf]), step, 0.99) == math.inf
    beyond = 1e17  # where a double has no room for half a step
    assert smooth(np.full(9, beyond), step, sure) == pytest.approx(beyond)
    assert steps(math.inf, step) == math.inf


# curves


def a_curve(step=0.0, people=1_000):
    sizes = np.array([0.1, 0.2, 0.4])
    line = np.array([8.0, 5.0, 1.0])
    smoothed = np.stack([np.stack([factor * line * unit for factor in (1, 2, 3, 4, 5)])
                         for unit in (1, 10, 0.1)])  # fmt: skip
    return OffCurve(sizes, smoothed, step, people)


def test_a_curve_is_read_between_its_sizes_on_log_scales():
    curve = a_curve()
    for size in (0.1, 0.13, 0.2, 0.33, 0.4):
        for place, sure in enumerate(SURES):
            low, high, above, below = (0.1, 0.2, 8.0, 5.0) if size < 0.2 else (0.2, 0.4, 5.0, 1.0)
            share = math.log(size / low) / math.log(high / low)
            expected = (place + 1) * above * (below / above) ** share
            assert curve.at("value", sure, size) == pytest.approx(expected)
            assert curve.at("unit", sure, size) == pytest.approx(10 * expected)
            places = math.ceil(100 * expected / 10 / 10 - 1 - 1e-9) * 10  # of 1,000 people: .1 %
            assert 100 * curve.at("share", sure, size) == pytest.approx(places, abs=10.1)
    assert curve.at("value", 0.95, 0.09) == math.inf
    assert curve.at("value", 0.95, 0.8) == pytest.approx(2.0)  # as 1 / size
    assert curve.at("value", 0.93, 0.4) == curve.at("value", 0.95, 0.4)
    assert curve.at("value", 0.999, 0.4) == math.inf


def test_a_curve_never_grows():
    bumpy = OffCurve(
        np.array([0.1, 0.2, 0.4]), np.broadcast_to([5.0, 2.0, 3.0], (3, 5, 3)), 0.0, 100
    )
    assert bumpy.at("value", 0.95, 0.2) == 3.0
    sizes = np.geomspace(0.1, 10, 200)
    for unit in UNITS:
        read = [bumpy.at(unit, 0.95, float(one)) for one in sizes]
        assert (np.diff(read) <= 0).all()


def test_a_corrected_curve_says_what_was_measured():
    curve = a_curve()
    exact = {0.15: 3 * np.ones((3, 5)), 0.3: np.ones((3, 5))}
    found = curve.corrected(exact, frozenset([0.3]))
    assert found.checked == {0.3}
    for size, table in exact.items():
        assert found.at("value", 0.95, size) == pytest.approx(table[0, 3])
    factor = 3 / curve.at("value", 0.95, 0.15)
    assert found.at("value", 0.95, 0.1) == pytest.approx(factor * 32)
    last = 1 / curve.at("value", 0.95, 0.3)
    assert found.at("value", 0.95, 0.4) == pytest.approx(last * 4)
    infinite = OffCurve(curve.sizes, np.full((3, 5, 3), math.inf), 0.0, 100)
    assert infinite.at("value", 0.95, 0.2) == math.inf
    assert MOST > 1e6


def test_units():
    assert [unit_of(one) for one in ("value", "unit", "share", "places")] == [*UNITS, "share"]
    with pytest.raises(InvalidParameter, match="not by 'people'"):
        unit_of("people")


# what is stored


def test_the_stored_curves_are_of_this_version_and_small():
    assert decide_curves.stored()["version"] == __version__, "python -m scripts.decide_curves"
    assert script.FILE.stat().st_size < 300_000
    keys = {script.key_of(*one) for one in script.families()}
    assert set(decide_curves.stored()["families"]) == keys


@pytest.mark.law
def test_a_part_that_is_measured_again_comes_out_the_same():
    content = json.loads(script.FILE.read_text(encoding="utf-8"))
    key, question = script.CHECKED
    kept = content["families"][key][question]
    kept["AggTree"][3] = kept["AggTree"][2]
    assert script.changed(content) == [f"{key}, {question}, AggTree"]  # and no other


@pytest.mark.parametrize("law", list(LAWS))
def test_a_stored_family_is_found_as_it_is(law):
    spread, people = decide_curves.SPREADS[law][0], decide_curves.SIZES[1]
    shape = decide_curves.family_shape(law, spread)
    assert shape.spread == pytest.approx(spread)
    found = decide_curves.family_curves(shape, people, QuantileSet.of(DECILES))
    key = decide_curves.key_of(law, spread, people)
    kept = decide_curves.stored()["families"][key]["deciles"]
    assert set(found) == set(kept)
    for way, texts in kept.items():
        curve = found[way]
        np.testing.assert_allclose(curve.sizes * people, 100 * 2.0 ** np.arange(9))
        lines = [decide_curves.unpacked(text, 9) for text in texts]
        scale = {"value": 100, "unit": shape.scale, "share": 100}
        for row, unit in enumerate(UNITS):
            for place in range(len(SURES)):
                line = np.nan_to_num(lines[row * len(SURES) + place], nan=MOST)
                kept_line = np.where(line >= MOST, MOST, scale[unit] * line)
                own = np.minimum(curve.smooth[row, place], MOST)
                np.testing.assert_allclose(own, np.minimum(kept_line, MOST), rtol=1e-6, atol=1e-3)


def test_a_packed_curve_stands_for_the_same_steps():
    drawn = rng(4)
    sizes = np.geomspace(0.01, 1, 60)
    just = np.concatenate([[2.9999, 3.0001, 2.0, 1.00001], 1 + 9 * drawn.random(56)])
    smoothed = np.stack([np.tile(just, (5, 1)) * one for one in (1.0, 2.0, 0.1)])
    curve = OffCurve(sizes, smoothed, 2.0, 1_000)
    texts = decide_curves.packed_lines(curve, 50.0, keeps_steps=True)
    assert len(texts) == 15
    back = np.array([decide_curves.unpacked(text, 60) for text in texts]).reshape(3, 5, 60)
    back *= np.array([100.0, 50.0, 100.0])[:, None, None]
    np.testing.assert_allclose(back, smoothed, rtol=0.0031)
    assert (back[0] >= smoothed[0] * (1 - 1e-9)).all()  # rounded up
    for row, step in ((1, 2.0), (2, 0.1)):
        for new, old in zip(back[row, 0].tolist(), smoothed[row, 0].tolist(), strict=True):
            assert steps(new, step) == pytest.approx(steps(old, step))


def test_curves_lie_between_those_beside_them():
    quantiles = QuantileSet.of(DECILES)

    def off(spread, people, way="ApproximateQuantiles"):
        shape = decide_curves.family_shape("money", spread)
        curve = decide_curves.family_curves(shape, people, quantiles)[way]
        return curve.at("value", 0.95, 2_000 / people)

    middle = math.sqrt(1_500 * 5_000)
    share = math.log(0.42 / 0.35) / math.log(0.5 / 0.35)
    expected = off(0.35, 5_000) ** (1 - share) * off(0.5, 5_000) ** share
    assert off(0.42, 5_000) == pytest.approx(expected, rel=1e-3)
    assert off(0.5, round(middle)) == pytest.approx(
        math.sqrt(off(0.5, 1_500) * off(0.5, 5_000)), rel=1e-2
    )
    assert off(0.5, 1_000_000) == pytest.approx(off(0.5, 20_000))
    assert off(0.5, 1_000) == pytest.approx(off(0.5, 1_500))


def test_where_there_is_no_first_number():
    quantiles = QuantileSet.of(DECILES)
    few = decide_curves.family_curves
    assert few(PAY, 149, quantiles) == {}
    assert few(PAY, 150, quantiles)
    for spread, is_known in ((0.17, False), (0.18, True), (1.39, True), (1.41, False)):
        tenth = 45_000 * math.exp(spread * norm.ppf(0.9))
        shape = Shape("money", Bounds(0, 1e7), 100.0, 45_000, tenth)
        assert bool(few(shape, 5_000, quantiles)) == is_known
    assert few(PAY, 5_000, QuantileSet.of([0.97])) == {}
    assert decide_curves.question_like(QuantileSet.of([0.4])) == "median"
    assert decide_curves.question_like(QuantileSet.of([0.1, 0.5, 0.9])) is None
    assert decide_curves.question_like(QuantileSet.of([0.2, 0.5, 0.8])) == "quartiles"
    assert decide_curves.question_like(QuantileSet.of(PERCENTILES)) == "percentiles"
    other = few(Shape("stars", Bounds(1, 9), 1.0), 5_000, quantiles)["AggTree"]
    assert other.at("unit", 0.95, 1.0) == math.inf
    assert other.at("share", 0.95, 1.0) < 100


def test_steps_of_another_size_are_told_apart():
    quantiles = QuantileSet.of(DECILES)
    fine, coarse = (
        decide_curves.family_curves(Shape("flat", Bounds(0, 100), step), 5_000, quantiles)
        ["AggTree"].smooth[1]
        for step in (0.0, 2.0)
    )  # fmt: skip
    np.testing.assert_allclose(coarse, fine + 0.7 * 2.0)


def test_a_column_is_public_only_because_it_is_made_up():
    assert all(isinstance(one, Column) for one in PAY.columns(rng(), 9, 2))
    assert "array" not in repr(measured(PAY.columns(rng(), 9, 2), QUARTERS, planned()["AggTree"],
                                        PURE, rng(), 2))  # fmt: skip
