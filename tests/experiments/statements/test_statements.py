"""Studies of the texts' statements, and every sentence about them against the stored rows."""

import itertools
import math

import numpy as np
import pytest

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ApproxDP, Neighbours
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.papers.stored import told
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.statement_findings import OF_STATEMENTS, solid
from dpviz.experiments.papers.stored.statement_findings import single_steps as steps_said
from dpviz.experiments.papers.stored.tables import crossed
from dpviz.experiments.statements import (
    flattening,
    good_split,
    made_up_column,
    single_steps,
    surveys,
)
from dpviz.experiments.statements.solid import made_up_trips, slice_boxes
from dpviz.mechanisms.medians.protocol import Groups
from dpviz.mechanisms.medians.smooth import SmoothMedian
from dpviz.mechanisms.medians.smooth_sensitivity import smooth_sensitivities
from dpviz.mechanisms.quantiles.around.mechanism import QuantilesAround


def rows(study):
    return record().rows[study]


def said(key):
    if key == "single-steps":
        return told.told(key, steps_said(rows("single steps"), rows("made-up column")))
    if key == "solid":
        return told.told(key, solid(rows("solid"), rows("solid errors")))
    return told.told(key, OF_STATEMENTS[key](told.rows_of(key, record())))


def largest_cells(box, height, step):
    """Cells of each level by plain descent: x is cut first, then y."""
    counts = np.zeros(2 * height // step + 1)
    squares = counts.copy()

    def walk(cut, cell):
        x0, x1, y0, y1 = cell
        wide = max(0, min(x1, box[1]) - max(x0, box[0]))
        high = max(0, min(y1, box[3]) - max(y0, box[2]))
        part = wide * high / ((x1 - x0) * (y1 - y0))
        if part == 0:
            return
        if cut % step == 0 and (part == 1 or cut == 2 * height):
            counts[cut // step] += 1
            squares[cut // step] += part**2
            return
        if cut % 2 == 0:
            middle = (x0 + x1) / 2
            halves = (x0, middle, y0, y1), (middle, x1, y0, y1)
        else:
            middle = (y0 + y1) / 2
            halves = (x0, x1, y0, middle), (x0, x1, middle, y1)
        for half in halves:
            walk(cut + 1, half)

    walk(0, (0.0, 1.0, 0.0, 1.0))
    return counts, squares


@pytest.mark.parametrize("step", [1, 2])
def test_cells_of_a_rectangle_are_those_of_a_plain_descent(step):
    rng = np.random.default_rng(8)
    boxes = np.sort(rng.random((12, 2, 2)), axis=2).reshape(12, 4)
    boxes[0] = [0, 1, 0, 1]
    boxes[1] = [0.25, 0.75, 0.5, 1]
    nodes, squares = flattening.nodes_used(boxes, 3, step)
    for at, box in enumerate(boxes):
        counts, weights = largest_cells(box, 3, step)
        np.testing.assert_allclose(nodes[at], counts)
        np.testing.assert_allclose(squares[at], weights, atol=1e-12)


def test_flattening_as_said():
    own = rows("flattening")
    assert (own["most"] <= own["bound"]).all()
    for _, part in own.groupby("split"):
        of = crossed(part, "height", "tree", "variance")
        assert (of["binary"] > 2 * of["flattened"]).all()
    even = own[own["split"] == "even"]
    used = crossed(even, "height", "tree", "used")
    assert (abs(used["binary"] / used["flattened"] - 1) < 0.15).all()  # "about as many"
    assert "2.9 times" in said("flattening").headline


def test_bounds_as_said():
    own = rows("bounds")
    assert (own["worst"] < own["bound"]).all()
    assert own["measured"].between(0.8 * own["mean"], 1.2 * own["mean"]).all()
    geometric = own[own["stated"].notna()]
    exceeded = geometric["worst"] > geometric["stated"]
    assert exceeded.tolist() == [False, False, True, True, True]
    assert "from height 5 on" in said("bounds").measured
    height, split = geometric["height"].to_numpy(), 2 ** (1 / 3)
    for at, one in zip(height, geometric["bound"], strict=True):
        h = int(at)
        raw = split ** np.arange(h + 1)
        closed = (8 * 2.0 ** np.arange(h + 1) * 2 * (raw.sum() / raw) ** 2).sum()
        assert one == pytest.approx(closed, rel=1e-3)
        assert closed <= 2 ** (h + 11)  # the corrected last step


def test_hardest_and_even_values_keep_the_rule():
    for n in good_split.SIZES:
        for values in (good_split.even_column(n), good_split.hardest_column(n)):
            assert (np.diff(values) >= 0).all()
            assert len(values) == n
            assert values[4 * n // 5 - 1] - values[n // 5 - 1] >= 0.2 - 1e-12


def test_chances_against_draws():
    """Both exact laws against a hundred thousand draws; a wrong ε is told apart."""
    rng = np.random.default_rng(6)
    values, n, draws = good_split.even_column(25), 25, 100_000
    edges = np.concatenate([[0], values, [1]])
    mass = np.diff(edges) * np.exp(-0.25 * abs(np.arange(n + 1) - n / 2))
    gap = rng.choice(n + 1, draws, p=mass / mass.sum())
    cut = edges[gap] + rng.random(draws) * np.diff(edges)[gap]
    good = ((cut >= values[4]) & (cut <= values[19])).mean()
    width = 6.2 * 0.5 / math.sqrt(draws)  # beyond by chance: below 1e-9
    assert abs(good - good_split.exponential_chance(values, 0.5)) < width
    assert abs(good - good_split.exponential_chance(values, 0.4)) > width


def test_a_good_split_as_said():
    own = rows("good split")
    told_of = own[own["floor"].notna()]
    assert (told_of["chance"] >= told_of["floor"]).all()
    hard = own[(own["method"] == "EM") & (own["data"] == "hardest")]["chance"]
    np.testing.assert_allclose(hard, 0.2)  # "whatever n"; 1/5, as the proof has it
    assert hard.max() < own[(own["method"] == "EM") & (own["data"] == "even")]["chance"].min()
    assert "20 %, whatever n" in said("good-split").measured


def test_single_steps_as_said():
    own = rows("single steps")
    of = own.pivot_table(index=["n", "m"], columns="single", values="error")
    assert (of["exponential"] < of["search"]).all()
    assert (of["search"] < of["smooth"]).all()
    assert "1.6 to 8.1 times" in said("single-steps").headline
    ratio = of["search"] / of["exponential"]
    assert (round(ratio.min(), 1), round(ratio.max(), 1)) == (1.6, 8.1)
    assert 29.5 < (of["smooth"] / of["exponential"]).min() < 30.5  # "30 times at least"
    assert (own["carried"] <= own["limit"] * (1 + 1e-3)).all()  # rows are rounded
    assert (own["limit"] <= own["steps"]).all()  # Lemma 3.2
    beyond = own[own["carried"] > 2]  # Lemma 3.4
    assert beyond["m"].min() == 15
    assert set(beyond["single"]) == {"exponential", "search", "smooth"}
    assert "above 2 first at m = 15. Lemma 3.2 holds" in said("single-steps").measured
    assert own["limit"].max() == pytest.approx(4.89, abs=0.01)
    for m, limit in zip(own["m"], own["limit"], strict=True):  # uniform m = 2^L − 1
        levels = round(math.log2(m + 1))
        assert limit == pytest.approx(2 * levels / 3 + 2 / 9 * (1 - (-0.5) ** levels), rel=1e-3)


def test_a_made_up_column_as_said():
    own = rows("made-up column")
    assert (own["worst"] <= own["bound"]).all()
    assert not own["beyond"].any()
    assert (own["mean"] <= own["worst"]).all()
    assert own["mean"].is_monotonic_increasing  # "O(log n …)": grows, far slower than n
    assert own["mean"].iloc[-1] / own["mean"].iloc[0] < 0.05 * own["n"].iloc[-1] / own["n"].iloc[0]
    words, last = said("single-steps"), own.iloc[-1]
    assert (own["bound"] < own["n"]).tolist() == [False, False, False, False, True, True]
    assert "below n from n = 10,000 on" in words.why
    ratio = own["bound"] / own["worst"]
    assert f"{ratio.min():.0f} to {ratio.max():.0f} times the worst run" in words.why
    bound = f"bound {last['bound']:,.0f}, exceeded never"
    assert f"column of 30,000: {last['mean']:,.0f}, {bound}" in words.measured
    assert f"{made_up_column.RUNS} runs" in words.settings
    beyond = own.assign(beyond=[0.0, 0.1, 0, 0, 0, 0])  # a run above the bound must be said
    told_of = steps_said(rows("single steps"), beyond)
    assert told_of["made_up_beyond"] == "in 10 % of runs"


def test_the_miss_of_a_made_up_column_against_a_plain_loop():
    rng = np.random.default_rng(5)
    column = Column.from_values(rng.uniform(0, 1, 12), Bounds(0, 1))
    drawn = np.sort(rng.uniform(0, 1, (3, 12)), axis=1)
    found = made_up_column.worst_misses(column, drawn)
    for run in range(3):
        each = [abs(sum(column.values < x) - i) for i, x in enumerate(drawn[run], start=1)]
        assert found[run] == max(each)
    np.testing.assert_array_equal(made_up_column.worst_misses(column, column.values[None]), 1)


def test_a_study_of_made_up_columns_is_that_of_the_mechanism():
    """A few runs of small columns: what is measured and what bounds it are of one column."""
    found = made_up_column.made_up_columns(np.random.default_rng(2), (10, 40), runs=3)
    assert found["n"].tolist() == [10, 40]
    assert (found["psi"] > 200 / 10).all()  # at most 10 wide, declared 200
    assert (found["mean"] <= found["worst"]).all()
    assert (found["worst"] <= found["n"]).all()


def test_settings_of_single_steps_are_those_that_are_said():
    settings = said("single-steps").settings
    search = single_steps.SINGLES["search"]
    assert f"{search.comparisons} comparisons, Gaussian noise" in settings
    for levels in range(1, 8):
        assert search.noise(single_steps.BUDGET, levels)[0] is Noise.GAUSSIAN
    assert f"{single_steps.RUNS} runs" in settings
    assert ApproxDP(1.0, 1e-6) == single_steps.BUDGET


def test_misses_of_steps_against_a_plain_loop():
    """Each step's own miss and the whole one, of one run around noisy search, on ties as well."""
    rng = np.random.default_rng(3)
    wanted = QuantileSet.of(np.arange(1, 8) / 8)
    for values in (rng.uniform(0, 1, 90), rng.integers(0, 64, 90) / 64):
        column = Column.from_values(values, Bounds(0, 1))
        mechanism = QuantilesAround(single_steps.SINGLES["search"])
        run = mechanism.trace(column, wanted, single_steps.BUDGET, rng)
        every, own = single_steps.misses(run, wanted, 90)
        drawn = run.values[0]
        for j in range(1, 8):
            below = int((values < drawn[j]).sum())
            assert every[0, j - 1] == pytest.approx(abs(below - 90 * j / 8))
        order = [(4, 0, 8), (2, 0, 4), (6, 4, 8), (1, 0, 2), (3, 2, 4), (5, 4, 6), (7, 6, 8)]
        for j, left, right in order:
            low, high = drawn[left], drawn[right]
            part = values[(values > low) | (left == 0)]
            part = part[(part < high) | (right == 8)] if right != 8 else part
            missed = abs((part < drawn[j]).sum() - part.size / 2)
            assert own[0, j - 1] == pytest.approx(missed)


def test_the_noise_of_smooth_sensitivity_grows_with_the_square_of_the_levels():
    """On evenly spaced records, in records; beyond the square there is the logarithm of 1/δ."""
    n = 30_000
    even = Groups(
        (np.arange(n) + 0.5) / n, np.array([0, n]), np.zeros(1), np.ones(1), Bounds(0.0, 1.0)
    )

    def scale(levels):
        share = ApproxDP(1.0 / levels, 1e-6 / levels)
        xi, factor = SmoothMedian().noise(share, Neighbours.ADD_REMOVE)
        return n * factor * smooth_sensitivities(even, xi)[0]

    assert 30 < scale(1) < 60
    for levels in range(2, 8):
        assert 1 <= scale(levels) / scale(1) / levels**2 < 1.2


def test_single_nodes_as_said():
    own = rows("nodes")
    for _, part in own.groupby("reading"):
        of = crossed(part, "side", "split", "variance")
        assert (of["nodes"] < of["levels"]).all()
        assert (of["levels"] < of["geometric"]).all()
        assert (of["geometric"] < of["even"]).all()
    assert "19 to 32 %" in said("nodes").headline


def test_two_surveys_as_said():
    own = rows("surveys")
    off = (own["mse"] - own["variance"]).abs() / own["standard_error"]
    assert off.max() < 6.2  # 80 comparisons at 1e-9 in all
    inside = own[own["leaf"].between(9, 16)].groupby("survey")["variance"].mean()
    assert inside["both"] < inside["close"] < inside["mean"] < inside["wide"]
    outside = own[~own["leaf"].between(9, 16)].groupby("survey")["variance"].mean()
    assert outside["both"] < outside["wide"]
    assert set(own.loc[own["survey"] == "close", "leaf"]) == set(range(9, 17))


def test_surveys_are_read_by_the_variances_that_they_have():
    """The wrong twin: a plain mean has the variance that is stored for it, which is larger."""
    own = surveys.two_surveys(np.random.default_rng(1))
    found = own[own["leaf"].between(9, 16)].groupby("survey")["variance"].mean()
    assert found["mean"] > 3 * found["both"]


def test_a_stream_as_said():
    own = rows("stream")
    of = crossed(own, "step", "way", "variance")
    assert (of["combined"] <= of["tree"]).all()
    after = int(OF_STATEMENTS["stream"](own)["after"].replace(",", ""))
    late, early = of[of.index >= after], of[of.index < after]
    assert (late["combined"] < late["each step"]).all()
    assert not (early["combined"] < early["each step"]).all()
    assert f"from {after} on" in said("stream").measured
    mean = of.mean()
    assert mean["combined"] < mean["tree"] < mean["each step"] < mean["anew"]
    np.testing.assert_allclose(of["each step"], 2 * of.index.to_numpy(), rtol=1e-3)
    ratio = own["mse"] / own["variance"]  # 100 streams each
    assert ratio.groupby(own["way"]).mean().between(0.6, 1.5).all()


def test_three_dimensions_as_said():
    errors = crossed(rows("solid errors"), "side", "epsilon", "mean")
    by = rows("solid errors")
    octree = crossed(by[by["method"] == "octree"], "side", "epsilon", "mean")
    kd = crossed(by[by["method"] == "kd-hybrid"], "side", "epsilon", "mean")
    assert (kd > octree).all().all()
    assert octree[0.1][0.125] < 1.25 * octree[1.0][0.125]  # little of it is noise
    assert (errors.loc[0.125] > errors.loc[0.5]).all()
    slices = rows("solid")
    assert len(slices) == 3 * 256
    assert (slices["private"] - slices["truth"]).abs().median() < 5
    assert "11 %" in said("solid").headline


@pytest.mark.law
def test_slices_are_cells_of_the_city():
    boxes = slice_boxes(8.5)
    assert boxes.shape == (256, 6)
    np.testing.assert_allclose(boxes[:, 4:], [[7.75, 9.25]] * 256)
    areas = (boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])
    assert areas.sum() == pytest.approx(100)
    points = made_up_trips(np.random.default_rng(0))
    whole = points.inside([[0, 10, 0, 10, 7.75, 9.25]])[0]
    assert points.inside(boxes).sum() == whole


def test_both_parties_as_said():
    own = rows("both sides")
    for (_, epsilon), part in own.groupby(["method", "epsilon"]):
        left = part.set_index("structures")["left"]
        assert left["both sides"] > left["one side"], epsilon
    both = own[own["structures"] == "both sides"]
    at = both[both["epsilon"] == 0.5].set_index("method")
    assert at["left"].idxmin() == "kd-standard"
    assert at["kept"]["quad-baseline"] > at["kept"]["kd-standard"]
    for _, part in both.groupby("method"):
        kept = part.sort_values("epsilon")["kept"].tolist()
        assert all(a < b for a, b in itertools.pairwise(kept))
    assert both["encrypted"].min() > 1  # dummies
