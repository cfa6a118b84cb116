"""Audit: what runs on a pair of columns prove about a claimed ε, beside a broken twin."""

from __future__ import annotations

import math

import numpy as np
import streamlit as st

from dpviz.experiments.privacy.count_query import CountQuery
from dpviz.experiments.privacy.privacy_audit import most_provable
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.figures.privacy.audit import audit_picture
from dpviz.figures.privacy.audited import Audited
from dpviz.figures.privacy.outputs import outputs_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.understand import people, questions, settings
from dpviz.ui.understand.audit.case import Case, finding, second_line
from dpviz.ui.understand.audit.dock import audit_dock
from dpviz.ui.understand.audit.findings import Finding
from dpviz.ui.understand.audit.trials import case_of
from dpviz.ui.understand.questions import Asked, AskedTree
from dpviz.ui.visit.page import Visit

TWIN = "broken twin"


def show(now: Visit) -> None:
    """The page in either of its views."""
    head = st.container()
    asked = _asked(now)
    case = attempt(lambda: case_of(asked)) if asked else None
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


def _asked(now: Visit) -> Asked | AskedTree | None:
    """What is audited, of the data in use or of made-up columns."""
    kind = str(settings.get("a_ask"))
    if kind == settings.TREE:
        return questions.asked_tree(now.budget)
    own = now.truth and columns_in_use() == settings.OWN
    return questions.asked(kind, now.budget, hides=not own)


def columns_in_use() -> str:
    """Which columns are compared: a sample's own; a file's only if its owner asks for it."""
    chosen = settings.get("n_columns")
    return str(chosen) if chosen else settings.HARD if session.is_upload() else settings.OWN


def _audited(case: Case) -> list[Audited]:
    honest = Audited(case.name, case.found[0].audit, _event(case, case.found[0]))
    if case.twin is None:
        return [honest]
    event = _event(case, case.found[1])
    return [
        honest,
        Audited(TWIN, case.found[1].audit, event, is_twin=True, fault=case.twin.fault),
    ]


def _event(case: Case, one: Finding) -> str:
    event, query = one.audit.event, case.asked.query
    if one.tells is not None:
        return f"what only the data {case.sides[0]} can give"
    if isinstance(query, TreeQuery):
        tally = f"{event.threshold:.2g}".replace("-", "−")
        return f"{'at most' if event.below else 'more than'} {tally} people"
    is_count = isinstance(query, CountQuery)
    return questions.said_more(event.threshold, below=event.below, is_count=is_count)


def _outputs(now: Visit, case: Case):  # type: ignore[no-untyped-def]
    if case.asks_doubles:
        return _telling(now, case)
    one = case.found[0]
    event = one.audit.event
    ends = (-np.inf, event.threshold) if event.below else (event.threshold, np.inf)
    return outputs_picture(
        one.edges, one.one, one.other, ends, _event(case, one), case.sides, now.look
    )


def _telling(now: Visit, case: Case):  # type: ignore[no-untyped-def]
    """The twin's answers on the first column, and those among them that only it can give."""
    twin = case.found[1]
    names = f"{TWIN} {case.sides[0]}", f"of these only possible {case.sides[0]}"
    assert twin.telling is not None
    return outputs_picture(twin.edges, twin.one, twin.telling, None, "", names, now.look)


def _strip(now: Visit, case: Case) -> None:
    runs = f"{case.plan.runs:,}"
    each = f"{runs} {case.sides[0]}, {runs} without"
    if case.who is None or case.who.who != people.IDA or case.who.replaced:
        each = f"{runs} on each column"
    limit = most_provable(case.counted, case.plan.confidence)
    items = [
        ("runs", each),
        (
            "all of them counted" if case.asks_doubles else "half of them counted",
            f"{case.counted:,}",
        ),
        ("confidence", str(settings.get("n_confidence"))),
        ("most that can be proved", f"{math.floor(10 * limit) / 10:.1f}"),
    ]
    if now.look.screen in {"low", "narrow"}:
        items = [items[0], items[-1]]
    chips = ["made-up columns"] if now.truth and not case.is_own else []
    strip(now, items, chips, badge=case.is_own, ledger=True)


def _facts(case: Case) -> list[tuple[str, str]]:
    """What the pair really loses: exact, so that one sees how near the bounds come."""
    names = (case.name, TWIN)
    delta = case.asked.claim().delta
    rows = [
        (f"{name}: exact ε of this pair", f"{attained:.4g}")
        for name, attained in zip(names, case.attained, strict=False)
    ]
    if case.asks_doubles:
        name, number = rows[1]
        rows[1] = (f"{name}, for real numbers", number)
        rows.append(
            (f"{TWIN}: ε in doubles, at δ = 0", "none" if case.found[1].tells else "unknown")
        )
    if delta:
        rows.append(("the claim, and the bounds, hold at δ =", f"{delta:g}"))
    return rows
