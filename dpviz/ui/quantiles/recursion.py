"""Inside recursive halving: its steps, the density that each number was drawn from, its parts."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.answers.number_text import asked_for
from dpviz.answers.quantiles import recursion_said
from dpviz.answers.quantiles.answers import percent_of
from dpviz.answers.quantiles.voice import Voice, row_name
from dpviz.core.budgets import ZCDP
from dpviz.figures.quantiles.descent import Inside, descent_picture
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.mechanisms.quantiles.independent_exp import IndependentExp
from dpviz.mechanisms.quantiles.recursion import plan
from dpviz.metrics.recursion import Parts, parts_of
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import memory
from dpviz.ui.quantiles import methods
from dpviz.ui.quantiles.asked import NODE, QuantilesPage
from dpviz.ui.quantiles.below import below
from dpviz.ui.quantiles.releases import trace_of
from dpviz.ui.quantiles.shown import Shown, scale_of, shown, voice_of

CHART = "recursion_chart"


def recursion_view(page: QuantilesPage) -> None:
    """Steps from top to bottom; with the truth off without densities, true ticks and counts."""
    now, asked = page.now, page.question
    one = shown(methods.HALVING, page.settings, asked, as_drawn=now.truth)
    if one is None or one.release.recursion is None:
        headline("Quantiles", "Nothing was published.", "Choose another budget.")
        return
    scale = scale_of(one)
    voice, answers = voice_of(scale), one.alone(asked)
    inside = _inside(one, page) if now.truth and asked.column.n else None
    levels, quantiles = asked.quantiles.levels, asked.quantiles
    said = asked_for(quantiles.distinct)
    sentence = recursion_said.in_steps(quantiles.count, levels, asked.budget.symbol, said)
    first = row_name(float(quantiles.distinct[_first(one)]))
    value = voice.value(float(answers.published[_first(one)]))
    count = asked.column.n if inside is not None else None
    second = recursion_said.halves(first, value, voice.words, count)
    headline("Quantiles", sentence, "" if now.presenting else second)
    chosen = _chosen(quantiles.count)
    hero(
        descent_picture(
            one.release.recursion, answers.published, inside, scale, now.look,
            first=first, people=voice.words.people.many, chosen=chosen,
        ),
        CHART, unmarked(f"{sentence} {second}"), slides="recursion",
        on_select=_choose_clicked, selection_mode="points",
    )  # fmt: skip
    items = _budgets(one, page) if chosen is None else _node(one, page, inside, chosen, voice)
    strip(now, items, page.settings.chips(methods.HALVING))
    below(page, [one], CHART, sentence)


def _first(one: Shown) -> int:
    assert one.release.recursion is not None
    return int(one.release.recursion.level.argmin())


def _inside(one: Shown, page: QuantilesPage) -> Inside:
    assert isinstance(one.mechanism, ApproximateQuantiles)
    mechanism, asked = one.mechanism, page.question
    truth = one.answers(asked).truth
    assert truth is not None
    parts: Parts = memory.public(
        asked.column,
        asked.key("parts", mechanism),
        lambda: parts_of(trace_of(mechanism, asked)),
    )
    return Inside(truth, parts.sizes, parts.x, parts.height)


def _budgets(one: Shown, page: QuantilesPage) -> list[tuple[str, str]]:
    """What a step may spend, and what it would get if all were asked one by one."""
    assert isinstance(one.mechanism, ApproximateQuantiles)
    asked = page.question
    alone = IndependentExp(one.mechanism.neighbours, one.mechanism.rho_rule)
    step = one.mechanism.level_epsilon(asked.budget, asked.quantiles.levels)
    each = alone.each_epsilon(asked.budget, asked.quantiles.count)
    pure = "a mechanism with " if isinstance(asked.budget, ZCDP) else ""
    return [
        ("one step" if asked.draw.rows is None else "one step, a record", f"{pure}ε = {step:.2g}"),
        ("asked one by one, each would get", f"{pure}ε = {each:.2g}"),
        ("spent", str(asked.spent)),
    ]


def _node(
    one: Shown, page: QuantilesPage, inside: Inside | None, chosen: int, voice: Voice
) -> list[tuple[str, str]]:
    """The numbers of one node: public ones, and with the truth how many people its part held."""
    recursion, asked = one.release.recursion, page.question
    assert recursion is not None
    name = percent_of(float(asked.quantiles.distinct[chosen]))
    low, high = (voice.value(float(end[chosen])) for end in (recursion.low, recursion.high))
    found = [
        (f"step {recursion.level[chosen]:.0f}, the {name} point", f"drawn from {low} to {high}"),
        ("asked of its part:", f"the {percent_of(float(recursion.normalised[chosen]))} point"),
    ]
    if inside is not None:
        people = voice.words.people
        found.append(("in this part", people.counted(int(inside.sizes[chosen]))))
    return [*found, ("η", f"{_eta(one, page, chosen):.3g}")]


def _eta(one: Shown, page: QuantilesPage, chosen: int) -> float:
    """How steeply the density falls: e^−η for each person away from the target."""
    assert isinstance(one.mechanism, ApproximateQuantiles)
    steps = plan(page.question.quantiles)
    etas = one.mechanism.etas(page.question.budget, steps)
    positions = np.concatenate([nodes.position for nodes in steps.levels])
    return float(np.concatenate(etas)[positions == chosen + 1][0])


def _chosen(count: int) -> int | None:
    at = st.session_state.get(NODE, -1)
    return at if isinstance(at, int) and 0 <= at < count else None


def _choose_clicked() -> None:
    points = st.session_state[CHART].selection.points
    if points:
        st.session_state[NODE] = int(points[0]["point_index"])
