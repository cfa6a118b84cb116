"""The paragraph of a release says what a reader needs, and follows the release alone."""

import math
from dataclasses import replace

import numpy as np
import pytest

import dpviz as dp
from dpviz.answers.number_text import asked_for
from dpviz.catalogue import cards
from dpviz.core.errors import InvalidRelease
from dpviz.mechanisms.spatial.kd_references import KdPure, KdTrue
from dpviz.reports.page import report
from dpviz.reports.pictures import picture
from dpviz.reports.words import (
    Told,
    card_of,
    declared,
    errors,
    interval,
    method,
    paragraph,
    rows,
    spent,
    what,
)
from tests.estimators.trees.twins import with_public_total
from tests.reports.releases import COLUMN, NAMES, POINTS, one
from tests.rows import by_rows

NOTIONS = ("pure", "zcdp", "approximate")
RELATIONS = ("add-remove", "replace-one")
EVERY = [(name, notion, relation) for name in NAMES for notion in NOTIONS for relation in RELATIONS]


def test_a_release_of_quantiles_is_told_whole():
    release = one("halving")
    assert paragraph(release, Told("yearly pay")) == (
        "We release the three quartiles of yearly pay under pure ε-differential privacy with "
        "ε = 1, protecting the addition or removal of one person's record (one record a person). "
        "Method: ApproximateQuantiles (Kaplan, Schnapp and Stemmer 2021), two levels of ε/2. "
        "Declared before access: bounds 0–100, resolution 1. This release was drawn once, with "
        "secure random bits (AES-256 under a key that nobody kept), and its law is exact in the "
        "program; it spent ε = 1 for good, and whatever else is released about the same people "
        "adds to that. Values outside the bounds were clipped; their number is not published."
    )


def test_a_count_is_told_whole():
    release = replace(one("count"), value=1234.0, scale=10.0)
    assert paragraph(release, Told("yearly pay")) == (
        "We release the noisy number of values of yearly pay above 30 and below 62.5 under pure "
        "ε-differential privacy with ε = 1, protecting the addition or removal of one person's "
        "record (one record a person). Method: Noisy count (Dwork, McSherry, Nissim and Smith "
        "2006; Ghosh, Roughgarden and Sundararajan 2009), discrete Laplace noise. Declared before "
        "access: bounds 0–100, thresholds 30 and 62.5. 19 of 20 such counts are off by at most 30 "
        "records. This release was drawn once, with secure random bits (AES-256 under a key that "
        "nobody kept), and its law is exact in the program; it spent ε = 1 for good, and whatever "
        "else is released about the same people adds to that. Values outside the bounds were "
        "clipped; their number is not published."
    )
    listed = dict(rows(release, Told("yearly pay")))
    assert listed["What"] == "The noisy number of values of yearly pay above 30 and below 62.5"
    assert listed["Value"] == "1,234"


def test_bins_are_told_whole():
    release = replace(one("own bins"), scale=10.0)
    assert paragraph(release, Told("yearly pay")) == (
        "We release 3 noisy counts of yearly pay (values between each public edge and the "
        "next) under pure ε-differential privacy with ε = 1, protecting the addition or removal of "
        "one person's record (one record a person). Method: Noisy histogram (Dwork, McSherry, "
        "Nissim and Smith 2006), discrete Laplace noise. Declared before access: bounds 0–100, "
        "resolution 1, edges 5, 18, 40 and 100. The standard error of each count as published is "
        "14.1 records. This release was drawn once, with secure random bits (AES-256 under a key "
        "that nobody kept), and its law is exact in the program; it spent ε = 1 for good, and "
        "whatever else is released about the same people adds to that. Values outside the bounds "
        "were clipped; their number is not published. Those outside the edges are in no bin."
    )
    many = one("bins")
    assert what(many, "pay").startswith("20 noisy counts of pay")
    assert declared(many) == "bounds 0–100, resolution 1, 21 edges from 0 to 100"
    assert "outside the edges" not in paragraph(many)


def test_named_places_are_told_whole():
    release = replace(one("places"), scales=(math.inf, 5.0, 10.0))
    assert paragraph(release, Told("rows")) == (
        "We release 5 noisy counts of rows (public places by land and town, and all of them) under "
        "pure ε-differential privacy with ε = 1, protecting the addition or removal of one "
        "person's record (one record a person). Method: Counts of named places (Cormode et al. "
        "2012), discrete Laplace noise. Declared before access: a public list of 3 places. The "
        "standard error of each count as published is 7.06 to 14.1 records. This release was drawn "
        "once, with secure random bits (AES-256 under a key that nobody kept), and its law is "
        "exact in the program; it spent ε = 1 for good, and whatever else is released about the "
        "same people adds to that. What is of no place in the list is in no count; how much that "
        "is is not published."
    )


@pytest.mark.parametrize(
    ("limits", "said", "settled"),
    [
        ({}, "", "bounds 0–100"),
        ({"above": 0}, " above 0", "bounds 0–100, threshold 0"),
        ({"below": 62.5}, " below 62.5", "bounds 0–100, threshold 62.5"),
    ],
)
def test_the_thresholds_of_a_count_are_said(limits, said, settled):
    release = dp.NoisyCount(**limits).release(COLUMN, dp.PureDP(1), dp.SecureBits.fresh())
    assert what(release, "pay") == f"the noisy number of values of pay{said}"
    assert declared(release) == settled
    assert declared(replace(release, parameters={})) == "bounds 0–100"


@pytest.mark.parametrize("budget", [dp.PureDP(0.03), dp.PureDP(3), dp.ZCDP(0.002), dp.ZCDP(2)])
def test_19_of_20_counts_are_as_near_as_is_said(budget):
    """The probabilities of whole numbers added up from 0 on."""
    release = dp.NoisyCount().release(COLUMN, budget, dp.SecureBits.fresh())
    size = np.arange(-2_000, 2_001)
    if isinstance(budget, dp.PureDP):
        chances = np.exp(-np.abs(size) / release.scale)
    else:
        chances = np.exp(-(size**2) / (2 * release.scale**2))
    chances /= chances.sum()
    off = 0
    while chances[np.abs(size) <= off].sum() < 0.95:
        off += 1
    word = "record" if off == 1 else "records"
    assert errors(release) == f"19 of 20 such counts are off by at most {off:,} {word}."
    assert interval(release) == (release.value - off, release.value + off)


def test_sums_and_means_are_told_with_their_own_errors():
    rng = np.random.default_rng(3)
    total = dp.NoisySum().release(COLUMN, dp.PureDP(0.1), rng)
    assert what(total, "pay") == "the noisy sum of pay"
    assert declared(total) == "bounds 0–100"
    least = f"about {1_000 * np.log(20):,.0f}"  # 2,996: of three digits 3,000
    assert least == "about 2,996"
    said = "19 of 20 such numbers are off by at most about {}, besides what clipping cuts off."
    assert errors(total) == said.format("3,000")
    mean = dp.NoisyMean(2_000).release(COLUMN, dp.ZCDP(0.5), rng)  # σ = 100/2,000
    assert what(mean, "pay") == "the noisy mean of pay"
    assert declared(mean) == "bounds 0–100, a public number of 2,000 records"
    assert errors(mean) == said.format("0.098")
    assert method(mean).endswith(", Gaussian noise")
    assert what(replace(mean, mechanism="another"), "pay") == "the noisy number of pay"


@pytest.mark.parametrize("public", [False, True])
def test_running_counts_are_told_with_their_standard_errors(public):
    """By the matrix: the noise M z with M·M = A; a public N takes off what it explains."""
    release = one("running counts", neighbours="replace-one")
    if public:
        release = with_public_total(release, 2_000)
    coefficients = [1.0]
    for k in range(1, 40):
        coefficients.append(coefficients[-1] * (1 - 1 / (2 * k)))
    root = np.array([[coefficients[i - j] if i >= j else 0 for j in range(40)] for i in range(40)])
    law = release.scale**2 * root @ root.T
    if public:
        law = (law - np.outer(law[-1], law[-1]) / law[-1, -1])[:-1, :-1]
    known = np.sqrt(np.diag(law))
    said = paragraph(release, Told("visits"))
    assert said.startswith(
        f"We release {39 if public else 40} noisy running counts of visits (values below the end "
        "of each of 40 equal intervals) under ρ-zero"
    )
    assert f"as published is {known.min():,.3g} to {known.max():,.3g} records." in said
    assert ("a public number of 2,000 records" in said) == public
    assert "bounds 0–100, resolution 1" in said
    assert "Gaussian noise" in method(release)
    assert "protects nobody" in said


@by_rows(("name", "notion", "relation"), EVERY)
def test_budget_neighbours_and_declarations_are_always_said(name, notion, relation):
    release = one(name, notion, relation)
    said = paragraph(release)
    assert str(release.spent) in said
    assert ("replacement" in said) == (relation == "replace-one")
    assert ("addition or removal" in said) == (relation == "add-remove")
    settled = "bounds 0–100" if hasattr(release, "bounds") else "a box of 0–4 by −2–0"
    settled = "a public list of 3 places" if name == "places" else settled
    assert settled in said
    assert card_of(release.mechanism).source.split(",")[0].split(" (")[0] in said
    assert said.count("(") == said.count(")")
    assert " nan" not in said
    assert ". ." not in said
    listed = dict(rows(release))
    assert listed["Spent"] == f"{release.spent}, for good"
    assert str(release.spent) in listed["Promise"]
    for word in ("replacement", "addition or removal"):
        assert (word in listed["Promise"]) == (word in said)


def test_zcdp_is_cited_for_rho_alone():
    assert "Cesar and Rogers" not in method(one("halving"))
    assert "Cesar and Rogers 2021" in method(one("halving", "zcdp"))
    assert "two levels of ρ/2" in method(one("halving", "zcdp"))
    assert "two levels" in method(one("halving", "approximate"))
    assert "ε/2" not in method(one("halving", "approximate"))  # (ε, δ) is not shared in ε


def test_the_standard_errors_of_counts_are_said_and_right():
    tree = one("tree")
    error = np.sqrt(float(tree.variances[0]))
    assert f"as published is {error:,.3g} records" in paragraph(tree)
    quad = one("quadtree")
    known = np.sqrt([float(each) for each in quad.variances])
    assert f"{known.min():,.3g} to {known.max():,.3g} records" in paragraph(quad)


def test_a_seeded_release_says_that_it_protects_nobody():
    rng = np.random.default_rng(1)
    release = dp.ApproximateQuantiles().release(COLUMN, [0.5], dp.PureDP(1), rng)
    said = paragraph(release)
    assert "protects nobody" in said
    assert "AES" not in said
    assert "the median of" in said


def test_quantiles_are_counted():
    assert asked_for(np.array([0.5])) == "one median"
    assert asked_for(np.array([0.9])) == "one quantile"
    assert asked_for(np.arange(1, 10) / 10) == "nine deciles"
    assert asked_for(np.array([0.1, 0.3])) == "two quantiles"


def test_references_that_protect_nobody_have_no_report():
    for kind in (KdTrue, KdPure):
        rng = np.random.default_rng(1)
        release = kind(2).release(POINTS, dp.PureDP(1), rng)
        for make in (paragraph, spent, report):
            with pytest.raises(InvalidRelease, match="protects nobody"):
                make(release)


def test_every_exact_mechanism_that_releases_by_itself_is_known_by_its_name():
    known = {one(name).mechanism for name in NAMES}
    named = {card.key for card in cards()}
    assert known <= named


QUANTILE_METHODS = [
    (dp.ApproximateQuantiles(), dp.PureDP(1), "two levels of ε/2"),
    (dp.IndependentExp(), dp.PureDP(1), "ε/3 for each quantile"),
    (dp.IndependentExp(), dp.ZCDP(0.1), "ρ/3 for each quantile"),
    (dp.JointExp(), dp.PureDP(1), "all of them in one draw"),
    (dp.AggTree(), dp.PureDP(1), "a tree of fanout 8 and height 3, discrete Laplace noise"),
    (dp.PrefixQuantiles(), dp.ZCDP(0.1), "running counts at 200 edges, Gaussian noise"),
]


@pytest.mark.parametrize(("mechanism", "budget", "said"), QUANTILE_METHODS)
def test_each_method_for_quantiles_says_how_it_used_its_budget(mechanism, budget, said):
    rng = np.random.default_rng(3)
    told = method(mechanism.release(COLUMN, [0.25, 0.5, 0.75], budget, rng))
    assert told.endswith(f"), {said}")


def test_equal_quantiles_share_one_part_of_the_budget():
    rng = np.random.default_rng(3)
    release = dp.IndependentExp().release(COLUMN, [0.5, 0.5, 0.9], dp.PureDP(1), rng)
    assert method(release).endswith("), ε/2 for each quantile")


@pytest.mark.parametrize("mechanism", [dp.AggTree(), dp.PrefixQuantiles()])
def test_a_release_without_its_parameters_is_told_without_them(mechanism):
    rng = np.random.default_rng(3)
    release = replace(mechanism.release(COLUMN, [0.5], dp.ZCDP(1), rng), parameters={})
    assert method(release).endswith(")")


def test_windows_without_room_say_that_their_answer_is_even():
    rng = np.random.default_rng(3)
    for many, said in ((1, False), (200, True)):
        release = dp.SliceQuantiles().release(
            COLUMN, np.arange(1, many + 1) / (many + 1), dp.ApproxDP(3, 1e-6), rng
        )
        assert ("drawn evenly between the bounds" in method(release)) == said


def test_errors_of_an_adaptive_grid_are_those_of_its_counts_as_published():
    release = one("adaptive grid")
    known = np.sqrt(dp.range_counts(release, release.boxes)[1])  # of each cell by itself
    said = f"{known.min():,.3g} to {known.max():,.3g} records."
    assert errors(release) == f"The standard error of each count as published is {said}"
    assert known.max() < np.sqrt(release.variances.max())
    (row,) = [line for line in picture(release).split("<") if " rectangles are sure" in line]
    assert f"{int((release.counts > 2 * known).sum()):,} of {known.size:,}" in row


def test_of_many_values_the_first_five_and_the_last_two_are_listed():
    release = dp.ApproximateQuantiles().release(
        COLUMN, np.arange(1, 20) / 20, dp.PureDP(5), dp.SecureBits(bytes(32))
    )
    shown = [f"{value:,.10g}" for value in np.sort(release.values)]
    listed = dict(rows(release))["Values"].split(" · ")
    assert listed == [*shown[:5], "…", *shown[-2:]]
    few = replace(release, quantiles=release.quantiles[:12], values=release.values[:12])
    assert dict(rows(few))["Values"].split(" · ") == [
        f"{value:,.10g}" for value in release.values[:12]
    ]


def test_the_shape_of_what_was_counted_is_said():
    tree = dp.CountTree(fanout=3, height=4).release(COLUMN, dp.PureDP(1), dp.SecureBits(bytes(32)))
    assert "fanout 3" in method(tree)
    assert paragraph(tree).startswith(
        f"We release {sum(3**level for level in range(5)):,} noisy counts of the declared column "
        "(all values and nested equal intervals, four levels deep)"
    )
    bare = dp.CountTree(fanout=3, height=4, root="sum").release(
        COLUMN, dp.PureDP(1), dp.SecureBits(bytes(32))
    )
    assert paragraph(bare).startswith("We release 120 noisy counts")  # the root was not measured


def test_the_share_that_chose_the_cells_is_said():
    grid = dp.AdaptiveGrid(size_share=0.2).release(POINTS, dp.PureDP(1), dp.SecureBits(bytes(32)))
    assert "20 % of the budget chose the cells" in method(grid)
    assert "chose the cells" not in method(one("quadtree"))


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (dp.PersonRows.at_most(3), "at most 3 rows a person, drawn at random from theirs, are "
         "counted"),
        (dp.PersonRows.weighted(), "the rows of a person share 840 parts evenly, and counts are "
         "in parts"),
    ],
    ids=str,
)  # fmt: skip
def test_what_of_a_persons_rows_counts_is_said(kept, told):
    persons = np.repeat(np.arange(40), 5)
    values = np.linspace(0, 100, 200)
    column = dp.person_column(persons, values, COLUMN.bounds, 1, kept, dp.SecureBits(bytes(32)))
    release = dp.release_for_people(
        dp.ApproximateQuantiles(), column, [0.5], budget=dp.PureDP(1), rows=kept
    )
    said = paragraph(release)
    assert f"one person with all their rows ({told})" in said
    assert "one record a person" not in said
