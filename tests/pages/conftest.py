"""Every test of a page starts in a process that has computed nothing yet."""

from collections.abc import Iterator

import pytest

from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.model import render


@pytest.fixture(autouse=True)
def nothing_shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No result of an earlier test is found."""
    monkeypatch.setattr(render, "DRAWN_SECONDS", 0.0)  # no browser draws
    PUBLIC.clear()
    yield
    PUBLIC.clear()
