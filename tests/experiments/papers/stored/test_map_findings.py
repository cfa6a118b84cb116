"""What is said beside PSD's figures, worked out again from the stored rows by plain loops."""

import math

import pandas as pd
import pytest

from benchmarks._claims import CLAIMS
from dpviz.experiments.papers.stored import told
from dpviz.experiments.papers.stored.findings import Unfinished
from dpviz.experiments.papers.stored.map_findings import OF_PSD
from dpviz.experiments.papers.stored.record import record

SMALL = "1 × 1"


@pytest.fixture(scope="module", params=["stored", "swapped"])
def rows(request):
    """The stored rows, and rows in which two methods changed places: words must follow."""

    def of(key):
        found = told.rows_of(key, record())
        swap = {"quad-geo": "quad-opt", "quad-opt": "quad-geo", "kd-cell": "kd-hybrid",
                "kd-hybrid": "kd-cell"}  # fmt: skip
        return found if request.param == "stored" else found.replace({"method": swap})

    return of


def mean(rows, method, shape, value, variant="paper", along="epsilon"):
    (found,) = rows[
        (rows["method"] == method)
        & (rows["shape"] == shape)
        & (rows[along] == value)
        & (rows["variant"] == variant)
    ]["mean"]
    return found


def more(rows, one, other, shape, value):
    """Whether one method errs more than another by two standard errors."""

    def of(method):
        (found,) = rows[
            (rows["method"] == method) & (rows["shape"] == shape)
            & (rows["epsilon"] == value) & (rows["variant"] == "paper")
        ].itertuples()  # fmt: skip
        return found.mean, found.standard_error

    (a, noise), (b, other_noise) = of(one), of(other)
    return a - b > 2 * math.hypot(noise, other_noise)


def said(number):
    return float(number.replace(",", ""))


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def test_fig_3_gains_are_ratios_of_its_lines(rows):
    found = rows("psd3")
    words, shapes = OF_PSD["psd3"](found), list(dict.fromkeys(found["shape"]))
    places = [(shape, epsilon) for shape in shapes for epsilon in (0.1, 0.5, 1.0)]

    def gains(best, base=("quad-baseline", "paper")):
        return {
            place: mean(found, base[0], *place, base[1]) / mean(found, best[0], *place, best[1])
            for place in places
        }

    both = gains(("quad-opt", "paper"))
    most = max(both, key=both.get)
    assert said(words["most"]) == pytest.approx(both[most], rel=0.051)
    assert words["at"] == f"at ε = {most[1]:g} on {most[0]} rectangles"
    assert (words["reach"] == "as printed") == (both[most] >= 9.5)
    for name, method in (("geo", "quad-geo"), ("post", "quad-post"), ("both", "quad-opt")):
        one = gains((method, "paper"))
        at = geometric([one[shape, 0.1] for shape in shapes])
        assert said(words[name]) == pytest.approx(at, rel=0.051)
    whole = gains(("quad-opt", "further"), ("quad-baseline", "further"))
    assert said(words["whole"]) == pytest.approx(max(whole.values()), rel=0.051)


@pytest.mark.law
def test_fig_5_counts_where_kd_cell_wins_and_loses(rows):
    found = rows("psd5")
    if "kd-cell" not in set(found.loc[found["variant"] == "further", "method"]):
        found = found.assign(method=found["method"].where(found["variant"] == "paper", "kd-cell"))
    words = OF_PSD["psd5"](found)
    shapes, budgets = list(dict.fromkeys(found["shape"])), (0.1, 0.5, 1.0)

    def times(one, other, shape):
        return sum(more(found, one, other, shape, e) for e in budgets)

    assert words["cell_wins"] == f"{times('kd-hybrid', 'kd-cell', SMALL)} of 3"
    lost = [f"{one} at {times('kd-cell', 'kd-hybrid', one)} of 3" for one in shapes[1:]]
    less = [(one, times("kd-hybrid", "kd-cell", one)) for one in shapes[1:]]
    gained = [f"; on {one} it errs clearly less at {n} of 3" for one, n in less if n]
    assert words["cell_loses"] == ", ".join(lost) + "".join(gained)
    weak = sum(times("kd-noisymean", "kd-standard", one) for one in shapes)
    assert words["weak"] == f"{weak}"
    private = found[~found["method"].isin(["kd-true", "kd-pure"]) & (found["variant"] == "paper")]
    true = found[found["method"] == "kd-true"]["mean"]
    assert words["true_why"].startswith("No setting") == bool(true.max() >= 0.01)
    highest = 100 * private["mean"].max()
    assert words["highest"] == f"{float(f'{highest:.2g}'):g}"


TREES = ("kd-standard", "kd-hybrid", "kd-cell", "kd-noisymean")


def cases(rows):
    """Mean and standard error of every private kd-tree, by (shape, ε)."""
    own = rows[rows["variant"] == "paper"]
    found = {}
    for one in own.itertuples():
        found.setdefault((one.shape, one.epsilon), {})[one.method] = one.mean, one.standard_error
    return found


def log_ratio_apart(found, one, other, one_cases, other_cases):
    """Difference of two mean log ratios to the best of a case, in standard errors."""
    value, parts = 0.0, {}
    for tree, sign, own in ((one, 1, one_cases), (other, -1, other_cases)):
        for case in own:
            best = min(TREES, key=lambda name: found[case][name][0])
            for name, weight in ((tree, sign / len(own)), (best, -sign / len(own))):
                parts[case, name] = parts.get((case, name), 0.0) + weight
    noise = 0.0
    for (case, name), weight in parts.items():
        mean, error = found[case][name]
        value, noise = value + weight * math.log(mean), noise + (weight * error / mean) ** 2
    return abs(value) / math.sqrt(noise)


@pytest.mark.law
def test_fig_5_says_which_tree_errs_least_and_whether_it_is_clear(rows):
    source = rows("psd5")
    if "kd-cell" not in set(source.loc[source["variant"] == "further", "method"]):
        further = source["variant"] == "further"
        source = source.assign(method=source["method"].where(~further, "kd-cell"))
    found, words = cases(source), OF_PSD["psd5"](source)

    def clause(is_clear):
        return "" if is_clear else ", not clearly"

    def by_mean(places, largest=False):
        mean = {t: sum(found[c][t][0] for c in places) / len(places) for t in TREES}
        noise = {t: math.hypot(*(found[c][t][1] for c in places)) / len(places) for t in TREES}
        first = (max if largest else min)(mean, key=mean.get)
        clear = all(
            abs(mean[t] - mean[first]) > 2 * math.hypot(noise[t], noise[first])
            for t in TREES if t != first
        )  # fmt: skip
        return first, mean[first], clear

    name, error, clear = by_mean(list(found))
    assert words["best"] == (
        f"{name} errs least on average{clause(clear)} (:blue[{100 * error:.1f} %])"
    )
    most, _, most_clear = by_mean([case for case in found if case[1] == 0.1], largest=True)
    assert words["worst"] == f"{most} errs most{clause(most_clear)}"
    ratio = {t: {c: found[c][t][0] / min(found[c][o][0] for o in TREES) for c in found}
             for t in TREES}  # fmt: skip
    mean = {t: geometric(list(ratio[t].values())) for t in TREES}
    order = sorted(TREES, key=mean.get)
    clear = all(log_ratio_apart(found, order[0], t, found, found) > 2 for t in order[1:])
    listed = ", ".join(f"{t} {mean[t]:.2f} ({max(ratio[t].values()):.2g})" for t in order)
    assert words["ratios"] == f"{listed}: least for {order[0]}{clause(clear)}"
    worst = {t: max(ratio[t], key=ratio[t].get) for t in TREES}
    mildest = min(TREES, key=lambda t: ratio[t][worst[t]])
    clear = all(
        log_ratio_apart(found, mildest, t, [worst[mildest]], [worst[t]]) > 2
        for t in TREES if t != mildest
    )  # fmt: skip
    assert words["mildest"] == (
        f"{mildest} in the worst case{clause(clear)} "
        f"({ratio[mildest][worst[mildest]]:.2g} × the best)"
    )
    reliable = CLAIMS["psd5"]["kd-hybrid is the most reliable"]
    assert reliable(source) == (clear and mildest == "kd-hybrid")


def test_fig_5_with_less_noise_is_clear():
    """The rows' own means, a hundred times as well known: every verdict is clear."""
    sure = told.rows_of("psd5", record()).copy()
    sure["standard_error"] /= 100
    words = OF_PSD["psd5"](sure)
    assert not any("not clearly" in words[one] for one in ("best", "mildest", "ratios", "worst"))
    assert CLAIMS["psd5"]["kd-hybrid is the most reliable"](sure)


def test_fig_6_names_the_best_height_and_what_hilberts_boxes_do():
    found = told.rows_of("psd6", record())
    words = OF_PSD["psd6"](found)
    quad = {h: mean(found, "quad-opt", SMALL, h, along="height") for h in range(6, 12)}
    assert words["quad_height"] == str(min(quad, key=quad.get))
    others = min(error for height, error in quad.items() if height != 10)
    assert words["nine"] == f"{others / quad[10]:.2f}"
    ratios = {
        (shape, h): mean(found, "Hilbert-R", shape, h, "further", "height")
        / min(
            mean(found, one, shape, h, along="height")
            for one in ("quad-opt", "kd-cell", "kd-hybrid", "Hilbert-R")
        )
        for shape in dict.fromkeys(found["shape"])
        for h in quad
    }
    most = max(ratios.values())
    assert (words["cause"] == "they are not the cause") == (max(ratios.values()) <= 3)
    assert said(words["tight"]) == pytest.approx(most, rel=0.051)
    assert said(words["tight_least"]) == pytest.approx(min(ratios.values()), rel=0.051)


@pytest.mark.parametrize("swapped", [{}, {"kd-cell": "quad-opt", "quad-opt": "kd-cell"}])
def test_fig_6_counts_in_how_many_cases_kd_cell_is_clearly_the_worst(swapped):
    found = told.rows_of("psd6", record()).replace({"method": swapped})
    shapes = list(dict.fromkeys(found["shape"]))[1:]
    own = found[(found["variant"] == "paper") & found["shape"].isin(shapes)]
    worst, places = 0, {(one.shape, one.height) for one in own.itertuples()}
    for shape, height in places:
        part = own[(own["shape"] == shape) & (own["height"] == height)]
        at = {one.method: (one.mean, one.standard_error) for one in part.itertuples()}
        cell, noise = at.pop("kd-cell")
        worst += all(cell - mean > 2 * math.hypot(noise, error) for mean, error in at.values())
    assert len(places) == 12
    text = told.told("psd6", {"trials": "", "points": "", **OF_PSD["psd6"](found)})
    assert f"in {worst} of 12 cases (height and shape)" in text.measured


def saved(rows, name, epsilon):
    (one,) = rows[(rows["method"] == name) & (rows["epsilon"] == epsilon)].itertuples()
    return one.mean, one.standard_error


@pytest.mark.law
@pytest.mark.parametrize(
    "swap", [(), ("kd-standard", "kd-noisymean"), ("kd-noisymean", "quad-baseline"), None]
)
def test_fig_7b_says_what_the_text_says_and_the_order_that_it_does_not_say(swap):
    found = told.rows_of("psd7b", record())
    if swap is None:  # two trees alike: neither is ahead
        alike = found[found["method"] == "kd-noisymean"].assign(method="quad-baseline")
        found = pd.concat([found[found["method"] != "quad-baseline"], alike])
    elif swap:
        found = found.replace({"method": {swap[0]: swap[1], swap[1]: swap[0]}})

    def wins(one, other):
        return sum(
            a - b > 2 * math.hypot(noise, spread)
            for (a, noise), (b, spread) in (
                (saved(found, one, e), saved(found, other, e)) for e in (0.05, 0.1, 0.2, 0.5)
            )
        )

    others = ("kd-noisymean", "quad-baseline")
    first = min(wins("kd-standard", one) for one in others)  # all or none of the budgets here
    text = told.told("psd7b", {"trials": "", "points": "", **OF_PSD["psd7b"](found)}).measured
    assert f"saves clearly most (two standard errors) at {first} of 4 budgets; " in text
    for one, other in (others, others[::-1]):
        said_so = f"{one} clearly more than {other} at {wins(one, other)}"
        assert (said_so in text) == (wins(one, other) > 0)
    assert ("are level at all 4" in text) == (wins(*others) == wins(*others[::-1]) == 0)
    for claim, holds in CLAIMS["psd7b"].items():
        (other,) = (one for one in others if one in claim)
        assert holds(found) == (wins("kd-standard", other) == 4)


def test_fig_6_s_best_is_a_line_of_the_paper_s_names():
    """Not a line beside them, of which some are not private, however little it errs."""
    found = told.rows_of("psd6", record()).copy()
    said = OF_PSD["psd6"](found)
    beside = (found["variant"] == "further") & (found["height"] == 7)
    found.loc[beside, "mean"] *= 1e-6
    again = OF_PSD["psd6"](found)
    assert [again[one] for one in ("best", "height", "error")] == [
        said[one] for one in ("best", "height", "error")
    ]


def test_fig_4_says_which_times_sorting_changes():
    found = told.rows_of("psd4", record())
    words = OF_PSD["psd4"](found)

    def taken(name, column):
        return found[found["method"] == name].sort_values("depth")[column].tolist()

    for short, name in (("em", "EM"), ("ss", "SS")):
        for word, column in (("speed", "seconds"), ("unsorted", "unsorted_seconds")):
            pairs = zip(taken(name, column), taken(f"{name} sampled", column), strict=True)
            ratio = geometric([slow / fast for slow, fast in pairs])
            assert said(words[f"{short}_{word}"]) == pytest.approx(ratio, rel=0.051)
    sums = found.groupby("method")["unsorted_seconds"].sum()
    assert words["slowest_unsorted"] == sums.idxmax()

    # what is said of the print is asked of its own line, by two standard errors
    def at(name, depth):
        (row,) = found[(found["method"] == name) & (found["depth"] == depth)].itertuples()
        return row.error, row.standard_error

    others = sorted(set(found["method"]) - {"EM", "EM printed"})
    clear = beaten = 0
    for depth in range(10):
        own, noise = at("EM printed", depth)
        apart = [
            (error - own) / math.hypot(noise, spread)
            for error, spread in (at(other, depth) for other in others)
        ]
        clear, beaten = clear + (min(apart) > 2), beaten + (min(apart) < -2)
    assert (words["clear"], beaten) == (f"{clear}", 0)
    assert words["beaten"] == "none"
    assert words["standing"] == f"clearly the best at {clear} of 10 depths, nowhere clearly beaten"
    ratio = geometric([at("EM printed", d)[0] / at("EM", d)[0] for d in range(10)])
    assert said(words["own_times"]) == pytest.approx(ratio, rel=0.051)
    assert 1.4 < ratio < 2.4  # half the weight a rank
    inside = math.log1p(math.expm1(0.01) / 0.01)  # ln(1 + 0.01 (e^x − 1)) = 0.01
    assert words["sample_times"] == f"{inside / 0.01:.0f}" == "70"
    pairs = zip(taken("NM", "unsorted_seconds"), taken("EM", "unsorted_seconds"), strict=True)
    pace = geometric([nm / em for nm, em in pairs])
    assert pace > 1
    assert words["mean_fast"] == f"take {pace:.2g} times as long as"
    methods = set(found["method"])
    slowest = [max(methods, key=lambda name: taken(name, "seconds")[d]) for d in range(10)]
    assert "cell" not in slowest
    assert words["cell_slowest"] == "never the slowest"
    # what the caption turns on
    assert said(words["ss_unsorted"]) > 8 > said(words["ss_speed"])
    assert said(words["em_unsorted"]) < 10


def test_fig_4_of_other_rows_says_otherwise():
    """Noisy means ten times as fast, cells slow at two depths, EM as printed worse at the root."""
    found = told.rows_of("psd4", record()).copy()
    found.loc[found["method"] == "NM", "unsorted_seconds"] /= 10
    found.loc[(found["method"] == "cell") & (found["depth"] < 2), "seconds"] *= 1e3
    found.loc[(found["method"] == "EM printed") & (found["depth"] == 0), "error"] *= 1e3
    words = OF_PSD["psd4"](found)
    assert words["mean_fast"].startswith("are ")
    assert words["mean_fast"].endswith(" times as fast as")
    assert words["cell_slowest"] == "the slowest at 2 of 10 depths"
    assert words["standing"] == "clearly beaten at 1 of 10 depths"
    assert words["beaten"] == "one depth"
    found.loc[found["method"] == "cell", "seconds"] *= 1e3
    assert OF_PSD["psd4"](found)["cell_slowest"] == "always the slowest"


def test_the_other_settings_name_the_best_of_each_knob():
    found = told.rows_of("psdsettings", record())
    words = OF_PSD["psdsettings"](found)

    def errors(knob):
        part = found[found["knob"] == knob]
        places = dict.fromkeys(part["place"])
        return {
            place: geometric(part.loc[part["place"] == place, "mean"].tolist()) for place in places
        }

    level, share, order = (errors(one) for one in ("switch level", "share", "order"))
    assert words["switch"] == f"{min(level, key=level.get):.0f}"
    assert words["half"] == f"{level[4] / min(level.values()):.2f}"
    assert words["none"] == f"{level[0] / min(level.values()):.2f}"
    assert words["share"] == f"{min(share, key=share.get):g}"
    assert words["thirty"] == f"{share[0.3] / min(share.values()):.2f}"
    fine = [error for place, error in order.items() if place >= 16]
    assert words["orders"] == f"{100 * (max(fine) / min(fine) - 1):.0f}"


@pytest.mark.parametrize("key", ["psd3", "psd5", "psd6", "psdsettings"])
def test_rows_that_are_not_all_there_are_refused(key):
    found = told.rows_of(key, record())
    cut = found[found["variant"] == "paper"] if "variant" in found else found.iloc[:6]
    with pytest.raises(Unfinished):
        OF_PSD[key](cut)
