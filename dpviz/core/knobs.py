"""What a person may set of a method: each parameter in words, beside the method that has it."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.core.bounds import Bounds
from dpviz.core.budgets import Budget
from dpviz.core.choices import with_choices

Set = Mapping[str, Any]  # what was set, by the keys of knobs
BY_ITSELF = ""
Usual = Callable[[Set, Bounds, float, Budget], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One parameter that a person may set. Methods that share a parameter share its knob.

    field is the parameter's name in the method, key its name in links; both by default the same.
    options are what it may be, each in words, the first at first; ends are those of a whole number,
    None at first; with neither it is a switch, on at first. None and BY_ITSELF leave it to the
    method.
    chip says in words what was set, "{}" being the option or the number.

    promise is the only notion of a budget under which it means anything, needs the values of other
    knobs without which it means nothing. usual is what the method takes by itself, of public facts;
    note says what holds under a budget. is_declared marks a public fact of the data.
    """

    field: str
    label: str
    help: str
    key: str = ""
    options: Mapping[Any, str] | None = None
    ends: tuple[int, int] | None = None
    chip: str = ""
    promise: str = ""
    needs: Mapping[str, object] = dataclasses.field(default_factory=dict)
    usual: Usual | None = None
    note: Callable[[Budget], str] | None = None
    is_declared: bool = False

    @property
    def name(self) -> str:
        """Its key."""
        return self.key or self.field

    @property
    def first(self) -> Any:
        """What holds until a person says otherwise."""
        if self.options is not None:
            return next(iter(self.options))
        return True if self.ends is None else None

    def means(self, chosen: Set) -> bool:
        """Whether it means anything beside the others."""
        return all(chosen[key] == value for key, value in self.needs.items())

    def said(self, chosen: Set) -> str:
        """The chip of what was set; empty where it is as at first."""
        value = chosen[self.name]
        if not self.chip or value == self.first or not self.means(chosen):
            return ""
        return self.chip.format(value if self.options is None else self.options[value])


def set_on(method: Any, knobs: Sequence[Knob], chosen: Set, **others: Any) -> Any:
    """A copy of a method with what was set of it, and others by field."""
    taken = {
        knob.field: chosen[knob.name]
        for knob in knobs
        if knob.means(chosen) and chosen[knob.name] not in {None, BY_ITSELF}
    }
    return with_choices(method, others | taken)


def chips(knobs: Sequence[Knob], chosen: Set) -> list[str]:
    """What is not as at first, in words."""
    return [said for knob in knobs if (said := knob.said(chosen))]
