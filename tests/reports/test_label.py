"""The privacy label: every row says what the release holds, worked out another way."""

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
