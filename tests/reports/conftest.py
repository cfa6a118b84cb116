"""What functions of words say in any of these tests is held in the singular."""

import pytest

from tests.singular import hold


@pytest.fixture(autouse=True)
def in_the_singular(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(request.module, monkeypatch)
