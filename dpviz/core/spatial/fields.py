"""The fields of a spatial release as plain values and back, without what follows from others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from dpviz.core.arrays import FloatArray
from dpviz.core.bounds import Bounds, Box
from dpviz.core.budgets import budget_from_dict
from dpviz.core.errors import InvalidRelease
from dpviz.core.neighbours import Neighbours
from dpviz.core.noise import Noise
from dpviz.core.spatial.boxes import FANOUT, box_row
from dpviz.core.spatial.structure_budget import structure_from_dict, structure_to_dict
from dpviz.core.trees.shape import TreeShape
from dpviz.core.trees.tree_noise import Root


def spatial_to_dict(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a release as plain values; None stands for a level that is not released."""
    boxes, edges, spent = parts["boxes"], parts["curve_edges"], parts["spent"]
    follow = boxes is None or edges is not None  # from midpoints, or from the curve
    levels = zip(parts["counts"], parts["scales"], strict=True)
    return {
        "kind": "spatial",
        "dpviz": parts["version"],
        "mechanism": parts["mechanism"],
        "parameters": dict(parts["parameters"]),
        "neighbours": parts["neighbours"].value,
        "spent": None if spent is None else spent.to_dict(),
        "structure": structure_to_dict(parts["structure"]),
        "non_private": list(parts["non_private"]),
        "root": parts["root"].value,
        "total": parts["total"],
        "box": box_row(parts["box"]).tolist(),
        "boxes": None if follow else [level.tolist() for level in boxes],
        "curve_edges": None if edges is None else edges.tolist(),
        "curve_order": parts["curve_order"],
        "noise": parts["noise"].value,
        "scales": [None if math.isinf(scale) else scale for scale in parts["scales"]],
        "counts": [None if math.isinf(scale) else level.tolist() for level, scale in levels],
    }


def spatial_parts(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that spatial_to_dict wrote.

    Raises: InvalidRelease for another kind, KeyError, TypeError or ValueError for missing parts.
    """
    if stored["kind"] != "spatial":
        raise InvalidRelease(f"Expected a spatial release, got '{stored['kind']}'.")
    x_low, x_high, y_low, y_high = stored["box"]
    return {
        "mechanism": stored["mechanism"],
        "parameters": stored["parameters"],
        "box": Box(Bounds(x_low, x_high), Bounds(y_low, y_high)),
        "boxes": _boxes(stored["boxes"]),
        "curve_edges": stored["curve_edges"],
        "curve_order": stored["curve_order"],
        "counts": _counts(stored["counts"]),
        "noise": Noise(stored["noise"]),
        "scales": tuple(math.inf if scale is None else float(scale) for scale in stored["scales"]),
        "root": Root(stored["root"]),
        "total": stored["total"],
        "neighbours": Neighbours(stored["neighbours"]),
        "spent": None if stored["spent"] is None else budget_from_dict(stored["spent"]),
        "structure": structure_from_dict(stored["structure"]),
        "non_private": tuple(stored["non_private"]),
        "version": stored["dpviz"],
    }


def _boxes(stored: list[Any] | None) -> tuple[FloatArray, ...] | None:
    return None if stored is None else tuple(np.array(b, dtype=np.float64) for b in stored)


def _counts(stored: list[Any]) -> tuple[FloatArray, ...]:
    shape = TreeShape(FANOUT, len(stored) - 1)  # refuses one too large to build
    return tuple(
        np.full(shape.nodes(level), np.nan) if counts is None else np.array(counts, dtype=float)
        for level, counts in enumerate(stored)
    )
