"""How the levels of a tree share its budget, for several splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from dpviz.figures.kit.layout import plain, styled
from dpviz.figures.kit.palette import HUES, OTHER, Ink
from dpviz.figures.trees.scale import short


def level_budget_figure(
    splits: Mapping[str, Sequence[float]], ink: Ink, *, variances: Mapping[str, float] | None = None
) -> go.Figure:
    """Share of the budget by level, one group of bars for each named split, root first.

    variances adds each split's mean variance on the chosen workload to its name.
    """
    figure = go.Figure()
    marks = [*HUES.values(), OTHER]
    patterns = ["", "/", "x", ".", "\\", "-"]
    for at, (name, shares) in enumerate(splits.items()):
        mark = marks[at % len(marks)]
        label = plain(name)
        if variances is not None and name in variances:
            label += f" (variance {short(variances[name])})"
        figure.add_trace(
            go.Bar(
                x=np.arange(len(shares)),
                y=np.asarray(shares, dtype=np.float64),
                name=label,
                marker={
                    "color": mark.dark if ink.dark else mark.light,
                    "pattern": {"shape": patterns[at % len(patterns)]},
                },
                hovertemplate=f"{plain(name)}, level %{{x}}: %{{y:.1%}}<extra></extra>",
            )
        )
    styled(figure, ink, 300, shows_truth=False)
    figure.update_layout(barmode="group")
    figure.update_xaxes(title_text="level (0 is the root)", dtick=1)
    figure.update_yaxes(title_text="share of the budget", tickformat=".0%", rangemode="tozero")
    return figure
