"""Budget: what many answers to one question give away, and what they take."""

from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.core.budgets import ZCDP
from dpviz.experiments.privacy.averaging import MOST
from dpviz.ui.bench import budget, tanks
from dpviz.ui.kit import session
from dpviz.ui.model.fields import Field, Number, OneOf, Values
from dpviz.ui.model.render import Page
from dpviz.ui.understand import rows
from dpviz.ui.understand.answers import ANSWERS
from dpviz.ui.understand.spending import ACCOUNTS, OTHERS, TANK, Answered, asked_of, bill_of
from dpviz.ui.visit.fields import LARGEST, LEAST


def _kind(values: Values) -> str:
    return str(values["b_ask"])


def _is_rho(values: Values) -> bool:
    return isinstance(values["budget"], ZCDP)


def _symbol(values: Values) -> str:
    return "ρ" if _is_rho(values) else "ε"


def _one_answer(key: str, symbol: str, first: float, *, is_rho: bool) -> Field:
    """The budget of one answer: the page's own, beside the visit's."""
    return Field(
        key, f"Privacy budget {symbol} of one answer",
        Number(LEAST, LARGEST, is_needed=True, stops=budget.stops), first, "budget",
        when=lambda values: _is_rho(values) == is_rho,
    )  # fmt: skip


# fields of a group stand beside each other
FIELDS: tuple[tuple[Field, ...], ...] = (
    (_one_answer("b_eps", "ε", 0.1, is_rho=False),),
    (_one_answer("b_rho", "ρ", 0.005, is_rho=True),),
    (Field("b_k", "How often it is answered",
           OneOf({one: str(one) for one in ANSWERS}, "slider", shown=lambda one, _: f"{one:,}"),
           lambda _: 1 if session.is_upload() else MOST, "dock"),),
    (Field(tanks.PROMISED, "Promised to everybody", Number(LEAST, LARGEST, "%.6g", is_needed=True),
           tanks.PROMISE, "question",
           worded=lambda values: f"Promised to everybody ({_symbol(values)})"),),
    rows.asks("b_ask", rows.ASKS),
    *rows.question(_kind),
    rows.noise(lambda values: _kind(values) == rows.COUNT),
    rows.read_at(lambda _: True),
)  # fmt: skip


def _label(values: Values) -> str:
    return f"Promised: {_symbol(values)} = {epsilon_text(bill_of(values).promise)}"


PAGE: Page[Answered] = rows.page_of(
    name="budget",
    title="Budget",
    tabs_key="b_shown",
    fields=FIELDS,
    views=(TANK, ACCOUNTS, OTHERS),
    ask=asked_of,
    label=_label,
    missing="What many answers cost",
)
