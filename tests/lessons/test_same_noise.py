"""Teach 3: one count, a hundred times, for 40 people and for 6,000."""

import math

import pytest

from dpviz.figures.stage.screen import DESK
from dpviz.lessons.teach.noise.same_noise import SCENE, felt, numbers

STOPS = SCENE.control.stops


def test_the_figures_of_the_script():
    told = numbers(1.0, 1)
    assert (told.staff.people, told.staff.truth) == (40, 16)
    assert (told.students.people, told.students.truth) == (6_000, 1_713)
    assert told.staff.noise.count(0) == 46
    assert told.staff.within == 96
    assert told.law[8] == pytest.approx(46.2, abs=0.05)


@pytest.mark.law
def test_nineteen_of_twenty_answers_are_within_reach():
    reach = [numbers(eps).staff.reach for eps in STOPS]
    assert reach == [300, 150, 60, 30, 15, 6, 3, 1, 0, 0]
    assert reach == [numbers(eps).students.reach for eps in STOPS]


@pytest.mark.parametrize("eps", STOPS)
def test_the_law_is_that_of_the_columns(eps):
    """The slow twin adds the chance of every whole number to the column it is in."""
    told, p = numbers(eps), math.exp(-eps)
    found = dict.fromkeys(range(-8, 9), 0.0)
    for noise in range(-9 * told.unit, 9 * told.unit + 1):
        column = int(math.copysign(math.ceil(abs(noise) / told.unit - 0.5), noise))
        if column in found:
            found[column] += 100 * (1 - p) / (1 + p) * p ** abs(noise)
    assert told.law == pytest.approx(list(found.values()))
    assert sum(told.law) > 99.9


def test_the_groups_have_noise_of_their_own():
    for eps in STOPS[:7]:
        assert numbers(eps).staff.noise != numbers(eps).students.noise


def test_the_ends():
    assert numbers(10.0).staff.noise == (0,) * 100
    far = numbers(0.01).staff
    assert far.negative == 36
    assert (min(far.noise) + 16, max(far.noise) + 16) == (-524, 414)


def test_the_sentences():
    said = SCENE.say(numbers(1.0))
    assert said.headline == "40 people or 6,000: :blue[the same noise]."
    assert said.sentence == ("ε = 1: of 100 answers, 96 (staff) and 96 (students) are within 3.")
    assert "36 for the staff are below 0." in SCENE.say(numbers(0.01)).sentence
    assert ":orange[" in SCENE.say(numbers(10.0)).headline
    p = math.exp(-10.0)  # 9 answers in 100,000 are not the truth even then
    assert 8e-5 < 2 * p / (1 + p) < 1e-4
    for weak in (5.0, 10.0):
        assert SCENE.say(numbers(weak)).sentence.endswith("are the truth: hardly any protection.")
    assert SCENE.ask(numbers(1.0)).sentence.endswith("At ε = 1 a count is ± 3.")
    assert SCENE.verdict("a").endswith(
        "At ε = 1: **19 of 20 counts are within 3 for 40 people, within 3 for 6,000**."
    )
    assert "from 11 to 20" in SCENE.alt(numbers(1.0))


def test_what_noise_is_to_a_group():
    words = [(felt(n.staff, "it"), felt(n.students, "it")) for n in map(numbers, STOPS)]
    assert words[0] == ("it drowns", "it feels it")
    assert words[3] == ("it drowns", "nobody will notice")
    assert words[6] == ("it feels it", "nobody will notice")
    assert words[9] == ("hardly hidden",) * 2


def test_the_question_hides_the_students_answers():
    marks = {mark["id"] for mark in SCENE.marks(numbers(1.0), "predict", DESK)}
    assert {"staff dots", "students crowd", "noise"} <= marks
    assert not {"students dots", "students law", "students near"} & marks
