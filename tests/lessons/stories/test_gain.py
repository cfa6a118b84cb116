"""A room's numbers against a list of its sheets; what leaves it against its law."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from dpviz.core.budgets import Neighbours, PureDP
from dpviz.core.randomness.noise import Noise
from dpviz.lessons.stories import gain
from dpviz.lessons.stories.gain import FEWEST, HALVES, Tally, released, said, why_not_the_mean
from dpviz.lessons.stories.inventory import ITEMS
from tests.statistics import fits_probabilities

KEYS = [item.right.key for item in ITEMS]
N = len(ITEMS)


def sheets(people, known, seed):
    """So many phones that know the key of a question with a chance, else guess or say nothing."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(people):
        chosen = [key if rng.random() < known else [*"abcd", None][rng.integers(5)] for key in KEYS]
        found.append((chosen, (rng.random(N) < 0.4).tolist()))
    return found


def tally_of(phones):
    tally = Tally.empty()
    for chosen, sure in phones:
        tally = tally.with_sheet(chosen, sure)
    return tally


def points(chosen):
    return sum(one == key for one, key in zip(chosen, KEYS, strict=True))


def test_the_bins_count_every_answer_once():
    phones = sheets(30, 0.4, 1)
    tally = tally_of(phones)
    for place in range(N):
        seen = Counter((chosen[place], sure[place]) for chosen, sure in phones)
        for column, option in enumerate([*"abcd", None]):
            for row, sure in enumerate((False, True)):
                assert tally.bins[place, column, row] == seen[option, sure]
    scores = Counter(points(chosen) for chosen, _ in phones)
    assert tally.scores.tolist() == [scores[one] for one in range(N + 1)]
    assert tally.people == 30
    assert Tally.empty().people == 0  # a sheet is added to another tally


def test_numbers_of_a_room_are_those_of_its_sheets():
    phones = {"before": sheets(23, 0.3, 2), "after": sheets(19, 0.7, 3)}
    found = gain.gain({half: tally_of(phones[half]) for half in HALVES})
    means = {
        half: sum(points(chosen) for chosen, _ in phones[half]) / len(phones[half])
        for half in HALVES
    }
    assert found.before == pytest.approx(means["before"])
    assert found.after == pytest.approx(means["after"])
    grown = (means["after"] - means["before"]) / (15 - means["before"])
    assert found.gain == pytest.approx(grown)
    for row in found.rows:
        key, place = KEYS[row.number - 1], row.number - 1
        for half, share in (("before", row.before), ("after", row.after)):
            right = [chosen[place] == key for chosen, _ in phones[half]]
            assert share == pytest.approx(100 * sum(right) / len(right))
        wrong = [
            (chosen[place], sure[place])
            for chosen, sure in phones["after"] if chosen[place] not in {key, None}
        ]  # fmt: skip
        assert row.sure_and_wrong == sum(sure for _, sure in wrong)
        texts = {one.key: one.text for one in ITEMS[place].options}
        most = Counter(texts[one] for one, _ in wrong)
        assert not wrong or most[row.most] == max(most.values())
    assert [row.sure_and_wrong for row in found.rows] == sorted(
        (row.sure_and_wrong for row in found.rows), reverse=True
    )
    assert sorted(row.number for row in found.rows) == list(range(1, N + 1))


def test_below_five_phones_nothing_is_known():
    few, many = (tally_of(sheets(people, 0.5, 4)) for people in (FEWEST - 1, FEWEST))
    found = gain.gain({"before": few, "after": few})
    assert (found.before, found.after, found.gain, found.rows) == (None, None, None, ())
    found = gain.gain({"before": many, "after": few})
    assert found.after is found.gain is None
    assert found.before is not None
    assert all(row.after is None and row.before is not None for row in found.rows)
    with pytest.raises(ValueError, match="5 phones"):
        gain.release(few)
    assert gain.release(many)


def test_who_knew_all_before_cannot_gain():
    best = tally_of([(KEYS, [True] * N)] * 6)
    found = gain.gain({"before": best, "after": best})
    assert (found.before, found.gain) == (15, None)
    assert "15.0** of 15 right, before" in said(found)[0]


@pytest.mark.parametrize(
    ("before", "after", "grown", "word"),
    [
        (6.5, 11.4, "0.58", "usual"), (6.5, 8.9, "0.28", "little"), (6.5, 13.6, "0.84", "rare"),
        (6.5, 6.0, "−0.06", "little"),
    ],
)  # fmt: skip
def test_the_gain_is_said_with_its_means(before, after, grown, word):
    head, second = said(gain.Gain(before, after, (after - before) / (15 - before), ()))
    assert head == f"The class gained **{grown}** of what it could."
    assert second.startswith(f"{before:.1f} before, {after:.1f} after, of 15: gain = ")
    assert word in second


def test_a_release_is_of_who_passed_and_says_what_it_spends():
    phones = sheets(28, 0.6, 5)
    tally, rng = tally_of(phones), np.random.default_rng(6)
    one = gain.release(tally, rng)
    passed = sum(points(chosen) >= 10 for chosen, _ in phones)
    assert one.value == passed + Noise.DISCRETE_LAPLACE.draw(1, (1,), np.random.default_rng(6))
    assert (one.spent, one.neighbours) == (PureDP(1), Neighbours.REPLACE_ONE)
    assert (one.noise, one.scale) == (Noise.DISCRETE_LAPLACE, 1)
    assert gain.release(tally).randomness == "secure"


@pytest.mark.law
def test_a_release_follows_its_law_and_neighbours_differ_by_one():
    rng, runs = np.random.default_rng(7), 4_000
    phones = [([*KEYS[:right], *[None] * (N - right)], [False] * N) for right in (9, 10, 15, 3, 9)]
    tally = tally_of(phones)
    drawn = np.array([gain.release(tally, rng).value for _ in range(runs)])
    p = math.exp(-1)

    def law(centre, scale_p):
        outcomes = np.arange(-3, 8)
        chances = (1 - scale_p) / (1 + scale_p) * scale_p ** abs(outcomes - centre)
        return outcomes, chances

    outcomes, chances = law(2, p)
    seen = np.array([(drawn == one).sum() for one in outcomes])
    rest = runs - seen.sum()
    assert fits_probabilities([*seen, rest], [*chances, 1 - chances.sum()])
    for wrong in (law(2, math.exp(-0.8)), law(2, math.exp(-1.25)), law(3, p)):
        assert not fits_probabilities([*seen, rest], [*wrong[1], 1 - wrong[1].sum()])
    other = tally_of([*phones[:-1], (KEYS, [True] * N)])  # one student replaced
    _, moved = law(3, p)
    assert abs(np.log(moved / chances)).max() <= 1 + 1e-12
    assert gain.release(other, np.random.default_rng(8)).value == (
        gain.release(tally, np.random.default_rng(8)).value + 1
    )


def test_what_leaves_is_said_with_all_its_numbers():
    tally = tally_of(sheets(28, 0.6, 5))
    one = gain.release(tally, np.random.default_rng(1))
    law = [math.exp(-abs(k)) for k in range(-60, 61)]
    share = [sum(law[60 - t : 61 + t]) / sum(law) for t in range(6)]
    within = next(t for t, found in enumerate(share) if found >= 0.95)
    assert within == 3
    told = released(
        {"before": (replace(one, value=7.0), 28), "after": (replace(one, value=22.0), 27)}
    )
    assert told == (
        f"Passed (10 of 15 or more): before **7 ± {within}** of 28, after **22 ± {within}** of 27; "
        "each ε = 1, 2 in all; one student replaced, n public."
    )
    assert released({"before": (replace(one, value=-2.0), 28)}) == (
        "Passed (10 of 15 or more): before **0 ± 3** of 28; ε = 1; one student replaced, n public."
    )
    assert "**28 ± 3** of 28" in released({"before": (replace(one, value=30.0), 28)})


@pytest.mark.parametrize(("people", "off"), [(30, "1.5"), (100, "0.45"), (300, "0.15")])
def test_a_mean_would_be_worth_as_much_as_its_law_says(people, off):
    scale = 15 / people
    inside = 1 - math.exp(-float(off) / scale)
    assert inside == pytest.approx(0.95, abs=0.01)
    told = why_not_the_mean(people)
    assert f"of {people} students a private mean is ± {off} points at ε = 1" in told
    assert "up to 15" in told
