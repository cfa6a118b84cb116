"""The sanitised column: synthetic points in place of the records."""

from __future__ import annotations

import streamlit as st

from dpviz.figures.quantiles.cdf import PrivateCurve, cdf_figure, private_view
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.sanitized import SanitizedColumn
from dpviz.ui.kit import choices, frame, memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.offers import Offer, offer_buttons
from dpviz.ui.quantiles.comparison import true_curve
from dpviz.ui.quantiles.downloads import table_csv
from dpviz.ui.quantiles.mechanisms import Settings
from dpviz.ui.quantiles.releases import Question

MOST_POINTS = 100_000


def synthetic_panel(asked: Question, settings: Settings) -> None:
    """Choose n̂, draw the points, compare their CDF, take them away."""
    column, budget, draw = asked.column, asked.budget, asked.draw
    st.caption(
        "Many private quantiles stand in for the records, so that tools that expect a column can be "
        "used (AQ paper, Corollary 3.6). A release of its own: it spends the budget again."
    )
    declared = choices.field(
        "Points (leave empty to pay for a noisy count)",
        "points",
        "n̂ is declared in advance, or a noisy count bought with a tenth of the budget; the true "
        "number of records is never used (under replace-one it is public).",
        default=1000,
        min_value=1,
        max_value=MOST_POINTS,
        format=None,
        width=420,
    )
    mechanism = SanitizedColumn(
        size=None if declared is None else int(declared),
        quantiles=ApproximateQuantiles(
            settings.neighbours, settings.rho_rule, settings.ties, settings.round_to_grid
        ),
    )
    purpose = purpose_of(mechanism, column, budget)
    paid = [Cost("synthetic column", budget)]
    release = memory.remembered(
        ("synthetic", *purpose, draw),
        lambda: mechanism.release(column, budget, draw.rng(purpose, 2, paid=paid)),
    )
    curve = PrivateCurve(
        mechanism.name, f"{release.values.size:,} points", release.quantiles, release.values
    )
    view = private_view([curve], column.bounds)
    truth = true_curve(column, view) if session.shows_truth() else None
    chart(
        cdf_figure([curve], truth, column.bounds, frame.ink(), view=view, unit=session.unit()),
        "synthetic_chart",
        "synthetic",
        "CDF of the synthetic points" + ("" if truth is None else " and of the records"),
        scroll=True,
    )
    offer_buttons(
        [
            Offer(
                "Synthetic column as CSV",
                lambda: table_csv(("value",), ((repr(one),) for one in release.values.tolist())),
                "synthetic.csv",
                "text/csv",
            )
        ]
    )
