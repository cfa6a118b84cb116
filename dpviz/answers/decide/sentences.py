"""The sentences of the page Decide: a template for each thing to publish, each way round.

Words in braces are controls; "~" keeps a word on the line of the word before. {answer} stands where
computed words do, and {lead} where those do that come before them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from dpviz.core.quantiles import DECILES, PERCENTILES, QUARTILES

# what a person has said, so that the other one is computed; or it was published
NEED, BUDGET, PUBLISHED, REHEARSED = "need", "budget", "published", "rehearsed"
ONCE = {PUBLISHED: "Published, once:", REHEARSED: "Rehearsed:"}
QUANTILES, COUNT, HISTOGRAM, CURVE, CELLS, RUNNING, OFFERS = (
    "quantiles",
    "count",
    "histogram",
    "curve",
    "map",
    "running",
    "offers",
)
SETS = {
    "median": (0.5,),
    "quartiles": tuple(QUARTILES.tolist()),
    "deciles": tuple(DECILES.tolist()),
    "percentiles": tuple(PERCENTILES.tolist()),
}
# the first word of a sentence, as links and the list of it call it, and its form
WHAT: dict[str, tuple[str, str]] = {
    "median": ("the median", QUANTILES),
    "quartiles": ("three quartiles", QUANTILES),
    "deciles": ("nine deciles", QUANTILES),
    "percentiles": ("99 percentiles", QUANTILES),
    "own": ("quantiles of my own", QUANTILES),
    "count": ("how many", COUNT),
    "histogram": ("a histogram", HISTOGRAM),
    "curve": ("the whole curve", CURVE),
    "map": ("a map", CELLS),
    "running": ("running counts", RUNNING),
    "offers": ("What can ε publish?", OFFERS),
}
# what each word is to who does not see the sentence around it
SAYS = {
    "what": "What is published",
    "column": "Of which column",
    "low": "No value lies below",
    "high": "No value lies above",
    "about": "Whether the number of people is public",
    "people": "How many people, from public knowledge",
    "off": "Off by at most",
    "unit": "Off by at most: of what",
    "often": "How often that is kept",
    "eps": "The privacy budget",
    "over": "Counted are values over",
    "bins": "Bars of the histogram",
    "side": "Cells of the map",
    "block": "Cells of a block",
    "periods": "Steps of the running counts",
}
WHAT_CAN = "What can"  # how the last one reads within its sentence
_PEOPLE = "of {about}~{people} %people"
_BETWEEN = "between {low} and {high}"
_ENDS = {NEED: "{often}: {lead}{answer}~{eps}%delta", BUDGET: "with {symbol}{eps}%delta, {often}"}
_FIRST = {
    QUANTILES: f"Publish {{what}} of {{column}}, {_BETWEEN}, {_PEOPLE}",
    COUNT: f"Publish {{what}} have {{column}} over {{over}}, {_PEOPLE}",
    HISTOGRAM: f"Publish {{what}} of {{column}} in {{bins}} bars, {_BETWEEN}, {_PEOPLE}",
    CURVE: f"Publish {{what}} of {{column}}, {_BETWEEN}, {_PEOPLE}",
    CELLS: f"Publish {{what}} of {{side}} cells of {{column}}, in %area, {_PEOPLE}",
    RUNNING: f"Publish {{what}} of {{column}} at {{periods}} steps, {_BETWEEN}, {_PEOPLE}",
}
_OFF = {
    QUANTILES: "off by at most {off}~{unit}",
    COUNT: "off by at most {off}~{unit}",
    HISTOGRAM: "every bar off by at most {off}~{unit}",
    CURVE: "nowhere off by more than {off}~{unit}",
    CELLS: "a block of {block} cells off by at most {off}~{unit}",
    RUNNING: "never off by more than {off}~{unit}",
}
_OFFERS = (
    f"{{what}} {{symbol}}{{eps}}%delta publish of {{column}}, {_BETWEEN}, {_PEOPLE}, {{often}}? "
)
_OFFERED = "{answer}"


@dataclass(frozen=True, slots=True)
class Slot:
    """A word that is a control, or computed; joined: on the line of the word before."""

    name: str
    joined: bool = False


def form_of(what: str) -> str:
    """The form of a first word."""
    return WHAT[what][1]


def template(what: str, given: str) -> str:
    """The sentence of a first word, for what a person has said: a need, or a budget."""
    form = form_of(what)
    if form == OFFERS:
        return _OFFERS + _OFFERED
    first, off = _FIRST[form], _OFF[form]
    if given in ONCE:
        once = first.replace("Publish", ONCE[given], 1)
        return f"{once}, {off}, {{often}}%delta. {{answer}}"
    if given == NEED:
        return f"{first}, {off}, {_ENDS[NEED]}."
    return f"{first}, {_ENDS[BUDGET]}: {{answer}}{off.replace('{off}', '{lead}{off}')}."


def parts(what: str, given: str, nouns: Mapping[str, str]) -> list[str | Slot]:
    """Texts and words in their order. nouns say %people, %area, %delta and the budget's symbol."""
    text = template(what, given).replace("{symbol}", f"{nouns['symbol']} =\N{NO-BREAK SPACE}")
    for name, noun in nouns.items():
        text = text.replace(f"%{name}", noun)
    found: list[str | Slot] = []
    for before, tie, name in re.findall(r"([^{}]*?)(~?)(?:\{(\w+)\}|$)", text):
        if before:
            found.append(before)
        if name:
            found.append(Slot(name, bool(tie)))
    return found


def slots(what: str) -> set[str]:
    """The words that a sentence has, either way round."""
    both = template(what, NEED) + template(what, BUDGET)
    return set(re.findall(r"\{(\w+)\}", both))
