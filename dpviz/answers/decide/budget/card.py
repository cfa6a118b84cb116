"""The card of a decision: what is published, under which promise, how exact, what is spent."""

import html
from contextlib import suppress
from dataclasses import dataclass

from dpviz.answers.decide.risk import HUNDRED, NO_PROMISE, RiskNumbers
from dpviz.answers.decide.risk import answer as risk_of
from dpviz.answers.decide.tank import TankNumbers
from dpviz.answers.number_text import number
from dpviz.answers.privacy.amounts import epsilon_text
from dpviz.answers.privacy.deployments import NAMED, NO_RANKING
from dpviz.answers.privacy.promise import promised
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours, PureDP, compose
from dpviz.core.errors import InvalidBudget
from dpviz.version import __version__

MONTHS = 12
NOT_PROMISED = "facts about groups; leaks elsewhere; a second release for free"
LISTED = 12  # values that a row lists
NOTIONS = {PureDP: ", pure", ApproxDP: "", ZCDP: ", zero-concentrated"}
TO_SIGN = ("Date", "Who decides", "Signed")
STYLE = (
    "@page{size:A4 portrait;margin:16mm}body{font:12pt/1.45 sans-serif;color:#14181D;"
    "background:#fff;max-width:178mm;margin:0 auto;padding:8mm 0}h1{font:600 22pt/1.2 serif}"
    "table{border-collapse:collapse;width:100%;margin:4mm 0}th,td{text-align:left;"
    "vertical-align:top;padding:1.5mm 4mm 1.5mm 0;border-bottom:.4pt solid #999}"
    "th{font-weight:400;color:#4A535C;width:38mm}.lines{height:16mm;border-bottom:.4pt solid #777}"
    "svg{max-width:100%;height:auto}"
)


@dataclass(frozen=True, slots=True)
class Words:
    """Public words of a decision, plain: all are chosen without the data.

    what is published ("nine deciles of salary"), to whom the promise is made ("person"), what was
    asked ("2 % of pay"), how often ("19 times of 20"), by which method, and further public facts,
    such as the two numbers that shaped made-up pay. is_given: a budget was typed, which keeps so
    much: nobody asked for it.
    """

    what: str
    person: str
    asked: str
    often: str
    method: str
    public: tuple[str, ...] = ()
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class CardNumbers:
    """What the rows of a card say. Everything in it is public, or was published.

    values are published ones as they are written, none before the release. came is what the
    release is off by at most, as text in the unit of the need: all of count numbers at once. risk
    is of one release, and monthly of twelve a year, together yearly; None where the δ of twelve
    add up to 1 or more, and so to no promise.
    """

    budget: Budget
    neighbours: Neighbours
    values: tuple[str, ...]
    came: str
    count: int
    tank: TankNumbers
    risk: RiskNumbers
    yearly: Budget | None
    monthly: RiskNumbers

    @property
    def is_published(self) -> bool:
        """Whether the release was made."""
        return bool(self.values or self.came)


def answer(
    budget: Budget,
    neighbours: Neighbours,
    tank: TankNumbers,
    values: tuple[str, ...] = (),
    came: str = "",
    count: int = 1,
) -> CardNumbers:
    """The card of one release; tank is how the budget stands before it, or once it is spent."""
    yearly = None
    with suppress(InvalidBudget):  # too large a δ
        yearly = compose([budget] * MONTHS)
    return CardNumbers(
        budget=budget,
        neighbours=neighbours,
        values=values,
        came=came,
        count=count,
        tank=tank,
        risk=risk_of(budget, neighbours),
        yearly=yearly,
        monthly=NO_PROMISE if yearly is None else risk_of(yearly, neighbours),
    )


def rows(found: CardNumbers, words: Words) -> list[tuple[str, str]]:
    """Words and texts of the card's rows, plain, in their order."""
    listed = [("What", words.what)]
    if found.values:
        listed.append(("Values", " · ".join(shortened(found.values))))
    return [
        *listed,
        ("Promise", promise(found, words.person)),
        ("Exactness", exactness(found, words)),
        ("Method", words.method),
        ("Public besides", "; ".join(words.public)),
        spent(found),
    ]


def shortened(values: tuple[str, ...]) -> tuple[str, ...]:
    """All values; of many the first and last."""
    return values if len(values) <= LISTED else (*values[:5], "…", *values[-2:])


def promise(found: CardNumbers, person: str) -> str:
    """The notion, and the promise as odds."""
    size = str(found.budget)
    said = promised(found.budget, found.neighbours, person)
    return f"{size}{NOTIONS[type(found.budget)]}{said.removeprefix(size)}"


def exactness(found: CardNumbers, words: Words) -> str:
    """What was asked for, or what the budget keeps, and what came."""
    asked = f"{'the budget keeps' if words.is_given else 'asked'}: {words.asked}"
    if found.came:
        asked += f"; came: {found.came}"
    together = f", all {number(found.count)} at once" if found.count > 1 else ""
    return f"{asked}{together}, {words.often}"


def spent(found: CardNumbers) -> tuple[str, str]:
    """What the release spent, or would, of what was promised."""
    promised_size = epsilon_text(found.tank.promised)
    if found.tank.is_rehearsal:
        return "Rehearsed", f"{found.budget} of a promise of {promised_size}"
    if found.is_published:
        left = f"{epsilon_text(found.tank.left)} of {promised_size} is left"
        return "Spent", f"{found.budget}, for good; {left}"
    if found.tank.is_too_low:
        return "Takes", f"{found.budget}; only {epsilon_text(found.tank.left)} is left"
    left = f"then {epsilon_text(found.tank.then)} of {promised_size} is left"
    return "Takes", f"{found.budget}; {left}"


def policy(found: CardNumbers, words: Words) -> list[tuple[str, str]]:
    """The rows of a decision card: what somebody signs."""
    limit = f"{found.risk.before} in {HUNDRED} becomes at most {found.risk.after}"
    accuracy = f"off by at most {words.asked}, {words.often}"
    if found.came:
        accuracy = exactness(found, words)
    return [
        ("RISK", limit),
        ("ACCURACY", accuracy),
        ("COST", cost(found)),
        ("NOT PROMISED", NOT_PROMISED),
        ("COMPARED WITH", compared(found)),
        ("STATED IN", "; ".join(one.source for one in NAMED)),
    ]


def cost(found: CardNumbers) -> str:
    """What a monthly report would come to."""
    if found.yearly is None:
        return "once; monthly: δ adds up to 1 or more a year, which promises nothing"
    year = f"monthly: {found.yearly.size:g} a year"
    if found.monthly.after >= HUNDRED:
        return f"once; {year}, hardly a cap"
    return f"one release; {year}, {found.monthly.after} in {HUNDRED}"


def compared(found: CardNumbers) -> str:
    """What others chose, in ε; a budget in ρ is beside none of them."""
    others = "; ".join(one.text.replace(",", "", 1) for one in NAMED)
    ours = "" if isinstance(found.budget, ZCDP) else f"ours {found.budget.size:g}; "
    return f"{ours}{others}: {NO_RANKING}"


def decision_card(found: CardNumbers, words: Words, picture: str = "") -> str:
    """The card as one printable page of HTML, with room to sign; picture is an SVG of ours."""
    verb = "Decision" if found.is_published else "Proposal"
    title = f"{verb}: {found.budget}, once, for {words.what}"
    condition = (
        f"If at most {found.risk.after} in {HUNDRED} (from {found.risk.before}) and "
        f"{words.asked} off are acceptable. A policy: somebody decides."
    )
    listed = dict([*policy(found, words), *rows(found, words)])
    table = "".join(
        f"<tr><th>{_safe(name)}</th><td>{_safe(text)}</td></tr>" for name, text in listed.items()
    )
    empty = "".join(f"<p>{name}</p><div class='lines'></div>" for name in TO_SIGN)
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        f"<title>dpviz: decision card</title><style>{STYLE}</style></head><body>"
        f"<h1>{_safe(title)}</h1><p>{_safe(condition)}</p>"
        f"<section><table>{table}</table>{picture}</section>{empty}"
        f"<p><small>Made with dpviz {__version__}.</small></p></body></html>"
    )


def _safe(text: str) -> str:
    return html.escape(text, quote=False)
