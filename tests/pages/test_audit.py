"""Audit in each of its views and states."""

from __future__ import annotations

import re
import secrets

import pytest

from tests.pages.driver import figures, opened, pick
from tests.pages.own_file import at, with_own
from tests.pages.test_neighbours import problems, said


def page(**link):
    return opened("audit", **link)


def test_the_broken_twin_is_caught_and_the_honest_count_is_not():
    app = page()
    found = re.search(
        r"The broken twin is caught: it claims ε = 1 and loses at least ([\d.]+)\.", said(app)
    )
    assert found
    drawn = figures(app)[0]
    bound = drawn["broken twin"][1][-1]
    assert float(found[1]) <= bound < float(found[1]) + 0.01  # rounded down
    assert bound > 1
    assert drawn["honest count"][1][-1] <= 1
    assert "it can never confirm one" in said(app)
    assert "runs 1,000 with Ida, 1,000 without" in said(app)
    assert drawn["honest count"][0].size > 10
    assert "refuted" not in said(app)


@pytest.mark.parametrize("kind", ["count", "quantile"])
def test_the_made_up_pair_tells_as_well(kind):
    app = pick(page(), n_columns="a hard pair", a_asks=kind, n_runs=20_000)
    assert "The broken twin is caught" in said(app)
    assert "made-up columns" in said(app)
    assert "shows true data" not in said(app)
    pick(app, n_twin=False)
    assert "twin" not in said(app).replace("A broken twin", "")
    assert "The runs prove that at least" in said(app)
    pick(app, n_runs=1_000, n_confidence="99.9 %")
    assert "confidence 99.9 %" in said(app)


def test_an_audit_that_cannot_tell_says_why():
    app = pick(page(), n_which="least")
    assert "no number of runs can catch it" in said(app)
    assert "1,000 runs prove nothing against the claim yet." in said(app)
    pick(app, n_columns="a hard pair", eps_exact=10.0)
    assert "can prove at most" in said(app)


def test_the_headline_reads_the_last_bound_alone():
    """Over many draws of a hopeless audit some earlier bound exceeds the claim; none is told."""
    app = pick(page(seed="150"), n_runs=200, n_confidence="99.9 %")
    peeked = 0  # so it goes in one draw of seventy
    for _ in range(40):
        pick(app, new_draw=True)
        twin = figures(app)[0]["broken twin"][1]
        peeked += bool((twin[:-1] > 1).any()) and twin[-1] <= 1
        assert ("is caught" in said(app)) == (twin[-1] > 1)
    assert peeked > 0


def test_the_outputs_are_a_view():
    app = pick(page(), a_shown="outputs")
    drawn = figures(app)[0]
    assert sorted(drawn) == ["with", "without"]
    assert drawn["with"][1][:-1].sum() <= 1_000
    assert "exact ε of this pair" in said(app)


def test_with_the_truth_off_it_is_the_same_on_a_made_up_column(monkeypatch):
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes(range(size)))
    seen = []
    for content in (b"a\n1\n2\n3\n", b"a\n7\n7\n7\n7\n8\n9\n"):
        app = at(with_own(content, 0, 10, 1, truth=False), "audit")
        shown = []
        for kind in ("quantile", "count"):
            pick(app, a_asks=kind)
            shown.append(said(app))
            assert problems(app) == []
            assert "broken twin" in figures(app)[0]
        assert "nothing of 2 promised" in said(app)
        assert "shows true data" not in said(app)
        assert "n_columns" not in [one.key for one in app.get("segmented_control")]
        seen.append(shown)
    assert seen[0] == seen[1]


def test_a_file_is_audited_only_if_its_owner_asks_for_it():
    app = at(with_own(b"a\n" + b"5\n" * 40 + b"9\n", 0, 10, 1, truth=True), "audit")
    assert "nothing of 2 promised" in said(app)
    assert "made-up columns" in said(app)
    pick(app, n_columns="this column")
    # two columns, each run by the mechanism at ε and by its twin at 2ε
    assert "ε = 6000 of 2 promised" in said(app).replace(",", "")


@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
@pytest.mark.parametrize("kind", ["count", "quantile"])
def test_extreme_budgets(epsilon, kind):
    app = pick(page(), a_asks=kind, eps_exact=epsilon)
    for view in ("proof", "outputs"):
        pick(app, a_shown=view)
        assert problems(app) == []
        assert figures(app)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_every_noise_under_both_relations(noise, relation):
    app = pick(page(), n_noise=noise, neighbours=relation)
    assert problems(app) == []
    assert "broken twin" in figures(app)[0]


@pytest.mark.parametrize("content", [b"a\n5\n", b"a\n10\n10\n10\n", b"a\n0\n0\n"])
def test_tiny_columns_run(content):
    app = at(with_own(content, 0, 10, 1, truth=True), "audit")
    for columns in ("this column", "a hard pair"):
        pick(app, n_columns=columns)
        for kind in ("quantile", "count"):
            pick(app, a_asks=kind)
            assert problems(app) == []
            assert figures(app)
