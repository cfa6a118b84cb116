"""Releases of sample sets for the tests of their pictures."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpviz.answers.quantiles.answers import Answers
from dpviz.core.budgets import PureDP
from dpviz.core.data.column import Column
from dpviz.core.releases import QuantileRelease
from dpviz.figures.kit.look import Look
from dpviz.figures.quantiles.cdf import TrueCurve, thin_steps
from dpviz.figures.quantiles.scale import Scale
from dpviz.intake.samples import sample, sample_column
from dpviz.mechanisms.quantiles.approximate_quantiles import ApproximateQuantiles
from dpviz.metrics.quantiles import true_quantiles
from tests.figures.inks import DARK, LIGHT

LOOKS = [
    Look(LIGHT),
    Look(DARK, screen="low"),
    Look(LIGHT, screen="narrow"),
    Look(DARK, screen="phone"),
    Look(LIGHT, presenting=True, screen="low"),
]


@dataclass(frozen=True, eq=False)
class Case:
    """A release of a sample set and everything that stands beside it."""

    column: Column
    release: QuantileRelease
    answers: Answers
    curve: TrueCurve
    scale: Scale
    mechanism: ApproximateQuantiles

    @property
    def alone(self) -> Answers:
        return replace(self.answers, truth=None, draws=None)


def case(
    key: str, quantiles: Any, epsilon: float = 0.1, runs: int = 60, *, rounds: bool = True
) -> Case:
    column, mechanism = sample_column(key), ApproximateQuantiles(round_to_grid=rounds)
    budget, q = PureDP(epsilon), np.asarray(quantiles)
    release = mechanism.release(column, q, budget, np.random.default_rng(1))
    draws = mechanism.release_many(column, q, budget, np.random.default_rng(2), runs)
    answers = Answers(q, release.values, true_quantiles(column, q), draws)
    name = sample(key).columns[0]
    scale = Scale.of(release.values, column.bounds, column.resolution, name)
    curve = TrueCurve(*thin_steps(*column.steps, scale.view))
    return Case(column, release, answers, curve, scale, mechanism)


def named(picture: dict[str, Any], name: str, axes: str | None = None) -> list[dict[str, Any]]:
    """The traces of a name, on one horizontal axis if it matters."""
    return [
        one
        for one in picture["data"]
        if one["name"] == name and (axes is None or one.get("xaxis", "x") == axes)
    ]


def said(picture: dict[str, Any]) -> list[str]:
    return [one["text"] for one in picture["layout"]["annotations"]]
