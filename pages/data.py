"""Data: choose a sample or upload a file, declare bounds, see what the choice costs."""

import streamlit as st

from dpviz.core.budgets import PureDP
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import DECILES
from dpviz.experiments.planning.declared_bounds import FACTORS, error_by_width
from dpviz.figures.quantiles.column import error_by_width_figure, histogram_figure, points_figure
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.column import histogram
from dpviz.metrics.points import raster
from dpviz.ui.data.column_notes import column_notes
from dpviz.ui.data.uploading import upload_panel
from dpviz.ui.kit import barrier, choices, frame, memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.draws import draw_in_use, purpose_of
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.number_text import amount
from dpviz.ui.kit.pickers import STEPS
from dpviz.ui.visit import page as visits

RUNS = 20  # at each width

frame.guard()
visits.open_page("data")
frame.title("Data", "Choose a column, and declare what is publicly known about it.")
chooser, picture = st.columns([4, 6], gap="medium")

with chooser:
    upload_panel()
    barrier.account_panel()
    if not session.is_upload():
        sample = session.chosen_sample()
        st.subheader(sample.title, anchor=False)
        st.markdown(sample.description)
        st.markdown(f":material/school: {sample.teaches}")
    with st.expander("Why the bounds must not come from the data", icon=":material/help:"):
        st.markdown(
            "The smallest and the largest record belong to two people. If the bounds are taken "
            "from the data, every later output depends on those two people with certainty: with "
            "one of them gone, the bounds move, and no noise hides it. So bounds are declared from "
            "what anyone could know: an age lies between 0 and 120, a mark between 0 and 100. "
            "Too tight, and values are clipped, which biases the tails. Too wide, and the "
            "mechanisms search where nobody is. The playground below shows both."
        )

with picture:
    column = attempt(session.column)
    if column is None:
        st.stop()
    if not session.shows_truth():
        st.info(
            "The truth is off: what the column looks like and how many values were clipped is "
            "confidential"
            + (
                ", and so is how many records it has."
                if session.neighbours() is Neighbours.ADD_REMOVE
                else "; of the number of records, only a declared N is public under replace-one "
                "neighbours."
            ),
            icon=":material/lock:",
        )
        st.stop()
    if column.n == 0:
        st.warning(
            "No record is left: every value of the column is missing.", icon=":material/warning:"
        )
        st.stop()
    numbers = (
        ("Records", column.n, "Present values."),
        (
            "Clipped",
            column.clipped,
            "Values outside the bounds, infinite ones included, moved to the nearest bound.",
        ),
        ("Missing", column.dropped, "Values that are absent or not numbers: dropped."),
    )
    for slot, (name, value, meaning) in zip(st.columns(3), numbers, strict=True):
        slot.metric(name, amount(value, 0), help=f"{meaning} Confidential.", border=True)
    column_notes(column)
    chart(
        histogram_figure(*histogram(column), column.bounds, frame.ink(), unit=session.unit()),
        "histogram",
        "histogram",
        "Histogram of the records between the declared bounds",
    )
    points = attempt(session.points)
    if points is not None:
        chart(
            points_figure(
                raster(points), points.box.x, points.box.y, frame.ink(), names=session.point_units()
            ),
            "points",
            "points",
            "Map of the points, darker where there are more",
        )

st.subheader("Playground: bounds too tight, bounds too wide", anchor=False)
st.caption(
    "Deciles under bounds of other widths around the same middle. Tight bounds clip, and bias "
    "every mechanism. Wide bounds make the leaves of AggTree coarse; AQ pays only with their "
    "logarithm. Means over 20 runs with two standard errors; confidential."
)
epsilon = choices.steps(
    "ε for the playground",
    STEPS,
    "playground_eps",
    "The budget of each run.",
    default=0.1,
    width=420,
    bind=None,
    persist_state=None,
)
mechanisms = (
    ApproximateQuantiles(session.neighbours(), round_to_grid=True),
    AggTree(neighbours=session.neighbours(), round_to_grid=True),
)
budget, draw = PureDP(epsilon), draw_in_use(7)
purpose = purpose_of(mechanisms, column, tuple(DECILES.tolist()), budget, "playground")
runs = RUNS * len(FACTORS)  # of each mechanism; every one spends the budget
paid = [
    Cost(f"playground of bounds, {frame.label_of(one.name)}", budget, runs) for one in mechanisms
]
frame_of_errors = memory.remembered(
    ("playground", *purpose, draw),
    lambda: error_by_width(column, mechanisms, DECILES, budget, draw.rng(purpose, paid=paid), RUNS),
)
chart(
    error_by_width_figure(frame_of_errors, frame.ink(), unit=session.unit()),
    "playground",
    "bounds",
    "Error of private deciles against the width of the declared bounds",
)
