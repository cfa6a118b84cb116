"""What may be taken away of the Quantiles page: releases, the private picture, Python lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from dpviz.core.releases import QuantileRelease
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.reports.tables import quantiles_csv
from dpviz.reports.words import Told
from dpviz.ui.bench.report_files import report_offers
from dpviz.ui.kit.offers import Offer, figure_offer
from dpviz.ui.kit.script import Row, Script, column_text
from dpviz.ui.quantiles.releases import Question

NOTE = (
    "Private values, declarations and the budget only. If you publish more than one release "
    "about the same people, their budgets add up. The camera in the chart's corner saves the "
    "picture as it stands, the true curve included while it is shown."
)


def releases_json(releases: list[QuantileRelease]) -> str:
    """One release as itself, several as a list: private values and declarations only."""
    if len(releases) == 1:
        return releases[0].to_json()
    return json.dumps([release.to_dict() for release in releases], indent=1, ensure_ascii=False)


def release_offers(
    releases: list[QuantileRelease], told: Told, draw: Callable[[], go.Figure]
) -> tuple[Offer, ...]:
    """The releases, the papers of one that is alone, and the figure without the true curve."""
    alone = report_offers(releases[0], told, "release") if len(releases) == 1 else ()
    return (
        Offer("Release as JSON", releases_json(releases), "release.json", "application/json"),
        Offer("Release as CSV", quantiles_csv(releases), "release.csv", "text/csv"),
        *alone,
        figure_offer(
            draw,
            "private-cdf.html",
            "An interactive page without the true curve; its camera saves a PNG.",
        ),
    )


def python_lines(
    shown: Sequence[tuple[QuantileMechanism, QuantileRelease]], asked: Question
) -> str:
    """A script whose `releases` are by name those on screen, or for a file others of their law."""
    script = Script(column_text(asked.column), asked.budget, asked.draw)
    rows = {one.name: Row(one, release, asked.purpose(one)) for one, release in shown}
    quantiles = np.array2string(
        asked.quantiles.asked,
        separator=", ",
        threshold=10_000,
        max_line_width=88,
        formatter={"float_kind": lambda number: repr(float(number))},
    )
    return script.text(f"""\
quantiles = {quantiles}
{script.releases(rows, "column, quantiles")}
for name, release in releases.items():
    print(name, release.values)
""")
