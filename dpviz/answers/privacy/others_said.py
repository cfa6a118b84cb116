"""What is said of a budget beside those that others chose."""

from dpviz.answers.number_text import number
from dpviz.answers.privacy.amounts import epsilon_text, tiny
from dpviz.answers.privacy.others import Beside, OthersNumbers
from dpviz.answers.said import Line, Said, Table, plain, private, unmarked
from dpviz.core.budgets import ZCDP

COLUMNS = ("who", "what", "year", "ε", "δ", "protects", "noise added", "source")
STATED = (
    "Figures are those of the sources. An ε of a day or of one action is spent again with the next "
    "day or action."
)


def say(found: OthersNumbers) -> Said:
    """Where one answer and all of them stand among others."""
    first, then = _headline(found), _second(found)
    return Said(
        Line(first),
        Line(then),
        strip(found),
        unmarked(f"{first} {then} {_listed(found)}"),
        tables=(table(found),),
    )


def _headline(found: OthersNumbers) -> str:
    """Below all of them, above so many; ranges that hold it are neither."""
    one = private(f"ε = {epsilon_text(found.one.epsilon)}")
    first = f"{one} is {_place(found.one)} {number(len(found.others))} budgets of others"
    if found.answers == 1:
        return f"{first}."
    total = private(f"ε = {epsilon_text(found.total.epsilon)}")
    last = _place(found.total).removesuffix(" of")
    return f"{first}; {found.answers:,} such answers, {total}, are {last}."


def _place(found: Beside) -> str:
    if found.below == found.around == 0:
        return "below all"
    if found.around == found.above == 0:
        return "above all"
    if found.below == 0:
        return f"below {number(found.above)} of"
    return f"above {number(found.below)} of"


def _second(found: OthersNumbers) -> str:
    whole, parts = (plain(f"{low:g} to {high:g}") for low, high in (found.whole, found.parts))
    said = (
        f"No ranking, for they protect different things: all of a person or a device at {whole}, "
        f"a day, a month or one action at {parts}."
    )
    if isinstance(found.budget, ZCDP):
        said += f" Ours is {plain(str(found.budget))} an answer, read at δ = {tiny(found.delta)}."
    return said


def strip(found: OthersNumbers) -> list[tuple[str, str]]:
    """One answer, all of them, and how many others there are."""
    said = [("one answer", f"ε = {epsilon_text(found.one.epsilon)}")]
    if found.answers > 1:
        said.append((f"{found.answers:,} added up", f"ε = {epsilon_text(found.total.epsilon)}"))
    return [*said, ("budgets of others", f"{len(found.others)}")]


def table(found: OthersNumbers) -> Table:
    """All of them with their sources."""
    rows = tuple(
        (
            one.name,
            one.what,
            f"{one.year}",
            f"{one.size}, from ρ = {one.rho:g}" if one.rho else one.size,
            tiny(one.delta) if one.delta else "0",
            one.protects,
            "on the device" if one.on_device else "by a server",
            one.source,
        )
        for one in found.others
    )
    alt = "Budgets that others chose, what they protect, and where they are stated"
    return Table("", alt, COLUMNS, rows, {"ε": None, "δ": None}, (STATED,))


def _listed(found: OthersNumbers) -> str:
    return "; ".join(f"{one.text}, {one.protects}" for one in found.others) + "."
