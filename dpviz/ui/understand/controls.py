"""Controls that the three pages share: the question, the line, the person, the noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpviz.answers.markup import plain
from dpviz.core.budgets import ApproxDP, Budget
from dpviz.core.neighbours import Neighbours
from dpviz.core.randomness.noise import Noise
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.single_queries import Query
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import session
from dpviz.ui.understand import people, questions, settings
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit

ASKS = {settings.COUNT: "A count", settings.QUANTILE: "A quantile"}
NOISES = {
    Noise.DISCRETE_LAPLACE: "discrete Laplace",
    Noise.DISCRETE_GAUSSIAN: "discrete Gaussian",
    Noise.LAPLACE: "Laplace",
    Noise.GAUSSIAN: "Gaussian",
}
SIDES = {settings.OVER: "over it", settings.UP_TO: "at most it"}
PEOPLE = {
    settings.LINE: "at the line",
    settings.LOWEST: "the least",
    settings.MIDDLE: "the middle",
    settings.HIGHEST: "the greatest",
    settings.AT_RANK: "at a rank",
}
WAYS = {settings.LEAVES: "leaves", settings.JOINS: "joins"}


def data(now: Visit) -> None:
    """Whose numbers these are."""
    data_choice.choose(now)


def asks(key: str, options: dict[str, str], value: str, settled: Callable[[Any], None]) -> None:
    """Which number is published, in a row."""
    st.segmented_control(
        "What is published",
        list(options),
        format_func=options.__getitem__,
        required=True,
        **state.widget(key, value, settled),
    )


def number(kind: str) -> None:
    """The line of a count, or which quantile."""
    if kind == settings.QUANTILE:
        st.number_input(
            "Quantile",
            0.001,
            0.999,
            step=0.05,
            format="%.3g",
            help="q: a share q of the people lies below it. 0.5 is the median.",
            **settings.widget("n_quantile"),
        )
        return
    key = settings.threshold_key()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Line",
            format="%.10g",
            step=None,
            width=150,
            help="Those are counted who lie over it, or at most at it. It is public: choose it "
            "without the data.",
            **state.widget(key, questions.threshold()),
        )
        st.segmented_control(
            "Counted",
            list(SIDES),
            format_func=SIDES.__getitem__,
            required=True,
            **settings.widget("n_side"),
        )


def person(query: Query, at: str | None) -> None:
    """Who joins or leaves, or whose value changes; at is where a value comes now."""
    replaces = session.neighbours() is Neighbours.REPLACE_ONE
    if not replaces:
        st.segmented_control(
            "One person",
            list(WAYS),
            format_func=WAYS.__getitem__,
            required=True,
            help="Two data sets are neighbours if one person more or less makes the difference. "
            "Expert has the other relation: one value changed.",
            **settings.widget("n_way"),
        )
    joins = settings.get("n_way") == settings.JOINS and not replaces
    if not joins:
        options = [one for one in PEOPLE if one != settings.LINE or isinstance(query, CountQuery)]
        st.selectbox(
            "Whose value changes" if replaces else "Who leaves",
            options,
            format_func=PEOPLE.__getitem__,
            **settings.widget("n_which", people.which(query)),
        )
        if people.which(query) == settings.AT_RANK:
            st.slider(
                "Rank, in per cent of the people",
                0,
                100,
                help="0 is the least value, 100 the greatest; a share does not tell how many "
                "there are.",
                **settings.widget("n_share"),
            )
    if joins or replaces:
        _comes(at or settings.UPPER)


def _comes(at: str) -> None:
    st.selectbox(
        "At which value",
        (settings.LOWER, settings.UPPER, settings.ANY),
        **settings.widget("n_where", at),
    )
    if settings.get("n_where") == settings.ANY:
        st.number_input(
            "Value",
            format="%.10g",
            step=None,
            help="Clipped to the bounds like every value. It stands in no link.",
            **state.widget(people.value_key(), people.own_value()),
        )


def noise(budget: Budget) -> None:
    """The law of the noise on a count."""
    st.segmented_control(
        "Noise on the count",
        list(NOISES),
        format_func=NOISES.__getitem__,
        required=True,
        **settings.widget("n_noise", questions.noise_in_use(budget), questions.choose_noise),
    )


def suspicion() -> None:
    """How sure an observer is beforehand."""
    st.slider(
        "Suspicion before, in per cent",
        1,
        99,
        help="How likely somebody holds it that the person is in the data, before the answer.",
        **settings.widget("n_prior"),
    )


def read_at(budget: Budget) -> None:
    """The δ at which noise without a pure ε, or many answers, are read."""
    if isinstance(budget, ApproxDP):
        return
    st.number_input(
        "Read at δ",
        1e-300,
        1 - 1e-9,
        format="%.3g",
        step=1e-7,
        width=150,
        help="The δ that ε is read at; choose it far below 1 / people.",
        **settings.widget("n_at"),
    )


def facts(rows: list[tuple[str, str]]) -> None:
    """Exact numbers behind the picture, one a line."""
    st.markdown("  \n".join(f"{plain(words)} **{plain(number)}**" for words, number in rows))
