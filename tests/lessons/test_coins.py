"""Teach: coins on 40 phones, against brute force, raw data and closed forms."""

import math
import re

import numpy as np
import pytest

from dpviz.figures.stage.screen import DESK, PHONE
from dpviz.intake.samples import load_sample
from dpviz.lessons.teach.promise.coins import SCENE, SIDE, numbers
from tests.lessons.boxes import plain

STOPS = SCENE.control.stops
BAD = [mark <= 4 for mark in load_sample("survey")[0].tolist()]


def heads_and_tails(draw: int) -> list[bool]:
    """What the phones send: two coins a phone, the second one tossed whatever the first says."""
    rng = np.random.default_rng([3, draw])
    first, second = rng.random(40).tolist(), rng.random(40).tolist()
    return [bad if one < 0.5 else other < 0.5
            for bad, one, other in zip(BAD, first, second, strict=True)]  # fmt: skip


@pytest.mark.parametrize("draw", [1, 2, 7])
def test_the_phones_in_view_toss_their_coins(draw):
    told, sent = numbers(40, draw), heads_and_tails(draw)
    assert told.marks.tolist() == BAD
    assert told.sent.tolist() == sent
    assert told.said == sum(sent)
    assert told.estimated == 2 * (sum(sent) - 10) == told.phones[0]


def test_the_script():
    assert (numbers(40).said, numbers(40).estimated, numbers(40).truth) == (22, 24, 16)
    assert [round(one) for one in numbers(40).reaches] == [10, 34, 107, 339, 1_074, 3_395, 10_735]
    assert {numbers(people).trusted for people in STOPS} == {3}


def test_how_far_answers_are_off():
    """Forty: every number of heads counted out. More: the root of the people, by hand."""
    chance = [0.0] * 41
    for true in range(17):
        for false in range(25):
            chance[true + false] += (
                math.comb(16, true) * 3**true * math.comb(24, false) * 3 ** (24 - false)
            ) / 4**40
    within = {t: sum(one for said, one in enumerate(chance) if abs(2 * (said - 10) - 16) <= t)
              for t in (8, 9, 10)}  # fmt: skip
    assert within[9] < 0.95 <= within[10]
    for people, reach in zip(STOPS[1:], numbers(40).reaches[1:], strict=True):
        assert reach == pytest.approx(1.96 * math.sqrt(3 * people) / 2, rel=0.005)
    p = 1 / 3  # e^−ε of the server's noise
    assert 1 - 2 * p**3 / (1 + p) < 0.95 <= 1 - 2 * p**4 / (1 + p)


def test_a_hundredth_takes_many_phones_or_few_people_and_a_server():
    """What the script says of ± 1 %: 28,812 phones, or 300 people and a server."""
    assert (1.96 * math.sqrt(3) / 2 / 0.01) ** 2 == pytest.approx(28_812)
    assert numbers(40).trusted / 0.01 == 300


@pytest.mark.parametrize("people", STOPS)
def test_laws_are_those_of_simulated_answers(people):
    """20,000 counts of either kind in the picture's columns, within six standard errors."""
    told, rng, runs = numbers(people), np.random.default_rng(people), 20_000
    truth = people * 2 // 5
    assert told.truth == truth
    said = rng.binomial(truth, 0.75, runs) + rng.binomial(people - truth, 0.25, runs)
    noise = rng.geometric(2 / 3, runs) - rng.geometric(2 / 3, runs)  # discrete Laplace, p = 1/3
    for off, unit, law in (
        (2 * (said - people / 4) - truth, told.unit, told.phones_law),
        (noise, told.server_unit, told.server_law),
    ):
        place = np.clip(np.round(off / unit), -SIDE, SIDE).astype(int) + SIDE
        share = np.bincount(place, minlength=2 * SIDE + 1) / runs
        assert np.all(np.abs(share - law) <= 6 * np.sqrt(law * (1 - law) / runs) + 6e-4)
    assert (told.unit, told.server_unit) == (
        dict(zip(STOPS, (2, 6, 20, 60, 200, 600, 2_000), strict=True))[people],
        1 if people == 40 else told.unit,
    )


@pytest.mark.parametrize("people", STOPS)
def test_published_answers_are_drawn_by_their_laws(people):
    """Forty each: their mean square is that of the law, within five standard errors."""
    for draw in (1, 2, 3):
        told = numbers(people, draw)
        assert told.phones.shape == told.server.shape == (40,)
        for off, spread in ((told.phones, math.sqrt(0.75 * people)), (told.server, math.sqrt(1.5))):
            assert 0.4 < np.sqrt(np.mean((off - told.truth) ** 2)) / spread < 1.9
        assert np.all(told.server == np.round(told.server))


@pytest.mark.parametrize(
    ("people", "headline", "sentence"),
    [
        (40, "± 10", "Of 40 people ± 10 is 25 %."),
        (400, "± 34", "Of 400 people ± 34 is 8.5 %."),
        (40_000_000, "± 10,735", "Of 40 million people ± 10,735 is 0.03 %."),
    ],
)
def test_the_sentences(people, headline, sentence):
    said = SCENE.say(numbers(people))
    assert plain(said.headline) == (f"Trust nobody: {headline}. Trust a server: ± 3. Same promise.")
    assert said.sentence == f"A phone tells the truth 3 times in 4: at most 3 to 1. {sentence}"
    assert float(re.search(r"is ([\d.]+) %", said.sentence)[1]) == pytest.approx(
        100 * numbers(people).reach / people, rel=0.12
    )


def test_what_is_said_around_the_picture():
    assert numbers(40).odds == (1 / 2 + 1 / 4) / (1 / 4)  # of "bad" where it is true, and not
    odds = 10 / 90 * 3
    assert f"to {100 * odds / (1 + odds):.0f}." in SCENE.teacher
    majority = sum(math.comb(9, k) * 0.75**k * 0.25 ** (9 - k) for k in range(5, 10))
    assert f"{100 * majority:.0f} of 100" in SCENE.teacher
    assert SCENE.answer == f"2 × (60 − 25) = {2 * (60 - 25)}."
    ask = SCENE.ask(numbers(40)).sentence
    assert ask == (
        "Both promise: a bad mark makes no answer over 3 times likelier. Of 40: phones ± 10, "
        "server ± 3."
    )
    coins = 40 * 1 / 2 * 1 / 2  # say "bad" by their second coin
    assert f"Of 40 phones about {coins:.0f} say “bad” by their second coin" in SCENE.explanation
    assert f"take {coins:.0f} off and double" in SCENE.explanation  # for half tell the truth
    assert "from ± 10 to ± 10,735, a server stays at ± 3" in SCENE.verdict("c")


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_question_keeps_the_line_of_the_phones(screen):
    for people in STOPS:
        told = numbers(people)
        shown = {mark["id"]: mark for mark in SCENE.marks(told, "reveal", screen)}
        assert shown["phones line"]["y"] == pytest.approx(told.reaches, abs=1e-3)
        assert shown["server line"]["y"] == [3] * 7
        assert shown["phones line"]["chosen"] == STOPS.index(people)
        assert shown["phones near"]["high"] - told.truth == pytest.approx(told.reach)
        assert shown["server near"]["high"] - told.truth == 3
        assert shown["coins"]["sent"] == told.sent.tolist()
        assert shown["phones number"]["text"] == f"{told.reach:,.0f}"
        sum_said = "".join(run[0] for run in shown["sum"]["text"])
        assert sum_said.endswith("2 × (22 − 10) = 24")
    asked = {mark["id"] for mark in SCENE.marks(numbers(40), "predict", screen)}
    assert not {"phones line", "phones word"} & asked
    assert {"server line", "first"} <= asked


def test_the_estimate_takes_off_what_second_coins_say_and_doubles():
    """Of many rooms of 40 phones: 10 say bad by second coins alone, 20 are true by the first."""
    rng = np.random.default_rng(4)
    heads, second = rng.random((2, 20_000, 40)) < 0.5
    bad = np.arange(40) < 16
    alone, true = (second & ~heads).sum(axis=1), heads.sum(axis=1)
    assert f"about {alone.mean():.0f} say “bad” by their second coin" in SCENE.explanation
    assert f"about {true.mean():.0f} tell the truth by their first" in SCENE.explanation
    said = np.where(heads, bad, second).sum(axis=1)
    assert (2 * (said - round(alone.mean()))).mean() == pytest.approx(16, abs=0.2)
