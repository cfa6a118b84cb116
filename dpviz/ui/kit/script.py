"""Pieces of the Python lines that make the numbers on screen again."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any

from dpviz.ui.kit import session
from dpviz.ui.kit.draws import Draw

Classes = set[tuple[str, str]]


def seed_remark() -> str:
    """What the reader of the lines must know about the seeds."""
    if not session.is_upload():
        return ""
    if session.shows_truth():
        return "  # whoever knows them can undo the noise: keep them like the data"
    return "  # fresh noise: the seeds of the numbers on screen are confidential"


def seed_text(draw: Draw, purpose: object) -> str:
    """A seed as Python, or None where it would undo the noise of a hidden file."""
    if session.is_upload() and not session.shows_truth():
        return "None"
    return str(draw.entropy(purpose))


def source_import() -> str:
    """The import that reads the data in use."""
    if session.is_upload():
        return "from dpviz.intake.read import read_table"
    return "from dpviz.intake.samples import load_sample"


def values_line() -> str:
    """The lines that load the column in use as `values`."""
    if not session.is_upload():
        axis = session.axis_options().index(session.unit())
        return f"values = load_sample({session.chosen_sample().key!r})[{axis}]"
    own = session.upload()
    assert own is not None
    drop = ", drop_unreadable=True" if own.drop_unreadable else ""
    return (
        "from pathlib import Path\n\n"
        f"path = Path({own.table.name!r})  # your file\n"
        f"table = read_table(path, path.name)\n"
        f"values = table.numeric_values({own.column!r}{drop}).values"
    )


def written(value: object, classes: Classes) -> str:
    """Python that builds an equal value; the classes it names are added to classes."""
    if isinstance(value, Enum):
        return repr(value.value)
    if is_dataclass(value):
        kind = type(value)
        classes.add((kind.__module__, kind.__name__))
        parts = [
            f"{one.name}={written(getattr(value, one.name), classes)}"
            for one in fields(value)
            if one.init and getattr(value, one.name) != _default(one)
        ]
        return f"{kind.__name__}({', '.join(parts)})"
    if isinstance(value, tuple):
        inside = ", ".join(written(part, classes) for part in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return repr(float(value)) if isinstance(value, float) else repr(value)


def _default(one: Field[Any]) -> object:
    return one.default_factory() if one.default_factory is not MISSING else one.default
