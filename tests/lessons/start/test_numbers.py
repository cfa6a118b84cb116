"""The numbers of Start against the sample, one person after the other, and the exact laws."""

import math

import numpy as np
import pytest

from dpviz.intake.samples import load_sample
from dpviz.lessons.start import numbers
from tests.rows import by_rows
from tests.statistics import fits_probabilities

AROUND = 865


def exact(noise: int, epsilon: float) -> float:
    p = math.exp(-epsilon)
    return (1 - p) / (1 + p) * p ** abs(noise)


def test_the_people_are_those_of_the_sample():
    (values,) = load_sample(numbers.SAMPLE)
    crowd = numbers.people()
    assert crowd.everybody == values.size == 15_000
    assert crowd.over == np.count_nonzero(values > 100_000) == AROUND
    assert crowd.count(ida=True) - crowd.count(ida=False) == 1
    assert np.count_nonzero(values == numbers.IDA) == 1


def test_the_heap_holds_all_but_ida_and_is_cut_at_the_threshold():
    crowd = numbers.people()
    assert len(crowd.heap) == numbers.COLUMNS
    assert sum(crowd.heap) == 15_000 - 1
    assert sum(crowd.heap[numbers.BELOW :]) == AROUND - 1
    (values,) = load_sample(numbers.SAMPLE)
    low, high = numbers.HEAP
    place = np.log(values / low) / np.log(high / low) * numbers.COLUMNS
    inside = (place > 0.01) & (place < numbers.COLUMNS - 0.01) & (abs(place % 1 - 0.5) < 0.49)
    columns = np.bincount(place[inside].astype(int), minlength=numbers.COLUMNS)
    columns[int(np.log(numbers.IDA / low) / np.log(high / low) * numbers.COLUMNS)] -= 1
    assert np.abs(columns - crowd.heap).sum() <= np.count_nonzero(~inside)


@by_rows("epsilon", numbers.STOPS)
@by_rows("centre", [AROUND, AROUND - 1])
def test_the_law_is_exact_and_its_ends_hold_the_rest(epsilon, centre):
    law = numbers.law(epsilon, centre, AROUND)
    assert law.sum() == pytest.approx(1, rel=1e-12)
    inner = [exact(value - centre, epsilon) for value in range(AROUND - 19, AROUND + 20)]
    np.testing.assert_allclose(law[1:-1], inner, rtol=1e-9, atol=1e-15)
    above = sum(exact(value - centre, epsilon) for value in range(AROUND + 20, AROUND + 2000))
    assert law[-1] == pytest.approx(above, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 5.0])
def test_answers_follow_the_law(epsilon):
    """False alarm 1e-9; the law of half and of twice the ε is caught."""
    drawn = np.concatenate(
        [
            numbers.answers(epsilon, True, seed, number, AROUND)
            for seed in range(60)
            for number in range(6)
        ]
    )
    counts = np.bincount(drawn - (AROUND - numbers.REACH), minlength=2 * numbers.REACH + 1)
    assert fits_probabilities(counts, numbers.law(epsilon, AROUND, AROUND))
    for wrong in (epsilon / 2, epsilon * 2):
        assert not fits_probabilities(counts, numbers.law(wrong, AROUND, AROUND))


def test_the_same_randomness_moves_answers_with_epsilon_and_with_ida():
    weak, strong = (numbers.noise(epsilon, 1, 0) for epsilon in (1.0, 0.1))
    assert (np.abs(strong) >= np.abs(weak)).mean() > 0.9
    assert np.corrcoef(weak, strong)[0, 1] > 0.9
    inside = numbers.answers(1.0, True, 1, 0, AROUND)
    outside = numbers.answers(1.0, False, 1, 0, AROUND)
    assert [one - other for one, other in zip(inside, outside, strict=True)] == [1] * numbers.DRAWS
    assert numbers.answers(1.0, True, 1, 0, AROUND) != numbers.answers(1.0, True, 1, 1, AROUND)
    assert numbers.answers(1.0, True, 1, 0, AROUND) != numbers.answers(1.0, True, 2, 0, AROUND)


@pytest.mark.parametrize("epsilon", numbers.STOPS)
def test_what_nobody_can_exceed_is_attained(epsilon):
    """The best guess of a person who sees one answer, by a plain sum over all answers."""
    chances = [(exact(k, epsilon), exact(k + 1, epsilon)) for k in range(-4000, 4000)]
    best = max(one / (one + other) for one, other in chances if other > 1e-280)
    assert best == pytest.approx(numbers.belief(epsilon), rel=1e-9)
    assert 1 - numbers.doubt(epsilon) == pytest.approx(numbers.belief(epsilon), rel=1e-12)
