"""Fixtures for every test; hypothesis draws the same examples on every run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
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


@pytest.fixture(scope="session")
def roads_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1.63 million points strung along a few hundred roads, as large as the paper's set."""
    rng, count = np.random.default_rng(163), 1_630_000
    ends = rng.random((300, 2, 2))
    road = rng.integers(0, 300, count)
    along = rng.beta(0.6, 0.6, count)[:, None]
    spread = rng.normal(scale=0.002, size=(count, 2))
    at = np.clip(ends[road, 0] * (1 - along) + ends[road, 1] * along + spread, 0, 1)
    file = tmp_path_factory.mktemp("roads") / "roads.csv"
    table = pa.table({"x": np.round(at[:, 0], 6), "y": np.round(at[:, 1], 6)})
    pyarrow.csv.write_csv(table, file)
    return file
