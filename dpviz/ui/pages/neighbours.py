"""One person: what a count, a quantile or a belief is with them and without, and whom they trust."""

from typing import Any

from dpviz.ui.model.fields import Field, Values
from dpviz.ui.model.render import Page
from dpviz.ui.understand import belief, one_count, one_quantile, people, rows, trust
from dpviz.ui.understand.questions import quantile_name
from dpviz.ui.visit.page import Visit

CASES = {
    "count": one_count.case_of,
    "quantile": one_quantile.case_of,
    "meaning": belief.promise_of,
    "trust": trust.case_of,
}


def _kind(values: Values) -> str:
    return str(values["view"])


def _is_asked(values: Values) -> bool:
    return _kind(values) not in {"meaning", "trust"}


def _is_count(values: Values) -> bool:
    return _kind(values) == rows.COUNT


# fields of a group stand beside each other
FIELDS: tuple[tuple[Field, ...], ...] = (
    *rows.question(_kind),
    *rows.person(_kind, _is_asked),
    (belief.SUSPICION,),
    trust.FIELDS,
    (one_count.SUPPOSED,),
    rows.noise(_is_count),
    rows.read_at(lambda values: _kind(values) != rows.QUANTILE),
    (one_quantile.RANGE,),
)


def _ask(values: Values, now: Visit) -> Any:
    return CASES[now.view](values, now)


def _label(values: Values) -> str:
    """What is asked, and of whom; nothing where a belief is about anybody."""
    if _kind(values) == "trust":
        return trust.QUESTIONS[values["n_trust"]]
    if not _is_asked(values):
        return ""
    what = "count" if _is_count(values) else quantile_name(values["n_quantile"])
    return f"{what[0].upper()}{what[1:]}, {people.who_of(values)}"


PAGE: Page[Any] = rows.page_of(
    name="neighbours",
    title="One person",
    tabs_key="n_asks",
    fields=FIELDS,
    views=(one_count.VIEW, one_quantile.VIEW, belief.VIEW, trust.VIEW),
    ask=_ask,
    label=_label,
    missing="What one person changes",
    ledger_in_dock=lambda values: "always" if _kind(values) == rows.QUANTILE else "never",
)
