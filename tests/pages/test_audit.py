"""Audit in each of its views and states."""

import re
import secrets

import pytest

from dpviz.core.budgets import Neighbours
from tests.pages.driver import figures, opened, pick
from tests.pages.own_file import at, with_own
from tests.pages.pictures import pictures
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


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["count", "quantile"])
def test_the_made_up_pair_tells_as_well(kind):
    app = pick(page(), n_columns="a hard pair", a_ask=kind, n_runs=20_000)
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
    app = pick(page(seed="163"), n_runs=200, n_confidence="99.9 %")
    peeked = 0  # so it goes in one draw of seventy, of which one is soon to come
    for _ in range(4):
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
            pick(app, a_ask=kind)
            shown.append(said(app))
            assert problems(app) == []
            assert "broken twin" in figures(app)[0]
        assert "nothing of 1 promised" in said(app)
        assert "shows true data" not in said(app)
        assert "n_columns" not in [one.key for one in app.get("segmented_control")]
        seen.append(shown)
    assert seen[0] == seen[1]


def test_a_file_is_audited_only_if_its_owner_asks_for_it():
    app = at(with_own(b"a\n" + b"5\n" * 40 + b"9\n", 0, 10, 1, truth=True), "audit")
    assert "nothing of 1 promised" in said(app)
    assert "made-up columns" in said(app)
    pick(app, n_columns="this column")
    # two columns, a thousand runs on each by the mechanism and by its twin: beside the truth alone
    assert "audit: simulated 4,000 releases; nothing published" in said(app)
    assert "nothing of 1 promised" in said(app)


@pytest.mark.few(2)
@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
@pytest.mark.parametrize("kind", ["count", "quantile"])
def test_extreme_budgets(epsilon, kind):
    app = pick(page(), a_ask=kind, eps_exact=epsilon)
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


@pytest.mark.few(2)
@pytest.mark.parametrize("content", [b"a\n5\n", b"a\n10\n10\n10\n", b"a\n0\n0\n"])
def test_tiny_columns_run(content):
    app = at(with_own(content, 0, 10, 1, truth=True), "audit")
    for columns in ("this column", "a hard pair"):
        pick(app, n_columns=columns)
        for kind in ("quantile", "count"):
            pick(app, a_ask=kind)
            assert problems(app) == []
            assert figures(app)


def test_a_tree_with_noise_for_its_layers_is_caught_and_the_right_one_is_not():
    app = pick(page(), a_ask="tree")
    assert dict(app.query_params) == {"a_ask": "tree", "notion": "zcdp"}
    found = re.search(r"caught: it claims ε = 1\.99 and loses at least ([\d.]+)\.", said(app))
    assert found
    assert float(found[1]) > 2.5
    drawn = figures(app)[0]
    assert drawn["honest tree"][1][-1] <= 1.99
    assert "256 leaves moves the counts by 264 (L2)" in said(app)
    assert "noise for 3 layers × 16, as in OpenDP's issue 2924" in said(app)
    assert "made-up columns" in said(app)
    assert "audit:" not in said(page(a_ask="tree", notion="zcdp"))  # nobody's rows: nobody pays
    pick(app, n_mistake="noise")  # half the noise is a smaller mistake than a fifth of it
    assert app.query_params["n_mistake"] == "noise"
    assert "The broken twin goes undetected" in said(app)
    pick(app, n_twin=False)
    assert "OpenDP" not in said(app)
    pick(app, notion="pure")
    assert problems(app) == [
        r"The counts of this tree have Gaussian noise, which gives no pure ε\. Choose a budget in "
        r"ρ or \(ε, δ\)\."
    ]


def test_doubles_give_ida_away_in_some_runs_and_a_made_up_person_in_half():
    app = pick(page(), n_mistake="doubles", n_runs=10_000)
    found = re.search(
        r"In ([\d,]+) of 10,000 runs the answer could only come from the data with Ida\.", said(app)
    )
    assert found
    assert 3 <= int(found[1]) < 50
    assert "Every answer of the honest count could come from either." in said(app)
    assert "all of them counted 10,000" in said(app)
    assert "ε in doubles, at δ = 0 none" in said(app)
    assert dict(app.query_params) == {"n_mistake": "doubles", "n_runs": "10000"}
    pick(app, n_columns="a hard pair")
    found = re.search(r"In ([\d,]+) of 10,000 runs", said(app))
    assert found
    told = int(found[1].replace(",", ""))
    assert told > 3_000
    drawn = figures(app)[0]
    assert drawn["broken twin with Ida"][0] == [told / 10_000]
    assert drawn["broken twin without Ida"][0] == [0]
    assert drawn["honest count with Ida"][0] == [0]
    assert drawn["broken twin"][1][-1] > 1
    assert drawn["honest count"][1][-1] == 0
    pick(app, a_shown="outputs")
    drawn = figures(app)[0]
    assert (drawn["without"][1] <= drawn["with"][1]).all()
    assert 0.98 * told <= drawn["without"][1][:-1].sum() <= told
    assert "shaded" not in str(pictures(app)[0].spec)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_doubles_of_a_quantile_tell_where_records_are_few(relation):
    app = pick(page(), neighbours=relation, n_mistake="doubles", a_ask="quantile")
    assert "In none of 1,000 runs did the twin give an answer that only" in said(app)
    assert "Where records lie close together" in said(app)
    pick(app, n_columns="a hard pair")
    found = re.search(r"In (\d+) of 1,000 runs the answer could only come", said(app))
    assert found
    assert int(found[1]) > 100
    assert "Every answer of the honest median could come from either." in said(app)


def test_doubles_are_offered_beside_whole_noise_and_never_of_a_file_s_people():
    app = pick(page(), n_mistake="doubles", n_noise="laplace")
    assert "The broken twin is caught" in said(app)  # that of half the noise
    app = at(with_own(b"a\n" + b"5\n" * 40 + b"9\n", 0, 10, 1, truth=True), "audit")
    pick(app, n_mistake="doubles", n_runs=5_000)
    assert "the answer could only come from" in said(app)
    assert "nothing of 1 promised" in said(app)
    pick(app, n_columns="this column")
    assert "could only come from" not in said(app)
    assert "spent" in said(app)


@pytest.mark.few(2)
@pytest.mark.parametrize("epsilon", [1e-6, 1e4])
@pytest.mark.parametrize("kind", ["count", "quantile"])
def test_extreme_budgets_of_doubles(epsilon, kind):
    app = pick(page(), a_ask=kind, eps_exact=epsilon, n_mistake="doubles")
    for columns in ("this column", "a hard pair"):
        pick(app, n_columns=columns)
        for view in ("proof", "outputs"):
            pick(app, a_shown=view)
            assert problems(app) == []
            assert figures(app)
    assert "Every answer of the honest" in said(app) or "In none of" in said(app)


@pytest.mark.parametrize("rho", [1e-6, 1e3])
def test_extreme_budgets_of_a_tree(rho):
    app = pick(page(notion="zcdp", a_ask="tree"), rho_exact=rho)
    for view in ("proof", "outputs"):
        pick(app, a_shown=view)
        assert problems(app) == []
        assert figures(app)


def test_links_restore_a_twin_and_pass_over_one_that_a_question_cannot_have():
    app = page(a_ask="tree", notion="approx", n_mistake="doubles")
    assert "OpenDP's issue 2924" in said(app)
    app = page(n_mistake="layers")
    assert "The broken twin is caught: it claims ε = 1 and loses" in said(app)
    assert app.get_by_key("n_mistake").value == "noise"


GREATEST_GOES_UP = {"n_which": "greatest"}, {"n_where": "upper bound"}
TWO_RANKS = {"n_which": "at a rank", "n_share": 50}, {"n_share": 54}
TWO_PEOPLE = {"n_which": "line"}, {"n_which": "least"}
# of 10 records these ranks find the fifth and the sixth, of 11 the sixth twice
TENS = range(10), [*range(10), 5]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("kind", "relation", "steps", "audits", "columns"),
    [
        ("count", "add-remove", TWO_RANKS, 4, TENS),
        ("quantile", "add-remove", TWO_RANKS, 4, TENS),
        ("quantile", "replace-one", TWO_RANKS, 4, TENS),
        ("count", "add-remove", TWO_PEOPLE, 2, ([85, 90, 95], [10, 85, 90, 95])),
        ("count", "replace-one", GREATEST_GOES_UP, 3, ([1, 2, 10], [1, 2, 90])),
        ("quantile", "replace-one", GREATEST_GOES_UP, 2, ([1, 2, 10], [1, 2, 90])),
    ],
)
def test_what_audits_book_hangs_on_choices_alone(kind, relation, steps, audits, columns):
    """Two choices that find one record in one column and two in its neighbour were booked so.

    audits: one of each state from where it is of this column on, counted by hand; a file opens with
    made-up columns, and a quantile has no line, so that it is of the greatest at first.
    """
    seen = []
    for values in columns:
        content = b"a\n" + b"".join(b"%d\n" % one for one in values)
        app = at(with_own(content, 0, 100, 1, truth=True), "audit")
        app.session_state["_visit"]["neighbours"] = Neighbours(relation)
        for step in ({"a_ask": kind, "n_columns": "this column"}, *steps):
            pick(app, **step)
        seen.append(app.session_state["_accounts"]["upload"].entries)
    assert seen[0] == seen[1]
    # 1,000 runs on each of two columns, of the mechanism and of its twin
    assert sum(one.times for one in seen[0]) == audits * 4 * 1_000
