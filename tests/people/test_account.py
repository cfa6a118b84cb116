"""Accounts: what fits, what is refused before it is drawn, and who is asked of parts."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import dpviz as dp
from dpviz.core.errors import DpvizError, InvalidBudget, Overspent
from dpviz.core.grid import as_written
from dpviz.mechanisms.spatial.hilbert_reference import HilbertFromPoints
from dpviz.mechanisms.spatial.hilbert_tree import HilbertTree
from dpviz.mechanisms.spatial.kd_references import KdTrue
from dpviz.people.spending import Loss

BOUNDS = dp.Bounds(0, 10)
COLUMN = dp.Column.from_values(np.arange(101) / 10, BOUNDS, 0.1)
POINTS = dp.Points.from_xy(np.arange(9.0), np.arange(9.0), dp.Box(BOUNDS, BOUNDS))
SIZES = some.integers(1, 12).map(lambda tenths: tenths / 10)


class Watched(dp.ApproximateQuantiles):
    """Tells how often it drew."""

    drawn = 0

    def release(self, *asked, **named):
        type(self).drawn += 1
        return super().release(*asked, **named)


@pytest.fixture(autouse=True)
def nothing_drawn():
    Watched.drawn = 0


def test_releases_are_booked_and_secure():
    account = dp.Account(dp.PureDP(1))
    assert (account.spent, account.left) == (None, dp.PureDP(1))
    first = account.release(Watched(), COLUMN, [0.5], budget=dp.PureDP(0.4))
    assert (first.spent, first.randomness) == (dp.PureDP(0.4), "secure")
    assert (account.spent, account.left) == (dp.PureDP(0.4), dp.PureDP(0.6))
    tree = account.release(dp.CountTree(2, 3), COLUMN, budget=dp.PureDP(0.2))
    assert tree.spent == dp.PureDP(0.2)
    rest = account.release(Watched(), COLUMN, [0.5])
    assert rest.spent == dp.PureDP(0.4)
    assert account.left is None
    assert [str(one) for one in account.entries] == [
        "ApproximateQuantiles: ε = 0.4",
        "CountTree: ε = 0.2",
        "ApproximateQuantiles: ε = 0.4",
    ]
    assert repr(account) == "Account(ε = 1; spent: ε = 1)"


def test_nothing_is_drawn_of_what_is_refused():
    account = dp.Account(dp.PureDP(0.3))
    for _ in range(3):
        account.release(Watched(), COLUMN, [0.5], budget=dp.PureDP(0.1))
    before = Watched.drawn
    for budget in (dp.PureDP(1e-9), None):
        with pytest.raises(Overspent, match="Nothing was drawn"):
            account.release(Watched(), COLUMN, [0.5], budget=budget)
    assert Watched.drawn == before == 3
    half = dp.Account(dp.PureDP(0.3))
    half.spend(dp.PureDP(0.2))
    with pytest.raises(Overspent, match=r"ε = 0\.2 was asked for, and of ε = 0\.3 ε = 0\.1 is"):
        half.spend(dp.PureDP(0.2))


def test_what_breaks_off_stays_booked():
    """Something may have been drawn by then: struck, it would be free."""

    class Breaks(Watched):
        def release(self, *asked, **named):
            raise error

    for error in (FloatingPointError, KeyboardInterrupt, MemoryError):
        account = dp.Account(dp.PureDP(1))
        with pytest.raises(error):
            account.release(Breaks(), COLUMN, [0.5], budget=dp.PureDP(0.75))
        assert account.left == dp.PureDP(0.25)


def test_what_refuses_is_not_booked():
    account = dp.Account(dp.PureDP(1))
    for asked in ([2.0], []):
        with pytest.raises(DpvizError):
            account.release(Watched(), COLUMN, asked, budget=dp.PureDP(1))
    with pytest.raises(DpvizError):  # secure bits are refused by what is computed in doubles
        account.release(dp.JointExp(), COLUMN, [0.5], budget=dp.PureDP(1))
    assert account.entries == ()
    assert account.left == dp.PureDP(1)
    rehearsed = account.release(
        dp.JointExp(), COLUMN, [0.5], budget=dp.PureDP(1), rng=np.random.default_rng(0)
    )
    assert rehearsed.randomness == "seeded"
    assert account.left is None


@pytest.mark.law
@given(some.lists(SIZES, max_size=12), some.sampled_from(["add-remove", "replace-one"]))
def test_as_many_fit_as_decimals_do(sizes, relation):
    """Slow twin: whole tenths."""
    account, left = dp.Account(dp.PureDP(2), relation), 20
    steps = 2 if relation == "replace-one" else 1
    for size in sizes:
        tenths = round(10 * size) * steps
        assert account.fits(dp.PureDP(size), "add-remove") == (tenths <= left)
        if tenths <= left:
            account.spend(dp.PureDP(size), neighbours="add-remove")
            left -= tenths
        else:
            with pytest.raises(Overspent):
                account.spend(dp.PureDP(size), neighbours="add-remove")
        assert account.left == (dp.PureDP(left / 10) if left else None)
        assert account.spent == (dp.PureDP((20 - left) / 10) if left < 20 else None)


@pytest.mark.law
@given(some.lists(some.floats(1e-6, 0.3), max_size=8))
def test_what_is_left_always_fits_and_nothing_more(sizes):
    for whole in (dp.PureDP(1), dp.ZCDP(1), dp.ApproxDP(1, 1e-5)):
        account = dp.Account(whole)
        for size in sizes:
            if account.fits(dp.PureDP(size)):
                account.spend(dp.PureDP(size))
        left = account.left
        if left is None:
            continue
        assert account.fits(left)
        assert not account.fits(left.resized(left.size * (1 + 1e-9)))
        account.spend(left)
        assert account.spent is not None
        assert as_written(account.spent.size) <= 1


def test_an_account_in_rho_takes_pure_budgets_at_their_price():
    account = dp.Account(dp.ZCDP(1))
    account.spend(dp.PureDP(0.5))
    price = 0.5 * np.tanh(0.25)
    assert account.spent.rho == pytest.approx(price, rel=1e-11)
    assert account.spent.rho >= price
    account.spend(dp.ZCDP(0.25))
    assert account.spent.rho == pytest.approx(price + 0.25)
    with pytest.raises(InvalidBudget, match="no price in ρ"):
        account.spend(dp.ApproxDP(0.1, 1e-6))


@pytest.mark.parametrize(
    ("whole", "budget", "way"),
    [
        (dp.PureDP(1), dp.ZCDP(0.1), "in ρ"),
        (dp.PureDP(1), dp.ApproxDP(0.1, 1e-6), "ε, δ"),
        (dp.ApproxDP(1, 1e-6), dp.ZCDP(0.1), "plan"),
    ],
)
def test_what_an_account_cannot_count_is_refused(whole, budget, way):
    account = dp.Account(whole)
    for use in (account.spend, account.fits):
        with pytest.raises(InvalidBudget, match=way):
            use(budget)
    assert account.entries == ()


def test_delta_is_spent_too():
    account = dp.Account(dp.ApproxDP(1, 1e-6))
    account.spend(dp.ApproxDP(0.1, 1e-6))
    assert account.left == dp.PureDP(0.9)
    assert account.spent == dp.ApproxDP(0.1, 1e-6)
    with pytest.raises(Overspent):
        account.spend(dp.ApproxDP(0.1, 1e-12))
    account.spend(dp.PureDP(0.9))
    assert account.left is None


def test_a_release_for_replaced_records_promises_nothing_where_they_are_added():
    account = dp.Account(dp.PureDP(1))
    replaced = Watched(neighbours="replace-one")
    with pytest.raises(InvalidBudget, match="promises nothing"):
        account.release(replaced, COLUMN, [0.5], budget=dp.PureDP(0.1))
    other = dp.Account(dp.PureDP(1), "replace-one")
    other.release(replaced, COLUMN, [0.5], budget=dp.PureDP(0.1))
    other.release(Watched(), COLUMN, [0.5], budget=dp.PureDP(0.1))
    assert other.spent == dp.PureDP(0.3)


PARTS = some.lists(
    some.tuples(some.sampled_from(["", "a", "b", "c"]), some.integers(1, 9)), max_size=10
)


@pytest.mark.law
@given(PARTS, PARTS)
def test_parts_spend_as_the_dearest_does(first, second):
    """Slow twin: each person's own sum; the account holds for whoever lost most."""
    account = dp.Account(dp.PureDP(1000))
    whole, dearest = 0, 0
    for lines in (first, second):
        lost = dict.fromkeys("abc", 0)
        with account.parallel() as parts:
            for name, size in lines:
                if name:
                    parts[name].spend(dp.PureDP(size))
                    lost[name] += size
                    own = whole + dearest + lost[name]
                    assert parts[name].left == dp.PureDP(1000 - own)
                else:
                    account.spend(dp.PureDP(size))
                    whole += size
        dearest += max(lost.values())
        spent = whole + dearest
        assert account.spent == (dp.PureDP(spent) if spent else None)
    assert len(account.entries) == len(first) + len(second)


def test_parts_have_entries_of_their_own_and_one_relation():
    account = dp.Account(dp.PureDP(1), "replace-one")
    with account.parallel() as parts:
        north, south = parts["north"], parts["south"]
        north.release(Watched(), COLUMN, [0.5], budget=dp.PureDP(0.25))
        south.release(Watched(), COLUMN, [0.5], budget=dp.PureDP(0.5))
        with pytest.raises(InvalidBudget, match="change the part"):
            north.release(Watched(neighbours="replace-one"), COLUMN, [0.5], budget=dp.PureDP(0.1))
        assert [str(one) for one in north.entries] == ["ApproximateQuantiles (north): ε = 0.25"]
        assert (north.left, south.left) == (dp.PureDP(0.5), None)
        with pytest.raises(Overspent):
            south.spend(dp.PureDP(0.1), neighbours="add-remove")
        with pytest.raises(InvalidBudget, match="part"), north.parallel():
            pass
    assert account.left is None
    assert len(account.entries) == 2


def test_a_plan_is_composed_tightly_and_spent_in_its_order():
    budgets = [dp.PureDP(0.1)] * 40
    with pytest.raises(Overspent):
        dp.Account(dp.ApproxDP(1, 1e-6)).spend(sum(budgets))  # 4 by basic composition
    account = dp.Account(dp.ApproxDP(3.1, 1e-6), plan=budgets)
    assert account.planned.delta == 1e-6
    assert 2.5 < account.planned.epsilon <= 3.1
    assert account.left == dp.PureDP(0.1)
    with pytest.raises(Overspent, match=r"next release of the plan spends ε = 0\.1, not ε = 0\.2"):
        account.spend(dp.PureDP(0.2))
    for _ in budgets:
        account.release(Watched(), COLUMN, [0.5])
    assert account.left is None
    with pytest.raises(Overspent):
        account.spend(dp.PureDP(0.1))
    assert account.spent == account.planned
    assert account.spent.delta == 1e-6
    with pytest.raises(Overspent, match=r"The plan spends ε = 3\.\d+, δ = 1e-06"):
        dp.Account(dp.ApproxDP(3, 1e-6), plan=[dp.PureDP(0.1)] * 48)
    with pytest.raises(InvalidBudget, match="no plan"), account.parallel():
        pass


def test_a_plan_of_all_notions():
    plan = [dp.ZCDP(0.01), dp.PureDP(0.2), dp.ApproxDP(0.1, 1e-8)]
    account = dp.Account(dp.ApproxDP(1.5, 1e-6), plan=plan)
    for one in plan:
        assert account.left == one
        account.spend(one)
    assert 0.3 < account.spent.epsilon <= 1.5
    for whole in (dp.PureDP(3), dp.ZCDP(3)):
        with pytest.raises(InvalidBudget):
            dp.Account(whole, plan=plan)
    pure = dp.Account(dp.PureDP(0.3), plan=[dp.PureDP(0.1), dp.PureDP(0.2)])
    assert (pure.left, pure.planned) == (dp.PureDP(0.1), dp.PureDP(0.3))
    assert dp.Account(dp.PureDP(1)).planned is None
    with pytest.raises(Overspent, match="more δ"):
        dp.Account(dp.ApproxDP(1, 1e-6), plan=[dp.ApproxDP(0.1, 1e-6)] * 2)
    with pytest.raises(Overspent, match=r"The plan spends ε = 0\.4"):
        dp.Account(dp.PureDP(0.3), plan=[dp.PureDP(0.2)] * 2)


@pytest.mark.parametrize("whole", [dp.PureDP(1), dp.ZCDP(1), dp.ApproxDP(1, 1e-6)])
def test_a_plan_takes_no_release_for_another_relation(whole):
    """Twin: a release for added records would spend two steps where one was planned."""
    plan = [dp.PureDP(0.5)] * 2
    account = dp.Account(whole, "replace-one", plan=plan)
    for use in (
        lambda: account.spend(plan[0], neighbours="add-remove"),
        lambda: account.fits(plan[0], "add-remove"),
        lambda: account.release(Watched(), COLUMN, [0.5]),
        lambda: account.release(Watched(), COLUMN, [0.5], rows=dp.PersonRows.at_most(2)),
    ):
        with pytest.raises(InvalidBudget, match="own relation, replace-one"):
            use()
    assert Watched.drawn == 0
    account.release(Watched(neighbours="replace-one"), COLUMN, [0.5])
    account.spend(plan[1])
    assert account.spent == account.planned


def test_a_reference_is_no_release():
    account = dp.Account(dp.PureDP(1))
    for reference in (KdTrue(height=2), HilbertFromPoints(HilbertTree(2))):
        for rows in (None, dp.PersonRows.at_most(1)):
            with pytest.raises(DpvizError, match="protects nobody"):
                account.release(
                    reference, POINTS, budget=dp.PureDP(1), rows=rows, rng=np.random.default_rng(0)
                )
    assert account.entries == ()


def test_sizes_without_end():
    tiny = dp.Account(dp.ApproxDP(1, 1e-6), plan=[dp.PureDP(1e-7)] * 2)
    assert tiny.planned.epsilon > 0
    tiny.spend(dp.PureDP(1e-7))
    assert tiny.spent.epsilon > 0
    assert not dp.Account(dp.ZCDP(1), "replace-one").fits(dp.PureDP(1.7e308), "add-remove")
    assert Loss.of(dp.PureDP(1e9)).in_rho.rho == 10**9


def test_of_a_plan_only_the_last_release_is_struck():
    """Twin: a release that breaks off before others would let their budgets be spent twice."""
    account = dp.Account(dp.PureDP(3), plan=[dp.PureDP(1), dp.PureDP(2)])

    class Late(Watched):
        def release(self, *asked, **named):
            account.spend(dp.PureDP(2))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        account.release(Late(), COLUMN, [0.5])
    assert account.left is None
    assert [one.budget.size for one in account.entries] == [1, 2]


def test_people_with_several_rows():
    rows = dp.PersonRows.at_most(2)
    persons = np.arange(100) // 4
    column = dp.person_column(persons, np.full(100, 5.0), BOUNDS, 0, rows, dp.SecureBits.fresh())
    account = dp.Account(dp.PureDP(1))
    found = account.release(Watched(), column, [0.5], budget=dp.PureDP(1), rows=rows)
    assert found.spent == dp.PureDP(1)
    assert found.parameters["rows_a_person"] == 2
    assert account.left is None


@pytest.mark.law
def test_threads_never_spend_more_than_there_is():
    account, fitted = dp.Account(dp.PureDP(5)), []

    def spend():
        for _ in range(40):
            try:
                account.spend(dp.PureDP(0.1))
            except Overspent:
                continue
            fitted.append(1)

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(fitted) == 50
    assert account.left is None


def test_wrong_calls_are_refused_in_words():
    with pytest.raises(DpvizError, match="budget must be a budget such as"):
        dp.Account(1)
    with pytest.raises(DpvizError, match="plan must be a budget"):
        dp.Account(dp.PureDP(1), plan=[1])
    with pytest.raises(DpvizError, match="neighbours"):
        dp.Account(dp.PureDP(1), "others")
    account = dp.Account(dp.PureDP(1))
    with pytest.raises(DpvizError, match="budget"):
        account.spend(0.5)
    with pytest.raises(DpvizError, match="mechanism"):
        account.release(dp.CountTree, COLUMN, budget=dp.PureDP(0.1))
    with pytest.raises(DpvizError, match="cannot be asked so"):
        account.release(dp.CountTree(2, 2), COLUMN, [0.5], budget=dp.PureDP(0.1))
    with account.parallel() as parts, pytest.raises(DpvizError, match="part"):
        parts[3].spend(dp.PureDP(0.1))
    assert account.entries == ()


def test_nothing_of_the_data_is_in_an_account():
    one, other = (dp.Account(dp.PureDP(1)) for _ in range(2))
    one.release(Watched(), COLUMN, [0.5], budget=dp.PureDP(0.5))
    empty = dp.Column.from_values([], BOUNDS)
    other.release(Watched(), empty, [0.5], budget=dp.PureDP(0.5))
    assert repr(one) == repr(other)
    assert one.entries == other.entries
