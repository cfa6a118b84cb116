"""Every test of a page starts in a process that has computed nothing yet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpviz.ui.kit.process.shared import PUBLIC
from dpviz.ui.visit import folded


@pytest.fixture(autouse=True)
def nothing_shared() -> Iterator[None]:
    """No result of an earlier test is found."""
    PUBLIC.clear()
    yield
    PUBLIC.clear()


@pytest.fixture(autouse=True, scope="session")
def everything_open() -> Iterator[None]:
    """Streamlit's test runner cannot open a popover: what is in one is drawn without a click."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folded, "ALWAYS_OPEN", True)
        yield
