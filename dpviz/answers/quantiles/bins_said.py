"""What is said of bins: how far off they are, what more of them cost, what bounds clip."""

from dpviz.answers.number_text import (
    amount,
    counted,
    in_digits,
    percent,
    significant,
    times_text,
    upper,
)
from dpviz.answers.quantiles.bins import EQUAL, OWN, TREE, BinErrors, BinsNumbers
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import Line, Said, Table, plain, private, true, unmarked
from dpviz.core.budgets import Neighbours
from dpviz.core.person_rows import PersonRows

OFTEN = "19 times in 20"


def say(found: BinsNumbers, voice: Voice, spent: str, rows: PersonRows | None = None) -> Said:
    """Errors of the bins in a sentence, what decides them in another, each bin in a table.

    rows are what counts of a person who has several.
    """
    headline = Line(_headline(found, voice), _headline(found, voice, brief=True))
    second = Line(groups_words(found, spent, rows) or _second(found))
    strip = [("bins", _size(found)), ("each within", f"± {give(found.law)}")]
    if found.worst is not None:
        strip.append(("worst here", f"off by {significant(found.worst, 3)}"))
    strip.append(("spent", spent))
    alt = unmarked(f"{headline()} {second()}")
    return Said(headline, second, strip, alt, tables=(_table(found),))


def give(law: BinErrors) -> str:
    """Half of a bin's interval."""
    return significant(law.half, 3)


def before(law: BinErrors, voice: Voice) -> str:
    """What is known of bins that nobody has drawn yet."""
    return f"Every bin will be within {_within(law, voice)}, {OFTEN}."


def groups_words(found: BinsNumbers, spent: str, rows: PersonRows | None = None) -> str:
    """Why several groups cost no more than one; empty where there is one.

    A person may have rows in several groups, so that groups share people: what is bounded over all
    of them together is spent once. Bounded in each apart it would be spent as many times as there
    are groups, by basic composition; one whose rows fill every group attains it in ε and ρ.
    """
    if (many := len(found.groups)) < 2:
        return ""
    groups = counted(many, "group")
    if rows is not None:
        kept = f"at most {counted(rows.most, 'row')} of a person counts"
        if rows.most > 1:
            kept = f"at most {counted(rows.most, 'row')} of a person count"
        if rows.shared:
            kept = f"a person's rows share {counted(rows.most, 'part')}"
        all_of = "both" if many == 2 else "all"
        return (
            f"{groups} may share people, and {kept} in {all_of} together: a person spends "
            f"{plain(spent)} in all. The same bound in each group apart would cost "
            f"up to {plain(f'{many} times')} as much."
        )
    if found.choice.neighbours is Neighbours.REPLACE_ONE:
        return (
            f"{groups} for {plain(spent)} in all: one whose group changes moves a bin in two of "
            "them, as within one, and the noise covers two bins."
        )
    return f"{groups} that share nobody cost what one costs, {plain(spent)} in all."


def beyond_words(found: BinsNumbers, voice: Voice) -> str:
    """What a declared share beyond a bound would do to the end bin."""
    if (declared := found.beyond) is None:
        return ""
    of = plain(voice.words.people.after(f"{declared.people:,.0f}"))
    rows = plain(voice.words.people.after(f"{declared.rows:,.0f}"))
    return (
        f"Of about {of}, {plain(percent(declared.share))} beyond one bound would add {rows} to the "
        f"bin at that end: {_times(declared.times)} much as its ± {give(found.law)}."
    )


def _size(found: BinsNumbers) -> str:
    each = found.edges.size - 1
    many = len(found.groups)
    return f"{each:,}" if many == 1 else f"{many} × {each:,}"


def _headline(found: BinsNumbers, voice: Voice, *, brief: bool = False) -> str:
    within = _within(found.law, voice)
    if found.far is not None:
        said = (
            f"{_of(found.far, found.counted)} off by more than a tenth of what "
            f"{'it holds' if found.far == 1 else 'they hold'}"
        )
        if brief:
            return f"{said}."
        return f"{said}; each is within {within}, {OFTEN}."
    said = f"Each bin is within {within}"
    if brief:
        return f"{said}."
    if found.empty:
        return f"{said}, {OFTEN}; {found.empty:,} of {found.counted:,} cannot be told from empty."
    return f"{said}, {OFTEN}; all {found.counted:,} can be told from empty."


def _within(law: BinErrors, voice: Voice) -> str:
    half = give(law)
    people = voice.words.people.after(half).removeprefix(half)
    return f"{private(f'± {half}')}{plain(people)}"


def _of(some: int, every: int) -> str:
    if not some:
        return f"None of {counted(every, 'bin')} is"
    return f"{true(f'{some:,}')} of {counted(every, 'bin')} {'is' if some == 1 else 'are'}"


def _times(factor: float) -> str:
    return plain(times_text(factor))


def _second(found: BinsNumbers) -> str:
    if found.clipped is not None and found.clipped.below + found.clipped.above:
        return _clipped(found)
    law = found.law
    if found.choice.kind == TREE:
        return (
            f"A tree errs {_times(law.times)} far as plain noise in each bin, and "
            f"{_times(law.times_of_half)} far in the lower half of all bins together."
        )
    even = significant(found.even, 3)
    if not found.even:
        return "No more is counted than noise: fewer bins, or a larger budget, would tell."
    said = f"A bin of average height, {even}, is known to {plain(percent(found.part))}"
    if found.choice.kind == OWN:
        return f"{said}; wider bins hold more under the same noise."
    if found.uneven is not None:
        least, most = found.uneven
        return (
            f"{said}; some bins hold {most:,} of the column's steps, others {least:,}, which alone "
            "makes bars differ."
        )
    return (
        f"{said}; twice as many bins are half as high under the same noise: "
        f"{plain(percent(found.doubled))}."
    )


def _clipped(found: BinsNumbers) -> str:
    known = found.clipped
    assert known is not None
    sides = [f"{true(f'{rows:,}')} below" for rows in (known.below,) if rows] + [
        f"{true(f'{rows:,}')} above" for rows in (known.above,) if rows
    ]
    said = (
        f"The bounds clip {plain(percent(known.share))} of the rows ({' and '.join(sides)}): the "
        f"mean is {true(significant(known.inside))} instead of {true(significant(known.mean))}"
    )
    if known.extra is None or known.filled is None:
        return f"{said}; they are in no bin."
    return (
        f"{said}, and {true(f'{known.extra:,}')} of {true(f'{known.filled:,}')} in the end bin "
        "lie beyond it."
    )


def _table(found: BinsNumbers) -> Table:
    """A row a bin of each group, to copy."""
    many, has_truth = len(found.groups) > 1, found.far is not None
    columns = [*(["group"] if many else []), "from", "to", "private", OFTEN]
    columns += ["original", "error", "of the bin"] if has_truth else []
    rows = []
    for one in found.groups:
        for at, count in enumerate(one.counts.tolist()):
            ends = (in_digits(float(end)) for end in found.edges[at : at + 2])
            row = [*([one.name] if many else []), *ends, amount(count, 0), f"± {give(found.law)}"]
            if one.truth is not None and one.errors is not None:
                held, error = float(one.truth[at]), float(one.errors[at])
                row += [
                    amount(held, 0),
                    _signed(error),
                    percent(abs(error) / held) if held else "–",
                ]
            rows.append(tuple(row))
    return Table(
        "**Every bin**",
        f"Private counts of {counted(found.counted, 'bin')}"
        + (", the original ones and the errors" if has_truth else ""),
        tuple(columns),
        tuple(rows),
        {name: None for name in columns if name != "group"},
    )


def _signed(error: float) -> str:
    text = amount(error, 0)
    return f"+{text}" if error > 0 and text != "0" else text


def method(found: BinsNumbers) -> str:
    """How the bins were counted."""
    if found.choice.kind == TREE:
        return "binary tree of counts, read by least squares"
    return "noise on each count alone"


def kind_words(kind: str, bins: int) -> str:
    """What the popover of questions holds, in short."""
    return {EQUAL: counted(bins, "bin"), OWN: upper(OWN), TREE: counted(bins, "tree bin")}[kind]
