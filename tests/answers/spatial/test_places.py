"""Noise on named places: every number by loops and dense matrices, and what is said of it."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dpviz.answers.said import unmarked
from dpviz.answers.spatial.place_list import levels_of, made_up, read, with_levels
from dpviz.answers.spatial.places import BEST, EVEN, LAST, SPLITS, PlaceDrawn, answer, shares_of
from dpviz.answers.spatial.places_said import plural, say
from dpviz.core.budgets import ZCDP, Neighbours, PureDP
from dpviz.core.errors import InvalidParameter
from dpviz.core.randomness.noise import Noise
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK
from dpviz.figures.spatial.places import places_picture
from tests.estimators.trees.test_ragged_tree import dense

LIST = """
state; county; people
North; Low; 900
North; High; 0
South; Sand; 4
North; Low; 100
South; Bay; 70
South; Rock; 9
"""
HALF = PureDP(0.5)


def asked(split=EVEN, *, is_after=True, budget=HALF, noise=Noise.LAPLACE, places=None,
          neighbours=Neighbours.ADD_REMOVE):  # fmt: skip
    rng = np.random.default_rng(3)
    listed = places or read(LIST)
    return answer(listed, budget, noise, neighbours, split, rng, is_after=is_after)


def test_a_list_is_read_as_it_stands():
    places = read(LIST)
    assert places.levels == ("whole", "state", "county")
    assert places.names[1] == ("North", "South")
    assert places.names[2] == (
        "North, High", "North, Low", "South, Bay", "South, Rock", "South, Sand",
    )  # fmt: skip
    assert [one.tolist() for one in places.tree.children] == [[2], [2, 3]]
    assert places.people.tolist() == [0, 1000, 70, 9, 4]
    tabbed = read("place\tpeople\n\nA, the first\t3\nB\t4")
    assert tabbed.names[1] == ("A, the first", "B")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "holds no place"),
        ("state,people", "holds no place"),
        ("people\n3", "holds 1 cell. It takes 1 to 4 names of levels"),
        ("state,,people\nNorth,a,3", "holds 3 cells.*none of them empty"),
        ("a,b,c,d,e,people\n1,2,3,4,5,6", "holds 6 cells. It takes 1 to 4 names"),
        ("id,people\n" + "".join(f"p{at},1\n" for at in range(20_000)), "has 20,000 places"),
        ("state,people\n" + "x" * 140_000 + ",1", "too long to be a name"),
        ("x" * 140_000, "too long to be a name"),
        ("state,people\nNorth,3\nSouth,-1", "Line 3"),
        ("state,people\nNorth,3.5", "Line 2"),
        ("state,people\nNorth,٣", "Line 2"),
        ("state,people\nNorth,3,4", "Line 2"),
        ("state,people\nNorth,10000000001", "Line 2"),
        ("state,people\n" + "North,1\n" * 5001, "at most 5,000"),
    ],
)
def test_another_list_is_refused(written, said):
    with pytest.raises(InvalidParameter, match=said):
        read(written)


COLUMNS = ("land", "state", "county, or town", "who")


@pytest.mark.parametrize(
    ("written", "levels", "after"),
    [
        ("", ("land", "state"), "land,state,people\n"),
        ("land,people\nA,5\n", ("state", "land"), "state,land,people\nA,5\n"),
        ("\nland;people\r\nA;5", ("state", "land"), "state;land;people\nA;5"),
        ("land,people\nA,5", (), "A,5"),
        ("A,5\nB,7", ("land",), "land,people\nA,5\nB,7"),  # its first line is a place
        ("land,2020\nA,5", ("state",), "state,people\nA,5"),  # a year over the people
        ("town,people\nA,5", ("land",), "land,people\nA,5"),  # of another file
        ("", ("county, or town",), '"county, or town",people\n'),
    ],
)
def test_levels_are_written_over_the_places(written, levels, after):
    assert with_levels(written, levels, COLUMNS) == after
    assert levels_of(after, COLUMNS) == levels


@pytest.mark.parametrize("written", ["", "\n\n", "A,5", "town,people\nA,5", "x" * 140_000])
def test_a_list_without_levels_of_the_file_has_none(written):
    assert levels_of(written, COLUMNS) == ()


def test_the_made_up_country_has_small_blocks_and_is_always_the_same():
    places = made_up()
    assert places.tree.nodes == (1, 6, 50, len(places.names[3]))
    assert places.people.sum() == 104_428
    assert 0.05 < (places.people <= 3).mean() < 0.1
    assert [len(set(names)) for names in places.names] == list(places.tree.nodes)
    assert (places.people == np.floor(places.people)).all()


SHARES = {EVEN: (1 / 3, 1 / 3, 1 / 3), LAST: (0, 0, 1)}


@pytest.mark.parametrize("split", SHARES)
@pytest.mark.parametrize("is_after", [True, False])
def test_every_number_is_that_of_matrices_and_loops(split, is_after):
    found = asked(split, is_after=is_after)
    variances = [2 / (0.5 * share) ** 2 if share else math.inf for share in SHARES[split]]
    people = [[1083], [1000, 83], [0, 1000, 70, 9, 4]]
    _, exact = dense(read(LIST).tree, [np.zeros(len(one)) for one in people], variances)
    at = 0
    for level, own, sizes in zip(found.levels, variances, people, strict=True):
        after = [2 * math.sqrt(one) for one in exact[at : at + len(sizes)]]
        at += len(sizes)
        before = [2 * math.sqrt(own)] * len(sizes)
        typical = math.sqrt(sum(one**2 for one in after) / len(after))
        chosen = after if is_after else before
        assert (level.before, level.after) == (before[0], pytest.approx(typical))
        assert level.spread == pytest.approx(typical if is_after else before[0])
        small = [size < one for size, one in zip(sizes, chosen, strict=True)]
        assert level.small.tolist() == small
        assert level.drowned == sum(small)
        assert level.living == sum(size for size, one in zip(sizes, small, strict=True) if one)
        assert level.middle == statistics.median(sizes)
        assert level.share == pytest.approx(level.spread / statistics.median(sizes))
        for shares, spread in ((level.shares_before, before), (level.shares_after, after)):
            wanted = [one / max(size, 1) for one, size in zip(spread, sizes, strict=True)]
            np.testing.assert_allclose(shares, wanted)
        if math.isinf(own):
            assert level.removed is None
        else:
            assert level.removed == pytest.approx(1 - typical**2 / 4 / own, abs=1e-12)
        assert (level.places, level.people.tolist()) == (len(sizes), sizes)
    assert (found.people, found.shares) == (1083, pytest.approx(SHARES[split]))
    assert found.harmed == found.levels[-1].living / 1083


def test_one_draw_goes_from_the_whole_to_a_smallest_place():
    found = asked()
    assert [(one.name, one.people) for one in found.drawn] == [
        ("the whole", 1083), ("North", 1000), ("North, High", 0),
    ]  # fmt: skip
    rng = np.random.default_rng(3)
    people = [[1083], [1000, 83], [0, 1000, 70, 9, 4]]
    noisy = [one + Noise.LAPLACE.simulate(6.0, (len(one),), rng) for one in people]
    best, _ = dense(read(LIST).tree, noisy, [72.0] * 3)
    assert [one.noisy for one in found.drawn] == pytest.approx([one[0] for one in noisy])
    assert [one.after for one in found.drawn] == pytest.approx([best[0], best[1], best[3]])
    blocks = asked(LAST).drawn
    assert [one.noisy is None for one in blocks] == [True, True, False]


def test_the_path_ends_in_another_state_where_the_smallest_place_is_its_first():
    found = asked(places=read("state,county,people\nA,x,5\nB,x,1\nB,y,2"))
    assert [one.name for one in found.drawn] == ["the whole", "B", "B, x"]


def test_a_place_as_large_as_its_noise_is_not_smaller():
    found = asked(LAST, is_after=False, budget=ZCDP(0.125), noise=Noise.GAUSSIAN)
    assert found.levels[-1].spread == 4.0  # and a county has 4 people
    assert (found.levels[-1].drowned, found.levels[-1].living) == (1, 0)


@pytest.mark.parametrize(("budget", "power"), [(PureDP(1), 2), (ZCDP(0.5), 1)])
def test_the_best_split_is_the_best_in_tenths(budget, power):
    tree = read(LIST).tree
    blank = [np.zeros(nodes) for nodes in tree.nodes]
    levels = np.repeat(range(3), tree.nodes)

    def error(parts):
        variances = [(10 / one) ** power if one else math.inf for one in parts]
        exact = dense(tree, blank, variances)[1]
        return sum(exact[levels == level].mean() for level in range(3))

    every = [one for one in product(range(11), repeat=3) if sum(one) == 10 and one[-1]]
    best = shares_of(BEST, tree, is_pure=power == 2)
    tenths = tuple(round(10 * one) for one in best)
    assert error(tenths) == pytest.approx(min(map(error, every)))
    assert asked(BEST, budget=budget, noise=Noise.for_budget(budget)).shares == best


def test_figures_of_the_page_of_questions():
    """1,229 blocks at ε = 1: of the variance 25 % goes for a state, 4 % for a block."""
    found = asked(budget=PureDP(1), noise=Noise.DISCRETE_LAPLACE, places=made_up())
    assert [round(one.removed, 2) for one in found.levels] == [0.16, 0.25, 0.15, 0.04]
    assert (found.levels[-1].places, found.levels[-1].drowned) == (1229, 315)
    assert (found.people, round(found.levels[2].middle)) == (104_428, 1213)


def test_one_that_is_replaced_takes_more_noise():
    added = asked().levels
    replaced = asked(neighbours=Neighbours.REPLACE_ONE).levels
    for one, other in zip(added, replaced, strict=True):
        assert other.before == pytest.approx(2 * one.before)


def shown(**others):
    """Numbers that no other field has."""
    found = asked(places=made_up())
    sizes = [(1, 11.0, 0.01, 0.21), (6, 12.0, 0.02, 0.22), (50, 13.0, 0.03, 0.23),
             (1229, 14.0, 0.44, 0.24)]  # fmt: skip
    levels = [
        replace(one, places=places, spread=spread, before=spread + 20, after=spread + 40,
                share=share, removed=removed, middle=500.0 + at, drowned=0, living=0)
        for at, (one, (places, spread, share, removed)) in enumerate(
            zip(found.levels, sizes, strict=True)
        )
    ]  # fmt: skip
    levels[-1] = replace(levels[-1], drowned=333, living=4567)
    last = {key: others.pop(key) for key in ("drowned", "living") if key in others}
    levels[-1] = replace(levels[-1], **last)
    return replace(
        found, levels=tuple(levels), people=99_999, harmed=0.077,
        shares=(0.15, 0.25, 0.28, 0.32), **others,
    )  # fmt: skip


def test_every_sentence_says_its_own_number():
    said = say(shown())
    assert unmarked(said.headline()) == (
        "Noise of ± 11 is 1 % of the country; ± 14 is 44 % of the median block, and 333 of 1,229 "
        "blocks are smaller than their noise."
    )
    assert unmarked(said.headline(brief=True)) == (
        "Noise of ± 14: 333 of 1,229 blocks are smaller than their noise."
    )
    assert unmarked(said.second()) == (
        "Whom does noise harm? Those who live in small blocks: 4,567 people, 7.7 % of all. Least "
        "squares remove of the variance 22 % for a state, 23 % for a county, 24 % for a block."
    )
    assert list(said.strip) == [
        ("country", "± 11, 1 %"), ("states", "± 12, 2 %"), ("counties", "± 13, 3 %"),
        ("blocks", "± 14, 44 %"),
    ]  # fmt: skip
    assert list(said.chips) == ["numbers of people are public"]
    levels, drawn = said.tables
    assert levels.rows[3] == (
        "block", "1,229", "32 %", "± 34", "± 54", "503", "44 %", "333", "4,567",
    )  # fmt: skip
    found = replace(shown(), drawn=(PlaceDrawn("A", 7, None, -8.26), PlaceDrawn("B", 9, -5.0, 6)))
    assert say(found).tables[1].rows == (("A", "7", "–", "−8.3"), ("B", "9", "−5", "6.0"))
    assert drawn.rows[-1][0] == "Ashwick, block 27"


@pytest.mark.parametrize(
    ("others", "first", "second"),
    [
        ({"drowned": 0, "living": 0}, "none of 1,229 blocks is smaller than its noise.",
         "Nobody lives in a place"),
        ({"drowned": 1, "living": 1}, "and 1 of 1,229 blocks is smaller than its noise.",
         "in small blocks: 1 person, 7.7 % of all."),
        ({"drowned": 1229}, "all 1,229 blocks are smaller than their noise.",
         "Those who live everywhere: 4,567 people"),
    ],
)  # fmt: skip
def test_words_are_true_at_the_ends(others, first, second):
    said = say(shown(**others))
    assert unmarked(said.headline()).endswith(first)
    assert second in unmarked(said.second())


def test_a_level_that_is_not_measured_says_so():
    levels = [*shown().levels[:-1], replace(shown().levels[-1], spread=math.inf)]
    last = say(replace(shown(), levels=tuple(levels))).headline(brief=True)
    assert last == "The blocks are not measured."
    said = say(asked(LAST, is_after=False))
    assert unmarked(said.headline()).startswith("The whole is not measured; noise of ± ")
    assert said.strip[0] == ("whole", "not measured")
    assert said.tables[0].rows[0][3] == "not measured"
    assert "Least squares" not in said.second()
    assert [plural(one) for one in ("county", "valley")] == ["counties", "valleys"]


LOOKS = [Look(), Look(ink=DARK, presenting=True), Look(screen="phone")]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("is_after", [True, False])
def test_the_picture_holds_every_place_of_the_reading(look, split, is_after):
    found = asked(split, is_after=is_after, places=made_up())
    made = places_picture(found, look)
    drawn = {one["name"]: one for one in made["data"]}
    for level in found.levels:
        shares = level.shares_after if is_after else level.shares_before
        for name, chosen in (("large", ~level.small), ("small", level.small)):
            kept = chosen & np.isfinite(shares)
            trace = drawn.get(f"{level.name}, {name}")
            assert (trace is None) == (not kept.any())
            if trace is not None:
                np.testing.assert_allclose(10.0 ** trace["y"], shares[kept])
                wanted = np.where(level.people[kept] > 0, level.people[kept], 0.4)
                np.testing.assert_allclose(10.0 ** trace["x"], wanted)
                assert trace["text"] == [
                    name for name, one in zip(level.names, kept, strict=True) if one
                ]
    low, high = made["layout"]["yaxis"]["range"]
    every = np.concatenate([one["y"] for one in made["data"]])
    assert low < every.min() <= every.max() < high
    words = [one["text"] for one in made["layout"]["annotations"]]
    assert "<b>blocks</b>" in words
    assert "smaller than its noise" in words


def test_names_of_a_list_are_no_markup():
    found = asked(places=read("a<b>,people\n<script>,3\n$x$,9000"))
    hovers = [text for one in places_picture(found, Look())["data"] for text in one.get("text", [])]
    assert "&lt;script&gt;" in hovers
    assert not any("<" in text or "$" in text for text in hovers)
    assert "a\\<b\\>" in say(found).headline()
