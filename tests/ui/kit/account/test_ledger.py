"""The account of a visit adds budgets up, pays nothing twice, and converts nothing."""

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from dpviz.core.budgets import ZCDP, ApproxDP, PureDP, compose
from dpviz.experiments.planning.smallest_epsilon import RANGE, crossing, most_tried
from dpviz.experiments.privacy.averaging import optimal_epsilon
from dpviz.ui.kit.account.ledger import Account, Balance, Cost, Total, at_least, at_most
from tests.rows import by_rows


def paid(*costs):
    account = Account()
    for number, cost in enumerate(costs):
        account.pay(b"%d" % number, [cost])
    return account


def test_nothing_is_paid_at_first():
    assert Account().total == Total()
    assert str(Account().total) == "nothing"
    assert Account().lines() == []


def test_the_same_release_is_paid_once_and_another_again():
    account = Account()
    cost = Cost("AQ", PureDP(0.1))
    for _ in range(2):
        account.pay(b"one", [cost])
        assert account.total == Total(epsilon=0.1)
    account.pay(b"two", [cost])
    assert account.entries == (cost, cost)
    assert account.lines() == [Cost("AQ", PureDP(0.1), 2)]
    assert account.total == Total(epsilon=0.2)


def test_more_of_the_same_is_paid_up_to_the_larger_number():
    account = Account()
    for times, paid_now in ((5, 5), (8, 8), (2, 8)):
        account.pay(b"one", [Cost("AQ", PureDP(1), times)])
        assert account.total.epsilon == paid_now


def test_equal_costs_of_one_release_add_up():
    account = Account()
    account.pay(b"one", [Cost("both", PureDP(1), 3), Cost("both", PureDP(1), 4)])
    assert account.total.epsilon == 7


def test_every_run_pays():
    assert paid(Cost("averaging", PureDP(0.1), 1_000)).total.epsilon == pytest.approx(100)


def test_epsilon_and_delta_add_up():
    total = paid(Cost("a", ApproxDP(0.5, 1e-6), 3), Cost("b", PureDP(0.25))).total
    assert total == Total(epsilon=1.75, delta=3e-6)
    assert str(total) == "ε = 1.75, δ = 3e-06"


def test_all_in_rho_adds_up_in_rho():
    total = paid(Cost("a", ZCDP(0.5), 2), Cost("b", ZCDP(0.25))).total
    assert total == Total(rho=1.25)
    assert str(total) == "ρ = 1.25"


def test_mixed_notions_stand_side_by_side():
    total = paid(Cost("a", ZCDP(0.5)), Cost("b", PureDP(2)), Cost("c", ApproxDP(1, 1e-5))).total
    assert total == Total(3.0, 1e-5, 0.5)
    assert str(total) == "ε = 3, δ = 1e-05 and ρ = 0.5"


@given(some.lists(some.floats(1e-6, 1e3), min_size=1, max_size=20))
def test_one_notion_adds_up_as_composition_does(sizes):
    account = paid(*(Cost("a", PureDP(size)) for size in sizes))
    assert account.total.epsilon == compose([PureDP(size) for size in sizes]).size


def slow_ceiling(value, digits=3):
    """The least number of so many digits that is not below a value but for dust: by search."""
    exact = Fraction(value) * (1 - Fraction(1, 10**15))
    unit = Fraction(10) ** (math.floor(math.log10(value)) - digits - 2)
    while exact / unit > 10**digits:
        unit *= 10
    return math.ceil(exact / unit) * unit


@given(some.floats(1e-12, 1e12))
@example(0.1 + 0.2)
@example(999.5)
@example(2.45519e6)
def test_a_number_has_three_digits_and_never_says_less(value):
    text = at_most(value).replace(",", "")
    assert Fraction(Decimal(text)) == slow_ceiling(value)
    assert len(text.split("e")[0].replace(".", "").strip("0")) <= 3
    assert Fraction(Decimal(text)) <= Fraction(value) * Fraction(101, 100)
    assert str(Total(epsilon=value)) == f"ε = {at_most(value)}"
    down = Fraction(Decimal(at_least(value).replace(",", "")))
    assert down <= Fraction(value) * (1 + Fraction(1, 10**15))
    assert down >= Fraction(value) * Fraction(99, 100)


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [(0.1 + 0.2, "0.3", "0.3"), (0.1234, "0.124", "0.123"), (46_872, "46,900", "46,800"),
     (2.45519e6, "2,460,000", "2,450,000"), (3e-6, "3e-06", "3e-06"), (0, "0", "0"),
     (999.1, "1,000", "999")],
)  # fmt: skip
def test_numbers_as_a_person_reads_them(value, up, down):
    assert (at_most(value), at_least(value)) == (up, down)


def test_what_is_simulated_is_counted_and_not_added_up():
    account = paid(
        Cost("tree", PureDP(0.1)),
        *(Cost("trials", PureDP(size), 10, simulated=True) for size in (0.1, 1, 10)),
        Cost("tree", PureDP(0.1), 1, simulated=True),
    )
    assert account.total == Total(0.1)  # twin: 111.2 with the runs
    assert math.fsum(one.budget.size * one.times for one in account.entries) == 111.2
    assert account.simulated == 31
    assert [str(one) for one in account.lines()] == [
        "tree: 1 × ε = 0.1",
        "trials: simulated 30 releases; nothing published",
        "tree: simulated 1 release; nothing published",
    ]


def test_a_line_says_its_budget_in_three_digits_rounded_up():
    assert str(Cost("AQ", ApproxDP(0.12345, 1e-6), 40_000)) == "AQ: 40,000 × ε = 0.124, δ = 1e-06"


COSTS = some.builds(
    Cost,
    some.sampled_from(["AQ", "tree"]),
    some.one_of(
        some.builds(PureDP, some.floats(1e-3, 10)),
        some.builds(ApproxDP, some.floats(1e-3, 10), some.floats(1e-9, 1e-3)),
        some.builds(ZCDP, some.floats(1e-3, 10)),
    ),
    some.integers(1, 50),
    some.booleans(),
    some.sampled_from(["", "user", "visit"]),
    some.booleans(),
)


def slow_total(costs, *, replaced=False):
    """Every release apart, added as fractions; a replaced record is one removed and one added."""
    found = {"epsilon": Fraction(0), "delta": Fraction(0), "rho": Fraction(0)}
    for one in costs:
        if one.simulated or (one.replaced and not replaced):
            continue
        twice = replaced and not one.replaced
        for _ in range(one.times):
            for name in found:
                part = Fraction(getattr(one.budget, name, 0))
                if twice and name == "delta":
                    part *= 1 + Fraction(math.exp(getattr(one.budget, "epsilon", 0)))
                elif twice:
                    part *= 4 if name == "rho" else 2
                found[name] += part
    return Total(*(float(part) for part in found.values()))


def near(total):
    return [pytest.approx(part, rel=1e-14) for part in (total.epsilon, total.delta, total.rho)]


SOME = some.lists(COSTS, max_size=6)


@pytest.mark.law
@given(SOME, SOME, some.lists(COSTS, max_size=2), some.booleans())
def test_rows_and_people_add_up_for_those_with_one_row_under_the_relation_in_use(
    rows, people, more, replaced
):
    one = Balance.of_rows(paid(*rows), paid(*people), more, replaced=replaced)
    everything = [*rows, *people, *more]
    for total, costs in ((one.total, everything), (one.jointly, people)):
        found = [total.epsilon, total.delta, total.rho]
        assert found == near(slow_total(costs, replaced=replaced))
    left_out = any(cost.replaced and not cost.simulated for cost in everything)
    assert (one.has_more, one.has_other) == (False, left_out and not replaced)
    assert one.rest == (", and draws under replace one" if one.has_other else "")
    assert one.simulated == sum(cost.times for cost in rows if cost.simulated)


@pytest.mark.law
@given(SOME, SOME, some.lists(COSTS, max_size=2), some.sampled_from(["user", "visit"]))
def test_people_were_promised_what_their_own_column_named(rows, people, more, persons):
    people, more = ([replace(one, replaced=False) for one in costs] for costs in (people, more))
    found = Balance.of_people(paid(*rows), paid(*people), more, persons=persons)
    own = [one for one in (*people, *more) if one.persons == persons]
    assert [found.total.epsilon, found.total.delta, found.total.rho] == near(slow_total(own))
    others = [*rows, *(one for one in (*people, *more) if one.persons != persons)]
    assert found.has_more == any(not one.simulated for one in others)
    assert str(found).endswith("draws without a promise to people") == found.has_more


def test_two_columns_of_persons_have_no_sum():
    """Ten draws for visits cost a user with 200 of them 200 · 10 · 0.1; twin: 1.1 in one tank."""
    people = paid(
        Cost("AQ", PureDP(0.1), persons="user"), Cost("AQ", PureDP(0.1), 10, persons="visit")
    )
    said = [str(Balance.of_people(Account(), people, persons=one)) for one in ("user", "visit")]
    assert said == [f"ε = {size}, and draws without a promise to people" for size in ("0.1", "1")]
    assert str(Balance.of_rows(Account(), people)) == "ε = 1.1"


def test_draws_under_both_relations_are_no_plain_sum():
    """Twin: 0.3, where a replaced record was promised 0.2 + 2 · 0.1."""
    rows = paid(Cost("AQ", PureDP(0.1)), Cost("AQ", PureDP(0.2), replaced=True))
    assert str(Balance.of_rows(rows, Account(), replaced=True)) == "ε = 0.4"
    added = Balance.of_rows(rows, Account())
    assert str(added) == "ε = 0.1, and draws under replace one"
    assert [str(one) for one in rows.lines()] == [
        "AQ: 1 × ε = 0.1",
        "AQ, one replaced: 1 × ε = 0.2",
    ]
    both = paid(Cost("a", ZCDP(0.1)), Cost("b", ApproxDP(1, 1e-6)))
    assert str(Balance.of_rows(both, Account(), replaced=True)) == (
        "ε = 2, δ = 3.72e-06 and ρ = 0.4"
    )


def test_what_was_drawn_as_rows_as_people_and_as_rows_again_is_one_sum():
    """500 rows of 500 persons: twin: 0.2 in either tank."""
    rows, people = paid(Cost("AQ", PureDP(0.1))), paid(Cost("AQ", PureDP(0.2)))
    assert str(Balance.of_rows(rows, people)) == "ε = 0.3"
    assert str(Balance.of_people(rows, people)) == (
        "ε = 0.2, and draws without a promise to people"
    )
    rows.pay(b"again", [Cost("AQ", PureDP(0.1))])
    assert str(Balance.of_rows(rows, people)) == "ε = 0.4"
    assert str(Balance.of_people(Account(), people)) == "ε = 0.2"


@by_rows("crossed", [*(x / 10 for x in range(-80, 60, 3)), -99.0, 99.0])
def test_no_search_spends_more_than_it_pays(crossed):
    """Three bisections at most, each of the answers that a step function gives."""
    tried: list[float] = []

    def successes(log_size):
        if log_size not in tried:
            tried.append(log_size)
        return int(log_size > crossed)

    for shift in range(3):
        crossing(lambda at, shift=shift: successes(at - 1e-9 * shift), 1)
    sizes = [math.exp(one) for one in tried] + [RANGE[1]]  # the last check
    assert len(sizes) <= len(most_tried()) + 4  # the ends, shifted, are tried anew here
    for one, most in zip(
        sorted(sizes)[::-1], sorted(most_tried() + [RANGE[1]] * 4)[::-1], strict=False
    ):
        assert one <= most * (1 + 1e-6)


@by_rows(("epsilon", "times"), [(0.1, 19), (0.5, 4), (0.05, 100)])
def test_a_plan_of_equal_budgets_comes_to_optimal_composition(epsilon, times):
    found = Balance.of_rows(paid(Cost("AQ", PureDP(epsilon), times)), Account())
    exact = optimal_epsilon(epsilon, times, 1e-6)
    assert exact - 1e-9 <= found.tight(1e-6) <= exact + 2e-4 * (math.sqrt(times) + 1)
    assert found.tight(1e-6) < found.total.epsilon


def test_a_plan_says_nothing_of_one_release_of_none_and_of_a_delta_that_is_too_small():
    def tight(*costs, delta=1e-6, **others):
        return Balance.of_rows(paid(*costs), Account(), **others).tight(delta)

    assert tight() is None
    assert tight(Cost("AQ", PureDP(1))) is None
    assert tight(Cost("AQ", PureDP(1), 50, simulated=True)) is None
    assert tight(Cost("AQ", PureDP(3), 2), delta=1e-12) is None  # adds up to the same
    assert tight(Cost("b", ApproxDP(0.1, 1e-6), 2)) is None  # their δ alone are more
    both = [Cost("a", ZCDP(0.1)), Cost("b", PureDP(0.5))]
    assert tight(*both) > tight(Cost("b", PureDP(0.1), 5)) / 2
    assert tight(Cost("a", PureDP(0.1), 20), replaced=True) == pytest.approx(
        optimal_epsilon(0.2, 20, 1e-6), abs=2e-3
    )
