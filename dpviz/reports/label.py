"""A release's privacy label: what is protected, by how much, against whom, as one small card."""

import html
from collections.abc import Sequence

from dpviz.answers.number_text import asked_for, counted, upper
from dpviz.answers.privacy.amounts import epsilon_text, tiny
from dpviz.answers.privacy.promise import promised
from dpviz.core.budgets import ZCDP, ApproxDP, Budget, Neighbours
from dpviz.core.person_rows import rows_of
from dpviz.core.releases import SECURE
from dpviz.core.trees.group_releases import GroupReleases
from dpviz.core.trees.local_release import LocalQuantileRelease, LocalRelease, Reported
from dpviz.figures.kit.look import FONT, SERIF
from dpviz.figures.kit.typefaces import style_of
from dpviz.reports.words import Release, Told, kept_of, method, spent, what
from dpviz.version import __version__

STYLE = style_of(__file__, "label", FONT, SERIF)
NEIGHBOURS = {
    Neighbours.ADD_REMOVE: "one record is added or removed",
    Neighbours.REPLACE_ONE: "one record is replaced by any other; how many there are is public",
}
REPLACED = "one person's value is replaced by any other; who takes part is public"
PEOPLE = "one person is added or removed with all their rows"
TRUST = (
    "Central: whoever holds the records adds the noise and is trusted with them; readers of the "
    "release are not."
)
MADE = "dpviz made them from one column: whoever held that column is trusted with it."
LOCAL = f"Local: nobody who collects reports, each randomised before it is sent. {MADE}"
SHUFFLED = f"A shuffler, to hide whose reports are whose; each report holds ε = {{}} alone. {MADE}"
ONCE = "Each person's one report spends it whole. What else they report adds to it."
ADDS = "Spent whole by this release. What else is published about the same people adds to it."
EXACT = "The law is exact in the program, not up to rounding: secure random bits, key not kept."
SEEDED = "None: drawn from a seed, to rehearse. Whoever knows the seed knows the noise."


Labelled = Release | LocalRelease | LocalQuantileRelease


def rows(release: Labelled) -> list[tuple[str, str]]:
    """Names and texts of the label's rows, plain, in their order.

    Raises: InvalidRelease for a reference that is not private.
    """
    budget, people = spent(release), rows_of(release.parameters)
    unit = "One record, that is one person with one record"
    relation, trust, adds = NEIGHBOURS[release.neighbours], TRUST, ADDS
    if people is not None:
        unit, relation = f"One person ({kept_of(people)})", PEOPLE
    if isinstance(release, Reported):
        unit, relation, adds = "One person's one report", REPLACED, ONCE
        is_shuffled = isinstance(budget, ApproxDP)
        trust = SHUFFLED.format(epsilon_text(release.local)) if is_shuffled else LOCAL
    return [
        ("Protects", unit),
        ("Tables that differ", upper(relation)),
        ("ρ" if isinstance(budget, ZCDP) else "ε", epsilon_text(budget.size)),
        ("δ", _delta(budget)),
        ("As odds", upper(_odds(release, budget))),
        ("Who is trusted", trust),
        ("Adds up", adds),
        ("Exactness", EXACT if release.randomness == SECURE else SEEDED),
        ("Method", method(release)),
    ]


def _delta(budget: Budget) -> str:
    """What is left out; ρ leaves none out by itself, and gives an ε at every δ above 0."""
    if isinstance(budget, ZCDP):
        return "none is fixed: ρ gives an ε at every δ above 0"
    return tiny(budget.delta) if isinstance(budget, ApproxDP) else "0"


def _odds(release: Labelled, budget: Budget) -> str:
    said = promised(budget, release.neighbours, "person")
    return said.removeprefix(f"{budget}: ")


def label(release: Labelled, told: Told | None = None) -> str:
    """The label as one page of HTML that loads nothing.

    Raises: InvalidRelease for a reference that is not private.
    """
    return _card(release, _subject(release, (told or Told()).subject), rows(release))


def _subject(release: Labelled, subject: str) -> str:
    """What was asked, counted."""
    if isinstance(release, LocalRelease):
        return f"{counted(release.counts.size, 'count')} of {subject}, from local reports"
    if isinstance(release, LocalQuantileRelease):
        asked = asked_for(release.quantiles).removeprefix("one ")
        return f"the {asked} of {subject}, from local reports"
    return what(release, subject)


def groups_label(released: GroupReleases, told: Told) -> str:
    """The label of groups that spend a budget once together."""
    names = list(released.releases)
    first = released.releases[names[0]]
    listed = rows(first)
    listed.insert(2, ("Groups", f"{', '.join(names)}. {released.note}"))
    return _card(first, f"{what(first, told.subject)}, in each of {len(names)} groups", listed)


def _card(release: Labelled, subject: str, listed: Sequence[tuple[str, str]]) -> str:
    budget = spent(release)
    is_private = release.randomness == SECURE
    title = "Privacy label" if is_private else "Privacy label of a rehearsal"
    terms = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(said)}</dd>" for name, said in listed
    )
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>{title}</title><style>{STYLE}</style></head><body><main>"
        f"<h1>{title}</h1><p>{html.escape(upper(subject))}</p>"
        f"<p class='size{'' if is_private else ' none'}'>{html.escape(str(budget))}</p>"
        f"<dl>{terms}</dl>"
        f"<p><small>Written by dpviz {__version__} from the release alone, which dpviz "
        f"{html.escape(release.version)} made.</small></p></main></body></html>"
    )
