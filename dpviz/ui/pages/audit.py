"""Audit: what runs prove about a claimed ε, and that a broken twin is caught."""

from streamlit.delta_generator import DeltaGenerator

from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.experiments.twins.twins import BY_KEY
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Field, Note, OneOf, Switch, Values, same
from dpviz.ui.model.render import Page
from dpviz.ui.understand import people, rows
from dpviz.ui.understand.audit.trials import CONFIDENCES, HARD, OWN, Case, is_own, twins
from dpviz.ui.understand.audit.view import OUTPUTS, PROOF, asked_of
from dpviz.ui.understand.questions import quantile_name
from dpviz.ui.visit import state

RUNS = (200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
TREE = TreeQuery()


def _kind(values: Values) -> str:
    return str(values["a_ask"])


def _is_tree(values: Values) -> bool:
    return _kind(values) == rows.TREE


def _take_asked(kind: str) -> None:
    """A tree's Gaussian noise has no pure ε: take a notion that fits."""
    if kind == rows.TREE and state.get("notion") == "pure":
        state.put("notion", "zcdp")


def _fault(place: DeltaGenerator, values: Values) -> None:
    place.caption(BY_KEY[values["n_mistake"]].card)


# fields of a group stand beside each other
FIELDS: tuple[tuple[Field, ...], ...] = (
    (Field("n_runs", "Runs of each",
           OneOf({one: str(one) for one in RUNS}, "slider", shown=lambda one, _: f"{one:,}"),
           1_000, "dock"),),
    rows.asks("a_ask", {**rows.ASKS, rows.TREE: "A tree"}, _take_asked),
    (Field("a_tree", f"All counts of a tree of {TREE.layers} layers with {TREE.leaves:,} leaves, such "
           "as the hours of some days. A person has at most one row in each leaf. Nothing of it is "
           "data.", Note(), None, "question", when=_is_tree, linked=lambda: False),),
    *rows.question(_kind),
    (Field("n_columns", "Pair of columns", rows.segments({OWN: "these data", HARD: "made up"}),
           lambda _: HARD if session.is_upload() else OWN, "question",
           "An audit sees only the pair of columns that it is given. The made-up pair is one on "
           "which one person counts for nearly all of ε; it depends on no data.",
           when=lambda values: values["truth"] and not _is_tree(values)),),
    *rows.person(_kind, is_own),
    rows.noise(lambda values: _kind(values) == rows.COUNT),
    rows.read_at(lambda _: True),
    (Field("n_confidence", "Confidence", OneOf(same(*CONFIDENCES), "segments"),
           next(iter(CONFIDENCES)), "expert",
           "How sure the bound is, at a number of runs fixed beforehand (Clopper and Pearson "
           "1934)."),),
    (Field("n_twin", "A broken twin", Switch(), True, "expert",
           "A mechanism with one mistake, while it claims ε. An audit should catch it."),),
    (Field("n_mistake", "Its mistake",
           rows.segments({key: one.label for key, one in BY_KEY.items()}, twins),
           lambda values: twins(values)[0], "expert", late=True,
           when=lambda values: values["n_twin"], under=_fault),),
)  # fmt: skip


def _label(values: Values) -> str:
    """What is audited, and whose columns."""
    kind = _kind(values)
    name = {rows.QUANTILE: quantile_name(values["n_quantile"])}.get(kind, kind)
    label = f"{name}, {people.who_of(values) if is_own(values) else 'made up'}"
    return label[0].upper() + label[1:]


PAGE: Page[Case] = rows.page_of(
    name="audit",
    title="Audit",
    tabs_key="a_shown",
    fields=FIELDS,
    views=(PROOF, OUTPUTS),
    ask=asked_of,
    label=_label,
    missing="What runs can prove",
)
