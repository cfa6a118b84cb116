"""What the ledger is called and what its tanks say, against sums that are added up one by one."""

import math
from types import SimpleNamespace

import pytest

from dpviz.core.budgets import PureDP
from dpviz.experiments.privacy.averaging import optimal_epsilon
from dpviz.ui.bench import ledger, tanks
from dpviz.ui.kit.account.ledger import Account, Balance, Cost, Total
from tests.rows import by_rows
from tests.ui.recorded import Recorded


@by_rows(
    ("found", "in_dock", "in_strip"),
    [
        (Balance(Total(0.3)), "Spent ε = 0.3", "spent in all **ε = 0.3**"),
        (Balance(Total(), simulated=1), "Simulated 1 release",
         "simulated 1 release; nothing published"),
        (Balance(Total(), simulated=250), "Simulated 250 releases",
         "simulated 250 releases; nothing published"),
        (Balance(Total(0.3), simulated=5, has_more=True), "Spent ε = 0.3, and others", None),
        (Balance(Total(0.3), has_other=True), "Spent ε = 0.3, and others", None),
    ],
)  # fmt: skip
def test_a_label_says_what_was_spent(monkeypatch, found, in_dock, in_strip):
    monkeypatch.setattr(tanks, "balance", lambda _: found)
    monkeypatch.setattr(tanks, "payer", lambda: "exam")
    assert ledger.label(in_strip=False).replace("\\", "") == in_dock
    if in_strip is not None:
        assert ledger.label(in_strip=True).replace("\\", "") == in_strip


@by_rows(
    ("total", "promised", "notion", "said"),
    [
        (Total(0.3), 1.0, "ε", "ε = 0.3 of 1 promised"),
        (Total(0.3), 1.0, "ρ", "ε = 0.3"),
        (Total(rho=0.02), 0.5, "ρ", "ρ = 0.02 of 0.5 promised"),
        (Total(0.3, rho=0.02), 0.5, "ρ", "ρ = 0.02 of 0.5 promised, and ε = 0.3"),
        (Total(0.3, rho=0.02), 2.0, "ε", "ε = 0.3 of 2 promised, and ρ = 0.02"),
        (Total(), 1.0, "ε", "nothing of 1 promised"),
    ],
)
def test_what_was_spent_of_what_was_promised_in_its_notion(total, promised, notion, said):
    assert tanks.spent_of(Balance(total), promised, notion) == said


@by_rows(
    ("share", "percent", "blue", "over"),
    [(0.0, "0", "0.00", False), (0.25, "25", "25.00", False), (1.0, "100", "100.00", False),
     (2.5, "250", "100.00", True)],
)  # fmt: skip
def test_a_tank_is_drawn_to_scale(share, percent, blue, over):
    html = tanks.bar(share)
    assert f"aria-label='{percent} % of the promise is spent'" in html
    assert f"<div style='width:{blue}%;height:100%" in html
    assert ("repeating-linear-gradient" in html) == over
    assert f"<div style='width:{100 / max(1.0, share):.2f}%" in html


@pytest.mark.parametrize("kinds", [3, 12, 13, 30])
def test_many_kinds_of_release_are_added_up_in_one_line(monkeypatch, kinds):
    screen = Recorded(monkeypatch)
    paid = [Cost(f"kind {at}", PureDP((at + 1) / 1_000)) for at in range(kinds)]
    monkeypatch.setattr(tanks, "promise", lambda: 1.0)
    monkeypatch.setattr(tanks, "symbol", lambda: "ε")
    monkeypatch.setattr(tanks.session, "neighbours", lambda: None)
    total = Total(sum(cost.budget.epsilon for cost in paid))
    monkeypatch.setattr(tanks, "balance", lambda *_, **__: Balance(total))
    monkeypatch.setattr(tanks, "_account", lambda _: SimpleNamespace(lines=lambda: paid))
    tanks._tank("A*set", "exam")
    title, spent, listed = screen.said("markdown")
    assert title == "**A\\*set**"
    assert spent.replace("\\", "") == f"ε = {total.epsilon:.3g} of 1 promised"
    lines = listed.replace("\\", "").split("\n")
    assert lines[: min(kinds, 12)] == [f"- {cost}" for cost in paid[:12]]
    assert len(lines) == min(kinds, 12) + (kinds > 12)
    if kinds > 12:
        rest = sum(cost.budget.epsilon for cost in paid[12:])
        word = "kind" if kinds == 13 else "kinds"
        assert lines[12:] == [f"- and {kinds - 12} more {word}: ε = {rest:.3g}"]


def test_a_tank_says_what_a_plan_of_the_same_budgets_had_come_to():
    account = Account()
    account.pay(b"one", [Cost("AQ", PureDP(0.1), 19)])
    found = Balance.of_rows(account, Account())
    tight = math.ceil(1000 * optimal_epsilon(0.1, 19, 1e-6)) / 1000
    assert tanks.tight_words(found, 1e-6).replace("\\", "") == (
        "Basic ε = 1.9. Named in a plan before the first draw, the same budgets come to "
        f"ε = {tight:.3g} at δ = 1e-06 (privacy loss distributions)."
    )
    assert tanks.tight_words(Balance(Total(0.3)), 1e-6) == ""
