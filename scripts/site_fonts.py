"""Writes the two typefaces of the static edition: those of the app, with fewer signs and weights.

Needs `pip install fonttools brotli`, which nothing else here does; what it writes is committed.
"Source" is a reserved name, so that what is changed has another one; its licence lies beside it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

FOLDER = Path(__file__).resolve().parents[1] / "dpviz" / "figures" / "kit" / "fonts"
FACES = {  # file here: the start of its name in the front end, its new name, its axes
    "sans": ("SourceSansVF-Upright", "Dpviz Sans", {"wght": (400, 700)}),
    "serif": ("SourceSerifVariable-Roman", "Dpviz Serif", {"wght": (400, 700), "opsz": (14, 60)}),
}
# headlines and numbers have ASCII, quotes, dashes, arrows, and the signs of formulas
SIGNS = "0020-007E,00A0,00A7,00B0-00B3,00B7,00B9,00D7,03B1,03B2,03B4,03B5,03C1,2010-2014"
SIGNS += ",2018-201D,2020-2022,2026,2030,2070-207F,2190-2193,2211,2212,221A,221E,2248,2264,2265"
MORE = {"sans": ",00A0-00FF,0391-03A9,03B1-03C9,2202,25CB,25CF", "serif": ""}  # in other texts
NAMES = (1, 3, 4, 6, 16)  # of a family, in a font's own table


def main(front_end: Path) -> None:
    """Write both from the files of the front end."""
    for name, (start, called, axes) in FACES.items():
        (source,) = front_end.glob(f"{start}*.woff2")
        narrowed = BytesIO()  # written and read again: a font in memory keeps what it lost
        whole = TTFont(source, recalcTimestamp=False)
        instancer.instantiateVariableFont(whole, axes).save(narrowed)
        font = TTFont(narrowed, recalcTimestamp=False)
        for record in font["name"].names:
            if record.nameID in NAMES:
                record.string = called if record.nameID != 6 else called.replace(" ", "")
        options = subset.Options(flavor="woff2", layout_features=["kern", "liga"], hinting=False)
        options.name_IDs = ["*"]
        chosen = subset.Subsetter(options)
        chosen.populate(unicodes=subset.parse_unicodes(SIGNS + MORE[name]))
        chosen.subset(font)
        font.flavor = "woff2"
        font.save(FOLDER / f"{name}.woff2", reorderTables=False)


if __name__ == "__main__":
    package = find_spec("streamlit")
    if package is None or package.origin is None:
        sys.exit("The typefaces come with Streamlit, which is not installed.")
    main(Path(package.origin).parent / "static" / "static" / "media")
