"""Bounds that are proposed privately on Data: declared, paid once, and never for a table."""

import secrets

import numpy as np
import pytest

from dpviz.core.budgets import PureDP
from dpviz.ui.data.controls import SAID
from dpviz.ui.visit import declared
from tests.pages.driver import asking_nobody, healthy, opened, pick, text
from tests.pages.own_file import at

PAY = np.random.default_rng(8).lognormal(10, 0.7, 4_000).round()
FILE = ("pay,town\n" + "".join(f"{one:.0f},{at % 5}\n" for at, one in enumerate(PAY))).encode()


@pytest.fixture(autouse=True)
def same_noise(monkeypatch):
    """The same noise every time: now and then a search stops below a tenth of all pay."""
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(size)))


def on_declare(*, truth=False, **visit):
    app = opened("data")
    app.file_uploader(key="file").upload("pay.csv", FILE, "text/csv")
    asking_nobody(healthy(app.run()))
    app.session_state["_visit"] |= {"truth_own": truth, "eps": 1.0, **visit}
    return healthy(app.run())


def ends(app):
    visit = app.session_state["_visit"]
    return tuple(visit.get(declared.key("own1_0", end)) for end in ("low", "high"))


def paid(app):
    accounts = app.session_state["_accounts"] if "_accounts" in app.session_state else {}  # noqa: SIM401
    return [(one.what, one.budget) for kept in accounts.values() for one in kept.entries]


@pytest.mark.parametrize("truth", [False, True])
def test_bounds_are_proposed_declared_and_paid_once(truth):
    app = on_declare(truth=truth)
    assert ends(app) == (None, None)
    button = app.button(key="propose_bounds")
    assert button.label == "Propose them privately, for ε = 0.1"
    healthy(button.click().run())
    low, high = ends(app)
    assert -1000 <= low <= np.quantile(PAY, 0.1)
    assert np.quantile(PAY, 0.9) <= high < np.inf  # a search stops far beyond all pay now and then
    assert [(what, budget.epsilon) for what, budget in paid(app)] == [
        ("proposed bounds", pytest.approx(0.1))
    ]
    assert "Proposed:" in app.session_state[SAID][1]
    healthy(app.button(key="propose_bounds").click().run())  # the same draw again
    assert ends(app) == (low, high)
    assert len(paid(app)) == 1
    app = at(app, "quantiles")
    assert ("AQ", PureDP(1.0)) in paid(app)


def test_too_small_a_budget_is_refused_in_words_and_costs_nothing():
    app = on_declare(eps=1e-9)
    healthy(app.button(key="propose_bounds").click().run())
    assert "too large for exact draws. Choose a larger budget" in app.session_state[SAID][1]
    assert ends(app) == (None, None)
    assert paid(app) == []


def test_it_is_offered_for_a_column_of_people_alone():
    app = on_declare()
    pick(app, upload_person="town")
    with pytest.raises(KeyError):
        app.button(key="propose_bounds")
    sample = opened("data", view="declare")
    with pytest.raises(KeyError):
        sample.button(key="propose_bounds")


def test_a_cell_that_was_quoted_beside_the_truth_goes_with_it():
    """It stayed on screen, and with it its row and how many rows there are."""
    app = opened("data")
    rows = "".join(f"{'oops' if at == 5 else at % 11},{at % 7}\n" for at in range(200))
    app.file_uploader(key="file").upload("f.csv", f"x,y\n{rows}".encode(), "text/csv")
    asking_nobody(healthy(app.run()))
    app.session_state["_visit"]["truth_own"] = True
    healthy(app.run())
    healthy(app.button(key="propose_bounds").click().run())
    assert "oops" in app.session_state[SAID][1]
    said = [one.value for one in app.markdown if "oops" in one.value]
    assert said
    app.session_state["_visit"]["truth_own"] = False
    healthy(app.run())
    assert not [one.value for one in (*app.markdown, *app.caption) if one.value in said]
    assert "oops" not in text(app)
