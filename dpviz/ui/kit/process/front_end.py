"""Which scripts of Streamlit's front end go together, found in the scripts themselves.

Vite names a script by what it holds, so that its address differs from version to version; each
names the scripts that it needs at once.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

FOLDER = "static/js"
NEEDED = re.compile(r'(?:\bfrom|\bimport)\s*"\./([\w.-]+\.js)"')


def root() -> Path:
    """The folder that Streamlit serves."""
    return Path(str(files("streamlit").joinpath("static")))


@cache
def scripts_of(*parts: str) -> tuple[str, ...]:
    """What a browser loads for these parts of the front end, as paths below the server's own.

    A part is named as its script is, without the letters that tell versions apart
    ("PlotlyChart"). Parts that this version does not have are left out.
    """
    place = root() / FOLDER
    waiting = [path.name for part in parts for path in sorted(place.glob(f"{part}.*.js"))]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop()
        if name not in found and (place / name).is_file():
            found[name] = None
            waiting += NEEDED.findall((place / name).read_text(encoding="utf-8"))
    return tuple(f"{FOLDER}/{name}" for name in sorted(found))
