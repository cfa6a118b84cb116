"""What is said where a cell of a private map is pointed at, and how many cells there are."""

from dpviz.answers.number_text import counted
from dpviz.answers.said import html_safe
from dpviz.answers.spatial.colours import Colour, ColoursNumbers
from dpviz.answers.spatial.names import Names, give_or_take


def what(found: ColoursNumbers, names: Names) -> str:
    """What a cell's value counts, with {} for the number; escaped for pictures."""
    many = html_safe(names.many)
    if found.colour is Colour.ERROR:
        return f"± {{}} {many}"
    square = f" {html_safe(names.square)}" if found.colour is Colour.DENSITY else ""
    return f"{{}} {many}{square}"


def form(found: ColoursNumbers) -> str:
    """How the number is written, as d3 says it: counts are whole."""
    return ",.0f" if found.colour is Colour.COUNT else ",.3~r"


def note(found: ColoursNumbers) -> str:
    """The standard error behind a count, where all cells share it."""
    shared = found.colour is Colour.COUNT and found.error is not None
    return f" ± {give_or_take(found.error)}" if shared and found.error is not None else ""


def cells_text(found: ColoursNumbers) -> str:
    """How many cells there are: "64 × 64 cells", "256 cells"."""
    if found.grid is not None and found.values.size > 1:
        return f"{found.grid.columns} × {found.grid.rows} cells"
    return counted(found.values.size, "cell")
