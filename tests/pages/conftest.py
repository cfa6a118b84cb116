"""Every test of a page starts in a process that has computed nothing yet."""

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from dpviz.answers.decide import quantiles
from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.model import render

FEW_COLUMNS = 40  # made-up ones of a checked answer, whose numbers tests of answers look at


@pytest.fixture(autouse=True)
def nothing_shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No result of an earlier test is found, and answers are checked on few columns."""
    monkeypatch.setattr(render, "DRAWN_SECONDS", 0.0)  # no browser draws
    monkeypatch.setattr(quantiles, "COLUMNS", FEW_COLUMNS)
    PUBLIC.clear()
    yield
    PUBLIC.clear()


@pytest.fixture(autouse=True, scope="session")
def checked_once() -> Iterator[None]:
    """But thousands of releases of one question, whose seed is its own, are drawn a single time."""
    check, found = quantiles.check, {}

    def once(*asked: Any) -> quantiles.Checked:
        name = pickle.dumps(asked[:3])  # without whom it tells how far it is
        if name not in found:
            found[name] = check(*asked)
        return found[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quantiles, "check", once)
        yield
