"""What is said of an audit: proofs are rounded down, what cannot be exceeded is rounded up."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.answers.number_text import belief, counted
from dpviz.answers.privacy.amounts import epsilon_text, least, most, times, whole
from dpviz.answers.privacy.audit import AuditNumbers, Proof, Undetected, is_chance, is_count
from dpviz.answers.said import Line, Said, danger, plain, private, unmarked
from dpviz.experiments.privacy.privacy_audit import Audit
from dpviz.experiments.twins.tree_query import TreeQuery
from dpviz.intake.samples import ANYBODY

TWIN = "broken twin"
ADVICE = {
    Undetected.WITHIN: "On these two columns even the broken twin stays within the claim, so that "
    "no number of runs can catch it. Choose another person, or the made-up pair.",
    Undetected.FEW: "So many runs can prove at most ε = {limit}, even of a mechanism without "
    "privacy.",
    Undetected.NEAR: "On these two columns the twin loses {attained}, hardly more than it claims. "
    "Choose another person, or the made-up pair.",
    Undetected.UNLUCKY: "The broken twin goes undetected: more runs come nearer to what it loses.",
}
FEW_TELL = (
    "Between these bounds nearly every double can come from either. Choose more runs.",
    "Doubles tell more about small counts: choose a line with few people beyond it, more runs, or "
    "the made-up pair.",
    "Where records lie close together, every double can come from either. Choose the made-up pair.",
)


@dataclass(frozen=True, slots=True)
class AuditNames:
    """What the mechanism is called ("honest count"), and both columns ("with Ida", "without").

    leaves: the columns are told apart by the person alone, so that their runs are, too. All plain.
    """

    mechanism: str
    sides: tuple[str, str]
    leaves: bool = False


def say(found: AuditNumbers, names: AuditNames, chips: Sequence[str] = ()) -> Said:
    """Everything."""
    first, then, items = headline(found, names), second(found, names), strip(found, names)
    ends = [items[0], items[-1]]
    fewer = {"low": ends, "narrow": ends}
    return Said(Line(first), then, items, unmarked(f"{first} {then()}"), chips, strips=fewer)


def headline(found: AuditNumbers, names: AuditNames) -> str:
    """The bounds of all runs, and no other: the 95 % hold for a size chosen beforehand."""
    if found.asks_doubles:
        return _headline_of_doubles(found, names)
    claimed, honest = (
        plain(epsilon_text(found.asked.claim.epsilon)),
        least(found.honest.audit.bound),
    )
    if found.refuted:
        who = plain(names.mechanism)
        return f"These runs speak against the {who}: at least {danger(honest)} of ε = {claimed}."
    if found.twin is None:
        lost = private(honest)
        return f"The runs prove that at least {lost} of the claimed ε = {claimed} is lost."
    if found.caught:
        lost = danger(least(found.twin.audit.bound))
        return f"The broken twin is caught: it claims ε = {claimed} and loses at least {lost}."
    return f"{plain(counted(found.asked.runs, 'run'))} prove nothing against the claim yet."


def _headline_of_doubles(found: AuditNumbers, names: AuditNames) -> str:
    """How many answers could come from one column alone; counted on all runs, for none chose."""
    assert found.twin is not None
    runs, tells = plain(counted(found.asked.runs, "run")), found.twin.tells
    where = f"the data {plain(names.sides[0])}"
    if not tells:
        return f"In none of {runs} did the twin give an answer that only {where} can give."
    return f"In {danger(f'{tells:,}')} of {runs} the answer could only come from {where}."


def second(found: AuditNumbers, names: AuditNames) -> Line:
    """The honest bound, and what an audit can tell at all; or why it told nothing here."""
    if found.asks_doubles:
        return _second_of_doubles(found, names)
    confidence = f"{plain(belief(found.asked.confidence))} confidence"
    if found.refuted:
        return Line(
            f"Its noise is as promised, so this is chance: at {confidence} up to 1 audit in "
            f"{found.odds:,} accuses an honest mechanism."
        )
    if found.why is not None and found.twin is not None:
        limit, attained = plain(most(found.limit)), plain(f"{found.twin.attained:.4g}")
        return Line(ADVICE[found.why].format(limit=limit, attained=attained))
    never = f"An audit can refute a claim with {confidence}; it can never confirm one."
    if found.twin is None:
        return Line(never)
    if found.layers is not None:
        return Line(_of_layers(found), never)
    honest = plain(least(found.honest.audit.bound))
    proves = f"The {plain(names.mechanism)} proves at least {honest}, within its claim."
    return Line(f"{proves} {never}", never)


def _second_of_doubles(found: AuditNumbers, names: AuditNames) -> Line:
    """Where the twin keeps its promise, and that the honest mechanism passes the same test."""
    assert found.twin is not None
    if not found.twin.tells:
        own = 1 if is_count(found.asked.query) else 2
        return Line(FEW_TELL[0 if found.asked.is_made_up else own])
    passes = f"Every answer of the {plain(names.mechanism)} could come from either."
    if found.honest.tells:
        passes = f"So could {plain(f'{found.honest.tells:,}')} of the {plain(names.mechanism)}."
    keeps = "For real numbers this twin keeps its ε, in NumPy's doubles no ε at all."
    return Line(f"{keeps} {passes}", passes)


def _of_layers(found: AuditNumbers) -> str:
    """What OpenDP's issue 2924 is about, in this tree's numbers."""
    tree = found.layers
    assert tree is not None
    leaves, reach = plain(f"{tree.leaves:,}"), plain(whole(tree.moved))
    taken = plain(f"{tree.layers} layers × {whole(tree.each)}")
    return (
        f"A person with a row in each of {leaves} leaves moves the counts by {reach} (L2); this "
        f"twin has noise for {taken}, as in OpenDP's issue 2924."
    )


def strip(found: AuditNumbers, names: AuditNames) -> list[tuple[str, str]]:
    """The runs, how many were counted, how sure the bounds are, and the most that can be proved."""
    runs = f"{found.asked.runs:,}"
    each = f"{runs} on each column"
    if names.leaves:
        each = f"{runs} {names.sides[0]}, {runs} without"
    half = "all" if found.asks_doubles else "half"
    return [
        ("runs", each),
        (f"{half} of them counted", f"{found.counted:,}"),
        ("confidence", belief(found.asked.confidence)),
        ("most that can be proved", most(found.limit, 1)),
    ]


def facts(found: AuditNumbers, names: AuditNames) -> list[tuple[str, str]]:
    """What the pair really loses: exact, so that one sees how near the bounds come."""
    rows = []
    for name, proof in zip((names.mechanism, TWIN), found.proofs, strict=False):
        real = ", for real numbers" if found.asks_doubles and proof is found.twin else ""
        rows.append((f"{name}: exact ε of this pair{real}", f"{proof.attained:.4g}"))
    if found.asks_doubles and found.twin is not None:
        rows.append((f"{TWIN}: ε in doubles, at δ = 0", "none" if found.twin.tells else "unknown"))
    delta = found.asked.claim.delta
    return [*rows, ("the claim, and the bounds, hold at δ =", f"{delta:g}")] if delta else rows


def ratio_text(audit: Audit, claimed: float, *, brief: bool) -> str:
    """How many times as often the event came on one side, and how many the claim allows."""
    if audit.one == audit.other == 0:
        return "never on either side"
    allowed = times(claimed)
    if math.isinf(audit.times):
        never = "never on the other side"
        return never if brief else f"{never}; the claim allows {allowed}"
    text = f"{audit.times:,.1f} × as often"
    if is_chance(audit, claimed):
        return text if brief else f"{text}; allowed in the long run: {allowed}"
    return f"{text}; the claim allows {allowed}"


def event_text(found: AuditNumbers, proof: Proof, names: AuditNames) -> str:
    """The outputs that were counted: "more than 864"."""
    if proof.tells is not None:
        return f"what only the data {names.sides[0]} can give"
    event, query = proof.audit.event, found.asked.query
    start = "at most" if event.below else "more than"
    if isinstance(query, TreeQuery):
        return f"{start} {ANYBODY.people.after(f'{event.threshold:.2g}')}".replace("-", "−")
    if is_count(query) and event.threshold % 1 == 0:
        return f"{start} {whole(event.threshold)}"
    return f"{start} {event.threshold:,.6g}".replace("-", "−")
