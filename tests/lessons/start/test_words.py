"""The sentences of Start at every stop of its slider, against laws worked out here."""

import math
import re
from decimal import ROUND_UP, Decimal, getcontext

import pytest

from dpviz.lessons.start import numbers, words
from tests.rows import by_rows

# ε, smallest k with P(|noise| ≤ k) ≥ .95, highest belief in per cent rounded up, second sentence
STOPS = [
    (0.1, 30, "52.5", "Reveal no one."),
    (0.2, 15, "55.0", "Reveal no one."),
    (0.5, 6, "62.3", "Reveal no one."),
    (1.0, 3, "73.2", "Reveal no one."),
    (2.0, 1, "88.1", "Hint at anyone."),
    (5.0, 0, "99.4", "Reveal anyone."),
    (10.0, 0, "99.996", "Reveal anyone."),
]


def bare(markdown: str) -> str:
    """What a reader sees of it."""
    text = re.sub(r":(?:blue|orange)\[((?:\\.|[^\]])*)\]", r"\1", markdown).replace("**", "")
    return text.replace("\\", "").replace("\N{NO-BREAK SPACE}", " ")


def within(epsilon: float, reach: int) -> float:
    p = math.exp(-epsilon)
    return sum((1 - p) / (1 + p) * p ** abs(k) for k in range(-reach, reach + 1))


def test_all_stops_are_here():
    assert tuple(row[0] for row in STOPS) == numbers.STOPS


@pytest.mark.parametrize(("epsilon", "reach", "most", "second"), STOPS)
def test_the_sentences_follow_the_exact_laws(epsilon, reach, most, second):
    assert within(epsilon, reach) >= 0.95
    assert reach == 0 or within(epsilon, reach - 1) < 0.95
    assert bare(words.heading(epsilon)) == f"Learn about everyone. {second}"
    near = f"19 answers in 20 fall within ±{reach} of the true"
    start = near if reach else "Nearly every answer is exactly the true"
    end = f"One answer lifts a 50 % guess that Ida is in to at most {most} %."
    assert bare(words.sentence(epsilon, ida=True)) == f"{start} 865. {end}"
    assert bare(words.sentence(epsilon, ida=False)) == f"{start} 864. {end}"


@by_rows("epsilon", [*numbers.STOPS, 1e-6, 0.03, 0.7, 3.0, 7.3, 15.0, 20.0])
def test_what_stands_after_at_most_is_rounded_up_and_below_certainty(epsilon):
    getcontext().prec = 50
    exact = 100 / (1 + (-Decimal(epsilon)).exp())
    said = Decimal(bare(words.belief(epsilon)).removesuffix(" %"))
    digits = -said.as_tuple().exponent
    assert said == exact.quantize(Decimal(1).scaleb(-digits), ROUND_UP)
    assert exact <= said < 100


def test_a_belief_that_no_digits_tell_from_certainty():
    assert bare(words.belief(300.0)) == "100 %"
    assert bare(words.belief(1e6)) == "100 %"


@pytest.mark.parametrize("epsilon", numbers.STOPS)
def test_vermilion_says_that_one_answer_reveals_anyone(epsilon):
    leaks = numbers.belief(epsilon) > 0.9
    assert leaks == (epsilon >= 5)
    assert (":orange[" in words.heading(epsilon)) == leaks
    assert (":orange[" in words.sentence(epsilon, ida=True)) == leaks


def test_an_outsider_reads_the_answer_and_not_the_truth():
    text = bare(words.outside(1.0, 861))
    assert text.startswith("The answer is 861, within ±3 of the truth 19 times in 20. One answer")
    assert bare(words.outside(10.0, 861)).startswith("The answer is 861, nearly always exactly")
    assert "865" not in text + words.alternative_outside(1.0, 861)


def test_the_lede_names_differential_privacy_and_the_alternative_says_what_is_drawn():
    assert "Differential privacy" in words.LEDE
    assert f"{numbers.people().everybody:,} people earn over {numbers.THRESHOLD:,.0f}" in words.LEDE
    told = words.alternative(0.5, ida=False)
    for part in ("15,000 salaries", "864 of them", "ε = 0.5", "within 6 of 864", "Ida is out"):
        assert part in told
