"""What the tests of all pictures of privacy look at."""

import itertools
from typing import Any

from dpviz.figures.kit.look import Look
from dpviz.figures.kit.palette import DARK, LIGHT

LOOKS = [
    Look(ink, presenting, screen)
    for ink, presenting, screen in itertools.product(
        (LIGHT, DARK), (False, True), ("wide", "narrow", "phone")
    )
]


def traces(picture: dict[str, Any]) -> dict[str, Any]:
    return {one["name"]: one for one in picture["data"]}


def texts(picture: dict[str, Any]) -> str:
    return " | ".join(one["text"] for one in picture["layout"]["annotations"])


def sizes(picture: dict[str, Any]) -> list[float]:
    layout = picture["layout"]
    fonts = [one["font"]["size"] for one in layout["annotations"]]
    return [*fonts, *(layout[key]["tickfont"]["size"] for key in layout if "axis" in key)]
