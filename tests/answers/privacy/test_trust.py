"""What trust costs: every error by another way, sentences with numbers of their own."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz.answers.privacy import trust
from dpviz.answers.privacy.trust import BINS, NOBODY, PEOPLE, SERVER, SHUFFLER, TREES, TWO, answer
from dpviz.answers.privacy.trust_said import off_by, rounded, say
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Neighbours, PureDP
from dpviz.core.data.column import Column
from dpviz.core.errors import DpvizError
from dpviz.core.randomness.bits import SeededBits
from dpviz.core.randomness.discrete_laplace import discrete_laplace_whole
from dpviz.experiments.privacy import local_median
from dpviz.experiments.privacy.local_median import SEARCH
from dpviz.experiments.privacy.randomised_response import RandomisedResponse
from dpviz.lessons.teach.promise.coins import COINS, LAWS, SCALE, STOPS, numbers
from dpviz.mechanisms.counting.count_tree import CountTree
from dpviz.mechanisms.local.counts import LocalCounts
from dpviz.mechanisms.local.shuffling import shuffled_delta
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles

BOUNDS = Bounds(0, BINS)


def of(found, who):
    (line,) = (one for one in found.lines if one.trusted == who)
    return line


def laplace(rate):
    """The standard deviation of noise with chance ∝ e^(−rate |k|), term by term."""
    k = np.arange(-4000, 4001)
    chance = np.exp(-rate * np.abs(k))
    return math.sqrt((chance / chance.sum()) @ k**2)


@pytest.mark.few(3)
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("people", [100, 5000, 10**9])
def test_a_count_errs_by_its_laws(epsilon, people):
    found = answer("count", epsilon, 1e-6, people, 77)
    assert [one.trusted for one in found.lines] == [SERVER, TWO, SHUFFLER, NOBODY]
    assert of(found, SERVER).error == pytest.approx(laplace(epsilon))
    assert of(found, TWO).error == pytest.approx(math.sqrt(2) * laplace(epsilon))
    coins = RandomisedResponse(2, epsilon)
    assert of(found, NOBODY).error == pytest.approx(coins.deviation(people // 3, people))
    shuffled = RandomisedResponse(2, found.local)
    assert of(found, SHUFFLER).error == pytest.approx(shuffled.deviation(people // 3, people))
    assert shuffled_delta(found.local, people, epsilon, 2) <= 1e-6
    assert (found.question, found.epsilon, found.delta) == ("count", epsilon, 1e-6)
    assert (found.people, found.own) == (people, 77)
    assert found.times == pytest.approx(of(found, NOBODY).error / of(found, SERVER).error)
    # so many more people make nobody's share as small as the server's
    shares = [RandomisedResponse(2, epsilon).deviation(0, n) / n
              for n in (people, round(people * found.more))]  # fmt: skip
    assert shares[0] / found.times == pytest.approx(shares[1], rel=1e-3)
    assert found.more == pytest.approx(found.times**2)
    assert found.searched == ()


@pytest.mark.few(1)
@pytest.mark.parametrize("question", ["count", "median", "cdf"])
def test_lines_are_the_errors_at_every_number_of_people(question):
    assert (PEOPLE[0], PEOPLE[-1]) == (100, 10**9)
    lines = answer(question, 1.0, 1e-6, 5000).lines
    for at in (0, 6, 14):
        there = answer(question, 1.0, 1e-6, PEOPLE[at])
        for one, other in zip(lines, there.lines, strict=True):
            assert one.errors[at] == pytest.approx(other.error)
            assert one.errors.size == len(PEOPLE)
    server, two, shuffler, nobody = (one.errors for one in lines)
    assert (server < two).all()
    assert (two <= shuffler).all() or question == "median"  # whose shuffler promises less
    assert (two <= nobody).all()
    assert (shuffler <= nobody).all()
    assert (shuffler[4:] < nobody[4:]).all() or question == "median"  # of small rounds nobody hides


def test_two_servers_see_random_numbers_and_add_noise_twice():
    """The protocol, simulated: shares are uniform, their sums the count, errors √2 of one noise."""
    rng, bits, runs = np.random.default_rng(8), SeededBits(np.random.default_rng(9)), 40_000
    values = rng.integers(0, 2, 50).astype(np.uint64)
    first = rng.integers(0, 2**64 - 1, (200, 50), dtype=np.uint64, endpoint=True)
    second = values - first  # modulo 2^64
    assert ((first.sum(axis=1) + second.sum(axis=1)) == values.sum()).all()
    for shares in (first, second):
        assert abs(float(np.mean(shares / 2.0**64)) - 0.5) < 6 / math.sqrt(12 * 10_000)
    noise = sum(discrete_laplace_whole(1.0, runs, bits).astype(float) for _ in range(2))
    assert np.std(noise) == pytest.approx(of(answer("count", 1.0, 1e-6, 100), TWO).error, rel=0.03)


def even(people):
    return Column.from_values((np.arange(people) + 0.5) * BINS / people, BOUNDS)


def running_error(counts, people):
    running = np.cumsum(counts, axis=-1)[..., :-1]
    return math.sqrt(np.mean((running - people / BINS * np.arange(1, BINS)) ** 2))


def dense(fanout, height, epsilon):
    """Mean variance, a person, of running counts: weights by dense algebra, then who drew what."""
    bins = fanout**height
    growth, rows, weights, of_level = math.expm1(epsilon), [], [], []
    for level in range(1, height + 1):
        k = fanout**level
        every = math.exp(epsilon) + k - 1
        response = (2 - k / every) / every / (growth / every) ** 2
        unary = 4 * math.exp(epsilon) / growth**2 + 1 / k
        rows.append(np.kron(np.eye(k), np.ones(bins // k)))
        weights += [1 / (min(response, unary) + 1 / k)] * k
        of_level += [(level, min(response, unary))] * k
    design, w = np.vstack(rows), np.array(weights)
    basis = np.vstack([np.eye(bins - 1), -np.ones(bins - 1)])  # the total is known
    inner = design @ basis
    solved = np.linalg.solve(inner.T @ (w[:, None] * inner), (w[:, None] * inner).T)
    used = (np.tri(bins)[:-1] @ basis) @ solved  # (edges, nodes)
    total, every = np.zeros(bins - 1), np.zeros((bins - 1, bins))
    for level in range(1, height + 1):
        at = [i for i, one in enumerate(of_level) if one[0] == level]
        part = used[:, at] - used[:, at].mean(axis=1, keepdims=True)
        told = part @ design[at]
        total += height * (of_level[at[0]][1] * (part**2).sum(axis=1) + (told**2).mean(axis=1))
        every += told
    return float(np.mean(total - (every**2).mean(axis=1)))


@pytest.mark.parametrize("epsilon", [1.0, 7.0])
@pytest.mark.parametrize(("fanout", "height"), [(2, 6), (4, 3), (8, 2)])
def test_a_cdf_of_reports_errs_as_its_weights_say(fanout, height, epsilon, monkeypatch):
    monkeypatch.setattr(trust, "BINS", 64)
    found = trust._local_tree(fanout, height, epsilon)
    assert found == pytest.approx(dense(fanout, height, epsilon), rel=1e-6)


def test_the_best_of_the_trees_is_taken():
    each = [trust._local_tree(*tree, 1.0) for tree in TREES]
    found = of(answer("cdf", 1.0, 1e-6, 400), NOBODY).error
    assert found == pytest.approx(20 * math.sqrt(min(each)))
    assert all(fanout**height == BINS for fanout, height in TREES)


@pytest.mark.law
def test_a_cdf_of_reports_errs_as_it_does_when_it_is_drawn():
    """60 releases of even people; the best of the trees is not far from the one that is drawn."""
    people, rng = 2 * BINS, np.random.default_rng(3)
    tree = LocalCounts(fanout=4, height=5)
    drawn = [tree.release(even(people), PureDP(1), rng).counts for _ in range(60)]
    wanted = of(answer("cdf", 1.0, 1e-6, people), NOBODY).error
    assert running_error(np.array(drawn), people) == pytest.approx(wanted, rel=0.12)


@pytest.mark.law
def test_a_cdf_with_one_server_is_no_worse_than_plain_trees():
    wanted = of(answer("cdf", 1.0, 1e-6, 5000), SERVER).error
    column, rng, found = even(2 * BINS), np.random.default_rng(4), []
    for fanout, height in TREES:
        tree = CountTree(fanout, height, root="public", neighbours=Neighbours.REPLACE_ONE,
                         records=2 * BINS)  # fmt: skip
        drawn = [_leaves(tree.release(column, PureDP(1), rng)) for _ in range(60)]
        found.append(running_error(np.array(drawn), 2 * BINS))
    assert 0.8 * min(found) < wanted < 1.08 * min(found)  # budgets of levels are chosen, too


def _leaves(release):
    from dpviz.estimators.trees.least_squares import efficient  # noqa: PLC0415

    return efficient(release).counts[-1]


@pytest.mark.law
def test_the_median_of_one_server_errs_as_the_exponential_mechanism():
    people, rng = 1000, np.random.default_rng(5)
    column = even(people)
    drawn = ApproximateQuantiles(neighbours=Neighbours.REPLACE_ONE).release_many(
        column, [0.5], PureDP(1), rng, 4000
    )
    ranks = np.searchsorted(column.values, drawn[:, 0]) - people / 2
    wanted = of(answer("median", 1.0, 1e-6, people), SERVER).error
    assert math.sqrt(np.mean(ranks**2)) == pytest.approx(wanted, rel=0.08)


@pytest.mark.few(1)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 6.0])
@pytest.mark.parametrize("people", [200, 50_000, 10**9])
def test_a_median_is_drawn_by_one_server_and_searched_or_read_from_the_cdf(epsilon, people):
    """Whatever errs less: a search of single bits, or the CDF of a tree of reports."""
    found, rest = (answer(asked, epsilon, 1e-6, people) for asked in ("median", "cdf"))
    assert of(found, SERVER).error == pytest.approx(laplace(epsilon / 2))
    bits = local_median.error(epsilon, people)
    assert of(found, TWO).error == min(bits, of(rest, TWO).error)  # they can ask as nobody does
    assert (TWO in found.searched) == (bits < of(rest, TWO).error)
    local = {NOBODY: epsilon, SHUFFLER: SEARCH.randomiser(ApproxDP(epsilon, 1e-6), people)[1]}
    for who, bit in local.items():
        searched = local_median.error(bit, people)
        assert of(found, who).error == min(searched, of(rest, who).error)
        assert (who in found.searched) == (searched < of(rest, who).error)
    assert found.local == (local[SHUFFLER] if SHUFFLER in found.searched else rest.local)
    asked = local | {TWO: epsilon}
    sure = [local_median.sure(asked[who], people) for who in found.searched]
    assert found.sure == (max(sure) if sure else 0)
    # nobody's error of so many more people is the server's part of them
    many = people * found.more
    if many <= 10**9:
        there = of(answer("median", epsilon, 1e-6, round(many)), NOBODY).error
        assert there / many == pytest.approx(of(found, SERVER).error / people, rel=1e-3)


def test_at_a_usual_budget_nobody_searches():
    found = answer("median", 1.0, 1e-6, 10_000)
    assert NOBODY in found.searched
    assert of(found, NOBODY).error < of(answer("cdf", 1.0, 1e-6, 10_000), NOBODY).error / 1.5


@pytest.mark.law
def test_the_scene_of_coins_has_the_same_laws():
    """One place for both: another law there is another scene."""
    assert trust.CountLaws(COINS) == LAWS
    found = answer("count", COINS.epsilon, 1e-6, 400)
    assert of(found, SERVER).error == LAWS.server_error == pytest.approx(laplace(COINS.epsilon))
    assert LAWS.scale == SCALE
    for people in STOPS:
        line = of(answer("count", COINS.epsilon, 1e-6, max(people, 100)), NOBODY)
        assert line.error == LAWS.coins_error(max(people, 100))
        bad = numbers(STOPS[0]).truth * people // STOPS[0]
        reach = LAWS.coins_reach(bad, people, 0.95)
        assert numbers(people).reach == reach
        assert reach / LAWS.coins_error(people) == pytest.approx(1.96, rel=0.08)
        assert numbers(people).trusted == round(LAWS.server_reach(0.95))
    k, chance = np.arange(-400, 401), np.exp(-COINS.epsilon * np.abs(np.arange(-400, 401)))
    off = next(one for one in range(99) if chance[abs(k) <= one].sum() >= 0.95 * chance.sum())
    assert LAWS.server_reach(0.95) == off


def test_every_sentence_says_its_own_number():
    found = answer("cdf", 1.0, 1e-6, 5000)
    lines = tuple(
        replace(one, error=e) for one, e in zip(found.lines, (11.0, 22, 33, 44), strict=True)
    )
    shown = replace(
        found, lines=lines, epsilon=0.77, delta=3e-7, people=1234, times=29.4, more=852.0,
        local=4.56,
    )  # fmt: skip
    said = say(shown)
    assert said.headline() == (
        "At n = 1,234 and ε = 0.77, trusting nobody costs 29 times the error; it takes 850 times "
        "the people for the same error in per cent."
    )
    assert said.headline(brief=True) == "Trusting nobody costs 29 times the error."
    second = said.alt.removeprefix(said.headline()).strip()
    assert second == (
        "How far a point of the CDF is off, in people: ± 11 with one trusted server, ± 44 with "
        "none. A shuffler makes that ± 33, but for a chance of about 3.0 × 10⁻⁷."
    )
    assert said.strip == [
        ("trust one server", "± 11"), ("trust two servers", "± 22"), ("trust a shuffler", "± 33"),
        ("trust nobody", "± 44"),
    ]  # fmt: skip
    (table,) = said.tables
    assert [row[3] for row in table.rows] == ["± 11", "± 22", "± 33", "± 44"]
    assert [row[4] for row in table.rows].count("ε = 0.77") == 3
    assert "δ = 3.0 × 10⁻⁷" in table.rows[2][4]
    assert any("ε = 4.56" in note for note in table.notes)
    median = replace(shown, question="median")
    assert "median's rank" in say(median).second()
    noted = {who: " ".join(say(replace(median, searched=who)).tables[0].notes)
             for who in ((), (NOBODY,), (SHUFFLER, NOBODY))}  # fmt: skip
    assert "LocalQuantiles" not in noted[()]
    assert "all others read it from their CDF" in noted[()]
    assert "`LocalQuantiles` finds that of nobody. " in noted[(NOBODY,)]
    assert "finds that of a shuffler and that of nobody. " in noted[(SHUFFLER, NOBODY)]
    median = replace(median, searched=(NOBODY,), sure=0.1349)
    known = f"known to within 13 % (two standard errors) from {local_median.RUNS} runs or more"
    assert known in " ".join(say(median).tables[0].notes)
    rounds = "holds ε = 4.56, each round shuffled by itself:"
    assert [rounds in one for one in noted.values()] == [False, False, True]
    assert "a count" in say(replace(shown, question="count")).second()
    assert "no more error" in say(replace(shown, times=1.0)).headline()
    assert [off_by(one) for one in (0.314, 1.44, 96.2, 30_300.4)] == [
        "± 0.31", "± 1.4", "± 96", "± 30,300",
    ]  # fmt: skip
    assert [rounded(one) for one in (1.44, 29.4, 2_345_678)] == ["1.4", "29", "2,300,000"]


def test_what_no_report_keeps_to_is_refused():
    for epsilon, delta in ((40.0, 1e-6), (1.0, 1e-18)):
        with pytest.raises(DpvizError):
            answer("count", epsilon, delta, 1000)
