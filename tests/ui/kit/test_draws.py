"""What a draw books: for whom, and what of it spends."""

import pytest
import streamlit as st

from dpviz.core.budgets import PureDP
from dpviz.core.person_rows import PersonRows
from dpviz.ui.kit import draws, memory
from dpviz.ui.kit.account.ledger import Cost, Total
from dpviz.ui.kit.draws import Draw


@pytest.fixture
def truth(monkeypatch):
    """A switch that says whether the truth is shown."""
    held: dict = {}
    shown = {"truth": True}
    monkeypatch.setattr(st, "session_state", held)
    monkeypatch.setattr(draws.session, "shows_truth", lambda: shown["truth"])
    return shown


RUNS = Cost("runs", PureDP(0.1), 100, simulated=True)


def test_what_is_simulated_beside_the_truth_is_counted_and_without_it_spends(truth):
    draw = Draw(1, secret=b"s" * 32)
    draw.book("a", paid=[RUNS, Cost("release", PureDP(0.5))])
    account = memory.account("upload")
    assert (account.total, account.simulated) == (Total(0.5), 100)
    truth["truth"] = False
    draw.book("b", paid=[RUNS])
    assert account.total.epsilon == pytest.approx(10.5)
    assert account.simulated == 100


@pytest.mark.parametrize(
    ("draw", "payer"),
    [
        (Draw(1, secret=b"s" * 32), "upload"),
        (Draw(1, secret=b"s" * 32, rows=PersonRows.at_most(4)), "upload_people"),
        (Draw(1, sample="exam"), "exam"),
        (Draw(1), ""),
    ],
)
def test_who_pays(draw, payer, truth):
    draw.book("a", paid=[Cost("release", PureDP(0.25))])
    assert draw.payer == payer
    assert set(memory.accounts()) == ({payer} if payer else set())
    if payer:
        assert memory.account(payer).total.epsilon == (1.0 if draw.rows else 0.25)
