"""The numbers in what is said about the figures of Cormode et al., from the rows that are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from dpviz.experiments.papers.stored import tables
from dpviz.experiments.papers.stored.findings import Numbers, Unfinished, short


def worst(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 2."""
    found = tables.crossed(rows, "height", "split", "error")
    share = found["uniform"] / found["geometric"]
    return {
        "height": f"{share.index[-1]}",
        "lowest": f"{share.index[0]}",
        "first": short(share.iloc[0]),
        "last": short(share.iloc[-1]),
        "cut": f"{100 * (1 - 1 / share.iloc[-1]):.0f}",
    }


def quadtrees(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 3; means over shapes are geometric."""
    found = _complete(rows, ("quad-baseline", "quad-geo", "quad-post", "quad-opt", "quad-workload"))
    base = (1 / found).mul(found["quad-baseline"], axis=0)
    least = found.index.get_level_values("epsilon").min()
    at: tables.Table = np.exp(np.log(base.xs(least, level="epsilon")).mean())
    return {
        "epsilon": f"{least:g}",
        "most": short(base["quad-opt"].max()),
        "geo": short(at["quad-geo"]),
        "post": short(at["quad-post"]),
        "both": short(at["quad-opt"]),
        "workload": f"{100 * (1 - at['quad-opt'] / at['quad-workload']):.0f}",
    }


def medians(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 4."""
    error = tables.crossed(rows, "depth", "method", "error")
    taken = tables.crossed(rows, "depth", "method", "seconds")
    if error.isna().any(axis=None) or "cell" not in error or "EM" not in error:
        raise Unfinished("Not every method is done yet.")
    best, levels = int((error.idxmin(axis=1) == "EM").sum()), len(error)
    speed = {
        name: np.exp(np.log(taken[name] / taken[f"{name} sampled"]).mean()) for name in ("EM", "SS")
    }
    return {
        "levels": f"{levels}",
        "depths": "every depth" if best == levels else f"{best} of {levels} depths",
        "root": short(100 * error["EM"].iloc[0]),
        "em_speed": short(speed["EM"]),
        "ss_speed": short(speed["SS"]),
        "cell_slowest": f"{int((taken.idxmax(axis=1) == 'cell').sum())}",
    }


def kd_trees(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 5."""
    found = _complete(rows, ("kd-true", *tables.PRIVATE_KD))
    least = found.index.get_level_values("epsilon").min()
    truly = found["kd-true"]
    private = found[list(tables.PRIVATE_KD)]
    relative = private.div(private.min(axis=1), axis=0).xs(least, level="epsilon")
    squares = found.loc[(tables.shapes(rows)[0], least)]
    return {
        "epsilon": f"{least:g}",
        "best": tables.most_reliable(rows),
        "worst": str(relative.mean().idxmax()),
        "true_first": f"{100 * truly.xs(least, level='epsilon').max():.1f}",
        "true_later": f"{100 * truly.drop(least, level='epsilon').max():.1f}",
        "weak": f"{int((found['kd-noisymean'] > found['kd-standard']).sum())}",
        "cells": f"{len(found)}",
        "cell": f"{100 * squares['kd-cell']:.1f}",
        "hybrid": f"{100 * squares['kd-hybrid']:.1f}",
    }


def heights(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 6."""
    found = tables.by_height(rows).dropna()
    shapes, tall = tables.shapes(rows), sorted({int(h) for _, h in found.index})
    if not {8, 10} <= set(tall) or len(found.columns) < 4:
        raise Unfinished("Heights 8 and 10 are not done yet.")
    small = rows[rows["shape"] == shapes[0]]
    best = small.sort_values("mean").iloc[0]
    quad = found["quad-opt"].xs(shapes[0], level="shape")
    larger = found.drop(index=shapes[0], level="shape")
    ratio = [found["kd-hybrid"][one, 8] / found["quad-opt"][one, 10] for one in shapes[1:]]
    worst = larger.idxmax(axis=1) == "kd-cell"
    return {
        "best": str(best["method"]),
        "height": f"{best['height']:.0f}",
        "error": short(100 * float(best["mean"])),
        "quad_height": f"{quad.idxmin():.0f}",
        "hybrid": " and ".join(short(one) for one in ratio),
        "cell_worst": f"{int(worst.sum())} of {len(worst)} heights",
        "hilbert": short((found["Hilbert-R"] / found.min(axis=1)).max()),
    }


def construction(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 7a."""
    built = 1e3 * rows[rows["step"] == "release"].set_index("method")["mean"]
    after = 1e3 * rows[rows["step"] == "post-processing"]["mean"]
    names = {"quad": "quad-opt", "hybrid": "kd-hybrid", "standard": "kd-standard",
             "cell": "kd-cell", "hilbert": "Hilbert-R"}  # fmt: skip
    if not set(names.values()) <= set(built.index):
        raise Unfinished("Not every tree has been timed yet.")
    return {short_: short(built[name]) for short_, name in names.items()} | {
        "after": short(float(after.max()))
    }


def matching(rows: pd.DataFrame) -> Numbers:
    """Of Fig. 7b; what remains to be compared, in %."""
    left = 100 * (1 - tables.crossed(rows, "epsilon", "method", "mean"))
    if left.isna().any(axis=None) or len(left.columns) < 3:
        raise Unfinished("Not every tree is done yet.")
    last = left.loc[left.index.max()]
    order = (left["kd-standard"] < left["kd-noisymean"]) & (
        left["kd-noisymean"] < left["quad-baseline"]
    )
    return {
        "epsilon": f"{left.index.max():g}",
        "less": f"{100 * (1 - last['kd-standard'] / last['kd-noisymean']):.0f}",
        "order": f"{int(order.sum())}",
        "places": f"{len(order)}",
        "standard": short(last["kd-standard"]),
        "mean": short(last["kd-noisymean"]),
        "quad": short(last["quad-baseline"]),
    }


def _complete(rows: pd.DataFrame, methods: tuple[str, ...]) -> tables.Table:
    found = tables.by_method(rows)
    if not set(methods) <= set(found.columns) or found[list(methods)].isna().any(axis=None):
        raise Unfinished("Not every tree is done at every ε yet.")
    return found


OF_PSD: Mapping[str, Callable[[pd.DataFrame], Numbers]] = {
    "psd2": worst,
    "psd3": quadtrees,
    "psd4": medians,
    "psd5": kd_trees,
    "psd6": heights,
    "psd7a": construction,
    "psd7b": matching,
}
