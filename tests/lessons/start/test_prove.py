"""The sheet "I am in this data. Prove it.": its noise, odds and readings against Python's."""

import json
import math
from itertools import product

import numpy as np
import pytest
import quickjs

from benchmarks.prove import bound
from benchmarks.prove import exact as exact_of_five
from dpviz.experiments.privacy.odds import Odds
from dpviz.figures.stage.engine import enclosed
from dpviz.intake.samples import load_sample
from dpviz.lessons.start import numbers, prove
from tests.statistics import fits_probabilities


class Sheet:
    """The module in an engine with a generator of its own."""

    def __init__(self, seed: int = 1) -> None:
        rng = np.random.default_rng(seed)
        self.context = quickjs.Context()
        self.context.add_callable("bits", lambda: float(rng.integers(2**32)))
        self.context.eval(enclosed("prove", prove.script()))

    def says(self, expression: str):
        found = self.context.eval(f"JSON.stringify([{expression}][0] ?? null)")
        return json.loads(found)


@pytest.fixture(scope="module")
def sheet():
    return Sheet()


def exact(noise: int, epsilon: float) -> float:
    p = math.exp(-epsilon)
    return (1 - p) / (1 + p) * p ** abs(noise)


def log_exact(noise: int, epsilon: float) -> float:
    return math.log(math.tanh(epsilon / 2)) - epsilon * abs(noise)


@pytest.mark.few(2, 4)
@pytest.mark.parametrize("epsilon", numbers.STOPS)
def test_noise_has_the_law_of_discrete_laplace_noise(epsilon):
    drawn = Sheet(7).says(f"Array.from({{length: 6000}}, () => $prove.noise({epsilon}, bits))")
    ends = math.ceil(2 / epsilon)
    inner = [exact(k, epsilon) for k in range(-ends, ends + 1)]
    beyond = (1 - sum(inner)) / 2
    chances = [beyond, *inner, beyond]
    counts = np.bincount(
        np.clip(np.array(drawn), -ends - 1, ends + 1) + ends + 1, minlength=2 * ends + 3
    )
    assert fits_probabilities(counts, chances)
    if epsilon > 2:
        return  # of so little noise a wrong law takes more draws to see
    twin = [exact(k, 1.3 * epsilon) for k in range(-ends, ends + 1)]
    outside = (1 - sum(twin)) / 2
    assert not fits_probabilities(counts, [outside, *twin, outside])


def test_whole_numbers_below_are_each_as_likely():
    drawn = Sheet(3).says("Array.from({length: 9000}, () => $prove.below(9, bits))")
    assert fits_probabilities(np.bincount(drawn), [1 / 9] * 9)
    high = quickjs.Context()
    high.eval(
        f"let n = 0; const last = () => (n++ ? 5 : 4294967295);{enclosed('prove', prove.script())}"
    )
    # the last of 2^32 numbers is one too many for threes: it is drawn again
    assert (high.eval("$prove.below(3, last)"), high.eval("n")) == (2, 2)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_what_answers_tell_is_the_log_ratio_of_their_laws(sheet, epsilon):
    without = 864
    for answers in ([864] * 5, [865] * 5, [860, 861, 870, 864, 865], [900, 812, 864, 865, 866]):
        ratio = sum(abs(one - without) - abs(one - without - 1) for one in answers) * epsilon
        laws = [
            sum(log_exact(one - centre, epsilon) for one in answers)
            for centre in (without, without + 1)
        ]
        found = sheet.says(f"$prove.told({answers}, {without}, {epsilon})")
        assert found == pytest.approx(ratio)
        assert found == pytest.approx(laws[1] - laws[0], abs=1e-6)
        assert abs(found) <= 5 * epsilon + 1e-9


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.5, 5.0, 50.0])
def test_how_often_a_guess_is_right_at_most(sheet, epsilon):
    most = 100 * Odds(epsilon).posterior(np.array([0.5]))[1][0]
    found = sheet.says(f"$prove.atMost({epsilon})")
    assert most <= found + 1e-6 <= most + 1


def test_the_best_guess_of_five_answers_keeps_the_bound(sheet):
    epsilon, reach = 1.0, range(-3, 5)
    right = 0.0
    for answers in product(reach, repeat=3):
        with_, without = (
            math.prod(exact(one - centre, epsilon) for one in answers) for centre in (1, 0)
        )
        right += max(with_, without) / 2
    assert right <= sheet.says(f"$prove.atMost({3 * epsilon})") / 100


def test_pairs_are_told_by_the_larger_one(sheet):
    inside, outside = [3, 5, 2, 2], [1, 5, 4, 1]
    assert sheet.says(f"$prove.tellable({inside}, {outside})") == 2.5


@pytest.mark.parametrize(
    ("text", "value"),
    [("52000", 52_000), ("52,000", 52_000), (" 1,234,567.5 ", 1_234_567.5), ("0", 0), ("7.", 7),
     ("", None), ("5x", None), ("-5", None), ("1e9", None), ("5,00", None),
     ("1234567890123", None)],
)  # fmt: skip
def test_a_typed_number(sheet, text, value):
    assert sheet.says(f"$prove.read({json.dumps(text)})") == value


def test_a_challenge_goes_through_its_link_and_holds_five_answers_alone(sheet):
    stops = json.dumps(numbers.STOPS)
    link = sheet.says("$prove.written({epsilon: 0.1, answers: [860, -3, 864, 865, 870]})")
    assert link == "#prove=0.1:860,-3,864,865,870"
    found = sheet.says(f"$prove.challenge({json.dumps(link)}, {stops})")
    assert found == {"epsilon": 0.1, "answers": [860, -3, 864, 865, 870]}
    for wrong in ("", "#eps=1", "#prove=0.3:1,2,3,4,5", "#prove=0.1:1,2,3,4",
                  "#prove=0.1:1,2,3,4,x", "#prove=0.1:1,2,3,4,5,6",
                  "#prove=.:1,2,3,4,5"):  # fmt: skip
        assert sheet.says(f"$prove.challenge({json.dumps(wrong)}, {stops})") is None


def test_what_the_sheet_is_given():
    (values,) = load_sample("salaries")
    given = prove.data()
    assert given["count"] == int((values > 100_000).sum()) - 1
    assert (given["everybody"], given["over"]) == (values.size, 100_000)
    assert given["epsilon"] in given["stops"] == numbers.STOPS


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_bench_counts_how_often_the_best_guesser_is_right(epsilon):
    told = 1 / (1 + math.exp(-epsilon))
    right = sum(
        math.prod(told if one else 1 - told for one in answers)
        for answers in product((True, False), repeat=5)
        if sum(answers) > 2
    )
    assert exact_of_five(epsilon) == pytest.approx(right)
    assert 100 * right <= bound(epsilon)
