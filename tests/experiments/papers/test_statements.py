"""The bench's table of the papers' statements (benchmarks/_statements.py)."""

import pytest

from benchmarks._psd_table import psd_rows
from benchmarks._statements import HEADER, MECHANISMS, STATEMENTS, firsts, lead, table
from dpviz.experiments.papers.stored import told
from dpviz.experiments.papers.stored.record import record
from dpviz.experiments.papers.stored.told import SOURCES


@pytest.mark.law
def test_every_statement_has_its_row():
    found = table()
    assert len(found.cells) == len(STATEMENTS) + len(list(psd_rows(record())))
    assert all(len(row) == len(HEADER) for row in found.cells)
    assert {one.key for one in STATEMENTS} <= set(SOURCES)
    assert all("nan" not in cell.split() for row in found.cells for cell in row)
    assert "paper says" in found.markdown()


@pytest.mark.law
def test_firsts_and_leads_are_what_a_loop_finds():
    rows = told.rows_of("aq4", record())
    own = rows[rows["variant"] == "paper"]
    counts, wins = sorted(set(own["m"])), dict.fromkeys(MECHANISMS, 0)
    nearest = [min(counts, key=lambda known, m=m: abs(known - m)) for m in range(1, 121)]
    for (_, m), place in own.groupby(["data", "m"]):
        first = place.sort_values(["mean", "mechanism"])["mechanism"].iloc[0]
        wins[first] += nearest.count(m) / 720
    assert firsts(rows) == pytest.approx(wins)
    at = own[own["m"] == 120].groupby("mechanism")["mean"].mean()
    assert lead(rows, "AggTree", 120) == at["AggTree"] / at["ApproximateQuantiles"]


@pytest.mark.law
@pytest.mark.parametrize(("wide", "zoomed"), [("aq4", "aq5"), ("aq6", "aq7")])
def test_a_zoomed_figure_has_the_statements_of_the_wide_one_on_rows_of_its_own(wide, zoomed):
    whole, part = ([one for one in STATEMENTS if one.key == key] for key in (wide, zoomed))
    assert [one.says for one in whole] == [one.says for one in part]
    assert len(part) >= 4
    for one in part:
        assert one.rows()["m"].max() == 35
        assert one.figure == f"AQ Fig. {zoomed[-1]}"
        assert "m = 120" not in one.cells()[2]
    counted = {len(set(one.rows()["m"])) for one in part}
    assert all(f"{n} of 35 m" in part[0].settings for n in counted)
