"""What a row about a figure of a paper holds, and what its functions are handed."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from dpviz.experiments.engine.tally import MEAN_GAP
from dpviz.experiments.papers.stored.findings import Numbers
from dpviz.figures.kit.look import Look
from dpviz.figures.kit.picture import Picture
from dpviz.ui.kit.job_panel import Study


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: its authors and year, and what it is about.

    names_paper is False for a row of several papers, whose labels say which.
    """

    title: str
    about: str
    names_paper: bool = True


@dataclass(frozen=True, slots=True)
class Presets:
    """How thorough a study is: the sizes by name, the first by default, and their widget.

    runs gives how often a size runs everything, and its word.
    """

    widget: str
    sizes: Mapping[str, Any]
    help: str
    runs: Callable[[Any], int]
    noun: str


@dataclass(frozen=True, slots=True)
class Given:
    """Data that a figure's study runs on; about and key name it, title says in words what it is.

    data is called when a run is planned or paid, no earlier: a stored result needs none of it.
    is_confidential: what is computed from the data says something about somebody's records.
    files are the keys of the sets that the visitor gave: what is drawn from them is paid. is_own:
    the stored results are about other data.
    """

    data: Callable[[], Any] = dict
    about: Hashable = "study"
    key: Hashable = ()
    title: str = ""
    is_confidential: bool = False
    files: tuple[str, ...] = ()
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Missing:
    """Why a study cannot run on the data that were chosen, in words."""

    why: str


def nothing() -> Given | Missing:
    """For a figure that needs no data."""
    return Given()


@dataclass(frozen=True, slots=True)
class Asked:
    """A figure as the visitor wants it."""

    figure: "PaperFigure"
    preset: str = ""

    @property
    def size(self) -> Any:
        """The chosen size of the study."""
        assert self.figure.presets is not None
        return self.figure.presets.sizes[self.preset]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What a picture is made of: the rows, how they are drawn, and what was chosen besides.

    metric is what of a release is counted. titles are those of the six sets; part is one of the
    figure's parts; words are those that the rows do not hold. extra holds other stored rows that
    the figure's study has; around are rows whose axes stay while a run goes on.
    """

    look: Look
    rows: pd.DataFrame
    part: str = ""
    improved: bool = False
    metric: str = MEAN_GAP
    shows_truth: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)
    extra: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    around: pd.DataFrame | None = None
    words: Numbers = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """One figure of a paper.

    label, note and about are what it is called on its card and below its headline. picture draws
    it from rows; numbers gives what its judgement leaves open. parts are pictures to choose from,
    the first by default, those of truth_parts only with the truth on. study is the work that can be
    run anew; needs gives its data, or says why there is none; aside draws choices about this data.
    extra names further stored studies. variants says what the hollow marks of lines set otherwise
    are, where the figure has some. has_truth: part of the picture is the truth of a set.
    """

    key: str
    paper: Paper
    label: str
    note: str
    about: str
    picture: Callable[[Shown], Picture]
    numbers: Callable[[Shown], Numbers]
    parts: tuple[str, ...] = ()
    truth_parts: tuple[str, ...] = ()
    parts_label: str = "Picture"
    study: Callable[[Asked, Given], Study] | None = None
    needs: Callable[[], Given | Missing] = nothing
    presets: Presets | None = None
    aside: Callable[[], None] | None = None
    aside_label: Callable[[], str] = str
    extra: tuple[str, ...] = ()
    has_variants: bool = False
    variants: str = ""
    has_truth: bool = False

    @property
    def whole_label(self) -> str:
        """The label with the paper that it is of."""
        return f"{self.label} of {self.paper.title}" if self.paper.names_paper else self.label
