"""The attacker of Teach: its plans against the raw marks, its laws by brute force, its words."""

import math
import re
from itertools import product

import numpy as np
import pytest

from dpviz.experiments.attacks.one_mark import most_right, right_by_repetition, right_by_subtraction
from dpviz.intake.samples import load_sample, sample_names
from dpviz.lessons import machine, survey
from dpviz.lessons.show import leavers
from dpviz.lessons.teach.attacks.attacker import LADDER, PLANS, SCENE
from tests.lessons.boxes import PICTURES, drawn, plain, said

BAD = [rating <= 4 for rating in load_sample("survey")[0].tolist()]
FEWEST = {"none": 1, "ten": 2, "five": 3}


def test_it_asks_what_the_script_asks():
    asked = said(SCENE, "ten", "predict")
    assert asked.headline == "How many counts do you need for Ana’s mark?"
    assert SCENE.right.text == "2"
    assert [one.misconception for one in SCENE.options] == ["M2", "M3", "M2", None]


@pytest.mark.parametrize("rule", FEWEST)
def test_a_plan_keeps_its_rule_and_finds_the_mark_whatever_the_marks_are(rule):
    groups = [set(group) for group in PLANS[rule]]
    assert all(len(one) == len(listed) for one, listed in zip(groups, PLANS[rule], strict=True))
    if rule != "none":
        assert all(len(one) >= 10 for one in groups)
    if rule == "five":
        pairs = [(one, other) for one in groups for other in groups if one is not other]
        assert all(len(one ^ other) >= 5 for one, other in pairs)
    found = SCENE.numbers(rule, 1)
    assert found.counts == tuple(sum(BAD[person] for person in group) for group in groups)
    assert found.mark == BAD[sample_names("survey").index("Ana")] == 1
    assert len(found.counts) == found.needs[list(FEWEST).index(rule)] == FEWEST[rule]
    rng = np.random.default_rng(2)
    for marks in rng.random((200, 40)) < 0.5:  # any file: the difference is the mark
        first, *others = (sum(marks[list(group)]) for group in groups)
        assert first - sum(others) == marks[0]


def test_one_count_of_ten_or_more_is_not_always_enough():
    """Whatever group is asked, there are two files with one count, and another mark of Ana's."""
    for size in range(10, 41):
        one, other = np.zeros(40, bool), np.zeros(40, bool)
        one[0] = other[1] = True
        assert one[:size].sum() == other[:size].sum()
        assert one[0] != other[0]


def test_two_groups_that_differ_in_five_never_leave_one_person():
    """a − b or a + b of two groups has one person in it only where they differ in one."""
    rng = np.random.default_rng(5)
    for _ in range(2_000):
        first, last = (rng.random((2, 40)) < rng.random()).astype(int)
        if abs(first - last).sum() < 5 or min(first.sum(), last.sum()) < 10:
            continue
        for a, b in product((-1, 0, 1), repeat=2):
            assert np.count_nonzero(a * first + b * last) != 1


def chances(epsilon):
    """The law of discrete Laplace noise as a table."""
    p = math.exp(-epsilon)
    return {k: (1 - p) / (1 + p) * p ** abs(k) for k in range(-60, 61)}


def test_guesses_are_right_as_often_as_a_sum_over_all_noises_says():
    found = SCENE.numbers("none", 1)
    pairs = product(chances(1 / 2).items(), repeat=2)
    two = sum(a * b for (one, a), (other, b) in pairs if one + other >= 0)
    assert found.right[1] == pytest.approx(two, abs=1e-6)
    one = sum(chance for noise, chance in chances(1).items() if noise >= 0)
    assert found.right[0] == pytest.approx(one, abs=1e-9) == pytest.approx(found.best, abs=1e-9)
    assert [round(100 * one) for one in found.right] == [73, 56, 53]
    draws = np.random.default_rng(1).laplace  # a law of another kind is seen
    wrong = np.mean(draws(0, 2, (40_000, 2)).sum(axis=1) > -0.5)
    assert abs(wrong - two) < 0.02 < abs(wrong - one)


def test_one_question_again_and_again_by_all_orders_of_its_answers():
    found = SCENE.numbers("none", 1)
    for times, share in zip((2, 4, 10), found.repeated, strict=True):
        q = 1 / (1 + math.exp(-1 / times))
        slow = sum(
            math.prod(q if one else 1 - q for one in answers)
            * ((2 * sum(answers) > times) + 0.5 * (2 * sum(answers) == times))
            for answers in product((True, False), repeat=times)
        )
        assert share == pytest.approx(slow) == pytest.approx(right_by_repetition(1.0, times))
    assert [round(100 * one) for one in found.repeated] == [62, 59, 56]
    assert all(one <= found.best for one in (*found.right, *found.repeated))


def test_no_plan_gets_above_what_the_promise_allows():
    shares = [100 * most_right(one) for one in (0.1, 1, 2, 5)]
    assert shares == pytest.approx([52.5, 73.1, 88.1, 99.3], abs=0.05)
    assert right_by_subtraction(2.0, 1) == pytest.approx(most_right(2.0))
    assert "62, 59 and 56 of 100" in SCENE.explained
    assert "52.5 at ε = 0.1, 73.2 at ε = 1, 88.1 at ε = 2 and 99.4 at ε = 5" in SCENE.explained


def test_the_headlines_are_the_scripts():
    exact = {rule: plain(said(SCENE, rule, "reveal").headline) for rule in PLANS}
    noisy = {rule: plain(said(SCENE, rule, "second").headline) for rule in PLANS}
    assert exact["ten"] == "Two big groups, one subtraction: Ana’s mark is out."
    assert exact["five"] == "Three big groups, 12 − 4 − 7 = 1: Ana’s mark is out."
    assert exact["machine"] == "22 counts prove all 40 marks."
    assert noisy["none"] == "With noise you may ask about Ana alone. Still: 73 in 100."
    for rule in FEWEST:
        sentence = said(SCENE, rule, "second").sentence
        assert sentence.lower().endswith("on average at most 73.2 of 100 are right; a coin 50.")
    assert said(SCENE, "none", "second").sentence.startswith("All counts share one tank: less of")
    assert noisy["ten"] == "With noise, two big groups get 56 of 100 right."
    assert noisy["five"] == "With noise, three big groups get 53 of 100 right."
    assert noisy["machine"] == "With noise, the same 22 counts prove nobody."
    assert "It takes 2 counts; with no rule, 1." in said(SCENE, "ten", "reveal").sentence
    assert (
        "in 5 people or more” costs one more count: 3 in" in said(SCENE, "five", "reveal").sentence
    )
    assert SCENE.verdict("a").startswith(
        "You said “10”. With groups of 10 or more: **2 counts, 5 − 4 = 1, so Ana’s mark is bad**."
    )


def test_a_machine_proves_what_the_stored_attack_proves():
    told = SCENE.numbers("machine", 1).machine
    sizes = survey.groups(22).sum(axis=1)
    assert told.sizes == (sizes.min(), sizes.max()) == (14, 28)
    assert (told.counts, told.proved, told.people, told.content) == (22, 40, 40, BAD.count(False))
    assert [told.curve[counts] for counts in survey.STOPS] == [
        0, 0, 0, 5, 21, 26, 31, 35, 40, 40, 40, 40,
    ]  # fmt: skip
    assert told.noisy_mean == pytest.approx(21.17, abs=0.01)
    assert plain(machine.say(told).sentence).startswith("22 exact counts over groups of 14 to 28")
    assert plain(machine.say_with_noise(told).sentence) == (
        "Each count is now ± 66. This attack gets 21 of 40; whoever guesses “content” for all gets "
        "24."
    )
    assert "groups of 14 to 28 proved" in leavers.SCENE.teacher


def test_the_noise_of_a_machines_count_is_that_of_one_budget_for_all():
    """The slow twin adds up the law of a count whose ε is a part of 1."""
    law, reach = chances(survey.EPSILON / 22), 0
    chance = law[0]
    while chance < 0.95:
        reach += 1
        p = math.exp(-survey.EPSILON / 22)
        chance += 2 * (1 - p) / (1 + p) * p**reach
    assert machine.numbers().reach == reach


def test_the_picture_says_what_the_record_says():
    for rule, fewest in FEWEST.items():
        text = drawn(SCENE, rule, "reveal", PICTURES[1])
        found = SCENE.numbers(rule, 1)
        assert f">{found.sum}<" in text
        assert f">{LADDER[list(FEWEST).index(rule)]}<" in text
        assert text.count(">bad marks<") == fewest
        words = re.findall(r'data-key="tiles/(\d+) word"[^>]*>([^<]*)<', text)
        for person, shown in words[1:]:
            held = [sign for sign, group in zip("●○□", found.groups, strict=False)
                    if int(person) in group]  # fmt: skip
            assert shown == ("".join(held) or "?")
        noisy = drawn(SCENE, rule, "second", PICTURES[1])
        (strong,) = re.findall(r'data-key="plan (\d)"[^>]* font-weight="700"', noisy)
        assert int(strong) == fewest - 1
        for place, right in enumerate((73, 56, 53, 50)):
            filled = [key for key in re.findall(rf'data-key="right {place}/\d+ dot"[^>]*', noisy)
                      if 'fill="none"' not in key]  # fmt: skip
            assert len(filled) == right
            assert f">{right}<" in noisy


def test_what_carries_the_finding_is_absent_before_the_guess():
    for size in PICTURES:
        text = drawn(SCENE, "ten", "predict", size)
        assert "url(#hatch)" not in text
        assert not re.search(">(good|all 40|5 − 4 = 1|2|Ana: bad)<", text)
        assert set(re.findall(r'data-key="tiles/\d+ word"[^>]*>([^<]*)<', text)) == {"?"}
