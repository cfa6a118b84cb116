"""Every test of a page starts in a process that has computed nothing yet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dpviz.ui.kit.process.shared import PUBLIC


@pytest.fixture(autouse=True)
def nothing_shared() -> Iterator[None]:
    """No result of an earlier test is found."""
    PUBLIC.clear()
    yield
    PUBLIC.clear()
