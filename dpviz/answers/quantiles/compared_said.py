"""What is said of several methods side by side."""

from collections.abc import Mapping

from dpviz.answers.number_text import counted, number, upper
from dpviz.answers.quantiles.compared import ComparedNumbers, MethodErrors
from dpviz.answers.quantiles.voice import Voice
from dpviz.answers.said import Line, plain, private, true

WORTH_SAYING = 1.05  # times the best


def headline(found: ComparedNumbers, names: Mapping[str, str], voice: Voice) -> str:
    """Which method is best; names are words by key."""
    best = found.best
    if len(found.methods) == 1:
        off = private(voice.off(best.mean))
        return f"{upper(plain(names[best.key]))} is off by {off} on average."
    off = voice.private_off(best.mean)
    if found.methods[1].level:
        both = f"{upper(plain(names[best.key]))} and {plain(names[found.methods[1].key])}"
        return f"{both} are level: off by {off}."
    return f"{true(upper(names[best.key]))} comes closest: off by {off} on average."


def second(found: ComparedNumbers, names: Mapping[str, str], voice: Voice, symbol: str) -> Line:
    """The worst, its factor, and who is best for the middle quantile alone."""
    worst, middle = found.worst, found.best_for_median
    if len(found.methods) == 1:
        return Line("Choose a second method to compare it with.")
    if worst.level:
        draws = max(found.best.draws, 1)
        said = "one draw of each says" if draws == 1 else f"{number(draws)} draws of each say"
        return Line(plain(f"What {said} of a difference is chance."))
    said = f"{upper(names[worst.key])} misses by {voice.off(worst.mean)}"
    if worst.times >= WORTH_SAYING:
        said += f", {worst.times:.1f} times as much,"
    said += f" for the same {symbol}."
    if middle.key == found.best.key:
        return Line(plain(said))
    median = f"{names[middle.key]} is best, off by {voice.off(middle.median)}"
    return Line(plain(f"{said} For the median alone {median}."), plain(said))


def beside(method: MethodErrors, found: ComparedNumbers, unit: str) -> tuple[str, str]:
    """What stands beside the mean error of one method, and where room is scarce."""
    if method is found.best:
        return f"{unit} off on average".strip(), f"{unit} off".strip()
    if method.level:
        return f"{unit}, level with the best".lstrip(", "), "level"
    times = f"{method.times:.1f} times"
    return f"{unit}, {times} the best".lstrip(", "), times


def strip(found: ComparedNumbers, voice: Voice, spent: str) -> list[tuple[str, str]]:
    """How many draws there are, and how far the best one's worst quantile is off."""
    cost = ("each draw would spend", spent)
    if found.bad is None:
        return [("best first", "by this draw alone"), cost]
    return [
        ("best first; hills are", f"{counted(found.best.draws, 'draw')} each"),
        ("best one's worst gap, 19 of 20 under", voice.off(found.bad)),
        cost,
    ]
