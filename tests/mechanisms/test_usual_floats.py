"""Every release runs under NumPy's own error state, whatever the caller has asked for."""

import ast
import warnings

import numpy as np
import pytest

from dpviz.core.usual_floats import usual_floats
from tests.conftest import ROOT

RELEASES = {"release", "release_many", "trace", "trace_many"}


def methods(source: str) -> list[tuple[str, bool]]:
    """Releases of classes that are no protocols, and whether they are marked."""
    found = []
    for kind in ast.parse(source).body:
        if isinstance(kind, ast.ClassDef) and "Protocol" not in map(ast.unparse, kind.bases):
            found += [
                (f"{kind.name}.{one.name}", "usual_floats" in map(ast.unparse, one.decorator_list))
                for one in kind.body
                if isinstance(one, ast.FunctionDef) and one.name in RELEASES
            ]
    return found


def test_every_release_of_a_mechanism_is_marked():
    files = (ROOT / "dpviz" / "mechanisms").rglob("*.py")
    found = [one for path in files for one in methods(path.read_text(encoding="utf-8"))]
    assert len(found) > 35
    assert [name for name, is_marked in found if not is_marked] == []


def test_a_release_that_is_not_marked_is_seen():
    assert methods("class A:\n def release(self): ...\n @usual_floats\n def trace(self): ...") == [
        ("A.release", False), ("A.trace", True),
    ]  # fmt: skip
    assert methods("class A(Protocol):\n def release(self): ...") == []


@pytest.mark.parametrize("asked", ["raise", "ignore", "warn"])
def test_what_underflows_is_zero_and_what_overflows_is_told(asked):
    """As NumPy does where nobody asked for anything."""

    @usual_floats
    def power(of: float) -> float:
        """Its own words."""
        return float(np.exp(np.float64(of)))

    assert power.__doc__ == "Its own words."
    with np.errstate(all=asked):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert power(-1e4) == 0
        with pytest.warns(RuntimeWarning, match="overflow"):
            assert power(1e4) == np.inf
        assert np.geterr()["over"] == asked  # the caller's own again
