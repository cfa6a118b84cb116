"""The Quantiles page: private numbers beside the true ones, methods compared, what lies behind."""

from collections.abc import Sequence
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpviz.answers.quantiles import bins_said
from dpviz.answers.quantiles.answers import percent_of
from dpviz.answers.said import plain
from dpviz.core.quantiles import parse_quantiles
from dpviz.ui.beforehand import frame
from dpviz.ui.kit import session
from dpviz.ui.kit.draws import NotAsked, draw_of_visit
from dpviz.ui.kit.messages import attempt
from dpviz.ui.kit.pickers import MOST_QUANTILES, OWN, SETS, UNIFORM
from dpviz.ui.model.fields import Field, Number, OneOf, SomeOf, Switch, Text, Values, Whole, same
from dpviz.ui.model.render import Page, View
from dpviz.ui.quantiles import (
    bins,
    column,
    compare,
    knobs,
    methods,
    picture,
    profile,
    recursion,
    wanted,
)
from dpviz.ui.quantiles.below import PANELS
from dpviz.ui.quantiles.knobs import Settings
from dpviz.ui.quantiles.page import QuantilesPage
from dpviz.ui.quantiles.releases import Question
from dpviz.ui.visit.page import Visit

RUNS = (20, 50, 100, 200, 500)
SHORT = {"recursive halving": "halving"}
MOST_POINTS = 100_000
MENDED = "The picture returns once that is mended."


def _on(*views: str) -> Any:
    return lambda values: values["view"] in views


def _asks_quantiles(values: Values) -> bool:
    return values["view"] not in {"column", bins.NAME}


def _why(place: DeltaGenerator, values: Values) -> None:
    """The method that suits the question, and the one that is next."""
    place.caption(plain(methods.recommendation(values)))


def _shows_draws(values: Values) -> bool:
    """Whether further draws may stand beside this one: on a file they are asked for first."""
    return session.shows_truth() and (values["bands"] or not session.is_upload())


class _Nodes(Whole):
    """The nodes of a recursion, from −1 for none, each called by its quantile."""

    def draw(self, place: DeltaGenerator, row: Field, values: Values, widget: Any) -> None:
        """A list that opens."""
        found = wanted.quantiles(values).distinct
        names = {-1: "none: the budgets of a step"}
        names |= {at: f"the {percent_of(float(one))} point" for at, one in enumerate(found)}
        place.selectbox(row.label, list(names), format_func=names.__getitem__, **widget)


# fields of a group stand beside each other
FIELDS: tuple[Sequence[Field], ...] = (
    (Field(methods.METHOD, "Method", OneOf(methods.labels, shown=methods.named), methods.at_first,
           "question", "Each method spends the whole budget in a release of its own; in practice "
           "one would choose one. The cards are on the Methods page.", when=methods.is_one, under=_why, kept=lambda: f"q_{methods.METHOD}", late=True,
           silent=methods.recommended_now),),
    (Field(methods.COMPARED, "Compared",
           SomeOf(methods.labels, "pills", 1, methods.MOST, methods.heading),
           lambda _: tuple(methods.labels())[: methods.MOST], "question",
           "Each one spends the whole budget. The truth ranks them, so the ranking is "
           "confidential.", when=_on("compare"), kept=lambda: f"q_{methods.COMPARED}"),),
    (Field("set", "Quantiles", OneOf(same(*SETS, UNIFORM, OWN)), "deciles", "question",
           "Each quantile q asks for a value with a share q of the records below it.",
           when=_asks_quantiles),),
    (Field("m", "m", Whole(1, MOST_QUANTILES), 15, "question",
           "The quantiles i/(m+1) for i = 1..m (AQ paper, section 3.2).",
           when=lambda values: _asks_quantiles(values) and values["set"] == UNIFORM),),
    (Field("own", "Your quantiles", Text(parse_quantiles, longest=10_000), "0.01, 0.5, 0.99",
           "question", "Numbers strictly between 0 and 1, or percentages, with commas or spaces "
           "between.", when=lambda values: _asks_quantiles(values) and values["set"] == OWN),),
    (Field(recursion.NODE, "Numbers of one node",
           _Nodes(-1, lambda values: wanted.count(values) - 1), -1, "question",
           "Click a dot, or choose its quantile here: its numbers stand under the picture.",
           when=_on("recursion"), linked=lambda: False, late=True),),
    (Field("points", "Points (leave empty to pay for a noisy count)",
           Number(1.0, float(MOST_POINTS), "%.0f", is_whole=True, empty="none"), 1000,
           "question",
           "How many are declared in advance, or a noisy count bought with a tenth of the budget; "
           "the true number of people is never used (if one value is replaced, it is public).",
           when=_on("column")),),
    (Field("bands", "Other draws beside this one", Switch(), False, "question",
           "Where further draws would fall. Each one spends the whole budget again.",
           when=lambda values: session.shows_truth() and session.is_upload()
           and values["view"] in {"picture", "compare"}, linked=lambda: False,
           kept=lambda: f"q_bands_{session.scope()}"),),
    (Field("runs", "Other draws beside this one", OneOf({one: f"{one}" for one in RUNS}, "slider"),
           lambda _: 50 if session.is_upload() else 200, "question",
           "Where further draws would fall: pale bands and hills. A release holds one draw.",
           when=lambda values: _shows_draws(values) and values["view"] in {"picture", "compare"}),),
    (Field("below", "Below the picture",
           OneOf(same(*PANELS), "segments", {"label_visibility": "collapsed"}),
           next(iter(PANELS)), "below",
           when=_on("picture", "compare", "recursion")),),
)  # fmt: skip

VIEWS: tuple[View[QuantilesPage, Any], ...] = (
    picture.VIEW,
    compare.VIEW,
    recursion.VIEW,
    column.VIEW,
    profile.VIEW,
    bins.VIEW,
)


def _ask(values: Values, now: Visit) -> QuantilesPage | str:
    data = attempt(session.column)
    if data is None:
        return "The column needs its bounds."
    each = attempt(lambda: session.each(now.budget))
    if each is None:
        return "The budget cannot be shared."
    asked = attempt(lambda: wanted.quantiles(values))
    if asked is None:
        return "These are no quantiles."
    return QuantilesPage(
        now,
        Question(data, asked, each, draw_of_visit()),
        Settings(session.neighbours(), values),
        values[methods.METHOD],
        values[methods.COMPARED],
        values["runs"] if _shows_draws(values) else 0,
        values["points"],
    )


def _before(now: Visit, waits: NotAsked, page: QuantilesPage, values: Values) -> None:
    if values["view"] == bins.NAME:
        frame.frame_of("Quantiles", now, waits, lambda: (None, bins.beforehand(page, values)))
        return
    frame.quantiles_before(now, waits, page.question, page.settings, methods.used(values))


def _label(values: Values) -> str:
    """What the popover of questions holds, in short."""
    view = values["view"]
    if view == "column":
        return "Made-up column"
    if view == bins.NAME:
        return bins_said.kind_words(values["b_kind"], values["b_bins"])
    said = wanted.named(values)
    if view == "compare":
        count = len(values[methods.COMPARED])
        return f"{said}, {count} method{'' if count == 1 else 's'}"
    if view == "recursion":
        return f"{said}, recursion"
    name = methods.in_words(values[methods.METHOD])
    return f"{said}, {SHORT.get(name, name)}"


def page() -> Page[QuantilesPage]:
    """The page with what the catalogue holds now."""
    return Page(
        name="quantiles",
        title="Quantiles",
        tabs_key="q_view",
        fields=(*FIELDS, *bins.FIELDS, *knobs.rows()),
        views=VIEWS,
        ask=_ask,
        before=_before,
        label=_label,
        arrives=methods.view_of_link,
        known=lambda now: {"budget": now.budget},
        missing="Nothing was published.",
        missing_why=MENDED,
        refused=MENDED,
        question_tab="Quantiles",
        data_last=True,
        ledger_in_dock=lambda values: "hidden" if values["view"] == bins.NAME else "always",
        people="The bands of a release need it.",
    )
