"""What an audit proves: lower bounds on ε by runs, and the outputs that they were read from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dpviz.core.arrays import FloatArray, IntArray
from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import Ink

TWIN = "SanitizedColumn"  # a colour and dash that no mechanism on this page has


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """Lower bounds (s,) after runs (s,), and the ε that the pair of columns really attains."""

    name: str
    mechanism: str
    runs: IntArray
    bounds: FloatArray
    attained: float


def audit_figure(proofs: list[Proof], claimed: float, ink: Ink, *, shows_truth: bool) -> go.Figure:
    """Each proof as a line that climbs towards its exact ε; above the claim it refutes it."""
    figure = go.Figure()
    for proof in proofs:
        colour, mark = ink.of(proof.mechanism), ink.mark(proof.mechanism)
        name = plain(proof.name)
        figure.add_trace(
            go.Scatter(
                x=proof.runs,
                y=proof.bounds,
                mode="lines+markers",
                marker={"symbol": mark.symbol, "size": 6},
                line={"color": colour, "dash": mark.dash, "width": 2},
                name=proof.name,
                hovertemplate=f"{name}: ε ≥ %{{y:.3f}} after %{{x:,}} runs<extra></extra>",
            )
        )
        figure.add_trace(
            go.Scatter(
                x=proof.runs[[0, -1]],
                y=np.full(2, proof.attained),
                mode="lines",
                line={"color": colour, "dash": "dot", "width": 1.5},
                name=f"{proof.name}: exact",
                hovertemplate=f"{name}: exact ε of this pair %{{y:.3f}}<extra></extra>",
            )
        )
    figure.add_hline(
        y=claimed,
        line={"color": ink.truth, "width": 2},
        annotation_text="claimed ε",
        annotation_position="top left",
    )
    styled(figure, ink, 330, shows_truth=shows_truth)
    figure.update_layout(margin={"r": 24})
    most = max([claimed, *(max(proof.attained, proof.bounds.max()) for proof in proofs)])
    figure.update_xaxes(title_text="runs counted of each column", type="log", dtick=1)
    figure.update_yaxes(title_text="ε", range=[-0.03 * most, 1.15 * most])
    return figure


def outputs_figure(
    edges: FloatArray,
    one: IntArray,
    other: IntArray,
    event: tuple[float, float],
    mechanism: str,
    ink: Ink,
    *,
    unit: str = "value",
    shows_truth: bool,
) -> go.Figure:
    """The outputs on both columns as outlines, and the event that tells them apart as a band.

    Shapes: edges (b+1,), one and other (b,) are numbers of outputs; event is (low, high).
    """
    figure = go.Figure()
    styles = {
        "first column": {"color": ink.truth, "width": 2},
        "its neighbour": {"color": ink.of(mechanism), "width": 2, "dash": "dash"},
    }
    for (name, line), counts in zip(styles.items(), (one, other), strict=True):
        figure.add_trace(
            go.Scatter(
                x=edges,
                y=np.append(counts, counts[-1:]),
                mode="lines",
                line={**line, "shape": "hv"},
                name=name,
                hovertemplate=f"{name}: %{{y:,}} outputs from %{{x:,.6g}}<extra></extra>",
            )
        )
    figure.add_vrect(
        x0=max(event[0], edges[0]),
        x1=min(event[1], edges[-1]),
        fillcolor=ink.faint,
        line_width=0,
        layer="below",
    )
    styled(figure, ink, 250, shows_truth=shows_truth)
    figure.update_xaxes(title_text=plain(unit))
    figure.update_yaxes(title_text="outputs", rangemode="tozero", nticks=5)
    return figure
