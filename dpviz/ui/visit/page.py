"""What one page works with: opened at its top, it answers everything that the visit decides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP
from dpviz.figures.kit.look import Look
from dpviz.ui import visitor
from dpviz.ui.links import arriving
from dpviz.ui.visit import data, declared, screen, state
from dpviz.ui.visit.data import Kind

_OPENED = "_opened"


@dataclass(frozen=True, slots=True)
class Tabs:
    """The views of a page by their names in links, as a row of tabs calls them, and its key.

    declares is for a page whose column is declared where its data set is chosen, at the end of that
    row; people says what a public number of people is for on it.
    """

    key: str
    titles: Mapping[str, str]
    declares: bool = False
    people: str = ""


@dataclass(frozen=True, slots=True)
class Visit:
    """What holds on a page now. epsilon and rho are those of its picture until one is chosen."""

    page: str
    kind: Kind | None
    first_epsilon: float
    first_rho: float
    view: str
    look: Look
    tabs: Tabs | None = None

    @property
    def epsilon(self) -> float:
        """ε of the visit, or that of the page's picture."""
        chosen = state.get("eps")
        return self.first_epsilon if chosen is None else float(chosen)

    @property
    def rho(self) -> float:
        """ρ of the visit, or the page's own."""
        chosen = state.get("rho")
        return self.first_rho if chosen is None else float(chosen)

    @property
    def budget(self) -> Budget:
        """The budget of one release, in the notion of the visit."""
        notion = state.get("notion")
        if notion == "zcdp":
            return ZCDP(self.rho)
        return PureDP(self.epsilon) if notion == "pure" else ApproxDP(self.epsilon, self.delta)

    @property
    def delta(self) -> float:
        """δ of the visit."""
        return float(state.get("delta"))

    @property
    def truth(self) -> bool:
        """Whether true values may be on screen."""
        return shows_truth()

    @property
    def seed(self) -> int:
        """The number of the draw."""
        return int(state.get("seed"))

    @property
    def neighbours(self) -> Neighbours:
        """The neighbouring relation."""
        return data.relation()

    @property
    def several(self) -> bool:
        """Whether people have several rows, so that they join or leave with all of them."""
        return data.person_rows() is not None

    @property
    def presenting(self) -> bool:
        """Whether the page is shown to a room: no menu, larger words."""
        return bool(state.get("present"))


def truth_key() -> str:
    """Where the switch of the truth is kept: a file has one of its own, off at first."""
    return "truth_own" if visitor.get(data.KEY) == data.UPLOAD else "truth"


def shows_truth() -> bool:
    """Whether confidential values of the data in use may be on screen."""
    if truth_key() == "truth_own":
        return bool(state.store().get("truth_own", False))
    return bool(state.get("truth"))


def open_page(
    page: str,
    kind: Kind | None = None,
    *,
    epsilon: float = 0.1,
    rho: float = 0.01,
    views: Tabs | Sequence[str] = ("",),
    first_data: str | None = None,
) -> Visit:
    """Open a page: settle what it works on, and write its link.

    kind names the data it needs; None works on whatever was chosen last. epsilon and rho are those
    of its picture. views are its views, or their names in links, the first by default. first_data
    is the set that the page shows until the visitor chooses one.
    """
    tabs = views if isinstance(views, Tabs) else None
    names = tuple(views.titles) if isinstance(views, Tabs) else views
    arrives = visitor.get("_visit_opened") is None or arriving.decides()
    visitor.put("_visit_opened", True)
    if arrives:
        data.take_link(kind)
        declared.take_link()
        _take_view(page, names)
    visitor.put(data.KEY, data.in_use(kind, first_data) if kind else data.latest())
    view = str(state.store().get(f"view_{page}", names[0]))
    view = view if view in names else names[0]
    extra = {data.KEY: data.link_text(kind, first_data), "view": None if view == names[0] else view}
    state.write(declared.link_texts(visitor.held(data.KEY)) | extra)
    now = Visit(page, kind, epsilon, rho, view, screen.look(), tabs)
    visitor.put(_OPENED, now)
    return now


def opened() -> Visit | None:
    """The page that this run opened."""
    found: Visit | None = visitor.get(_OPENED)
    return found


def is_scarce() -> bool:
    """Whether a dock has little room on the page that this run opened."""
    now = opened()
    return now is not None and (now.presenting or now.look.screen != "wide")


def _take_view(page: str, views: Sequence[str]) -> None:
    texts = arriving.linked("view")
    if len(texts) == 1 and texts[0] in views:
        state.put(f"view_{page}", texts[0])
    elif texts:
        arriving.refuse("view")


def show_view(page: str, view: str) -> None:
    """Open another view of a page at its next run."""
    state.put(f"view_{page}", view)
