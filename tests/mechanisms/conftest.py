"""Fixtures of the mechanisms' tests."""

import pytest

from dpviz.mechanisms.exponential.ties import declared_outputs, exponential_bounds

DRAW_IN_DOUBLES = ("approximate_quantiles", "independent_exp", "joint_exp.mechanism")


@pytest.fixture
def fine_outputs(monkeypatch):
    """Studies show what they drew, finer than the declared grid: its law is tested."""

    def fine(mechanism, drawn, column):
        return declared_outputs(drawn, column, False, exponential_bounds(column, mechanism.ties))

    for name in DRAW_IN_DOUBLES:
        monkeypatch.setattr(f"dpviz.mechanisms.quantiles.{name}.exponential_outputs", fine)
