"""What a row about a figure of a paper holds, and what its functions are handed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.ui.kit.charts import chart
from dpviz.ui.kit.job_panel import Study


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its name on the page, the widget that chooses among its figures, its source.

    widths are those of the columns for figure, preset and aside; aside draws what is about all
    figures; first is the key of the figure shown first, the first row's where it is empty.
    """

    title: str
    widget: str
    source: str
    widths: tuple[int, int, int] = (4, 2, 6)
    aside: Callable[[], None] | None = None
    first: str = ""


@dataclass(frozen=True, slots=True)
class Presets:
    """How thorough a study is: the sizes by name, the first by default, and their widget."""

    widget: str
    sizes: Mapping[str, Any]
    help: str


@dataclass(frozen=True, slots=True)
class Given:
    """Data that a figure needs; about and key name it, title says in words what it is.

    is_confidential: what is computed from the data says something about somebody's records.
    files are the keys of the sets that the visitor gave: what is drawn from them is paid.
    """

    data: Any = None
    about: Hashable = "study"
    key: Hashable = ()
    title: str = ""
    note: str = ""
    is_confidential: bool = False
    files: tuple[str, ...] = ()


def nothing() -> Given:
    """For a figure that needs no data."""
    return Given()


@dataclass(frozen=True, slots=True)
class Asked:
    """A figure as the visitor wants it."""

    figure: PaperFigure
    preset: str = ""
    improved: bool = False

    @property
    def size(self) -> Any:
        """The chosen size of the study."""
        assert self.figure.presets is not None
        return self.figure.presets.sizes[self.preset]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """What a picture is made of: the choice, the data, and the rows of the study so far."""

    asked: Asked
    given: Given
    rows: pd.DataFrame = field(default_factory=pd.DataFrame)

    def show(self, picture: go.Figure, part: str = "", alt: str = "") -> None:
        """One chart; part keeps several of a figure apart."""
        row = self.asked.figure
        name, said = (f"{row.key}-{part}", f"{row.title}, {part}") if part else (row.key, row.title)
        chart(picture, f"w_{name}", name, alt or said)


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """One figure of a paper.

    caption says how it differs from the printed one; picture draws it; study is the work it shows,
    if any; needs gives the data, or None after it said on the page why there is none; aside draws
    choices about this figure's data; has_variants: variants of our own can be drawn too.
    """

    key: str
    paper: Paper
    title: str
    caption: str
    picture: Callable[[Sheet], None]
    study: Callable[[Asked, Given], Study] | None = None
    needs: Callable[[], Given | None] = nothing
    presets: Presets | None = None
    aside: Callable[[], None] | None = None
    has_variants: bool = False
