"""What is said of private record matching."""

from collections.abc import Sequence

from dpviz.answers.number_text import amount, counted, upper
from dpviz.answers.said import Line, Said, plain, private, true
from dpviz.answers.spatial.matching import MatchingNumbers
from dpviz.answers.spatial.names import percent

SECOND = "Confidential: it depends on both sides' people."


def say(found: Sequence[MatchingNumbers]) -> Said:
    """What the first method's cells spare."""
    return Said(
        Line(_finding(found[0], marked=True)),
        Line(SECOND),
        [("method", " and ".join(one.name for one in found))],
        _finding(found[0], marked=False),
    )


def _finding(found: MatchingNumbers, *, marked: bool) -> str:
    name, spared, kept = upper(found.name), _percent(found.spared), _percent(found.kept)
    if marked:
        name, spared, kept = plain(name), private(spared), true(kept)
    return f"{name} spares {spared} of the comparisons and keeps {kept} of the people."


def _percent(share: float) -> str:
    return f"{amount(100 * share, 1)} %"


def labels(found: MatchingNumbers) -> tuple[str, str, str]:
    """Beside a method's square: the pairs that are compared, out of how many, and who is kept."""
    return (
        f"{counted(round(found.compared), 'pair')} compared",
        f"{percent(100 * found.share)} of {counted(round(found.every), 'pair')}",
        f"keeps {_percent(found.kept)} of the people",
    )
