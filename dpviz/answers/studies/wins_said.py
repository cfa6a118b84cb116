"""What is said of a map of winners: who wins most often, and who wins at one's own place."""

import math
from collections.abc import Mapping

from dpviz.answers.number_text import counted, times_text, upper, worded
from dpviz.answers.said import Line, Said, plain
from dpviz.answers.studies.names import StudyNames, method
from dpviz.answers.studies.wins import WinsNumbers, WonPlace
from dpviz.experiments.planning.beforehand import FINE
from dpviz.experiments.planning.grids import GRIDS
from dpviz.intake.samples import ANYBODY

CHIP = "pale and ?: noise could explain it"
PEOPLE = ANYBODY.people
STAND_IN = f"a stand-in of {FINE:,} people"  # for data that nothing is stored for


def say(found: WinsNumbers, names: StudyNames, told: str) -> Said:
    """The tally; at one's own place; told says where the numbers are from, in plain text."""
    own = here(found)
    verb = "is" if found.unsure == 1 else "are"
    unsure = f"{counted(found.unsure, 'place')} {verb} too close to call."
    return Said(
        Line(plain(tally(found))),
        Line(plain(f"{own} {unsure} {told}"), plain(own)),
        [("computed on", names.title), ("error", found.metric)],
        advice(found),
        chips=[CHIP],
    )


def tally(found: WinsNumbers) -> str:
    """Who wins most often, and who comes next, as one sentence."""
    places = counted(len(found.places), "place")
    if not found.wins:
        these = "this" if len(found.places) == 1 else "these"
        return f"Noise could explain every win at {these} {places}."
    (first, count), *others = found.wins
    then = f", {method(others[0][0]).name} at {others[0][1]}" if others else ""
    return f"{upper(method(first).name)} wins at {count} of {places}{then}."


def here(found: WinsNumbers) -> str:
    """Who wins at the place that is nearest to one's own."""
    one = found.here
    people, quantiles = PEOPLE.after(f"{one.people:,.0f}"), counted(one.quantiles, "quantile")
    at = f"{found.symbol} = {one.budget:g}, {people}, {quantiles}"
    winner = method(one.winner).name
    if one.is_clear:
        return f"At {at}: {winner}."
    return f"At {at}: {winner} or {method(one.second).name}, noise could explain it."


def advice(found: WinsNumbers) -> str:
    """The picture in words: what to take at one's own place, and who wins elsewhere."""
    one, metric = found.here, found.metric
    what = "the median" if one.quantiles == 1 else f"{one.quantiles} uniform quantiles"
    people = counted(round(one.people), "record")
    where = f"For {what} of {people} at {found.symbol} = {one.budget:g}"
    winner, second = method(one.winner).name, method(one.second).name
    error = worded(f"{one.error:,.3g}", "record")
    if one.is_clear:
        told = f"take {winner}: its {metric} is {error}"
        if one.second and math.isfinite(one.ratio):
            told += f", that of the next, {second}, {times_text(one.ratio)} much"
        elif one.second:
            told += f", and the next, {second}, misses somebody"
    else:
        told = f"{winner} and {second} cannot be told apart in these runs (a {metric} of about "
        told += f"{error})"
    return f"{where}, {told}; {_elsewhere(found)}."


def _elsewhere(found: WinsNumbers) -> str:
    """The clear wins of all methods, and how many places have none."""
    measured = f"of {counted(len(found.places), 'measured place')}"
    if not found.wins:
        return f"{measured}, none has a clear winner"
    wins = ", ".join(f"{method(key).name} {count}" for key, count in found.wins)
    verb = "is" if found.unsure == 1 else "are"
    undecided = f", and {found.unsure} {verb} undecided" if found.unsure else ""
    return f"{measured}, clear wins are {wins}{undecided}"


def off_text(place: WonPlace) -> str:
    """How far off the winner of a place is."""
    return PEOPLE.after(f"{place.error:,.3g}")


def next_text(place: WonPlace, names: Mapping[str, str]) -> str:
    """How many times as far off the next method is; empty where one method alone was tried."""
    if not place.second:
        return ""
    said = f"next: {names.get(place.second, place.second)}"
    if math.isfinite(place.ratio):
        return f"{said}, {times_text(place.ratio)} far"
    return f"{said}, which misses somebody" if place.is_clear else said


def beforehand(*, of_own_data: bool, is_own: bool, why: str) -> str:
    """Where a stored map is from; is_own says that it was made with the visitor's settings."""
    told = f"Computed beforehand: {GRIDS['complete'].runs} releases a place, slow methods fewer"
    told += "" if of_own_data else f", on {STAND_IN}"
    told += "." if is_own else ". Your settings are others: run them."
    return f"{told} {why}" if why else told
