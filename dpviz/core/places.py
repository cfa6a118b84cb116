"""Where the app's own files lie: in the repository, or in an installed wheel."""

from __future__ import annotations

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

CARRIED = "_app"  # the folder below dpviz that setup.py fills when it builds a wheel


def top_level(name: str) -> Traversable:
    """A file or folder that the repository keeps at its top level, such as 'sample_data'.

    An installed wheel carries a copy below the package. In the repository, and so in an editable
    install, there is no copy and the path leads beside the package. The file may be missing.
    """
    package = resources.files("dpviz")
    carried = package / CARRIED
    if isinstance(package, Path) and not carried.is_dir():
        return package.parent / name
    return carried / name
