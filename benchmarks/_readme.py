"""README's measured figures, each read from a row of RESULTS.md: `make readme` writes them anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import results, targets

README = Path(__file__).parents[1] / "README.md"
BEGIN = "<!-- compared: written by `make readme` from benchmarks/RESULTS.md -->\n"
END = "<!-- compared end -->\n"
ONE_BY_ONE = ("OpenDP private_quantile", "diffprivlib quantile")
THEIR_TREE, OUR_TREE = "OpenDP b-ary tree", "AggTree"
OVERVIEW, WINNERS = "Peers: overview", r"Best of ours against the best peer, .*"
NOISE = "Quadtree: RMS noise by query shape, ε = 1, h = 10"
GEOMETRIC, OPTIMAL = "geometric + estimate", "workload-optimal"

Cells = dict[str, dict[str, str]]  # row → column → what stands there


def tables(page: str) -> dict[str, Cells]:
    """All tables of a page by their titles."""
    found: dict[str, Cells] = {}
    for part in re.split(r"^## ", page, flags=re.M)[1:]:
        title, *lines = part.splitlines()
        rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
        if rows:
            header, _, *body = rows
            found[title] = {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in body}
    return found


def measured(found: dict[str, Cells], name: str) -> float:
    """The value of a row with a unit, from whichever table has it.

    Raises: KeyError if no table has the row.
    """
    for cells in found.values():
        if "measured" in cells.get(name, {}):
            return _number(cells[name]["measured"])
    raise KeyError(name)


def _number(text: str) -> float:
    return float(text.split(maxsplit=1)[0].replace(",", ""))


def short(value: float) -> str:
    """About two digits; whole from 10 on."""
    return (
        f"{value:,.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.995 else f"{value:.2f}"
    )


def span(values: list[float]) -> str:
    """From the least to the largest, or the one number that both read as."""
    least, most = short(min(values)), short(max(values))
    return least if least == most else f"{least} to {most}"


def gaps(overview: Cells, mechanism: str, m: int) -> list[float]:
    """How many times as much as AQ a mechanism misses, for each number of records."""
    cells = overview[mechanism].items()
    return [_number(cell) for column, cell in cells if column.endswith(f"m = {m}")]


def times_smaller(overview: Cells, m: int) -> str:
    return span([gap for name in ONE_BY_ONE for gap in gaps(overview, name, m)])


def tree_over_ours(overview: Cells, m: int) -> str:
    """The gap of OpenDP's tree over that of AggTree."""
    pairs = zip(gaps(overview, THEIR_TREE, m), gaps(overview, OUR_TREE, m), strict=True)
    return span([theirs / ours for theirs, ours in pairs])


def contests(found: dict[str, Cells]) -> list[tuple[float, float]]:
    """The gap of the best of ours and of the best peer, in every cell of the tables of winners."""
    pairs = []
    for title, cells in found.items():
        if re.fullmatch(WINNERS, title):
            for cell in (cell for row in cells.values() for cell in row.values()):
                ours, peer = (part.strip() for part in cell.rsplit(",", 1))
                own = _number(ours.split()[-1])
                pairs.append((own, own * _number(peer) if "×" in peer else _number(peer)))
    return pairs


def statements(found: dict[str, Cells]) -> Iterator[str]:
    """README's sentences, with their figures."""
    overview, pairs = found[OVERVIEW], contests(found)
    less, more = (sum(sign * (b - a) > 0 for a, b in pairs) for sign in (1, -1))
    noise = {name.split(" (")[0]: row for name, row in found[NOISE].items()}
    ratios = [
        _number(wide) / _number(narrow)
        for wide, narrow in zip(noise[GEOMETRIC].values(), noise[OPTIMAL].values(), strict=True)
    ]
    joint = targets.joint_exp(1_000_000, 120, False)

    def of(name: str) -> str:
        return short(measured(found, name))

    yield (
        "Against a peer that releases one quantile after the other (OpenDP, diffprivlib), the gap "
        f"of ApproximateQuantiles is {times_smaller(overview, 9)} times smaller for 9 quantiles "
        f"and {times_smaller(overview, 99)} times for 99."
    )
    yield (
        "Against OpenDP's consistent tree it is "
        f"{span(gaps(overview, THEIR_TREE, 9))} times smaller for 9 quantiles and "
        f"{span(gaps(overview, THEIR_TREE, 99))} times for 99, where AggTree's is "
        f"{tree_over_ours(overview, 99)} times smaller."
    )
    yield (
        "On six data sets, 1,000 and 100,000 records, 3 to 120 quantiles, ε = 1 and ρ = ½, the "
        f"best of ours errs less than the best peer in {less} of {len(pairs)} cases, and more in "
        f"{more}."
    )
    yield (
        f"A release of ApproximateQuantiles takes {of(targets.AQ_GROWTH)} times as long at 10^7 "
        f"sorted records as at 10^4, {of(targets.AQ_LARGE)} ms for 120 quantiles, and the first "
        f"one of a column {of(targets.AQ_FIRST)} times. JointExp takes {of(joint)} ms and "
        f"{of(targets.memory(joint))} MB at 10^6 records and 120 quantiles."
    )
    yield (
        f"Changing ε on a million records redraws the page in {of(targets.BROWSER)} ms by the "
        f"slider and in {of(targets.BROWSER_TYPED)} ms where it is typed; 10^9 records, as the "
        f"counts of 10^5 values, are released in {of(targets.COUNTS_AQ)} ms (99 quantiles)."
    )
    yield (
        f"The workload-optimal split of a quadtree of height 10 has {span(ratios)} times less "
        "noise (standard deviation) than the geometric one on the three query shapes of Cormode "
        "et al. 2012."
    )


def written(readme: str, page: str) -> str:
    """README with the figures of a page of results."""
    before, rest = readme.split(BEGIN)
    _, after = rest.split(END)
    lines = "".join(f"- {one}\n" for one in statements(tables(page)))
    return f"{before}{BEGIN}{lines}{END}{after}"


def write() -> int:
    """Replace what has changed, and print it."""
    old = README.read_text(encoding="utf-8")
    new = written(old, results.PAGE.read_text(encoding="utf-8"))
    README.write_text(new, encoding="utf-8")
    for line in new.splitlines():
        if line not in old.splitlines():
            print(line, file=sys.stdout)
    return 0
