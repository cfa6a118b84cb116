"""The page of questions prints what it says, from public names alone."""

import ast
import contextlib
import io
import re

import pytest

import dpviz as dp
from tests.conftest import ROOT
from tests.facade.public import FOLDED

PAGE = (ROOT / "docs/questions.md").read_text(encoding="utf-8")
SHARED = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
MODULES = {"numpy", "dpviz", "ibis"}


def answers(page: str) -> list[tuple[str, str]]:
    """Each block of Python with the text that stands under it."""
    return re.findall(r"```python\n([^`]*)```\n\n```text\n([^`]*)```", page)


def printed(lines: str) -> str:
    """What a block prints in a namespace of its own, after the shared imports."""
    out, space = io.StringIO(), {}
    with contextlib.redirect_stdout(out):
        exec(f"{SHARED}\n{lines}", space)
    return out.getvalue()


def hidden_names(lines: str) -> set[str]:
    """Attributes of dp that are not public, and modules that are not to be imported."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(lines)):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            found |= {node.attr} if owner == "dp" else set()
            if owner in {f"dp.{name}" for name in FOLDED}:
                found |= {node.attr} - set(getattr(dp, owner.removeprefix("dp.")).__all__)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} - MODULES
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
    return found - set(dir(dp))


def test_every_block_but_the_imports_says_what_it_prints():
    assert PAGE.count("```python") == len(answers(PAGE)) + 1
    asked = re.findall(r"^## (\d+)\. .*\?$", PAGE, re.M)
    assert asked == [str(number) for number in range(1, 20)]
    for question in PAGE.split("\n## ")[1:]:
        assert answers(question)


@pytest.mark.law
@pytest.mark.parametrize("place", range(len(answers(PAGE))))
def test_a_block_prints_the_text_under_it(place):
    lines, text = answers(PAGE)[place]
    assert printed(lines) == text
    assert text.strip()


def test_public_names_are_enough():
    assert hidden_names(SHARED) == set()
    assert [hidden_names(lines) for lines, _ in answers(PAGE)] == [set()] * len(answers(PAGE))
    wrong = "from dpviz.core import grid\nimport dpviz.people\nprint(dp.secret(dp.PureDP(1)))"
    assert hidden_names(wrong) == {"dpviz.core", "dpviz.people", "secret"}


def test_a_number_that_was_changed_is_noticed():
    (lines, text), *_ = answers(PAGE)
    assert printed(lines) == text
    other_seed = lines.replace("default_rng(1)", "default_rng(2)")
    assert other_seed != lines
    assert printed(other_seed) != text
    (_, changed), *_ = answers(PAGE.replace("[32. 41.", "[33. 41."))
    assert printed(lines) != changed
