"""What may be taken away of the Quantiles page: releases, and the private picture."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence

import plotly.graph_objects as go

from dpviz.core.releases import QuantileRelease
from dpviz.ui.kit.offers import Offer, figure_offer

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


def releases_csv(releases: list[QuantileRelease]) -> str:
    """One row for each private quantile: mechanism, quantile, value."""
    rows = (
        (release.mechanism, repr(quantile), repr(value))
        for release in releases
        for quantile, value in zip(
            release.quantiles.tolist(),
            release.values.tolist(),
            strict=True,
        )
    )
    return table_csv(("mechanism", "quantile", "value"), rows)


def release_offers(
    releases: list[QuantileRelease], draw: Callable[[], go.Figure]
) -> tuple[Offer, ...]:
    """The releases, and the figure without the true curve that draw makes."""
    return (
        Offer("Release as JSON", releases_json(releases), "release.json", "application/json"),
        Offer("Release as CSV", releases_csv(releases), "release.csv", "text/csv"),
        figure_offer(
            draw,
            "private-cdf.html",
            "An interactive page without the true curve; its camera saves a PNG.",
        ),
    )


def table_csv(header: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """Rows below their header; numbers come back to the last digit."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    written.writerow(header)
    written.writerows(rows)
    return text.getvalue()
