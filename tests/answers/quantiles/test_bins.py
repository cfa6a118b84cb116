"""Bins, every field worked out by loops, dense algebra or an exact law; what is said of them."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from dpviz.answers.quantiles.answers import Writing
from dpviz.answers.quantiles.bins import (
    EQUAL,
    OWN,
    TREE,
    Beyond,
    BinChoice,
    BinErrors,
    Clipped,
    Groups,
    answer,
    clipped,
    errors_of,
    parse_edges,
    parse_groups,
    steps_in,
    tree_half,
)  # fmt: skip
from dpviz.answers.quantiles.bins_said import before, beyond_words, kind_words, method, say
from dpviz.answers.quantiles.voice import Voice
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import InvalidParameter
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.noise import Noise
from dpviz.core.trees.tree_noise import Root, TreeNoise
from dpviz.intake.samples import ANYBODY, Noun
from dpviz.mechanisms.counting.by_group import release_by_group
from tests.statistics import clopper_pearson

BOUNDS = Bounds(0, 16)
ROWS = np.array([-3.0, 0, 0.5, 1, 3, 3, 3.5, 7.9, 8, 12, 15.9, 16, 17, 40, math.nan, *[5.5] * 40])
DATA = {"": Column.from_values(ROWS, BOUNDS)}
WORDS = replace(ANYBODY, people=Noun("student", "students"))
VOICE = Voice(WORDS, Writing.of(BOUNDS, 1.0))
ADD, HALF = Neighbours.ADD_REMOVE, PureDP(0.5)


def choice(kind=EQUAL, bins=8, budget=HALF, neighbours=ADD, own=(0.0, 2.0, 3.0, 12.0)):
    own = own if kind == OWN else ()
    return BinChoice(kind, len(own) - 1 if own else bins, own, budget, neighbours)


def drawn(asked, data=DATA, seed=5):
    rng = np.random.default_rng(seed)
    return release_by_group(asked.mechanism, data, asked.budget, rng).releases


def slow_counts(edges):
    inside = [min(max(row, 0.0), 16.0) for row in ROWS.tolist() if not math.isnan(row)]
    last = len(edges) - 2
    return [
        sum(edges[at] <= row < edges[at + 1] or (at == last and row == edges[-1]) for row in inside)
        for at in range(last + 1)
    ]


def slow_tree(levels):
    """Weights of all released nodes in the least squares estimate of each leaf, (leaves, nodes)."""
    leaves = 2**levels
    rows = [
        [float(leaf // (leaves >> level) == node) for leaf in range(leaves)]
        for level in range(1, levels + 1)
        for node in range(2**level)
    ]
    design = np.array(rows)
    return np.linalg.inv(design.T @ design) @ design.T


@pytest.mark.parametrize("kind", [EQUAL, OWN])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_every_number_of_plain_bins_is_what_a_loop_finds(kind, neighbours):
    asked = choice(kind, neighbours=neighbours)
    released = drawn(asked)
    found = answer(asked, released, DATA, ROWS, beyond=0.25, people=80)
    edges = [2.0 * at for at in range(9)] if kind == EQUAL else [0.0, 2.0, 3.0, 12.0]
    assert found.edges.tolist() == edges
    (one,) = found.groups
    counts, truth = released[""].counts.tolist(), slow_counts(edges)
    assert one.counts.tolist() == counts
    assert one.truth.tolist() == truth
    errors = [count - held for count, held in zip(counts, truth, strict=True)]
    assert one.errors.tolist() == errors
    parts = [
        abs(error) / held if held else (math.inf if error else 0.0)
        for error, held in zip(errors, truth, strict=True)
    ]
    assert one.parts.tolist() == pytest.approx(parts)
    scale = neighbours.counts_changed / 0.5
    p, half, within = (
        math.exp(-1 / scale),
        0,
        (1 - math.exp(-1 / scale)) / (1 + math.exp(-1 / scale)),
    )
    while within < 0.95:
        half += 1
        within += 2 * (1 - p) / (1 + p) * p**half
    assert (found.law.half, found.law.times, found.law.times_of_half) == (half, 1, 1)
    assert found.law.error == pytest.approx(math.sqrt(2 * p) / (1 - p), rel=1e-3)
    assert found.empty == one.empty == sum(count - half <= 0 for count in counts)
    assert found.far == one.far == sum(part > 0.1 for part in parts)
    assert 0 < found.far < len(counts)
    assert found.worst == max(abs(error) for error in errors)
    assert found.counted == len(counts)
    assert found.even == pytest.approx(sum(counts) / len(counts))
    assert found.part == pytest.approx(half / found.even)
    assert found.doubled == pytest.approx(2 * half / found.even)
    assert found.beyond == Beyond(0.25, 80, 20.0, 20.0 / half)


@pytest.mark.few(1)
@pytest.mark.parametrize("budget", [PureDP(0.5), ZCDP(0.1), ApproxDP(0.5, 1e-6)])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_bins_of_a_tree_are_least_squares_of_dense_algebra(budget, neighbours):
    asked = choice(TREE, budget=budget, neighbours=neighbours)
    released, plain = drawn(asked), errors_of(choice(budget=budget, neighbours=neighbours))
    found = answer(asked, released, DATA)
    weights = slow_tree(3)
    noisy = np.concatenate(released[""].counts[1:])
    np.testing.assert_allclose(found.groups[0].counts, weights @ noisy)
    variance = released[""].noise.variance(released[""].scales[1])
    assert found.law.error == pytest.approx(math.sqrt(variance * (weights[0] ** 2).sum()))
    lower = weights[:4].sum(axis=0)
    of_half = math.sqrt(variance * (lower**2).sum()) / (math.sqrt(4) * plain.error)
    assert found.law.times == pytest.approx(found.law.error / plain.error)
    assert found.law.times_of_half == pytest.approx(of_half)
    twice = errors_of(replace(asked, bins=16)).half
    assert found.doubled == pytest.approx(2 * twice / found.even)
    assert found.groups[0].truth.tolist() == slow_counts([2.0 * at for at in range(9)])


@pytest.mark.few(1)
@pytest.mark.parametrize("height", [1, 3, 5])
def test_a_leaf_is_within_its_half_as_often_as_the_exact_law_says(height):
    """By inversion of the characteristic function of a weighted sum of Laplace noise."""
    scale = 7.0
    half = tree_half(TreeNoise(2, Noise.LAPLACE, (math.inf, *[scale] * height), Root.SUM))
    weights = slow_tree(height)[0] * scale
    at = np.linspace(1e-6, 60 / np.abs(weights).max(), 400_001)
    law = np.prod([1 / (1 + (weight * at) ** 2) for weight in weights if weight], axis=0)

    def within(reach):
        return 2 / math.pi * np.trapezoid(np.sin(at * reach) / at * law, at)

    assert within(half) == pytest.approx(0.95, abs=2e-3)
    assert within(0.95 * half) != pytest.approx(0.95, abs=2e-3)
    assert within(1.05 * half) != pytest.approx(0.95, abs=2e-3)


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", [EQUAL, OWN, TREE])
def test_nineteen_of_twenty_draws_keep_the_interval(kind):
    asked, hits, trials = choice(kind), 0, 0
    for seed in range(150):
        found = answer(asked, drawn(asked, seed=seed), DATA)
        first = found.groups[0].errors[:1]  # errors of one release are not independent
        hits += int((np.abs(first) <= found.law.half).sum())
        trials += first.size
    low, high = clopper_pearson(hits, trials)
    assert low <= 0.97
    assert high >= 0.95


def test_with_the_truth_hidden_nothing_of_it_is_known():
    asked = choice()
    found = answer(asked, drawn(asked))
    assert (found.far, found.worst, found.clipped, found.beyond) == (None,) * 4
    (one,) = found.groups
    assert (one.truth, one.errors, one.parts, one.far) == (None,) * 4
    assert one.empty > 0
    about = answer(asked, drawn(asked), beyond=0.1).beyond
    assert about.people == pytest.approx(sum(one.counts.tolist()))
    assert "original" not in repr(say(found, VOICE, "ε = 0.5"))


def test_a_bin_is_far_off_beyond_a_tenth_of_what_it_holds():
    data = {"": Column.from_values(np.repeat([1.0, 5.0, 9.0], 100), BOUNDS)}
    asked = choice(bins=4)
    (made,) = drawn(asked, data).values()
    for counts, far in (((110, 90, 109, 0), 0), ((111, 89, 110, 0), 2), ((111, 89, 88, 1), 4)):
        found = answer(asked, {"": replace(made, counts=np.array(counts, dtype=float))}, data)
        assert (found.far, found.groups[0].far) == (far, far)


def test_groups_add_up_to_bins_of_all():
    data = {"a": DATA[""], "b": Column.from_values([1.0, 1.5, 9.0], BOUNDS)}
    asked = choice()
    found = answer(asked, drawn(asked, data), data)
    assert [one.name for one in found.groups] == ["a", "b"]
    assert found.counted == 16
    assert found.groups[1].truth.tolist() == [2, 0, 0, 0, 1, 0, 0, 0]
    assert found.empty == sum(one.empty for one in found.groups)
    assert found.far == sum(one.far for one in found.groups)
    assert found.worst == max(float(np.abs(one.errors).max()) for one in found.groups)
    every = np.concatenate([one.counts for one in found.groups])
    assert found.even == pytest.approx(every.mean())
    assert not np.array_equal(found.groups[0].errors, found.groups[1].errors)


@pytest.mark.parametrize(
    ("edges", "extra", "filled"), [((0, 14, 16), 2, 4), ((0, 8, 14), None, None)]
)
def test_what_bounds_clip_is_counted_row_by_row(edges, extra, filled):
    rows = [row for row in ROWS.tolist() if not math.isnan(row)]
    found = clipped(ROWS, np.array(edges, dtype=float), BOUNDS)
    below, above = sum(row < 0 for row in rows), sum(row > 16 for row in rows)
    assert (found.below, found.above) == (below, above) == (1, 2)
    assert found.share == pytest.approx(3 / len(rows))
    assert found.mean == pytest.approx(sum(rows) / len(rows))
    assert found.inside == pytest.approx(sum(min(max(row, 0), 16) for row in rows) / len(rows))
    assert (found.extra, found.filled) == (extra, filled)


def test_rows_below_are_those_of_the_first_bin():
    found = clipped([-5, -4, 1, 20], np.array([0.0, 4.0, 16.0]), BOUNDS)
    assert (found.below, found.above, found.extra, found.filled) == (2, 1, 2, 3)
    assert clipped([math.nan], np.array([0.0, 4.0, 16.0]), BOUNDS) is None


def test_rows_of_typed_groups_are_those_that_a_loop_finds():
    names = parse_groups("north; south sea,")
    assert names == Groups(("north", "south sea"))
    texts = ["north", " north ", "North", "", "south sea", "south"]
    found = [rows.tolist() for rows in names.rows(texts)]
    assert found == [[text.strip() == name for text in texts] for name in names.called]
    cuts = parse_groups("0 < 40<80.5")
    assert cuts.called == ("0 to 40", "40 to 80.5")
    numbers = [-1.0, 0.0, 39.9, 40.0, 80.0, 80.5, 81.0, math.nan]
    found = [rows.tolist() for rows in cuts.rows(np.array(numbers))]
    assert found == [
        [0 <= one < 40 for one in numbers], [40 <= one <= 80.5 for one in numbers],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "got 0"), ("north", "got 1"), ("a,b,c,d,e,f,g", "got 7"), ("a, b, a", "two are alike"),
        ("0 < 1", "Type 3 to"), ("0<2<1", "Edges ascend"),
        ("0 < x < 2", "'x' is not a number"),
    ],
)  # fmt: skip
def test_groups_that_are_none_are_refused_in_words(text, says):
    with pytest.raises(InvalidParameter, match=says):
        parse_groups(text)


@pytest.mark.parametrize(
    ("edges", "step"), [(range(0, 101, 5), 1.0), ((0, 1.2, 2.4, 3.6, 4.8), 1.0), ((0.1, 0.3), 0.1)]
)
def test_steps_of_bins_are_counted_one_by_one(edges, step):
    edges = list(edges)
    grid = [round(at * step, 9) for at in range(200)]
    held = [sum(low <= one < high for one in grid) for low, high in pairwise(edges)]
    assert steps_in(np.array(edges), step) == (min(held), max(held))
    assert steps_in(np.array(edges), 0.0) is None


@pytest.mark.parametrize("text", ["0, 18;65\n120", "0 18 65 120", " 0,18,65,120, "])
def test_edges_are_read(text):
    assert parse_edges(text) == (0, 18, 65, 120)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0, x, 3", "'x' is not a number"), ("0, nan, 3", "'nan' is not a number"),
        ("", "Type 3 to 513 edges, got 0"), ("0, 1", "got 2"), ("0, 3, 3", "Edges ascend"),
        ("0, 5, 3", "Edges ascend"), (" ".join(map(str, range(514))), "got 514"),
    ],
)  # fmt: skip
def test_edges_that_are_none_are_refused_in_words(text, says):
    with pytest.raises(InvalidParameter, match=says):
        parse_edges(text)


def shown(**others):
    asked = choice(bins=2)
    known = answer(asked, drawn(asked), DATA)
    (one,) = known.groups
    one = replace(
        one, counts=np.array([11.0, -2.0]), truth=np.array([7.0, 0.0]),
        errors=np.array([4.0, -2.0]), parts=np.array([0.571, math.inf]),
    )  # fmt: skip
    law = BinErrors(22.0, 33.0, 4.4, 0.55)
    base = replace(
        known, groups=(one,), law=law, counted=66, empty=7, far=8, worst=99.0, even=123.0,
        part=0.13, doubled=0.27,
    )  # fmt: skip
    return replace(base, **others)


def test_every_sentence_says_its_own_number():
    said = say(shown(), VOICE, "ε = 0.7")
    assert said.headline() == (
        "**8** of 66 bins are off by more than a tenth of what they hold; each is within "
        ":blue[± 22] students, 19 times in 20."
    )
    assert said.headline(brief=True) == (
        "**8** of 66 bins are off by more than a tenth of what they hold."
    )
    assert said.second() == (
        r"A bin of average height, 123, is known to 13 %; twice as many bins are half as high "
        "under the same noise: 27 %."
    )
    assert said.strip == [
        ("bins", "2"), ("each within", "± 22"), ("worst here", "off by 99"), ("spent", "ε = 0.7"),
    ]  # fmt: skip
    (table,) = said.tables
    assert table.columns == (
        "from", "to", "private", "19 times in 20", "original", "error", "of the bin",
    )  # fmt: skip
    assert table.rows == (
        ("0", "8", "11", "± 22", "7", "+4", "57 %"), ("8", "16", "−2", "± 22", "0", "−2", "–"),
    )  # fmt: skip
    between = say(shown(edges=np.array([-12.5, 0.25, 1234567.5])), VOICE, "").tables[0].rows
    assert [row[:2] for row in between] == [("−12.5", "0.25"), ("0.25", "1,234,567.5")]
    assert say(shown(far=1), VOICE, "").headline().startswith("**1** of 66 bins is off by more")
    assert say(shown(far=0), VOICE, "").headline().startswith("None of 66 bins is off")


def test_what_is_said_without_the_truth():
    hidden = shown(far=None, worst=None)
    hidden = replace(
        hidden, groups=(replace(hidden.groups[0], truth=None, errors=None, parts=None),)
    )
    said = say(hidden, VOICE, "ε = 0.7")
    assert said.headline() == (
        "Each bin is within :blue[± 22] students, 19 times in 20; 7 of 66 cannot be told from "
        "empty."
    )
    assert said.headline(brief=True) == "Each bin is within :blue[± 22] students."
    assert said.strip == [("bins", "2"), ("each within", "± 22"), ("spent", "ε = 0.7")]
    assert said.tables[0].rows[0] == ("0", "8", "11", "± 22")
    full = say(replace(hidden, empty=0), VOICE, "").headline()
    assert full.endswith("; all 66 can be told from empty.")


def test_what_is_said_of_trees_of_edges_and_of_nobody():
    tree = say(shown(choice=choice(TREE)), VOICE, "").second().replace("\\", "")
    assert tree == (
        "A tree errs 4.4 times as far as plain noise in each bin, and 0.55 times as far in the "
        "lower half of all bins together."
    )
    own = say(shown(choice=choice(OWN)), VOICE, "").second()
    assert own.endswith("known to 13 %; wider bins hold more under the same noise.")
    uneven = say(shown(steps=(1, 2)), VOICE, "").second()
    assert uneven.endswith(
        "; some bins hold 2 of the column's steps, others 1, which alone makes bars differ."
    )
    for steps in ((3, 3), (10, 11), None):
        assert "twice as many" in say(shown(steps=steps), VOICE, "").second()
    assert shown(steps=(9, 10)).uneven == (9, 10)
    assert say(shown(even=0.0), VOICE, "").second().startswith("No more is counted than noise")
    two = shown(groups=(shown().groups[0], replace(shown().groups[0], name="*b*")))
    said = say(two, VOICE, "")
    assert said.strip[0] == ("bins", "2 × 2")
    cost = say(two, VOICE, "ε = 0.7").second().replace("\\", "")
    assert cost == "2 groups that share nobody cost what one costs, ε = 0.7 in all."
    three = replace(two, groups=(*two.groups, two.groups[0]))
    for rows, groups, kept, all_of, times in (
        (PersonRows.at_most(5), two, "at most 5 rows of a person count", "both", 2),
        (PersonRows.at_most(1), three, "at most 1 row of a person counts", "all", 3),
        (PersonRows.weighted(60), three, "a person's rows share 60 parts", "all", 3),
    ):
        cost = say(groups, VOICE, "ε = 0.7", rows).second().replace("\\", "")
        assert cost == (
            f"{len(groups.groups)} groups may share people, and {kept} in {all_of} together: a "
            f"person spends ε = 0.7 in all. The same bound in each group apart would cost up to "
            f"{times} times as much."
        )
    replaced = replace(two, choice=choice(neighbours=Neighbours.REPLACE_ONE))
    cost = say(replaced, VOICE, "ε = 0.7").second().replace("\\", "")
    assert cost == (
        "2 groups for ε = 0.7 in all: one whose group changes moves a bin in two of them, as "
        "within one, and the noise covers two bins."
    )
    assert (said.tables[0].columns[0], said.tables[0].rows[2][0]) == ("group", "*b*")
    assert method(shown(choice=choice(TREE))) == "binary tree of counts, read by least squares"
    assert method(shown()) == "noise on each count alone"
    words = [kind_words(kind, 1234) for kind in (EQUAL, OWN, TREE)]
    assert words == ["1,234 bins", "Own edges", "1,234 tree bins"]


def test_what_is_said_of_rows_beyond_the_bounds():
    known = Clipped(3, 44, 0.055, 66.0, 7.0, 88, 99)
    said = say(shown(clipped=known), VOICE, "").second().replace("\\", "")
    assert said == (
        "The bounds clip 5.5 % of the rows (**3** below and **44** above): the mean is **7** "
        "instead of **66**, and **88** of **99** in the end bin lie beyond it."
    )
    none = say(shown(clipped=replace(known, below=0, extra=None)), VOICE, "").second()
    assert "(**44** above)" in none
    assert none.endswith("; they are in no bin.")
    whole = replace(known, below=0, above=0)
    assert "A bin of average height" in say(shown(clipped=whole), VOICE, "").second()
    assert beyond_words(shown(), VOICE) == ""
    typed = shown(beyond=Beyond(0.02, 6000, 121.0, 5.5))
    assert beyond_words(typed, VOICE).replace("\\", "") == (
        "Of about 6,000 students, 2 % beyond one bound would add 121 students to the bin at that "
        "end: 5.5 times as much as its ± 22."
    )
    assert before(shown().law, VOICE) == (
        "Every bin will be within :blue[± 22] students, 19 times in 20."
    )
    one = Voice(replace(WORDS, people=Noun("*x*", "[y]")), VOICE.writing)
    assert r"\[y\]" in before(shown().law, one)
