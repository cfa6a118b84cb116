"""Audit: what runs on a pair of columns prove about a claimed ε, beside a broken twin."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from dpviz.core.budgets import Budget
from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.hard_pairs import counted_pair, hard_pair
from dpviz.experiments.privacy.neighbours import Pair
from dpviz.experiments.privacy.one_count import MADE_UP
from dpviz.experiments.privacy.privacy_audit import most_provable
from dpviz.experiments.privacy.single_queries import doubled
from dpviz.figures.privacy.audit import audit_picture
from dpviz.figures.privacy.audited import Audited
from dpviz.figures.privacy.outputs import outputs_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.number_text import counted
from dpviz.ui.understand import people, questions, settings
from dpviz.ui.understand.audit_case import Case, finding, second_line
from dpviz.ui.understand.audit_dock import audit_dock
from dpviz.ui.understand.findings import Finding, Plan, finding_of
from dpviz.ui.understand.people import pair_of
from dpviz.ui.understand.questions import Asked
from dpviz.ui.visit.page import Visit


def show(now: Visit) -> None:
    """The page in either of its views."""
    head = st.container()
    own = now.truth and columns_in_use() == settings.OWN
    asked = questions.asked(str(settings.get("a_ask")), now.budget, hides=not own)
    case = attempt(lambda: _case(asked)) if asked else None
    audit_dock(now, asked, case.who if case else None, _facts(case) if case else [])
    if case is None:
        with head:
            headline("Audit", "What runs can prove", "The picture returns once this is mended.")
        return
    sentence, second = finding(case), second_line(now, case)
    with head:
        headline("Audit", sentence, second)
    alt = f"{unmarked(sentence)} {unmarked(second)}"
    if now.view == "outputs":
        hero(_outputs(now, case), "outputs", alt)
    else:
        found = _audited(case)
        hero(audit_picture(found, case.claimed, case.sides, now.look), "audit", alt)
    _strip(now, case)


def columns_in_use() -> str:
    """Which columns are compared: a sample's own; a file's only if its owner asks for it."""
    chosen = settings.get("n_columns")
    return str(chosen) if chosen else settings.HARD if session.is_upload() else settings.OWN


def _case(asked: Asked) -> Case:
    """The audit of what is asked, done once. Raises: DpvizError for a change that cannot be made."""
    who = people.person(asked.query, asked.column)
    runs, confidence = settings.get("n_runs"), settings.CONFIDENCES[settings.get("n_confidence")]
    source: object = ("made up", asked.column.bounds)
    if asked.is_made_up:
        pair = _made_up(asked)
    else:
        pair, source = pair_of(asked, who.change), (asked.column.fingerprint, who.change)
        if who.comes:
            pair = Pair(pair.other, pair.one, pair.added, pair.removed)
    plan = Plan(source, runs, confidence, pays=not asked.is_made_up)
    spent: list[Budget] = [asked.budget]
    if settings.get("n_twin"):
        spent.append(doubled(asked.budget))
    with st.spinner(f"{counted(runs, 'run')} on each column"):
        found = [finding_of(asked, pair, budget, plan) for budget in spent]
    delta = asked.claim().delta
    attained = [asked.query.attained(pair, budget, delta) for budget in spent]
    named = None if asked.is_made_up and who.who != people.IDA else who
    return Case(asked, pair, named, plan, found, attained)


def _made_up(asked: Asked) -> Pair:
    """Columns on which the mechanism loses what it may, of nobody's values."""
    query, bounds, relation = asked.query, asked.column.bounds, session.neighbours()
    if isinstance(query, CountQuery):
        return counted_pair(query, bounds, relation, MADE_UP)
    return hard_pair(query, bounds, relation, asked.claim().epsilon)


def _audited(case: Case) -> list[Audited]:
    names = (case.name, "broken twin")
    return [
        Audited(name, one.audit, _event(case, one), is_twin)
        for name, one, is_twin in zip(names, case.found, (False, True), strict=False)
    ]


def _event(case: Case, one: Finding) -> str:
    event = one.audit.event
    is_count = isinstance(case.asked.query, CountQuery)
    return questions.said_more(event.threshold, below=event.below, is_count=is_count)


def _outputs(now: Visit, case: Case):  # type: ignore[no-untyped-def]
    one = case.found[0]
    event = one.audit.event
    ends = (-np.inf, event.threshold) if event.below else (event.threshold, np.inf)
    return outputs_picture(
        one.edges, one.one, one.other, ends, _event(case, one), case.sides, now.look
    )


def _strip(now: Visit, case: Case) -> None:
    runs = f"{case.plan.runs:,}"
    each = f"{runs} {case.sides[0]}, {runs} without"
    if case.who is None or case.who.who != people.IDA or case.who.replaced:
        each = f"{runs} on each column"
    limit = most_provable(case.plan.runs // 2, case.plan.confidence)
    items = [
        ("runs", each),
        ("half of them counted", f"{case.plan.runs // 2:,}"),
        ("confidence", str(settings.get("n_confidence"))),
        ("most that can be proved", f"{math.floor(10 * limit) / 10:.1f}"),
    ]
    if now.look.screen in {"low", "narrow"}:
        items = [items[0], items[-1]]
    chips = ["made-up columns"] if now.truth and not case.is_own else []
    strip(now, items, chips, badge=case.is_own, ledger=True)


def _facts(case: Case) -> list[tuple[str, str]]:
    """What the pair really loses: exact, so that one sees how near the bounds come."""
    names = (case.name, "broken twin")
    delta = case.asked.claim().delta
    rows = [
        (f"{name}: exact ε of this pair", f"{attained:.4g}")
        for name, attained in zip(names, case.attained, strict=False)
    ]
    if delta:
        rows.append(("the claim, and the bounds, hold at δ =", f"{delta:g}"))
    return rows
