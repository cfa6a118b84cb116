"""A release as one HTML page that is complete in itself: words, picture, rows; it prints on A4."""

import html
from collections.abc import Mapping
from dataclasses import replace

from dpviz.answers.number_text import number, upper
from dpviz.core.releases import ProfileRelease
from dpviz.core.trees.group_releases import GroupReleases
from dpviz.figures.kit.look import FONT, SERIF
from dpviz.figures.kit.typefaces import style_of
from dpviz.reports.pictures import picture
from dpviz.reports.words import Release, Told, paragraph, rows, what
from dpviz.version import __version__

STYLE = style_of(__file__, "report", FONT, SERIF)


def report(release: Release, told: Told | None = None) -> str:
    """The page as text; nothing in it is loaded from anywhere.

    Raises: InvalidRelease for a reference that is not private.
    """
    return _page(_section(release, told or Told(), "h1"), release.version)


def profile_report(profile: ProfileRelease, told: Mapping[str, Told]) -> str:
    """The same page of several columns: what they spent together, then each; told is by column."""
    title = f"{number(len(profile.releases))} columns, and what they spent together"
    both = (
        f"A person may be in all of these columns, so their budgets add up: {profile.spent} in all."
    )
    each = (_section(one, told[name], "h2") for name, one in profile.releases.items())
    versions = dict.fromkeys(one.version for one in profile.releases.values())
    head = f"<h1>{upper(title)}</h1><p>{html.escape(both)}</p>"
    return _page(head + "".join(each), ", ".join(versions))


def groups_report(released: GroupReleases, told: Told) -> str:
    """The same page of groups: why they spend one budget together, then each."""
    title = f"{number(len(released.releases))} groups, which spend one budget together"
    both = f"{released.note} It is {released.spent}."
    each = (
        _section(one, replace(told, subject=f"{told.subject}, {name}"), "h2")
        for name, one in released.releases.items()
    )
    head = f"<h1>{upper(title)}</h1><p>{html.escape(both)}</p>"
    return _page(head + "".join(each), next(iter(released.releases.values())).version)


def _section(release: Release, told: Told, heading: str) -> str:
    """Words, picture and rows of a release, under a heading of a level."""
    title = upper(what(release, told.subject))
    listed = "".join(
        f"<tr><th scope='row'>{html.escape(name)}</th><td>{html.escape(said)}</td></tr>"
        for name, said in rows(release, told)[1:]  # the first one is the title
    )
    return (
        f"<{heading}>{html.escape(title)}</{heading}>"
        f"<p>{html.escape(paragraph(release, told))}</p>"
        f"{picture(release)}<table>{listed}</table>"
    )


def _page(body: str, version: str) -> str:
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>A private release</title><style>{STYLE}</style></head><body>{body}"
        f"<p><small>Made with dpviz {__version__} from the release alone; the release was made "
        f"with dpviz {html.escape(version)}.</small></p></body></html>"
    )
