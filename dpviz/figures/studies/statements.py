"""Statements of the papers' texts, one function each, from a tidy frame to a picture."""

from typing import Any

import numpy as np
import pandas as pd

from dpviz.figures.kit import picture as grammar
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.panels import axes_at, grid, inside, numbered
from dpviz.figures.kit.picture import Picture
from dpviz.figures.studies.panels import Curve, Grid, Panel, Scale, ended, multiples

SINGLES = {
    "exponential": ("blue", "exponential"),
    "search": ("green", "noisy search"),
    "smooth": ("pink", "smooth sensitivity"),
}
SPLITS = {
    "even": ("pink", "even split"),
    "geometric": ("amber", "geometric"),
    "levels": ("green", "best levels"),
    "nodes": ("blue", "single cells"),
}
TREES = {"binary": ("pink", "every cut counted"), "flattened": ("blue", "every other cut")}
SURVEYS = {
    "wide": ("pink", "wide survey"),
    "close": ("green", "close survey"),
    "mean": ("amber", "plain mean"),
    "both": ("blue", "weighed"),
}
WAYS = {
    "anew": ("pink", "a new count each step"),
    "each step": ("amber", "noisy steps added up"),
    "tree": ("green", "tree, its cells as drawn"),
    "combined": ("blue", "tree, read from below"),
}
PRINTED, SUM, WORST, MEAN, MEASURED = "stated", "bound", "worst", "mean", "measured"
BOUNDS = {
    SUM: ("pink", "Lemma 3, closed form"),
    PRINTED: ("amber", "as printed, 2^(h+7)"),
    WORST: ("green", "worst rectangle"),
    MEASURED: ("blue", "measured, mean"),
}
COLUMNS = {"even": ("green", "even values"), "hardest": ("blue", "hardest values")}
SELECTED = {
    "bound": ("pink", "Lemma 2.5"),
    "hardest": ("green", "the hardest outputs"),
    "a column": ("blue", "a column's median"),
    "kept": ("amber", "u > best − γ, as printed"),
}
CHANCES = {
    "outside": ("pink", "Laplace: out of range"),
    "laplace": ("amber", "Laplace: a good cut"),
    "exponential": ("blue", "exponential: a good cut"),
}
PRICES = {"printed": ("pink", "2pe^ε, as printed"), "exact": ("blue", "exactly"),
          "inside": ("grey", "without sampling")}  # fmt: skip
ORDERS = {"at once": "blue", "first two first": "green", "outer two first": "amber",
          "last two first": "pink"}  # fmt: skip
MEDIANS = {"EM": "exponential mechanism", "SS": "smooth sensitivity"}


def single_steps_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Mean miss of a quantile by m, a panel for each size of the column."""
    panels = [
        Panel(
            f"{n:,} records",
            _curves(part, "single", SINGLES, "m", "error", spread="standard_error"),
        )
        for n, part in rows.groupby("n", sort=False)
    ]
    up = Scale("Miss of a quantile, in records", log=True)
    return multiples(panels, Grid(_quantiles_across(rows), up, columns=2), look)


def carried_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Largest miss of a quantile over the largest of one step, with both lemmas, by m."""
    top = rows.groupby("m", as_index=False)[["carried", "limit", "steps"]].max()
    top["two"] = 2.0
    curves = [
        _curve("amber", "Lemma 3.2", top, "m", "steps"),
        _curve("grey", "worst case", top, "m", "limit"),
        _curve("blue", "measured, largest", top, "m", "carried"),
        _curve("pink", "Lemma 3.4", top, "m", "two"),
    ]
    up = Scale("Miss of a quantile over that of a step")
    return ended(Panel("", curves), Grid(_quantiles_across(rows), up), look)


def made_up_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Largest miss of a made-up column by its size, beside Corollary 3.6 with its constants."""
    curves = [
        _curve("pink", "Corollary 3.6", rows, "n", "bound"),
        _curve("green", "worst run", rows, "n", "worst"),
        _curve("blue", "measured, mean", rows, "n", "mean"),
        _curve("grey", "everybody", rows, "n", "n"),
    ]
    ticks = [n for n in sorted(rows["n"].unique()) if np.log10(n) % 1 == 0]
    words = [f"{n:,}" for n in ticks]
    across = Scale("people, and made-up points, n", log=True, ticks=ticks, words=words)
    up = Scale("Miss of the worst point, in people", log=True, long=True)
    return ended(Panel("", curves), Grid(across, up), look)


def _quantiles_across(rows: pd.DataFrame) -> Scale:
    return Scale("number of quantiles m", log=True, ticks=sorted(rows["m"].unique()))


def selection_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Chance to fall short of the best by γ or more, beside the bound and the printed event."""
    every = rows[rows["outputs"] == "a column"]
    curves = [_curve(*SELECTED["bound"], every, "shortfall", "bound")]
    for name in ("hardest", "a column"):
        own = rows[rows["outputs"] == name]
        curves.append(_curve(*SELECTED[name], own, "shortfall", "missed"))
    own = every[every["kept"] > 0]
    curves.append(_curve(*SELECTED["kept"], own, "shortfall", "kept"))
    across = Scale("γ, in ranks", ticks=(0, 10, 20, 30, 40))
    up = Scale("Chance, ε = 1", log=True, long=True, span=(1e-9, 400.0))
    return ended(Panel("", curves), Grid(across, up), look)


def laplace_median_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """How often Laplace noise takes a median out of its range, and how often a cut is good."""
    laplace, other = (
        rows[rows["method"] == name] for name in ("Laplace noise", "exponential mechanism")
    )
    found = [(CHANCES["outside"], laplace, "outside"), (CHANCES["laplace"], laplace, "good"),
             (CHANCES["exponential"], other, "good")]  # fmt: skip
    curves = [
        _curve(hue, label, part.assign(share=100 * part[name]), "epsilon", "share")
        for (hue, label), part, name in found
    ]
    ticks = sorted(rows["epsilon"].unique())
    across = Scale("budget ε of a median", log=True, ticks=ticks,
                   words=[f"{one:g}" for one in ticks])  # fmt: skip
    up = Scale("Chance", span=(-1.0, 104.0), suffix=" %")
    return ended(Panel("", curves), Grid(across, up), look)


def sampling_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """What ε on a sample costs, as printed and exactly, a panel a rate."""
    panels = [
        Panel(
            f"a sample of {100 * float(str(rate)):g} %",
            [_curve(hue, label, part, "inside", name) for name, (hue, label) in PRICES.items()],
        )
        for rate, part in rows.groupby("rate", sort=False)
    ]
    ticks = (0.01, 0.1, 1.0)
    across = Scale("ε on the sample", log=True, ticks=ticks, words=[f"{one:g}" for one in ticks])
    up = Scale("What it costs, in ε", log=True, long=True)
    return multiples(panels, Grid(across, up, columns=2), look)


def weighing_figure(rows: pd.DataFrame, look: Look, part: str) -> Picture:
    """Bias by the sum of the weights, variance by the first weight, or weights in any order."""
    own = rows[rows["of"] == part]
    if part == "weight":
        return _weights(rows, look)
    curves = [
        _curve("grey", "exactly", own, "x", "exact"),
        _curve("blue", "20,000 draws", own, "x", "measured"),
    ]
    if part == "bias":
        across = Scale("sum of the weights", ticks=(0.8, 0.9, 1.0, 1.1, 1.2))
        up = Scale("Truth less estimate, in people")
    else:
        across = Scale("weight of the first measurement", ticks=(0.0, 0.25, 0.5, 0.75, 1.0))
        up = Scale("Variance of the estimate", span=(0.0, 1.1 * float(own["exact"].max())))
    return ended(Panel("", curves), Grid(across, up), look)


def _weights(rows: pd.DataFrame, look: Look) -> Picture:
    """Weights and σ_j √c_j of each measurement, for every order of combining them."""
    titles = {"weight": "its weight cⱼ", "error": "σⱼ √cⱼ, in σ"}
    panels = []
    for of, title in titles.items():
        part = rows[rows["of"] == of]
        curves = [
            _curve(hue, order, part[part["order"] == order], "x", "exact")
            for order, hue in reversed(ORDERS.items())  # at once lies on top: all are alike
        ]
        panels.append(Panel(title, curves))
    across = Scale("measurement", ticks=(1, 2, 3), span=(0.7, 3.3))
    return multiples(panels, Grid(across, Scale("", span=(0.0, 1.0)), columns=2), look)


def node_budgets_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Mean variance beside the even split's, by how much of the map is asked about."""
    panels = [
        Panel(str(reading), _curves(part, "split", SPLITS, "side", "ratio", factor=100))
        for reading, part in rows.groupby("reading", sort=False)
    ]
    ticks = sorted(rows["side"].unique())
    words = [f"{100 * one:g} %" for one in ticks]
    across = Scale("side of the part asked about", log=True, ticks=ticks, words=words,
                   span=(ticks[0] / 1.2, ticks[-1] * 1.2))  # fmt: skip
    up = Scale("Variance, of that of the even split", log=True, suffix=" %")
    return multiples(panels, Grid(across, up, columns=2), look)


def flattening_figure(rows: pd.DataFrame, look: Look, part: str) -> Picture:
    """Cells that the largest of the rectangles uses with its bound, or the mean variance."""
    across = Scale("height of the flattened tree", ticks=sorted(rows["height"].unique()))
    if part == "variance":
        panels = [
            Panel(f"{split} split", _curves(some, "tree", TREES, "height", "variance"))
            for split, some in rows.groupby("split", sort=False)
        ]
        up = Scale("Mean variance of a rectangle, ε = 1", log=True, long=True)
        return multiples(panels, Grid(across, up, columns=2), look)
    even = rows[rows["split"] == "even"]
    curves = _curves(even, "tree", TREES, "height", "most")
    flat = even[even["tree"] == "flattened"]
    curves.append(_curve("grey", "bound of Lemma 2", flat, "height", "bound"))
    up = Scale("Cells of the largest answer", log=True, long=True)
    return ended(Panel("", curves), Grid(across, up), look)


def bounds_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Bounds on the variance beside the worst of 400 rectangles and the measured mean."""
    panels = [
        Panel(
            f"{split} split",
            [
                _curve(*BOUNDS[name], some, "height", name)
                for name in BOUNDS
                if some[name].notna().all()
            ],
        )
        for split, some in rows.groupby("split", sort=False)
    ]
    across = Scale("height of the quadtree", ticks=sorted(rows["height"].unique()))
    up = Scale("Variance of a rectangle, ε = 1", log=True, long=True)
    return multiples(panels, Grid(across, up, columns=2), look)


def good_split_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Chance of a good split by the number of values, a panel for each mechanism."""
    panels = []
    for method, part in rows.groupby("method", sort=False):
        curves = _curves(part, "data", COLUMNS, "n", "chance", factor=100)
        some = part[(part["data"] == "even") & part["floor"].notna()].assign(
            floor=lambda found: 100 * found["floor"]
        )
        curves.append(_curve("grey", "promised by Lemma 6", some, "n", "floor"))
        panels.append(Panel(MEDIANS[str(method)], curves))
    across = Scale("values n in the node", log=True, ticks=(25, 100, 1000, 10_000))
    up = Scale("Chance of a good split", span=(0.0, 104.0), suffix=" %")
    return multiples(panels, Grid(across, up, columns=2), look)


def surveys_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Exact variance of every leaf, from each survey alone and from both."""
    curves = _curves(rows, "survey", SURVEYS, "leaf", "variance")
    across = Scale("leaf of the tree", ticks=(1, 8, 16, 24, 32), span=(0.5, 32.5))
    return ended(Panel("", curves), Grid(across, Scale("Variance of a leaf", log=True)), look)


def stream_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Exact variance of the count so far, by step."""
    curves = _curves(rows, "way", WAYS, "step", "variance")
    across = Scale("steps so far", ticks=(1000, 2000, 3000, 4000))
    up = Scale("Variance of the count so far, ε = 1", log=True, long=True)
    return ended(Panel("", curves), Grid(across, up), look)


def slices_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """A map for each slice of the day; the shade is the square root of the private count."""
    parts = list(rows.groupby("hour", sort=False))
    abreast, gap = look.said((len(parts), 0.06), (1, 0.1))
    places = grid(len(parts), abreast, (gap, gap))
    top = float(np.sqrt(max(rows["private"].max(), 1.0)))
    traces: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    axes: dict[str, Any] = {}
    ticks = {"tickvals": [0, 5, 10], "range": [0, 10]}  # km
    for at, ((hour, part), place) in enumerate(zip(parts, places, strict=True)):
        across = {"ticksuffix": " km", "showticklabels": place.is_lowest} | ticks
        axes |= axes_at(look, at, place, across, ticks)
        cells = part.pivot_table(index="y", columns="x", values="private")
        traces.append(
            {
                "type": "heatmap",
                "x": cells.columns.to_numpy(np.float64),
                "y": cells.index.to_numpy(np.float64),
                "z": np.sqrt(np.maximum(cells.to_numpy(np.float64), 0.0)),
                "xaxis": f"x{numbered(at)}",
                "yaxis": f"y{numbered(at)}",
                "zmin": 0.0,
                "zmax": top,
                "colorscale": [[0.0, look.ink.band], [1.0, look.ink.private]],
                "showscale": False,
                "hoverinfo": "skip",
            }
        )
        said = f"<b>{_clock(float(str(hour)))}</b>  about {part['private'].sum():,.0f} trips"
        notes.append(grammar.words(look, said, 0, 1, axes=inside(at), stand="bottom", shift=(0, 4)))
    arranged = grammar.layout(look, left=34, right=10, top=40, bottom=34, annotations=notes, **axes)
    return grammar.picture(traces, arranged)


def solid_errors_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Median relative error of boxes by ε, a panel for each size of box."""
    hues = {"octree": ("blue", "octree"), "kd-hybrid": ("green", "kd-hybrid")}
    panels = [
        Panel(
            f"sides of {side} of the space",
            _curves(part, "method", hues, "epsilon", "mean", factor=100, spread="standard_error"),
        )
        for side, part in rows.groupby("side", sort=False)
    ]
    ticks = sorted(rows["epsilon"].unique())
    across = Scale("budget ε", log=True, ticks=ticks, words=[f"{one:g}" for one in ticks])
    up = Scale("Median relative error of a box", log=True, suffix=" %")
    return multiples(panels, Grid(across, up, columns=2), look)


def both_sides_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """Pairs compared in secret, with one party's structure and with both, and matches found."""
    panels = [
        Panel(str(structures), _of_methods(part, "left", look))
        for structures, part in rows.groupby("structures", sort=False)
    ]
    ticks = sorted(rows["epsilon"].unique())
    across = Scale("budget ε of a tree", log=True, ticks=ticks, words=[f"{x:g}" for x in ticks])
    up = Scale("Pairs compared in secret", log=True, suffix=" %")
    return multiples(panels, Grid(across, up, columns=2), look)


def found_figure(rows: pd.DataFrame, look: Look) -> Picture:
    """The share of true matches that is compared when both structures are private."""
    both = rows[rows["kept"].notna()]
    ticks = sorted(rows["epsilon"].unique())
    across = Scale("budget ε of a tree", log=True, ticks=ticks, words=[f"{x:g}" for x in ticks])
    up = Scale("True matches that are compared", suffix=" %")
    return ended(Panel("", _of_methods(both, "kept", look)), Grid(across, up), look)


def _of_methods(rows: pd.DataFrame, y: str, look: Look) -> list[Curve]:
    names = {str(one): (str(one), look.ink.label(str(one))) for one in rows["method"].unique()}
    return _curves(rows, "method", names, "epsilon", y, factor=100)


def _curves(
    rows: pd.DataFrame,
    by: str,
    named: dict[str, tuple[str, str]],
    x: str,
    y: str,
    *,
    factor: float = 1.0,
    spread: str = "",
) -> list[Curve]:
    found = []
    for key, (hue, label) in named.items():
        part = rows[rows[by] == key].sort_values(x)
        if len(part):
            bars = 2 * factor * part[spread].to_numpy(np.float64) if spread else None
            up = factor * part[y].to_numpy(np.float64)
            found.append(Curve(hue, label, part[x].to_numpy(np.float64), up, bars))
    return found


def _curve(hue: str, label: str, rows: pd.DataFrame, x: str, y: str) -> Curve:
    return Curve(hue, label, rows[x].to_numpy(np.float64), rows[y].to_numpy(np.float64))


def _clock(hour: float) -> str:
    """The slice around an hour as times of the day."""

    def time(at: float) -> str:
        return f"{int(at)}:{round(60 * (at % 1)):02d}"

    return f"{time(hour - 0.75)} to {time(hour + 0.75)}"
