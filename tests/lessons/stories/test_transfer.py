"""What is asked again two scenes later: where it stands, and its figures by another way."""

import itertools
import math
import re

import numpy as np
from scipy.optimize import nnls

from dpviz.intake.samples import load_sample
from dpviz.lessons.stories.listing import BY_KEY, scene
from dpviz.lessons.stories.transfer import TRANSFERS, below

BY_AFTER = {one.after: one for one in TRANSFERS}


def numbers(text: str) -> list[float]:
    return [float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def test_each_comes_after_its_scene_and_stands_below_one_other():
    places = {one.name: one.number for one in BY_KEY["teach"].scenes}
    for one in TRANSFERS:
        assert 1 <= places[one.at] - places[one.after] <= 3
        assert below(scene(one.at)) is one
    assert len({one.at for one in TRANSFERS}) == len(TRANSFERS)
    assert [name for name in places if below(scene(name)) is None]


def test_the_right_one_has_no_place_of_its_own_and_is_told():
    places = [one.shuffled("AB12CD").index(one.right) for one in TRANSFERS]
    assert len(set(places)) > 1
    for one in TRANSFERS:
        assert sorted(one.shuffled()) == sorted(one.options)
        assert len(set(one.options)) == 3
        for said in one.options:
            start = f"{'Yes' if said == one.right else 'No'}: **{one.right}**. "
            assert one.judged(said) == start + one.why()
    rooms = {tuple(BY_AFTER["tank"].shuffled(room)) for room in "abcdefgh"}
    assert len(rooms) > 1


def test_rounded_counts_give_all_marks():
    ratings = load_sample("survey")[0]
    secrets = (np.asarray(ratings)[:40] <= 4).astype(float)
    assert "160 counts rounded to 5 give 40 of the 40 marks" in BY_AFTER["attacker"].why()
    groups = np.random.default_rng(1).random((160, secrets.size)) < 0.5
    counts = np.array([sum(secrets[group]) for group in groups])
    rounded = np.array([5 * round(one / 5) for one in counts])
    # least squares over 0 to 1 by a solver of its own: x and 1 − x are both at least 0
    size = secrets.size
    above = np.vstack(
        [np.hstack([groups, np.zeros_like(groups)]), 1e4 * np.hstack([np.eye(size)] * 2)]
    )
    found, _ = nnls(above.astype(float), np.concatenate([rounded, 1e4 * np.ones(size)]))
    assert ((found[:size] > 0.5) == (secrets > 0.5)).all()


def test_a_family_and_a_person_with_many_rows():
    odds = math.exp(0.4) / 9
    most = math.ceil(1_000 * odds / (1 + odds)) / 10
    assert BY_AFTER["two_worlds"].right == f"{most:g}" == "14.3"
    assert numbers(BY_AFTER["two_worlds"].why()) == [4, 0.1, 0.4, 10, 90, 0.4]
    rows = [[10.0] * 12 + [3.0], [3.0]]
    assert BY_AFTER["who_counts"].question.startswith(
        "At most 12 lunches a person"
    )  # not Ana's own
    assert BY_AFTER["who_counts"].right == f"{sum(rows[0]) - sum(rows[1]):g}"


def test_a_dashboard_of_a_month():
    ks = np.arange(-20_000, 20_001)
    p = math.exp(-0.01)
    law = (1 - p) / (1 + p) * p ** np.abs(ks)
    alone = float((law * np.abs(ks)).sum())
    wave = np.fft.fft(np.roll(law[:-1], 20_000))  # around a circle of 40,000, ten times its sd
    summed = np.roll(np.fft.ifft(wave**720).real, 20_000)
    mean = float((summed * np.abs(ks[:-1])).sum()) / 720
    assert BY_AFTER["tank"].options[1] == f"about {alone:.0f}, as one answer"
    said = numbers(BY_AFTER["tank"].why())
    assert said[0] == round(alone)
    assert said[1:] == [720, round(mean, 1), 7.2]
    assert BY_AFTER["tank"].right == "about 4"


def test_bounds_and_nodes():
    assert BY_AFTER["largest_value"].right == f"grows {1_000 // 100} times"
    most = max(bin(edge).count("1") for edge in range(1_024))
    levels = len(
        list(itertools.takewhile(lambda size: size >= 1, (1_024 / 2**k for k in range(20))))
    )
    assert BY_AFTER["why_tree"].right == f"{most} nodes"
    assert numbers(BY_AFTER["why_tree"].why()) == [most, levels, levels]
