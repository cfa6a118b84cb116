"""The playground: deciles under bounds too tight and too wide. It draws only when asked."""

import streamlit as st

from dpviz.answers.number_text import amount
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.quantiles import DECILES
from dpviz.experiments.planning.declared_bounds import FACTORS, error_by_width
from dpviz.figures.quantiles.column import error_by_width_picture
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.ui.bench.budget import STEPS
from dpviz.ui.bench.hero import drawn
from dpviz.ui.kit import frame, memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import draw_in_use, purpose_of
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

RUNS = 20  # at each width
SEED = 7
_ASKED = "_playground"


def playground(now: Visit, column: Column) -> None:
    """Its two controls, and the picture once it was asked for with what holds now."""
    st.subheader("Playground: bounds too tight, bounds too wide", anchor=False)
    st.markdown(
        "Deciles under bounds of other widths around the same middle. Tight bounds clip, and bias "
        "every mechanism. Wide bounds make the leaves of the noisy tree coarse; recursive halving "
        "pays only with their logarithm. Means over 20 runs with two standard errors."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        epsilon = st.select_slider(
            "ε for the playground",
            STEPS,
            0.1,
            key="playground_eps",
            format_func="{:g}".format,
            help="The budget of each run.",
            width=420,
        )
        mechanisms = (
            ApproximateQuantiles(session.neighbours(), round_to_grid=True),
            AggTree(neighbours=session.neighbours(), round_to_grid=True),
        )
        budget, draw = PureDP(epsilon), draw_in_use(SEED)
        runs = RUNS * len(FACTORS)  # of each mechanism; every one spends the budget
        purpose = purpose_of(mechanisms, column, tuple(DECILES.tolist()), budget, "playground")
        st.button(
            f"Draw {amount(runs * len(mechanisms), 0)} releases",
            key="playground_draw",
            on_click=lambda: state.put(_ASKED, purpose),
        )
    if state.store().get(_ASKED) != purpose:
        return
    paid = [
        Cost(f"playground of bounds, {frame.label_of(one.name)}", budget, runs, simulated=True)
        for one in mechanisms
    ]
    draw.book(purpose, paid=paid)  # errors, compared with the truth: the runs never leave
    errors = memory.remembered(
        ("playground", *purpose, draw),
        lambda: error_by_width(column, mechanisms, DECILES, budget, draw.generator(purpose), RUNS),
    )
    drawn(
        error_by_width_picture(errors, now.look, unit=session.unit()),
        "playground",
        "Error of private deciles against the width of the declared bounds",
        slides="bounds",
        height=420,
    )
