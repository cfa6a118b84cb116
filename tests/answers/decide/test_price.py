"""What a need costs and what a budget buys, beside a loop over every size that there is."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from decimal import Decimal

import numpy as np
import pytest

from dpviz.answers.decide.price import (
    LEAST,
    LEVEL,
    MOST,
    Need,
    Price,
    Way,
    bought,
    needed,
    ordered,
    price,
    two_digits,
)
from dpviz.core.budgets import ZCDP, ApproxDP, PureDP

NEED = Need(2.0, "value", 0.9)


@dataclass(frozen=True)
class Known:
    """A form whose methods are off by a known number over the size, or by a known function."""

    offs: dict
    budget: object = PureDP(1)
    asked: list = field(default_factory=list)

    @property
    def ways(self):
        return tuple(self.offs)

    def off(self, way, size, need):
        self.asked.append((way, size, need))
        known = self.offs[way]
        return known(size) if callable(known) else known / size


def every_size():
    """All sizes of two digits, counted up in decimals."""
    found, power = [], Decimal("0.00001")
    while power < Decimal(1):
        found += [power * head for head in range(10, 100)]
        power *= 10
    return [float(one) for one in [*found, Decimal(10)]]


def slow_needed(off, amount):
    for size in every_size():
        if off(size) <= amount:
            return size
    return None


def stairs(generator):
    """A function that never grows, of a few steps at some sizes; it may begin infinite."""
    steps = sorted(generator.choice(every_size(), generator.integers(0, 7)).tolist())
    values = sorted((generator.uniform(0.1, 9) for _ in range(len(steps) + 1)), reverse=True)
    if generator.random() < 0.3:
        values[0] = math.inf
    return lambda size: values[sum(size >= step for step in steps)]


# sizes


def test_all_sizes_of_two_digits():
    sizes = two_digits()
    assert list(sizes) == every_size()
    assert (sizes[0], sizes[-1]) == (LEAST, MOST) == (0.0001, 10.0)
    assert all(f"{size:.2g}" == f"{size:.15g}" or float(f"{size:.2g}") == size for size in sizes)
    assert len(set(sizes)) == len(sizes) == 451


@pytest.mark.few(12, 24)
@pytest.mark.parametrize("seed", range(60))
def test_the_least_size_is_that_of_a_loop(seed):
    generator = np.random.default_rng(seed)
    off = stairs(generator)
    for amount in (generator.uniform(0, 9), off(MOST), off(LEAST), off(0.37)):
        assert needed(off, amount) == slow_needed(off, amount)


def test_sizes_at_the_ends():
    assert needed(lambda _: 1.0, 1.0) == LEAST
    assert needed(lambda size: 0.0 if size >= MOST else 1.0, 0.5) == MOST
    assert needed(lambda _: 1.0, 0.999) is None
    assert needed(lambda _: math.inf, 5.0) is None
    assert needed(lambda _: math.nan, 5.0) is None
    assert needed(lambda _: 0.0, 0.0) == LEAST


def test_a_size_is_rounded_up_so_that_it_keeps_the_need():
    assert needed(lambda size: 1 / size, 4.0) == 0.25
    assert needed(lambda size: 1 / size, 3.99) == 0.26
    assert needed(lambda size: 1 / size, 4.01) == 0.25


# the order of methods


@pytest.mark.parametrize(
    ("sizes", "order"),
    [
        ([0.25, 0.5, 0.9], "abc"),
        ([0.9, 0.5, 0.25], "cba"),
        ([0.27, 0.25], "ab"),  # 8 % more: level, so the simplest
        ([0.28, 0.25], "ba"),
        ([0.54, 0.55, 0.5], "acb"),
        ([0.9, 0.53, 0.52, 0.5], "bdca"),
        ([None, 0.5, None, 0.2], "dbac"),
        ([None, 0.5], "ba"),
        ([None, None], "ab"),
        ([0.3], "a"),
        ([None], "a"),
    ],
)
def test_the_simplest_of_those_level_comes_first_then_by_size(sizes, order):
    ways = [Way(key, size) for key, size in zip("abcd", sizes, strict=False)]
    assert "".join(one.key for one in ordered(ways)) == order
    assert set(ordered(ways)) == set(ways)


def exactly_level(one, best):
    return Decimal(str(one)) <= Decimal("1.08") * Decimal(str(best))


def test_the_border_of_level_is_8_per_cent_for_every_pair_of_sizes():
    assert LEVEL == 1.08
    sizes = [one for one in every_size() if 0.1 <= one <= 1]
    for best in sizes:
        for other in sizes:
            found = ordered([Way("simple", other), Way("best", best)])
            assert (found[0].key == "simple") is exactly_level(other, best)
    for best, other in ((0.25, 0.27), (0.5, 0.54), (0.75, 0.81), (2.5, 2.7)):
        assert ordered([Way("simple", other), Way("best", best)])[0].key == "simple"


def made(*sizes, **others):
    ways = tuple(Way(key, size) for key, size in zip("abcdef", sizes, strict=False))
    return replace(Price(ways, NEED, sizes[0], 1.9), **others)


def test_what_is_level_and_what_comes_next():
    found = made(0.25, 0.27, 0.2, 0.28, 0.9, None)
    assert found.chosen == Way("a", 0.25)
    assert [one.key for one in found.level] == ["b", "c"]
    assert found.runner_up == Way("d", 0.28)
    alone = made(0.25)
    assert (alone.level, alone.runner_up) == ((), None)
    without = made(0.25, None, None)
    assert (without.level, without.runner_up) == ((), None)
    nothing = made(None, None)
    assert (nothing.level, nothing.runner_up, nothing.size) == ((), None, None)


# from a need to a budget


def slow_price(form, need):
    """The chosen method, and what each needs, by loops alone."""
    sizes = {way: slow_needed(lambda size, way=way: form.off(way, size, need), need.amount)
             for way in form.ways}  # fmt: skip
    kept = {way: size for way, size in sizes.items() if size is not None}
    if not kept:
        return None, sizes
    best = min(kept.values())
    return next(way for way in form.ways if way in kept and exactly_level(kept[way], best)), sizes


@pytest.mark.parametrize("seed", range(25))
def test_a_price_is_that_of_a_loop(seed):
    generator = np.random.default_rng(1_000 + seed)
    form = Known({key: stairs(generator) for key in "abcd"})
    need = Need(generator.uniform(0.5, 8), "unit", 0.8)
    found = price(form, need)
    chosen, sizes = slow_price(form, need)
    assert found.need == need
    assert {one.key: one.size for one in found.ways} == sizes
    assert (found.is_about, found.is_given) == (False, False)
    if chosen is None:
        assert (found.size, found.off) == (None, None)
        assert [one.key for one in found.ways] == list(form.ways)
        return
    assert found.chosen == Way(chosen, sizes[chosen])
    assert found.size == sizes[chosen]
    assert found.off == form.off(chosen, found.size, need)
    assert found.off <= need.amount
    rest = [one.size for one in found.ways[1:]]
    assert rest == sorted(rest, key=lambda one: math.inf if one is None else one)


def test_a_price_asks_for_the_very_need():
    form = Known({"a": 1.0, "b": 0.5})
    assert price(form, NEED).size == 0.25
    assert {need for _, _, need in form.asked} == {NEED}
    assert {way for way, _, _ in form.asked} == {"a", "b"}


def test_a_method_that_cannot_answer_is_never_chosen():
    form = Known({"a": lambda _: math.inf, "b": 3.0})
    found = price(form, NEED)
    assert found.ways == (Way("b", 1.5), Way("a", None))
    assert found.off == 2.0
    late = Known({"a": lambda size: math.inf if size < 5 else 0.0, "b": 3.0})
    assert price(late, NEED).ways == (Way("b", 1.5), Way("a", 5.0))


def test_what_no_budget_keeps_has_no_price():
    found = price(Known({"a": 21.0, "b": 200.0}), NEED)
    assert (found.size, found.off) == (None, None)
    assert found.ways == (Way("a", None), Way("b", None))
    just = price(Known({"a": 20.0, "b": 200.0}), NEED)
    assert (just.size, just.off) == (MOST, 2.0)


# from a budget to a need


@pytest.mark.parametrize("seed", range(25))
def test_what_a_budget_buys_is_what_a_loop_finds(seed):
    generator = np.random.default_rng(2_000 + seed)
    form = Known({key: stairs(generator) for key in "abcd"})
    size = float(generator.choice([0.0123, 0.37, 2.0, MOST]))
    offs = {way: form.off(way, size, NEED) for way in form.ways}
    if math.isinf(min(offs.values())):
        return
    first = next(way for way in form.ways if offs[way] <= 1.08 * min(offs.values()))
    found = bought(form, size, NEED)
    assert found.chosen == Way(first, size)
    assert found.size == size
    assert found.off == found.need.amount == offs[first]
    assert (found.need.unit, found.need.sure) == (NEED.unit, NEED.sure)
    assert (found.is_given, found.is_about) == (True, False)
    others = {one.key: one.size for one in found.ways[1:]}
    assert others == {
        way: slow_needed(lambda size, way=way: form.off(way, size, NEED), offs[first])
        for way in form.ways
        if way != first
    }


def test_the_other_methods_come_by_what_they_need():
    """One may be less off at the size and need more to be as exact as the chosen one."""
    form = Known(
        {
            "best": 1.0,
            "flat": lambda size: 1.1 if size < 9 else 0.5,
            "steep": lambda size: 1.5 if size < 2 else 0.5,
        }
    )
    found = bought(form, 1.0, NEED)
    assert found.ways == (Way("best", 1.0), Way("steep", 2.0), Way("flat", 9.0))
    assert found.runner_up == Way("steep", 2.0)


def test_the_simplest_of_those_about_as_exact_is_bought():
    assert bought(Known({"a": 1.08, "b": 1.0}), 1.0, NEED).chosen.key == "a"
    assert bought(Known({"a": 1.09, "b": 1.0}), 1.0, NEED).chosen.key == "b"
    exact = bought(Known({"a": 0.5, "b": 0.0}), 1.0, NEED)
    assert (exact.chosen.key, exact.off) == ("b", 0.0)


def test_what_is_bought_costs_no_more_than_was_given():
    form = Known({"a": 1.5, "b": 1.0})
    for size in (0.01, 0.25, 3.0):
        given = bought(form, size, NEED)
        again = price(form, given.need)
        assert again.size == size
        assert again.chosen.key == given.chosen.key


@pytest.mark.parametrize("need", [NEED, Need(7.0, "people", 0.5)])
def test_the_amount_of_a_need_does_not_change_what_is_bought(need):
    form = Known({"a": 1.0, "b": 2.0})
    assert bought(form, 0.5, need) == bought(form, 0.5, replace(need, amount=99.0))


# notions


@pytest.mark.parametrize("budget", [PureDP(3), ApproxDP(3, 1e-6), ZCDP(3)])
def test_a_budget_of_another_size_is_of_the_same_notion(budget):
    found = budget.resized(0.25)
    assert type(found) is type(budget)
    assert found.size == 0.25
    assert (
        found.to_dict()
        == {
            PureDP: {"notion": "pure", "epsilon": 0.25},
            ApproxDP: {"notion": "approximate", "epsilon": 0.25, "delta": 1e-6},
            ZCDP: {"notion": "zcdp", "rho": 0.25},
        }[type(budget)]
    )
    assert budget.size == 3
    form = Known({"a": 1.0}, budget)
    assert price(form, NEED) == price(replace(form, budget=budget.resized(0.1)), NEED)


def test_nothing_is_asked_twice_as_often_as_needed():
    """A check of one size may take a second: a search halves, it does not walk."""
    form = Known({"a": 1.0, "b": 2.0})
    price(form, NEED)
    asked = defaultdict(int)
    for way, _, _ in form.asked:
        asked[way] += 1
    assert max(asked.values()) <= 12
