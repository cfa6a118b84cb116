"""What is said of one person and one noisy count."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.answers.privacy.amounts import chance, most_percent, nearest_percent, times, tiny, whole
from dpviz.answers.privacy.one_count import SUSPICION, CountNumbers
from dpviz.answers.said import Line, Said, plain, private, true, unmarked


@dataclass(frozen=True, slots=True)
class Named:
    """How the person and both counts are called, plain: "Ida", "with Ida", "without her".

    replaced says that the person's number changes, and nobody leaves.
    """

    who: str
    with_one: str
    without: str
    replaced: bool = False


def say(found: CountNumbers, named: Named, question: str = "", chips: Sequence[str] = ()) -> Said:
    """Everything; question is plain, and empty for a made-up count."""
    first, then = headline(found, named), second(found, named, question)
    strips = {"narrow": strip(found, narrow=True)}
    alt = unmarked(f"{first} {then()}")
    return Said(Line(first), then, strip(found, narrow=False), alt, chips, strips=strips)


def headline(found: CountNumbers, named: Named) -> str:
    """By how much one person can move the chance of any answer."""
    start = f"With or without {plain(named.who)}"
    if named.replaced:
        start = f"Whatever {plain(named.who)}'s number"
    if not found.moved:
        return f"{start}, the count is the same, and so is the chance of every answer."
    limit = private(f"{times(found.epsilon)} times")
    but = f", except with chance {plain(tiny(found.beyond))}" if found.beyond else ""
    return f"{start}, every answer is at most {limit} as likely{but}."


def second(found: CountNumbers, named: Named, question: str) -> Line:
    """Both counts, and what can be concluded; question is plain, and empty for a made-up count."""
    one, other = true(whole(found.one)), true(whole(found.other))
    counts = f"{plain(named.with_one)} {one}, {plain(named.without)} {other}"
    if not question:
        return Line(f"A made-up count: {counts}. Nothing of the data is on screen.")
    counts = counts[0].upper() + counts[1:]
    brief = f"{counts}: it could have come from either."
    rest = "Whatever is published could have come from either."
    if not found.moved:
        rest = "Choose somebody on the other side of the line."
    return Line(f"{plain(question)} {counts}. {rest}", brief)


def strip(found: CountNumbers, *, narrow: bool) -> list[tuple[str, str]]:
    """What a suspicion becomes after the supposed answer, and at most after any."""
    prior, tenth = f"{100 * found.prior:.0f} %", f"{100 * SUSPICION:.0f} %"
    become = f"if {whole(found.answer)} is published: a suspicion of {prior} becomes"
    rare = f"one of {tenth} becomes at most"
    if narrow:
        become, rare = f"if it is {whole(found.answer)}: {prior} become", f"{tenth} at most"
    worst = most_percent(found.worst)
    if found.beyond:
        worst = f"{worst}, but for {tiny(found.beyond)}"
    return [(become, nearest_percent(found.after)), (rare, worst)]


def facts(found: CountNumbers) -> list[tuple[str, str]]:
    """The numbers behind the limit, for those who ask."""
    if found.noise.gaussian:
        return [
            (f"ε at δ = {found.delta:g}:", f"{found.epsilon:.4g}"),
            ("outputs beyond ε:", chance(found.beyond)),
            ("exact δ(ε):", f"{found.exact_delta:.3g}"),
        ]
    return [
        ("largest |log ratio|:", f"{found.largest:.4g}"),
        ("ε, the limit:", f"{found.epsilon:.4g}"),
        ("share of ε used:", f"{found.largest / found.epsilon:.1%}"),
    ]
