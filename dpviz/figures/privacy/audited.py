"""One mechanism that was audited, with the words for what was counted."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.experiments.privacy.privacy_audit import Audit


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """One mechanism's audit; event says in words what was counted, such as "more than 864"."""

    name: str
    audit: Audit
    event: str
    is_twin: bool = False
