"""Names removed: its piles by comparing everybody with everybody, its law by adding up pairs."""

import csv
import math
import re
from collections import Counter

import numpy as np
import pytest

from dpviz.lessons.stories import telling
from dpviz.lessons.stories.listing import BY_KEY
from dpviz.lessons.stories.telling import Place
from dpviz.lessons.teach.attacks.names_removed import EPSILONS, SCENE
from tests.conftest import ROOT
from tests.lessons.boxes import PICTURES, drawn, plain, said

with (ROOT / "sample_data" / "office.csv").open(encoding="utf-8") as _file:
    OFFICE = list(csv.DictReader(_file))


def facts_of(row):
    """The five facts of a row of the file, in the order of the script."""
    age = int(row["age"])
    group = "under 30" if age < 30 else "30 to 44" if age <= 44 else "45 and more"
    return row["team"], row["floor"], row["travel"], group, row["parent"]


def alike(facts):
    """Of each person, how many have the same first facts, by comparing all pairs."""
    every = [facts_of(row)[:facts] for row in OFFICE]
    return [sum(one == other for other in every) for one in every]


def test_so_many_stand_alone_with_so_many_facts():
    script = dict(zip(range(1, 6), (0, 3, 15, 29, 36), strict=True))
    for facts, alone in script.items():
        found, twin = SCENE.numbers(facts, 1), alike(facts)
        assert found.now == twin.count(1) == alone
        assert found.alone == tuple(script.values())
        assert found.like_ana == twin[[row["name"] for row in OFFICE].index("Ana")]
        sizes = Counter(found.piles)
        assert [sizes[pile] for pile in found.piles] == twin
        for one in range(40):  # in one pile exactly where all facts are the same
            for other in range(40):
                same = facts_of(OFFICE[one])[:facts] == facts_of(OFFICE[other])[:facts]
                assert same == (found.piles[one] == found.piles[other])
    assert SCENE.numbers(5, 1).like_ana == 2  # she is among the four that are not alone


def test_two_noisy_counts_agree_as_often_as_all_pairs_of_noises_say():
    found = SCENE.numbers(1, 1).agreeing
    for epsilon, share in zip(EPSILONS, found, strict=True):
        p, at = math.exp(-epsilon), np.arange(-600, 601)
        law = (1 - p) / (1 + p) * p ** np.abs(at)
        assert share == pytest.approx(float(np.sum(law * law)), rel=1e-9)
    assert [round(100 * one, 1 if one < 0.03 else 0) for one in found] == [2.5, 5, 13, 28, 60, 97]


def test_it_says_what_the_script_says():
    assert plain(said(SCENE, 5, "reveal").headline) == (
        "Five harmless facts, no name: 36 of 40 stand alone."
    )
    assert plain(said(SCENE, 1, "reveal").headline) == (
        "One harmless fact, no name: nobody is alone."
    )
    assert said(SCENE, 3, "reveal").sentence == (
        "By team, floor and way to work. Ana is one of 2 who are alike."
    )
    second = said(SCENE, 5, "second")
    noise = np.random.default_rng(3).geometric(1 - math.exp(-1), (4, 400_000))
    alike = 100 * np.mean(noise[0] - noise[1] == noise[2] - noise[3])
    assert (
        plain(second.headline) == f"Noisy tables contradict each other: {alike:.0f} of 100 agree."
    )
    assert second.sentence.endswith(
        f"100 of 100 agree without noise, {alike:.0f} each with its own, ε = 1."
    )
    assert SCENE.verdict("c").startswith("You said “15”. With five facts: **36 of 40 are the only")
    assert [one.misconception for one in SCENE.options] == ["M1", "M1", "M2", None]


def test_the_sum_of_the_exercise():
    p = math.exp(-1)
    sd = math.sqrt(2 * p) / (1 - p)
    for number in (round(sd, 2), round(math.sqrt(1_000) * sd), round(1.96 * math.sqrt(1_000) * sd)):
        assert f"{number:g}" in SCENE.answer
    within = (1 - p) / (1 + p) * (1 + 2 * (p + p**2 + p**3))
    assert within >= 0.95 > within - 2 * (1 - p) / (1 + p) * p**3  # so one count is ± 3


def test_the_piles_are_seen():
    for facts, alone in zip(range(1, 6), (0, 3, 15, 29, 36), strict=True):
        text = drawn(SCENE, facts, "reveal", PICTURES[1])
        tiles = re.findall(r'data-key="piles/\d+"[^>]*', text)
        assert len(tiles) == 40
        assert sum("url(#hatch)" in one for one in tiles) == alone
        places = [re.findall(r' (x|y)="([^"]+)"', one) for one in tiles]
        assert len(set(map(str, places))) == 40  # none hides another
        assert f">{alone} of 40<" in text
    text = drawn(SCENE, 5, "second", PICTURES[1])
    for place, filled in enumerate((100, 28)):
        dots = re.findall(rf'data-key="agreeing {place}/\d+ dot"[^>]*', text)
        assert sum('fill="none"' not in one for one in dots) == filled
    for share in ("2.5", "5", "13", "28", "60", "97", "100"):
        assert f">{share}<" in text


def test_what_carries_the_finding_is_absent_before_the_guess():
    for size in PICTURES:
        text = drawn(SCENE, 1, "predict", size)
        assert "url(#hatch)" not in text
        assert not re.search(">(3|15|29|36|36 of 40)<", text)


def test_tables_are_shown_without_the_control_of_facts():
    asked = Place(BY_KEY["teach"], SCENE, "d", "reveal", 5)
    assert [one["kind"] for one in telling.controls(asked)] == ["go", "slider", "go"]
    tables = Place(BY_KEY["teach"], SCENE, "d", "second", 5)
    assert [one["kind"] for one in telling.controls(tables)] == ["go", "go"]
