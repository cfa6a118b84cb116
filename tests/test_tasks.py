"""The five tasks run as they stand, in few lines, and mypy takes all Python of the documents."""

import json
import re

import pytest
from mypy import api

import dpviz as dp
from tests.conftest import ROOT
from tests.test_questions import hidden_names

MOST_LINES = 25
FILE = "name,pay\n" + "".join(f"p{at},{20_000 + 700 * at}\n" for at in range(90))


def blocks(page: str) -> list[str]:
    """The blocks of Python of a page."""
    return re.findall(r"```python\n([^`]*)```", (ROOT / page).read_text(encoding="utf-8"))


SHARED, *TASKS = blocks("docs/tasks.md")


def lines_of(block: str) -> list[str]:
    return [line for line in block.splitlines() if line.strip()]


def test_five_tasks_take_few_lines_and_public_names_alone():
    assert len(TASKS) == 5
    lines = sum(len(lines_of(task)) for task in TASKS)
    assert lines <= MOST_LINES
    assert f"five tasks in {lines} lines" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(lines_of(TASKS[0])) == 3  # three quartiles of a list with a promise of ε = 1
    assert hidden_names("\n".join([SHARED, *TASKS])) == set()


def test_they_run_one_after_the_other(tmp_path, monkeypatch, capsys):
    (tmp_path / "pay.csv").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {}
    said = []
    for task in (SHARED, *TASKS):
        exec(task, space)
        said.append(capsys.readouterr().out.splitlines())
    _, quartiles, tree, plane, refused, stored = said
    assert len(quartiles) == 1
    assert [len(line.split(", ")) for line in tree[:3]] == [3, 3, 3]
    assert all(re.fullmatch(r"-?[\d.]+ ± [\d.]+", line) for line in (*tree[3:], *plane))
    assert (len(tree), len(plane)) == (5, 1)
    assert refused == ["ε = 0.1 was asked for, and of ε = 1 nothing is left. Nothing was drawn."]
    account = space["account"]
    assert [one.budget for one in account.entries] == [dp.PureDP(0.6), dp.PureDP(0.4)]
    assert stored == []
    written = (tmp_path / "release.json").read_text(encoding="utf-8")
    assert dp.from_json(written) == space["release"]
    assert json.loads(written)["randomness"] == "secure"


def test_the_api_page_opens_with_them():
    from scripts.api_page import opened  # noqa: PLC0415  # with pdoc

    text = opened()
    assert text.index("# Five tasks") < text.index("A mechanism spends a budget once")
    assert all(task in text for task in TASKS)


def judged(folder, pages: dict[str, list[str]]) -> str:
    """What strict mypy says of blocks, each in a file of its own; the first has the imports."""
    for name, (shared, *rest) in pages.items():
        for at, block in enumerate(rest):
            (folder / f"{name}_{at}.py").write_text(f"{shared}\n{block}", encoding="utf-8")
    cache = ROOT / ".mypy_cache"
    config = ROOT / "pyproject.toml"
    said, wrong, _ = api.run(
        ["--strict", f"--config-file={config}", f"--cache-dir={cache}", str(folder)]
    )
    return said + wrong


@pytest.mark.law
def test_strict_types_take_every_block(tmp_path):
    """Blocks of one page build on each other where they do so when they run."""
    questions = blocks("docs/questions.md")
    (readme,) = (one for one in blocks("README.md") if one.startswith("import dpviz"))
    pages = {
        "tasks": [SHARED, "\n".join(TASKS)],
        "questions": questions,
        "readme": ["", readme],
    }
    files = 1 + len(questions) - 1 + 1
    assert judged(tmp_path, pages) == f"Success: no issues found in {files} source files\n"


@pytest.mark.law
def test_a_wrong_block_is_refused(tmp_path):
    wrong = TASKS[0].replace("quartiles.values", "quartiles.vales")
    assert 'has no attribute "vales"' in judged(tmp_path, {"wrong": [SHARED, wrong]})
