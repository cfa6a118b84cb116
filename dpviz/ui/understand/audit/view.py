"""Audit: what runs on a pair of columns prove about a claimed ε, beside a broken twin."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpviz.answers.privacy import audit_said
from dpviz.answers.privacy.audit import AuditNumbers
from dpviz.answers.privacy.audit_said import TWIN, AuditNames, event_text
from dpviz.figures.kit.picture import Picture
from dpviz.figures.privacy.audit import audit_picture
from dpviz.figures.privacy.audited import Audited
from dpviz.figures.privacy.outputs import outputs_picture
from dpviz.ui.bench.headline import headline
from dpviz.ui.bench.hero import hero
from dpviz.ui.bench.slides import unmarked
from dpviz.ui.bench.strip import strip
from dpviz.ui.kit import session
from dpviz.ui.kit.messages import attempt
from dpviz.ui.understand import questions, settings
from dpviz.ui.understand.audit.case import Case
from dpviz.ui.understand.audit.dock import audit_dock
from dpviz.ui.understand.audit.trials import case_of
from dpviz.ui.understand.questions import Asked, AskedTree
from dpviz.ui.visit.page import Visit


def show(now: Visit) -> None:
    """The page in either of its views."""
    head = st.container()
    asked = _asked(now)
    case = attempt(lambda: case_of(asked)) if asked else None
    facts = audit_said.facts(case.numbers, case.names) if case else []
    audit_dock(now, asked, case.who if case else None, facts)
    if case is None:
        with head:
            headline("Audit", "What runs can prove", "The picture returns once this is mended.")
        return
    found, names = case.numbers, case.names
    sentence = audit_said.headline(found, names)
    second = audit_said.second(found, names)(brief=now.look.phone)
    with head:
        headline("Audit", sentence, second)
    alt = f"{unmarked(sentence)} {unmarked(second)}"
    if now.view == "outputs":
        hero(_outputs(now, case), "outputs", alt)
    else:
        claimed = found.asked.claim.epsilon
        hero(audit_picture(_audited(found, names), claimed, names.sides, now.look), "audit", alt)
    items = audit_said.strip(found, names)
    if now.look.screen in {"low", "narrow"}:
        items = [items[0], items[-1]]
    chips = ["made-up columns"] if now.truth and not case.is_own else []
    strip(now, items, chips, badge=case.is_own, ledger=True)


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


def _audited(found: AuditNumbers, names: AuditNames) -> list[Audited]:
    shown = [Audited(names.mechanism, found.honest.audit, event_text(found, found.honest, names))]
    if found.twin is None or found.asked.mistake is None:
        return shown
    event, fault = event_text(found, found.twin, names), found.asked.mistake.fault
    return [*shown, Audited(TWIN, found.twin.audit, event, is_twin=True, fault=fault)]


def _outputs(now: Visit, case: Case) -> Picture:
    """The answers on both columns; or the twin's on the first, and those that only it can give."""
    found, names = case.numbers, case.names
    if found.asks_doubles:
        twin, side = case.found[1], names.sides[0]
        assert twin.telling is not None
        told = f"{TWIN} {side}", f"of these only possible {side}"
        return outputs_picture(twin.edges, twin.one, twin.telling, None, "", told, now.look)
    one, event = case.found[0], found.honest.audit.event
    ends = (-np.inf, event.threshold) if event.below else (event.threshold, np.inf)
    said = event_text(found, found.honest, names)
    return outputs_picture(one.edges, one.one, one.other, ends, said, names.sides, now.look)
