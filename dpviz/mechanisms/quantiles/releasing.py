"""The last step of every quantile mechanism: its outputs become a release."""

from typing import Any, Protocol

from dpviz.core.arrays import FloatArray
from dpviz.core.budgets import Budget
from dpviz.core.choices import plain_values
from dpviz.core.data.column import Column
from dpviz.core.quantiles import QuantileSet
from dpviz.core.randomness.bits import Randomness, only_seeded
from dpviz.core.releases import SEEDED, Parameters, QuantileRelease, Recursion
from dpviz.mechanisms.exponential.rho_rule import RhoRule
from dpviz.mechanisms.exponential.ties import Ties, declared_outputs, exponential_bounds
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism, Quantiles
from dpviz.mechanisms.requests import A_RELEASE, check_column_request


class Treated(Protocol):
    """A mechanism that looks at records after a treatment of their ties."""

    @property
    def ties(self) -> Ties:
        """How tied values are treated."""

    @property
    def round_to_grid(self) -> bool:
        """Whether outputs are rounded to the declared resolution."""


class Exponential(Treated, Protocol):
    """A mechanism made of exponential ones, with the choices that they share."""

    @property
    def rho_rule(self) -> RhoRule:
        """How ρ becomes an ε."""


def asked(
    column: Column, quantiles: Quantiles, budget: Budget, rng: Randomness, runs: Any = A_RELEASE
) -> QuantileSet:
    """The quantile set of a release, after a check of everything that it is asked with.

    Raises: as check_column_request and QuantileSet.of.
    """
    check_column_request(column, budget, rng, runs)
    return QuantileSet.of(quantiles)


def exponential_parameters(mechanism: Exponential) -> Parameters:
    """The shared choices as plain values."""
    return plain_values(mechanism, "rho_rule", "ties", "round_to_grid")


def is_exact(mechanism: Treated, rng: Randomness) -> bool:
    """Whether a release is drawn on points; JITTER and KEEP are teaching choices in doubles.

    Raises: InvalidParameter for secure bits with one of those.
    """
    if mechanism.ties is Ties.SPREAD:
        return True
    only_seeded(rng, f"The exponential mechanism with ties '{mechanism.ties.value}'")
    return False


def exponential_outputs(mechanism: Treated, drawn: FloatArray, column: Column) -> FloatArray:
    """Drawn values on the public grid inside the declared bounds: nothing else of them leaves.

    With SPREAD that is the grid that a release is drawn on; otherwise round_to_grid decides.
    """
    if mechanism.ties is Ties.SPREAD:
        return column.grid.rounded(drawn)
    bounds = exponential_bounds(column, mechanism.ties)
    return declared_outputs(drawn, column, mechanism.round_to_grid, bounds)


def quantile_release(
    mechanism: QuantileMechanism,
    column: Column,
    wanted: QuantileSet,
    values: FloatArray,
    budget: Budget,
    recursion: Recursion | None = None,
    randomness: str = SEEDED,
) -> QuantileRelease:
    """Values (k,) in the order asked, with the declarations and nothing else of the column."""
    return QuantileRelease(
        mechanism=mechanism.name,
        parameters=mechanism.parameters,
        quantiles=wanted.asked,
        values=values,
        bounds=column.bounds,
        resolution=column.resolution,
        neighbours=mechanism.neighbours,
        spent=budget,
        recursion=recursion,
        randomness=randomness,
    )
