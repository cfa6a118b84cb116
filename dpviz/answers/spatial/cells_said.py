"""What is said of the cells of a private map: the strip, all numbers, and titles of the maps."""

from collections.abc import Sequence

from dpviz.answers.number_text import counted, significant, upper
from dpviz.answers.said import Line, html_safe, plain, private
from dpviz.answers.spatial.cells import CellsNumbers, PointsNumbers
from dpviz.answers.spatial.names import Names, give_or_take, percent_of_cells
from dpviz.answers.spatial.rectangle import RectangleNumbers

PUBLIC_MARK = " (not private)"  # how a reference's name ends


def strip(
    answers: Sequence[RectangleNumbers], found: Sequence[CellsNumbers]
) -> list[tuple[str, str]]:
    """Errors of the answers and of a cell; two methods share each item."""
    many = len(found) > 1
    return [
        (
            "standard errors of the answers" if many else "standard error of the answer",
            " and ".join(f"± {give_or_take(one.error)}" for one in answers),
        ),
        ("of one cell", " and ".join(f"± {give_or_take(one.error)}" for one in found)),
        (
            "cells that say nothing sure",
            " and ".join(percent_of_cells(one.unsure_share) for one in found),
        ),
    ]


def chips(found: Sequence[CellsNumbers], threshold: float | None) -> list[str]:
    """What is not protected, and what was pruned."""
    said = ["not private"] if any(one.exact for one in found) else []
    if threshold is not None and any(one.is_pruned for one in found):
        said.append(f"pruned at {threshold:g}")
    return said


def warned(found: Sequence[CellsNumbers], line: str) -> str:
    """A second line; what is not protected is said first."""
    unsafe = [
        f"{one.name}: its {' and '.join(one.exact)} "
        f"{'is' if one.exact == ('structure',) else 'are'} exact"
        for one in found
        if one.exact
    ]
    return f"**Not private: {plain('; '.join(unsafe))}.** {line}" if unsafe else line


def all_numbers(answer: RectangleNumbers, found: CellsNumbers) -> str:
    """Everything in numbers about one method, as a list; confidential with the truth."""
    level = f", level {found.level} of {found.height}" if found.height else ""
    spent = "nothing" if found.spent is None else str(found.spent)
    rows = [
        ("the answer", f"± {give_or_take(answer.error)}"),
        ("before estimation", f"± {give_or_take(answer.before)}"),
        ("noise of a leaf, as released", f"± {significant(found.leaf, 3)}"),
        ("noisy counts released", f"{found.noisy_counts:,}"),
        ("cells drawn", f"{found.cells:,}{level}"),
        ("standard error of a cell", f"± {significant(found.typical, 3)}"),
        ("spent", f"{spent}, {found.neighbours.value} neighbours"),
    ]
    if found.off is not None:
        rows.append(("cells are off by, on average (confidential)", significant(found.off, 3)))
    lines = [f"- {plain(name)}: **{plain(text)}**" for name, text in rows]
    return "\n".join([f"**{plain(found.name)}**", "", *lines])


def points_text(found: PointsNumbers, names: Names) -> str:
    """How many points there are, and what became of some. Confidential."""
    parts = [names.after(f"{found.n:,}")]
    if found.clipped:
        parts.append(f"{found.clipped:,} moved to the edge of the box")
    if found.dropped:
        parts.append(f"{found.dropped:,} without a place left out")
    return ", ".join(parts)


def true_title(found: PointsNumbers, names: Names) -> str:
    """What stands above the true points. Confidential."""
    return f"True: {html_safe(names.after(f'{found.n:,}'))}"


def title(found: CellsNumbers, cells: str, *, is_one: bool, sure: bool) -> Line:
    """What stands above a map, and how it is said where room is scarce; names are escaped.

    is_one says that no other method stands beside it, sure that unsure cells have no colour.
    """
    if found.exact:
        name = html_safe(found.name.removesuffix(PUBLIC_MARK))
        return Line(f"Not private, {name}: {cells}")
    if not is_one:
        return Line(f"{upper(html_safe(found.name))}: {cells}")
    if found.off is not None:
        noisy = cells.replace(" cell", " noisy cell")
        return Line(f"Private: {noisy}", f"Private: {cells}")
    return Line(f"{cells}; only what is sure is coloured", cells) if sure else Line(cells)


def to_take_away(found: CellsNumbers, names: Names) -> str:
    """How many counts leave, and how good a cell is."""
    good = give_or_take(found.error)
    return (
        f"{counted(found.noisy_counts, 'noisy count')} to take away, a cell good to "
        f"{private(f'± {good}')} {plain(names.after(good).split(' ', 1)[1])}, typically."
    )
