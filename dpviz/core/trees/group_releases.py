"""The releases of groups that share no record, and why they spend a budget once together."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from dpviz.core.budgets import Budget
from dpviz.core.person_rows import PersonRows, rows_of
from dpviz.core.trees.histogram import HistogramRelease
from dpviz.core.trees.release import TreeRelease

NOTE = "No record is in two groups: together they spend the budget once."
PEOPLE_NOTE = (
    "No row is in two groups, and what counts of a person was bounded once, over all groups "
    "together: a person spends the budget once, in however many groups the rows are."
)


@dataclass(frozen=True, slots=True, eq=False)
class GroupReleases:
    """The releases of groups by name, which together spend the budget once. All is public."""

    releases: Mapping[str, HistogramRelease | TreeRelease]
    spent: Budget
    randomness: str

    def to_json(self) -> str:
        """All releases, and what they spend together; each can be read back by itself."""
        groups = {name: one.to_dict() for name, one in self.releases.items()}
        stored = {"spent": self.spent.to_dict(), "composition": self.note, "groups": groups}
        return json.dumps(stored, indent=1, ensure_ascii=False)

    @property
    def rows(self) -> PersonRows | None:
        """What counts of a person in all groups together; None where a row is a person."""
        return rows_of(next(iter(self.releases.values())).parameters)

    @property
    def note(self) -> str:
        """Why the groups together spend the budget once."""
        return NOTE if self.rows is None else PEOPLE_NOTE
