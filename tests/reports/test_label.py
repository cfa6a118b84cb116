"""The privacy label: every row says what the release holds, worked out another way."""

import html
import math
import re

import numpy as np
import pytest

import dpviz as dp
from dpviz.core.errors import InvalidRelease
from dpviz.mechanisms.spatial.kd_references import KdTrue
from dpviz.reports.label import label, rows
from dpviz.reports.words import Told
from tests.reports.releases import COLUMN, NAMES, POINTS, one


@pytest.mark.parametrize("name", NAMES)
def test_every_release_has_a_label(name):
    release = one(name)
    said, page = dict(rows(release)), label(release, Told("yearly <pay>"))
    stored = release.spent.to_dict()
    size = float(stored.get("epsilon", stored.get("rho")))
    assert said["ρ" if "rho" in stored else "ε"] == f"{size:.3g}"
    assert f"{size:g}" in page
    assert "<pay>" not in page
    assert all(word not in page for word in ("<script", "http", ">None<"))
    is_secure = release.to_json().count('"secure"') > 0
    assert said["Exactness"].startswith("The law is exact" if is_secure else "None")
    assert ("of a rehearsal" in page) != is_secure


@pytest.mark.parametrize(
    ("notion", "symbol", "delta", "odds"),
    [
        ("pure", "ε", "0", math.exp(1)),
        ("approximate", "ε", "10⁻⁶", 2 * math.exp(1)),
        (
            "zcdp",
            "ρ",
            "none is fixed: ρ gives an ε at every δ above 0",
            math.exp(0.1 + 2 * (0.6 * math.log(10)) ** 0.5),
        ),
    ],
)
def test_the_promise_of_each_notion(notion, symbol, delta, odds):
    said = dict(rows(one("halving", notion)))
    assert symbol in said
    assert said["δ"] == delta
    (times,) = re.findall(r"more than ([\d.,]+) times", said["As odds"])
    assert odds <= float(times) <= odds * 1.01
    assert ("but for a chance" in said["As odds"]) == (notion != "pure")


def test_each_relation_and_unit():
    said = dict(rows(one("halving")))
    assert said["Tables that differ"] == "One record is added or removed"
    assert said["Protects"].startswith("One record")
    other = dict(rows(one("halving", neighbours="replace-one")))
    assert "replaced" in other["Tables that differ"]
    assert "public" in other["Tables that differ"]
    assert "whatever any one person's value" in other["As odds"].lower()


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (dp.PersonRows.at_most(3), "at most 3 rows a person"),
        (dp.PersonRows.weighted(), "the rows of a person share 840 parts"),
    ],
    ids=str,
)
def test_a_person_with_several_rows(kept, told):
    persons, values = np.repeat(np.arange(40), 5), np.linspace(0, 100, 200)
    column = dp.person_column(persons, values, COLUMN.bounds, 1, kept, dp.SecureBits(bytes(32)))
    release = dp.release_for_people(
        dp.ApproximateQuantiles(), column, [0.5], budget=dp.PureDP(1), rows=kept
    )
    said = dict(rows(release))
    assert said["Protects"].startswith(f"One person ({told}")
    assert said["Tables that differ"] == "One person is added or removed with all their rows"


def by_hand(epsilon, delta):
    """By how much one report of yes or no may change, and behind a shuffler all of them."""
    return math.exp(epsilon) * (2 if delta else 1)


@pytest.mark.parametrize("budget", [dp.PureDP(1.25), dp.ApproxDP(0.5, 1e-6)], ids=str)
@pytest.mark.parametrize(
    ("mechanism", "asked", "subject"),
    [
        (dp.LocalCounts(cuts=[40]), (), "2 counts of yearly pay, from local reports"),
        (dp.LocalCounts(fanout=2, height=3), (), "8 counts of yearly pay, from local reports"),
        (dp.LocalQuantiles(4), (0.5,), "The median of yearly pay, from local reports"),
        (
            dp.LocalQuantiles(2),
            ([0.25, 0.75, 0.25],),
            "quantiles of yearly pay, from local reports",
        ),
    ],
    ids=["cut", "tree", "median", "quantiles"],
)
def test_local_reports_have_a_label_of_their_own(mechanism, asked, subject, budget):
    release = mechanism.release(COLUMN, *asked, budget, dp.SecureBits.fresh())
    said, page = dict(rows(release)), label(release, Told("yearly pay"))
    is_shuffled, delta = isinstance(budget, dp.ApproxDP), getattr(budget, "delta", 0)
    assert said["Protects"] == "One person's one report"
    assert said["Tables that differ"].startswith("One person's value is replaced by any other")
    assert "who takes part is public" in said["Tables that differ"]
    assert (said["ε"], said["δ"]) == (f"{budget.epsilon:g}", "10⁻⁶" if delta else "0")
    assert said["Who is trusted"].startswith("A shuffler" if is_shuffled else "Local: nobody")
    assert "whoever held that column is trusted with it" in said["Who is trusted"]
    assert (
        f"each report holds ε = {release.local:.3g} alone" in said["Who is trusted"]
    ) == is_shuffled
    assert release.local > budget.epsilon or not is_shuffled
    assert said["Adds up"].startswith("Each person's one report")
    assert said["Exactness"].startswith("The law is exact")
    assert said["Method"].startswith(mechanism.card.title)
    (times,) = re.findall(r"more than ([\d.,]+) times", said["As odds"])
    wanted = by_hand(budget.epsilon, delta)
    assert wanted <= float(times) <= wanted * 1.01
    assert "whatever any one person's value is" in said["As odds"].lower()
    assert "Privacy label</title>" in page
    assert subject in html.unescape(page)
    assert f"{budget}" in html.unescape(page)
    central = dict(rows(one("halving")))
    assert all(central[name] != said[name] for name in ("Who is trusted", "Adds up", "Protects"))


def test_local_reports_of_a_seed_are_a_rehearsal():
    release = dp.LocalCounts(cuts=[40]).release(COLUMN, dp.PureDP(1), np.random.default_rng(1))
    assert dict(rows(release))["Exactness"].startswith("None")
    assert "Privacy label of a rehearsal" in label(release)


def test_a_reference_that_protects_nobody_has_none():
    release = KdTrue(2).release(POINTS, dp.PureDP(1), np.random.default_rng(1))
    for make in (rows, label):
        with pytest.raises(InvalidRelease, match="protects nobody"):
            make(release)


def test_a_seed_protects_nobody():
    release = dp.ApproximateQuantiles().release(
        COLUMN, [0.5], dp.PureDP(1), np.random.default_rng(1)
    )
    assert "Privacy label of a rehearsal" in label(release)
    assert "class='size none'" in label(release)
