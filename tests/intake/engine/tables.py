"""Ibis tables of small arrays, in memory and in Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
from pyarrow import parquet


def in_memory(**columns: Any) -> ibis.Table:
    return ibis.memtable(arrow(**columns))


def in_duckdb(folder: Path, **columns: Any) -> ibis.Table:
    path = folder / "table.parquet"
    parquet.write_table(arrow(**columns), path)
    return ibis.duckdb.connect().read_parquet(str(path))


def arrow(**columns: Any) -> pa.Table:
    return pa.table({name: pa.array(values) for name, values in columns.items()})


def around(edges: np.ndarray) -> np.ndarray:
    """Numbers, and their neighbours on both sides."""
    return np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
