"""What the popover of each page is called: its question in short, as the fields say it."""

from types import SimpleNamespace

import pytest

from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.intake.samples import sample
from dpviz.ui.pages import audit, budget, map, neighbours, quantiles  # noqa: A004
from dpviz.ui.quantiles import methods
from dpviz.ui.understand import people, rows
from tests.rows import by_rows

PERSON = {
    "n_which": rows.AT_RANK, "n_way": rows.LEAVES, "n_share": 25, "n_quantile": 0.9,
    "relation": Neighbours.ADD_REMOVE, "n_columns": "a made-up pair", "view": "count",
    "a_ask": rows.COUNT,
}  # fmt: skip


@pytest.fixture(autouse=True)
def of_marks(monkeypatch):
    monkeypatch.setattr(people.session, "words", lambda: sample("exam").words)
    monkeypatch.setattr(people.session, "scope", lambda: "exam")


@by_rows(
    ("view", "others", "said"),
    [
        ("column", {}, "Made-up column"),
        ("compare", {methods.COMPARED: ("AQ",)}, "Deciles, 1 method"),
        ("compare", {methods.COMPARED: ("AQ", "AggTree", "JointExp")}, "Deciles, 3 methods"),
        ("recursion", {}, "Deciles, recursion"),
        ("picture", {methods.METHOD: "AggTree"}, "Deciles, noisy tree"),
        ("recursion", {"set": "m uniform"}, "Quantiles, recursion"),
    ],
)
def test_of_quantiles_the_set_and_the_method(view, others, said):
    assert quantiles._label({"view": view, "set": "deciles", **others}) == said


@by_rows(
    ("first", "second", "said"),
    [
        ("quadtree, optimal", "none", "Quadtree"),
        ("kd-tree", "uniform grid", "Kd-tree + uniform grid"),
        ("kd-tree", "kd-tree", "Kd-tree"),
    ],
)
def test_of_a_map_its_methods(first, second, said):
    assert map._label({"view": "map", "m_method": first, "m_second": second}) == said


@by_rows(
    ("kind", "said"), [(rows.COUNT, "Count"), (rows.QUANTILE, "90 % point"), (rows.TREE, "Tree")]
)
def test_of_an_audit_what_and_of_whom(monkeypatch, kind, said):
    monkeypatch.setattr(audit, "_kind", lambda _: kind)
    for own, whom in ((True, "the student at 25 %"), (False, "made up")):
        monkeypatch.setattr(audit, "is_own", lambda _, own=own: own)
        assert audit._label(PERSON) == f"{said}, {whom}"


@by_rows(("is_count", "said"), [(True, "Count"), (False, "90 % point")])
def test_of_one_person_what_and_of_whom(monkeypatch, is_count, said):
    monkeypatch.setattr(neighbours, "_is_asked", lambda _: True)
    monkeypatch.setattr(neighbours, "_is_count", lambda _: is_count)
    assert neighbours._label(PERSON) == f"{said}, the student at 25 %"
    monkeypatch.setattr(neighbours, "_is_asked", lambda _: False)
    assert neighbours._label(PERSON) == ""


@by_rows(("spent", "said"), [(PureDP(0.1), "Promised: ε = 2.5"), (ZCDP(0.1), "Promised: ρ = 2.5")])
def test_of_a_budget_what_is_promised(spent, said):
    values = {"budget": spent, "b_rho": 0.1, "b_eps": 0.2, "b_k": 3, budget.tanks.PROMISED: 2.5}
    assert budget._label(values) == said
    bill = budget.bill_of(values)
    each = 0.1 if isinstance(spent, ZCDP) else 0.2
    assert (bill.size, bill.answers, bill.promise) == (each, 3, 2.5)
    assert bill.spent == pytest.approx(3 * each)


@pytest.mark.parametrize("whom", [rows.LOWEST, rows.MIDDLE, rows.HIGHEST])
def test_whoever_is_named_stands_where_the_name_says(whom):
    share = rows.share({"n_which": whom, "n_share": 25})
    assert share == {rows.LOWEST: 0, rows.MIDDLE: 50, rows.HIGHEST: 100}[whom]
    assert rows.share({"n_which": rows.AT_RANK, "n_share": 25}) == 25
    assert rows.share({"n_which": rows.LINE, "n_share": 25}) is None
    assert SimpleNamespace(**PERSON).n_share == 25
