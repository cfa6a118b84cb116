"""Quantiles: mechanisms side by side on one CDF, with error, theory and the recursion behind."""

import streamlit as st

from dpviz.core.errors import DpvizError
from dpviz.figures.quantiles.cdf import cdf_figure, private_view
from dpviz.mechanisms.exponential.ties import Ties
from dpviz.ui.data.column_notes import ties_note
from dpviz.ui.kit import barrier, frame, session
from dpviz.ui.kit.charts import chart_options
from dpviz.ui.kit.downloads import download_panel
from dpviz.ui.kit.draws import draw_picker
from dpviz.ui.kit.messages import attempt, counted, empty_state
from dpviz.ui.kit.pickers import budget_picker, quantile_picker
from dpviz.ui.quantiles import cards, comparison
from dpviz.ui.quantiles.mechanisms import mechanism_picker, settings_picker
from dpviz.ui.quantiles.recursion import recursion_panel
from dpviz.ui.quantiles.reproduce import python_lines
from dpviz.ui.quantiles.synthetic import synthetic_panel

frame.guard()
frame.title(
    "Quantiles",
    f"Private quantiles on one CDF: {frame.truth_colour()} is the truth, colour is private."
    if session.shows_truth()
    else "Private quantiles on one CDF.",
)
controls, picture = st.columns([3, 7], gap="medium")

with controls:
    names = mechanism_picker()
    budget = attempt(budget_picker)
    quantiles = attempt(quantile_picker)
    draw = draw_picker()
    settings = settings_picker()
    bands = st.toggle(
        "Bands over runs",
        key="bands",
        bind="query-params",
        disabled=not session.shows_truth(),
        help="Where 90 % of further runs fall. Each run spends the whole budget, so bands are "
        "for teaching and are hidden with the truth.",
    )
    runs = 50
    if bands and session.shows_truth():
        runs = st.select_slider(
            "Runs", (20, 50, 100, 200, 500), value=50, key="runs", bind="query-params"
        )

with picture:
    column = attempt(session.column)
    if column is None or budget is None or quantiles is None:
        if column is not None:
            empty_state("The picture returns once what is marked in red is mended.")
        st.stop()
    shows_truth = session.shows_truth()
    slots = st.container()
    shown = comparison.drawn(names, settings, column, quantiles, budget, draw)
    if not names:
        empty_state("Choose at least one mechanism on the left.")
    if shown and bands and shows_truth:
        try:
            shown = comparison.with_bands(shown, column, quantiles, budget, draw, runs)
        except DpvizError as error:
            comparison.problem(error)
    with slots:
        values = counted(quantiles.asked.size, "quantile")
        released = values if len(shown) == 1 else f"{values} × {len(shown)} mechanisms"
        spent = "spent once" if len(shown) == 1 else "once by each"
        barrier.noise_barrier(column, budget, released, shows_truth=shows_truth, spent=spent)
    curves = [one.curve() for one in shown]
    public_view = private_view(curves, column.bounds)
    public_figure = cdf_figure(
        [comparison.Shown(one.mechanism, one.timed).curve() for one in shown],
        None,
        column.bounds,
        frame.ink(),
        view=public_view,
        unit=session.unit(),
    )
    truth = comparison.true_curve(column, public_view) if shows_truth else None
    st.plotly_chart(
        cdf_figure(
            curves, truth, column.bounds, frame.ink(), view=public_view, unit=session.unit()
        ),
        key="cdf",
        config=chart_options("dpviz-cdf"),
        alt=f"Private CDFs of {len(shown)} mechanisms"
        + (" and the true CDF in black" if shows_truth else ""),
    )
    if shown:
        if shows_truth and settings.ties is not Ties.JITTER:
            ties_note(column)
        for slot, one in zip(st.columns(max(len(shown), 2)), shown, strict=False):
            with slot:
                if shows_truth:
                    errors = cards.errors_of(column, quantiles, one.timed.release.values)
                    bound = comparison.theory(one, column, quantiles, budget, draw, settings.ties)
                    cards.card(one.timed, errors, bound, one.running_gap(column, quantiles))
                else:
                    cards.card(one.timed, None, "", None)
        detail = st.segmented_control(
            "Details",
            ["Table", "Recursion tree", "Synthetic column", "Download and code"],
            default="Table",
            required=True,
            key="detail",
            bind="query-params",
            persist_state="session",
            label_visibility="collapsed",
            wrap=True,
        )
        if detail == "Table":
            drawn = [one.timed for one in shown]
            cards.quantile_table(column, quantiles, drawn, shows_truth=shows_truth)
        elif detail == "Recursion tree":
            recursion_panel(shown, column, quantiles, budget, draw)
        elif detail == "Synthetic column":
            synthetic_panel(column, settings, budget, draw)
        else:
            mechanisms = [one.mechanism for one in shown]
            lines = python_lines(mechanisms, column, quantiles, budget, draw)
            download_panel([one.timed.release for one in shown], public_figure, lines)
