"""Methods compared, under the sentence of Decide: against one setting, where each wins, exactly."""

from collections.abc import Callable
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpviz import catalogue
from dpviz.answers.decide import price_said
from dpviz.answers.decide.sentences import (
    CELLS,
    COUNT,
    CURVE,
    HISTOGRAM,
    OFFERS,
    QUANTILES,
    RUNNING,
    SETS,
    form_of,
)
from dpviz.answers.number_text import upper
from dpviz.answers.studies import names
from dpviz.answers.studies.names import TREE, USUAL
from dpviz.answers.studies.sweep_said import NAMES as AXES
from dpviz.experiments.engine.tally import LARGEST_GAP, MEAN_GAP, METRICS
from dpviz.experiments.planning.beforehand import planned
from dpviz.experiments.planning.grids import GRIDS
from dpviz.experiments.planning.sweeps import Axis
from dpviz.mechanisms.quantiles.agg_tree import AggTree
from dpviz.ui.decide import deciding, inside, quantiles
from dpviz.ui.decide.deciding import Decision
from dpviz.ui.decide.quantiles import QuantilesTopic
from dpviz.ui.decide.together import Together
from dpviz.ui.kit import frame
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.pickers import OWN
from dpviz.ui.links import arriving
from dpviz.ui.model import fields
from dpviz.ui.model.fields import Field, Number, OneOf, SomeOf, Values, same
from dpviz.ui.model.render import Page
from dpviz.ui.pages import decide
from dpviz.ui.visit import page as visits
from dpviz.ui.visit import state
from dpviz.ui.visit.page import Visit
from dpviz.ui.what_if import many, old_links, search, sweep, wins
from dpviz.ui.what_if.asked import TITLE, Asked, Task
from dpviz.ui.what_if.basis import basis

TREES = tuple(catalogue.shaped())
METRIC_HELP = (
    "Places in the ranking between a private and its true quantile (AQ paper, section 4.3): the "
    "largest of a release's quantiles, or their mean."
)
PRESETS: dict[str, dict[str, Any]] = {
    "own choices": {},
    "How much privacy can I afford?": {"w_axis": Axis.BUDGET},
    "How many quantiles at once?": {"w_axis": Axis.QUANTILES, "eps": 1.0},
    "What would more people give?": {"w_axis": Axis.RECORDS, "eps": 1.0},
    "How deep a tree?": {"w_axis": Axis.HEIGHT, "w_fanout": 2, "w_mechanisms": TREES},
    "How wide a tree?": {"w_axis": Axis.FANOUT, "w_height": 3, "w_mechanisms": TREES},
}
NAME = "what_if"
TASKS: dict[str, type[Task]] = {
    "sweep": sweep.Sweep,
    "wins": wins.Wins,
    "search": search.Search,
    many.NAME: many.Many,
}
NOUNS = {
    COUNT: "a count",
    HISTOGRAM: "a histogram",
    CURVE: "the whole curve",
    CELLS: "a map",
    RUNNING: "running counts",
    OFFERS: "a budget",
}
KNOBS = {knob.name: knob.help for knob in AggTree.knobs}


def _on(*views: str) -> Callable[[Values], bool]:
    return lambda values: values["view"] in views


_aims = _on("search")  # at the need of the sentence
_has_places = _on("sweep", "wins")


def _methods(values: Values) -> list[str]:
    """Those that take the budget, in the catalogue's order."""
    return list(planned(values["budget"]))


def _none_chosen(place: DeltaGenerator, values: Values) -> None:
    least = 2 if values["view"] == "wins" else 1
    if len(values["w_mechanisms"]) < least:
        some = "two methods" if least == 2 else "one"
        place.caption(f":material/info: Choose at least {some}.")


def _has_tree(values: Values) -> bool:
    return not catalogue.shaped().isdisjoint(values["w_mechanisms"])


def _take_preset(name: str) -> None:
    """The settings that answer a question."""
    for key, value in PRESETS[name].items():
        if key == "eps":
            state.put("notion", "pure")
        state.put(key, value)


# fields of a group stand beside each other
FIELDS: tuple[tuple[Field, ...], ...] = (
    *((row,) for row in decide.ROWS.values()),
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
           when=lambda values: values["view"] != many.NAME, under=_none_chosen),),
    (Field("w_metric", "Error", OneOf(same(*METRICS), "segments"), MEAN_GAP, "expert",
           METRIC_HELP, when=_has_places),),
    (Field("w_fanout", "Tree fanout", Number(2.0, 4096.0, "%.0f", is_whole=True, placeholder="auto"),
           None, "expert", KNOBS["fanout"], when=_has_tree),
     Field("w_height", "Tree height", Number(1.0, 22.0, "%.0f", is_whole=True, placeholder="auto"),
           None, "expert", KNOBS["height"], when=_has_tree)),
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
    many.FIELDS,
)  # fmt: skip


def _ask(values: Values, now: Visit) -> Task | str | None:
    form, methods = form_of(values["what"]), values["w_mechanisms"]
    if form != QUANTILES:
        return f"This view is about quantiles, and the sentence is about {NOUNS[form]}."
    asked_of, published = attempt(basis), attempt(lambda: quantiles.asked(values))
    if asked_of is None or published is None or not methods:
        return None
    if values["view"] == "wins" and len(methods) < 2:
        return "Choose at least two methods to see which one wins."
    percent, decision = 1.0, None
    if _aims(values):
        decision = _decision(values, now)
        found = _percent(decision)
        if isinstance(found, str):
            return found
        percent = found
    what = values["what"]
    asked = Asked(
        asked_of,
        what if what in SETS else OWN,
        published,
        methods,
        now.budget,
        now.neighbours,
        LARGEST_GAP if _aims(values) else values["w_metric"],
        values["often"] if _aims(values) else USUAL,
        (values["w_fanout"], values["w_height"]) if _has_tree(values) else TREE,
    )
    return TASKS[values["view"]](now, asked, values, percent, decision)


def _decision(values: Values, now: Visit) -> Decision:
    """What the sentence asks and says; of a file nothing but what is declared is looked at."""
    return deciding.of(values, now, releases=False)


def _percent(found: Decision) -> float | str:
    """The need in per cent of the places; or why it cannot be said."""
    if found.missing:
        return f"{upper(price_said.missing_text(found.missing))}."
    if found.price is None:
        return f"{upper(found.words()['answer']).rstrip('.')}."
    assert isinstance(found.topic, QuantilesTopic | Together)
    percent = found.topic.percent(found.price)
    if percent is not None:
        return percent
    if found.price.size is not None:
        return "The need is less than one place in the ranking: nothing is off by so little."
    if found.price.is_about:
        return "The answer is still to be worked out, and with it the need in places."
    return "No budget keeps this need, so that it has no place in the ranking."


def _inside(values: Values, now: Visit) -> None:
    """The sentence in one line, and the ways from it; presenting, neither.

    An answer of which nothing is known before its check is checked, as on Decide.
    """
    found = _decision(values, now)
    if not now.presenting:
        inside.line(found, decide.ROWS, now.view)
    if found.price is not None and found.price.is_about and found.price.size is None:
        deciding.check(found)


def _arrives() -> None:
    """Jobs of other files go. A link of former versions opens its view, or the sentence itself."""
    forget_other_uploads()
    reads = fields.reads_link(NAME)
    said = old_links.in_words() if reads else {}
    view = list(arriving.linked("view")) if reads else []
    if arriving.went_back() and not view:
        visits.show_view(NAME, "sweep")  # to lead on once more would make a trap of Back
    if state.store().get(f"view_{NAME}") not in TASKS and view not in [[one] for one in TASKS]:
        unfolded = {"view": inside.FRONTIER.view} if view == ["frontier"] else {}
        state.follow(old_links.rest() | said | unfolded)
        frame.go("decide")
    for key, text in said.items():
        arriving.say_anew(key, [text])
    if reads:
        state.write_more(dict.fromkeys(old_links.KEYS))


MENDED = "“Answer”, above, leads back to the sentence. Choose at least one method below."
PAGE: Page[Any] = Page(
    name=NAME,
    title=TITLE,
    fields=FIELDS,
    views=(sweep.VIEW, wins.VIEW, search.VIEW, many.VIEW),
    ask=_ask,
    label=lambda values: "Made-up column" if values["view"] == many.NAME else "Methods",
    arrives=_arrives,
    known=lambda now: {"budget": now.budget},
    missing="Something is still to be chosen.",
    missing_why=MENDED,
    refused=MENDED,
    slides="dpviz-look-inside",
    question_tab="Question",
    steady=True,
    ledger_in_dock="always",
    epsilon=1.0,
    rho=0.5,
    kind=decide.kind,
    inside=_inside,
)
