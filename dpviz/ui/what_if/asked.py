"""What is asked of this page: its widgets in Explore and Expert, shared by all views."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.studies import names
from dpviz.answers.studies.names import TREE, USUAL, StudyNames, Tree
from dpviz.answers.studies.needed import NeedQuestion
from dpviz.core.budgets import Budget, PureDP
from dpviz.core.errors import DpvizError
from dpviz.core.neighbours import Neighbours
from dpviz.core.quantiles import QuantileSet, parse_quantiles, uniform_quantiles
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, METRICS
from dpviz.experiments.planning.answers import QUESTIONS, Curve
from dpviz.experiments.planning.beforehand import planned, with_settings
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.mechanisms.quantiles.protocol import QuantileMechanism
from dpviz.ui.bench import budget as budgets
from dpviz.ui.bench import data_choice
from dpviz.ui.bench.headline import headline
from dpviz.ui.kit import choices
from dpviz.ui.kit.frame import label_of
from dpviz.ui.kit.messages import attempt, empty_state
from dpviz.ui.kit.pickers import MOST_QUANTILES, OWN, SETS, UNIFORM
from dpviz.ui.links import readable
from dpviz.ui.visit.page import Tabs, Visit
from dpviz.ui.what_if.basis import Basis, basis_picker, named

TABS = Tabs(
    "w_shown",
    {
        "answer": "Smallest ε",
        "frontier": "Frontier",
        "search": "Exact search",
        "sweep": "Sweep",
        "wins": "Which wins where",
    },
)
PROBABILITIES = (0.5, 0.9, 0.95, 0.99)
METHODS, OFFERED = "w_mechanisms", "_w_methods_offered"
METRIC_HELP = (
    "Places in the ranking between a private and its true quantile (AQ paper, section 4.3): the "
    "largest of a release's quantiles, or their mean."
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything that decides an answer, but for the target."""

    basis: Basis
    question: str
    quantiles: QuantileSet
    methods: tuple[str, ...]
    budget: Budget
    neighbours: Neighbours
    metric: str
    probability: float
    tree: Tree

    @property
    def is_usual(self) -> bool:
        """Whether answers are stored for these settings, if they are for the data."""
        return (
            self.question in QUESTIONS
            and self.is_plain
            and (self.metric, self.probability) == (LARGEST_GAP, USUAL)
            and (self.tree == TREE or "AggTree" not in self.methods)
        )

    @property
    def is_plain(self) -> bool:
        """Whether notion and relation are those of the stored studies."""
        return isinstance(self.budget, PureDP) and self.neighbours is Neighbours.ADD_REMOVE

    def mechanisms(self) -> Mapping[str, QuantileMechanism]:
        """The chosen mechanisms by name. Raises: InvalidParameter for a tree that cannot be."""
        every = with_settings(self.neighbours, self.budget, *self.tree)
        return {name: every[name] for name in self.methods}

    def key(self) -> tuple[Hashable, ...]:
        """Names data, mechanisms and quantiles in full."""
        named = self.question if self.question in QUESTIONS else self.quantiles.asked.tobytes()
        settings = (self.neighbours, self.tree, self.metric, self.probability)
        return (self.basis.about, self.methods, named, *settings)

    def usual(self) -> Mapping[str, Curve]:
        """The curves that are stored for this, or reckoned from those; empty if there are none."""
        return self.basis.curves(self.question) if self.is_usual else {}

    def link(self, method: str) -> dict[str, str]:
        """What leads to these quantiles on the Quantiles page, by a method."""
        asked = [f"{one:.10g}" for one in self.quantiles.asked.tolist()]
        named = self.question in SETS
        chosen = {"set": self.question} if named else {"set": OWN, "own": ", ".join(asked)}
        fanout, height = self.tree if method == "AggTree" else TREE
        shape = {"fanout": fanout, "height": height}
        kept = {name: f"{value}" for name, value in shape.items() if value is not None}
        return {"view": "picture", "method": label_of(method)} | chosen | kept

    def words(self) -> str:
        """What is published, in words."""
        return names.asked(self.question, self.quantiles)

    def names(self) -> StudyNames:
        """What is published, what it is computed on, and what people and values are called."""
        basis = self.basis
        spoken = basis.words.people, basis.words.unit
        return StudyNames(self.words(), basis.title, *spoken, basis.why, basis.is_stand_in)

    def need(self, curves: Mapping[str, Curve], percent: float, **others: Any) -> NeedQuestion:
        """What is asked of curves about a target in per cent; others go to the question."""
        return NeedQuestion(
            curves=curves,
            methods=self.methods,
            percent=percent,
            quantiles=self.quantiles,
            budget=self.budget,
            neighbours=self.neighbours,
            people=self.basis.n,
            metric=self.metric,
            probability=self.probability,
            is_declared=self.basis.is_declared,
            **others,
        )


def label(now: Visit) -> str:
    """What the popover Explore is called: its state."""
    question = choices.expected("w_set", [*QUESTIONS, UNIFORM, OWN], "deciles")
    about = named() or ("" if data_choice.is_apart(now) else data_choice.title())
    return f"{about}, {question}" if about else f"Publish {question}"


EACH_PLACE = "Each part is some releases at one place; the slowest method comes last."
MENDED = "Choose at least one method, and mend what is marked in the popovers below."


def unsettled(way_out: str = MENDED) -> None:
    """What stands on the page while a choice cannot be used."""
    headline("What if", "Something is still to be chosen.", "")
    empty_state(way_out)


def explore(
    now: Visit, beside: DeltaGenerator | None = None
) -> tuple[Basis | None, str, QuantileSet | None]:
    """Data and question; None for what cannot be used, after its problem was shown.

    beside takes the number of a stand-in's people.
    """
    data_choice.choose(now)
    basis = attempt(lambda: basis_picker(beside))
    question = choices.menu(
        "What is to be published",
        [*QUESTIONS, UNIFORM, OWN],
        "w_set",
        "Each quantile q asks for a value with a share q of the people below it.",
        index=list(QUESTIONS).index("deciles"),
    )
    return basis, question, attempt(lambda: _quantiles(question))


def _quantiles(question: str) -> QuantileSet:
    if question in QUESTIONS:
        return QuantileSet.of(QUESTIONS[question])
    if question == UNIFORM:
        meaning = "The quantiles i/(m+1) for i = 1..m (AQ paper, section 3.2)."
        m = choices.whole_number("m", 1, MOST_QUANTILES, "w_m", meaning, default=15)
        return QuantileSet.of(uniform_quantiles(m))
    text = choices.text(
        "Your quantiles",
        "w_own",
        "Numbers strictly between 0 and 1, or percentages, with commas or spaces between.",
        is_readable=readable.parsed_by(parse_quantiles, DpvizError),
        value="0.01, 0.5, 0.99",
        max_chars=10_000,
    )
    return QuantileSet.of(parse_quantiles(text))


def method_choice(budget: Budget) -> tuple[str, ...]:
    """The mechanisms that are looked at, in the catalogue's order: of those that take the budget."""
    every = list(planned(budget))
    offered = st.session_state.get(OFFERED, every)
    if offered != every and set(offered) == {*st.session_state.get(METHODS, [])}:
        st.session_state[METHODS] = every  # all of another notion: all of this one
    st.session_state[OFFERED] = every
    chosen = choices.pills(
        "Methods",
        names.names(every),
        METHODS,
        "Each is run with the whole budget; the best one gives the answer.",
        default=every,
    )
    if not chosen:
        st.caption(":material/info: Choose at least one.")
    return tuple(name for name in every if name in chosen)


def expert(now: Visit, methods: tuple[str, ...], *, chance: bool) -> tuple[str, float, Tree]:
    """Metric, probability and the shape of the tree, below the visit's own experts' settings.

    chance is for views about a target: every quantile is to reach it, unless one says otherwise.
    """
    budgets.expert(now, draws=False)
    if chance:
        metric = choices.segments("Error", METRICS, "w_error", METRIC_HELP, default=LARGEST_GAP)
        meaning = "The share of releases that must reach the target."
        probability = choices.steps(
            "With probability", PROBABILITIES, "w_probability", meaning, default=USUAL
        )
    else:
        metric = choices.segments("Error", METRICS, "w_metric", METRIC_HELP, default=MEAN_GAP)
        probability = USUAL
    return metric, probability, _tree() if "AggTree" in methods else TREE


def _tree() -> Tree:
    left, right = st.columns(2, wrap=False)
    told = {knob.name: knob.help for knob in AggTree.knobs}
    fanout = choices.optional_whole(
        "Tree fanout", 2, 4096, "w_fanout", told["fanout"], placeholder="auto", place=left
    )
    height = choices.optional_whole(
        "Tree height", 1, 22, "w_height", told["height"], placeholder="auto", place=right
    )
    return fanout, height


def chips(asked: Asked, usual: str = LARGEST_GAP) -> list[str]:
    """The page's own settings that are not as at first; usual is the view's own error."""
    return names.chips(asked.metric, usual, asked.probability, asked.tree)
