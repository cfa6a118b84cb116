"""A release as one HTML page that is complete in itself: words, picture, rows; it prints on A4."""

from __future__ import annotations

import html

from dpviz.answers.number_text import upper
from dpviz.figures.kit.look import FONT, SERIF
from dpviz.reports.pictures import picture
from dpviz.reports.words import Release, Told, paragraph, rows, what
from dpviz.version import __version__

STYLE = f"""
@page {{ size: A4 portrait; margin: 14mm; }}
* {{ box-sizing: border-box; }}
body {{ font: 11.5pt/1.45 {FONT}; color: #14181D; background: #fff; }}
body {{ max-width: 182mm; margin: 0 auto; padding: 8mm 4mm; }}
h1 {{ font: 600 21pt/1.2 {SERIF}; margin: 0 0 3mm; }}
svg {{ width: 100%; height: auto; max-height: 125mm; display: block; margin: 3mm 0 4mm; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ text-align: left; vertical-align: top; padding: 1.2mm 0; border-top: .3pt solid #ccc; }}
th {{ width: 28mm; font-weight: 400; color: #4A535C; }}
p {{ margin: 0 0 3mm; }}
small {{ color: #4A535C; }}
@media print {{ body {{ padding: 0; }} }}
"""


def report(release: Release, told: Told | None = None) -> str:
    """The page as text; nothing in it is loaded from anywhere.

    Raises: InvalidRelease for a reference that is not private.
    """
    told = told or Told()
    title = upper(what(release, told.subject))
    listed = "".join(
        f"<tr><th scope='row'>{html.escape(name)}</th><td>{html.escape(said)}</td></tr>"
        for name, said in rows(release, told)[1:]  # the first one is the title
    )
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>A private release</title><style>{STYLE}</style></head><body>"
        f"<h1>{html.escape(title)}</h1><p>{html.escape(paragraph(release, told))}</p>"
        f"{picture(release)}<table>{listed}</table>"
        f"<p><small>Made with dpviz {__version__} from the release alone; the release was made "
        f"with dpviz {html.escape(release.version)}.</small></p></body></html>"
    )
