"""One card a mechanism: its errors in people, counted value by value, beside the truth alone."""

from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.intake.samples import Noun
from dpviz.metrics.bounds import ErrorBound
from dpviz.metrics.quantiles import true_quantiles
from dpviz.ui.quantiles import below
from tests.ui.recorded import Recorded

VALUES = np.random.default_rng(4).permutation(400) / 2  # all apart
COLUMN = Column.from_values(VALUES, Bounds(0, 200))
ASKED = QuantileSet.of(np.array([0.1, 0.5, 0.9]))


@pytest.fixture
def screen(monkeypatch):
    found = Recorded(monkeypatch)
    words = SimpleNamespace(people=Noun("student", "students"))
    monkeypatch.setattr(below.session, "words", lambda: words)
    monkeypatch.setattr(below.session, "shows_truth", lambda: found.state.get("truth", True))
    monkeypatch.setattr(below.methods, "heading", lambda _: "Noisy tree")
    monkeypatch.setattr(below, "label_of", lambda name: f"the {name}")
    monkeypatch.setattr(below.memory, "public", lambda _, __, made: made())
    return found


def shown(off, running=None):
    """A release that is off by so much at each quantile."""
    release = SimpleNamespace(
        values=true_quantiles(COLUMN, ASKED) + np.array(off),
        spent=PureDP(0.25), mechanism="AggTree", neighbours=SimpleNamespace(value="add-remove"),
    )  # fmt: skip
    return SimpleNamespace(
        timed=SimpleNamespace(release=release), mechanism=SimpleNamespace(name="AggTree"),
        running_gap=lambda _: running,
    )  # fmt: skip


def asked():
    return SimpleNamespace(column=COLUMN, quantiles=ASKED, key=lambda *parts: parts)


def missed(one):
    """How many values lie between each published value and the rank that was asked for."""
    found = []
    for value, q in zip(one.timed.release.values, (0.1, 0.5, 0.9), strict=True):
        rank, under = int(q * 400), sum(each < value for each in VALUES)
        up_to = sum(each <= value for each in VALUES)
        found.append(max(under - rank, rank - up_to, 0))
    return found


@pytest.mark.parametrize(
    "off", [(0.1, 7.1, -30.1), (0.0, 0.0, 0.0), (1.0, -1.0, 1.0), (90.0, 50.0, -90.0)]
)
@pytest.mark.parametrize("running", [None, (12.3, 4.5)])
def test_the_errors_of_a_release(screen, off, running):
    one = shown(off, running)
    below._errors(one, asked())
    far = missed(one)
    mean = sum(far) / 3
    digits = f"{mean:,.0f}" if mean % 1 == 0 else f"{mean:,.1f}"
    (metric,) = (call.args for call in screen.calls if call.name == "metric")
    assert metric == ("Mean gap", f"{digits} student{'' if digits == '1' else 's'}")
    (caption,) = screen.said("caption")
    share = 100 * mean / 400
    digits = f"{share:.2g}" if share < 9.95 else f"{share:.0f}"
    assert caption.split("  \n") == [
        f"{digits} % of the students",
        f"largest {max(far)}",
        *(["other draws 12.3 ± 4.5"] if running else []),
        "spent ε = 0.25",
    ]


@pytest.mark.parametrize(
    ("records", "holds", "said"),
    [(37.4, True, "largest ≤ 37.4 in theory, with probability 95 %"),
     (400.0, False, "theory says nothing here: its bound exceeds how many there are")],
)  # fmt: skip
def test_what_theory_promises(screen, records, holds, said):
    below._theory((ErrorBound("Lemma 2", records, holds, "of one level"),), 400)
    (call,) = screen.calls
    assert call.text == said
    assert ("(does not hold as printed)" in call.others["help"]) == (not holds)
    screen.forget()
    below._theory("No bound is known.", 400)
    assert screen.said() == ["No bound is known."]


def test_with_the_truth_off_a_card_says_the_budget_alone(screen):
    screen.state["truth"] = False
    below.card(shown((9, 9, 9)), asked())
    assert screen.said("markdown") == ["**Noisy tree** :small[the AggTree]"]
    (metric,) = (call.args for call in screen.calls if call.name == "metric")
    assert metric == ("Budget spent", "ε = 0.25")
    assert screen.said("caption") == ["add-remove neighbours; errors are confidential"]


def test_the_table_holds_gaps_beside_the_truth_alone(screen):
    one = shown((0.1, 7.1, -30.1))
    below.quantile_table([one], asked())
    (call,) = screen.calls
    table = call.args[0].to_pydict()
    assert table["quantile"] == [0.1, 0.5, 0.9]
    assert table["true"] == true_quantiles(COLUMN, ASKED).tolist()
    assert table["AggTree"] == one.timed.release.values.tolist()
    assert table["AggTree gap"] == missed(one)
    screen.forget()
    screen.state["truth"] = False
    below.quantile_table([one], asked())
    (call,) = screen.calls
    assert set(call.args[0].to_pydict()) == {"quantile", "AggTree"}
    assert call.others["alt"] == "Private quantiles"
