"""The parts of `make site-check`: each has tests, and is wrong where one failed or none ran."""

import ast

from scripts.site_check import PARTS, TESTS, part_of, told
from tests.conftest import ROOT


def written() -> list[str]:
    """All tests that `make site-check` runs, by their nodes."""
    found = []
    for place in TESTS:
        file, _, only = place.partition("::")
        path = ROOT / file
        assert path.exists(), place
        for one in sorted(path.rglob("test_*.py")) if path.is_dir() else [path]:
            names = [
                node.name
                for node in ast.parse(one.read_text(encoding="utf-8")).body
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
            ]
            assert not only or only in names
            found += [f"{one.relative_to(ROOT)}::{name}" for name in names if only in ("", name)]
    return found


def test_every_part_has_tests_and_every_test_a_part():
    parts = {test: part_of(test) for test in written()}
    assert {*parts.values()} == {*PARTS}
    for words, part in {
        "repositorys_site": "the wheel builds the same site",
        "test_jupyterlab_shows": "dp.scene in notebooks",
        "test_without_a_script": "no scripts",
        "test_axe_finds_a_broken_twin": "axe",
        "test_every_state_says": "every state, from disk",
        "test_the_pictures_are_the_same": "the app's pixels",
    }.items():
        assert {parts[test] for test in parts if words in test} == {part}


def test_a_part_is_wrong_where_a_test_failed_or_none_ran():
    good = [(test, "passed", "") for test in written()]
    assert not any("WRONG" in line for line in told(good))
    for test, _, _ in good:
        for end in ("failed", "error"):
            (wrong,) = (line for line in told([*good, (test, end, "")]) if "WRONG" in line)
            assert wrong.startswith(part_of(test))
    for part in PARTS:
        (wrong,) = (
            line for line in told(one for one in good if part_of(one[0]) != part) if "WRONG" in line
        )
        assert wrong.startswith(part)
        assert "nothing ran" in wrong
    marimo = next(test for test, _, _ in good if "marimo" in test)
    assert "    no marimo here" in told([*good, (marimo, "skipped", "no marimo here")])
