"""What is said of the AQ figures and the poster: every number and order is that of the rows."""

import math
import re

import numpy as np
import pandas as pd
import pytest

from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP
from dpviz.experiments.papers.aq_figures import properties
from dpviz.experiments.papers.aq_study import CONCENTRATED, GAPS, PURE, THEIR_COUNT
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


def standing(rows, m, own_variant="paper", tree_variant="paper"):
    counts = {"better": 0, "level": 0, "worse": 0}
    own, other = of_line(rows, own_variant, AQ, m), of_line(rows, tree_variant, TREE, m)
    for one in own:
        apart = other[one][0] - own[one][0]
        noise = 2 * math.hypot(own[one][1], other[one][1])
        counts["level" if abs(apart) <= noise else "better" if apart > 0 else "worse"] += 1
    return counts


def listed(counts):
    found = [f"{how} in {word(n)} set{'s' * (n != 1)}" for how, n in counts.items() if n]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)


def clearly_ahead(rows, m):
    """Whether all at once misses less than halving on the mean of the sets, by two errors."""
    own, other = of_line(rows, "paper", AQ, m), of_line(rows, "paper", JOINT, m)
    apart = sum(own[one][0] - other[one][0] for one in own)
    noise = math.sqrt(sum(own[one][1] ** 2 + other[one][1] ** 2 for one in own))
    return apart > 2 * noise


def lead_moves(rows, mechanism, first, last):
    """How halving's lead goes, by two standard errors of the mean log ratio of the sets."""
    logs, noise = [], 0.0
    lines = {(name, m): of_line(rows, "paper", name, m)
             for name in (AQ, mechanism) for m in (first, last)}  # fmt: skip
    for one in lines[AQ, first]:
        if all(line[one][0] > 0 for line in lines.values()):
            mean = {key: line[one][0] for key, line in lines.items()}
            logs.append(math.log(mean[mechanism, last] / mean[AQ, last])
                        - math.log(mean[mechanism, first] / mean[AQ, first]))  # fmt: skip
            noise += sum((line[one][1] / line[one][0]) ** 2 for line in lines.values())
    change, error = sum(logs) / len(logs), math.sqrt(noise) / len(logs)
    return "stays level" if abs(change) <= 2 * error else "grows" if change > 0 else "shrinks"


def made_up(seed, sets=6):
    """Rows of a study with random means: sentences must be true of any rows."""
    rng = np.random.default_rng(seed)
    lines = [("paper", name) for name in (AQ, JOINT, SINGLE, TREE)]
    lines += [("text", TREE), ("text", AQ), ("improved", AQ)]
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
    assert f"halving is {listed(counts)}" in text
    texts = of_line(rows, "text", AQ, most)
    assert texts
    by_text = [missed for missed, _ in texts.values()]
    assert f"halving misses {ratio(rows, AQ, most, 'text')} times as much, " in text
    assert f"{short(min(by_text))} to {short(max(by_text))} people by set" in text
    against = listed(standing(rows, most, "text", "text"))
    assert f"against the text's tree it is {against}." in text
    assert f"at {rows['m'].nunique()} of {most} m" in text
    mean = rows[rows["variant"] == "paper"].pivot_table("mean", "m", "mechanism")
    if key in ("aq4", "aq5"):
        ahead = [f"{m:g}" for m in mean.index if clearly_ahead(rows, m)]
        told_so = re.search(r"all at once is clearly ahead at (no m|m = [\d, and]*\d)", text).group(
            1
        )
        assert re.findall(r"\d+", told_so) == ahead
        led = re.search(rf"From m = 5 to {most} its lead (.*?)\.\s", text).group(1)
        said_of = {
            called: verb
            for verb, names in re.findall(
                r"(grows|stays level|shrinks) over (.*?)(?=, (?:grows|stays|shrinks)|$)", led
            )
            for called in re.split(r", | and ", names)
        }
        assert said_of == {
            called: lead_moves(rows, name, 5, most)
            for name, called in (
                (JOINT, "all at once"), (SINGLE, "one by one"), (TREE, "the noisy tree")
            )
        }  # fmt: skip
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
        assert ("but the noisy tree is better" in text) == (counts["worse"] > 0)
        nowhere = counts["worse"] == 0 and counts["better"] > 0 and counts["level"] > 0
        assert ("nowhere behind the noisy tree" in text) == nowhere
    if key == "aq7":
        for m in (5, most):
            lines = {name: of_line(rows, "paper", name, m) for name in (AQ, JOINT, SINGLE, TREE)}
            wins = sum(
                all(
                    lines[name][one][0] - lines[AQ][one][0]
                    > 2 * math.hypot(lines[name][one][1], lines[AQ][one][1])
                    for name in (JOINT, SINGLE, TREE)
                )
                for one in lines[AQ]
            )
            assert f"{word(wins)} of {word(sets)} sets at m = {m}" in text or (
                f"and in {word(wins)} at m = {m}" in text
            )
        assert f"at m = 5 one by one misses {ratio(rows, SINGLE, 5)} times" in text.lower()


@pytest.mark.few(3, 6)
@pytest.mark.parametrize("key", GAP_KEYS)
@pytest.mark.parametrize("metric", GAPS)
def test_the_sentences_are_true_of_the_stored_rows(key, metric):
    rows = told.rows_of(key, record(), metric)
    if key in ("aq6", "aq7") and metric == THEIR_COUNT:
        rows = rows[rows["m"] >= 3]  # at fewer quantiles ties hide all misses of some sets
    check(key, rows, said(key, rows, metric))


@pytest.mark.few(4, 8)
@pytest.mark.parametrize("key", GAP_KEYS)
@pytest.mark.parametrize("seed", range(4))
def test_the_sentences_are_true_of_any_rows(key, seed):
    rows = made_up(seed, sets=2 + seed % 5)
    check(key, rows, said(key, rows))


@pytest.mark.law
@pytest.mark.parametrize("key", GAP_KEYS)
def test_the_sentences_of_other_rows_are_refused(key):
    """The words of the stored rows do not pass for rows in which two mechanisms are swapped."""
    rows = told.rows_of(key, record())
    for swapped in ({AQ: TREE, TREE: AQ}, {AQ: SINGLE, SINGLE: AQ}):
        with pytest.raises(AssertionError):
            check(key, rows.replace({"mechanism": swapped}), said(key, rows))


def test_fig_8_says_at_how_many_m_it_was_timed():
    rows = told.rows_of("aq8", record())
    text = told.told("aq8", {**WORDS, **findings.times(rows)})
    assert f"at {len(set(rows['m']))} of 120 m" in text.settings
    last = rows[rows["m"] == 120].set_index("mechanism")["mean"]
    assert f"halving {short(1e3 * last[AQ])} ms" in text.measured
    assert f"{short(last[JOINT] / last[AQ])} times as long as halving" in text.measured


def test_what_is_counted_is_said():
    rows = told.rows_of("aq4", record(), LARGEST_GAP)
    assert "and by the largest miss, halving" in said("aq4", rows, LARGEST_GAP)
    assert "which the paper bounds" in said("aq4", rows, LARGEST_GAP)
    assert "as their program counts" in said("aq4", rows, THEIR_COUNT)


def test_histograms_hold_everybody_of_their_sets():
    """Counts of bins are whole people: rounded to four digits they lacked three."""
    rows = told.rows_of("aq3", record())
    assert rows.groupby("data", sort=False)["records"].sum().tolist() == [
        10_000, 10_000, 11_123, 11_123, 48_842, 48_842,
    ]  # fmt: skip
    assert findings.histograms(rows)["sizes"].endswith("11,123, 48,842, 48,842")


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
    # one noise law: another seed moves the third digit, so the same two stand under both plots
    assert "within about :blue[4,800]" in text.headline
    assert abs(rows["alpha"].max() - 4_800) < 50
    assert abs(rows["interval"].max() - 6_500) < 50
    assert "9,333.16, the printed number" in text.measured
    both = " and ".join(short(9333.16 / rows[one].max()) for one in ("alpha", "interval"))
    assert f"{both} times as much" in text.measured
    listed = ", ".join(f"{one:.0f}" for one in trials["raw"].iloc[:-1])
    assert f"{listed} and {trials['raw'].iloc[-1]:.0f} of 101 points" in text.measured
    assert ("none the printed one" in text.measured) == (trials["raw_formula"].sum() == 0)
    assert f"only {short(trials['beyond'].iloc[0])} points a trial" in text.why
    assert trials["beyond"].iloc[0] < 0.1  # "only", and the printed counts do not follow
    moved = max(abs(a - b) for a, b in zip(rows["smoothed"], rows["held"], strict=True))
    assert f"by up to {moved:,.0f} people" in text.settings
    levels = 1 + next(h for h in range(20) if 2**h >= 101)  # with the root: 8 for 101 values
    cost = sum(0.01 / math.log2(101) for _ in range(levels))  # of Lap(log₂ D/ε) on each of them
    assert f"cost {100 * (cost / 0.01 - 1):.0f} % more than ε = 0.01" in text.settings
    assert f"of about {round(rows['smoothed'].iloc[-1], -4):,.0f} people, the raw count" in (
        text.headline
    )
    assert "nodes, 11, it is about 6,500." in text.measured


def test_the_text_has_lines_of_its_own_where_the_program_differs():
    rows = record().rows["gaps"]
    own = rows[rows["variant"] == "text"]
    found = set(zip(own["notion"], own["mechanism"], strict=True))
    assert found == {(PURE, AQ), (PURE, TREE), (CONCENTRATED, AQ),
                     (CONCENTRATED, TREE)}  # fmt: skip


def test_all_at_once_is_not_ahead_at_one_quantile_where_the_laws_are_the_same():
    """At m = 1 both are one exponential mechanism: a difference of their means is chance."""
    rows = told.rows_of("aq4", record())
    mean = rows[(rows["variant"] == "paper") & (rows["m"] == 1)].groupby("mechanism")["mean"].mean()
    assert mean[JOINT] != mean[AQ]
    assert not clearly_ahead(rows, 1)
    assert clearly_ahead(rows, 2)
