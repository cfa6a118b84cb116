"""README, CONTRIBUTING, CHANGELOG and CITATION say what is there."""

import re

import pytest

from dpviz.version import __version__
from tests.conftest import ROOT
from tests.test_floors import FLOORS, ROOMS


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def named_paths(text: str) -> list[str]:
    """Paths of the repository that stand in backticks; one with a gap to fill is none."""
    tops = r"(?:dpviz|tests|pages|scripts|sample_data|benchmarks|docs)"
    return re.findall(rf"`({tops}/[\w./]*)`", text)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_the_paths_that_are_named_are_there(name):
    paths = named_paths(text_of(name))
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_a_path_that_has_moved_is_noticed():
    assert named_paths("see `dpviz/attic/a.py`, not `dpviz/ui/<room>/a.py`") == ["dpviz/attic/a.py"]


def test_the_house_of_readme_has_every_floor_and_room():
    house = text_of("README.md").split("## The house")[1].split("```")[1]
    rooms = {name.split("/")[0] for lines in ROOMS.values() for line in lines for name in line}
    floors = [word.removesuffix("/") for word in re.findall(r"^  (\w+)(?:/|\.py)", house, re.M)]
    assert [name for name in floors if name in FLOORS] == list(FLOORS)[::-1]
    assert {f"{room}/" for room in rooms if room} <= set(re.findall(r"\w+/", house))


def test_the_example_of_readme_runs(capsys):
    example = re.search(r"```python\n(.*?)```", text_of("README.md"), re.DOTALL)
    assert example
    exec(example[1], {})
    assert '"ApproximateQuantiles"' in capsys.readouterr().out


@pytest.mark.law
def test_the_page_on_many_quantiles_makes_its_own_table(capsys):
    page = text_of("docs/many_quantiles.md")
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], {})
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 10
    assert printed == [line for line in page.splitlines() if re.match(r"\| [ερ] = ", line)]


def test_the_page_on_the_piecewise_median_makes_its_own_numbers(capsys):
    page = text_of("docs/piecewise_median.md")
    space: dict[str, object] = {}
    for lines in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(lines, space)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 4 + 12
    assert printed == [
        line for line in page.splitlines() if re.match(r"q = 0|bounds |\| \w+, ", line)
    ]


def test_contributing_fits_one_screen():
    assert len(text_of("CONTRIBUTING.md").splitlines()) <= 55


def test_citation_and_changelog_know_the_version():
    assert f'version: "{__version__}"' in text_of("CITATION.cff")
    newest = re.search(r"^## (.*)$", text_of("CHANGELOG.md"), re.M)
    assert newest
    assert re.findall(r"\d+\.\d+\.\d+", newest[1]) == [__version__]


def other_versions(text: str) -> set[str]:
    """Versions of dpviz that a text names, but for this one."""
    return set(re.findall(r"dpviz[ =-]+v?(\d+\.\d+\.\d+)", text)) - {__version__}


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "benchmarks/RESULTS.md"])
def test_no_other_version_is_named(name):
    assert other_versions(text_of(name)) == set()
    assert other_versions(f"{text_of(name)} dpviz 0.1.0") == {"0.1.0"}
