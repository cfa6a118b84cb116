"""What is said of recursive halving."""

from dpviz.answers.number_text import asked_for, number, upper
from dpviz.answers.quantiles.answers import percent_of
from dpviz.answers.quantiles.recursion import NodeNumbers, RecursionNumbers
from dpviz.answers.quantiles.voice import Voice, row_name
from dpviz.answers.said import Line, Said, plain, private
from dpviz.core.budgets import ZCDP, ApproxDP, Budget


def say(found: RecursionNumbers, voice: Voice, budget: Budget, spent: str, *, parts: bool) -> Said:
    """How the steps share the budget; parts says that a record is a part of a person."""
    items = _budgets(found, budget, parts=parts)
    if found.node is not None:
        items = _node(found.node, voice)
    else:
        items.append(("spent", spent))
    return Said(Line(_in_steps(found, budget)), Line(_halves(found, voice)), items, "")


def _in_steps(found: RecursionNumbers, budget: Budget) -> str:
    """The headline: the shares of ε or ρ; under (ε, δ), which composes otherwise, the ε itself."""
    m, steps, asked = found.quantiles.size, found.steps, upper(plain(asked_for(found.quantiles)))
    if steps == 1:
        return f"{asked} in one step: it may spend all of {plain(budget.symbol)}."
    share, alone = f"{budget.symbol}/{steps}", f"{budget.symbol}/{m}"
    if isinstance(budget, ApproxDP):
        share, alone = f"ε = {found.step:.2g}", f"{found.each:.2g}"
    return (
        f"{asked} in {number(steps)} steps: each step may spend {private(share)}, "
        f"not {plain(alone)}."
    )


def _halves(found: RecursionNumbers, voice: Voice) -> str:
    """The second line: what was drawn first, and why the halves share no budget."""
    people = voice.words.people
    out_of = "" if found.people is None else f" from all {people.counted(found.people)}"
    came = f"{upper(row_name(found.first))} came out as {voice.value(found.value)}{out_of}."
    return plain(
        f"{came} Each {people.one.lower()} is then in one half only, so both halves can be asked "
        "for the price of one."
    )


def _budgets(found: RecursionNumbers, budget: Budget, *, parts: bool) -> list[tuple[str, str]]:
    """What a step may spend, and what each would get if all were asked one by one."""
    kind = "a mechanism with " if isinstance(budget, ZCDP) else ""
    return [
        ("one step, a record" if parts else "one step", f"{kind}ε = {found.step:.2g}"),
        ("asked one by one, each would get", f"{kind}ε = {found.each:.2g}"),
    ]


def _node(found: NodeNumbers, voice: Voice) -> list[tuple[str, str]]:
    """The numbers of one node: public ones, and with the truth how many people its part held."""
    low, high = voice.value(found.low), voice.value(found.high)
    said = [
        (
            f"step {found.step}, the {percent_of(found.quantile)} point",
            f"drawn from {low} to {high}",
        ),
        ("asked of its part:", f"the {percent_of(found.asked)} point"),
    ]
    if found.people is not None:
        said.append(("in this part", voice.words.people.counted(found.people)))
    return [*said, ("η", f"{found.eta:.3g}")]
