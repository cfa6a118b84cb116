"""One audit as pictures take it: its name, what was counted, and its colours."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.experiments.privacy.privacy_audit import Audit
from dpviz.figures.kit.look import Look


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """One mechanism's audit; event says in words what was counted, such as "more than 864".

    fault is what is wrong with a twin.
    """

    name: str
    audit: Audit
    event: str
    is_twin: bool = False
    fault: str = "half the noise"

    def hue(self, claimed: float, look: Look) -> tuple[str, str]:
        """Colours of marks and words: vermilion for the twin, and for a proof above a claim."""
        ink = look.ink
        if self.is_twin or self.audit.bound > claimed:
            return ink.danger, ink.danger_text
        return ink.private, ink.private
