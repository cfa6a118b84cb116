"""The CDF that comes out of a noisy tree: raw and smoothed, with bands, readings and trials."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from dpviz.answers.trees import cdf, cdf_said
from dpviz.answers.trees.cdf import CdfChoice, CdfNumbers
from dpviz.estimators.trees.cdf_summary import Reading
from dpviz.experiments.papers.tree_study import cdf_trials
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture, coloured
from dpviz.figures.trees.curve import Curve, tree_curve
from dpviz.figures.trees.runs import trials_picture
from dpviz.ui.bench.hero import drawn
from dpviz.ui.kit import memory, session
from dpviz.ui.kit.account.ledger import Cost
from dpviz.ui.kit.draws import purpose_of
from dpviz.ui.kit.tables import said_table
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown
from dpviz.ui.trees.page import TreePage, names
from dpviz.ui.visit.page import Visit

TRIALS = 10
HERO = "trees_cdf"
CURVES = ("raw", "smoothed")


def chosen(values: Values) -> CdfChoice:
    """How the CDF is made, by the fields of the page."""
    return CdfChoice(*(values[key] for key in ("t_reading", "t_step", "t_beta", "t_poster")))


def numbers(page: TreePage, values: Values) -> CdfNumbers:
    """The curves of the release with their bands."""
    return cdf.answer(page.question(values["t_reading"]), chosen(values))


def draw(_: TreePage, found: CdfNumbers, values: Values, look: Look) -> Picture:
    """The curves that are shown, with what stands above them."""
    shown = values["t_curves"]
    said, sure = _key(found, shown, look), f"bands: {cdf_said.sure(found)} certain"
    return tree_curve(_curve(found, shown), names(), look, said=said, sure=sure)


def below(shown: Shown[TreePage, CdfNumbers]) -> None:
    """How the curves are made, what is read from them, and further trials."""
    found, choice = shown.numbers, chosen(shown.chosen)
    with st.container(key="under_picture"):
        shown.group("t_step")
        readings, tried = st.columns([1, 1] if found.truth is not None else [3, 1], gap="medium")
        with readings:
            said_table(cdf_said.readings(found, _range(shown, choice)))
            for table in shown.said.tables:
                said_table(table)
        with tried:
            _trials(shown.asked, choice, shown.now)


def _curve(found: CdfNumbers, shown: Sequence[str]) -> Curve:
    """What is drawn; the bands stand around the raw curve, or around the smoothed one alone."""
    raw, smooth = "raw" in shown, "smoothed" in shown
    return Curve(
        found.edges,
        found.counts if raw or not smooth else found.smooth,
        found.each,
        found.together,
        found.smooth if raw and smooth else None,
        found.truth,
    ).thinned()


def _key(found: CdfNumbers, shown: Sequence[str], look: Look) -> str:
    """What stands above the curves: what they count (a phone has no room), which line is which."""
    nouns, blue = names().safe(), look.ink.private
    wide = look.said(f"{nouns.people.capitalize()} below each {nouns.axis}: ", "")
    lines = []
    if "smoothed" in shown:
        lines.append(coloured("smoothed", blue, bold=True))
    if "raw" in shown:
        lines.append(coloured("dotted as read" if lines else "as read", blue))
    if found.truth is not None:
        lines.append("<b>truth</b> in black" if not look.ink.dark else "<b>truth</b> in white")
    return wide + ", ".join(lines)


def _range(shown: Shown[TreePage, CdfNumbers], choice: CdfChoice) -> Reading | None:
    """People in a range that is asked for; None while it ends before it starts, or is no range."""
    if not shown.numbers.knows_errors:
        return None
    shown.group("t_from")
    page, low, high = shown.asked, shown.chosen["t_from"], shown.chosen["t_to"]
    if low is None or high is None or low > high:
        return None
    asked = page.outside(choice.reading)
    return page.once("range", lambda: cdf.in_range(asked, choice, low, high), choice, low, high)


def _trials(page: TreePage, choice: CdfChoice, now: Visit) -> None:
    """How often the truth left the pointwise band, drawn when it is asked for; confidential."""
    st.markdown("**Points outside α in ten trials**, as the poster reports")
    if not session.shows_truth():
        st.caption("Each trial compares with the truth: hidden.")
        return
    tried = trials(page, choice)
    drawn(
        trials_picture(tried, now.look),
        "t_trials",
        "Points of the CDF outside the pointwise band in each of ten trials",
        slides="trials",
        height=300,
    )
    expected = float(tried["expected"].iloc[0])
    st.caption(
        f"Dashed: {expected:.1f} expected in each trial for the raw curve: β times the points."
    )


def trials(page: TreePage, choice: CdfChoice) -> pd.DataFrame:
    """How often the truth left the pointwise band in ten further releases. Confidential."""
    tree, budget = page.choice.tree, page.choice.budget
    purpose = purpose_of(tree, page.column, budget, "trials", choice)
    paid = [Cost("tree, further trials", budget, TRIALS, simulated=True)]
    page.draw.book(purpose, 5, paid=paid)
    noise = page.release.tree_noise
    return memory.remembered(
        ("trials", *purpose, page.draw),
        lambda: cdf_trials(
            page.column,
            tree,
            budget,
            page.draw.generator(purpose, 5),  # a look at the truth: it never leaves
            estimator=choice.reading,
            step=choice.step,
            beta=choice.beta,
            trials=TRIALS,
            fit_total=choice.as_poster,
            band=cdf.simulated(noise, choice.reading, choice.step, choice.beta)[0],
        ),
    )
