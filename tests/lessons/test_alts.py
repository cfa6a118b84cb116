"""The pictures of the scenes in words: every number of a text worked out from what it is about."""

import math
import re
from statistics import fmean

import numpy as np
import pytest

from dpviz.intake.samples import load_sample, sample_names
from dpviz.lessons import survey, towns
from dpviz.lessons.one_bound import EPSILON
from dpviz.lessons.show import accuracy_kept, group_size, leavers, suspicion
from dpviz.lessons.teach.attacks import attacker, averages, names_removed
from dpviz.lessons.teach.noise import largest_value, median, same_noise, tank
from dpviz.lessons.teach.promise import coins, promised, two_worlds, what_breaks, who_counts
from dpviz.lessons.teach.trees import combined_levels, why_tree
from dpviz.lessons.try_it import declared_bounds, one_release, questions, smallest_epsilon

PAY, NAMES = load_sample("office")[0], sample_names("office")
NUMBER = re.compile(r"−?\d[\d,]*(?:\.\d+)?")


def numbers(text: str) -> list[float]:
    """Every number of a text, in its order."""
    return [float(one.replace(",", "").replace("−", "-")) for one in NUMBER.findall(text)]


def told(module, stop, second=False):
    scene = module.SCENE
    found = scene.numbers(stop, 1)
    return found, (scene.second.alt if second else scene.alt)(found)


def rounded(value: float, step: float) -> float:
    return round(value / step) * step


@pytest.mark.parametrize("step", [0.01, 1.0, 10.0, 100.0])
def test_t1(step):
    """Both averages, and what their difference leaves of Ana's pay."""
    at = NAMES.index("Ana")
    before, after = fmean(PAY), fmean(np.delete(PAY, at))
    shown = [rounded(before, step), rounded(after, step)]
    widest = 79 * step / 2  # by the rounding of 40 people's average and of 39 people's
    low, high = (40 * shown[0] - 39 * shown[1] + side * widest for side in (-1, 1))
    possible = sum(low <= pay <= high for pay in np.arange(0, 200_000, 100))
    said = numbers(told(averages, step)[1])
    assert said[:3] == pytest.approx([40, *shown])
    assert said[3:] == [PAY[at]] if possible == 1 else said[3:] == [possible]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("rule", "chosen"), [("none", []), ("ten", [11, 10]), ("five", [21, 10, 10])]
)
def test_attacker(rule, chosen):
    """The counts of a plan from the raw marks; with noise right guesses by a simulation."""
    bad = survey.secrets().tolist()
    starts = {"none": [(0, 1)], "ten": [(0, 11), (1, 11)], "five": [(0, 21), (1, 11), (11, 21)]}
    counts = [sum(bad[low:high]) for low, high in starts[rule]]
    _, text = told(attacker, rule)
    assert [high - low for low, high in starts[rule]] == (chosen or [1])
    assert numbers(text) == [*chosen[:1], len(counts), *counts]
    assert text.endswith("hatched: bad.")
    noisy = numbers(told(attacker, rule, second=True)[1])
    rng = np.random.default_rng(6)
    for share, parts in zip(noisy[:3], (1, 2, 3), strict=True):
        p = np.exp(-1 / parts)
        noise = rng.geometric(1 - p, (2, 400_000, parts)) @ np.ones(
            parts
        )  # two geometrics' difference
        assert share == pytest.approx(100 * np.mean(noise[0] - noise[1] >= 0), abs=0.8)
    assert noisy[3:] == [50]


def test_attacker_by_machine():
    """People proved by 22 counts; with noise wrong guesses, draws, their mean, and the content."""
    assert numbers(told(attacker, "machine")[1]) == [22, 40, 40, 22]
    noisy, text = told(attacker, "machine", second=True)
    bad = survey.secrets().tolist()
    drawn = noisy.machine
    wrong = sum((one == "+") != secret for one, secret in zip(drawn.guesses, bad, strict=True))
    content = bad.count(False)
    assert numbers(text) == [wrong, 60, round(fmean(drawn.noisy)), content]
    assert len(drawn.noisy) == 60


@pytest.mark.few(1)
@pytest.mark.parametrize(("facts", "piles", "alone"), [(1, 5, 0), (3, 26, 15), (5, 38, 36)])
def test_names_removed(facts, piles, alone):
    """Piles counted by hand from the file; two tables, and how often two noises are the same."""
    assert numbers(told(names_removed, facts)[1]) == [40, piles, facts, alone]
    rng, shares = np.random.default_rng(8), []
    for epsilon in (0.1, 0.2, 0.5, 1, 2, 5):
        parts = rng.geometric(1 - np.exp(-epsilon), (4, 400_000))
        shares.append(100 * np.mean(parts[0] - parts[1] == parts[2] - parts[3]))
    said = numbers(told(names_removed, facts, second=True)[1])
    assert said[:3] == [100, pytest.approx(shares[3], abs=0.6), 1]
    assert said[3:-1] == pytest.approx(shares, abs=0.6)
    assert said[-1] == 100


@pytest.mark.parametrize("people", [40, 4_000, 40_000_000])
def test_coins(people):
    """Ten of forty phones by every outcome, else the root of the people; the server's law."""
    near = {40: 10, 4_000: 107, 40_000_000: 10_735}[people]
    assert abs(near - 1.96 * math.sqrt(0.75 * people)) < (1 if people == 40 else 0.5)
    _, text = told(coins, people)
    assert numbers(text) == [40, 19, 20, near, 0.4 * people, 19, 20, 3, 10_735]


@pytest.mark.parametrize("epsilon", [0.01, 0.5])
def test_t3(epsilon):
    found, text = told(same_noise, epsilon)
    staff = [16 + one for one in found.staff.noise]
    assert text.startswith("A hundred blue dots")
    assert len(staff) == 100
    assert numbers(text) == [16, min(staff), max(staff), 1_713]


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_t4(epsilon):
    """The ratio e^ε, and what a suspicion of one in ten becomes at most, rounded up."""
    ratio = math.ceil(100 * math.exp(epsilon) - 1e-9) / 100
    after = 10 * math.exp(epsilon) / (0.9 + 0.1 * math.exp(epsilon))
    _, text = told(two_worlds, epsilon)
    *first, last = numbers(text)
    assert first == [ratio, 10]
    assert abs(last - after) <= 1


@pytest.mark.parametrize("stop", ["row", "12", "3"])
def test_who_counts(stop):
    """Rows, the reach of noise by its law, and odds times e^0.1 for each of Ana's rows or once."""
    cap = None if stop == "row" else int(stop)
    rows = [12, *np.random.default_rng(112).integers(1, 13, 40).tolist()[1:]]
    _, text = told(who_counts, stop)
    p = math.exp(-0.1 / (cap or 1))
    reach = next(t for t in range(999) if 2 * p ** (t + 1) / (1 + p) <= 0.05)
    after = 10 * math.exp(1.2 if cap is None else 0.1)
    more = math.ceil(100 * after / (after + 90)) - 10
    kept = sum(one if cap is None else min(one, cap) for one in rows)
    assert numbers(text) == [40, 12, *([cap] if cap else []), reach, kept, 10, more]
    assert numbers(told(who_counts, stop, second=True)[1]) == [1, 2, 70, 52]


@pytest.mark.parametrize("asked", [1, 5, 10, 50])
def test_t5(asked):
    found, text = told(tank, asked)
    over = max(asked / 10 - 1, 0)  # tanks of ten answers beyond the one that was promised
    assert ("overdrawn" in text) == (over >= 0.5)
    if round(over):
        assert re.search(rf"{round(over)} more tanks? (is|are) overdrawn", text)
    means = [fmean(run[:asked]) for run in found.answers]
    said = numbers(text)
    assert said[:3] == [16, len(means), asked]
    assert said[3:7] == [*(round(one, 1) for one in (min(means), max(means))), 1, 10]
    assert said[7:] == ([round(asked * 0.1 - 1)] if asked > 10 else [])
    kept, text = told(tank, asked, second=True)
    given = min(asked, 10)
    reach = numbers(text)[-1]
    assert (given == 10) == ("where the tank is empty" in text)
    paid = [] if given == 10 else [10]
    assert numbers(text)[:-1] == [kept.answers[kept.run][0], given, *paid, 19, 20]
    sums = np.sum(np.random.default_rng(3).laplace(0, 10, (40_000, given)), axis=1)
    assert np.mean(np.abs(sums / given) <= reach) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("bound", [50_000, 200_000, 5_000_000])
def test_t6(bound):
    """Mean error of a clipped average with Laplace noise, worked out at every stop."""

    def error(at: float) -> float:
        clipped = abs(fmean(np.minimum(found.pay, at)) - fmean(found.pay))
        scale = at / (EPSILON * found.pay.size)
        return clipped + scale * math.exp(-clipped / scale)  # E|c + Laplace(b)| for c ≥ 0

    found, text = told(largest_value, bound)
    words = {50_000: "50,000", 200_000: "200,000", 5_000_000: "5 million"}
    assert f"At a bound of {words[bound]} the average is off by {error(bound):,.0f}." in text
    best = min(largest_value.STOPS, key=error)
    assert best == 1_000_000
    assert "lowest at 1 million;" in text


@pytest.mark.parametrize("epsilon", [0.1, 0.5])
def test_t7(epsilon):
    """Chances of a private median from 200,000 points of its law."""
    found, text = told(median, epsilon)
    low, high = found.column.bounds.low, found.column.bounds.high
    at = np.linspace(low, high, 200_001)[:-1] + (high - low) / 400_000
    weight = np.exp(-epsilon * np.abs(np.searchsorted(PAY_ASCENDING, at) - 20))
    share = weight / weight.sum()
    near = share[np.abs(at - found.truth) <= 5_000].sum()
    beyond = share[(at < PAY_ASCENDING[0]) | (at > PAY_ASCENDING[-1])].sum()
    said = numbers(text)
    assert said[:3] == [40, 100, found.truth]
    assert PAY_ASCENDING[19] <= found.truth <= PAY_ASCENDING[20]
    assert said[4:6] == [100, 5_000]
    assert said[3] == pytest.approx(100 * near, abs=0.51)
    assert said[6] == pytest.approx(100 * beyond, abs=0.51)
    assert numbers(told(median, epsilon, second=True)[1]) == [7, 99]


PAY_ASCENDING = np.sort(PAY)


def test_t8():
    found, text = told(combined_levels, 3)
    reaches = [found.answers[stop].reach for stop in (1, 2, 3, 4)]
    assert numbers(text) == [round(found.truth), *map(round, reaches)]
    assert reaches == sorted(reaches, reverse=True)
    assert reaches[-1] / reaches[0] == pytest.approx(1 / 3, abs=0.02)  # "shrinks to a third"
    assert "to a third in four steps" in text


@pytest.mark.parametrize("cells", [16, 256])
def test_why_tree(cells):
    """Where two curves cross, by their values on both sides."""
    found, text = told(why_tree, cells)
    laws = found.laws
    said = numbers(text)
    assert said[:-4] == [cells]
    crossed = [one < other for one, other in zip(laws.drawn, laws.flat, strict=True)]
    assert laws.cells[crossed.index(True)] == 2_048
    assert said[-4:] == [1_500, 65_536, round(laws.flat[-1]), round(laws.drawn[-1])]
    _, text = told(why_tree, cells, second=True)
    assert numbers(text) == [140, round(laws.combined[-1])]


@pytest.mark.parametrize(("cells", "edge"), [(16, 44), (16, 64), (256, 44), (256, 92)])
def test_the_edge_of_why_tree(cells, edge):
    """Sums of what was published below an edge, counted from the raw ages."""
    found = why_tree.numbers(cells, 1, edge)
    (ages,) = load_sample("ages")
    border = 40 if (cells, edge) == (16, 44) else edge
    for counts in (found.published, found.combined):
        (first, *said) = numbers(why_tree.says(found, counts))
        terms = [*counts, sum(counts)] if len(counts) > 1 else list(counts)
        true = sum(age < border for age in ages.tolist())
        assert [first, *said] == [border, *terms, border * cells // 128, true]
        assert abs(sum(counts) - true) < 100


def test_what_breaks():
    _, text = told(what_breaks, "delta")
    powers = [3, 4, 5, 6, 10]
    shares = [100 * (1 - (1 - 10.0**-one) ** 15_000) for one in powers[:4]]
    said = [float(one) for one in re.findall(r"([\d.]+)(?: in a million)? at δ = 10", text)]
    assert said[:4] == pytest.approx(shares, abs=0.5)
    assert said[4:] == [1.5]  # in a million: 15,000 of 10¹⁰
    assert text.translate(str.maketrans("⁻⁰¹³⁴⁵⁶", "-013456")).count("10-") == 5
    found, text = told(what_breaks, "seed")
    noise = found.march - 16
    assert numbers(text) == [7, 16 + noise, 15 + noise, 1, *found.fresh]
    found, text = told(what_breaks, "floats")
    assert numbers(text) == [16, round(100 * found.telling), 15]


@pytest.mark.parametrize("filled", [0, 1, 6])
def test_promised(filled):
    """The label of an average of pay: its ε, what a suspicion becomes, and what was public."""
    odds = 0.1 / 0.9 * math.exp(EPSILON)
    after = math.ceil(1_000 * odds / (1 + odds)) / 10
    (pay,) = load_sample("salaries")
    every = [EPSILON, 10, 100, after, 0, 1_000_000, len(pay)]
    stop = "-".join(list(promised.NAMES)[:filled]) or promised.BLANK
    _, text = told(promised, stop, second=True)
    assert numbers(text) == every[: {0: 0, 1: 4, 6: 7}[filled]]
    assert text.count("blank") == 6 - filled
    assert "whether she took part or not" in told(promised, "blank")[1]


@pytest.mark.parametrize("name", ["Ana", "Uma", "Nuri"])
def test_s1(name):
    at = NAMES.index(name)
    averages = [round(fmean(one), 2) for one in (PAY, np.delete(PAY, at))]
    _, text = told(leavers, name)
    assert numbers(text) == pytest.approx([*averages, 40, PAY[at]])
    assert f"vermilion: {name}, " in text


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 5.0])
def test_s2(epsilon):
    most = 100 * 0.1 * math.exp(epsilon) / (0.9 + 0.1 * math.exp(epsilon))
    _, text = told(suspicion, epsilon)
    black, more, said_epsilon, cap, of = numbers(text)
    assert (black, said_epsilon, of) == (10, epsilon, 100)
    assert most - 0.5 <= black + more <= most + 1
    assert most <= cap < most + 0.1  # rounded up


@pytest.mark.parametrize("epsilon", [0.05, 0.2])
def test_s3(epsilon):
    """A count's error is public; those of quantiles lie in a table, in its own order."""
    found, text = told(accuracy_kept, epsilon)
    said_epsilon, count, median, deciles = numbers(text)
    noise = math.ceil(math.log(20) / epsilon - 1e-9)  # 19 of 20 draws of Laplace(1/ε) are within
    assert said_epsilon == epsilon
    assert count == pytest.approx(100 * noise / found.above, rel=0.15)
    off = 100 * found.median / found.true_median
    for said, exact in ((median, off), (deciles, found.shares["deciles"])):
        assert said == pytest.approx(exact, abs=0.51 if exact >= 10 else 0.06)
    assert len({count, median, deciles}) == 3


@pytest.mark.parametrize("epsilon", [0.1, 0.5])
def test_s4(epsilon):
    """A count of so many people is within 2 % where 19 of 20 draws of its noise are."""
    found, text = told(group_size, epsilon)
    share, count, median = numbers(text)
    assert share == towns.ENOUGH
    assert count == pytest.approx(math.log(20) / epsilon / (share / 100), rel=0.05)
    assert median == found.smallest


def test_y1():
    found, text = told(declared_bounds, 1_000_000.0)
    (pay,) = load_sample("salaries")
    assert numbers(text) == [0, 1_000_000, round(float(pay.max()))]
    assert numbers(declared_bounds.SCENE.alt(declared_bounds.SCENE.spared(found))) == [0, 1_000_000]
    _, text = told(declared_bounds, 1_000_000.0, second=True)
    assert numbers(text) == [1_000_000, 667, 28]
    assert (found.cost.average, found.cost.median) == pytest.approx((667, 28), abs=1)


def test_y2():
    found, text = told(questions, "deciles")
    prices = numbers(text)
    assert prices == sorted(prices)
    assert prices == pytest.approx(list(found.prices.values()), rel=0.05)
    assert len(prices) == 4


@pytest.mark.parametrize("target", [0.5, 2.0])
def test_y3(target):
    _, text = told(smallest_epsilon, target)
    sure, of, epsilon = numbers(text)
    assert (sure, of) == (95, 100)
    twice = smallest_epsilon.SCENE.numbers(target / 2 if target > 0.5 else 0.2, 1).stand_in.epsilon
    own = smallest_epsilon.SCENE.numbers(target, 1).stand_in.epsilon
    assert epsilon == pytest.approx(own, abs=0.005)
    assert 1.6 < twice / own < 2.6  # "half the error, about double the ε"


def test_y4():
    found, text = told(one_release, "once")
    values = [float(one.replace(",", "")) for one in re.findall(r"[\d,]*\d", found.listed)]
    assert numbers(text) == [*values, 0.2, 0.4]
    assert len(values) == 9
    assert values == sorted(values)
