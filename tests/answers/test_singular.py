"""The net for plurals behind a one: what it catches, and that it is over this folder."""

from dataclasses import dataclass

import pytest

from dpviz.answers.said import Line, Said
from tests.singular import checked, ones, plurals


@dataclass(frozen=True)
class Part:
    width: float
    many: int
    is_one: bool = True


@dataclass(frozen=True)
class Numbers:
    parts: tuple[Part, ...]
    people: int
    name: str = "7 bins"


FOUND = Numbers((Part(2.5, 3), Part(0.5, 9, False)), 12)


def test_ones_are_ones_all_the_way_down():
    assert ones(FOUND) == Numbers((Part(1.0, 1), Part(1.0, 1, False)), 1)


@pytest.mark.parametrize(
    "text",
    ["in 1 buckets", ":blue[1] bins", "1 are undecided", "takes 1 times", "± 1 students",
     "1 made-up people", "**1** noisy counts"],
)  # fmt: skip
def test_a_plural_is_caught(text):
    (found,) = plurals(Said(Line("One."), Line("Two.", text), [], ""))
    assert found.startswith("1 ")
    assert plurals([("strip", text)])


@pytest.mark.parametrize(
    "text",
    ["in 1 bucket", "0.1 bins", "11 bins", "1 × 1 cells", "1 of 9 bins", "1 less", "1,001 bins",
     "2^1 points", "ε = 1 publishes", "−1 student", "1 is undecided"],
)  # fmt: skip
def test_a_singular_is_not(text):
    assert plurals(text) == []


def test_a_sentence_is_said_of_ones_too():
    def right(found: Numbers) -> str:
        return f"{found.people} {'person' if found.people == 1 else 'people'}"

    def wrong(found: Numbers) -> str:
        return f"{found.people} people"

    def shares(found: Numbers) -> str:
        return f"{1 / (found.people - 1):g} of all"

    assert checked(right)(FOUND) == "12 people"
    assert checked(shares)(FOUND) == "0.0909091 of all"  # of one person there is none
    with pytest.raises(AssertionError, match="1 people"):
        checked(wrong)(FOUND)


def test_the_net_is_over_this_folder(request):
    assert "in_the_singular" in request.fixturenames
