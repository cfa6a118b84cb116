"""The numbers in what is said about statements of the texts, each computed from the rows shown."""

from collections.abc import Callable, Mapping

import pandas as pd

from dpviz.experiments.papers.medians import EPSILON, sample_budget
from dpviz.experiments.papers.stored.findings import Numbers, short, word
from dpviz.experiments.papers.stored.tables import crossed
from dpviz.experiments.statements.both_sides import BOTH, ONE
from dpviz.experiments.statements.flattening import BINARY, FLAT
from dpviz.experiments.statements.node_budgets import FITTED, PLAIN
from dpviz.experiments.statements.psd_medians import EXPONENTIAL as SELECTING
from dpviz.experiments.statements.psd_medians import LAPLACE
from dpviz.experiments.statements.selection import COLUMN, HARDEST, OUTPUTS
from dpviz.experiments.statements.single_steps import EXPONENTIAL, SEARCH, SMOOTH
from dpviz.experiments.statements.stream import ANEW, COMBINED, EACH, NODES
from dpviz.experiments.statements.surveys import BOTH as WEIGHED
from dpviz.experiments.statements.surveys import FIRST, MEAN, SECOND
from dpviz.experiments.statements.weighing import AT_ONCE, BIAS, ERROR, VARIANCE, WEIGHT

SHORT_BY = 20  # ranks, of what is said about Lemma 2.5
CUT_EPSILON = 0.1  # of what is said about a median with Laplace noise


def selection(rows: pd.DataFrame) -> Numbers:
    """Of AQ Lemma 2.5."""
    at = rows[rows["shortfall"] == SHORT_BY].set_index("outputs")
    own = rows[rows["outputs"] == HARDEST]
    near = own.loc[own["bound"] < 1]
    column = rows[rows["outputs"] == COLUMN]
    kept = column[column["kept"] > column["bound"]]
    return {
        "at": f"{SHORT_BY}",
        "bound": f"{100 * float(at['bound'][COLUMN]):#.2g}",
        "column": short(100 * float(at["missed"][COLUMN])),
        "hardest": f"{100 * float(at['missed'][HARDEST]):#.2g}",
        "kept": f"{100 * float(at['kept'][COLUMN]):.2f}",
        "outputs": f"{OUTPUTS}",
        "from": f"{near['shortfall'].min():g}",
        "least": f"{100 * float((near['missed'] / near['bound']).min()):.0f}",
        "slip_from": f"{kept['shortfall'].min():g}",
    }


def laplace_median(rows: pd.DataFrame) -> Numbers:
    """Of PSD §6.1."""
    laplace, other = (
        rows[rows["method"] == name].set_index("epsilon") for name in (LAPLACE, SELECTING)
    )
    usual = laplace.index[laplace["outside"] > 0.5]
    well = laplace.index[laplace["good"] > 0.5]
    return {
        "epsilon": f"{CUT_EPSILON:g}",
        "outside": f"{100 * laplace['outside'][CUT_EPSILON]:.0f}",
        "good": short(100 * float(laplace["good"][CUT_EPSILON])),
        "selected": _nearly(100 * float(other["good"][CUT_EPSILON])),
        "weak": f"{other.index.min():g}",
        "weak_good": short(100 * float(laplace["good"].iloc[0])),
        "weak_selected": f"{100 * other['good'].iloc[0]:.0f}",
        "usual": f"{usual.max():g}",
        "well": f"{well.min():g}",
    }


def _nearly(share: float) -> str:
    """A share in %, which is never rounded up to all."""
    return "over 99.9" if share >= 99.95 else f"{share:.1f}"


def sampling(rows: pd.DataFrame) -> Numbers:
    """Of PSD Theorem 7, and of the budget of a sample in Fig. 4."""
    rate = rows["rate"].min()
    own = rows[rows["rate"] == rate].set_index("inside")
    over = rows["printed"] / rows["exact"]
    return {
        "rate": f"{100 * rate:g}",
        "printed": short(float(own["printed"][1.0])),
        "exact": short(float(own["exact"][1.0])),
        "least": f"{2 * rate:g}",
        "over_least": short(float(over.min())),
        "over_most": f"{over.max():.0f}",
        "epsilon": f"{EPSILON:g}",
        "times": f"{sample_budget():.0f}",
        "linear": f"{1 / (2 * rate):.0f}",
    }


def weighing(rows: pd.DataFrame) -> Numbers:
    """Of Honaker's equations 1 to 7 and remarks 1 to 3."""
    of = {name: rows[rows["of"] == name] for name in (BIAS, VARIANCE, WEIGHT, ERROR)}
    drawn = pd.concat([of[BIAS], of[VARIANCE]])
    off = ((drawn["measured"] - drawn["exact"]).abs() / drawn["standard_error"]).max()
    weights = of[WEIGHT][of[WEIGHT]["order"] == AT_ONCE].sort_values("x")["exact"]
    by_order = crossed(of[WEIGHT], "x", "order", "exact")
    error = float(of[ERROR]["exact"].mean())
    low = of[BIAS].sort_values("x").iloc[0]
    return {
        "first": f"{weights.iloc[0]:.2f}",
        "second": f"{weights.iloc[1]:.2f}",
        "third": f"{weights.iloc[2]:.2f}",
        "error": f"{error:.3f}",
        "variance": f"{error**2:.2f}",
        "alone": f"{100 * (1 - error**2):.0f}",
        "orders": word(len(by_order.columns)),
        "sum": f"{low['x']:g}",
        "bias": f"{low['exact']:.1f}",
        "off": short(float(off)),
    }


def single_steps(rows: pd.DataFrame, column: pd.DataFrame) -> Numbers:
    """Of AQ §1.1.1 with Lemmas 3.2 and 3.4, and of Corollary 3.6 (column)."""
    of = rows.pivot_table(index=["n", "m"], columns="single", values="error")
    search, smooth = (of[name] / of[EXPONENTIAL] for name in (SEARCH, SMOOTH))
    n, m = rows["n"].max(), rows["m"].max()
    last = rows[(rows["n"] == n) & (rows["m"] == m)].set_index("single")["error"]
    top = rows.sort_values("carried").iloc[-1]
    return {
        "search_least": short(float(search.min())),
        "search_most": short(float(search.max())),
        "smooth_least": short(float(smooth.min())),
        "n": f"{n:,.0f}",
        "m": f"{m:g}",
        "exponential": short(float(last[EXPONENTIAL])),
        "search": short(float(last[SEARCH])),
        "smooth": f"{last[SMOOTH]:,.0f}",
        "carried": short(float(top["carried"])),
        "carried_m": f"{top['m']:g}",
        "first": _first_above_two(rows),
        "limit": short(float(rows["limit"].max())),
        **_made_up(column),
    }


def _made_up(rows: pd.DataFrame) -> Numbers:
    """Of Corollary 3.6, with constants, beside what was measured."""
    over, last = rows["bound"] / rows["worst"], rows.sort_values("n").iloc[-1]
    useful = rows.loc[rows["bound"] < rows["n"], "n"]
    runs = f"in {100 * rows['beyond'].max():.0f} % of runs" if rows["beyond"].any() else "never"
    return {
        "made_up_n": f"{last['n']:,.0f}",
        "made_up": f"{last['mean']:,.0f}",
        "made_up_bound": f"{last['bound']:,.0f}",
        "made_up_over": f"{over.min():.0f} to {over.max():.0f}",
        "made_up_beyond": runs,
        "made_up_from": f"from n = {useful.min():,.0f} on" if len(useful) else "at no n shown",
    }


def _first_above_two(rows: pd.DataFrame) -> str:
    above = rows.loc[rows["carried"] > 2, "m"]
    return f"above 2 first at m = {above.min():g}" if len(above) else "never above 2"


def node_budgets(rows: pd.DataFrame) -> Numbers:
    """Of PSD §4.2, budgets of single nodes."""
    found = {}
    for name, reading in (("plain", PLAIN), ("fitted", FITTED)):
        of = crossed(rows[rows["reading"] == reading], "side", "split", "variance")
        saved = 100 * (1 - of["nodes"] / of["levels"])
        found[f"{name}_least"], found[f"{name}_most"] = f"{saved.min():.0f}", f"{saved.max():.0f}"
        found[f"{name}_even"] = short(float((of["even"] / of["nodes"]).min()))
        found[f"{name}_even_most"] = short(float((of["even"] / of["nodes"]).max()))
    return found


def flattening(rows: pd.DataFrame) -> Numbers:
    """Of PSD §6.2 and Lemma 2."""
    height = rows["height"].max()
    ratio = {}
    for split, part in rows.groupby("split"):
        of = crossed(part, "height", "tree", "variance")
        ratio[str(split)] = float((of[BINARY] / of[FLAT])[height])
    last = rows[(rows["height"] == height) & (rows["split"] == "even")].set_index("tree")
    return {
        "height": f"{height:g}",
        "even": short(ratio["even"]),
        "geometric": short(ratio["geometric"]),
        "binary": f"{last['most'][BINARY]:,.0f}",
        "flat": f"{last['most'][FLAT]:,.0f}",
        "bound": f"{last['bound'][FLAT]:,.0f}",
        "mean_binary": f"{last['used'][BINARY]:,.0f}",
        "mean_flat": f"{last['used'][FLAT]:,.0f}",
    }


def bounds(rows: pd.DataFrame) -> Numbers:
    """Of PSD Lemma 3 beside measured errors."""
    over = rows["bound"] / rows["worst"]
    own = rows[rows["stated"].notna()]
    exceeded = own[own["worst"] > own["stated"]]
    last = own.sort_values("height").iloc[-1]
    beside = (rows["measured"] / rows["mean"] - 1).abs().max()
    return {
        "least": short(float(over.min())),
        "most": short(float(over.max())),
        "from": f"{exceeded['height'].min():g}" if len(exceeded) else "no height",
        "height": f"{last['height']:g}",
        "stated": f"{2 ** (int(last['height']) + 7):,}",  # as printed; rows are rounded
        "worst": f"{last['worst']:,.0f}",
        "bound": f"{last['bound']:,.0f}",
        "beside": short(100 * float(beside)),
    }


def good_splits(rows: pd.DataFrame) -> Numbers:
    """Of PSD Lemma 6."""
    em, ss = (rows[rows["method"] == name] for name in ("EM", "SS"))
    said = ss[ss["floor"].notna()]
    hard = em[em["data"] == "hardest"]
    return {
        "least": f"{100 * em['chance'].min():.0f}",
        "floor": f"{100 * em['floor'].max():.0f}",
        "hardest": _between(100 * hard["chance"].min(), 100 * hard["chance"].max()),
        "even_from": f"{em[(em['data'] == 'even') & (em['chance'] > 0.99)]['n'].min():,.0f}",
        "smooth": f"{100 * said['chance'].min():.0f}",
        "smooth_floor": f"{100 * said['floor'].max():.1f}",
        "smooth_from": f"{said['n'].min():,.0f}",
    }


def _between(low: float, high: float) -> str:
    """One number where both ends round to it."""
    ends = dict.fromkeys((f"{low:.0f}", f"{high:.0f}"))
    return " to ".join(ends)


def surveys(rows: pd.DataFrame) -> Numbers:
    """Of Honaker §2."""
    inside = rows[rows["leaf"].isin(rows.loc[rows["survey"] == SECOND, "leaf"])]
    of = inside.groupby("survey")["variance"].mean()
    outside = rows.drop(index=inside.index).groupby("survey")["variance"].mean()
    off = ((rows["mse"] - rows["variance"]).abs() / rows["standard_error"]).max()
    return {
        "wide": short(of[FIRST]),
        "close": short(of[SECOND]),
        "mean": short(of[MEAN]),
        "both": short(of[WEIGHED]),
        "outside": short(100 * float(1 - outside[WEIGHED] / outside[FIRST])),
        "off": short(float(off)),
    }


def stream(rows: pd.DataFrame) -> Numbers:
    """Of continual release."""
    of = crossed(rows, "step", "way", "variance")
    mean = of.mean()
    behind = of.index[of[COMBINED] >= of[EACH]]
    after = of.index[of.index > (behind.max() if len(behind) else 0)].min()
    return {
        "steps": f"{of.index.max():,.0f}",
        "share": f"{100 * mean[COMBINED] / mean[EACH]:.0f}",
        "kept": f"{100 * mean[COMBINED] / mean[NODES]:.0f}",
        "anew": f"{mean[ANEW] / mean[COMBINED]:,.0f}",
        "after": f"{after:,.0f}",
    }


def solid(slices: pd.DataFrame, errors: pd.DataFrame) -> Numbers:
    """Of PSD §9, three dimensions."""
    best = errors[errors["epsilon"] == errors["epsilon"].max()]
    of = crossed(best, "side", "method", "mean")
    weak = crossed(errors[errors["epsilon"] == errors["epsilon"].min()], "side", "method", "mean")
    small, large = of.index.min(), of.index.max()
    return {
        "small": short(100 * of["octree"][small]),
        "large": short(100 * of["octree"][large]),
        "weak": short(100 * weak["octree"][small]),
        "kd_small": short(100 * of["kd-hybrid"][small]),
        "kd_large": short(100 * of["kd-hybrid"][large]),
        "low": short(slices["deviation"].min()),
        "high": short(slices["deviation"].max()),
        "quiet": f"{slices.groupby('hour')['private'].sum().min():,.0f}",
        "busy": f"{slices.groupby('hour')['private'].sum().max():,.0f}",
    }


def both_sides(rows: pd.DataFrame) -> Numbers:
    """Of PSD §8.3 with the structures of both parties."""
    most, least = rows["epsilon"].max(), rows["epsilon"].min()
    left = crossed(rows[rows["epsilon"] == most], "method", "structures", "left")
    both = rows[rows["structures"] == BOTH].set_index(["method", "epsilon"])
    best = str(left[BOTH].idxmin())
    return {
        "best": best,
        "epsilon": f"{most:g}",
        "weak": f"{least:g}",
        "both": short(100 * left[BOTH][best]),
        "one": short(100 * left[ONE][best]),
        "quad": short(100 * left[BOTH]["quad-baseline"]),
        "noisy": short(100 * left[BOTH]["kd-noisymean"]),
        "kept": f"{100 * both['kept'][best, most]:.0f}",
        "weak_kept": f"{100 * both['kept'][best, least]:.0f}",
        "quad_kept": f"{100 * both['kept']['quad-baseline', most]:.0f}",
        "encrypted": f"{100 * (both['encrypted'][best, least] - 1):.0f}",
    }


OF_STATEMENTS: Mapping[str, Callable[[pd.DataFrame], Numbers]] = {
    "nodes": node_budgets,
    "flattening": flattening,
    "bounds": bounds,
    "selection": selection,
    "laplace-median": laplace_median,
    "good-split": good_splits,
    "sampling": sampling,
    "weighing": weighing,
    "both-sides": both_sides,
    "surveys": surveys,
    "stream": stream,
}
