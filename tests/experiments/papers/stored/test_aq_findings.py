"""What is said of the AQ figures and the poster: every number and order is that of the rows."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP
from dpviz.experiments.papers.aq_figures import properties
from dpviz.experiments.papers.aq_study import GAPS, PURE, THEIR_COUNT
from dpviz.experiments.papers.sets import study_sets
from dpviz.experiments.papers.stored import findings, told
from dpviz.experiments.papers.stored.findings import BY, MEASURED, short, word
from dpviz.experiments.papers.stored.record import record

AQ, JOINT, SINGLE, TREE = "ApproximateQuantiles", "JointExp", "IndependentExp", "AggTree"
GAP_KEYS = ("aq4", "aq5", "aq6", "aq7")
WORDS = {"origin": "", "trials": "100 trials"}


def said(key, rows, metric=MEAN_GAP):
    numbers = findings.gaps(rows)
    found = told.told(key, {**WORDS, "counted": MEASURED[metric], "by": BY[metric], **numbers})
    texts = (found.headline, found.measured, found.why, found.settings)
    return "\n".join(texts).replace(":blue[", "").replace("]", "")


def of_line(rows, variant, mechanism, m):
    kept = rows[(rows["variant"] == variant) & (rows["mechanism"] == mechanism) & (rows["m"] == m)]
    return dict(zip(kept["data"], zip(kept["mean"], kept["standard_error"], strict=True),
                    strict=True))  # fmt: skip


def ratio(rows, mechanism, m, variant="paper"):
    return short(float_ratio(rows, mechanism, m, variant))


def float_ratio(rows, mechanism, m, variant="paper"):
    """The geometric mean over the sets, one set after the other."""
    own, other = of_line(rows, "paper", AQ, m), of_line(rows, variant, mechanism, m)
    logs = [
        math.log(other[one][0] / own[one][0])
        for one in own
        if other[one][0] > 0 and own[one][0] > 0
    ]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def standing(rows, m):
    counts = {"better": 0, "level": 0, "worse": 0}
    own, other = of_line(rows, "paper", AQ, m), of_line(rows, "paper", TREE, m)
    for one in own:
        apart = other[one][0] - own[one][0]
        noise = 2 * math.hypot(own[one][1], other[one][1])
        counts["level" if abs(apart) <= noise else "better" if apart > 0 else "worse"] += 1
    return counts


def made_up(seed, sets=6):
    """Rows of a study with random means: sentences must be true of any rows."""
    rng = np.random.default_rng(seed)
    lines = [("paper", name) for name in (AQ, JOINT, SINGLE, TREE)]
    lines += [("program", TREE), ("improved", AQ)]
    rows = [
        (f"set {number}", m, variant, name, 100, 10 * rng.lognormal(), rng.uniform(0.1, 3))
        for number in range(sets)
        for m in (1, 5, 20, 35)
        for variant, name in lines
    ]
    names = ["data", "m", "variant", "mechanism", "runs", "mean", "standard_error"]
    return pd.DataFrame(rows, columns=names)


def check(key, rows, text):
    most, least = int(rows["m"].max()), int(rows["m"].min())
    sets = rows["data"].nunique()
    counts = standing(rows, most)
    listed = [f"{how} in {word(n)} set{'s' * (n != 1)}" for how, n in counts.items() if n]
    told_so = " and ".join([", ".join(listed[:-1]), listed[-1]] if len(listed) > 1 else listed)
    assert f"halving is {told_so}" in text
    mean = rows[rows["variant"] == "paper"].pivot_table("mean", "m", "mechanism")
    if key in ("aq4", "aq5"):
        ahead = [f"{m:g}" for m in mean.index if mean.loc[m, JOINT] < mean.loc[m, AQ]]
        assert f"all at once is ahead {'at m = ' + ahead[0] if ahead else 'at no m'}" in text
        assert all(re.search(rf"\b{m}\b", text) for m in ahead)
        assert f"tree misses {ratio(rows, TREE, most, 'program')} times as much as" in text
        for name, called in ((JOINT, "all at once"), (SINGLE, "one by one"), (TREE, "noisy tree")):
            grown = float_ratio(rows, name, most) > float_ratio(rows, name, 5)
            led = re.search(r"its lead grows over (.*?)(, not over .*)?\.\s", text)
            assert (called in led.group(1)) == grown
            assert led.group(1) == "no method" or (called in (led.group(2) or "")) != grown
    if key == "aq4":
        assert f"halving is {ratio(rows, SINGLE, most)} times as exact as one by one" in text
        assert f"it misses {ratio(rows, JOINT, most)} times as much" in text
        assert f"one by one {ratio(rows, SINGLE, most)} times" in text
    if key == "aq5":
        first, last = ratio(rows, TREE, least), ratio(rows, TREE, most)
        assert f"the noisy tree misses {first} times as much as halving at first, {last}" in text
        assert f"between {short(mean[TREE].min())} and {short(mean[TREE].max())} people" in text
    if key == "aq6":
        assert f"all at once {ratio(rows, JOINT, most)} times" in text
        own, ours = of_line(rows, "paper", AQ, most), of_line(rows, "improved", AQ, most)
        shares = [100 * ours[one][0] / own[one][0] for one in own]
        assert f"{min(shares):.0f} to {max(shares):.0f} % by set" in text
    if key in ("aq4", "aq6"):
        assert ("more exact than the noisy tree in every set" in text) == (counts["better"] == sets)
        assert ("but the noisy tree is more exact" in text) == (counts["worse"] > 0)
        nowhere = counts["worse"] == 0 and counts["better"] > 0 and counts["level"] > 0
        assert ("nowhere behind the noisy tree" in text) == nowhere
    if key == "aq7":
        for m in (5, most):
            lines = {name: of_line(rows, "paper", name, m) for name in (AQ, JOINT, SINGLE, TREE)}
            wins = sum(
                all(lines[AQ][one][0] < lines[name][one][0] for name in (JOINT, SINGLE, TREE))
                for one in lines[AQ]
            )
            assert f"{word(wins)} of {word(sets)} sets at m = {m}" in text or (
                f"and in {word(wins)} at m = {m}" in text
            )
        assert f"at m = 5 one by one misses {ratio(rows, SINGLE, 5)} times" in text.lower()


@pytest.mark.parametrize("key", GAP_KEYS)
@pytest.mark.parametrize("metric", GAPS)
def test_the_sentences_are_true_of_the_stored_rows(key, metric):
    rows = told.rows_of(key, record(), metric)
    if key in ("aq6", "aq7") and metric == THEIR_COUNT:
        rows = rows[rows["m"] >= 3]  # at fewer quantiles ties hide all misses of some sets
    check(key, rows, said(key, rows, metric))


@pytest.mark.parametrize("key", GAP_KEYS)
@pytest.mark.parametrize("seed", range(8))
def test_the_sentences_are_true_of_any_rows(key, seed):
    rows = made_up(seed, sets=2 + seed % 5)
    check(key, rows, said(key, rows))


@pytest.mark.parametrize("key", GAP_KEYS)
def test_the_sentences_of_other_rows_are_refused(key):
    """The words of the stored rows do not pass for rows in which two mechanisms are swapped."""
    rows = told.rows_of(key, record())
    for swapped in ({AQ: TREE, TREE: AQ}, {AQ: SINGLE, SINGLE: AQ}):
        with pytest.raises(AssertionError):
            check(key, rows.replace({"mechanism": swapped}), said(key, rows))


def test_what_is_counted_is_said():
    rows = told.rows_of("aq4", record(), LARGEST_GAP)
    assert "and by the largest miss, halving" in said("aq4", rows, LARGEST_GAP)
    assert "which the paper bounds" in said("aq4", rows, LARGEST_GAP)
    assert "as their program counts" in said("aq4", rows, THEIR_COUNT)


def test_table_one_is_that_of_the_rows():
    stored = told.rows_of("aqt1", record())
    assert stored["records"].tolist() == [10_000, 10_000, 11_123, 11_123, 48_842, 48_842]
    stand_ins = properties(study_sets(np.random.default_rng(1)))
    fewer = stored.assign(records=stored["records"] - 1)
    for rows in (stored, stand_ins, fewer):
        numbers = findings.properties(rows)
        text = told.told("aqt1", {**WORDS, **numbers}).measured
        alike = sum(a == b for a, b in zip(rows["records"], rows["printed_records"], strict=True))
        exact = sum(
            a == b for a, b in zip(rows["values"], rows["printed_values"], strict=True)
        )  # a set without a printed number has NaN, which equals nothing
        assert f"printed one in {word(alike)} of six sets" in text
        assert f"values in {word(exact)} of the two" in text
        for title, records, values in zip(
            rows["title"], rows["records"], rows["values"], strict=True
        ):
            name = f"{title.removesuffix(' (stand-in)')} ({values:,.0f})"
            assert (name in text) == (values < records)
        assert "stand-in" not in text


@pytest.mark.parametrize("key", ["manohar1", "manohar2"])
def test_the_poster_is_told_from_its_rows(key):
    rows = told.rows_of(key, record())
    trials = record().rows[{"manohar1": "income trials", "manohar2": "age trials"}[key]]
    text = told.told(key, {**WORDS, **findings.poster(rows, trials)})
    assert f"{rows['alpha'].max():,.0f}" in text.headline
    assert "9,333.16, the printed number" in text.measured
    assert f"{short(9333.16 / rows['alpha'].max())} times as much" in text.measured
    listed = ", ".join(f"{one:.0f}" for one in trials["raw"].iloc[:-1])
    assert f"{listed} and {trials['raw'].iloc[-1]:.0f} of 101 points" in text.measured
    assert ("none the printed one" in text.measured) == (trials["raw_formula"].sum() == 0)
    assert f"only {short(trials['beyond'].iloc[0])} points a trial" in text.why
    assert trials["beyond"].iloc[0] < 0.1  # "only", and the printed counts do not follow


def test_the_program_has_its_line_in_pure_privacy_alone():
    rows = record().rows["gaps"]
    assert set(rows.loc[rows["variant"] == "program", "notion"]) == {PURE}
