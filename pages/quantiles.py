"""Quantiles: mechanisms side by side on one CDF, with error, theory and the recursion behind."""

import streamlit as st

from dpviz.figures.quantiles.cdf import cdf_figure, private_view
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.ui.data.column_notes import ties_note
from dpviz.ui.kit import barrier, frame, session
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import draw_picker
from dpviz.ui.kit.messages import attempt, empty_state
from dpviz.ui.kit.number_text import counted
from dpviz.ui.kit.pickers import budget_picker, quantile_picker
from dpviz.ui.quantiles import comparison
from dpviz.ui.quantiles.cards import card
from dpviz.ui.quantiles.details import Page, details_panel
from dpviz.ui.quantiles.mechanisms import mechanism_picker, settings_picker
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.visit import page as visits

frame.guard()
visits.open_page("quantiles", "column")
shows_truth = session.shows_truth()
frame.title(
    "Quantiles",
    f"Private quantiles on one CDF: {frame.truth_colour()} is the truth, colour is private."
    if shows_truth
    else "Private quantiles on one CDF.",
)
controls, picture = st.columns([3, 7], gap="medium")

with controls:
    names = mechanism_picker(
        "mechanisms",
        ["ApproximateQuantiles", "JointExp"],
        "Each chosen mechanism spends the whole budget in a release of its own; in practice "
        "one would choose one. The cards are on the Methods page.",
        persist_state=None,
    )
    budget = attempt(budget_picker)
    quantiles = attempt(quantile_picker)
    draw = draw_picker()
    settings = settings_picker(budget)
    runs = comparison.runs_picker()

with picture:
    column = attempt(session.column)
    if column is None or budget is None or quantiles is None:
        if column is not None:
            empty_state("The picture returns once what is marked in red is mended.")
        st.stop()
    asked = Question(column, quantiles, budget, draw)
    above = st.container()
    shown = comparison.drawn(names, settings, asked)
    if not names:
        empty_state("Choose at least one mechanism on the left.")
    if runs:
        shown = comparison.with_bands(shown, asked, runs)
    with above:
        values = counted(quantiles.asked.size, "quantile")
        released = values if len(shown) == 1 else f"{values} × {len(shown)} mechanisms"
        spent = "spent once" if len(shown) == 1 else "once by each"
        barrier.noise_barrier(column, budget, released, shows_truth=shows_truth, spent=spent)
    curves = [one.curve() for one in shown]
    span = private_view(curves, column.bounds)
    truth = comparison.true_curve(column, span) if shows_truth else None
    chart(
        cdf_figure(curves, truth, column.bounds, frame.ink(), view=span, unit=session.unit()),
        "cdf",
        "dpviz-cdf",
        f"Private CDFs of {len(shown)} mechanisms"
        + (" and the true CDF in black" if shows_truth else ""),
        scroll=True,
    )
    if not shown:
        st.stop()
    if shows_truth and settings.ties is not Ties.JITTER:
        ties_note(column)
    for slot, one in zip(st.columns(max(len(shown), 2)), shown, strict=False):
        with slot:
            card(one, asked, settings.ties)
    details_panel(Page(shown, settings, asked, span))
