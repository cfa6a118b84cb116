"""The address names a method only where it is another one than the question would start with."""

from __future__ import annotations

import pytest

from dpviz.core.budgets import PureDP
from dpviz.experiments.planning.recommend import recommended
from dpviz.ui.quantiles import methods


@pytest.mark.parametrize("question", [(99, 10_000.0, 101.0), (3, 300.0, None), (9, None, None)])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_the_recommended_method_is_not_in_the_address(question, epsilon, monkeypatch):
    count, people, steps = question
    usual = recommended(count, people, PureDP(epsilon), steps).method
    monkeypatch.setattr(methods, "_question", lambda: question)
    monkeypatch.setattr(methods, "compared", lambda: [usual])
    monkeypatch.setattr(methods.arriving, "linked", lambda _: ())
    others = [name for name in methods._words() if name != usual][:2]
    for shown in (usual, *others):
        address: dict[str, list[str]] = {}
        monkeypatch.setattr(methods, "method", lambda shown=shown: shown)
        monkeypatch.setattr(methods.st, "query_params", address)
        methods.write_link(PureDP(epsilon))
        named = [] if shown == usual else [methods.label_of(shown)]
        assert address.get(methods.METHOD, []) == named
