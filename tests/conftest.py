"""Fixtures for every test; hypothesis draws the same examples on every run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
MARKED = {"pages": "page", "browser": "browser"}  # every test below this folder has this marker


@pytest.hookimpl(tryfirst=True)  # before -m selects by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        if folder in MARKED:
            item.add_marker(MARKED[folder])


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20210829)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real columns that lies beside the repository, never inside it."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no real data: {folder} is not there")
    return folder
