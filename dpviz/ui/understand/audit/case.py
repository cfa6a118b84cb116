"""One audit as a page holds it: its pair of columns, who makes the difference, what was found."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.answers.privacy.audit import AuditNumbers
from dpviz.answers.privacy.audit_said import AuditNames
from dpviz.core.confidential import confidential
from dpviz.ui.understand import people, questions
from dpviz.ui.understand.audit.findings import Finding, Plan
from dpviz.ui.understand.people import Person
from dpviz.ui.understand.questions import Asked, AskedTree


@confidential("asked", "who", "plan")
@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What is audited, and what was found of the mechanism and, behind it, of its twin."""

    asked: Asked | AskedTree
    who: Person | None
    plan: Plan
    found: list[Finding]
    shows_truth: bool
    numbers: AuditNumbers

    @property
    def is_own(self) -> bool:
        """Whether the pair is of the data in use."""
        return self.plan.pays

    @property
    def names(self) -> AuditNames:
        """What the mechanism and both columns are called."""
        name = f"honest {questions.number_name(self.asked.query)}"
        if self.who is None:
            return AuditNames(name, ("with one person", "without"))
        leaves = self.who.who == people.IDA and not self.who.replaced
        return AuditNames(name, (self.who.names.with_one, self.who.names.without), leaves)
