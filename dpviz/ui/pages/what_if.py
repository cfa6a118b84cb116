"""What if: the smallest ε for a wanted accuracy, before anything is released."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpviz import catalogue
from dpviz.answers.studies import names
from dpviz.answers.studies.names import TREE, USUAL
from dpviz.answers.studies.sweep_said import NAMES as AXES
from dpviz.core.quantiles import QuantileSet, parse_quantiles, uniform_quantiles
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, METRICS
from dpviz.experiments.planning.answers import QUESTIONS
from dpviz.experiments.planning.beforehand import FINE, planned
from dpviz.experiments.planning.grids import GRIDS
from dpviz.experiments.planning.stand_ins import SHAPES
from dpviz.experiments.planning.sweeps import Axis
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.ui.bench import data_choice
from dpviz.ui.kit import frame, session
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.pickers import MOST_QUANTILES, OWN, UNIFORM
from dpviz.ui.model.fields import (
    Field,
    Note,
    Number,
    OneOf,
    SomeOf,
    Switch,
    Text,
    Values,
    Whole,
    same,
)
from dpviz.ui.model.render import Page
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import answer, frontier, search, sweep, wins
from dpviz.ui.what_if.asked import TREE_METHOD, Asked, Task
from dpviz.ui.what_if.basis import (
    FEWEST,
    MOST,
    SAMPLE,
    STAND_IN,
    WHY_FILE,
    DeclaredPeople,
    basis_of,
    in_menu,
    named,
    stands_in,
)

TARGETS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
LEAST_TARGET, MOST_TARGET = 0.001, 50.0
PROBABILITIES = (0.5, 0.9, 0.95, 0.99)
SUSPICIONS = (1, 2, 5, 10, 20, 50)
SUSPECTED = "Suspected beforehand"
METRIC_HELP = (
    "Places in the ranking between a private and its true quantile (AQ paper, section 4.3): the "
    "largest of a release's quantiles, or their mean."
)
PRESETS: dict[str, dict[str, Any]] = {
    "own choices": {},
    "How much privacy can I afford?": {"w_axis": Axis.BUDGET},
    "How many quantiles at once?": {"w_axis": Axis.QUANTILES, "eps": 1.0},
    "What would more people give?": {"w_axis": Axis.RECORDS, "eps": 1.0},
    "How deep a tree?": {"w_axis": Axis.HEIGHT, "w_fanout": 2, "w_mechanisms": (TREE_METHOD,)},
    "How wide a tree?": {"w_axis": Axis.FANOUT, "w_height": 3, "w_mechanisms": (TREE_METHOD,)},
}
TASKS: dict[str, type[Task]] = {
    "answer": answer.Curves,
    "frontier": answer.Curves,
    "search": search.Search,
    "sweep": sweep.Sweep,
    "wins": wins.Wins,
}
KNOBS = {knob.name: knob.help for knob in AggTree.knobs}


def _on(*views: str) -> Callable[[Values], bool]:
    return lambda values: values["view"] in views


_has_target = _on("answer", "frontier", "search")
_has_places = _on("sweep", "wins")


def _is_guessed(values: Values) -> bool:
    """Whether people of a stand-in for a sample are asked for."""
    return stands_in(values) and not session.is_upload()


def _people_place(values: Values) -> Any:
    return "dock" if _has_target(values) else "question"


def _stops(percent: float) -> list[float]:
    return sorted({*TARGETS, percent})


def _methods(values: Values) -> list[str]:
    """Those that take the budget, in the catalogue's order."""
    return list(planned(values["budget"]))


def _none_chosen(place: DeltaGenerator, values: Values) -> None:
    least = 2 if values["view"] == "wins" else 1
    if len(values["w_mechanisms"]) < least:
        some = "two methods" if least == 2 else "one"
        place.caption(f":material/info: Choose at least {some}.")


def _has_tree(values: Values) -> bool:
    return TREE_METHOD in values["w_mechanisms"]


def _take_preset(name: str) -> None:
    """The settings that answer a question."""
    for key, value in PRESETS[name].items():
        if key == "eps":
            state.put("notion", "pure")
        state.put(key, value)


def _suspected(_: Values) -> str:
    return SUSPECTED if visits.is_scarce() else "What an attacker suspects beforehand"


# fields of a group stand beside each other
FIELDS: tuple[tuple[Field, ...], ...] = (
    (Field("w_target", "Off by at most, % of the places",
           Number(LEAST_TARGET, MOST_TARGET, is_needed=True, stops=_stops), 1.0, "budget",
           when=_has_target),),
    (Field("w_target_exact", "Target: at most, % of the places",
           Number(LEAST_TARGET, MOST_TARGET, "%.6g", is_needed=True),
           lambda values: values["w_target"], "expert",
           "1 % means that a private median lies between the 49 % and the 51 % quantile.",
           when=_has_target, linked=lambda: False, kept=lambda: "w_target"),),
    (Field("w_why", WHY_FILE, Note(), None, "question", linked=lambda: False,
           when=lambda _: session.is_upload()),),
    (Field("w_basis", "Computed on", OneOf(same(SAMPLE, STAND_IN), "segments"), SAMPLE, "question",
           "A sample is public, so its own errors may be looked at. Real data are not: for them a "
           "stand-in of a similar shape and a public number of people takes their place.",
           when=lambda _: not session.is_upload()),),
    (Field("w_shape", "Shape of the stand-in",
           OneOf({shape.key: in_menu(shape.key) for shape in SHAPES}), SHAPES[0].key, "question",
           "What everyone could know about values of this kind. Errors in ranks depend little on "
           "it.", when=stands_in),),
    (Field("w_people", "About how many people (public)", Whole(FEWEST, MOST), FINE, _people_place,
           "A guess that everyone could make: ten times the people need a tenth of the ε.",
           when=_is_guessed),),
    (Field("w_declared", "About how many people (public)", DeclaredPeople(),
           lambda _: session.declared("size"), _people_place,
           "Ten times the people need a tenth of the ε.", linked=lambda: False,
           when=lambda _: session.is_upload()),),
    (Field("w_set", "What is to be published", OneOf(same(*QUESTIONS, UNIFORM, OWN)), "deciles",
           "question",
           "Each quantile q asks for a value with a share q of the people below it."),),
    (Field("w_m", "m", Whole(1, MOST_QUANTILES), 15, "question",
           "The quantiles i/(m+1) for i = 1..m (AQ paper, section 3.2).",
           when=lambda values: values["w_set"] == UNIFORM),),
    (Field("w_own", "Your quantiles", Text(parse_quantiles, longest=10_000), "0.01, 0.5, 0.99",
           "question", "Numbers strictly between 0 and 1, or percentages, with commas or spaces "
           "between.", when=lambda values: values["w_set"] == OWN),),
    (Field("w_preset", "Question", OneOf(same(*PRESETS)), next(iter(PRESETS)), "question",
           "Puts the settings that answer a question into the widgets.", when=_on("sweep"),
           linked=lambda: False, then=_take_preset),),
    (Field("w_axis", "Error against", OneOf({axis: AXES[axis] for axis in Axis}), Axis.BUDGET,
           "question", "Fewer people are drawn from the column without replacement; m takes uniform "
           "quantiles; height and fanout move AggTree alone.", when=_on("sweep")),),
    (Field("w_mechanisms", "Methods",
           SomeOf(lambda: names.names([kind.name for kind in catalogue.QUANTILES]), "pills",
                  among=_methods), lambda values: tuple(_methods(values)), "question",
           "Each is run with the whole budget; the best one gives the answer.",
           under=_none_chosen),),
    (Field("w_error", "Error", OneOf(same(*METRICS), "segments"), LARGEST_GAP, "expert",
           METRIC_HELP, when=_has_target),),
    (Field("w_metric", "Error", OneOf(same(*METRICS), "segments"), MEAN_GAP, "expert",
           METRIC_HELP, when=_has_places),),
    (Field("w_probability", "With probability",
           OneOf({one: f"{one:g}" for one in PROBABILITIES}, "slider"), USUAL, "expert",
           "The share of releases that must reach the target.", when=_has_target),),
    (Field("w_fanout", "Tree fanout", Number(2.0, 4096.0, "%.0f", is_whole=True, placeholder="auto"),
           None, "expert", KNOBS["fanout"], when=_has_tree),
     Field("w_height", "Tree height", Number(1.0, 22.0, "%.0f", is_whole=True, placeholder="auto"),
           None, "expert", KNOBS["height"], when=_has_tree)),
    (Field("w_suspicion", SUSPECTED, OneOf({one: f"{one} %" for one in SUSPICIONS}, "slider"), 10,
           lambda values: "expert" if stands_in(values) else "dock", when=_on("answer"),
           worded=_suspected),),
    (Field("w_unit", "Unit",
           OneOf({sweep.PEOPLE: "people", sweep.SHARE: sweep.SHARE}, "segments"), sweep.PEOPLE,
           "expert", "A relative error compares columns, or samples, of different sizes.",
           when=_on("sweep")),),
    (Field("w_runs", "Runs at each point", OneOf({one: f"{one}" for one in sweep.RUNS}, "slider"),
           50, "expert", "More runs, smaller error bars. Each is a release of its own: for planning "
           "on public data or in a teaching view, never for real people's data that are then "
           "published.", when=_on("sweep")),),
    (Field("w_map", "Map", OneOf(same(*GRIDS), "segments"), next(iter(GRIDS)), "expert",
           "Quick: three budgets, three numbers of quantiles, up to three sample sizes. Complete: "
           "seven, four and five.", when=_on("wins")),),
    (Field("w_compare", "Compare methods", Switch(), False, "below", when=_on("answer")),),
)  # fmt: skip


def _quantiles(values: Values) -> QuantileSet:
    if values["w_set"] in QUESTIONS:
        return QuantileSet.of(QUESTIONS[values["w_set"]])
    if values["w_set"] == UNIFORM:
        return QuantileSet.of(uniform_quantiles(values["w_m"]))
    return QuantileSet.of(parse_quantiles(values["w_own"]))


def _ask(values: Values, now: Visit) -> Task | str | None:
    basis = attempt(lambda: basis_of(values))
    quantiles = attempt(lambda: _quantiles(values))
    methods = values["w_mechanisms"]
    if basis is None or quantiles is None or not methods:
        return None
    if values["view"] == "wins" and len(methods) < 2:
        return "Choose at least two methods to see which one wins."
    aims = _has_target(values)
    tree = (values["w_fanout"], values["w_height"]) if _has_tree(values) else TREE
    asked = Asked(
        basis,
        values["w_set"],
        quantiles,
        methods,
        now.budget,
        now.neighbours,
        values["w_error" if aims else "w_metric"],
        values["w_probability"] if aims else USUAL,
        tree,
    )
    return TASKS[values["view"]](now, asked, values)


def _label(values: Values) -> str:
    """What is computed on, and what is published."""
    now, question = visits.opened(), values["w_set"]
    is_apart = now is not None and data_choice.is_apart(now)
    about = named(values) or ("" if is_apart else data_choice.title())
    return f"{about}, {question}" if about else f"Publish {question}"


def _arrives() -> None:
    """Jobs of other files go; an answer that was taken along leads to the page that spends it."""
    forget_other_uploads()
    link = state.store().pop(answer.LEAVING, None)
    if link is not None:
        state.follow(link)
        frame.go("quantiles")


MENDED = "Choose at least one method, and mend what is marked in the popovers below."
PAGE: Page[Any] = Page(
    name="what_if",
    title="What if",
    tabs_key="w_shown",
    fields=FIELDS,
    views=(answer.VIEW, frontier.VIEW, search.VIEW, sweep.VIEW, wins.VIEW),
    ask=_ask,
    label=_label,
    arrives=_arrives,
    known=lambda now: {"budget": now.budget},
    missing="Something is still to be chosen.",
    missing_why=MENDED,
    refused=MENDED,
    slides="dpviz-what-if",
    question_tab="Question",
    steady=True,
    ledger_in_dock=lambda values: "never" if values["view"] == "answer" else "always",
    epsilon=1.0,
    rho=0.5,
)
