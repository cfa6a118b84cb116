"""A release whose budget is what a person spends, however many rows the person has."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from typing import Any, Protocol, TypeVar, cast

from dpviz.core.budgets import Budget, Neighbours
from dpviz.core.checks import found, short, wanted
from dpviz.core.errors import InvalidParameter
from dpviz.core.person_rows import PersonRows
from dpviz.core.randomness.bits import Randomness, or_secure
from dpviz.core.usual_floats import usual_floats


class Spends(Protocol):
    """A release, or several of a profile: what it spent."""

    @property
    def spent(self) -> Budget | None:
        """The budget; None for exact counts."""


R = TypeVar("R", bound=Spends)
R_co = TypeVar("R_co", bound=Spends, covariant=True)


class Releases(Protocol[R_co]):
    """A mechanism: (data, what is asked, budget, rng) → release."""

    @property
    def neighbours(self) -> Neighbours:
        """The relation under which the budget holds."""

    def release(self, *asked: Any, **named: Any) -> R_co:
        """Spend the budget once."""


@usual_floats
def release_for_people(
    mechanism: Releases[R],
    data: object,
    *asked: object,
    budget: Budget,
    rows: PersonRows,
    rng: Randomness | None = None,
) -> R:
    """Spend the budget of a person once; data are of person_column, person_points, person_grid.

    The mechanism spends rows.row_budget(budget) on each record. The release says what a person
    spends and, among its parameters, rows_a_person or parts_a_person; its noise scales are those
    that were drawn. Counts of weighted rows are in parts: divided by the parts of a person they
    count people, and a declared number of records is in parts, too.

    >>> rows = dp.PersonRows.at_most(1)
    >>> dp.release_for_people(dp.NoisyCount(), column, budget=dp.PureDP(1), rows=rows).spent
    PureDP(epsilon=1.0)

    Guarantee: budget, where neighbours add or remove one person with all their rows, if data were
    made with the same rows. Replacing a person by another is an addition and a removal.
    Raises: as the mechanism's release; InvalidBudget as row_budget; InvalidParameter for a
    mechanism under replace-one: it takes the number of records as public, and a person who is
    replaced by one with fewer rows changes it.
    """
    rng = or_secure(rng)
    wanted(PersonRows, rows, "rows")
    check_call(mechanism, (data, *asked, budget, rng))
    if mechanism.neighbours is not Neighbours.ADD_REMOVE:
        raise InvalidParameter(
            "Under replace-one neighbours the number of records is public, and replacing a person "
            "by one with fewer rows changes it. Choose neighbours=ADD_REMOVE."
        )
    each = mechanism.release(data, *asked, rows.row_budget(budget), rng)
    if each.spent is None:
        raise InvalidParameter(
            "A reference with exact counts spends no budget and protects nobody. Choose a private "
            "method."
        )
    return for_people(each, rows, budget)


def check_call(mechanism: Releases[R], given: tuple[object, ...]) -> None:
    """Refuse what is no mechanism, and data and requests that its release does not take."""
    relation, release = (getattr(mechanism, name, None) for name in ("neighbours", "release"))
    if isinstance(mechanism, type) or not isinstance(relation, Neighbours) or not callable(release):
        raise InvalidParameter(
            f"mechanism must be one such as ApproximateQuantiles(), got {found(mechanism)}."
        )
    try:
        signature(release).bind(*given)
    except TypeError as error:
        raise InvalidParameter(
            f"The release of {type(mechanism).__name__} cannot be asked so: {short(error)}. Give "
            "the data and what is asked, such as quantiles."
        ) from None


def for_people(release: R, rows: PersonRows, budget: Budget | None = None) -> R:
    """The same numbers, as a release that says what a person spends and which rows counted.

    budget is what was to be spent; None for what the records' budget adds up to, never rounded
    down. A profile's columns are said one by one, a reference without a budget stays as it is.
    Raises: InvalidBudget as person_budget does.
    """
    each, changed = cast("Any", release), {}
    if hasattr(each, "releases"):
        changed = {"releases": {of: for_people(one, rows) for of, one in each.releases.items()}}
    elif release.spent is not None:
        changed = {"parameters": {**each.parameters, **rows.parameters}}
    if release.spent is None:
        return release
    spent = rows.person_budget(release.spent) if budget is None else budget
    found: R = replace(each, spent=spent, **changed)
    return found
