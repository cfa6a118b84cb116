"""The test of 15 questions: balanced keys, known misconceptions, and figures worked out anew."""

import math
import re
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import dpviz as dp
from dpviz.lessons.scene import MISCONCEPTIONS
from dpviz.lessons.stories import inventory
from dpviz.lessons.stories.inventory import ITEMS, PASS, gift, guessing, score
from dpviz.lessons.stories.listing import STORIES, scene

MODULES = {
    "averages", "attacker", "coins", "same_noise", "two_worlds", "who_counts", "tank",
    "largest_value", "median", "why_tree", "combined_levels", "what_breaks", "names_removed",
    "promised",
}  # fmt: skip
KEYS = "bcdacdabdbadcab"


def right(number: int) -> str:
    """The text of the key of a question."""
    return ITEMS[number - 1].right.text


def texts(number: int) -> list[str]:
    return [one.text for one in ITEMS[number - 1].options]


def test_keys_are_balanced_and_length_gives_none_away():
    assert "".join(item.right.key for item in ITEMS) == KEYS
    assert [Counter(KEYS)[key] for key in "abcd"] == [4, 4, 3, 4]
    longest = [len(item.right.text) == max(len(one.text) for one in item.options) for item in ITEMS]
    assert sum(longest) == 4
    for item in ITEMS:
        assert [one.key for one in item.options] == list("abcd")
        assert len({one.text for one in item.options}) == 4
        wrong = {one.misconception for one in item.options} - {None}
        assert wrong <= set(MISCONCEPTIONS)


SCREENS = (  # what a reader alone has read when a question comes: no word for teachers
    "Every published answer must be almost equally likely in both",
    "rows add up to ε = 1.2",
    "four times the answers, half the error",
    "Each one drains its ε from the tank",
    "cutting at zero: the promise stays as it was",
    "not what is true of people like you",
    "from a law or a public pay scale, not from the file",
    "A running count adds at most log₂ K nodes",
    "Noise must cover the most that one person could add: the bound",
    "a family of 4 who answer alike counts as 4 × 0.1, and 10 in 100 becomes at most 14.3",
    "Phones add 40 noises, the server one",
    "A known or repeated seed takes the noise off again",
    "the error you need first, try them on a stand-in (invented data)",
    "publish each record in full with chance δ, of n people n × δ",
    "Every exact count is an equation; two that differ in one person solve it",
)


@pytest.mark.parametrize(("item", "words"), list(zip(ITEMS, SCREENS, strict=True)))
def test_a_screen_says_what_is_asked(item, words):
    one = item.scene
    told = one.numbers(one.control.revealed, 1)
    assert words in f"{one.say(told).sentence} {one.finding(told)} {one.explained}"


def test_the_law_of_the_noise_is_named():
    assert "Laplace noise" in scene("same_noise").explanation


def test_every_new_misconception_stands_behind_an_option():
    met = {one.misconception for item in ITEMS for one in item.options}
    assert {f"M{number}" for number in range(1, 18)} <= met | {None}
    assert set(MISCONCEPTIONS) == {f"M{number}" for number in range(1, 18)}


SOUNDS_RIGHT = 2, 6, 7, 8, 10, 11, 12, 13  # whose wrong answers are as long and as sober


@pytest.mark.parametrize("number", SOUNDS_RIGHT)
def test_no_answer_is_odd_for_its_length_or_its_figures(number):
    sizes = [len(one) for one in texts(number)]
    assert max(sizes) - min(sizes) <= 9
    begun = Counter(one.split()[0] for one in texts(number))
    assert begun[right(number).split()[0]] == max(begun.values()) or max(begun.values()) <= 2


def test_each_is_taught_by_a_scene_of_the_course():
    for item in ITEMS:
        assert item.scene.name == item.module
        assert item.scene in STORIES[0].scenes
    with pytest.raises(KeyError):
        scene("no_such")


def test_losses_of_rows_and_of_releases_add():
    rows = sum(Fraction(1, 10) for _ in range(12))
    assert right(2) == f"{float(rows):g}: the losses of her rows add up"
    cancelled = np.random.default_rng(1).normal(0, 0.1, (200_000, 12)).sum(axis=1).std()
    assert texts(2)[1] == f"{cancelled:.2g}: noise of 12 rows cancels in part"
    assert texts(2)[0].startswith("0.1: ")
    column, rng = dp.sample_column("survey"), np.random.default_rng(1)
    releases = [dp.NoisyCount().release(column, dp.PureDP(0.1), rng) for _ in range(3)]
    assert right(4) == f"{float(sum(Fraction(str(one.spent.epsilon)) for one in releases)):g}"
    third, product_of = Fraction(1, 30), Fraction(1, 1_000)
    assert texts(4)[2:] == [
        f"{float(product_of):g}, chances multiply", f"{round(float(third), 3)}, they share it"
    ]  # fmt: skip


def test_the_average_of_400_answers_is_off_by_a_twentieth_of_one():
    rng = np.random.default_rng(1)
    scale = 10.0  # discrete Laplace of this scale is off by 10 on average
    off = abs(dp.Noise.DISCRETE_LAPLACE.simulate(scale, (4_000, 400), rng))
    assert off.mean() == pytest.approx(10, abs=0.05)
    noise = dp.Noise.DISCRETE_LAPLACE.simulate(scale, (4_000, 400), rng)
    assert noise.mean(axis=1).std() / noise.std() * 10 == pytest.approx(float(right(3)), rel=0.05)
    assert texts(3) == ["10", "5", "0.025", "0.5"]


def test_a_family_is_suspected_as_its_law_says():
    """Two worlds: all four marks, or none; the worst answer of one count."""
    p = math.exp(-0.1)
    posterior = [
        0.1 * p ** abs(answer - 4) / (0.1 * p ** abs(answer - 4) + 0.9 * p ** abs(answer))
        for answer in range(-50, 55)
    ]
    assert right(10) == f"{math.ceil(1_000 * max(posterior)) / 10:g} in 100"
    alone = max(
        0.1 * p ** abs(answer - 1) / (0.1 * p ** abs(answer - 1) + 0.9 * p ** abs(answer))
        for answer in range(-50, 55)
    )
    assert float(texts(10)[0].removesuffix(" in 100")) == math.ceil(1_000 * alone) / 10
    per_cent, added = 10 + sum([0.1] * 4), 10 + sum([10] * 4)  # ε as a per cent; ε added
    assert texts(10)[2:] == [f"{per_cent:g} in 100", f"{added} in 100"]


def test_a_sum_needs_the_noise_of_its_bound():
    """The log density of each answer moves by at most ε between files that differ in one age."""
    scale, answers = float(right(9)), np.arange(-2_000.0, 2_001)
    moved = [abs(abs(answers - 300 - age) - abs(answers - 300)).max() / scale for age in (0, 100)]
    assert max(moved) == pytest.approx(0.5)
    assert texts(9) == ["0.5", "50", "2", "200"]


def test_a_running_count_adds_at_most_16_nodes():
    """Every prefix of a small tree by hand; of a large one, the digits of its end."""
    height = 4
    most = 0
    for cells in range(2**height):
        left, at = cells, 0
        nodes = 0
        while left:  # the largest node that begins here and fits
            size = 2**height
            while size > left or at % size:
                size //= 2
            left, at, nodes = left - size, at + size, nodes + 1
        assert nodes == bin(cells).count("1")
        most = max(most, nodes)
    assert most == height
    largest = max(bin(cells).count("1") for cells in range(65_536))
    assert right(8) == f"It adds at most {largest} of its noisy nodes"
    assert "65,536" in ITEMS[7].question


def test_each_record_in_full_with_chance_delta_exposes_a_hundred():
    """(0, δ): whole records stand in the output with chance 1/100 each, 10,000 of them."""
    published = np.random.default_rng(1).random((200, 10_000)) < 0.01
    mean = published.sum(axis=1).mean()
    assert right(14) == f"Publish about {round(mean / 10) * 10} whole records"
    assert "1/100" in ITEMS[13].question
    assert "10,000" in ITEMS[13].question


def needed(law: np.ndarray, other: np.ndarray, epsilon: float = 1.0) -> float:
    """The least δ that two laws of the same answers need beside ε, either way round."""
    ways = ((law, other), (other, law))
    return max(np.maximum(one - np.exp(epsilon) * two, 0).sum() for one, two in ways)


def test_only_the_key_is_what_delta_adds_to_epsilon():
    """Each option as a method on two neighbours: the δ that it needs beside ε = 1."""
    assert "δ = 1/100 beside ε = 1, and 10,000 people." in ITEMS[13].question
    truth, flipped = (np.array([one, 1]) / (1 + one) for one in (math.e, 1 / math.e))
    doubled = np.array([math.e**2, 1]) / (math.e**2 + 1)
    methods = {
        "Publish about 100 whole records": needed(np.array([0.01, 0.99]), np.array([0.0, 1.0])),
        "Be off by 1 %": needed(*(np.convolve(law, [0.99, 0.01]) for law in (truth, flipped))),
        "Double ε for everybody": needed(doubled, doubled[::-1]),
        "Refuse one question in 100": needed(
            np.append(0.99 * truth, 0.01), np.append(0.99 * flipped, 0.01)
        ),
    }
    allowed = [text for text in texts(14) if 1e-12 < methods[text] <= 0.01 + 1e-12]
    assert allowed == [right(14)]  # ε alone forbids it, and δ = 1/100 allows it
    assert methods["Double ε for everybody"] > 0.5
    assert methods["Be off by 1 %"] < 1e-12  # never forbidden
    assert methods["Refuse one question in 100"] < 1e-12


def test_the_figures_that_questions_give_are_those_of_their_options():
    assert "12 rows" in ITEMS[1].question
    assert "400 times" in ITEMS[2].question
    assert "off by 10." in ITEMS[2].question
    assert "bounds 0 to 100" in ITEMS[8].question
    assert "ε = 0.5." in ITEMS[8].question
    assert "A suspicion of 10 in 100" in ITEMS[9].question


def test_a_score_counts_keys():
    keys = tuple(KEYS)
    assert score(keys) == 15
    assert score((None,) * 15) == 0
    for place in range(15):
        others = [one for one in "abcd" if one != KEYS[place]]
        assert score((*keys[:place], others[0], *keys[place + 1 :])) == 14


def test_who_guesses_hardly_passes():
    mean, passing = guessing()
    assert mean == pytest.approx(3.75)
    small = [sum(row) for row in product((0, 0, 0, 1), repeat=6)]  # six questions by brute force
    assert sum(small) / len(small) == pytest.approx(6 * mean / 15)
    drawn = (np.random.default_rng(1).random((400_000, 15)) < 0.25).sum(axis=1)
    assert passing == pytest.approx((drawn >= PASS).mean(), abs=2e-4)
    assert passing < 1 / 1_000


def test_a_phone_has_an_order_of_its_own():
    orders = {
        tuple(one.key for one in item.shuffled(str(seed))) for seed in range(60) for item in ITEMS
    }
    assert len(orders) == 24
    for item in ITEMS:
        assert item.shuffled("one") == item.shuffled("one")
        assert set(item.shuffled("one")) == set(item.options)
    first = Counter(ITEMS[0].shuffled(str(seed))[0].key for seed in range(400))
    assert min(first[key] for key in "abcd") > 60  # 100 each; below 60 once in 200,000


def test_gift_reads_back_as_the_same_questions():
    blocks = gift().strip().split("\n\n")
    assert len(blocks) == 15
    for number, (block, item) in enumerate(zip(blocks, ITEMS, strict=True), 1):
        found = re.fullmatch(r"::dpviz (\d+)::(.*) \{\n(.*)\n\}", block, re.DOTALL)
        assert int(found[1]) == number
        assert plain(found[2]) == item.question
        rows = [re.fullmatch(r"  ([=~])(.*?)(?: # (.*))?", row) for row in found[3].split("\n")]
        for row, option in zip(rows, item.options, strict=True):
            assert row[1] == "~="[option.right]
            assert plain(row[2]) == option.text
            said = None if option.right else MISCONCEPTIONS[option.misconception]
            assert (row[3] and plain(row[3])) == said
        assert not re.search(r"(?<!\\)[:{}#=~]", found[2])


def plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def test_a_suspicion_grows_with_epsilon():
    assert inventory.suspicion(1e-6) == pytest.approx(0.1, abs=1e-6)
    assert inventory.suspicion(1.0) == pytest.approx(math.e / (math.e + 9))
