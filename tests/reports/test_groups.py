"""Report, label and notebook of groups that share no row: one budget, and why."""

import json
import re

import numpy as np
import pytest

import dpviz as dp
from dpviz.core.data.column import Column
from dpviz.core.trees.group_releases import NOTE, PEOPLE_NOTE
from dpviz.mechanisms.counting.by_group import release_by_group
from dpviz.people.data import person_groups
from dpviz.people.release import for_people
from dpviz.reports.label import groups_label
from dpviz.reports.notebook import groups_notebook
from dpviz.reports.page import groups_report
from dpviz.reports.words import Told

HOSTILE = "<b>n'\" & {x}"
BOUNDS = dp.Bounds(0, 100)
TOLD = Told("rows by pay")


def made(rows=None, mechanism=None):
    """Two groups, of one row a person or of several."""
    values, rng = np.linspace(0, 100, 60), dp.SecureBits.fresh()
    masks = [np.arange(60) % 2 == one for one in (0, 1)]
    mechanism = mechanism or dp.Histogram(bins=4)
    if rows is None:
        columns = [Column.from_values(values[mask], BOUNDS) for mask in masks]
        return release_by_group(
            mechanism, dict(zip(("south", HOSTILE), columns, strict=True)), dp.PureDP(0.5), rng
        )
    columns = person_groups(np.arange(60) % 7, values, masks, BOUNDS, 0, rows)
    groups = dict(zip(("south", HOSTILE), columns, strict=True))
    each = rows.row_budget(dp.PureDP(0.5))
    return for_people(release_by_group(mechanism, groups, each, rng), rows)


CASES = [None, dp.PersonRows.at_most(3), dp.PersonRows.weighted()]


@pytest.mark.parametrize("rows", CASES, ids=str)
@pytest.mark.parametrize("mechanism", [dp.Histogram(bins=4), dp.CountTree(2, 2)], ids=str)
def test_the_notebook_draws_every_group_again(rows, mechanism, tmp_path, monkeypatch):
    released = made(rows, mechanism)
    (tmp_path / "bins.json").write_text(released.to_json(), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    held: dict[str, object] = {}
    pictures = []
    book = groups_notebook(released, TOLD, "bins.json")
    for cell in json.loads(book)["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), held)
            pictures.append(held.get("figure"))
    assert list(held["releases"]) == ["south", HOSTILE]
    for name, one in released.releases.items():
        assert held["releases"][name].to_json() == one.to_json()
    assert pictures[1:] == [dp.plot(one) for one in released.releases.values()]


@pytest.mark.parametrize("rows", CASES, ids=str)
def test_the_page_and_the_label_say_why_it_is_one_budget(rows):
    released = made(rows)
    note, other = (NOTE, PEOPLE_NOTE) if rows is None else (PEOPLE_NOTE, NOTE)
    page, small = groups_report(released, TOLD), groups_label(released, TOLD)
    for text in (page, small):
        assert note in text
        assert other not in text
        assert "<b>" not in text
        assert "&lt;b&gt;" in text
        assert "ε = 0.5" in text
        assert "ε = 1" not in text  # the wrong twin adds groups up
    assert "<h1>Two groups, which spend one budget together</h1>" in page
    assert f"{note} It is ε = 0.5." in page
    assert page.count("<svg") == len(re.findall("<h2>", page)) == 2
    assert (
        "4 noisy counts of rows by pay (values between each public edge and the next), in " in small
    )
    assert "in each of 2 groups" in small
    assert ("One person (" in small) == (rows is not None)
    assert ("One record, that is one person" in small) == (rows is None)
