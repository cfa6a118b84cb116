"""The rules of answers, shown to bite on wrong twins: words compute nothing, caches hold laws."""

import ast
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

ANSWERS = ROOT / "dpviz" / "answers"
# what turns numbers into another number; the least and the largest of a pair may be said
COMPUTES = {
    *("mean", "std", "var", "sum", "cumsum", "argmax", "argmin", "quantile", "median"),
    *("sqrt", "exp", "log", "percentile", "count_nonzero", "sort", "argsort", "diff"),
    *("nanmean", "nanmedian", "average", "prod", "dot", "square", "divide", "clip", "bincount"),
}
# what a result that all visitors share may be made of: declarations, laws of noise, public samples
PUBLIC = {
    "TreeNoise", "TreeEstimator", "int", "float", "bool", "str", "Noise", "Budget", "Sampled",
    "CellsQuestion",  # sizes and declared bounds
}  # fmt: skip


def computed(tree: ast.Module) -> Iterator[int]:
    """Lines of a module of words that compute a number."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func
            called = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
            if called in COMPUTES:
                yield node.lineno


def shared(tree: ast.Module) -> Iterator[int]:
    """Lines of functions that keep results for everybody, made of something that is not public."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef):
            continue
        kept = {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
        if not kept & {"lru_cache", "cache", "functools.cache", "functools.lru_cache"}:
            continue
        asked = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        named = [ast.unparse(one.annotation) if one.annotation else "" for one in asked]
        if set(named) - PUBLIC or node.args.vararg or node.args.kwarg:
            yield node.lineno


def modules(pattern: str) -> list[tuple[str, ast.Module]]:
    return [
        (file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8")))
        for file in sorted(ANSWERS.rglob(pattern))
    ]


def test_words_compute_no_number():
    said = modules("*_said.py")
    assert len(said) > 3
    assert [f"{path}:{line}" for path, tree in said for line in computed(tree)] == []


def test_what_everybody_shares_is_made_of_laws():
    assert [f"{path}:{line}" for path, tree in modules("*.py") for line in shared(tree)] == []


@pytest.mark.parametrize(
    "text", ["import numpy as np\nx = np.mean([1])", "x = sum([1])", "x = found.counts.argmax()"]
)
def test_words_that_compute_are_caught(text):
    assert list(computed(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "@lru_cache\ndef f(column: Column): ...",
        "@functools.lru_cache(maxsize=2)\ndef f(step: int, truth: FloatArray): ...",
        "@cache\ndef f(*numbers: float): ...",
        "@cache\ndef f(number): ...",
    ],
)
def test_a_shared_result_of_data_is_caught(text):
    assert list(shared(ast.parse(text)))
    right = ast.parse("@lru_cache(maxsize=2)\ndef f(noise: TreeNoise, step: int): ...")
    assert not list(shared(right))
