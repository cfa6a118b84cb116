"""Which method is the page's, which of them have knobs now, and what a link says of it."""

from typing import Any

import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.experiments.planning.recommend import recommended
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.ui.model import fields
from dpviz.ui.pages.quantiles import page
from dpviz.ui.quantiles import knobs, methods
from dpviz.ui.quantiles.knobs import Settings

FIRST: dict[str, Any] = {knob.name: knob.first for knob in knobs.every()}


@pytest.fixture
def visit(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Nothing is declared or set, the truth is on; the dict holds what is looked at."""
    held: dict[str, Any] = {"truth": True, "declared": {}, "notion": "pure", "store": {}}
    session = methods.session
    monkeypatch.setattr(session, "shows_truth", lambda: held["truth"])
    monkeypatch.setattr(session, "declared", held["declared"].get)
    monkeypatch.setattr(session, "declared_bounds", lambda: Bounds(0, 120))
    monkeypatch.setattr(session, "scope", lambda: "here")
    monkeypatch.setattr(methods.state, "store", lambda: held["store"])
    monkeypatch.setattr(methods.state, "get", held.get)
    return held


def values(view: str = "picture", method: str = "AggTree", **others: Any) -> dict[str, Any]:
    known = {"view": view, "method": method, "mechanisms": ("JointExp", "PrefixQuantiles")}
    asked = {"set": "deciles", "m": 15, "own": "", "budget": PureDP(0.1)}
    return {**FIRST, **known, **asked, **others}


def shown(at: dict[str, Any]) -> set[str]:
    return {row.key for group in knobs.rows() for row in group if row.when(at)}


def test_only_knobs_of_the_methods_behind_the_view_are_there(visit: dict[str, Any]) -> None:
    tree = {"fanout", "height", "root", "reading", "noise", "rounded"}
    assert shown(values()) == tree
    assert shown(values(root=Root.PUBLIC)) == tree | {"records"}
    assert shown(values(method="PrefixQuantiles")) == {"bins", "records", "rounded"}
    assert shown(values(method="SliceQuantiles")) == {"ties", "rounded"}
    both = {"ties", "rounded", "bins", "records"}
    assert shown(values("compare")) == both
    for view in ("recursion", "column"):
        assert shown(values(view)) == {"ties", "rounded"}
    assert shown(values("profile")) == set()
    visit["notion"] = "zcdp"
    assert shown(values("recursion")) == {"split", "ties", "rounded"}
    visit["truth"] = False  # then a comparison shows the page's own method
    assert shown(values("compare")) == tree


def test_help_names_whose_knob_it_is_where_methods_are_compared(visit: dict[str, Any]) -> None:
    rows = {row.key: row for group in knobs.rows() for row in group}
    said = fields.of(rows["bins"].help, values("compare"))
    assert said is not None
    assert said.endswith("Of: running counts.")
    alone = fields.of(rows["bins"].help, values(method="PrefixQuantiles"))
    assert alone is not None
    assert "Of:" not in alone


def test_numbers_stand_beside_each_other() -> None:
    assert [[row.key for row in group] for group in knobs.rows() if len(group) > 1] == [
        ["fanout", "height"]
    ]


def test_a_mechanism_is_built_as_it_was_set(visit: dict[str, Any]) -> None:
    chosen = values(fanout=4, ties=Ties.KEEP, rounded=False, noise=Noise.LAPLACE)
    settings = Settings(Neighbours.REPLACE_ONE, chosen)
    for kind in catalogue.QUANTILES:
        made = settings.build(kind.name, ZCDP(0.1))
        assert made.neighbours is Neighbours.REPLACE_ONE
        assert made.round_to_grid is False  # type: ignore[attr-defined]
    tree: Any = settings.build("AggTree", ZCDP(0.1))
    assert (tree.fanout, tree.height, tree.noise) == (4, None, Noise.LAPLACE)
    joint: Any = settings.build("JointExp", ZCDP(0.1))
    assert joint.ties is Ties.KEEP
    usual: Any = Settings(Neighbours.ADD_REMOVE, values()).build("AggTree", ZCDP(0.1))
    assert usual.noise is Noise.for_budget(ZCDP(0.1))
    assert settings.chips("AggTree") == ["fanout 4", "Laplace noise", "not rounded"]
    assert settings.chips("JointExp") == ["ties: keep", "not rounded"]


@pytest.mark.parametrize("question", [("percentiles", 10_000.0), ("quartiles", 300.0)])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_the_recommended_method_is_not_in_the_address(
    question: tuple[str, float], epsilon: float, visit: dict[str, Any]
) -> None:
    chosen, people = question
    visit["declared"].update({"size": people})
    count = {"percentiles": 99, "quartiles": 3}[chosen]
    usual = recommended(count, people, PureDP(epsilon), None).method
    (row,) = [one for one in page().rows if one.key == "method"]
    for method in methods.labels():
        at = values(method=method, set=chosen, budget=PureDP(epsilon))
        expected = None if method == usual else [methods.labels()[method]]
        assert fields.links([row], at) == {"method": expected}


def test_what_was_recommended_stays_while_the_budget_moves(visit: dict[str, Any]) -> None:
    visit["declared"].update({"size": 6_000.0, "low": 0.0, "high": 100.0, "resolution": 1.0})
    first = methods.at_first(values(budget=PureDP(0.01)))
    assert first == recommended(9, 6_000, PureDP(0.01), 101).method
    other = recommended(9, 6_000, PureDP(0.1), 101).method
    assert methods.at_first(values(budget=PureDP(0.1))) == first != other
    assert methods.recommended_now(values(budget=PureDP(0.1))) == other
    (row,) = [one for one in page().rows if one.key == "method"]  # a link opens with the other
    at = values(method=first, budget=PureDP(0.1))
    assert fields.links([row], at) == {"method": [methods.labels()[first]]}
    assert fields.links([row], at | {"method": other}) == {"method": None}
    other = methods.at_first(values(set="percentiles", budget=PureDP(5)))
    assert other == recommended(99, 6_000, PureDP(5), 101).method


def test_the_words_of_the_recommendation(visit: dict[str, Any], monkeypatch: Any) -> None:
    found = recommended(9, None, PureDP(0.1), None)
    said = methods.recommendation(values())
    assert said.startswith("For 9 quantiles of people at ε = 0.1: ")
    assert methods.in_words(found.method) in said
    assert said.endswith(f"errs {found.times:.1f} times as much.")


def test_a_method_without_a_release_says_what_it_takes(visit: dict[str, Any]) -> None:
    assert methods.named("JointExp", values()) == "All at once (JointExp)"
    assert methods.named("PrefixQuantiles", values()) == (
        "Running counts (square root): takes ρ-zCDP or (ε, δ) alone"
    )
