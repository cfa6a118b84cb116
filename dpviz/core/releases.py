"""Releases: what may leave. Private outputs, declared inputs and the budget spent, nothing else."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dpviz.core.arrays import FloatArray, frozen
from dpviz.core.bounds import Bounds
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP, budget_from_dict
from dpviz.core.checks import Rule, a, checked_flag, finite, found, optional, settle, wanted
from dpviz.core.choices import choice
from dpviz.core.codec import READERS, Stored, fitting
from dpviz.core.errors import InvalidParameter, InvalidRelease
from dpviz.core.person_rows import rows_of
from dpviz.version import __version__

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

Parameters = Mapping[str, str | int | float | bool | None]

Columns = dict[str, Any]  # name: an array, all of one length

R = TypeVar("R")

SEEDED, SECURE = "seeded", "secure"  # where the randomness of a release came from
UNSAID = {"randomness": SEEDED}  # in texts of versions before 0.4

NOTIONS = {
    "pure": "pure ε-differential privacy",
    "approximate": "(ε, δ)-differential privacy",
    "zcdp": "ρ-zero-concentrated differential privacy",
}
SHOWN = 12  # rows of private values in a notebook
PICTURES = "dpviz.figures.plot"  # loaded by name when a picture is asked for: nothing here draws

_RECURSION_FIELDS = ("level", "low", "high", "normalised", "value")


class ShowsItself:
    """What a release shows: its private values as a frame, and a few of them in a notebook."""

    __slots__ = ()

    def _columns(self) -> Columns:
        """The private values, a row each, by the name of their column."""
        raise NotImplementedError

    def _origin(self) -> Any:
        """The release whose budget and guarantee are shown; that of an estimate is its release."""
        return self

    def to_frame(self) -> pd.DataFrame:
        """The private values as a pandas frame, a row each, with where they lie and their errors.

        Standard errors are those of the noise alone. What was not released has no row.
        Guarantee: post-processing; spends nothing.
        """
        return frame_of(self._columns())

    def _repr_html_(self) -> str:
        """Budget, guarantee and the first private values, for notebooks; all texts are escaped."""
        columns = self._columns()
        size = len(next(iter(columns.values())))
        rows = zip(*(list(values[:SHOWN]) for values in columns.values()), strict=True)
        more = f"<p>and {size - SHOWN:,} more</p>" if size > SHOWN else ""
        return (
            f"<p>{html.escape(_promise(self._origin()))}</p><table>{_html_row('th', columns)}"
            f"{''.join(_html_row('td', row) for row in rows)}</table>{more}"
        )


class DrawsItself(ShowsItself):
    """What a release shows that has a picture in the app."""

    __slots__ = ()

    def plot(self) -> go.Figure:
        """The app's own picture of the release as a plotly figure, made from the release alone.

        Guarantee: post-processing; spends nothing.
        Raises: InvalidParameter for a tree whose leaves are not released.
        """
        drawn: go.Figure = import_module(PICTURES).plot(self._origin())
        return drawn


def frame_of(columns: Columns) -> pd.DataFrame:
    """Columns of one length as a pandas frame."""
    import pandas as pd  # noqa: PLC0415  # a third of a second, for frames alone

    return pd.DataFrame(columns)


def _promise(release: Any) -> str:
    """Budget, notion, neighbours, whose rows they are, and what is not protected."""
    if release.spent is None:
        return "Counts without noise: no guarantee."
    notion = NOTIONS[str(release.spent.to_dict()["notion"])]
    words = f"{release.spent}: {notion}, neighbours {release.neighbours}"
    rows = rows_of(getattr(release, "parameters", {}))
    if rows is not None:
        words += f", for a person with up to {rows.most:,} {'parts' if rows.shared else 'rows'}"
    exposed = getattr(release, "non_private", ())
    return f"{words}; not protected: {', '.join(exposed)}" if exposed else words


def _html_row(cell: str, values: Iterable[object]) -> str:
    inside = "".join(f"<{cell}>{html.escape(_written(value))}</{cell}>" for value in values)
    return f"<tr>{inside}</tr>"


def _written(value: object) -> str:
    return f"{value:,.6g}" if isinstance(value, int | float | np.number) else str(value)


def _plain_parameters(value: Any, name: str) -> Parameters:
    """The rule that a value is a mapping of plain values, nested or not, as JSON knows them."""
    _check_plain(wanted(Mapping, value, name), name)
    parameters: Parameters = value
    return parameters


def _check_plain(value: Any, name: str) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _check_plain(inner, f"{name}: {wanted(str, key, name)}")
    elif isinstance(value, list | tuple):
        for inner in value:
            _check_plain(inner, name)
    elif not (value is None or isinstance(value, str | int)):
        finite(wanted(float, value, name), name)


def settle_declared(release: object, **others: Rule) -> None:
    """Refuse declarations of a wrong type; others are rules for the release's own fields.

    Raises: InvalidParameter that names the field.
    """
    settle(
        release,
        mechanism=a(str),
        parameters=_plain_parameters,
        neighbours=lambda value, name: choice(Neighbours, value, name),
        randomness=_randomness,
        version=a(str),
        **others,
    )


def _randomness(value: Any, name: str) -> str:
    if value not in (SEEDED, SECURE):
        raise InvalidParameter(f"{name} must be '{SEEDED}' or '{SECURE}', got {found(value)}.")
    return str(value)


def spent_budget(value: Any, name: str) -> Budget:
    """The rule that a value is a budget.

    Raises: InvalidParameter for anything else.
    """
    if isinstance(value, PureDP | ApproxDP | ZCDP):
        return value
    raise InvalidParameter(f"{name} must be a budget such as PureDP(1), got {found(value)}.")


def _finite(name: str, values: FloatArray) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InvalidRelease(f"A release needs finite {name}, got {array!r}.")
    return frozen(array)


def _check_declared(mechanism: str, parameters: Parameters, resolution: float) -> None:
    """Refuse what JSON could not give back as it was."""
    if not (isinstance(mechanism, str) and isinstance(parameters, Mapping)):
        raise InvalidRelease(
            f"A release names its mechanism and parameters, got {found(mechanism)}, "
            f"{found(parameters)}."
        )
    for name, value in parameters.items():
        plain = value is None or isinstance(value, str | int | float)
        if not plain or (isinstance(value, float) and not math.isfinite(value)):
            raise InvalidRelease(
                f"Parameter '{name}' must be a plain finite value, got {found(value)}."
            )
    if not 0 <= resolution < math.inf:
        raise InvalidRelease(f"Resolution must be 0 or a positive number, got {resolution}.")


@dataclass(frozen=True, slots=True, eq=False)
class Recursion:
    """The public part of ApproximateQuantiles' recursion: one node for each distinct quantile.

    Shapes: all (m,), in ascending order of the quantile. level counts from 1 (the middle quantile);
    (low, high) is the node's range, normalised its quantile within the node, value its output.
    """

    level: FloatArray
    low: FloatArray
    high: FloatArray
    normalised: FloatArray
    value: FloatArray

    def __post_init__(self) -> None:
        with fitting("the recursion of a release"):
            for name in _RECURSION_FIELDS:
                object.__setattr__(self, name, _finite(name, getattr(self, name)))
        sizes = {getattr(self, name).size for name in _RECURSION_FIELDS}
        if len(sizes) != 1:
            raise InvalidRelease(f"A recursion needs fields of one length, got {sorted(sizes)}.")

    def to_dict(self) -> dict[str, list[float]]:
        """Plain Python values, ready for JSON."""
        return {name: getattr(self, name).tolist() for name in _RECURSION_FIELDS}


READERS[Recursion] = lambda stored: Recursion(**{name: stored[name] for name in _RECURSION_FIELDS})


@dataclass(frozen=True, slots=True, eq=False)
class QuantileRelease(DrawsItself, Stored):
    """Private quantiles with everything needed to interpret them, and nothing confidential.

    Shapes: quantiles (k,) and values (k,), in the order asked. Units of values: the column's.
    evenly says that the values were drawn evenly between the bounds and tell nothing of the column;
    like them it is an output that the budget was spent on.
    """

    _kind, _words, _indent = "quantiles", "release of quantiles", 1
    _older = UNSAID | {"evenly": False}

    mechanism: str
    parameters: Parameters
    quantiles: FloatArray
    values: FloatArray
    bounds: Bounds
    resolution: float
    neighbours: Neighbours
    spent: Budget
    recursion: Recursion | None = None
    randomness: str = SEEDED
    evenly: bool = False
    version: str = field(default=__version__)

    def __post_init__(self) -> None:
        with fitting("a release of quantiles"):
            _check_declared(self.mechanism, self.parameters, self.resolution)
            settle_declared(
                self,
                bounds=a(Bounds),
                resolution=finite,
                spent=spent_budget,
                recursion=optional(a(Recursion)),
                evenly=checked_flag,
            )
            for name in ("quantiles", "values"):
                object.__setattr__(self, name, _finite(name, getattr(self, name)))
        if self.quantiles.shape != self.values.shape:
            raise InvalidRelease(
                f"A release needs one value for each quantile, got {self.values.size} values "
                f"for {self.quantiles.size} quantiles."
            )

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; evenly stands there where it holds."""
        parts = Stored.to_dict(self)
        last = {"recursion": parts.pop("recursion"), "evenly": parts.pop("evenly")}
        return parts | {name: part for name, part in last.items() if part is not False}

    def _columns(self) -> Columns:
        return {"quantile": self.quantiles, "value": self.values}


@dataclass(frozen=True, slots=True)
class ProfileRelease(ShowsItself, Stored):
    """The releases of several columns by name, and what they spent together. Nothing confidential.

    A person may be in every column, so the budgets of the columns add up.
    Raises: InvalidRelease unless every name is a text that stands for a release of quantiles.
    """

    _kind, _words, _indent = "profile", "release of a profile", 2

    releases: Mapping[str, QuantileRelease]
    spent: Budget

    def __post_init__(self) -> None:
        with fitting("a release of a profile"):
            settle(self, releases=a(Mapping), spent=spent_budget)
            for name, one in self.releases.items():
                wanted(
                    QuantileRelease, one, f"column '{wanted(str, name, 'the name of a column')}'"
                )

    @property
    def neighbours(self) -> str:
        """The relation, or the relations, that the guarantees of the columns are stated under."""
        return ", ".join(dict.fromkeys(one.neighbours for one in self.releases.values()))

    def _columns(self) -> Columns:
        each = [one._columns() for one in self.releases.values()]
        sizes = [one.quantiles.size for one in self.releases.values()]
        names = np.array(list(self.releases), dtype=object)
        joined = {
            name: np.concatenate([np.empty(0), *(one[name] for one in each)])
            for name in ("quantile", "value")
        }
        return {"column": np.repeat(names, sizes), **joined}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        each = {name: one.to_dict() for name, one in self.releases.items()}
        return {"kind": "profile", "spent": self.spent.to_dict(), "columns": each}

    @classmethod
    def _from_dict(cls, stored: Mapping[str, Any]) -> ProfileRelease:
        columns = stored["columns"].items()
        each = {name: QuantileRelease.from_json(json.dumps(one)) for name, one in columns}
        return cls(each, budget_from_dict(stored["spent"]))
