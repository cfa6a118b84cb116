"""The attacker's desk: whom its script gives away, against all sums of lines; rules and noise."""

import json
from itertools import product

import numpy as np
import pytest
import quickjs

from dpviz.figures.stage.engine import enclosed
from dpviz.intake.samples import load_sample
from dpviz.lessons import asking
from dpviz.lessons.teach.attacks.attacker import PLANS

MARKS = (load_sample("survey")[0] <= 4).astype(int)


@pytest.fixture(scope="module")
def script():
    context = quickjs.Context()
    context.eval(enclosed("asking", asking.script()))
    context.eval(
        "var solved = (notes) => JSON.stringify($asking.solved(JSON.parse(notes)));"
        "var refused = (...given) => $asking.refused(...given.map((one) => JSON.parse(one)));"
    )
    return context


def line(group):
    chosen = np.isin(np.arange(40), list(group)).astype(int)
    return {"group": chosen.tolist(), "count": int(chosen @ MARKS)}


def given_away(script, notes):
    found = json.loads(script.get("solved")(json.dumps(notes)))
    return {one["person"]: (one["bad"], one["text"]) for one in found}


def test_the_plans_of_the_scene_give_ana_away(script):
    texts = {"none": "1", "ten": "5 − 4", "five": "12 − 4 − 7"}
    for rule, text in texts.items():
        notes = [line(group) for group in PLANS[rule]]
        assert given_away(script, notes) == {0: (1, text)}
        ((person, (bad, _)),) = given_away(script, notes[::-1]).items()
        assert (person, bad) == (0, 1)  # whatever was asked first


def by_all_sums(notes):
    """Whom any sum of up to three lines, each once added, taken off or left out, leaves alone."""
    groups = np.array([one["group"] for one in notes])
    found = set()
    for signs in product((-1, 0, 1), repeat=len(notes)):
        left = np.array(signs) @ groups
        if signs[-1] and np.count_nonzero(signs) <= 3 and np.count_nonzero(left) == 1:
            found.add(int(np.flatnonzero(left)[0]))
    return found


def test_it_finds_whom_all_sums_of_lines_find_and_their_marks(script):
    rng, seen = np.random.default_rng(7), 0
    for _ in range(150):
        small = rng.random((4, 5)) < 0.5  # five people of 40: sums often leave one
        notes = [line(np.flatnonzero(one)) for one in small if one.any()]
        found = given_away(script, notes)
        assert set(found) == by_all_sums(notes)
        for person, (bad, text) in found.items():
            terms = [int(one) for one in text.replace("− ", "-").replace("+ ", "").split()]
            assert bad == MARKS[person]
            assert sum(terms) in {bad, 2 * bad}
        seen += len(found)
    assert seen > 100


@pytest.mark.parametrize(
    ("rule", "group", "before", "said"),
    [
        ("none", range(1), [], ""),
        ("none", [], [], "The office answers for 1 people or more; these are 0."),
        ("ten", range(9), [], "The office answers for 10 people or more; these are 9."),
        ("ten", range(10), [range(11)], ""),
        ("five", range(10), [range(20, 40), range(14)],
         "This group and ○ must differ in 5 people or more."),
        ("five", range(10), [range(15)], ""),
        ("five", range(10), [range(10)], "This group and ● must differ in 5 people or more."),
    ],
)  # fmt: skip
def test_the_office_keeps_its_rule(script, rule, group, before, said):
    found = script.get("refused")(
        *map(json.dumps, (line(group)["group"], [line(one) for one in before],
                          asking.desk()["rules"][rule], asking.desk()["words"])),
    )  # fmt: skip
    assert found == said


def test_its_numbers_are_those_of_the_file_and_its_noise_has_the_law_of_its_part():
    desk = asking.desk()
    assert desk["marks"] == MARKS.tolist()
    for part, draws in desk["shares"].items():
        p = np.exp(-float(part))
        law = (1 - p) / (1 + p) * p ** np.abs(np.arange(-90, 91))
        variance = np.sum(law * np.arange(-90, 91.0) ** 2)
        fourth = np.sum(law * np.arange(-90, 91.0) ** 4)
        off = 6 * np.sqrt(
            (fourth - variance**2) / len(draws)
        )  # false alarms: 2 in a thousand million
        assert abs(np.mean(np.square(draws)) - variance) < off
        wrong = np.sqrt(variance) * 2 * np.asarray(draws) / np.std(draws)
        assert abs(np.mean(np.square(wrong)) - variance) > off  # twice the noise is seen
    assert abs(np.mean(desk["coins"]) - 0.5) < 6 * 0.5 / np.sqrt(len(desk["coins"]))
    assert "more than 73.2 of 100" in desk["words"]["right"]
    assert desk["hint"] == 60
