"""The question to OpenDP: lines that compile and ask for what was released, or a reason."""

from __future__ import annotations

import ast
import importlib.util
import re
from functools import partial

import numpy as np
import pytest

import dpviz as dp
from dpviz.reports.opendp import LARGE, NO_APPROX, NO_MAP, NO_SPLIT, opendp
from tests.reports.releases import COLUMN, NAMES, one

ASKED = ("halving", "one by one", "tree quantiles", "tree", "short tree")
VALUES = np.random.default_rng(1).gamma(4, 8, 2_000).clip(0, 100).tolist()
RELATIONS = ("add-remove", "replace-one")
needs_opendp = pytest.mark.skipif(
    importlib.util.find_spec("opendp") is None, reason="OpenDP is not installed (make peers)"
)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("notion", ["pure", "zcdp"])
@pytest.mark.parametrize("name", ASKED)
def test_the_lines_compile_and_ask_under_the_same_promise(name, notion, relation):
    release = one(name, notion, relation)
    asked = opendp(release)
    assert not asked.reason
    ast.parse(asked.lines)
    assert f"low, high = {release.bounds.low!r}, {release.bounds.high!r}" in asked.lines
    assert f"d_in = {2 if relation == 'replace-one' else 1} " in asked.lines
    assert repr(release.spent.size) in asked.lines
    assert "a further release" in asked.lines


@needs_opendp
@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("notion", ["pure", "zcdp"])
@pytest.mark.parametrize("name", ASKED)
def test_the_lines_run(name, notion, relation):
    release = one(name, notion, relation)
    lines = opendp(release).lines.replace("values = [...]", "values = VALUES")
    held: dict[str, object] = {"VALUES": VALUES}
    exec(lines, held)
    if "quantiles" in held:
        assert np.abs(np.array(held["release"]) - np.quantile(VALUES, held["quantiles"])).max() < 25
    else:
        assert len(held["leaves"]) == release.shape.leaves
        assert sum(held["leaves"]) == pytest.approx(len(VALUES), abs=2_000)


@pytest.mark.parametrize("name", sorted(set(NAMES) - set(ASKED)))
def test_maps_have_a_reason_and_no_lines(name):
    assert opendp(one(name)) == type(opendp(one(name)))(reason=NO_MAP)


@pytest.mark.parametrize("name", ASKED)
def test_two_numbers_of_a_promise_have_a_reason(name):
    assert opendp(one(name, "approximate")).reason == NO_APPROX


def test_an_uneven_split_and_a_long_list_have_a_reason():
    bits = dp.SecureBits.fresh
    uneven = dp.CountTree(2, 3, levels=dp.LevelBudget.geometric(1.5))
    assert opendp(uneven.release(COLUMN, dp.PureDP(1), bits())).reason == NO_SPLIT
    fine = dp.Column.from_values([1.0], dp.Bounds(0, 1_000_000), resolution=1)
    release = partial(dp.ApproximateQuantiles().release, fine, [0.5], dp.PureDP(1))
    assert opendp(release(bits())).reason == LARGE


def test_a_column_without_steps_is_given_candidates():
    column = dp.Column.from_values([1.0, 2.0], dp.Bounds(0, 4))
    release = dp.ApproximateQuantiles().release(column, [0.5], dp.ZCDP(1), dp.SecureBits.fresh())
    lines = opendp(release).lines
    assert "range(1001)" in lines
    assert re.search(r"measure = dp\.zero_concentrated_divergence\(\)", lines)
