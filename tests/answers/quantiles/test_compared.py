"""Several methods side by side: each number worked out anew; and what is said of them."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import Answers, Writing
from dpviz.answers.quantiles.compared import ComparedNumbers, MethodErrors, answer
from dpviz.answers.quantiles.compared_said import beside, headline, second, strip
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import unmarked
from dpviz.core.bounds import Bounds
from dpviz.intake.samples import sample

EXAM = Voice(sample("exam").words, Writing.of(Bounds(0, 100), 1))
QS, TRUTH = np.array([0.2, 0.45, 0.9]), np.array([20.0, 45.0, 90.0])
RNG = np.random.default_rng(6)
OFF = {  # errors of 40 draws of three quantiles
    "tree": RNG.normal(0, [1.0, 3.0, 2.0], (40, 3)),
    "halving": RNG.normal(0, [6.0, 1.0, 6.0], (40, 3)),
    "alone": RNG.normal(0, [1.1, 3.1, 2.1], (40, 3)),
}
NAMES = {"tree": "noisy tree", "halving": "recursive halving", "alone": "one by one"}


def answers(draws=True):
    return {
        key: Answers(QS, TRUTH + off[0], TRUTH, TRUTH + off if draws else None)
        for key, off in OFF.items()
    }


def slow(key, draws=True):
    """Mean error of each draw, that of the middle quantile, and each draw's worst."""
    runs = OFF[key] if draws else OFF[key][:1]
    by_draw = [sum(abs(float(one)) for one in run) / 3 for run in runs]
    median = sum(abs(float(run[1])) for run in runs) / len(runs)
    return by_draw, median, [max(abs(float(one)) for one in run) for run in runs]


def slow_level(one, other):
    means, spread = [], 0.0
    for errors in (one, other):
        mean = sum(errors) / len(errors)
        means.append(mean)
        spread += sum((error - mean) ** 2 for error in errors) / len(errors) ** 2
    return abs(means[0] - means[1]) < 2 * spread**0.5


@pytest.mark.parametrize("draws", [True, False])
def test_every_number(draws):
    found = answer(answers(draws))
    means = {key: sum(slow(key, draws)[0]) / len(slow(key, draws)[0]) for key in OFF}
    order = sorted(means, key=means.__getitem__)
    assert [method.key for method in found.methods] == order
    best = order[0]
    for method in found.methods:
        by_draw, median, _ = slow(method.key, draws)
        assert method.mean == pytest.approx(means[method.key])
        assert method.times == pytest.approx(means[method.key] / means[best])
        assert method.median == pytest.approx(median)
        assert method.draws == (40 if draws else 0)
        if method.key != best:
            assert method.level == slow_level(slow(best, draws)[0], by_draw)
    if draws:
        worst = sorted(slow(best)[2])
        low = worst[37]
        assert found.bad == pytest.approx(low + 0.05 * (worst[38] - low))
        assert {method.level for method in found.methods[1:]} == {True, False}
        assert found.best_for_median.key == "halving"
    else:
        assert found.bad is None


def numbers(*methods, bad=9.9):
    return ComparedNumbers(methods, bad)


TREE = MethodErrors("tree", 0.7, 1.0, True, 0.5, 200)
HALVING = MethodErrors("halving", 1.4, 2.0, False, 0.3, 200)


def test_the_better_method_is_named():
    found = numbers(TREE, HALVING)
    assert headline(found, NAMES, EXAM) == (
        "**Noisy tree** comes closest: off by :blue[0\\.7] marks on average."
    )
    line = second(found, NAMES, EXAM, "ε")
    assert unmarked(line()) == (
        "Recursive halving misses by 1.4 marks, 2.0 times as much, for the same ε. For the median "
        "alone recursive halving is best, off by 0.3 marks."
    )
    assert unmarked(line(brief=True)).endswith("for the same ε.")
    near = numbers(TREE, replace(HALVING, times=1.04, median=0.6))
    assert unmarked(second(near, NAMES, EXAM, "ε")()) == (
        "Recursive halving misses by 1.4 marks for the same ε."
    )


def test_level_and_single_methods():
    level = numbers(TREE, replace(HALVING, level=True))
    assert unmarked(headline(level, NAMES, EXAM)) == (
        "Noisy tree and recursive halving are level: off by 0.7 marks."
    )
    for draws, said in ((200, "200 draws of each say"), (0, "one draw of each says")):
        few = numbers(replace(TREE, draws=draws), *level.methods[1:])
        assert (
            unmarked(second(few, NAMES, EXAM, "ε")()) == f"What {said} of a difference is chance."
        )
    one = numbers(TREE)
    assert unmarked(headline(one, NAMES, EXAM)) == "Noisy tree is off by 0.7 marks on average."
    assert second(one, NAMES, EXAM, "ε")() == "Choose a second method to compare it with."


def test_what_stands_beside_a_mean_error():
    found = numbers(TREE, HALVING)
    assert beside(TREE, found, "marks") == ("marks off on average", "marks off")
    assert beside(HALVING, found, "marks") == ("marks, 2.0 times the best", "2.0 times")
    assert beside(HALVING, found, "") == ("2.0 times the best", "2.0 times")
    worse = replace(HALVING, key="one", mean=2.45, times=3.5)
    three = numbers(TREE, HALVING, worse)
    assert [beside(one, three, "marks")[1] for one in three.methods] == [
        "marks off", "2.0 times", "3.5 times",
    ]  # fmt: skip
    level = replace(HALVING, level=True)
    assert beside(level, numbers(TREE, level), "marks") == ("marks, level with the best", "level")


def test_the_strip_names_draws_and_a_bad_one():
    assert strip(numbers(TREE, HALVING), EXAM, "ε = 7") == [
        ("best first; hills are", "200 draws each"),
        ("best one's worst gap, 19 of 20 under", "9.9 marks"),
        ("each draw would spend", "ε = 7"),
    ]
    assert strip(numbers(TREE, bad=None), EXAM, "ε = 7")[0] == ("best first", "by this draw alone")


@pytest.mark.parametrize(("apart", "level"), [(1.8, True), (2.2, False)])
def test_two_standard_errors_of_the_difference_are_level(apart, level):
    truth = np.array([50.0])
    errors = np.tile([1.0, 3.0], 20)[:, None]  # mean 2, and a standard error of 1/√40
    moved = errors + apart * (2 / 40) ** 0.5
    found = answer(
        {
            "one": Answers(np.array([0.5]), truth, truth, truth + errors),
            "other": Answers(np.array([0.5]), truth, truth, truth + moved),
        }
    )
    assert found.worst.key == "other"
    assert found.worst.level is level
