"""What was released of named places: before and after least squares, beside the true counts."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz.answers.number_text import counted, percent, significant
from dpviz.answers.said import Line, Said, Table, plain, true
from dpviz.answers.spatial.place_list import PlaceList
from dpviz.answers.spatial.places import TWO, PlacesNumbers
from dpviz.answers.spatial.places_said import plural
from dpviz.core.arrays import FloatArray
from dpviz.core.confidential import confidential
from dpviz.core.data.column import Column
from dpviz.core.trees.place_release import PlaceRelease
from dpviz.estimators.trees.place_estimate import estimate_places
from dpviz.intake.samples import Noun

MOST_ROWS = 200  # of a table on screen; the files hold all
BY_LIST = (
    "The people of the public list, and the noise alone: this table would be the same for any file."
)
BELOW_ZERO = "Counts below 0 stay: to cut them off would add people to small places."


@confidential()
@dataclass(frozen=True, slots=True, eq=False)
class PlacesReleased:
    """A release of named places. Confidential with its truth, which is None while it is hidden.

    after and errors are by level, (places,): counts after least squares and their standard errors;
    own are the standard errors as measured. errors_before and errors_after are the roots of the
    mean squared errors of each level, None where it is not measured; drowned is how many of the
    last level's places hold fewer rows than two standard errors of the reading, living how many
    rows those hold, share theirs of all rows in the list.
    """

    release: PlaceRelease
    own: tuple[float, ...]
    after: tuple[FloatArray, ...]
    errors: tuple[FloatArray, ...]
    truth: tuple[FloatArray, ...] | None
    errors_before: tuple[float | None, ...] | None
    errors_after: tuple[float, ...] | None
    drowned: int | None
    living: int | None
    share: float | None


def answer(
    places: PlaceList, release: PlaceRelease, column: Column | None, *, is_after: bool
) -> PlacesReleased:
    """Of a release; column are the numbers of places, None while the truth is hidden."""
    best = estimate_places(release)
    own, after, errors = release.standard_errors, best.counts, best.standard_errors
    if column is None:
        nothing = (None,) * 6
        return PlacesReleased(release, own, after, errors, *nothing)
    leaves = np.diff(column.count_below(np.arange(places.people.size + 1.0))).astype(np.float64)
    truth = places.tree.totals(leaves)
    before = tuple(
        _off(one, held) if np.isfinite(scale) else None
        for one, held, scale in zip(release.counts, truth, release.scales, strict=True)
    )
    then = tuple(_off(one, held) for one, held in zip(after, truth, strict=True))
    half = TWO * (errors[-1] if is_after else np.full(leaves.size, own[-1]))
    small = leaves < half
    living, every = int(leaves[small].sum()), float(leaves.sum())
    share = living / max(every, 1.0)
    return PlacesReleased(
        release, own, after, errors, truth, before, then, int(small.sum()), living, share
    )


def _off(counts: FloatArray, truth: FloatArray) -> float:
    return float(np.sqrt(np.mean((counts - truth) ** 2)))


def rows(found: PlacesReleased) -> Iterator[tuple[object, ...]]:
    """Every place: level, name, count, standard error, least squares, their standard error."""
    release = found.release
    for at, level in enumerate(release.levels):
        measured = bool(np.isfinite(release.scales[at]))
        for name, count, best, error in zip(
            release.names[at], release.counts[at].tolist(), found.after[at].tolist(),
            found.errors[at].tolist(), strict=True,
        ):  # fmt: skip
            own = (count, found.own[at]) if measured else ("", "")
            yield level, name, *own, best, error


def before(found: PlacesNumbers) -> str:
    """What is known of counts that nobody has drawn yet."""
    last = found.levels[-1]
    half = significant(last.spread, 3)
    return f"The count of a {plain(last.name)} will be within ± {half}, about 19 times in 20."


def say(found: PlacesReleased, spent: str, people: Noun) -> Said:
    """Whom noise harms by the true counts, or what is in no count while they are hidden; tables."""
    release = found.release
    many = counted(sum(map(len, release.names)), "count")
    paid = f"{many} of your file for {plain(spent)} in all"
    if found.living is None or found.drowned is None or found.share is None:
        second = f"{paid}; what is of a place outside the list is in none."
    else:
        last = release.levels[-1]
        level = Noun(f"small {plain(last)}", f"small {plain(plural(last))}")
        small = true(level.counted(found.drowned))
        living = true(people.after(f"{found.living:,}"))
        second = (
            f"{paid}. Whom does noise harm, by the true counts, which are confidential? Those in "
            f"{small}: {living}, {true(percent(found.share))} of all in the list."
        )
    tables = [_places(found)]
    if found.errors_before is not None and found.errors_after is not None:
        tables.insert(0, _errors(release, found.errors_before, found.errors_after))
    return Said(Line(second), Line(second), [], second, tables=tuple(tables))


def _errors(
    release: PlaceRelease, before: tuple[float | None, ...], after: tuple[float, ...]
) -> Table:
    columns = ("level", "places", "off by, as measured", "off by, after least squares")
    listed = tuple(
        (level, f"{len(names):,}", "–" if one is None else significant(one), significant(other))
        for level, names, one, other in zip(
            release.levels, release.names, before, after, strict=True
        )
    )
    return Table(
        "Errors of this draw by level: the roots of their mean squares",
        "Errors against the true counts by level",
        columns,
        listed,
        dict.fromkeys(columns[1:]),
        ("They compare with the true counts: confidential.",),
    )


def _places(found: PlacesReleased) -> Table:
    has_truth = found.truth is not None
    columns = ["level", "place", "private count", "after least squares", "±, two standard errors"]
    columns += ["true"] if has_truth else []
    listed = []
    true_counts = [one.tolist() for one in found.truth or ()]
    flat = [count for level in true_counts for count in level]
    for at, (level, name, count, _, best, error) in enumerate(rows(found)):
        if at == MOST_ROWS:
            break
        said = "–" if count == "" else _signed(float(str(count)))
        row = [str(level), str(name), said, _signed(float(str(best)))]
        row.append(f"± {significant(TWO * float(str(error)))}")
        listed.append((*row, *([f"{flat[at]:,.0f}"] if has_truth else [])))
    notes = (BELOW_ZERO,)
    if sum(map(len, found.release.names)) > MOST_ROWS:
        notes = (f"The first {MOST_ROWS}; the files hold all. {BELOW_ZERO}",)
    return Table(
        "Every place", "Private counts of places", tuple(columns), tuple(listed),
        dict.fromkeys(columns[2:]), notes,
    )  # fmt: skip


def _signed(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0").replace("-", "−")
