"""RESULTS.md says which version was measured, README's figures are its rows, and nothing is stale.

README is read here by expressions of this file, and RESULTS.md by a walk over its lines: neither is
what wrote them.
"""

import re

import pytest

from benchmarks import __main__ as bench
from benchmarks import _readme, results
from benchmarks.load.figures import FIGURES
from benchmarks.targets import TARGETS, Row
from dpviz.version import __version__
from tests.conftest import ROOT
from tests.rows import by_rows

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
FIGURE = r"(\d[\d.,]*)"
PEERS = ("OpenDP private_quantile", "diffprivlib quantile")
TREE = "OpenDP b-ary tree"


def lines_of(page):
    """Title of the section and cells, for every line of a table below its header."""
    title, below = "", False
    for line in page.splitlines():
        if line.startswith("## "):
            title, below = line[3:], False
        elif line.startswith("| ---"):
            below = True
        elif line.startswith("| ") and below:
            yield title, [cell.strip() for cell in line.strip("|").split("|")]


LINES = list(lines_of(PAGE))
DECLARED = [what for name in bench.available() for what in bench.measures(name)]


def limited(page):
    """Names of rows that are checked against limits: those of four cells, the last a verdict."""
    verdicts = {"reached", "within noise", "MISSED", "-"}
    return [cells[0] for _, cells in lines_of(page) if len(cells) == 4 and cells[3] in verdicts]


def stale(page):
    """Rows and titles that no bench measures any more."""
    titles = {title for title, _ in lines_of(page)} - {"Speed", results.LOAD}
    return sorted((titles | set(limited(page))) - set(DECLARED))


def row(name):
    (found,) = [cells[1] for _, cells in LINES if cells[0] == name and len(cells) == 4]
    return float(found.split()[0].replace(",", ""))


def overview(mechanism, *places):
    (cells,) = [cells for t, cells in LINES if t == "Peers: overview" and cells[0] == mechanism]
    return [float(cells[at].split("/")[0]) for at in places]


NINE, MANY = (1, 3), (2, 4)  # columns of the overview: 9 quantiles, 99


def one_by_one(places):
    return [gap for peer in PEERS for gap in overview(peer, *places)]


def tree_over_ours():
    ours = overview("AggTree", *MANY)
    return [theirs / own for theirs, own in zip(overview(TREE, *MANY), ours, strict=True)]


def noise_ratios():
    kept = {c[0].split(" ")[0]: c[1:] for t, c in LINES if t.startswith("Quadtree: RMS")}
    pairs = zip(kept["geometric"], kept["workload-optimal"], strict=True)
    return [float(wide) / float(narrow) for wide, narrow in pairs]


def cases():
    """(less, as much, more) over all cells of the tables of winners."""
    counted = [0, 0, 0]
    for title, cells in LINES:
        if title.startswith("Best of ours"):
            for cell in cells[1:]:
                own, peer = re.fullmatch(r"\D+? ([\d.,]+), ([\d.,]+(?: ×)?)", cell).groups()
                least = 1.0 if peer.endswith("×") else float(own.replace(",", ""))
                gain = float(peer.strip(" ×").replace(",", "")) - least
                counted[1 - (gain > 0) + (gain < 0)] += 1
    return counted


def both_ends(values):
    return [min(values), max(values)]


SPAN = rf"{FIGURE}(?: to {FIGURE})? times"  # one number where both ends are written alike
# what README says, and the numbers that must stand there
SAID = {
    rf"ApproximateQuantiles is {SPAN} smaller for 9 quantiles": lambda: both_ends(one_by_one(NINE)),
    rf"9 quantiles and {SPAN} for 99\.\n- Against": lambda: both_ends(one_by_one(MANY)),
    rf"consistent tree it is {SPAN} smaller for 9": lambda: both_ends(overview(TREE, *NINE)),
    rf"9 quantiles and {SPAN} for 99, where": lambda: both_ends(overview(TREE, *MANY)),
    rf"where AggTree's is {SPAN} smaller": lambda: both_ends(tree_over_ours()),
    rf"less than the best peer in {FIGURE} of {FIGURE} cases, and more in {FIGURE}\.": lambda: [
        cases()[0],
        sum(cases()),
        cases()[2],
    ],
    rf"takes {FIGURE} times as long at 10\^7": lambda: [
        row("AQ release, m = 120, n = 10^7 over n = 10^4")
    ],
    rf"at 10\^4, {FIGURE} ms for 120": lambda: [row("AQ release, m = 120, n = 10^7")],
    rf"first one of a column {FIGURE} times": lambda: [
        row("AQ, a column's first release, m = 120, n = 10^7 over n = 10^4")
    ],
    rf"JointExp takes {FIGURE} ms and {FIGURE} MB at 10\^6": lambda: [
        row("JointExp, m = 120, n = 1,000,000"),
        row("JointExp, m = 120, n = 1,000,000: peak memory"),
    ],
    rf"redraws the page in {FIGURE} ms by the slider": lambda: [
        row("app, n = 10^6: slider moved → new picture")
    ],
    rf"and in {FIGURE} ms where it is typed": lambda: [
        row("app, n = 10^6, Expert open: ε typed → new picture")
    ],
    rf"released in {FIGURE} ms \(99 quantiles\)": lambda: [
        row("10^9 records from counts: AQ, m = 99")
    ],
    rf"height 10 has {SPAN} less noise": lambda: both_ends(noise_ratios()),
}
# figures with such a unit are measured ones
UNITS = rf"{FIGURE}(?: to {FIGURE})? (?:ms|MB|GB|s|seconds|minutes|times|×|tests|lines)\b"


def agree(text, exact):
    """Whether a written figure is the exact one, rounded to its last digit."""
    digits = text.rstrip(".,").replace(",", "")
    last = len(digits.split(".")[1]) if "." in digits else 0
    return abs(float(digits) - exact) <= 0.5 * 10.0**-last + 1e-9


@by_rows("said", SAID)
def test_a_figure_of_readme_is_that_of_its_row(said):
    found = re.findall(said, README)
    assert len(found) == 1, "README says it once; run `make readme`"
    first, *others = [found[0]] if isinstance(found[0], str) else found[0]
    figures = [first, *(other or first for other in others)]
    for text, number in zip(figures, SAID[said](), strict=True):
        assert agree(text, number), f"README says {text}, RESULTS.md {number}; run `make readme`"


def test_the_contests_are_on_as_many_data_sets_as_readme_says():
    held = [title for title, _ in LINES if title.startswith("Best of ours")]
    assert {held.count(title) for title in held} == {6}
    assert len(set(held)) == 4
    assert README.count("On six data sets") == 1


def unread(readme):
    """Figures with a unit of what is measured that no expression above reads."""
    read = {
        match.start(group)
        for said in SAID
        for match in re.finditer(said, readme)
        for group in range(1, 1 + len(match.groups()))
    }
    return [match.group() for match in re.finditer(UNITS, readme) if match.start(1) not in read]


def test_no_measured_figure_of_readme_is_without_a_row():
    assert unread(README) == []
    assert unread(README.replace("## In Python", "It takes 12 ms.\n\n## In Python")) == ["12 ms"]


def test_readme_is_what_its_command_writes():
    assert _readme.written(README, PAGE) == README, "run `make readme`"


def test_another_result_changes_readme():
    slower = PAGE.replace(
        "| AQ release, m = 120, n = 10^7 | ", "| AQ release, m = 120, n = 10^7 | 9"
    )
    assert slower != PAGE
    assert _readme.written(README, slower) != README


def test_the_results_name_the_version_that_was_measured():
    head, load = PAGE.split("\n## ")[0], results.section(PAGE, results.LOAD)
    assert re.findall(r"dpviz (\d+\.\d+\.\d+)", head) == [__version__]
    assert re.findall(r"dpviz (\d+\.\d+\.\d+)", load) == [__version__]


def test_every_result_is_one_that_is_still_measured():
    assert len(limited(PAGE)) == len(set(limited(PAGE))) > 100
    assert stale(PAGE) == []
    assert stale(PAGE.replace("| make check", "|").replace("| AQ Fig. 2 |", "| AQ Fig. 22 |"))


def test_a_line_that_does_not_fit_its_header_is_refused():
    assert results.Table("a", ["x", "y"], [["1", "2"]]).markdown()
    with pytest.raises(ValueError, match="do not fit its header: \\['1'\\]"):
        results.Table("a", ["x", "y"], [["1", "2", "3"]])


def test_what_is_not_in_the_results_is_listed():
    """A page of a complete run lists nothing."""
    listed = re.search(r"^Not in this run: (.*)\.$", PAGE, re.M)
    shown = {title for title, _ in LINES} | set(limited(PAGE))
    assert sorted(set(DECLARED) - shown) == sorted(listed[1].split("; ") if listed else [])


def test_loads_are_those_that_are_still_made():
    made = {(figure.name, limit.name) for figure in FIGURES for limit in figure.limits}
    shown = {(cells[0], cells[2]) for title, cells in LINES if title == results.LOAD}
    assert shown
    assert shown <= made


def test_names_are_declared_once_and_every_limit_has_its_row():
    assert len(DECLARED) == len(set(DECLARED))
    assert set(TARGETS) <= set(DECLARED)


def test_the_page_names_version_and_run():
    page = results.page([Row("a", 1, "s")], ["b", "c"])
    assert f"dpviz {__version__}, in one run" in page
    assert "Not in this run: b; c." in page
