"""Knobs: what a method says of its own parameters, in full and right for every method."""

from dataclasses import fields, replace
from typing import Any

import pytest

from dpviz import catalogue
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.knobs import BY_ITSELF, Knob, chips, set_on
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.mechanisms.quantiles.agg_tree import AggTree, QuantileEstimator
from dpviz.mechanisms.quantiles.joint_exp.mechanism import JointExp
from dpviz.mechanisms.quantiles.prefix_quantiles import PrefixQuantiles

REPLACE = Neighbours.REPLACE_ONE
EVERY = {knob.name: knob for kind in catalogue.QUANTILES for knob in kind.knobs}
FIRST: dict[str, Any] = {name: knob.first for name, knob in EVERY.items()}


@pytest.mark.parametrize("kind", catalogue.QUANTILES, ids=lambda kind: kind.name)
def test_knobs_are_of_the_methods_own_fields_and_hold_what_it_takes(kind):
    own = {one.name for one in fields(kind)}
    assert len({knob.name for knob in kind.knobs}) == len(kind.knobs)
    for knob in kind.knobs:
        assert knob.field in own
        assert set(knob.needs) <= {other.name for other in kind.knobs}
        for value in [*(knob.options or ()), *(knob.ends or ())]:
            needed = dict(knob.needs) | {knob.name: value}
            if Root.PUBLIC in needed.values():
                needed.setdefault("records", 5)
            if knob.name == "height":  # of two children a node; a root alone is released
                needed |= {"fanout": 2, "root": Root.RELEASED}
            if knob.name == "fanout":
                needed["height"] = 1
            made = set_on(kind(), kind.knobs, FIRST | needed, neighbours=REPLACE)
            assert getattr(made, knob.field) == (None if value == BY_ITSELF else value)
            assert made.neighbours is REPLACE


def test_what_was_not_set_is_the_methods_own_but_for_rounding():
    for kind in catalogue.QUANTILES:
        assert set_on(kind(), kind.knobs, FIRST) == replace(kind(), round_to_grid=True)


def test_a_knob_without_its_condition_is_not_set():
    """A number that was declared for a tree with a public N is nobody else's parameter."""
    declared = FIRST | {"records": 5}
    assert set_on(AggTree(), AggTree.knobs, declared).records is None
    public = declared | {"root": Root.PUBLIC}
    assert set_on(AggTree(), AggTree.knobs, public, neighbours=REPLACE).records == 5
    assert (
        set_on(PrefixQuantiles(), PrefixQuantiles.knobs, declared, neighbours=REPLACE).records == 5
    )
    assert set_on(JointExp(), JointExp.knobs, public).records == JointExp().records


CHANGED = {
    "split": RhoRule.PAPER, "ties": Ties.KEEP, "rounded": False, "fanout": 3, "height": 5,
    "root": Root.RELEASED, "records": 7, "reading": QuantileEstimator.RAW,
    "noise": Noise.DISCRETE_GAUSSIAN, "bins": 1234,
}  # fmt: skip
CHIPS = {
    "split": "split: paper", "ties": "ties: keep", "rounded": "not rounded", "fanout": "fanout 3",
    "height": "height 5", "root": "total: private, released", "records": "public N",
    "reading": "reading: raw (paper)", "noise": "discrete Gaussian noise", "bins": "1,234 bins",
}  # fmt: skip


@pytest.mark.parametrize("kind", catalogue.QUANTILES, ids=lambda kind: kind.name)
def test_chips_name_what_was_set_of_a_method_and_nothing_else(kind):
    assert chips(kind.knobs, FIRST) == []
    silent = {"records"} if kind is AggTree else set()
    expected = [CHIPS[knob.name] for knob in kind.knobs if knob.name not in silent]
    assert chips(kind.knobs, CHANGED) == expected
    for knob in kind.knobs:
        one = chips(kind.knobs, FIRST | {knob.name: CHANGED[knob.name]})
        assert one == [CHIPS[knob.name]] * (knob.name not in silent)


def test_what_is_left_open_is_said_as_the_method_settles_it():
    public = Bounds(0, 120), 1.0
    usual = {knob.name: knob.usual for knob in (*AggTree.knobs, *PrefixQuantiles.knobs)}
    for budget in (PureDP(1), ZCDP(0.1), ApproxDP(1, 1e-6)):
        tree = AggTree().fitted(*public, budget)
        assert usual["fanout"](FIRST, *public, budget) == tree.fanout
        assert usual["height"](FIRST, *public, budget) == tree.height
    wide = AggTree(16).fitted(*public, PureDP(1))
    assert usual["height"](FIRST | {"fanout": 16}, *public, PureDP(1)) == wide.height == 2
    assert usual["bins"](FIRST, *public, PureDP(1)) == 240


def test_what_rho_buys_is_said_of_rho_alone():
    note = EVERY["split"].note
    assert note(PureDP(1)) == ""
    assert note(ZCDP(0.01)).startswith("ρ = 0.01 buys one exponential mechanism ε = 0.28")
    assert EVERY["split"].promise == "zcdp"
    assert [one.name for one in EVERY.values() if one.promise] == ["split"]


def test_a_switch_is_on_at_first():
    assert Knob(field="one", label="One", help="").first is True
