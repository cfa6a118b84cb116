"""Audit: what runs on a pair of columns prove about a claimed ε, beside a broken twin."""

import numpy as np

from dpviz.answers.privacy import audit_said
from dpviz.answers.privacy.audit import AuditNumbers
from dpviz.answers.privacy.audit_said import TWIN, AuditNames, event_text
from dpviz.answers.said import Said
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.figures.privacy.audit import Audited, audit_picture
from dpviz.figures.privacy.outputs import outputs_picture
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.tables import facts
from dpviz.ui.model.fields import Values
from dpviz.ui.model.render import Shown, View
from dpviz.ui.understand import questions, rows
from dpviz.ui.understand.audit.trials import Case, case_of, is_own
from dpviz.ui.visit.page import Visit


def asked_of(values: Values, now: Visit) -> Case | None:
    """What is audited, of the data in use or of made-up columns, done once."""
    kind = values["a_ask"]
    if kind == rows.TREE:
        asked = questions.asked_tree(values, now.budget)
        return attempt(lambda: case_of(asked, values)) if asked else None
    one = questions.asked(kind, values, now.budget, hides=not is_own(values))
    return attempt(lambda: case_of(one, values)) if one else None


def _say(case: Case, found: AuditNumbers) -> Said:
    made_up = case.shows_truth and not case.is_own
    return audit_said.say(found, case.names, ["made-up columns"] if made_up else [])


def _proof(case: Case, found: AuditNumbers, _: Values, look: Look) -> Picture:
    names = case.names
    return audit_picture(_audited(found, names), found.asked.claim.epsilon, names.sides, look)


def _audited(found: AuditNumbers, names: AuditNames) -> list[Audited]:
    shown = [Audited(names.mechanism, found.honest.audit, event_text(found, found.honest, names))]
    if found.twin is None or found.asked.mistake is None:
        return shown
    event, fault = event_text(found, found.twin, names), found.asked.mistake.fault
    return [*shown, Audited(TWIN, found.twin.audit, event, is_twin=True, fault=fault)]


def _outputs(case: Case, found: AuditNumbers, _: Values, look: Look) -> Picture:
    """The answers on both columns; or the twin's on the first, and those that only it can give."""
    names = case.names
    if found.asks_doubles:
        twin, side = case.found[1], names.sides[0]
        assert twin.telling is not None
        told = f"{TWIN} {side}", f"of these only possible {side}"
        return outputs_picture(twin.edges, twin.one, twin.telling, None, "", told, look)
    one, event = case.found[0], found.honest.audit.event
    ends = (-np.inf, event.threshold) if event.below else (event.threshold, np.inf)
    said = event_text(found, found.honest, names)
    return outputs_picture(one.edges, one.one, one.other, ends, said, names.sides, look)


def _behind(shown: Shown[Case, AuditNumbers]) -> None:
    facts(audit_said.facts(shown.numbers, shown.asked.names))


PROOF: View[Case, AuditNumbers] = View(
    "proof", "What runs prove", lambda case, _: case.numbers, say=_say, draw=_proof, hero="audit",
    kept="run", saved=False, badge=lambda case: case.is_own, behind=_behind,
)  # fmt: skip
OUTPUTS: View[Case, AuditNumbers] = View(
    "outputs", "What was said", lambda case, _: case.numbers, say=_say, draw=_outputs,
    hero="outputs", kept="run", saved=False, badge=lambda case: case.is_own, behind=_behind,
)  # fmt: skip
