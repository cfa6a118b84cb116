"""Copies the app's own files, which lie at the repository's top level, into the wheel.

Everything else stands in pyproject.toml. A package-dir mapping there could copy these files too,
but it needs a list of every package by hand, and a package that someone forgets would be missing
from the wheel without a word. An editable install needs no copy: dpviz.core.places finds the
originals.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

TARGET = Path("dpviz", "_app")  # as in dpviz/core/places.py
PATTERNS = (
    "app.py",
    "pages/*.py",
    ".streamlit/config.toml",
    "sample_data/catalogue.toml",
    "sample_data/*.csv",
)


def app_files() -> list[str]:
    """The files that the wheel carries, relative to the repository.

    Raises: FileNotFoundError if a pattern matches no file, since the app would not run without it.
    """
    found = []
    for pattern in PATTERNS:
        matches = sorted(path.as_posix() for path in Path().glob(pattern))
        if not matches:
            raise FileNotFoundError(f"The wheel needs '{pattern}', but no file matches it.")
        found += matches
    return found


class BuildWithApp(build_py):
    """The usual build of the package, with the app's files below it."""

    def run(self) -> None:
        """Build the package, then copy the app's files unless the install is editable."""
        if self.editable_mode:
            super().run()
            return
        # modules that were renamed since an earlier build would otherwise stay in the wheel
        shutil.rmtree(Path(self.build_lib, "dpviz"), ignore_errors=True)
        super().run()
        for target, source in self._copies().items():
            self.mkpath(str(Path(target).parent))
            self.copy_file(source, target)

    def get_source_files(self) -> list[str]:
        """The files that a source distribution needs: the package's and the app's."""
        return [*super().get_source_files(), *app_files()]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """The files that the build writes: the package's and the app's."""
        outputs = super().get_outputs(include_bytecode)
        return outputs if self.editable_mode else [*outputs, *self._copies()]

    def get_output_mapping(self) -> dict[str, str]:
        """Each file that the build writes, with the file that it is a copy of."""
        mapping = super().get_output_mapping()
        return mapping if self.editable_mode else {**mapping, **self._copies()}

    def _copies(self) -> dict[str, str]:
        return {str(Path(self.build_lib, TARGET, source)): source for source in app_files()}


setup(cmdclass={"build_py": BuildWithApp})
